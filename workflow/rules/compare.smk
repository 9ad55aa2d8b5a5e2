"""scores -> which systems differ: the comparisons that campaigns ask for themselves."""

#: by campaign: its comparisons by name
COMPARISONS = {
    campaign: {comparison.name: comparison for comparison in asked.comparisons}
    for campaign, asked in ASKED.items()
    if asked.comparisons
}


rule compare:
    """Systems under one measure: rank order, intervals, p-values of all pairs, and the matrix; a part of the report."""
    input:
        code=code("compare"),
        templates=TEMPLATES,
        scores="results/{campaign}/scores/own.parquet",
        left_out="results/{campaign}/scores/own.left_out.parquet",
        told="results/{campaign}/told.parquet",
    output:
        tables=expand(
            "results/{{campaign}}/significance/{{comparison}}/{table}.{form}",
            table=["matrix", "counts", "systems", "pairs"],
            form=["csv", "md", "tex"],
        ),
        figures=expand(
            "results/{{campaign}}/significance/{{comparison}}/{figure}.{form}",
            figure=["matrix", "intervals"],
            form=["svg", "png"],
        ),
        section="results/{campaign}/significance/{comparison}/section.html",
    log:
        "results/logs/{campaign}/significance_{comparison}.log",
    wildcard_constraints:
        campaign=names(COMPARISONS),
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    params:
        title=lambda w: CAMPAIGNS[w.campaign].heading,
        asked=lambda w: COMPARISONS[w.campaign][w.comparison].as_dict(),
    script:
        "../../scripts/compare.py"


rule significance:
    input:
        [
            f"results/{campaign}/significance/{name}/section.html"
            for campaign in COMPARISONS
            for name in COMPARISONS[campaign]
        ],
    localrule: True
