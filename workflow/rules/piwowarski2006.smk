"""Piwowarski & Dupret (2006): worked examples, perturbed runs and Figure 4, EPRUM beside EP/GR, the findings."""

from focuseval.papers.kazai2005.names import sources
from focuseval.papers.piwowarski2006 import names as piwowarski2006_names

PIWOWARSKI2006 = CONFIG["piwowarski2006"]


#: by campaign: its task, and what that is scored from
PIWOWARSKI2006_TASKS = {
    name: piwowarski2006_task(CAMPAIGNS[name])
    for name in reported("piwowarski2006", "inex2005", "highlights")
}


rule perturbed_runs:
    """The ideal run and nine runs from it, each element moved at random up or down the tree."""
    input:
        code=code("perturbed_runs"),
        elements=rules.elements.output[0],
        judgements=piwowarski2006_judgements,
    output:
        "results/{campaign}/piwowarski2006/perturbed.parquet",
    log:
        "results/logs/{campaign}/perturbed_runs.log",
    conda:
        "../../environment.yml"
    params:
        unit=lambda w: CAMPAIGNS[w.campaign]["unit"],
        topics=piwowarski2006_topics,
        quantisation=PIWOWARSKI2006["quantisations"][0],
        seed=PIWOWARSKI2006["seed"],
    script:
        "../../scripts/perturbed_runs.py"


rule piwowarski2006_perturbed_scores:
    """Perturbed runs under EPRUM and EP/GR: average precision and curves."""
    input:
        code=code("piwowarski2006_scores", "focuseval.measures.gain"),
        elements=rules.elements.output[0],
        judgements=piwowarski2006_judgements,
        results=rules.perturbed_runs.output[0],
    output:
        scores="results/{campaign}/piwowarski2006/scores_perturbed.parquet",
        left_out="results/{campaign}/piwowarski2006/scores_perturbed.json",
    log:
        "results/logs/{campaign}/piwowarski2006_scores_perturbed.log",
    benchmark:
        "results/benchmarks/{campaign}/piwowarski2006_scores_perturbed.tsv"
    conda:
        "../../environment.yml"
    params:
        campaign=settings("name", "unit"),
        task="perturbed",
        topics=piwowarski2006_topics,
        measures=piwowarski2006_names.of_perturbed(PIWOWARSKI2006["quantisations"][0]),
    script:
        "../../scripts/piwowarski2006_scores.py"


use rule piwowarski2006_perturbed_scores as piwowarski2006_submitted_scores with:
    input:
        code=code("piwowarski2006_scores", "focuseval.measures.gain"),
        elements=rules.elements.output[0],
        judgements=piwowarski2006_judgements,
        results=piwowarski2006_runs,
    output:
        scores="results/{campaign}/piwowarski2006/scores_submitted.parquet",
        left_out="results/{campaign}/piwowarski2006/scores_submitted.json",
    log:
        "results/logs/{campaign}/piwowarski2006_scores_submitted.log",
    benchmark:
        "results/benchmarks/{campaign}/piwowarski2006_scores_submitted.tsv"
    params:
        campaign=settings("name", "unit"),
        task=lambda w: PIWOWARSKI2006_TASKS[w.campaign][0],
        topics=piwowarski2006_topics,
        measures=piwowarski2006_names.of_submitted(PIWOWARSKI2006["quantisations"]),


rule piwowarski2006_analysis:
    """Average precision and curves of perturbed runs, and the correlations over submitted ones."""
    input:
        code=code("piwowarski2006_analysis"),
        perturbed=rules.piwowarski2006_perturbed_scores.output.scores,
        submitted=rules.piwowarski2006_submitted_scores.output.scores,
        published="config/published/piwowarski2006.csv",
    output:
        averages="results/{campaign}/piwowarski2006/averages.csv",
        curves="results/{campaign}/piwowarski2006/curves.csv",
        values="results/{campaign}/piwowarski2006/values.csv",
        tables=[
            report(
                f"results/{{campaign}}/piwowarski2006/{table}.csv",
                caption=f"../report/piwowarski2006/{table}.rst",
                category="Piwowarski & Dupret (2006)",
                subcategory="{campaign}",
                labels={"kind": "table", "title": title},
            )
            for table, title in piwowarski2006_names.TABLES.items()
        ]
        + expand(
            "results/{{campaign}}/piwowarski2006/{table}.{suffix}",
            table=piwowarski2006_names.TABLES,
            suffix=["md", "tex"],
        ),
    log:
        "results/logs/{campaign}/piwowarski2006_analysis.log",
    conda:
        "../../environment.yml"
    params:
        quantisations=PIWOWARSKI2006["quantisations"],
        top=PIWOWARSKI2006["top"],
    script:
        "../../scripts/piwowarski2006_analysis.py"


