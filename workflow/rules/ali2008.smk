"""Ali, Kazai, Consens & Lalmas (2008): the worked examples, Table 3, Figure 6, summaries, and the findings."""

from focuseval.papers.ali2008.names import (
    ACCURACY as ALI2008_ACCURACY,
    EXAMPLE_FIGURES as ALI2008_EXAMPLE_FIGURES,
    EXAMPLE_TABLES as ALI2008_EXAMPLE_TABLES,
    FIDELITY as ALI2008_FIDELITY,
    FIGURES as ALI2008_FIGURES,
    TABLES as ALI2008_TABLES,
    figures_of as ali2008_figures_of,
    tasks_of as ali2008_tasks_of,
)
from focuseval.transformations.perturbations import PERTURBATIONS
from focuseval.summaries import NAMED as SUMMARIES

ALI2008 = CONFIG["ali2008"]
ALI2008_CAMPAIGNS = reported("ali2008", "inex2005", "highlights")

#: by campaign: the paper's tasks that it has, and what each is scored from
ALI2008_TASKS = {name: ali2008_tasks_of(CAMPAIGNS[name]) for name in ALI2008_CAMPAIGNS}

#: what SRP is set to
ALI2008_SETTINGS = {
    key: ALI2008[key] for key in ("summary", "edges", "weight", "quantisation")
}


wildcard_constraints:
    kind="thorough|focused|relevant-in-context",


rule ali2008_examples:
    """The worked examples, from the document of Figure 1."""
    input:
        code=code("ali2008_examples"),
        captions=expand(
            "workflow/report/ali2008/{item}.rst",
            item=[*ALI2008_EXAMPLE_TABLES, *ALI2008_EXAMPLE_FIGURES],
        ),
    output:
        document="results/ali2008/figure1.xml",
        tables=[
            report(
                f"results/ali2008/{name}.csv",
                caption=f"../report/ali2008/{name}.rst",
                category="Ali et al. (2008)",
                subcategory="worked examples",
                labels={"kind": "table", "title": title},
            )
            for name, title in ALI2008_EXAMPLE_TABLES.items()
        ]
        + expand(
            "results/ali2008/{name}.{suffix}",
            name=ALI2008_EXAMPLE_TABLES,
            suffix=["md", "tex"],
        ),
        figures=[
            report(
                f"results/ali2008/{name}.svg",
                caption=f"../report/ali2008/{name}.rst",
                category="Ali et al. (2008)",
                subcategory="worked examples",
                labels={"kind": "figure", "title": title},
            )
            for name, title in ALI2008_EXAMPLE_FIGURES.items()
        ]
        + expand("results/ali2008/{name}.png", name=ALI2008_EXAMPLE_FIGURES),
        section="results/ali2008/section.html",
    log:
        "results/logs/ali2008_examples.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/ali2008_examples.py"


rule ali2008_summaries:
    """Structural summaries: partitions with extent, length and probability, and edges, under every setting."""
    input:
        code=code("ali2008_summaries"),
        elements=rules.elements.output[0],
    output:
        partitions="results/{campaign}/ali2008/summaries/partitions.parquet",
        edges="results/{campaign}/ali2008/summaries/edges.parquet",
    log:
        "results/logs/{campaign}/ali2008_summaries.log",
    benchmark:
        "results/benchmarks/{campaign}/ali2008_summaries.tsv"
    conda:
        "../../environment.yml"
    params:
        campaign=settings("unit"),
        summaries=list(dict.fromkeys([*SUMMARIES, ALI2008["summary"]])),
    script:
        "../../scripts/ali2008_summaries.py"


