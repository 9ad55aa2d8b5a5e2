"""Definitions that all rules share: the checked configuration, its requests, and functions for inputs and params."""

import re
import shlex
from collections import namedtuple
from functools import cache

from snakemake.logging import logger

from focuseval.campaign.tables import versions
from focuseval.errors import InputError
from focuseval.formats.documents import commit_of, revision_of
from focuseval.measures import INSTALLED, MEASURES, parse_specs
from focuseval.measures import family_of as metric_of
from focuseval_papers.publication.paper import NAMES, load, made_of
from focuseval_papers.simulation import module_of
from focuseval_papers.synthetic.concept_settings import settings
from focuseval.campaign.tasks import CAS_TASKS, INEX2005
from focuseval_papers.workflow.campaign_settings import ANALYSES, FILES, paths_of
from focuseval_papers.workflow.configuration import input_folder, read
from focuseval_papers.workflow.contents import content_of
from focuseval_papers.workflow.dependencies import installed_files, library_files
from focuseval_papers.workflow.jobs import forget_incomplete, prefer_source
from focuseval_papers.workflow.provenance import command_of
from focuseval_papers.workflow.recognition import (
    has_texts,
    holds_passages,
    in_spans,
    number_of_runs,
    of_code,
)
from focuseval_papers.publication.requests import (
    SYSTEMS,
    VARIANTS,
    Scored,
    metrics_of,
    requests,
)
from focuseval_papers.workflow.scoring import ideal_quantisation
from focuseval_papers.workflow.runsets import (
    ALL,
    KIND_OF_TASK,
    RETRIEVED,
    SUBMITTED,
)
from focuseval_papers.workflow.store import READS_TEXTS
from focuseval_papers.workflow.yaml_files import in_its_file, typed_as_yaml, unusable

# In any environment, jobs import the library that is next to the workflow.
prefer_source(ROOT / "src")


class _Quoted(str):
    """A path that is quoted when Snakemake inserts it into a command."""

    def __format__(self, specification):
        return shlex.quote(self)


# Snakemake does not quote the path of Python in the commands of jobs. If the path had a space, no job would start.
sys.executable = _Quoted(sys.executable)

PAPERS = {name: load(name) for name in NAMES}

#: names of the targets that a user may request on the command line
TARGETS = ["report", "papers", "comparisons", "sweeps", "audits", *PAPERS]


def configured():
    """Return the configuration, and its campaigns by name; on mistakes, end the program with a message."""
    # files given on the command line take precedence over the workflow's own file, and later files over earlier ones
    chosen = [*reversed(workflow.overwrite_configfiles or ())]
    own = [file for file in workflow.configfiles if file not in chosen]
    files = [str(file) for file in (*chosen, *own)]
    message = unusable(files)
    if message is None:
        try:
            return read(
                typed_as_yaml(config, workflow.config_settings.config),
                {name: paper.settings for name, paper in PAPERS.items()},
                MEASURES,
                ROOT / "config/campaigns",
                ", ".join(files),
            )
        except InputError as error:
            typed = workflow.config_settings.config
            message = "\n".join(
                str(in_its_file(problem, files, typed)) for problem in error.problems
            )
    # if an error were raised instead, Snakemake would also print a position in the code
    sys.exit(f"The configuration cannot be used.\n{message}")


CONFIG, CAMPAIGNS = configured()

# The data folder is not a parameter of a rule: verified files are the same in any folder, so jobs need not run again.
if CONFIG.data_folder:
    os.environ.update(FOCUSEVAL_DATA=CONFIG.data_folder)

#: the settings of campaigns on source code, as configured; in CAMPAIGNS, files of spans replace the code
ON_CODE = {name: campaign for name, campaign in CAMPAIGNS.items() if of_code(campaign)}
RUNS_OF = {name: number_of_runs(campaign) for name, campaign in CAMPAIGNS.items()}
CAMPAIGNS |= {
    name: in_spans(campaign, input_folder(name)) for name, campaign in ON_CODE.items()
}

