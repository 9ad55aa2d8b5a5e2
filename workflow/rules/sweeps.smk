"""scores -> a measure over values of its parameters and cut-offs: the sweeps that campaigns ask for themselves."""

#: by campaign: its sweeps
SWEPT = {name: CAMPAIGNS[name].sweeps for name in REPORTED if CAMPAIGNS[name].sweeps}

for campaign, sweeps in SWEPT.items():
    families = ASKED[campaign].families(SWEEPS)
    folders = [f"results/{campaign}/sweeps/{sweep.name}" for sweep in sweeps]

    rule:
        name:
            f"sweeps_{campaign}"
        input:
            code=code("sweeps", *(f"focuseval.measures.{name}" for name in families)),
            templates=TEMPLATES,
            scores=f"results/{campaign}/scores/{SWEEPS}.parquet",
            left_out=f"results/{campaign}/scores/{SWEEPS}.left_out.parquet",
            told=f"results/{campaign}/told.parquet",
        output:
            # a folder for each: what another configuration has swept stays
            folders=[directory(folder) for folder in folders],
            sections=[f"{folder}.html" for folder in folders],
        log:
            f"results/logs/{campaign}/sweeps.log",
        group:
            "papers"
        conda:
            "../envs/focuseval.yml"
        params:
            campaign=campaign,
            title=CAMPAIGNS[campaign].heading,
            families=families,
            sweeps=[(sweep.points, [*sweep.parameters]) for sweep in sweeps],
        script:
            "../../scripts/sweeps.py"


#: their tables and figures, and their sections of the report
OF_SWEEPS = [
    path
    for campaign, sweeps in SWEPT.items()
    for sweep in sweeps
    for path in (
        f"results/{campaign}/sweeps/{sweep.name}",
        f"results/{campaign}/sweeps/{sweep.name}.html",
    )
]


rule sweeps:
    input:
        whole(OF_SWEEPS),
    localrule: True
