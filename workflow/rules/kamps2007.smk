"""Kamps, Lalmas & Pehcevski (2007): Tables 1 and 2, the numbers of the text, and the findings."""

from focuseval.papers.kamps2007.names import COMPARISONS as KAMPS2007_COMPARISONS
from focuseval.papers.kamps2007.names import MAGP, MAP

KAMPS2007 = CONFIG["kamps2007"]
KAMPS2007_CAMPAIGNS = [
    name
    for name in reported("kamps2007", "highlights")
    if CAMPAIGNS[name]["task"] == "relevant-in-context"
]

#: the two comparisons of Tables 1 and 2, as campaigns ask for their own
KAMPS2007_ASKED = {
    name: {
        **KAMPS2007,
        "name": name,
        "measure": measure,
        "ranked_by": MAGP,
        "correction": "none",
    }
    for name, (measure, _) in KAMPS2007_COMPARISONS.items()
}

for campaign in KAMPS2007_CAMPAIGNS:
    for asked in KAMPS2007_ASKED.values():
        compared(campaign, asked)


rule kamps2007_tables:
    """The numbers of the text and the orders of systems: computed, printed."""
    input:
        code=code("kamps2007_tables"),
        scores=kamps2007_scores("parquet"),
        systems=expand(
            "results/{{campaign}}/significance/{name}/systems.csv",
            name=KAMPS2007_COMPARISONS,
        ),
        counts=expand(
            "results/{{campaign}}/significance/{name}/counts.csv",
            name=KAMPS2007_COMPARISONS,
        ),
        printed="config/published/kamps2007.csv",
    output:
        summary=report(
            "results/{campaign}/kamps2007/summary.csv",
            caption="../report/kamps2007/summary.rst",
            category="Kamps et al. (2007)",
            subcategory="{campaign}",
            labels={"kind": "table", "title": "Numbers of the text"},
        ),
        orders=report(
            "results/{campaign}/kamps2007/orders.csv",
            caption="../report/kamps2007/orders.rst",
            category="Kamps et al. (2007)",
            subcategory="{campaign}",
            labels={"kind": "table", "title": "Orders of the systems"},
        ),
        others=expand(
            "results/{{campaign}}/kamps2007/{table}.{suffix}",
            table=["summary", "orders"],
            suffix=["md", "tex"],
        ),
    log:
        "results/logs/{campaign}/kamps2007_tables.log",
    conda:
        "../../environment.yml"
    params:
        settings={key: KAMPS2007[key] for key in ("test", "resamples", "alpha")},
    script:
        "../../scripts/kamps2007_tables.py"


rule kamps2007_figure:
    """The orders of systems under both measures, beside the printed ones."""
    input:
        code=code("kamps2007_figure"),
        summary=rules.kamps2007_tables.output.summary,
        orders=rules.kamps2007_tables.output.orders,
        printed="config/published/kamps2007.csv",
    output:
        report(
            "results/{campaign}/kamps2007/orders.svg",
            caption="../report/kamps2007/figure.rst",
            category="Kamps et al. (2007)",
            subcategory="{campaign}",
            labels={"kind": "figure", "title": "Orders under MAgP and MAP"},
        ),
        "results/{campaign}/kamps2007/orders.png",
    log:
        "results/logs/{campaign}/kamps2007_figure.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/kamps2007_figure.py"


rule kamps2007_findings:
    """The paper's findings as checks, with their verdicts."""
    input:
        code=code("kamps2007_findings"),
        summary=rules.kamps2007_tables.output.summary,
        orders=rules.kamps2007_tables.output.orders,
        printed="config/published/kamps2007.csv",
    output:
        report(
            "results/{campaign}/kamps2007/findings.csv",
            caption="../report/kamps2007/findings.rst",
            category="Kamps et al. (2007)",
            subcategory="{campaign}",
            labels={"kind": "findings", "title": "Findings with their verdicts"},
        ),
    log:
        "results/logs/{campaign}/kamps2007_findings.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/kamps2007_findings.py"


rule kamps2007_section:
    """The part of the report on this paper and one campaign."""
    input:
        code=code("kamps2007_section"),
        facts="results/{campaign}/facts.json",
        summary=rules.kamps2007_tables.output.summary,
        orders=rules.kamps2007_tables.output.orders,
        figure=rules.kamps2007_figure.output[0],
        findings=rules.kamps2007_findings.output[0],
        compared=expand(
            "results/{{campaign}}/significance/{name}/{file}",
            name=KAMPS2007_COMPARISONS,
            file=["systems.csv", "counts.csv", "matrix.svg", "intervals.svg"],
        ),
        captions=expand(
            "workflow/report/kamps2007/{item}.rst",
            item=["summary", "orders", "figure"],
        ),
        left_out=kamps2007_scores("json"),
    output:
        section="results/{campaign}/kamps2007/section.html",
        left_out="results/{campaign}/kamps2007/left_out.csv",
    log:
        "results/logs/{campaign}/kamps2007_section.log",
    conda:
        "../../environment.yml"
    params:
        title=lambda w: CAMPAIGNS[w.campaign].get("title", w.campaign),
        asked=KAMPS2007_ASKED,
    script:
        "../../scripts/kamps2007_section.py"


rule kamps2007:
    input:
        expand(
            "results/{campaign}/kamps2007/section.html", campaign=KAMPS2007_CAMPAIGNS
        ),
    localrule: True


SECTIONS += rules.kamps2007.input
