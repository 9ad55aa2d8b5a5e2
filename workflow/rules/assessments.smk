"""Rules that read assessments, and build the recall-bases that measures compare runs with."""


rule read_assessments:
    """Read the topics of a campaign or of one of its tasks: judged elements, passages, spans and entry points."""
    input:
        code=code("read_assessments"),
        collection=rules.parse_collection.output,
        assessments=assessments_of,
        topics=lambda w: (
            campaign_file("topics")(w) if CAMPAIGNS[w.campaign].query_type else []
        ),
        texts=texts_to_compare,
        # if there is a pool depth, only elements in the pool of the runs count as judged
        runs=lambda w: (
            run_files(w.campaign) if CAMPAIGNS[w.campaign].pool_depth else []
        ),
    output:
        topics="results/{campaign}/assessments/{task}/topics.parquet",
        elements="results/{campaign}/assessments/{task}/elements.parquet",
        passages="results/{campaign}/assessments/{task}/passages.parquet",
        spans="results/{campaign}/assessments/{task}/spans.parquet",
        entry_points="results/{campaign}/assessments/{task}/entry_points.parquet",
        notices="results/{campaign}/assessments/{task}/notices.csv",
    log:
        "results/logs/{campaign}/read_assessments.{task}.log",
    benchmark:
        "results/benchmarks/{campaign}/read_assessments.{task}.tsv"
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(1500),
        runtime=minutes(30, "campaign"),
    params:
        versions=VERSIONS,
        campaign=lambda w: settings_of(w.campaign),
        contents=contents("assessments"),
        inside=lambda w: {
            "assessments": inside(w.campaign, "assessments", w.task),
            "texts": inside(w.campaign, "collection"),
            "topics": inside(w.campaign, "topics"),
        },
    script:
        "../../scripts/read_assessments.py"


rule build_recall_base:
    """Build the full recall-base of every topic under a quantisation, and mark the ideal elements of each method."""
    input:
        code=code("build_recall_base"),
        collection=rules.parse_collection.output,
        assessments=rules.read_assessments.output,
    output:
        "results/{campaign}/recall_base/{task}.{quantisation}.parquet",
    log:
        "results/logs/{campaign}/build_recall_base.{task}.{quantisation}.log",
    benchmark:
        "results/benchmarks/{campaign}/build_recall_base.{task}.{quantisation}.tsv"
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(1500),
        runtime=minutes(30, "campaign"),
    params:
        versions=VERSIONS,
        unit=lambda w: CAMPAIGNS[w.campaign].unit,
    script:
        "../../scripts/build_recall_base.py"
