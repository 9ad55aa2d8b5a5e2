"""Gövert, Fuhr, Lalmas & Kazai (2006): Tables 1-5, Figures 3, 5, 6 and 8-11, and the findings."""

from focuseval.reproductions.goevert2006.names import FIGURES, TABLES, figures_of

GOEVERT2006 = CONFIG["goevert2006"]
GOEVERT2006_FAMILIES = ("precall", "inex2003")


def goevert2006_result_sets(campaign):
    """The paper's result sets as name -> (campaign, size); None for one that a campaign has not."""
    roles = {"campaign": campaign, "earlier": CAMPAIGNS[campaign].get("earlier")}
    return {
        entry["name"]: (roles[entry["of"]], entry["size"]) if roles[entry["of"]] else None
        for entry in GOEVERT2006["result_sets"]
    }


def goevert2006_scores(wildcards, suffix="parquet"):
    """Score tables (or with the suffix json, what they left out) by result set."""
    return {
        name: [f"results/{of[0]}/scores/{of[1]}/{family}.{suffix}" for family in GOEVERT2006_FAMILIES]
        for name, of in goevert2006_result_sets(wildcards.campaign).items()
        if of
    }


def goevert2006_files(suffix):
    """An input function: all files of `goevert2006_scores`."""
    return lambda w: [path for paths in goevert2006_scores(w, suffix).values() for path in paths]


def goevert2006_figures(campaign):
    """The figures that a campaign can have with its result sets and quantisations."""
    available = [name for name, of in goevert2006_result_sets(campaign).items() if of]
    return figures_of(available, GOEVERT2006["quantisations"])


rule goevert2006_overlap:
    """How much of its text each run repeats, at every size of its result sets."""
    input:
        code=code("goevert2006_overlap"),
        elements=rules.elements.output[0],
        results="results/{campaign}/runs.parquet",
    output:
        "results/{campaign}/goevert2006/overlap.csv",
    params:
        sizes=lambda w: {
            name: of[1]
            for name, of in goevert2006_result_sets(w.campaign).items()
            if of and of[0] == w.campaign
        },
    log:
        "results/logs/{campaign}/goevert2006_overlap.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/goevert2006_overlap.py"


rule goevert2006_analysis:
    """Average precision of every run, curves of the simulated runs, counts of judgements, correlations."""
    input:
        code=code("goevert2006_analysis"),
        scores=goevert2006_files("parquet"),
        simulated=expand(
            "results/{{campaign}}/scores/simulated/{family}.parquet", family=GOEVERT2006_FAMILIES
        ),
        judgements=rules.judgements.output.judgements,
        topics=rules.judgements.output.topics,
        printed="config/published/goevert2006_tables2to5.csv",
    output:
        average="results/{campaign}/goevert2006/average_precision.csv",
        curves="results/{campaign}/goevert2006/curves.csv",
        simulated="results/{campaign}/goevert2006/simulated_average_precision.csv",
        judged="results/{campaign}/goevert2006/judged.csv",
        correlations="results/{campaign}/goevert2006/correlations.csv",
    params:
        scores=lambda w: goevert2006_scores(w),
        result_sets={entry["name"]: entry["of"] for entry in GOEVERT2006["result_sets"]},
        quantisations=GOEVERT2006["quantisations"],
    log:
        "results/logs/{campaign}/goevert2006_analysis.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/goevert2006_analysis.py"


rule goevert2006_tables:
    """Tables 1-5 and the numbers of the simulated runs: computed, printed, difference."""
    input:
        code=code("goevert2006_tables"),
        judged=rules.goevert2006_analysis.output.judged,
        simulated=rules.goevert2006_analysis.output.simulated,
        correlations=rules.goevert2006_analysis.output.correlations,
        printed_judged="config/published/goevert2006_table1.csv",
        printed_simulated="config/published/goevert2006_simulated_runs.csv",
    output:
        [
            report(
                f"results/{{campaign}}/goevert2006/{table}.csv",
                caption=f"../report/goevert2006/{table}.rst",
                category="Gövert et al. (2006)",
                subcategory="{campaign}",
                labels={"kind": "table", "title": title},
            )
            for table, title in TABLES.items()
        ],
        expand("results/{{campaign}}/goevert2006/{table}.{suffix}", table=TABLES, suffix=["md", "tex"]),
    log:
        "results/logs/{campaign}/goevert2006_tables.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/goevert2006_tables.py"


