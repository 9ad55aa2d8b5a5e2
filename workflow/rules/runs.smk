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
        campaign=settings("unit", "rank_by", "equal_scores_tie", "lenient"),
        size=lambda w: max(
            (size for of, size, _ in MEASURES if of == w.campaign), default=1500
        ),
    script:
        "../../scripts/submitted_runs.py"


#: the kinds of run (`focuseval.retrieval.systems.systems_for`) that a campaign's task asks for
KIND_OF_TASK = {
    "CO": "as-declared",
    "thorough": "thorough",
    "focused": "focussed",
    "relevant-in-context": "fetchbrowse",
}


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
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(60),
    params:
        campaign=settings("unit", "query_type", "baselines"),
        kinds=lambda w: [KIND_OF_TASK[CAMPAIGNS[w.campaign]["task"]]],
    script:
        "../../scripts/baseline_runs.py"


#: the kinds of run that the tasks of INEX 2005 ask for
KINDS = ["thorough", "focussed", "fetchbrowse"]


use rule baseline_runs as task_runs with:
    output:
        expand("results/{{campaign}}/runs/{kind}.parquet", kind=KINDS),
    log:
        "results/logs/{campaign}/task_runs.log",
    benchmark:
        "results/benchmarks/{campaign}/task_runs.tsv"
    params:
        campaign=settings("unit", "query_type", "baselines"),
        kinds=KINDS,
