"""Rules that read submitted runs, and make the runs of retrieval systems."""


rule index_texts:
    """Index all documents of a campaign: write the terms that retrieval systems search, in text order."""
    input:
        code=code("index_texts"),
        collection=rules.parse_collection.output,
        texts=campaign_file("collection"),
    output:
        terms="results/{campaign}/collection/terms.parquet",
    log:
        "results/logs/{campaign}/index_texts.log",
    benchmark:
        "results/benchmarks/{campaign}/index_texts.tsv"
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    threads: cores
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(30, "campaign"),
    params:
        versions=VERSIONS,
        contents=contents("collection"),
        inside=lambda w: {"texts": inside(w.campaign, "collection")},
    script:
        "../../scripts/index_texts.py"


rule retrieve_runs:
    """Make the runs of all retrieval systems for one kind of task."""
    input:
        code=code("retrieve_runs"),
        collection=rules.parse_collection.output,
        terms=rules.index_texts.output.terms,
        topics=campaign_file("topics"),
    output:
        runs="results/{campaign}/runs/retrieved-{kind}.parquet",
        notices="results/{campaign}/runs/retrieved-{kind}.notices.csv",
    log:
        "results/logs/{campaign}/retrieve_runs.{kind}.log",
    benchmark:
        "results/benchmarks/{campaign}/retrieve_runs.{kind}.tsv"
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(60, "campaign"),
    params:
        versions=VERSIONS,
        campaign=lambda w: settings_of(w.campaign),
        contents=contents("topics"),
        inside=lambda w: {"topics": inside(w.campaign, "topics", w.kind)},
        systems=lambda w: ASKED[w.campaign].runs.get(f"{RETRIEVED}{w.kind}"),
    script:
        "../../scripts/retrieve_runs.py"


rule read_runs:
    """Read the submitted runs of a campaign, or of one of its tasks."""
    input:
        code=code("read_runs"),
        collection=rules.parse_collection.output,
        runs=runs_of,
        topics=lambda w: (
            campaign_file("topics")(w) if CAMPAIGNS[w.campaign].query_type else []
        ),
        texts=texts_to_compare,
        retrieved=baselines_of,
    output:
        runs="results/{campaign}/runs/{runs}.parquet",
        notices="results/{campaign}/runs/{runs}.notices.csv",
    log:
        "results/logs/{campaign}/read_runs.{runs}.log",
    benchmark:
        "results/benchmarks/{campaign}/read_runs.{runs}.tsv"
    wildcard_constraints:
        runs=f"(?!{RETRIEVED})[^/]+?(?<!notices)",
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(60, "campaign"),
    params:
        versions=VERSIONS,
        campaign=lambda w: settings_of(w.campaign),
        contents=contents("runs"),
        inside=lambda w: {
            "runs": inside(w.campaign, "runs", w.runs),
            "texts": inside(w.campaign, "collection"),
            "topics": inside(w.campaign, "topics"),
        },
    script:
        "../../scripts/read_runs.py"


rule describe_campaign:
    """Compute statistics of a campaign's assessments and runs."""
    input:
        code=code("describe_campaign"),
        templates=TEMPLATES,
        collection=rules.parse_collection.output,
        assessments=assessments_for(ALL),
        runs=lambda w: run_files(w.campaign),
    output:
        facts="results/{campaign}/facts.parquet",
        calibration="results/{campaign}/calibration.csv",
        population="results/{campaign}/population.csv",
        section="results/{campaign}/description.html",
    log:
        "results/logs/{campaign}/describe_campaign.log",
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(30, "campaign"),
    params:
        versions=VERSIONS,
        campaign=lambda w: (
            settings_of(w.campaign) | {"title": CAMPAIGNS[w.campaign].title}
        ),
    script:
        "../../scripts/describe_campaign.py"