rule ali2008_scores:
    """One task of the study of accuracy: SRP and nxCG of every run, and what its results repeat."""
    input:
        code=code("ali2008_scores", "focuseval.measures.gain"),
        elements=rules.elements.output[0],
        judgements=ali2008_judgements,
        results=ali2008_results,
    output:
        scores="results/{campaign}/ali2008/{kind}/scores.parquet",
        repeated="results/{campaign}/ali2008/{kind}/repeated.csv",
        left_out="results/{campaign}/ali2008/{kind}/left_out_accuracy.json",
    log:
        "results/logs/{campaign}/ali2008_scores_{kind}.log",
    benchmark:
        "results/benchmarks/{campaign}/ali2008_scores_{kind}.tsv"
    conda:
        "../../environment.yml"
    params:
        campaign=settings("name", "unit", "lenient"),
        settings=ALI2008_SETTINGS,
        cutoffs=lambda w: ALI2008["cutoffs"][w.kind],
        topics=lambda w: ali2008_source(w).topics,
    script:
        "../../scripts/ali2008_scores.py"


rule ali2008_perturbed:
    """One task of the study of fidelity: every run perturbed in five ways, and SRP of all six versions."""
    input:
        code=code("ali2008_perturbed"),
        elements=rules.elements.output[0],
        judgements=ali2008_judgements,
        results=ali2008_results,
    output:
        runs=expand(
            "results/{{campaign}}/ali2008/{{kind}}/perturbed/{perturbation}.parquet",
            perturbation=PERTURBATIONS,
        ),
        scores="results/{campaign}/ali2008/{kind}/perturbed.parquet",
        left_out="results/{campaign}/ali2008/{kind}/left_out_fidelity.json",
    log:
        "results/logs/{campaign}/ali2008_perturbed_{kind}.log",
    benchmark:
        "results/benchmarks/{campaign}/ali2008_perturbed_{kind}.tsv"
    conda:
        "../../environment.yml"
    params:
        campaign=settings("name", "unit", "lenient"),
        settings=ALI2008_SETTINGS,
        cutoffs=lambda w: ALI2008["cutoffs"][w.kind],
        topics=lambda w: ali2008_source(w).topics,
    script:
        "../../scripts/ali2008_perturbed.py"


rule ali2008_analysis:
    """Accuracy in every task and reading, fidelity by topic and run, and Table 3."""
    input:
        code=code("ali2008_analysis"),
        scores=ali2008_of_tasks(ALI2008_ACCURACY, "scores.parquet"),
        perturbed=ali2008_of_tasks(ALI2008_FIDELITY, "perturbed.parquet"),
        printed="config/published/ali2008_table3.csv",
    output:
        **{
            name: f"results/{{campaign}}/ali2008/analysis/{name}.csv"
            for name in (
                "means",
                "accuracy",
                "fidelity",
                "steps",
                "versions",
                "table3",
            )
        },
    log:
        "results/logs/{campaign}/ali2008_analysis.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/ali2008_analysis.py"


rule ali2008_tables:
    """Table 3 (computed, printed), the perturbed runs, and the summaries."""
    input:
        code=code("ali2008_tables"),
        table3=rules.ali2008_analysis.output.table3,
        accuracy=rules.ali2008_analysis.output.accuracy,
        versions=rules.ali2008_analysis.output.versions,
        steps=rules.ali2008_analysis.output.steps,
        repeats=ali2008_of_tasks(ALI2008_ACCURACY, "repeated.csv"),
        partitions=rules.ali2008_summaries.output.partitions,
    output:
        [
            report(
                f"results/{{campaign}}/ali2008/{name}.csv",
                caption=f"../report/ali2008/{name}.rst",
                category="Ali et al. (2008)",
                subcategory="{campaign}",
                labels={"kind": "table", "title": title},
            )
            for name, title in ALI2008_TABLES.items()
        ],
        expand(
            "results/{{campaign}}/ali2008/{name}.{suffix}",
            name=ALI2008_TABLES,
            suffix=["md", "tex"],
        ),
    log:
        "results/logs/{campaign}/ali2008_tables.log",
    conda:
        "../../environment.yml"
    params:
        summary={key: ALI2008[key] for key in ("summary", "edges", "weight")},
    script:
        "../../scripts/ali2008_tables.py"


