"""Rules that make simulated and perturbed runs, in the same format as all other runs."""


rule simulate_runs:
    """Simulate runs from assessments and recall-bases: perfect runs, runs with ancestors, and ideal rankings."""
    input:
        code=lambda w: code("simulate_runs", module_of(set_of(w, "simulation"))),
        collection=rules.parse_collection.output,
        assessments=lambda w: assessments_of_set(w, "simulation"),
        recall_bases=lambda w: recall_bases_of_set(w, "simulation"),
    output:
        "results/{campaign}/simulated/{simulation}.parquet",
    log:
        "results/logs/{campaign}/simulate_runs.{simulation}.log",
    benchmark:
        "results/benchmarks/{campaign}/simulate_runs.{simulation}.tsv"
    group:
        "simulation"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(2000),
        runtime=minutes(30, "simulation"),
    params:
        versions=VERSIONS,
        unit=lambda w: CAMPAIGNS[w.campaign].unit,
        runs=lambda w: set_of(w, "simulation").as_dict(),
    script:
        "../../scripts/simulate_runs.py"


rule perturb_runs:
    """Make perturbed runs: move or replace the elements of ideal rankings, or change other runs."""
    input:
        code=lambda w: code("perturb_runs", module_of(set_of(w, "perturbation"))),
        collection=rules.parse_collection.output,
        assessments=lambda w: assessments_of_set(w, "perturbation"),
        recall_bases=lambda w: recall_bases_of_set(w, "perturbation"),
        runs=lambda w: file_of_runs(w, "perturbation"),
    output:
        "results/{campaign}/perturbed/{perturbation}.parquet",
    log:
        "results/logs/{campaign}/perturb_runs.{perturbation}.log",
    benchmark:
        "results/benchmarks/{campaign}/perturb_runs.{perturbation}.tsv"
    group:
        "simulation"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(30, "simulation"),
    params:
        versions=VERSIONS,
        unit=lambda w: CAMPAIGNS[w.campaign].unit,
        runs=lambda w: set_of(w, "perturbation").as_dict(),
    script:
        "../../scripts/perturb_runs.py"
