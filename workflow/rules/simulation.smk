"""Simulated runs, made from the judgements as if someone had submitted them."""


rule simulated_runs:
    """The perfect and the ancestors run of Gövert et al. (2006), Section 4.1."""
    input:
        code=code("simulated_runs"),
        elements=rules.elements.output[0],
        judgements=rules.judgements.output,
    output:
        "results/{campaign}/simulated.parquet",
    log:
        "results/logs/{campaign}/simulated_runs.log",
    conda:
        "../../environment.yml"
    params:
        unit=lambda w: CAMPAIGNS[w.campaign]["unit"],
    script:
        "../../scripts/simulated_runs.py"
