"""The report, and where everything in it comes from."""


rule report:
    """One page with everything on it, and the configuration, versions and checksums that made it."""

    # `all` would be a job more, behind which Snakemake waits for a second
    default_target: True
    input:
        code=code("report"),
        templates=TEMPLATES,
        sections=[
            *rules.own_systems.input,
            *rules.significance.input,
            *SECTIONS,
            *rules.sweeps.input,
        ],
        audits=expand(rules.audited.output.folder, campaign=CONFIG.audit.campaigns),
        descriptions=rules.description.output.sections,
        views=expand(rules.view.output.page, campaign=VIEWED),
        published=sorted(
            str(path) for path in (ROOT / "config/published").glob("*.csv")
        ),
        given=[
            path
            for campaign in CAMPAIGNS.values()
            for part in (campaign, *(campaign.tasks or {}).values())
            for key in ("collection", "topics", "assessments", "runs")
            for path in [getattr(part, key, None)]
            if path
        ],
        generated=expand(
            "results/{campaign}/input/{file}",
            campaign=[name for name, of in CAMPAIGNS.items() if of.synthetic],
            file=["collection.zip", "topics.xml"],
        ),
    output:
        page=report(
            "results/report.html",
            category="Report",
            labels={"what": "tables, figures and findings"},
        ),
        provenance="results/provenance.json",
    log:
        "results/logs/report.log",
    group:
        "report"
    conda:
        "../envs/focuseval.yml"
    params:
        configuration=CONFIG.model_dump(mode="json"),
        campaigns={
            name: of.model_dump(mode="json", exclude_none=True)
            for name, of in CAMPAIGNS.items()
        },
        titles={name: paper.title for name, paper in PAPERS.items()},
        views={f"{name}/view.html": CAMPAIGNS[name].heading for name in VIEWED},
        unsuited={name: ASKED[name].unsuited for name in REPORTED},
    script:
        "../../scripts/report.py"
