"""scores -> a page to look into each campaign: its best runs, topics, results, and documents."""

#: by campaign: the scores to look into
VIEWED = {name: ASKED[name].viewed for name in REPORTED if ASKED[name].viewed}

#: what these pages are made with
LIBRARY = Path(focuseval.__file__).parent
PAGE = seen(
    [
        LIBRARY / "report/templates/base.css",
        *sorted((LIBRARY / "viewer/templates").glob("view.*")),
    ]
)


rule view:
    """The best runs on every topic: which text was found, what was read twice, where one is better."""
    input:
        code=lambda w: code(
            "view",
            *(f"focuseval.measures.{name}" for name in VIEWED[w.campaign].families),
        ),
        templates=PAGE,
        elements=rules.elements.output[0],
        judgements=rules.campaign.output.judgements,
        runs=rules.campaign.output.runs,
        told=rules.campaign.output.told,
        scores=lambda w: f"results/{w.campaign}/scores/{VIEWED[w.campaign].batch}.parquet",
        left_out=lambda w: (
            f"results/{w.campaign}/scores/{VIEWED[w.campaign].batch}.left_out.parquet"
        ),
        # what is shown of documents and topics
        texts=given("collection"),
        topics=given("topics"),
        assessments=given("assessments"),
    output:
        page="results/{campaign}/view.html",
        # what does not fit into the page, which loads it from there
        beside=directory("results/{campaign}/view_files"),
    log:
        "results/logs/{campaign}/view.log",
    benchmark:
        "results/benchmarks/{campaign}/view.tsv"
    wildcard_constraints:
        campaign=names(VIEWED),
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(30),
    params:
        title=lambda w: CAMPAIGNS[w.campaign].heading,
        unit=lambda w: CAMPAIGNS[w.campaign].unit,
        runs=lambda w: VIEWED[w.campaign].runs.as_dict(),
        measures=lambda w: VIEWED[w.campaign].measures,
        others=lambda w: VIEWED[w.campaign].others,
        families=lambda w: VIEWED[w.campaign].families,
    script:
        "../../scripts/view.py"
