"""Gövert, Fuhr, Lalmas & Kazai (2006): the runs' scores, Tables 1-5, Figures 3, 5, 6 and 8-11, and the findings."""

from focuseval.papers.goevert2006.names import (
    FIGURES,
    TABLES,
    figures_of,
    measures,
)

GOEVERT2006 = CONFIG["goevert2006"]
GOEVERT2006_MEASURES = [
    name
    for family in ("precall", "inex2003")
    for name in measures(family, GOEVERT2006["quantisations"])
]

#: by campaign: its result sets as name -> (campaign, size), without those that it has not
GOEVERT2006_RESULT_SETS = {
    campaign: {
        entry["name"]: (roles[entry["of"]], entry["size"])
        for roles in [
            {"campaign": campaign, "earlier": CAMPAIGNS[campaign].get("earlier")}
        ]
        for entry in GOEVERT2006["result_sets"]
        if roles[entry["of"]]
    }
    for campaign in reported("goevert2006")
}

#: by campaign and result set: where its scores are, without suffix
GOEVERT2006_SCORES = {
    campaign: {
        name: scored(of, size, GOEVERT2006_MEASURES)
        for name, (of, size) in result_sets.items()
    }
    for campaign, result_sets in GOEVERT2006_RESULT_SETS.items()
}


rule goevert2006_overlap:
    """How much of its text each run repeats, at every size of its result sets."""
    input:
        code=code("goevert2006_overlap"),
        elements=rules.elements.output[0],
        results="results/{campaign}/runs.parquet",
    output:
        "results/{campaign}/goevert2006/overlap.csv",
    log:
        "results/logs/{campaign}/goevert2006_overlap.log",
    conda:
        "../../environment.yml"
    params:
        sizes=lambda w: {
            name: size
            for name, (of, size) in GOEVERT2006_RESULT_SETS[w.campaign].items()
            if of == w.campaign
        },
    script:
        "../../scripts/goevert2006_overlap.py"


rule goevert2006_analysis:
    """Average precision of every run, curves of the simulated runs, counts of judgements, correlations."""
    input:
        code=code("goevert2006_analysis"),
        scores=lambda w: [
            f"{scores}.parquet"
            for of in GOEVERT2006_SCORES[w.campaign].values()
            for scores in of
        ],
        simulated=expand(
            "results/{{campaign}}/scores/simulated/{family}.parquet",
            family=["precall", "inex2003"],
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
    log:
        "results/logs/{campaign}/goevert2006_analysis.log",
    conda:
        "../../environment.yml"
    params:
        scores=lambda w: {
            name: [f"{scores}.parquet" for scores in of]
            for name, of in GOEVERT2006_SCORES[w.campaign].items()
        },
        result_sets={entry["name"]: entry["of"] for entry in GOEVERT2006["result_sets"]},
        quantisations=GOEVERT2006["quantisations"],
    script:
        "../../scripts/goevert2006_analysis.py"


rule goevert2006_tables:
    """The runs' average precision; Tables 1-5 and the simulated runs: computed, printed, difference."""
    input:
        code=code("goevert2006_tables"),
        average=rules.goevert2006_analysis.output.average,
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
        expand(
            "results/{{campaign}}/goevert2006/{table}.{suffix}",
            table=TABLES,
            suffix=["md", "tex"],
        ),
    log:
        "results/logs/{campaign}/goevert2006_tables.log",
    conda:
        "../../environment.yml"
    params:
        # the first of the campaign's own, which is the longest
        result_set=lambda w: next(
            (
                name
                for name, (of, _) in GOEVERT2006_RESULT_SETS[w.campaign].items()
                if of == w.campaign
            ),
            None,
        ),
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
    log:
        "results/logs/{campaign}/goevert2006_{figure}.log",
    wildcard_constraints:
        figure=r"figure\d+",
    conda:
        "../../environment.yml"
    params:
        quantisations=GOEVERT2006["quantisations"],
        caption=lambda w, input: Path(input.caption).read_text(encoding="utf-8"),
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
            campaign=dict.fromkeys(
                of for of, _ in GOEVERT2006_RESULT_SETS[w.campaign].values()
            ),
        ),
        tables=expand("results/{{campaign}}/goevert2006/{table}.csv", table=TABLES),
        figures=lambda w: expand(
            "results/{campaign}/goevert2006/{figure}.svg",
            campaign=w.campaign,
            figure=figures_of(
                GOEVERT2006_RESULT_SETS[w.campaign], GOEVERT2006["quantisations"]
            ),
        ),
        findings=rules.goevert2006_findings.output[0],
        captions=expand(
            "workflow/report/goevert2006/{item}.rst", item=[*TABLES, *FIGURES]
        ),
        left_out=lambda w: [
            f"{scores}.json"
            for of in GOEVERT2006_SCORES[w.campaign].values()
            for scores in of
        ],
        left_out_simulated=expand(
            "results/{{campaign}}/scores/simulated/{family}.json",
            family=["precall", "inex2003"],
        ),
    output:
        section="results/{campaign}/goevert2006/section.html",
        left_out="results/{campaign}/goevert2006/left_out.csv",
    log:
        "results/logs/{campaign}/goevert2006_section.log",
    conda:
        "../../environment.yml"
    params:
        title=lambda w: CAMPAIGNS[w.campaign].get("title", w.campaign),
        synthetic=lambda w: w.campaign in SYNTHETIC,
        result_sets=lambda w: {
            entry["name"]: GOEVERT2006_RESULT_SETS[w.campaign].get(entry["name"])
            for entry in GOEVERT2006["result_sets"]
        },
        left_out=lambda w, input: {
            **{
                name: [f"{scores}.json" for scores in of]
                for name, of in GOEVERT2006_SCORES[w.campaign].items()
            },
            "simulated runs": list(input.left_out_simulated),
        },
    script:
        "../../scripts/goevert2006_section.py"


rule goevert2006:
    input:
        expand(
            "results/{campaign}/goevert2006/section.html",
            campaign=reported("goevert2006"),
        ),
    localrule: True


SECTIONS += rules.goevert2006.input
