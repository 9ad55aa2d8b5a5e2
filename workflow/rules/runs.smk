"""runs -> results: what was submitted, or what retrieval over the campaign's own text returns."""


rule submitted_runs:
    input:
        code=code("submitted_runs"),
        elements=rules.elements.output[0],
        runs=submitted,
    output:
        "results/{campaign}/runs/{task}.parquet",
    log:
        "results/logs/{campaign}/submitted_runs_{task}.log",
    benchmark:
        "results/benchmarks/{campaign}/submitted_runs_{task}.tsv"
    wildcard_constraints:
        campaign="|".join(SUBMITTED) or "none",
    conda:
        "../../environment.yml"
    params:
        campaign=settings("unit", "equal_scores_tie", "lenient"),
        size=lambda w: max(
            size
            for campaign, task, size, _ in MEASURES
            if (campaign, task) == (w.campaign, w.task)
        ),
    script:
        "../../scripts/submitted_runs.py"


rule baseline_runs:
    input:
        code=code("baseline_runs"),
        collection=given("collection"),
        topics=given("topics"),
        elements=rules.elements.output[0],
    output:
        "results/{campaign}/runs/{task}.parquet",
    log:
        "results/logs/{campaign}/baseline_runs_{task}.log",
    benchmark:
        "results/benchmarks/{campaign}/baseline_runs_{task}.tsv"
    wildcard_constraints:
        campaign="|".join(set(CAMPAIGNS) - set(SUBMITTED)) or "none",
    conda:
        "../../environment.yml"
    threads: 2
    params:
        campaign=settings("unit", "query_type", "baselines"),
        task=lambda w: w.task,
    script:
        "../../scripts/baseline_runs.py"
