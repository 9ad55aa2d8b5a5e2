"""The report, and where everything in it comes from."""


rule facts:
    """How large a campaign is: documents, elements, topics, judgements, runs."""
    input:
        code=code("facts"),
        elements=rules.elements.output[0],
        judgements=rules.judgements.output,
        results="results/{campaign}/runs.parquet",
    output:
        "results/{campaign}/facts.json",
    log:
        "results/logs/{campaign}/facts.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/facts.py"


rule provenance:
    """The configuration, the versions of the software, and checksums of all inputs."""
    input:
        code=code("provenance"),
        published=sorted(str(path) for path in Path("config/published").glob("*.csv")),
        given=[
            part[key]
            for campaign in CAMPAIGNS.values()
            for part in (campaign, *campaign.get("tasks", {}).values())
            for key in ("collection", "topics", "assessments", "runs")
            if key in part
        ],
        generated=expand(
            "results/{campaign}/input/{file}",
            campaign=SYNTHETIC,
            file=["collection.zip", "topics.xml"],
        ),
    output:
        "results/provenance.json",
    log:
        "results/logs/provenance.log",
    conda:
        "../../environment.yml"
    params:
        configuration=CONFIG,
        campaigns=CAMPAIGNS,
    script:
        "../../scripts/provenance.py"


rule report:
    """One page with everything on it."""
    input:
        code=code("report"),
        sections=SECTIONS,
        provenance=rules.provenance.output[0],
    output:
        "results/report.html",
    log:
        "results/logs/report.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/report.py"