#: what is requested of each campaign, by name
ASKED = requests(
    CONFIG.names + [one for name in CONFIG.names for one in CONFIG.draws.names(name)],
    CAMPAIGNS,
    {name: getattr(CONFIG, name) for name in PAPERS},
    {name: PAPERS[name] for name in CONFIG.papers or PAPERS},
    {name: holds_passages(CAMPAIGNS[name]) for name in CONFIG.names},
    CONFIG.findings,
    {name: RUNS_OF[name] for name in CONFIG.names},
    on_own=CONFIG.papers is not None,
)

#: REPORTED: the requested campaigns, except generated campaigns that no chosen paper uses. CAMPAIGNS and ASKED keep
#: only the reported campaigns, their `earlier` campaigns, and the draws of both
REPORTED = [
    name
    for name in CONFIG.names
    if ASKED[name].papers or not (CONFIG.papers and CAMPAIGNS[name].synthetic)
] or CONFIG.names
_NEEDED = {*REPORTED, *(CAMPAIGNS[name].earlier for name in REPORTED)}
_NEEDED |= {
    one for name in CAMPAIGNS if name in _NEEDED for one in CONFIG.draws.names(name)
}
CAMPAIGNS = {name: of for name, of in CAMPAIGNS.items() if name in _NEEDED}
ASKED = {name: of for name, of in ASKED.items() if name in _NEEDED}
DRAWS = [one for name in CAMPAIGNS for one in CONFIG.draws.names(name)]

# ------------------------------------------------------------------------------------------ campaigns and papers

SYNTHETIC = [name for name, of in CAMPAIGNS.items() if of.synthetic]
IMPORTED = [name for name, of in CAMPAIGNS.items() if of.importer]
#: names of the campaigns whose documents are not available
WITHOUT_TEXT = [
    name
    for name, of in CAMPAIGNS.items()
    if not (of.collection or of.synthetic or name in ON_CODE)
]
#: names of the campaigns whose runs are scored: `earlier` campaigns are included, draws are not
SCORED = [name for name, of in ASKED.items() if of.scores and name not in DRAWS]
#: VIEWED: the scores on each campaign's page; AUDITED: names of the campaigns that are audited
VIEWED = {name: ASKED[name].viewed for name in REPORTED if ASKED[name].viewed}
AUDITED = CONFIG.audit.campaigns or list(VIEWED)
#: for each folder of published files, the settings of a campaign that uses it
DATASETS = {CAMPAIGNS[name].dataset: CAMPAIGNS[name] for name in reversed(IMPORTED)}

COMPUTED = [name for name in PAPERS if any(name in of.papers for of in ASKED.values())]
WITH_EXAMPLES = [name for name in COMPUTED if PAPERS[name].examples]
#: the evaluations of public campaigns, as pairs of a publication and a campaign
EVALUATED = [
    (paper, name)
    for paper in COMPUTED
    for name in REPORTED
    if PAPERS[paper].declared.evaluation and paper in ASKED[name].papers
]


def draws_of(paper, campaign):
    """Return the names of a campaign's draws on which a paper is computed."""
    return [one for one in CONFIG.draws.names(campaign) if paper in ASKED[one].papers]


#: for each paper on each campaign, the campaigns with which printed numbers are compared: the draws of the campaign, or
#: the campaign itself if it has no draws
COMPARED_WITH = [
    (paper, name, draws_of(paper, name) or [name])
    for name in REPORTED
    for paper in ASKED[name].papers
]


def names(chosen):
    """Return the constraint of a wildcard that may have only these names."""
    return "|".join(map(re.escape, chosen)) or "none"


wildcard_constraints:
    campaign=names(CAMPAIGNS),
    task="[^/]+",
    quantisation="[A-Za-z]+",
    kind=r"[^/]+?(?<!\.notices)",
    simulation="[^/]+",
    perturbation="[^/]+",
    comparison="[^/]+",
    sweep="[^/]+",
    correlation="[^/.]+",
    runs="[^/]+",


