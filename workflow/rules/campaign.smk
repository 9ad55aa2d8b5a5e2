"""A campaign on its collection: documents to element tables, assessments to judgements, runs to results."""


rule elements:
    """Every element of every document: parent, tag, position and interval."""
    input:
        code=code("elements"),
        collection=given("collection"),
    output:
        directory("results/{campaign}/elements"),
    log:
        "results/logs/{campaign}/elements.log",
    benchmark:
        "results/benchmarks/{campaign}/elements.tsv"
    wildcard_constraints:
        campaign=names(
            name for name in CAMPAIGNS if name not in (*WITHOUT_TEXT, *ON_CODE)
        ),
    priority: cores
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    threads: cores
    resources:
        mem_mb=megabytes(1500),
        runtime=minutes(30),
    params:
        lenient=lambda w: CAMPAIGNS[w.campaign].lenient,
        inside=inside("collection"),
    script:
        "../../scripts/elements.py"


rule known:
    """What assessments and runs tell of documents that are not at hand, as element tables."""
    input:
        code=code("known"),
        assessments=given("assessments"),
        runs=given("runs"),
        of_tasks=task_files,
    output:
        directory("results/{campaign}/elements"),
    log:
        "results/logs/{campaign}/elements.log",
    benchmark:
        "results/benchmarks/{campaign}/elements.tsv"
    wildcard_constraints:
        campaign=names(WITHOUT_TEXT),
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(1500),
        runtime=minutes(30),
    params:
        campaign=lambda w: settings_of(w.campaign),
        inside=inside("assessments", "runs"),
        assessments=lambda w: [*named_files(w, "assessments").values()],
        runs=lambda w: [*named_files(w, "runs").values()],
    script:
        "../../scripts/known.py"


rule campaign:
    """Judgements, the runs that scores are asked of (submitted, or made by retrieval), and what is told of both."""
    input:
        code=code("campaign"),
        elements=rules.elements.output[0],
        assessments=given("assessments"),
        runs=given("runs"),
        # what an importer left out
        imported=lambda w: (
            [f"results/{w.campaign}/input/told.txt"]
            if CAMPAIGNS[w.campaign].importer or w.campaign in ON_CODE
            else []
        ),
        of_tasks=task_files,
        # what retrieval reads, and what texts beside offsets are compared with
        texts=lambda w: (
            given("collection")(w)
            if retrieves(w) or has_texts(CAMPAIGNS[w.campaign])
            else []
        ),
        # and what says of which type each topic is
        topics=lambda w: (
            given("topics")(w)
            if retrieves(w) or CAMPAIGNS[w.campaign].query_type
            else []
        ),
    output:
        judgements=directory("results/{campaign}/judgements"),
        runs=directory("results/{campaign}/runs"),
        facts="results/{campaign}/facts.parquet",
        told="results/{campaign}/told.parquet",
        rejected="results/{campaign}/rejected.txt",
    log:
        "results/logs/{campaign}/campaign.log",
    benchmark:
        "results/benchmarks/{campaign}/campaign.tsv"
    priority: cores
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    threads: lambda w: cores(w) if retrieves(w) else 1
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(60),
    params:
        campaign=lambda w: settings_of(w.campaign),
        inside=inside("assessments", "runs"),
        # names of the artefacts, and the files that they are made from
        assessments=lambda w: named_files(
            w, "assessments", ASKED[w.campaign].judgements
        ),
        runs=lambda w: named_files(w, "runs", ASKED[w.campaign].runs),
        kinds=lambda w: ASKED[w.campaign].systems_made,
        # retrieval keeps the rules of tasks
        ruled=lambda w: [
            tuple(ruled)
            for ruled in ASKED[w.campaign].ruled
            if ruled.runs in named_files(w, "runs", ASKED[w.campaign].runs)
        ],
        # of campaigns that are made with topics that ask for a structure
        structured_topics=lambda w: (
            str(placed(f"{made_structured(CAMPAIGNS[w.campaign])}/topics.xml"))
            if CAMPAIGNS[w.campaign].structured_topics
            else ""
        ),
    script:
        "../../scripts/campaign.py"


#: the campaigns whose runs are scored, with those that others name as `earlier`, without draws
DESCRIBED = [
    name for name, asked in ASKED.items() if asked.scores and name not in DRAWS
]


rule description:
    """What a campaign's assessments and runs are like, in numbers; a section of the report."""
    input:
        code=code("description"),
        templates=TEMPLATES,
        elements=rules.elements.output[0],
        judgements=rules.campaign.output.judgements,
        runs=rules.campaign.output.runs,
    output:
        calibration="results/{campaign}/calibration.csv",
        population="results/{campaign}/population.csv",
        section="results/{campaign}/section.html",
    log:
        "results/logs/{campaign}/description.log",
    wildcard_constraints:
        campaign=names(DESCRIBED),
    group:
        "campaign"
    conda:
        "../envs/focuseval.yml"
    resources:
        mem_mb=megabytes(3000),
        runtime=minutes(30),
    params:
        campaign=lambda w: (
            settings_of(w.campaign) | {"title": CAMPAIGNS[w.campaign].title}
        ),
    script:
        "../../scripts/description.py"
