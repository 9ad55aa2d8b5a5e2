"""collection -> elements; a synthetic campaign is first written as the files that a real one has."""


rule concept_space:
    """Documents, topics and assessments from the concept-space model."""
    input:
        code=code("concept_space"),
    output:
        collection="results/{campaign}/input/collection.zip",
        topics="results/{campaign}/input/topics.xml",
        assessments=directory("results/{campaign}/input/assessments"),
        assessments_2005=directory("results/{campaign}/input/assessments-2005"),
        highlights="results/{campaign}/input/highlights.qrels",
    log:
        "results/logs/{campaign}/concept_space.log",
    benchmark:
        "results/benchmarks/{campaign}/concept_space.tsv"
    wildcard_constraints:
        campaign="|".join(SYNTHETIC) or "none",
    conda:
        "../../environment.yml"
    threads: 2
    resources:
        mem_mb=megabytes(1000),
        runtime=minutes(30),
    params:
        settings=lambda w: CAMPAIGNS[w.campaign]["concept_space"],
    script:
        "../../scripts/concept_space.py"


rule elements:
    """Every element of every document: parent, tag, position and interval."""
    input:
        code=code("elements"),
        collection=given("collection"),
    output:
        directory("results/{campaign}/elements"),
    log:
        "results/logs/{campaign}/elements.log",
    benchmark:
        "results/benchmarks/{campaign}/elements.tsv"
    conda:
        "../../environment.yml"
    threads: 2
    resources:
        mem_mb=megabytes(1500),
        runtime=minutes(30),
    params:
        lenient=lambda w: CAMPAIGNS[w.campaign]["lenient"],
    script:
        "../../scripts/elements.py"
