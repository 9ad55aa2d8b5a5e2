"""results -> scores: one job for all sets of runs of a campaign that are scored together."""

#: campaigns and their scoring jobs one by one, for `expand`
SCORED = {
    "campaign": [campaign for campaign, of in ASKED.items() for _ in of.scores],
    "batch": [batch for of in ASKED.values() for batch in of.scores],
}


rule scores:
    input:
        code=lambda w: code("scores", *scored_by(w)),
        elements=rules.elements.output[0],
        judgements=rules.campaign.output.judgements,
        runs=rules.campaign.output.runs,
        # what measures of words read
        texts=lambda w: (
            given("collection")(w) if ASKED[w.campaign].reads_texts(w.batch) else []
        ),
    output:
        scores="results/{campaign}/scores/{batch}.parquet",
        left_out="results/{campaign}/scores/{batch}.left_out.parquet",
        made=directory("results/{campaign}/transformed/{batch}"),
    log:
        "results/logs/{campaign}/scores_{batch}.log",
    benchmark:
        "results/benchmarks/{campaign}/scores_{batch}.tsv"
    priority: cores
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(60),
    params:
        unit=lambda w: CAMPAIGNS[w.campaign].unit,
        lenient=lambda w: CAMPAIGNS[w.campaign].lenient,
        # main measures that nobody named need not all be possible
        skip_refused=lambda w: w.batch == SYSTEMS,
        families=lambda w: ASKED[w.campaign].families(w.batch),
        sets=lambda w: [
            (runs.as_dict(), measures)
            for runs, measures in ASKED[w.campaign].scores[w.batch]
        ],
    script:
        "../../scripts/scores.py"
