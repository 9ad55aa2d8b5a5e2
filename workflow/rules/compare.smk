"""scores -> which systems differ: the comparisons that campaigns ask for themselves."""

from dataclasses import asdict

#: by campaign: its comparisons by name
COMPARISONS = {
    campaign: {comparison.name: comparison for comparison in asked.comparisons}
    for campaign, asked in ASKED.items()
    if asked.comparisons
}

#: the same one by one, for `expand`
COMPARED = {
    "campaign": [campaign for campaign, of in COMPARISONS.items() for _ in of],
    "comparison": [name for of in COMPARISONS.values() for name in of],
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
            figure=["matrix"],
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
        asked=lambda w: asdict(COMPARISONS[w.campaign][w.comparison]),
    script:
        "../../scripts/compare.py"


#: by campaign: its own systems under its main measures
OF_SYSTEMS = {
    campaign: asked.systems for campaign, asked in ASKED.items() if asked.systems
}


rule systems:
    """A campaign's own systems under its main measures, topic by topic, and which of them differ."""
    input:
        code=code("systems"),
        templates=TEMPLATES,
        scores="results/{campaign}/scores/systems.parquet",
        left_out="results/{campaign}/scores/systems.left_out.parquet",
        told="results/{campaign}/told.parquet",
        facts="results/{campaign}/facts.parquet",
    output:
        # which tables there are depends on how many systems are read
        tables=directory("results/{campaign}/systems"),
        section="results/{campaign}/systems.html",
    log:
        "results/logs/{campaign}/systems.log",
    wildcard_constraints:
        campaign=names(OF_SYSTEMS),
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    params:
        asked=lambda w: asdict(OF_SYSTEMS[w.campaign]),
    script:
        "../../scripts/systems.py"


rule own_systems:
    input:
        whole(expand(rules.systems.output, campaign=OF_SYSTEMS)),
    localrule: True


rule significance:
    input:
        whole(expand(rules.compare.output, zip, **COMPARED)),
    localrule: True
