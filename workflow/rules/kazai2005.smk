"""Kazai & Lalmas (2005): the tasks of INEX 2005, Tables 1 and 2, Figure 1, graphs, sweeps, and the findings."""

from itertools import product

import pandas
from snakemake.utils import Paramspace

from focuseval.papers.kazai2005.names import (
    FIGURES,
    SWEEPS,
    TABLES,
    absent,
    kind_of,
    sources,
)

KAZAI2005 = CONFIG["kazai2005"]
KAZAI2005_CAMPAIGNS = reported("kazai2005", "inex2005")

#: by campaign: its tasks, and what each is scored from
KAZAI2005_TASKS = {name: sources(CAMPAIGNS[name]) for name in KAZAI2005_CAMPAIGNS}

#: by campaign: its first task whose runs overlap, which sweeps are made on
KAZAI2005_SWEPT = {
    name: task
    for name, tasks in KAZAI2005_TASKS.items()
    for task in list(tasks)[::-1]
    if kind_of(task) == "thorough"
}

#: by campaign: the task that Figure 1 is drawn from, with overlap considered if there is one
KAZAI2005_SHOWN = {
    name: next(
        (task for task in tasks if kind_of(task) == "focussed"), next(iter(tasks))
    )
    for name, tasks in KAZAI2005_TASKS.items()
}

#: one job for each point; all alphas and cut-offs inside
SWEEP = KAZAI2005["sweep"]
SWEEP_POINTS = Paramspace(
    pandas.DataFrame(
        product(SWEEP["ideal"], SWEEP["own_text"]), columns=["ideal", "own_text"]
    )
)
SWEEP_ALPHAS = [round(float(alpha), 2) for alpha in SWEEP["alphas"]]


wildcard_constraints:
    task=r"[A-Z]+(\.[A-Za-z]+)?",


use rule judgements as kazai2005_judgements_of_task with:
    input:
        code=code("judgements"),
        elements=rules.elements.output[0],
        assessments=kazai2005_own("assessments"),
    output:
        judgements="results/{campaign}/judgements/{task}/judgements.parquet",
        passages="results/{campaign}/judgements/{task}/passages.parquet",
        topics="results/{campaign}/judgements/{task}/topics.json",
    log:
        "results/logs/{campaign}/judgements_{task}.log",
    benchmark:
        "results/benchmarks/{campaign}/judgements_{task}.tsv"


use rule submitted_runs as kazai2005_runs_of_task with:
    input:
        code=code("submitted_runs"),
        elements=rules.elements.output[0],
        runs=kazai2005_own("runs"),
    output:
        "results/{campaign}/kazai2005/{task}/runs.parquet",
    log:
        "results/logs/{campaign}/submitted_runs_{task}.log",
    benchmark:
        "results/benchmarks/{campaign}/submitted_runs_{task}.tsv"
    wildcard_constraints:
        campaign="|".join(name for name in CAMPAIGNS if "tasks" in CAMPAIGNS[name])
        or "none",


rule kazai2005_recall_bases:
    """Recall-bases of every topic, quantisation and method that chooses ideal elements."""
    input:
        code=code("kazai2005_recall_bases"),
        elements=rules.elements.output[0],
        judgements=multiext(
            "results/{campaign}/{judged}/",
            "judgements.parquet",
            "passages.parquet",
            "topics.json",
        ),
    output:
        bases="results/{campaign}/{judged}/recall_bases.parquet",
        summary="results/{campaign}/{judged}/recall_bases.csv",
    log:
        "results/logs/{campaign}/{judged}/recall_bases.log",
    wildcard_constraints:
        judged=r"judgements(/[A-Za-z.]+)?",
    conda:
        "../../environment.yml"
    params:
        campaign=settings("unit"),
    script:
        "../../scripts/kazai2005_recall_bases.py"


rule kazai2005_scores:
    """One task: scores, graphs, what the ideal ranking scores, one list's gains."""
    input:
        code=code("kazai2005_scores", "focuseval.measures.gain"),
        elements=rules.elements.output[0],
        judgements=kazai2005_judgements(lambda w: w.task),
        results=kazai2005_source("runs"),
    output:
        scores="results/{campaign}/kazai2005/{task}/scores.parquet",
        left_out="results/{campaign}/kazai2005/{task}/left_out.json",
        about="results/{campaign}/kazai2005/{task}/about.json",
        means="results/{campaign}/kazai2005/{task}/means.csv",
        curves="results/{campaign}/kazai2005/{task}/curves.csv",
        ideal="results/{campaign}/kazai2005/{task}/ideal.csv",
        turned="results/{campaign}/kazai2005/{task}/turned.csv",
        example="results/{campaign}/kazai2005/{task}/example.csv",
    log:
        "results/logs/{campaign}/kazai2005_scores_{task}.log",
    benchmark:
        "results/benchmarks/{campaign}/kazai2005_scores_{task}.tsv"
    conda:
        "../../environment.yml"
    params:
        campaign=settings("name", "unit", "lenient"),
        topics=lambda w: KAZAI2005_TASKS[w.campaign][w.task].topics,
    script:
        "../../scripts/kazai2005_scores.py"


