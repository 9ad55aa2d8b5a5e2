"""The report, and where everything in it comes from."""


rule page:
    """One page with everything on it, and the configuration, versions and checksums that made it."""
    input:
        code=code("report"),
        templates=TEMPLATES,
        sections=[
            *expand(rules.systems.output.section, campaign=OF_SYSTEMS),
            *expand(rules.compare.output.section, zip, **COMPARED),
            *SECTIONS,
            *OF_SWEEPS[1::2],
        ],
        audits=expand(rules.audited.output.folder, campaign=CONFIG.audit.campaigns),
        draws=rules.draws.output.table,
        descriptions=expand(rules.description.output.section, campaign=DESCRIBED),
        views=expand(rules.view.output.page, campaign=VIEWED),
        published=[
            local(str(path))
            for path in sorted((ROOT / "config/published").glob("*.csv"))
        ],
        given=[
            outside(path)
            for campaign in CAMPAIGNS.values()
            for path in campaign.files().values()
        ],
        generated=expand(
            "results/{campaign}/input/{file}",
            campaign=[name for name in SYNTHETIC if name not in DRAWS],
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
        titles={name: paper.declared.title for name, paper in PAPERS.items()},
        views={f"{name}/view.html": CAMPAIGNS[name].heading for name in VIEWED},
        unsuited={name: ASKED[name].unsuited for name in REPORTED},
    script:
        "../../scripts/report.py"


#: all that is made for the report
RESULTS = [
    *rules.page.output,
    *expand(rules.view.output, campaign=VIEWED),
    *rules.page.input.audits,
    *expand(rules.systems.output, campaign=OF_SYSTEMS),
    *expand(rules.compare.output, zip, **COMPARED),
    *SECTIONS,
    *OF_SWEEPS,
    *OF_PAPERS,
    *expand(rules.concept_space.output, campaign=SYNTHETIC),
    *rules.draws.output,
    *IMPORTED,
    *expand(rules.elements.output, campaign=DESCRIBED),
    *expand(rules.campaign.output, campaign=DESCRIBED),
    *expand(rules.scores.output, zip, **SCORED),
    *expand(rules.description.output, campaign=DESCRIBED),
]


rule report:
    """The page and everything that was made for it: what is deleted comes back."""
    default_target: True
    input:
        whole(RESULTS),
    localrule: True
