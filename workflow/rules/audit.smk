"""The audit of measures: what they say of runs whose worth is known, and what they are chosen by."""

#: the campaigns that the target `audit` is of: those whose audit is in the report, or else all that have runs
AUDITED = CONFIG.audit.campaigns or [name for name in REPORTED if ASKED[name].viewed]


rule audited:
    """Every measure on transformed runs of a campaign, and statistics of all its runs: tables, figures, cards."""
    input:
        code=code("audit"),
        templates=TEMPLATES,
        elements=rules.elements.output[0],
        judgements=rules.campaign.output.judgements,
        runs=rules.campaign.output.runs,
        texts=given("collection"),
    output:
        folder=directory("results/audit/{campaign}"),
    log:
        "results/logs/{campaign}/audit.log",
    benchmark:
        "results/benchmarks/{campaign}/audit.tsv"
    wildcard_constraints:
        campaign=names(AUDITED),
    group:
        "audit"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(120),
    params:
        title=lambda w: CAMPAIGNS[w.campaign].heading,
        unit=lambda w: CAMPAIGNS[w.campaign].unit,
        runs=lambda w: ASKED[w.campaign].viewed.runs.as_dict(),
        size=CONFIG.audit.size,
        settings=CONFIG.audit.model_dump(exclude={"campaigns", "size"}),
    script:
        "../../scripts/audit.py"


rule audit_page:
    """The audits of all campaigns as a page of their own."""
    input:
        code=code("audit_page"),
        templates=TEMPLATES,
        folders=expand(rules.audited.output.folder, campaign=AUDITED),
    output:
        "results/audit.html",
    log:
        "results/logs/audit.log",
    localrule: True
    conda:
        "../envs/focuseval.yml"
    script:
        "../../scripts/audit_page.py"


rule audit:
    """No part of `report`, for it takes minutes."""
    input:
        whole([*rules.audit_page.output, *rules.audit_page.input.folders]),
    localrule: True
