"""The files that a campaign begins with: its own, or those that are made here, from a model or by an importer."""

from focuseval_papers.workflow.sources import load as load_importer

#: the campaigns that are made from a model
SYNTHETIC = [name for name, of in CAMPAIGNS.items() if of.synthetic]


rule concept_space:
    """Documents, topics and assessments from the concept-space model."""
    input:
        code=code("concept_space"),
    output:
        collection="results/{campaign}/input/collection.zip",
        topics="results/{campaign}/input/topics.xml",
        assessments=directory("results/{campaign}/input/assessments"),
        assessments_2002=directory("results/{campaign}/input/assessments-2002"),
        assessments_2005=directory("results/{campaign}/input/assessments-2005"),
        highlights="results/{campaign}/input/highlights.qrels",
        # of the tasks whose topics ask for a structure; empty where there are none
        structured=directory("results/{campaign}/input/structured"),
    log:
        "results/logs/{campaign}/concept_space.log",
    benchmark:
        "results/benchmarks/{campaign}/concept_space.tsv"
    wildcard_constraints:
        campaign=names(SYNTHETIC),
    priority: cores
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    threads: cores
    resources:
        mem_mb=megabytes(1000),
        runtime=minutes(30),
    params:
        settings=lambda w: CAMPAIGNS[w.campaign].concept_space,
        structured=lambda w: settings_of(w.campaign)["structured_topics"],
    script:
        "../../scripts/concept_space.py"


rule sources:
    """Files that others published, checked; made where Snakemake runs, as other machines may have no network."""
    input:
        code=code("sources"),
        table=table_of_sources,
    output:
        directory("results/sources/{dataset}"),
    log:
        "results/logs/{dataset}/sources.log",
    wildcard_constraints:
        dataset=names(DATASETS),
    localrule: True
    conda:
        "../envs/focuseval.yml"
    params:
        sources=lambda w: DATASETS[w.dataset].model_dump(exclude_none=True)["sources"],
    script:
        "../../scripts/sources.py"


#: all files that importers make for the campaigns that are scored
IMPORTED = []

for campaign in CAMPAIGNS.values():
    if not campaign.importer:
        continue
    folder = f"results/{campaign.name}/input"
    made = {
        name: f"{folder}/{name.rstrip('/')}"
        for name in load_importer(campaign.importer).MAKES
    }
    if ASKED[campaign.name].scores:
        IMPORTED += made.values()

    rule:
        name:
            f"imported_{campaign.name}"
        input:
            code=code("imported", f"focuseval_papers.importers.{campaign.importer}"),
            sources=f"results/sources/{campaign.dataset}",
        output:
            [
                directory(file) if name.endswith("/") else file
                for name, file in made.items()
            ],
            told=f"{folder}/told.txt",
        log:
            f"results/logs/{campaign.name}/imported.log",
        benchmark:
            f"results/benchmarks/{campaign.name}/imported.tsv"
        group:
            "campaign"
        conda:
            "../envs/focuseval.yml"
        resources:
            mem_mb=megabytes(2000),
            runtime=minutes(30),
        params:
            importer=campaign.importer,
        script:
            "../../scripts/imported.py"


rule placed:
    """Gold and runs that name places in source code, as spans; the elements of the files that they name."""
    input:
        code=code("placed"),
        files=lambda w: [
            outside(path)
            for path in ON_CODE[w.campaign].files().values()
            if revision_of(path) is None
        ],
    output:
        gold="results/{campaign}/input/gold.jsonl",
        runs=directory("results/{campaign}/input/runs"),
        told="results/{campaign}/input/told.txt",
        elements=directory("results/{campaign}/elements"),
    log:
        "results/logs/{campaign}/placed.log",
    benchmark:
        "results/benchmarks/{campaign}/placed.tsv"
    wildcard_constraints:
        campaign=names(ON_CODE),
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(2000),
        runtime=minutes(30),
    params:
        campaign=lambda w: ON_CODE[w.campaign].model_dump(mode="json"),
        # what changes with the files, and the commit that a revision is
        inside=lambda w: [
            commit_of(*revision) if (revision := revision_of(path)) else stamp(path)
            for path in ON_CODE[w.campaign].files().values()
        ],
    script:
        "../../scripts/placed.py"
