"""Rules for papers: worked examples, and tables, figures and verdicts on each campaign."""


rule work_examples:
    """Compute the worked examples of a paper, which need no campaign."""
    input:
        code=lambda w: code_of("work_examples", PAPERS[w.paper], True),
        templates=TEMPLATES,
    output:
        folder=directory("results/{paper}"),
        files="results/{paper}.sha256",
    log:
        "results/logs/{paper}.log",
    wildcard_constraints:
        paper=names(WITH_EXAMPLES),
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    params:
        versions=VERSIONS,
    script:
        "../../scripts/work_examples.py"


rule paper:
    """Reproduce a paper on a campaign: tables and figures with printed numbers, and the verdicts on its claims."""
    input:
        code=lambda w: code_of("paper", PAPERS[w.paper], True),
        templates=TEMPLATES,
        collections=of_campaigns(collection_of),
        assessments=assessments_of_paper,
        runs=runs_of_paper,
        imported=made_for_campaign,
        scores=lambda w: scores_read(w, "papers", w.paper),
        left_out=lambda w: scores_read(w, "papers", w.paper, ".left_out"),
        correlations=correlations_of_paper,
        notices=of_campaigns(notices_of),
        facts=of_campaigns(lambda w: [f"results/{w.campaign}/facts.parquet"]),
        printed=lambda w: printed(PAPERS[w.paper]),
        draws=lambda w: [
            f"results/{one}/{w.paper}" for one in draws_of(w.paper, w.campaign)
        ],
    output:
        folder=report(
            directory("results/{campaign}/{paper}"),
            patterns=["{figure}.svg"],
            caption="../captions/paper.rst",
            category="Papers",
            subcategory="{campaign}",
            labels={"paper": "{paper}", "figure": "{figure}"},
        ),
        files="results/{campaign}/{paper}.sha256",
    log:
        "results/logs/{campaign}/{paper}.log",
    benchmark:
        "results/benchmarks/{campaign}/{paper}.tsv"
    wildcard_constraints:
        paper=names(PAPERS),
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(30, "papers"),
    params:
        versions=VERSIONS,
        context=lambda w: context_of(w.paper, w.campaign),
        # only the numbers of a campaign's draws are used, so draws have no figures
        figures=lambda w: w.campaign not in DRAWS,
    script:
        "../../scripts/paper.py"


rule compare_draws:
    """Compare printed numbers with two kinds of intervals: over draws of campaigns, and over runs or topics."""
    input:
        code=[
            file
            for name in COMPUTED
            for file in code_of("compare_draws", PAPERS[name])
        ],
        papers=[
            f"results/{one}/{paper}"
            for paper, _, drawn in COMPARED_WITH
            for one in drawn
        ],
        printed=[file for name in COMPUTED for file in printed(PAPERS[name])],
    output:
        csv="results/draws.csv",
        table="results/draws.parquet",
    log:
        "results/logs/draws.log",
    group:
        "report"
    conda:
        "../envs/focuseval.yml"
    params:
        versions=VERSIONS,
        drawn=[
            (paper, name, [context_of(paper, one) for one in drawn])
            for paper, name, drawn in COMPARED_WITH
        ],
    script:
        "../../scripts/compare_draws.py"


rule compare_evaluations:
    """Summarise, in one table, how the rankings of systems change in all evaluations of public campaigns."""
    input:
        code=[
            file
            for name, _ in EVALUATED
            for file in code_of("compare_evaluations", PAPERS[name])
        ],
        templates=TEMPLATES,
        papers=[f"results/{campaign}/{name}" for name, campaign in EVALUATED],
    output:
        section="results/evaluations/section.html",
        table="results/evaluations/overview.csv",
    log:
        "results/logs/evaluations.log",
    group:
        "report"
    conda:
        "../envs/focuseval.yml"
    params:
        versions=VERSIONS,
        publications=[name for name, _ in EVALUATED],
    script:
        "../../scripts/compare_evaluations.py"