rule kazai2005_sweep:
    """One ideal method and treatment of own text: all runs under every alpha, at every cut-off."""
    input:
        code=code("kazai2005_sweep", "focuseval.measures.gain"),
        elements=rules.elements.output[0],
        judgements=kazai2005_judgements(lambda w: KAZAI2005_SWEPT[w.campaign]),
        results=lambda w: f"results/{w.campaign}/{KAZAI2005_TASKS[w.campaign][KAZAI2005_SWEPT[w.campaign]].runs}",
    output:
        f"results/{{campaign}}/kazai2005/sweep/{SWEEP_POINTS.wildcard_pattern}.csv",
    log:
        f"results/logs/{{campaign}}/kazai2005_sweep/{SWEEP_POINTS.wildcard_pattern}.log",
    benchmark:
        f"results/benchmarks/{{campaign}}/kazai2005_sweep/{SWEEP_POINTS.wildcard_pattern}.tsv"
    conda:
        "../../environment.yml"
    params:
        campaign=settings("unit"),
        topics=lambda w: KAZAI2005_TASKS[w.campaign][KAZAI2005_SWEPT[w.campaign]].topics,
        point=SWEEP_POINTS.instance,
        grid={
            "quantisation": SWEEP["quantisation"],
            "alphas": SWEEP_ALPHAS,
            "cutoffs": SWEEP["cutoffs"],
        },
    script:
        "../../scripts/kazai2005_sweep.py"


rule kazai2005_swept:
    """The table and the heat maps of a sweep."""
    input:
        code=code("kazai2005_swept"),
        points=expand(
            "results/{{campaign}}/kazai2005/sweep/{point}.csv",
            point=SWEEP_POINTS.instance_patterns,
        ),
    output:
        maps=[
            report(
                f"results/{{campaign}}/kazai2005/{name}.svg",
                caption=f"../report/kazai2005/{name}.rst",
                category="Kazai & Lalmas (2005)",
                subcategory="{campaign}",
                labels={"kind": "figure", "title": FIGURES[name]},
            )
            for name in SWEEPS
        ]
        + expand("results/{{campaign}}/kazai2005/{name}.png", name=SWEEPS),
        tables=multiext("results/{campaign}/kazai2005/sweep", ".csv", ".md", ".tex"),
    log:
        "results/logs/{campaign}/kazai2005_swept.log",
    conda:
        "../../environment.yml"
    params:
        reference=(SWEEP["ideal"][0], SWEEP["own_text"][0], SWEEP_ALPHAS[-1]),
        cutoff=25 if 25 in SWEEP["cutoffs"] else SWEEP["cutoffs"][0],
    script:
        "../../scripts/kazai2005_swept.py"


rule kazai2005_analysis:
    """Correlations in every task and their means, and what the findings rest on."""
    input:
        code=code("kazai2005_analysis"),
        scores=kazai2005_of_tasks("scores.parquet"),
        means=kazai2005_of_tasks("means.csv"),
        ideal=kazai2005_of_tasks("ideal.csv"),
        turned=kazai2005_of_tasks("turned.csv"),
    output:
        **{
            name: f"results/{{campaign}}/kazai2005/analysis/{name}.csv"
            for name in (
                "best",
                "measures",
                "quantisations",
                "table1",
                "table2",
                "ideal",
                "turned",
                "highest",
            )
        },
    log:
        "results/logs/{campaign}/kazai2005_analysis.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/kazai2005_analysis.py"


rule kazai2005_tables:
    """Tables 1 and 2 (computed, printed, difference), the best runs, and sizes of recall-bases."""
    input:
        code=code("kazai2005_tables"),
        table1=rules.kazai2005_analysis.output.table1,
        table2=rules.kazai2005_analysis.output.table2,
        best=rules.kazai2005_analysis.output.best,
        recall_bases="results/{campaign}/judgements/recall_bases.csv",
        printed1="config/published/kazai2005_table1.csv",
        printed2="config/published/kazai2005_table2.csv",
    output:
        [
            report(
                f"results/{{campaign}}/kazai2005/{table}.csv",
                caption=f"../report/kazai2005/{table}.rst",
                category="Kazai & Lalmas (2005)",
                subcategory="{campaign}",
                labels={"kind": "table", "title": title},
            )
            for table, title in TABLES.items()
            if table != "sweep"
        ],
        expand(
            "results/{{campaign}}/kazai2005/{table}.{suffix}",
            table=[table for table in TABLES if table != "sweep"],
            suffix=["md", "tex"],
        ),
    log:
        "results/logs/{campaign}/kazai2005_tables.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/kazai2005_tables.py"


