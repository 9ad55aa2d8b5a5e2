"""Analyses of scores: correlations, comparisons of systems, sweeps, pages of campaigns, and audits."""


rule correlate:
    """Correlate measures over runs, topics or values, and write coefficients with intervals, a table and a map."""
    input:
        code=code("correlate"),
        templates=TEMPLATES,
        campaign=lambda w: scores_read(
            w, "correlations", w.correlation, campaigns=[w.campaign]
        ),
        earlier=lambda w: scores_read(
            w, "correlations", w.correlation, campaigns=[CAMPAIGNS[w.campaign].earlier]
        ),
    output:
        table="results/{campaign}/correlations/{correlation}.parquet",
        folder=report(
            directory("results/{campaign}/correlations/{correlation}"),
            patterns=["{figure}.svg"],
            caption="../captions/correlate.rst",
            category="Correlations",
            subcategory="{campaign}",
            labels={"correlation": "{correlation}", "figure": "{figure}"},
        ),
        files="results/{campaign}/correlations/{correlation}.sha256",
    log:
        "results/logs/{campaign}/correlate.{correlation}.log",
    benchmark:
        "results/benchmarks/{campaign}/correlate.{correlation}.tsv"
    group:
        "analysis"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(2000),
        runtime=minutes(30),
    params:
        versions=VERSIONS,
        title=lambda w: CAMPAIGNS[w.campaign].heading,
        synthetic=lambda w: CAMPAIGNS[w.campaign].synthetic,
        asked=lambda w: ASKED[w.campaign].correlations[w.correlation].as_dict(),
    script:
        "../../scripts/correlate.py"


rule compare:
    """Compare systems under one measure or the main measures: rankings, intervals, and p-values of all pairs."""
    input:
        code=code("compare"),
        templates=TEMPLATES,
        scores=lambda w: scores_read(w, "comparisons", w.comparison),
        left_out=lambda w: scores_read(w, "comparisons", w.comparison, ".left_out"),
        notices=notices_of,
        facts=rules.describe_campaign.output.facts,
        population=rules.describe_campaign.output.population,
    output:
        folder=report(
            directory("results/{campaign}/comparisons/{comparison}"),
            patterns=["{figure}.svg"],
            caption="../captions/compare.rst",
            category="Comparisons",
            subcategory="{campaign}",
            labels={"comparison": "{comparison}", "figure": "{figure}"},
        ),
        files="results/{campaign}/comparisons/{comparison}.sha256",
    log:
        "results/logs/{campaign}/compare.{comparison}.log",
    group:
        "analysis"
    conda:
        "../envs/focuseval.yml"
    params:
        versions=VERSIONS,
        title=lambda w: CAMPAIGNS[w.campaign].heading,
        synthetic=lambda w: CAMPAIGNS[w.campaign].synthetic,
        asked=lambda w: comparison_of(w).as_dict(),
    script:
        "../../scripts/compare.py"


rule sweep:
    """Vary the parameters and cut-offs of a measure: draw maps and lines, and list changes of the ranking of runs."""
    input:
        code=lambda w: code_under("sweep", metric_of(sweep_of(w).measure)),
        templates=TEMPLATES,
        scores=lambda w: scores_read(w, "sweeps", w.sweep),
        left_out=lambda w: scores_read(w, "sweeps", w.sweep, ".left_out"),
        notices=notices_of,
    output:
        folder=report(
            directory("results/{campaign}/sweeps/{sweep}"),
            patterns=["{figure}.svg"],
            caption="../captions/sweep.rst",
            category="Sweeps",
            subcategory="{campaign}",
            labels={"sweep": "{sweep}", "figure": "{figure}"},
        ),
        files="results/{campaign}/sweeps/{sweep}.sha256",
    log:
        "results/logs/{campaign}/sweep.{sweep}.log",
    group:
        "analysis"
    conda:
        "../envs/focuseval.yml"
    params:
        versions=VERSIONS,
        title=lambda w: CAMPAIGNS[w.campaign].heading,
        synthetic=lambda w: CAMPAIGNS[w.campaign].synthetic,
        metric=lambda w: metric_of(sweep_of(w).measure),
        points=lambda w: sweep_of(w).points,
        parameters=lambda w: [*sweep_of(w).parameters],
    script:
        "../../scripts/sweep.py"


rule view:
    """Make the page of a campaign, which shows what its best runs find and repeat on every topic, and how they differ."""
    input:
        code=lambda w: code_under("view", *viewed_metrics(w)),
        templates=PAGE,
        collection=rules.parse_collection.output,
        assessments=lambda w: assessments_for(VIEWED[w.campaign].runs.judgements)(w),
        runs=lambda w: f"results/{w.campaign}/{VIEWED[w.campaign].runs.artefact}",
        scores=lambda w: scores_viewed(w),
        left_out=lambda w: scores_viewed(w, ".left_out"),
        notices=notices_of,
        # the page shows the texts of documents and topics
        texts=campaign_file("collection"),
        topics=campaign_file("topics"),
        assessment_files=campaign_file("assessments"),
    output:
        page=report(
            "results/{campaign}/view.html",
            caption="../captions/view.rst",
            category="Views",
            labels={"campaign": "{campaign}"},
        ),
        # the page loads data that does not fit into it from this folder
        folder=directory("results/{campaign}/view_files"),
        files="results/{campaign}/view_files.sha256",
    log:
        "results/logs/{campaign}/view.log",
    benchmark:
        "results/benchmarks/{campaign}/view.tsv"
    wildcard_constraints:
        campaign=names(VIEWED),
    group:
        "analysis"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(30),
    params:
        versions=VERSIONS,
        campaign=lambda w: settings_of(w.campaign),
        title=lambda w: CAMPAIGNS[w.campaign].heading,
        contents=contents("collection", "topics", "assessments"),
        inside=lambda w: {
            "texts": inside(w.campaign, "collection"),
            "topics": inside(w.campaign, "topics"),
            "assessment_files": inside(w.campaign, "assessments"),
        },
        runs=lambda w: VIEWED[w.campaign].runs.as_dict(),
        measures=lambda w: VIEWED[w.campaign].measures,
        others=lambda w: VIEWED[w.campaign].others,
        metrics=viewed_metrics,
    script:
        "../../scripts/view.py"


rule audit:
    """Audit every measure on transformed runs of a campaign: tables, figures, cards, and statistics of all runs."""
    input:
        code=code("audit"),
        templates=TEMPLATES,
        collection=rules.parse_collection.output,
        assessments=lambda w: assessments_for(VIEWED[w.campaign].runs.judgements)(w),
        runs=lambda w: f"results/{w.campaign}/{VIEWED[w.campaign].runs.artefact}",
        texts=campaign_file("collection"),
    output:
        folder=directory("results/audit/{campaign}"),
        files="results/audit/{campaign}.sha256",
    log:
        "results/logs/{campaign}/audit.log",
    benchmark:
        "results/benchmarks/{campaign}/audit.tsv"
    wildcard_constraints:
        campaign=names(AUDITED),
    group:
        "audit"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(120),
    params:
        versions=VERSIONS,
        campaign=lambda w: settings_of(w.campaign),
        title=lambda w: CAMPAIGNS[w.campaign].heading,
        contents=contents("collection"),
        inside=lambda w: {"texts": inside(w.campaign, "collection")},
        runs=lambda w: VIEWED[w.campaign].runs.as_dict(),
        size=CONFIG.audit.size,
        settings=CONFIG.audit.model_dump(exclude={"campaigns", "size"}),
    script:
        "../../scripts/audit.py"
