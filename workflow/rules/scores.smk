"""results -> scores: one job for all runs of a campaign, one size of result lists and one family of measures."""


rule scores:
    input:
        code=lambda w: code("scores", f"focuseval.measures.{w.family}"),
        elements=rules.elements.output[0],
        judgements=rules.judgements.output,
        results="results/{campaign}/runs.parquet",
    output:
        scores="results/{campaign}/scores/{size}/{family}.parquet",
        left_out="results/{campaign}/scores/{size}/{family}.json",
    log:
        "results/logs/{campaign}/scores_{size}_{family}.log",
    benchmark:
        "results/benchmarks/{campaign}/scores_{size}_{family}.tsv"
    conda:
        "../../environment.yml"
    params:
        campaign=settings("name", "task", "unit", "lenient"),
        measures=lambda w: MEASURES[w.campaign, int(w.size), w.family],
        size=lambda w: int(w.size),
    script:
        "../../scripts/scores.py"


rule simulated_scores:
    input:
        code=lambda w: code("scores", f"focuseval.measures.{w.family}"),
        elements=rules.elements.output[0],
        judgements=rules.judgements.output,
        results=rules.simulated_runs.output[0],
    output:
        scores="results/{campaign}/scores/simulated/{family}.parquet",
        left_out="results/{campaign}/scores/simulated/{family}.json",
    log:
        "results/logs/{campaign}/scores_simulated_{family}.log",
    conda:
        "../../environment.yml"
    params:
        # simulated runs keep no rules
        campaign=lambda w: {
            **settings("name", "unit", "lenient")(w),
            "task": "thorough",
        },
        measures=lambda w: [
            name
            for of in measures(w.family, GOEVERT2006["quantisations"])
            for name in (of, f"{of}@curve")
        ],
        size=None,
    script:
        "../../scripts/scores.py"
