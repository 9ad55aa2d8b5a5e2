"""scores -> a page to look into each campaign: its best runs, topics, results, and documents."""

from focuseval.present.view.of_campaign import viewed

#: what is looked into, by campaign
VIEWED = {
    campaign: found
    for campaign in REPORTED
    if (found := viewed(ASKED[campaign].scores)) is not None
}

PAGE = Path(focuseval.__file__).parent / "present/view/templates"


rule view:
    """The best runs on every topic: which text was found, what was read twice, where one is better."""
    input:
        code=code("view"),
        templates=seen(sorted(PAGE.glob("*"))),
        elements=rules.elements.output[0],
        judgements=rules.campaign.output.judgements,
        runs=rules.campaign.output.runs,
        told=rules.campaign.output.told,
        scores=lambda w: f"results/{w.campaign}/scores/{VIEWED[w.campaign].batch}.parquet",
        texts=given("collection"),
        topics=given("topics"),
        assessments=given("assessments"),
    output:
        page="results/{campaign}/view.html",
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
        viewed=lambda w: (
            VIEWED[w.campaign].batch,
            VIEWED[w.campaign].runs.as_dict(),
            VIEWED[w.campaign].measures,
        ),
    script:
        "../../scripts/view.py"
