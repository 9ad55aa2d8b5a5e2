"""Papers on campaigns: a job for the analysis with its tables and findings, one for the section with its figures."""

#: sections of the report, in its order, and all files of papers
SECTIONS, OF_PAPERS = [], []


#: the papers that are computed on any campaign, and those of them with worked examples, which need none
COMPUTED = [
    paper
    for paper in PAPERS.values()
    if any(paper.name in asked.papers for asked in ASKED.values())
]
WITH_EXAMPLES = [paper for paper in COMPUTED if paper.examples]


rule examples:
    """The worked examples of papers, and their sections of the report."""
    input:
        code=[
            file
            for paper in WITH_EXAMPLES
            for file in code_of("examples", paper, True)
        ],
        templates=TEMPLATES,
    output:
        [file for paper in WITH_EXAMPLES for file in example_files(paper)],
        sections=[f"results/{paper.name}/section.html" for paper in WITH_EXAMPLES],
    log:
        "results/logs/examples.log",
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    params:
        papers=[paper.name for paper in WITH_EXAMPLES],
    script:
        "../../scripts/examples.py"


#: the evaluations of public campaigns, by publication and campaign, and their common section
EVALUATED = [
    (paper.name, name)
    for paper in COMPUTED
    for name in REPORTED
    if paper.declared.evaluation and paper.name in ASKED[name].papers
]
OF_EVALUATIONS = [
    "results/evaluations/section.html",
    "results/evaluations/overview.csv",
]

for paper in PAPERS.values():
    if EVALUATED and paper.name == EVALUATED[0][0]:
        SECTIONS += OF_EVALUATIONS[:1]
        OF_PAPERS += OF_EVALUATIONS

    sections = [f"results/{paper.name}/section.html"] if paper in WITH_EXAMPLES else []
    files = example_files(paper) if paper in WITH_EXAMPLES else []

    for campaign, asked in ASKED.items():
        if paper.name not in asked.papers:
            continue
        context = asked.papers[paper.name]
        items = paper.items(context)
        base = f"results/{campaign}"
        folder = f"{base}/{paper.name}"
        requests_made = paper.asks(context)
        earlier = context.earlier.name if context.earlier else None
        batches = dict.fromkeys(
            (earlier if request.of == "earlier" else campaign, request.batch)
            for request in requests_made
        )
        whose = dict.fromkeys(of for of, _ in batches)
        tables = [f"{folder}/{file}" for file in files_of(items, Table)]
        figures = [f"{folder}/{file}" for file in files_of(items, Figure)]
        analysis = f"{folder}/analysis"
        findings = multiext(f"{folder}/findings", ".csv", ".parquet")
        left_out = f"{folder}/left_out.csv"
        files += [*tables, analysis, *findings]
        if campaign not in DRAWS:  # of draws only the numbers count
            files += [*figures, left_out]
            sections.append(f"{folder}/section.html")

        rule:
            name:
                f"{paper.name}_tables_{campaign}"
            input:
                code=code_of("paper_tables", paper),
                elements=f"{base}/elements",
                judgements=[f"results/{of}/judgements" for of in whose],
                runs=f"{base}/runs",
                made=[f"{base}/input/{name}" for name in paper.declared.reads],
                scores=[f"results/{of}/scores/{batch}.parquet" for of, batch in batches],
                printed=[
                    local(str(ROOT / f"config/published/{name}.csv"))
                    for name in paper.declared.printed
                ],
            output:
                tables,
                analysis=directory(analysis),
                findings=findings,
            log:
                f"results/logs/{campaign}/{paper.name}_tables.log",
            benchmark:
                f"results/benchmarks/{campaign}/{paper.name}_tables.tsv"
            # the section waits for it
            priority: 1
            group:
                "papers"
            conda:
                "../envs/focuseval.yml"
            resources:
                mem_mb=megabytes(3000),
                runtime=minutes(30),
            params:
                paper=paper.name,
                context=context.as_dict(),
            script:
                "../../scripts/paper_tables.py"

        rule:
            name:
                f"{paper.name}_section_{campaign}"
            input:
                code=code_of("paper_section", paper, True),
                templates=TEMPLATES,
                analysis=analysis,
                findings=f"{folder}/findings.parquet",
                facts=[f"results/{of}/facts.parquet" for of in whose],
                told=[f"results/{of}/told.parquet" for of in whose],
                left_out=[
                    f"results/{of}/scores/{batch}.left_out.parquet"
                    for of, batch in batches
                ],
            output:
                figures,
                section=f"{folder}/section.html",
                left_out=left_out,
            log:
                f"results/logs/{campaign}/{paper.name}_section.log",
            group:
                "papers"
            conda:
                "../envs/focuseval.yml"
            params:
                paper=paper.name,
                context=context.as_dict(),
            script:
                "../../scripts/paper_section.py"

    rule:
        name:
            paper.name
        input:
            whole([*sections, *files]),
        localrule: True

    SECTIONS += sections
    OF_PAPERS += files


rule evaluations:
    """How the orders of all public campaigns change, in one table: the section of the report before their own."""
    input:
        code=[
            file
            for name, _ in EVALUATED
            for file in code_of("evaluations", PAPERS[name])
        ],
        templates=TEMPLATES,
        analyses=[f"results/{campaign}/{name}/analysis" for name, campaign in EVALUATED],
    output:
        section=OF_EVALUATIONS[0],
        table=OF_EVALUATIONS[1],
    log:
        "results/logs/evaluations.log",
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    params:
        publications=[name for name, _ in EVALUATED],
    script:
        "../../scripts/evaluations.py"


#: what printed numbers are compared with: a campaign's draws, or itself where there are none
COMPARED_WITH = [
    (
        paper,
        name,
        [one for one in CONFIG.draws.names(name) if paper in ASKED[one].papers]
        or [name],
    )
    for name in REPORTED
    for paper in ASKED[name].papers
]


rule draws:
    """Which printed numbers lie inside the intervals over draws of campaigns, and over runs or topics."""
    input:
        code=[file for paper in COMPUTED for file in code_of("draws", paper)],
        analyses=[
            f"results/{one}/{paper}/analysis"
            for paper, _, names in COMPARED_WITH
            for one in names
        ],
        printed=[
            local(str(ROOT / f"config/published/{name}.csv"))
            for paper in COMPUTED
            for name in paper.declared.printed
        ],
    output:
        csv="results/draws.csv",
        table="results/draws.parquet",
    log:
        "results/logs/draws.log",
    group:
        "papers"
    conda:
        "../envs/focuseval.yml"
    params:
        drawn=[
            (paper, name, [ASKED[one].papers[paper].as_dict() for one in names])
            for paper, name, names in COMPARED_WITH
        ],
    script:
        "../../scripts/draws.py"
