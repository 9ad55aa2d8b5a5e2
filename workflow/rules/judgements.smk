"""assessments -> judgements: judged elements and highlighted passages, on the element tables."""


rule judgements:
    input:
        code=code("judgements"),
        elements=rules.elements.output[0],
        assessments=given("assessments"),
    output:
        judgements="results/{campaign}/judgements/judgements.parquet",
        passages="results/{campaign}/judgements/passages.parquet",
        topics="results/{campaign}/judgements/topics.json",
    log:
        "results/logs/{campaign}/judgements.log",
    benchmark:
        "results/benchmarks/{campaign}/judgements.tsv"
    conda:
        "../../environment.yml"
    params:
        campaign=settings("unit", "scale", "coverage", "lenient"),
    script:
        "../../scripts/judgements.py"
