"""Rules for the report and the checksums of its inputs, and targets for parts of the report."""

#: folders of comparisons, with the comparison of systems first, and that of simulated and perturbed runs last
OF_COMPARISONS = sorted(
    analyses("comparisons"),
    key=lambda folder: {SYSTEMS: 0, VARIANTS: 2}.get(Path(folder).name, 1),
)
OF_CORRELATIONS = [
    f"results/{name}/correlations/{correlation}"
    for name in REPORTED
    for correlation in ASKED[name].own_correlations
]
OF_SWEEPS = analyses("sweeps")
OF_EVALUATIONS = (
    ["results/evaluations/section.html", "results/evaluations/overview.csv"]
    if EVALUATED
    else []
)

#: the sections of the report, in order
SECTIONS = [
    *OF_COMPARISONS,
    *OF_CORRELATIONS,
    *of_papers(),
    *OF_SWEEPS,
]


rule write_report:
    """Write the page of the report, and a file with the configuration, versions and checksums of its inputs."""
    input:
        code=code("report"),
        templates=TEMPLATES,
        sections=[
            one
            for one in SECTIONS
            if not any(f"/{draw}/" in str(one) for draw in DRAWS)
        ],
        audits=expand("results/audit/{campaign}", campaign=CONFIG.audit.campaigns),
        draws=rules.compare_draws.output.table,
        descriptions=expand("results/{campaign}/description.html", campaign=SCORED),
        views=expand("results/{campaign}/view.html", campaign=VIEWED),
        published=[
            local(str(path))
            for path in sorted((ROOT / "config/published").glob("*.csv"))
        ],
        campaign_files=[
            outside(path)
            for campaign in CAMPAIGNS.values()
            for path in campaign.files().values()
        ],
        # the report lists the checksums of these files
        artefacts=list(dict.fromkeys(artefacts())),
        generated=expand(
            "results/{campaign}/input",
            campaign=[name for name in SYNTHETIC if name not in DRAWS],
        ),
    output:
        page=report(
            "results/report.html",
            caption="../captions/report.rst",
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
        command=command_of(
            workflow.overwrite_configfiles or (), workflow.config_settings.config
        ),
    script:
        "../../scripts/report.py"


rule report_audits:
    """Write a page with the audits of all campaigns."""
    input:
        code=code("report_audits"),
        templates=TEMPLATES,
        folders=expand("results/audit/{campaign}", campaign=AUDITED),
    output:
        "results/audit.html",
    log:
        "results/logs/audit.log",
    localrule: True
    conda:
        "../envs/focuseval.yml"
    script:
        "../../scripts/report_audits.py"


rule report:
    """Make the report and all results that it is made from; deleted results are made again."""
    default_target: True
    input:
        rules.write_report.output,
        with_files(SECTIONS),
        with_files(expand("results/audit/{campaign}", campaign=CONFIG.audit.campaigns)),
        expand("results/{campaign}/view.html", campaign=VIEWED),
        with_files(expand("results/{campaign}/view_files", campaign=VIEWED)),
        OF_EVALUATIONS,
        rules.compare_draws.output,
        with_files(expand("results/{campaign}/input", campaign=SYNTHETIC)),
        list(dict.fromkeys(artefacts())),
    localrule: True


rule papers:
    """Reproduce all papers on all campaigns that suit them."""
    input:
        with_files(of_papers()),
    localrule: True


rule comparisons:
    """Compare systems under main measures, and make all comparisons and correlations that campaigns request."""
    input:
        with_files([*OF_COMPARISONS, *OF_CORRELATIONS]),
    localrule: True


rule sweeps:
    """Make the sweeps that campaigns request."""
    input:
        with_files(OF_SWEEPS),
    localrule: True


rule audits:
    """Audit all campaigns, which takes minutes. The report has only the audits of campaigns under `audit`."""
    input:
        rules.report_audits.output,
        with_files(expand("results/audit/{campaign}", campaign=AUDITED)),
    localrule: True