rule goevert2006_figure:
    """One figure of the paper, as SVG and PNG."""
    input:
        code=code("goevert2006_figure"),
        average=rules.goevert2006_analysis.output.average,
        curves=rules.goevert2006_analysis.output.curves,
        simulated=rules.goevert2006_analysis.output.simulated,
        caption="workflow/report/goevert2006/{figure}.rst",
    output:
        report(
            "results/{campaign}/goevert2006/{figure}.svg",
            caption="../report/caption.rst",
            category="Gövert et al. (2006)",
            subcategory="{campaign}",
            labels={"kind": "figure", "title": "{figure}"},
        ),
        "results/{campaign}/goevert2006/{figure}.png",
    params:
        quantisations=GOEVERT2006["quantisations"],
        caption=lambda w, input: Path(input.caption).read_text(encoding="utf-8"),
    log:
        "results/logs/{campaign}/goevert2006_{figure}.log",
    wildcard_constraints:
        figure=r"figure\d+",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/goevert2006_figure.py"


rule goevert2006_findings:
    """The paper's findings as checks, with their verdicts."""
    input:
        code=code("goevert2006_findings"),
        average=rules.goevert2006_analysis.output.average,
        simulated=rules.goevert2006_analysis.output.simulated,
        judged=rules.goevert2006_analysis.output.judged,
        correlations=rules.goevert2006_analysis.output.correlations,
        overlap=rules.goevert2006_overlap.output[0],
        printed_judged="config/published/goevert2006_table1.csv",
        printed_simulated="config/published/goevert2006_simulated_runs.csv",
        printed_correlations="config/published/goevert2006_tables2to5.csv",
    output:
        report(
            "results/{campaign}/goevert2006/findings.csv",
            caption="../report/goevert2006/findings.rst",
            category="Gövert et al. (2006)",
            subcategory="{campaign}",
            labels={"kind": "findings", "title": "Findings with their verdicts"},
        ),
    log:
        "results/logs/{campaign}/goevert2006_findings.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/goevert2006_findings.py"


rule goevert2006_section:
    """The part of the report on this paper and one campaign."""
    input:
        code=code("goevert2006_section"),
        facts=lambda w: expand(
            "results/{campaign}/facts.json",
            campaign=dict.fromkeys(of[0] for of in goevert2006_result_sets(w.campaign).values() if of),
        ),
        tables=expand("results/{{campaign}}/goevert2006/{table}.csv", table=TABLES),
        figures=lambda w: expand(
            "results/{campaign}/goevert2006/{figure}.svg",
            campaign=w.campaign,
            figure=goevert2006_figures(w.campaign),
        ),
        findings=rules.goevert2006_findings.output[0],
        captions=expand("workflow/report/goevert2006/{item}.rst", item=[*TABLES, *FIGURES]),
        left_out=goevert2006_files("json"),
    output:
        section="results/{campaign}/goevert2006/section.html",
        left_out="results/{campaign}/goevert2006/left_out.csv",
    params:
        title=lambda w: CAMPAIGNS[w.campaign].get("title", w.campaign),
        result_sets=lambda w: goevert2006_result_sets(w.campaign),
        left_out=lambda w: goevert2006_scores(w, "json"),
    log:
        "results/logs/{campaign}/goevert2006_section.log",
    conda:
        "../../environment.yml"
    script:
        "../../scripts/goevert2006_section.py"


rule goevert2006:
    input:
        expand("results/{campaign}/goevert2006/section.html", campaign=REPORTED),
    localrule: True


SECTIONS += rules.goevert2006.input