rule kazai2005_graphs:
    """The graphs of one task."""
    input:
        code=code("kazai2005_graphs"),
        curves=rules.kazai2005_scores.output.curves,
        means=rules.kazai2005_scores.output.means,
    output:
        report(
            "results/{campaign}/kazai2005/graphs/{task}.svg",
            caption="../report/kazai2005/graphs.rst",
            category="Kazai & Lalmas (2005)",
            subcategory="{campaign}",
            labels={"kind": "figure", "title": "Graphs of {task}"},
        ),
        "results/{campaign}/kazai2005/graphs/{task}.png",
    log:
        "results/logs/{campaign}/kazai2005_graphs_{task}.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/kazai2005_graphs.py"


rule kazai2005_figures:
    """Figure 1, and Table 1 as a heat map."""
    input:
        code=code("kazai2005_figures"),
        example=lambda w: f"results/{w.campaign}/kazai2005/{KAZAI2005_SHOWN[w.campaign]}/example.csv",
        table1="results/{campaign}/kazai2005/table1.csv",
    output:
        [
            report(
                f"results/{{campaign}}/kazai2005/{name}.svg",
                caption=f"../report/kazai2005/{name}.rst",
                category="Kazai & Lalmas (2005)",
                subcategory="{campaign}",
                labels={"kind": "figure", "title": FIGURES[name]},
            )
            for name in ("figure1", "map")
        ],
        expand("results/{{campaign}}/kazai2005/{name}.png", name=["figure1", "map"]),
    log:
        "results/logs/{campaign}/kazai2005_figures.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/kazai2005_figures.py"


rule kazai2005_findings:
    """The paper's findings as checks, with their verdicts."""
    input:
        code=code("kazai2005_findings"),
        table1=rules.kazai2005_analysis.output.table1,
        table2=rules.kazai2005_analysis.output.table2,
        measures=rules.kazai2005_analysis.output.measures,
        ideal=rules.kazai2005_analysis.output.ideal,
        turned=rules.kazai2005_analysis.output.turned,
        highest=rules.kazai2005_analysis.output.highest,
        printed1="config/published/kazai2005_table1.csv",
        printed2="config/published/kazai2005_table2.csv",
    output:
        report(
            "results/{campaign}/kazai2005/findings.csv",
            caption="../report/kazai2005/findings.rst",
            category="Kazai & Lalmas (2005)",
            subcategory="{campaign}",
            labels={"kind": "findings", "title": "Findings with their verdicts"},
        ),
    log:
        "results/logs/{campaign}/kazai2005_findings.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/kazai2005_findings.py"


rule kazai2005_facts:
    """How large the campaign is, with the runs of its first task."""
    input:
        code=code("facts"),
        elements=rules.elements.output[0],
        judgements=rules.judgements.output,
        results=lambda w: f"results/{w.campaign}/{next(iter(KAZAI2005_TASKS[w.campaign].values())).runs}",
    output:
        "results/{campaign}/kazai2005/facts.json",
    log:
        "results/logs/{campaign}/kazai2005_facts.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/facts.py"


rule kazai2005_section:
    """The part of the report on this paper and one campaign."""
    input:
        code=code("kazai2005_section"),
        facts=rules.kazai2005_facts.output[0],
        about=kazai2005_of_tasks("about.json"),
        left_out=kazai2005_of_tasks("left_out.json"),
        recall_bases=lambda w: sorted(
            {
                f"results/{w.campaign}/{source.judgements}/recall_bases.parquet"
                for source in KAZAI2005_TASKS[w.campaign].values()
            }
        ),
        tables=lambda w: expand(
            "results/{campaign}/kazai2005/{table}.csv",
            campaign=w.campaign,
            table=[
                name
                for name in TABLES
                if name != "sweep" or w.campaign in KAZAI2005_SWEPT
            ],
        ),
        figures=lambda w: expand(
            "results/{campaign}/kazai2005/{figure}.svg",
            campaign=w.campaign,
            figure=[
                name
                for name in FIGURES
                if name not in SWEEPS or w.campaign in KAZAI2005_SWEPT
            ],
        ),
        graphs=lambda w: expand(
            "results/{campaign}/kazai2005/graphs/{task}.svg",
            campaign=w.campaign,
            task=KAZAI2005_TASKS[w.campaign],
        ),
        findings=rules.kazai2005_findings.output[0],
        captions=expand(
            "workflow/report/kazai2005/{item}.rst",
            item=[*TABLES, *FIGURES, "tasks", "graphs"],
        ),
    output:
        section="results/{campaign}/kazai2005/section.html",
        left_out="results/{campaign}/kazai2005/left_out.csv",
    log:
        "results/logs/{campaign}/kazai2005_section.log",
    conda:
        "../../environment.yml"
    params:
        title=lambda w: CAMPAIGNS[w.campaign].get("title", w.campaign),
        absent=lambda w: absent(CAMPAIGNS[w.campaign]),
    script:
        "../../scripts/kazai2005_section.py"


rule kazai2005:
    input:
        expand(
            "results/{campaign}/kazai2005/section.html", campaign=KAZAI2005_CAMPAIGNS
        ),
    localrule: True


SECTIONS += rules.kazai2005.input
