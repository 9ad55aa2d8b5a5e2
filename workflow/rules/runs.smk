"""runs -> results: what was submitted, or what retrieval over the campaign's own text returns."""


rule submitted_runs:
    input:
        code=code("submitted_runs"),
        elements=rules.elements.output[0],
        runs=given("runs"),
    output:
        "results/{campaign}/runs.parquet",
    log:
        "results/logs/{campaign}/submitted_runs.log",
    benchmark:
        "results/benchmarks/{campaign}/submitted_runs.tsv"
    wildcard_constraints:
        campaign="|".join(SUBMITTED) or "none",
    conda:
        "../../environment.yml"
    params:
        campaign=settings("unit", "equal_scores_tie", "lenient"),
        size=max(entry["size"] for entry in CONFIG["goevert2006"]["result_sets"]),
    script:
        "../../scripts/submitted_runs.py"


rule baseline_runs:
    input:
        code=code("baseline_runs"),
        collection=given("collection"),
        topics=given("topics"),
        elements=rules.elements.output[0],
    output:
        "results/{campaign}/runs.parquet",
    log:
        "results/logs/{campaign}/baseline_runs.log",
    benchmark:
        "results/benchmarks/{campaign}/baseline_runs.tsv"
    wildcard_constraints:
        campaign="|".join(set(CAMPAIGNS) - set(SUBMITTED)) or "none",
    conda:
        "../../environment.yml"
    params:
        campaign=settings("unit", "query_type", "baselines"),
    script:
        "../../scripts/baseline_runs.py"
