"""Rules that make the files of a campaign, and parse its documents into tables of elements."""


rule generate_campaign:
    """Generate the documents, topics and assessments of a synthetic campaign from its settings."""
    input:
        code=code("generate_campaign"),
    output:
        folder=directory("results/{campaign}/input"),
        files="results/{campaign}/input.sha256",
    log:
        "results/logs/{campaign}/generate_campaign.log",
    benchmark:
        "results/benchmarks/{campaign}/generate_campaign.tsv"
    wildcard_constraints:
        campaign=names(SYNTHETIC),
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    threads: cores
    resources:
        mem_mb=megabytes(1000),
        runtime=minutes(30, "campaign"),
    params:
        versions=VERSIONS,
        settings=lambda w: CAMPAIGNS[w.campaign].concept_space,
        structured=lambda w: settings_of(w.campaign)["structured_topics"],
    script:
        "../../scripts/generate_campaign.py"


rule fetch_sources:
    """Fetch published files and verify their checksums.

    On a cluster, the rule runs on the machine that runs Snakemake, because the other machines may have no network.
    """
    input:
        code=code("fetch_sources"),
        table=table_of_sources,
    output:
        folder=directory("results/sources/{dataset}"),
        files="results/sources/{dataset}.sha256",
    log:
        "results/logs/{dataset}/fetch_sources.log",
    wildcard_constraints:
        dataset=names(DATASETS),
    localrule: True
    conda:
        "../envs/focuseval.yml"
    params:
        sources=lambda w: DATASETS[w.dataset].model_dump(exclude_none=True)["sources"],
    script:
        "../../scripts/fetch_sources.py"


rule import_campaign:
    """Make the files of a campaign from published files (with an importer), or from gold and runs on source code."""
    input:
        code=lambda w: code("import_campaign", *importer_of(w)),
        sources=sources_of,
        code_campaign=lambda w: files_of_code(w.campaign),
    output:
        folder=directory("results/{campaign}/input"),
        files="results/{campaign}/input.sha256",
    log:
        "results/logs/{campaign}/import_campaign.log",
    benchmark:
        "results/benchmarks/{campaign}/import_campaign.tsv"
    wildcard_constraints:
        campaign=names([*IMPORTED, *ON_CODE]),
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(2000),
        runtime=minutes(30, "campaign"),
    params:
        versions=VERSIONS,
        importer=lambda w: CAMPAIGNS[w.campaign].importer,
        campaign=lambda w: (
            ON_CODE[w.campaign].model_dump(mode="json")
            if w.campaign in ON_CODE
            else None
        ),
        contents=lambda w: contents_of_code(w.campaign),
    script:
        "../../scripts/import_campaign.py"


rule parse_collection:
    """Write a table of all documents, and one of all elements with their parent, tag, position and interval.

    Without documents, the tables have the documents and elements that assessments and runs name.
    """
    input:
        code=code("parse_collection"),
        collection=campaign_file("collection"),
        assessments=lambda w: (
            campaign_files(w, "assessments") if w.campaign in WITHOUT_TEXT else []
        ),
        runs=lambda w: campaign_files(w, "runs") if w.campaign in WITHOUT_TEXT else [],
        imported=made_for_campaign,
    output:
        documents="results/{campaign}/collection/documents.parquet",
        elements="results/{campaign}/collection/elements.parquet",
        notices="results/{campaign}/collection/notices.csv",
    log:
        "results/logs/{campaign}/parse_collection.log",
    benchmark:
        "results/benchmarks/{campaign}/parse_collection.tsv"
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    threads: cores
    resources:
        mem_mb=megabytes(1500),
        runtime=minutes(30, "campaign"),
    params:
        versions=VERSIONS,
        campaign=lambda w: settings_of(w.campaign),
        contents=contents(
            "collection",
            also=lambda name: name in WITHOUT_TEXT and ("assessments", "runs"),
        ),
        kind=lambda w: (
            "code"
            if w.campaign in ON_CODE
            else "unknown" if w.campaign in WITHOUT_TEXT else "documents"
        ),
        inside=lambda w: {
            "collection": inside(w.campaign, "collection"),
            "assessments": every_inside(w.campaign, "assessments"),
            "runs": every_inside(w.campaign, "runs"),
        },
    script:
        "../../scripts/parse_collection.py"