# ------------------------------------------------------------------------------------------ code, and resources


def seen(files):
    """Return the paths of library files; they are relative if the working directory is inside the repository."""
    return [
        local(str(file) if ROOT.is_absolute() else os.path.relpath(file))
        for file in files
    ]


def code(script, *modules):
    """Return the library files on which a script and further modules (by name) depend, for `input: code=`.

    Snakemake itself runs a job again if the script changes, but not if a module changes that the script imports.
    """
    script = ROOT / "scripts" / f"{script}.py"
    return seen(library_files(*([script] if script.is_file() else []), *modules))


def code_of(script, paper, figures=False):
    """Return the library files that a script and a paper depend on, and the file that declares the paper."""
    modules, files = made_of(paper.name, figures)
    metrics = map(metric_of, paper.case_measures)
    return [*code_under(script, *metrics, modules=modules), *seen(files)]


def code_under(script, *metrics, modules=()):
    """Return the files that a script and metrics depend on; the point in ``metric~point`` is ignored."""
    families = sorted({metric.partition("~")[0] for metric in metrics})
    own = [f"focuseval.measures.{one}" for one in families if one != INSTALLED]
    others = installed_files("focuseval.measures") if INSTALLED in families else []
    return [*code(script, *modules, *own), *(local(str(file)) for file in others)]


#: the versions of the packages that compute results; with another version, all jobs run again
VERSIONS = {
    name: number
    for name, number in versions().items()
    if name not in ("python", "focuseval", "snakemake")
}

#: the templates and other files from which the report is made
TEMPLATES = seen(
    sorted(
        file
        for package, folder in (
            (focuseval, "report"),
            (focuseval_papers, "publication"),
        )
        for file in (Path(package.__file__).parent / folder / "templates").glob("*")
    )
)
#: the templates and other files from which the pages of campaigns are made
PAGE = seen(
    [
        Path(focuseval.__file__).parent / "report/templates/base.css",
        *sorted((Path(focuseval.__file__).parent / "viewer/templates").glob("view.*")),
    ]
)


def megabytes(most):
    """Return a function for `resources: mem_mb`: the memory of a job, which grows with the size of its inputs.

    ``most`` is the memory that the job needed for INEX 2003. Each new attempt gets more.
    """
    return (
        lambda wildcards, input, attempt: min(most, int(500 + 30 * input.size_mb))
        * attempt
    )


#: maximum number of consecutive jobs in each group of rules
JOBS_IN_A_ROW = {"campaign": 9, "simulation": 2, "papers": 2}


