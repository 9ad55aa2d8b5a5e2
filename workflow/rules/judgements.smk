"""assessments -> judgements: judged elements and highlighted passages, on the element tables."""


rule judgements:
    input:
        code=code("judgements"),
        elements=rules.elements.output,
        assessments=given("assessments"),
    output:
        judgements="results/{campaign}/judgements.parquet",
        highlights="results/{campaign}/highlights.parquet",
        topics="results/{campaign}/topics.json",
    params:
        campaign=lambda w: CAMPAIGNS[w.campaign],
    log:
        "results/logs/{campaign}/judgements.log",
    benchmark:
        "results/benchmarks/{campaign}/judgements.tsv"
    conda:
        "../../environment.yml"
    script:
        "../../scripts/judgements.py"