rule piwowarski2006_figures:
    """Figure 4, and scatter plots of the correlations."""
    input:
        code=code("piwowarski2006_figures"),
        curves=rules.piwowarski2006_analysis.output.curves,
        values=rules.piwowarski2006_analysis.output["values"],
    output:
        [
            report(
                f"results/{{campaign}}/piwowarski2006/{figure}.svg",
                caption=f"../report/piwowarski2006/{figure}.rst",
                category="Piwowarski & Dupret (2006)",
                subcategory="{campaign}",
                labels={"kind": "figure", "title": title},
            )
            for figure, title in piwowarski2006_names.FIGURES.items()
        ],
        expand(
            "results/{{campaign}}/piwowarski2006/{figure}.png",
            figure=piwowarski2006_names.FIGURES,
        ),
    log:
        "results/logs/{campaign}/piwowarski2006_figures.log",
    conda:
        "../../environment.yml"
    params:
        top=PIWOWARSKI2006["top"],
    script:
        "../../scripts/piwowarski2006_figures.py"


rule piwowarski2006_findings:
    """The paper's findings as checks, with their verdicts."""
    input:
        code=code("piwowarski2006_findings"),
        averages=rules.piwowarski2006_analysis.output.averages,
        curves=rules.piwowarski2006_analysis.output.curves,
        correlation="results/{campaign}/piwowarski2006/correlation.csv",
        published="config/published/piwowarski2006.csv",
    output:
        report(
            "results/{campaign}/piwowarski2006/findings.csv",
            caption="../report/piwowarski2006/findings.rst",
            category="Piwowarski & Dupret (2006)",
            subcategory="{campaign}",
            labels={"kind": "findings", "title": "Findings with their verdicts"},
        ),
    log:
        "results/logs/{campaign}/piwowarski2006_findings.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/piwowarski2006_findings.py"


rule piwowarski2006_examples:
    """Table 1 and every number of Sections 2-5, which need no campaign."""
    input:
        code=code("piwowarski2006_examples"),
        captions=expand(
            "workflow/report/piwowarski2006/{item}.rst",
            item=piwowarski2006_names.EXAMPLES,
        ),
    output:
        section="results/piwowarski2006/section.html",
        tables=[
            report(
                f"results/piwowarski2006/{table}.csv",
                caption=f"../report/piwowarski2006/{table}.rst",
                category="Piwowarski & Dupret (2006)",
                subcategory="worked examples",
                labels={"kind": "table", "title": title},
            )
            for table, title in piwowarski2006_names.EXAMPLES.items()
        ]
        + expand(
            "results/piwowarski2006/{table}.{suffix}",
            table=piwowarski2006_names.EXAMPLES,
            suffix=["md", "tex"],
        ),
    log:
        "results/logs/piwowarski2006_examples.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/piwowarski2006_examples.py"


rule piwowarski2006_facts:
    """How large the campaign is, with the runs of the task."""
    input:
        code=code("facts"),
        elements=rules.elements.output[0],
        judgements=piwowarski2006_judgements,
        results=piwowarski2006_runs,
    output:
        "results/{campaign}/piwowarski2006/facts.json",
    log:
        "results/logs/{campaign}/piwowarski2006_facts.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/facts.py"


rule piwowarski2006_section:
    """The part of the report on this paper and one campaign."""
    input:
        code=code("piwowarski2006_section"),
        facts=rules.piwowarski2006_facts.output[0],
        perturbed=rules.piwowarski2006_perturbed_scores.output.left_out,
        submitted=rules.piwowarski2006_submitted_scores.output.left_out,
        tables=expand(
            "results/{{campaign}}/piwowarski2006/{table}.csv",
            table=piwowarski2006_names.TABLES,
        ),
        figures=expand(
            "results/{{campaign}}/piwowarski2006/{figure}.svg",
            figure=piwowarski2006_names.FIGURES,
        ),
        findings=rules.piwowarski2006_findings.output[0],
        captions=expand(
            "workflow/report/piwowarski2006/{item}.rst",
            item=[*piwowarski2006_names.TABLES, *piwowarski2006_names.FIGURES],
        ),
    output:
        section="results/{campaign}/piwowarski2006/section.html",
        left_out="results/{campaign}/piwowarski2006/left_out.csv",
    log:
        "results/logs/{campaign}/piwowarski2006_section.log",
    conda:
        "../../environment.yml"
    params:
        title=lambda w: CAMPAIGNS[w.campaign].get("title", w.campaign),
        task=lambda w: PIWOWARSKI2006_TASKS[w.campaign][0],
    script:
        "../../scripts/piwowarski2006_section.py"


rule piwowarski2006:
    input:
        rules.piwowarski2006_examples.output.section,
        expand(
            "results/{campaign}/piwowarski2006/section.html",
            campaign=PIWOWARSKI2006_TASKS,
        ),
    localrule: True


# the worked examples stand in the report with a campaign only
SECTIONS += rules.piwowarski2006.input if PIWOWARSKI2006_TASKS else []
