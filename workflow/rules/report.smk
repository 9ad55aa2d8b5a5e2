"""The report, where everything in it comes from, and what is said in the end."""


rule page:
    """One page with everything on it, and the configuration, versions and checksums that made it."""
    input:
        code=code("report"),
        templates=TEMPLATES,
        sections=[
            *expand(rules.systems.output.section, campaign=OF_SYSTEMS),
            *compared(rules.compare.output.section),
            *SECTIONS,
        ],
        audits=expand(rules.audited.output.folder, campaign=CONFIG.audit.campaigns),
        descriptions=expand(rules.description.output.section, campaign=DESCRIBED),
        views=expand(rules.view.output.page, campaign=VIEWED),
        published=[
            local(str(path))
            for path in sorted((ROOT / "config/published").glob("*.csv"))
        ],
        given=[
            outside(path)
            for campaign in CAMPAIGNS.values()
            for part in (campaign, *(campaign.tasks or {}).values())
            for key in ("collection", "topics", "assessments", "runs")
            for path in [getattr(part, key, None)]
            if path
        ],
        generated=expand(
            "results/{campaign}/input/{file}",
            campaign=SYNTHETIC,
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


#: all that is made for the report
RESULTS = [
    *rules.page.output,
    *rules.page.input.views,
    *rules.page.input.audits,
    *expand(rules.systems.output, campaign=OF_SYSTEMS),
    *compared(rules.compare.output),
    *SECTIONS,
    *OF_PAPERS,
    *expand(rules.concept_space.output, campaign=SYNTHETIC),
    *IMPORTED,
    *expand(rules.elements.output, campaign=DESCRIBED),
    *expand(rules.campaign.output, campaign=DESCRIBED),
    *expand(rules.description.output, campaign=DESCRIBED),
]
for campaign in DESCRIBED:
    batches = list(ASKED[campaign].scores)
    RESULTS += expand(rules.scores.output, campaign=campaign, batch=batches)


rule report:
    """The page and everything that was made for it: what is deleted comes back."""
    default_target: True
    input:
        whole(RESULTS),
    localrule: True


def places():
    """Where what was asked for lies: its page, or the folders of its files."""
    asked = [job.output or job.input for job in workflow.dag.targetjobs]
    files = {str(file) for made in asked for file in made}
    pages = {
        "Tables, figures and findings": rules.page.output.page,
        "The measures audited": rules.audit_page.output[0],
    }
    folders = sorted({str(Path(file).parent) for file in files})
    return {what: page for what, page in pages.items() if page in files} or {
        "Tables and figures": ", ".join(folders)
    }


def failures():
    """Campaign (or data set), step and reason of each job that failed."""
    logs = []
    for job in workflow.scheduler.failed:
        of = [Path(each.log[0]) for each in (job.jobs if job.is_group() else [job])]
        logs += [log for log in of if failure(log)] or of[:1]
    return [
        (log.parent.name, log.stem, failure(log) or f"ended without a word ({log})")
        for log in sorted(logs)
    ]


def report_without(failed):
    """Say what failed; write the report, if it was asked for, with all that could be made, and why the rest was not."""
    for campaign, step, why in failed:
        print(f"{campaign} failed ({step}): {why}", file=sys.stderr)
    left = {str(file) for job in workflow.dag.needrun_jobs() for file in job.output}
    pages = [
        job
        for job in workflow.dag.jobs
        if rules.page.output.page in job.output and job not in workflow.scheduler.failed
    ]
    if failed and pages:
        from focuseval.present.report import write_report

        [job] = pages
        sections = [*job.input.sections, *job.input.audits, *job.input.descriptions]
        configuration = {"configuration": job.params.configuration}
        page = Path(job.output.page)
        write_report(page, sections, job.params, configuration, failed, left)
        # without it the page is made anew, whatever changes till then
        Path(job.output.provenance).unlink(missing_ok=True)
        print(f"The report has all else: {page}", file=sys.stderr)
