"""scores -> which systems differ: for the comparisons that campaigns and papers ask for."""

for campaign in REPORTED:
    for asked in CAMPAIGNS[campaign]["significance"]:
        compared(campaign, asked)


rule comparison:
    """Systems under one measure: rank order, confidence intervals, p-values of all pairs, and the triangular matrix."""
    input:
        code=code("significance"),
        scores=lambda w: [
            f"{scores}.parquet"
            for scores in COMPARISONS[w.campaign, w.comparison]["scores"]
        ],
    output:
        systems=expand(
            "results/{{campaign}}/significance/{{comparison}}/systems.{suffix}",
            suffix=["csv", "md", "tex"],
        ),
        counts="results/{campaign}/significance/{comparison}/counts.csv",
        pairs="results/{campaign}/significance/{comparison}/pairs.csv",
        text="results/{campaign}/significance/{comparison}/matrix.txt",
        latex="results/{campaign}/significance/{comparison}/matrix.tex",
        matrix=expand(
            "results/{{campaign}}/significance/{{comparison}}/matrix.{suffix}",
            suffix=["svg", "png"],
        ),
        intervals=expand(
            "results/{{campaign}}/significance/{{comparison}}/intervals.{suffix}",
            suffix=["svg", "png"],
        ),
    log:
        "results/logs/{campaign}/significance_{comparison}.log",
    conda:
        "../../environment.yml"
    params:
        asked=lambda w: COMPARISONS[w.campaign, w.comparison]["asked"],
    script:
        "../../scripts/significance.py"


rule significance_section:
    """The part of the report on the comparisons that a campaign itself asks for."""
    input:
        code=code("significance_section"),
        made=lambda w: expand(
            "results/{campaign}/significance/{comparison}/{file}",
            campaign=w.campaign,
            comparison=[
                asked["name"] for asked in CAMPAIGNS[w.campaign]["significance"]
            ],
            file=["systems.csv", "counts.csv", "matrix.svg", "intervals.svg"],
        ),
    output:
        "results/{campaign}/significance/section.html",
    log:
        "results/logs/{campaign}/significance_section.log",
    conda:
        "../../environment.yml"
    params:
        title=lambda w: CAMPAIGNS[w.campaign].get("title", w.campaign),
        asked=lambda w: CAMPAIGNS[w.campaign]["significance"],
    script:
        "../../scripts/significance_section.py"


rule significance:
    input:
        [
            f"results/{campaign}/significance/section.html"
            for campaign in REPORTED
            if CAMPAIGNS[campaign]["significance"]
        ],
    localrule: True


SECTIONS += rules.significance.input