rule ali2008_figure:
    """One figure, as SVG and PNG."""
    input:
        code=code("ali2008_figure"),
        means=rules.ali2008_analysis.output.means,
        accuracy=rules.ali2008_analysis.output.accuracy,
        fidelity=rules.ali2008_analysis.output.fidelity,
        steps=rules.ali2008_analysis.output.steps,
        partitions=rules.ali2008_summaries.output.partitions,
        edges=rules.ali2008_summaries.output.edges,
        caption="workflow/report/ali2008/{figure}.rst",
    output:
        report(
            "results/{campaign}/ali2008/{figure}.svg",
            caption="../report/caption.rst",
            category="Ali et al. (2008)",
            subcategory="{campaign}",
            labels={"kind": "figure", "title": "{figure}"},
        ),
        "results/{campaign}/ali2008/{figure}.png",
    log:
        "results/logs/{campaign}/ali2008_{figure}.log",
    wildcard_constraints:
        figure="|".join(ALI2008_FIGURES),
    conda:
        "../../environment.yml"
    params:
        summary={key: ALI2008[key] for key in ("edges", "weight")},
        caption=lambda w, input: Path(input.caption).read_text(encoding="utf-8"),
    script:
        "../../scripts/ali2008_figure.py"


rule ali2008_findings:
    """The paper's findings as checks, with their verdicts."""
    input:
        code=code("ali2008_findings"),
        table3=rules.ali2008_analysis.output.table3,
        fidelity=rules.ali2008_analysis.output.fidelity,
        versions=rules.ali2008_analysis.output.versions,
        repeats=ali2008_of_tasks(ALI2008_ACCURACY, "repeated.csv"),
        printed="config/published/ali2008_table3.csv",
    output:
        report(
            "results/{campaign}/ali2008/findings.csv",
            caption="../report/ali2008/findings.rst",
            category="Ali et al. (2008)",
            subcategory="{campaign}",
            labels={"kind": "findings", "title": "Findings with their verdicts"},
        ),
    log:
        "results/logs/{campaign}/ali2008_findings.log",
    conda:
        "../../environment.yml"
    params:
        cutoffs=ALI2008["cutoffs"],
    script:
        "../../scripts/ali2008_findings.py"


rule ali2008_facts:
    """How large the campaign is, with the runs of its first task."""
    input:
        code=code("facts"),
        elements=rules.elements.output[0],
        judgements=rules.judgements.output,
        results=lambda w: f"results/{w.campaign}/{next(iter(ALI2008_TASKS[w.campaign].values())).runs}",
    output:
        "results/{campaign}/ali2008/facts.json",
    log:
        "results/logs/{campaign}/ali2008_facts.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/facts.py"


rule ali2008_section:
    """The part of the report on this paper and one campaign."""
    input:
        code=code("ali2008_section"),
        facts=rules.ali2008_facts.output[0],
        tables=expand("results/{{campaign}}/ali2008/{name}.csv", name=ALI2008_TABLES),
        figures=lambda w: expand(
            "results/{campaign}/ali2008/{figure}.svg",
            campaign=w.campaign,
            figure=ali2008_figures_of(ALI2008_TASKS[w.campaign]),
        ),
        findings=rules.ali2008_findings.output[0],
        captions=expand(
            "workflow/report/ali2008/{item}.rst",
            item=[*ALI2008_TABLES, *ALI2008_FIGURES],
        ),
        left_out=lambda w: list(ali2008_left_out(w).values()),
    output:
        section="results/{campaign}/ali2008/section.html",
        left_out="results/{campaign}/ali2008/left_out.csv",
    log:
        "results/logs/{campaign}/ali2008_section.log",
    conda:
        "../../environment.yml"
    params:
        title=lambda w: CAMPAIGNS[w.campaign].get("title", w.campaign),
        settings=ALI2008_SETTINGS,
        left_out=ali2008_left_out,
    script:
        "../../scripts/ali2008_section.py"


rule ali2008:
    input:
        rules.ali2008_examples.output.section,
        expand("results/{campaign}/ali2008/section.html", campaign=ALI2008_CAMPAIGNS),
    localrule: True


# the worked examples stand in the report with a campaign only
SECTIONS += rules.ali2008.input if ALI2008_CAMPAIGNS else []
