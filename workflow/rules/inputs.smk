"""The files that a campaign begins with: its own, or those that are made here."""


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
        campaign=names(name for name, of in CAMPAIGNS.items() if of.synthetic),
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    threads: 2
    resources:
        mem_mb=megabytes(1000),
        runtime=minutes(30),
    params:
        settings=lambda w: CAMPAIGNS[w.campaign].concept_space,
    script:
        "../../scripts/concept_space.py"
