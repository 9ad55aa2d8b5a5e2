"""collection -> elements; a synthetic campaign is first written as the files that a real one has."""

SYNTHETIC = [name for name, campaign in CAMPAIGNS.items() if "concept_space" in campaign]


def given(key):
    """An input function: the file of a campaign under a key, generated or from its configuration."""

    def path(wildcards):
        campaign = CAMPAIGNS[wildcards.campaign]
        if wildcards.campaign in SYNTHETIC:
            return getattr(rules.concept_space.output, key).format(campaign=wildcards.campaign)
        return campaign[key]

    return path


rule concept_space:
    """Documents, topics and assessments from the concept-space model."""
    input:
        code=code("concept_space"),
    output:
        collection="results/{campaign}/input/collection.zip",
        topics="results/{campaign}/input/topics.xml",
        assessments=directory("results/{campaign}/input/assessments"),
    params:
        settings=lambda w: CAMPAIGNS[w.campaign]["concept_space"],
    log:
        "results/logs/{campaign}/concept_space.log",
    benchmark:
        "results/benchmarks/{campaign}/concept_space.tsv"
    wildcard_constraints:
        campaign="|".join(SYNTHETIC) or "none",
    threads: 2
    conda:
        "../../environment.yml"
    script:
        "../../scripts/concept_space.py"


rule elements:
    """Every element of every document: parent, tag, position and interval."""
    input:
        code=code("elements"),
        collection=given("collection"),
    output:
        directory("results/{campaign}/elements"),
    params:
        lenient=lambda w: CAMPAIGNS[w.campaign]["lenient"],
    log:
        "results/logs/{campaign}/elements.log",
    benchmark:
        "results/benchmarks/{campaign}/elements.tsv"
    threads: 2
    conda:
        "../../environment.yml"
    script:
        "../../scripts/elements.py"
