"""The rule for scores: a job scores one set of runs under all requested measures of one metric."""


rule score:
    """Score a set of runs on every topic under the measures of one metric (in a sweep, only those at some points)."""
    input:
        code=lambda w: code_under(
            "score", w.metric, modules=[READS_TEXTS] if reads_texts(w) else []
        ),
        collection=rules.parse_collection.output,
        assessments=lambda w: assessments_of_set(w, "runs"),
        recall_bases=scored_recall_bases,
        runs=lambda w: artefact_of(w),
        # measures that count words read the texts of documents
        texts=lambda w: campaign_file("collection")(w) if reads_texts(w) else [],
    output:
        scores="results/{campaign}/scores/{runs}/{metric}.parquet",
        left_out="results/{campaign}/scores/{runs}/{metric}.left_out.parquet",
    log:
        "results/logs/{campaign}/score.{runs}.{metric}.log",
    benchmark:
        "results/benchmarks/{campaign}/score.{runs}.{metric}.tsv"
    wildcard_constraints:
        metric=r"[a-z][^/]*?(?<!\.left_out)",
    group:
        "scores"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(60),
    params:
        versions=VERSIONS,
        unit=lambda w: CAMPAIGNS[w.campaign].unit,
        lenient=lambda w: CAMPAIGNS[w.campaign].lenient,
        options=lambda w: ["equal_scores_tie"] * CAMPAIGNS[w.campaign].equal_scores_tie,
        runs=lambda w: set_of(w, "runs").as_dict(),
        measures=lambda w: ASKED[w.campaign].scores[w.runs, w.metric],
        # default main measures are optional: the campaign's files may not allow all of them
        optional=lambda w: ASKED[w.campaign].optional(w.runs, w.metric),
        inside=lambda w: {"texts": inside(w.campaign, "collection")},
        # if measures read the texts, the job runs again when the texts change
        contents=lambda w: contents("collection")(w) if reads_texts(w) else [],
    script:
        "../../scripts/score.py"