def minutes(most, group=""):
    """Return the time of a job in minutes for `resources: runtime`, or a function that returns it, as in `megabytes`.

    The key `longest_job` limits the time. For a group of consecutive jobs, Snakemake requests the sum of their times,
    so each job has a share of `longest_job`. Shares do not depend on inputs, because Snakemake adds up only times that
    it knows in advance.
    """
    if CONFIG.longest_job is None:
        return (
            lambda wildcards, input, attempt: min(most, int(5 + 2 * input.size_mb))
            * attempt
        )
    if group in JOBS_IN_A_ROW:
        return max(1, CONFIG.longest_job // JOBS_IN_A_ROW[group])
    return min(CONFIG.longest_job, most)


#: with fewer documents, one core is about as fast as two, because starting processes takes time
FEW_DOCUMENTS = 2_000


def cores(wildcards):
    """Return the number of cores of a job that makes or reads all documents: 2, or 1 for few documents."""
    space = CAMPAIGNS[wildcards.campaign].concept_space
    return 1 if space and settings(**space).articles < FEW_DOCUMENTS else 2


# ------------------------------------------------------------------------------------------ files of campaigns


def is_result(path):
    """Return whether a job of the workflow makes a file that a campaign names."""
    return Path(path).parts[:1] == ("results",)


def outside(path):
    """Return a campaign's file as an input; Snakemake ignores its date, unless a job of the workflow makes it."""
    if is_result(path):
        # the input is then the whole folder that a job makes for the campaign
        return "/".join(Path(path).parts[:3])
    return ancient(local(path))


def outsides(paths):
    """Return the input for a key of a campaign: a file, or a list of files, which is empty if the key is missing."""
    return outside(paths) if isinstance(paths, str) else list(map(outside, paths or []))


def campaign_file(key):
    """Return an input function for a campaign's file under a key, or the folder with it; [] without a file."""

    def path(wildcards):
        campaign = CAMPAIGNS[wildcards.campaign]
        if campaign.synthetic:
            return f"results/{campaign.name}/input"
        return outsides(getattr(campaign, key))

    return path


def campaign_files(wildcards, *keys):
    """Return the files that a campaign, its tasks and its views name under the given keys."""
    campaign = CAMPAIGNS[wildcards.campaign]
    return list(map(outside, campaign.files(*keys).values()))


def contents(*keys, also=lambda name: ()):
    """Return a function for params: checksums of a campaign's files under the given keys, except files of jobs."""

    def checksums(wildcards):
        wanted = [*keys, *(also(wildcards.campaign) or ())]
        files = CAMPAIGNS[wildcards.campaign].files(*wanted).items()
        return {key: content_of(path) for key, path in files if not is_result(path)}

    return checksums


def files_of_code(campaign):
    """Return the files that a campaign on source code names; revisions of repositories are left out."""
    files = ON_CODE[campaign].files().values() if campaign in ON_CODE else []
    return [outside(path) for path in files if revision_of(path) is None]


def contents_of_code(campaign):
    """Return the checksums of the files that a campaign on source code names; for a revision, its commit."""
    files = ON_CODE[campaign].files().values() if campaign in ON_CODE else []
    return [
        commit_of(*revision) if (revision := revision_of(path)) else content_of(path)
        for path in files
    ]


def table_of_sources(wildcards):
    """Return the path of the table that lists the sources of a data set; [] if the configuration lists them."""
    sources = DATASETS[wildcards.dataset].sources
    return local(sources) if isinstance(sources, str) else []


def sources_of(wildcards):
    """Return the folder of published files from which a campaign is imported."""
    campaign = CAMPAIGNS[wildcards.campaign]
    return f"results/sources/{campaign.dataset}" if campaign.importer else []


def importer_of(wildcards):
    """Return the module of a campaign's importer, as a list; [] without an importer."""
    importer = CAMPAIGNS[wildcards.campaign].importer
    return [f"focuseval_papers.importers.{importer}"] if importer else []


def made_for_campaign(wildcards):
    """Return the folder of the files that a job makes for a campaign; [] if no job makes any."""
    made = wildcards.campaign in (*SYNTHETIC, *IMPORTED, *ON_CODE)
    return f"results/{wildcards.campaign}/input" if made else []


#: keys of a campaign that do not affect how its files are read
NOT_READ = {
    *(*ANALYSES, "title", "papers", "earlier"),
    *("sources", "importer", "licence", "citation", "properties"),
}


def settings_of(campaign):
    """Return the settings that affect how a campaign's files are read, without paths, which are inputs."""
    settings = CAMPAIGNS[campaign].model_dump(mode="json", exclude=NOT_READ)
    for part in (
        settings,
        *(settings["tasks"] or {}).values(),
        *(settings["views"] or {}).values(),
    ):
        part |= {key: key for key in FILES if part.get(key)}
    return settings


#: the files of a synthetic campaign, by the keys under which the configuration names the files of other campaigns
GENERATED = {
    "collection": "collection.zip",
    "topics": "topics.xml",
    "assessments": "assessments",
}

#: the folders and files of a synthetic campaign's assessments, by scale
GENERATED_ON_SCALE = {
    "inex2002": "assessments-2002",
    "inex2005": "assessments-2005",
    "highlights": "highlights.qrels",
}


def inside(campaign, key, part=""):
    """Return the path of a file inside the folder that a job makes; "" for a file that no job makes."""
    of = CAMPAIGNS[campaign]
    own = of.parts.get(part)
    path = (own and getattr(own, key, None)) or getattr(of, key)
    if of.synthetic and not (own and getattr(own, key, None)):
        if of.structured_topics and part in (
            CAS_TASKS if key == "assessments" else INEX2005
        ):
            return f"structured/{part if key == 'assessments' else 'topics.xml'}"
        name = GENERATED[key]
        return GENERATED_ON_SCALE.get(of.scale, name) if key == "assessments" else name
    return (
        "/".join(Path(path).parts[3:])
        if isinstance(path, str) and is_result(path)
        else ""
    )


def every_inside(campaign, key):
    """Return `inside` for all files of a campaign, its tasks and its views under a key, as `campaign_files` does."""
    of = CAMPAIGNS[campaign]
    return [
        inside(campaign, key, name)
        for name, part in {"": of, **of.parts}.items()
        for path in paths_of(getattr(part, key, None))
    ]


def texts_to_compare(wildcards):
    """Return the documents if the campaign's files quote texts to compare with them; else []."""
    compared = has_texts(CAMPAIGNS[wildcards.campaign])
    return campaign_file("collection")(wildcards) if compared else []


# ------------------------------------------------------------------------------------------ artefacts of a campaign


def collection_of(wildcards):
    """Return the element tables of a campaign's documents."""
    names = "documents.parquet", "elements.parquet", "notices.csv"
    return [f"results/{wildcards.campaign}/collection/{name}" for name in names]


#: names of the tables that store assessments
ASSESSMENTS = ("topics", "elements", "passages", "spans", "entry_points")


def assessments_for(task):
    """Return an input function: the assessments of a task."""
    return lambda w: [
        f"results/{w.campaign}/assessments/{task}/{name}.parquet"
        for name in ASSESSMENTS
    ]


def assessments_of(wildcards):
    """Return the file of assessments of a campaign, a task or a view, or the folder in which a job makes the file."""
    campaign = CAMPAIGNS[wildcards.campaign]
    part = campaign.parts.get(wildcards.task)
    return (
        outside(part.assessments)
        if part and part.assessments
        else campaign_file("assessments")(wildcards)
    )


def runs_of(wildcards):
    """Return the files of the runs of a campaign, or of one of its tasks or views."""
    campaign = CAMPAIGNS[wildcards.campaign]
    part = campaign.parts.get(wildcards.runs)
    return outsides(part and part.runs) or campaign_file("runs")(wildcards)


def baselines_of(wildcards):
    """Return the files of baseline runs that are scored in addition to a campaign's own runs."""
    campaign = CAMPAIGNS[wildcards.campaign]
    if not (campaign.adds_baselines and wildcards.runs == SUBMITTED):
        return []
    return (
        f"results/{campaign.name}/runs/{RETRIEVED}{KIND_OF_TASK[campaign.task]}.parquet"
    )


def run_files(campaign):
    """Return all files of runs that are scored on a campaign."""
    return [f"results/{campaign}/runs/{name}.parquet" for name in ASKED[campaign].runs]


def set_of(wildcards, wildcard):
    """Return the set of runs that a wildcard names."""
    name = getattr(wildcards, wildcard)
    try:
        return ASKED[wildcards.campaign].sets[name]
    except KeyError:
        raise WorkflowError(f"no result needs {name} of {wildcards.campaign}") from None


def assessments_of_set(wildcards, wildcard):
    """Return the files of the assessments of the set of runs that a wildcard names."""
    return assessments_for(set_of(wildcards, wildcard).judgements)(wildcards)


def recall_bases(campaign, runs, quantisations):
    """Return the files of recall-bases that a set of runs requires, under the given quantisations."""
    return [
        f"results/{campaign}/recall_base/{runs.judgements}.{quantisation}.parquet"
        for quantisation in sorted(set(quantisations))
    ]


def recall_bases_of_set(wildcards, wildcard):
    """Return the files of recall-bases from which simulated or perturbed runs are made."""
    runs = set_of(wildcards, wildcard)
    return recall_bases(wildcards.campaign, runs, runs.quantisations)


def specs_of(wildcards):
    """Return the measures of a scoring job."""
    asked = ASKED[wildcards.campaign].scores[wildcards.runs, wildcards.metric]
    return [spec for name in asked for spec in specs_named(name)]


@cache
def specs_named(name):
    """Return the measures that a name stands for; each name is parsed only once."""
    return parse_specs(name, MEASURES)


def scored_recall_bases(wildcards):
    """Return the files of the ideal recall-bases that the measures of a scoring job use."""
    asked = filter(None, map(ideal_quantisation, specs_of(wildcards)))
    return recall_bases(wildcards.campaign, set_of(wildcards, "runs"), asked)


def reads_texts(wildcards):
    """Return whether any measure of a scoring job reads the texts of documents."""
    return any("texts" in spec.needs for spec in specs_of(wildcards))


def file_of_runs(wildcards, wildcard):
    """Return the file of the runs to perturb; [] if ideal rankings are perturbed."""
    runs = set_of(wildcards, wildcard).runs
    return f"results/{wildcards.campaign}/runs/{runs}.parquet" if runs else []


def artefact_of(wildcards):
    """Return the file of the runs to score."""
    return f"results/{wildcards.campaign}/{set_of(wildcards, 'runs').artefact}"


def score_file(campaign, runs, metric, end=""):
    """Return the file of the scores of a set of runs under a metric; ``end`` selects a file next to it."""
    return f"results/{campaign}/scores/{runs}/{metric}{end}.parquet"


def scores_read(wildcards, stage, name, end="", campaigns=CAMPAIGNS):
    """Return the files of scores that an analysis of a stage reads, for the given campaigns."""
    reads = dict.fromkeys(ASKED[wildcards.campaign].reads[stage, name])
    return [score_file(*one, end) for one in reads if one.campaign in campaigns]


def comparison_of(wildcards):
    """Return the requested comparison with a name; SYSTEMS and VARIANTS are those under main measures."""
    asked = ASKED[wildcards.campaign]
    of_all = {SYSTEMS: asked.systems, VARIANTS: asked.variants}
    return of_all.get(wildcards.comparison) or asked.comparisons[wildcards.comparison]


def sweep_of(wildcards):
    """Return the requested sweep with a name."""
    return ASKED[wildcards.campaign].sweeps[wildcards.sweep]


def viewed_metrics(wildcards):
    """Return the metrics of the measures on a campaign's page."""
    return [*metrics_of(VIEWED[wildcards.campaign].measures)]


def scores_viewed(wildcards, end=""):
    """Return the files of scores on a campaign's page; with ``end``, files for all measures of its own runs."""
    viewed = VIEWED[wildcards.campaign]
    metrics = metrics_of([*viewed.measures, *(viewed.others if end else [])])
    return [
        score_file(wildcards.campaign, viewed.runs.name, metric, end)
        for metric in metrics
    ]


def notices_of(wildcards):
    """Return the files of notices on all files of a campaign that jobs read."""
    campaign, asked = wildcards.campaign, ASKED[wildcards.campaign]
    return [
        f"results/{campaign}/collection/notices.csv",
        *(
            f"results/{campaign}/assessments/{name}/notices.csv"
            for name in asked.assessments
        ),
        *(f"results/{campaign}/runs/{name}.notices.csv" for name in asked.runs),
    ]


# ------------------------------------------------------------------------------------------ papers


def context_of(paper, campaign):
    """Return the context of a paper's declarations as plain values."""
    return ASKED[campaign].papers[paper].as_dict()


def run_sets_of_paper(wildcards):
    """Return the sets of runs whose scores a paper reads, each with the name of its campaign."""
    reads = ASKED[wildcards.campaign].reads["papers", wildcards.paper]
    return [(one.campaign, ASKED[one.campaign].sets[one.runs]) for one in reads]


def assessments_of_paper(wildcards):
    """Return the files of the assessments on which a paper's runs are scored."""
    files = (
        file
        for campaign, runs in run_sets_of_paper(wildcards)
        for task in (ALL, runs.judgements)
        for file in assessments_for(task)(Wildcards(campaign))
    )
    return list(dict.fromkeys(files))


def runs_of_paper(wildcards):
    """Return the files of the runs that a paper reads."""
    files = {
        f"results/{name}/runs/{one.runs}.parquet"
        for name, one in run_sets_of_paper(wildcards)
        if one.runs
    }
    return sorted(files)


def of_campaigns(files):
    """Return an input function for all campaigns of a paper, from the input function ``files`` for one campaign."""
    return lambda w: [
        file
        for name in dict.fromkeys(name for name, _ in run_sets_of_paper(w))
        for file in files(Wildcards(name))
    ]


def correlations_of_paper(wildcards):
    """Return the files of the correlations that a paper reads."""
    base = f"results/{wildcards.campaign}/correlations"
    names = (one.name for one in PAPERS[wildcards.paper].declared.correlations)
    return [f"{base}/{name}.parquet" for name in names]


def printed(paper):
    """Return the files of a paper's printed values."""
    return [
        local(str(ROOT / f"config/published/{name}.csv"))
        for name in paper.declared.printed
    ]


#: a replacement of Snakemake's wildcards, to call an input function for a campaign outside a rule
Wildcards = namedtuple("Wildcards", "campaign")


def of_paper(paper):
    """Return the result folders of a paper: its worked examples, and one for each campaign."""
    examples = [f"results/{paper}"] if paper in WITH_EXAMPLES else []
    return examples + [
        f"results/{name}/{paper}" for name, of in ASKED.items() if paper in of.papers
    ]


def of_papers():
    """Return the folders of all papers in the order of the report; the table of evaluations precedes the first one."""
    found = []
    for paper in COMPUTED:
        if EVALUATED and paper == EVALUATED[0][0]:
            found.append(OF_EVALUATIONS[0])
        found += of_paper(paper)
    return found


def with_files(folders):
    """Return folders, each followed by the file with the checksums of its files."""
    lists = [
        f"{folder}.sha256" for folder in folders if not str(folder).endswith(".html")
    ]
    return [*folders, *lists]


def analyses(stage):
    """Return the result folders of a stage (such as comparisons) on all reported campaigns."""
    return [
        f"results/{campaign}/{stage}/{name}"
        for campaign in REPORTED
        for of, name in ASKED[campaign].reads
        if of == stage
    ]


def artefacts():
    """Return the artefacts, of all stages, from which the results are made."""
    for name, asked in ASKED.items():
        if not asked.scores:
            continue
        base, campaign = f"results/{name}", Wildcards(name)
        files = [
            "facts.parquet",
            "calibration.csv",
            "population.csv",
            "description.html",
        ]
        if any(runs.startswith(RETRIEVED) for runs in asked.runs):
            files.append("collection/terms.parquet")
        files += [runs.artefact for runs in asked.sets.values()]
        for one in asked.correlations:
            files += [f"correlations/{one}.parquet", f"correlations/{one}.sha256"]
        yield from (f"{base}/{file}" for file in files)
        yield from [
            *collection_of(campaign),
            *notices_of(campaign),
            *run_files(name),
        ]
        for task in asked.assessments:
            yield from assessments_for(task)(campaign)
        for runs, metric in asked.scores:
            scored = Scored(name, runs, metric)
            yield from [
                score_file(*scored),
                score_file(*scored, ".left_out"),
                *scored_recall_bases(scored),
            ]
