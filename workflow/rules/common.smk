"""What all rules share: the checked configuration, what it asks for, and functions for inputs and params."""

import os
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

import focuseval
import focuseval_papers
from focuseval_papers.workflow.configuration import made_for, read
from focuseval.campaign.tables import stamp
from focuseval.formats.documents import commit_of, revision_of
from focuseval_papers.workflow.recognition import (
    has_texts,
    holds_passages,
    in_spans,
    number_of_runs,
    of_code,
)
from focuseval_papers.workflow.runsets import ALL, SUBMITTED
from focuseval_papers.workflow.yaml_files import in_its_file, unusable
from focuseval.errors import InputError
from focuseval.measures import MEASURES
from focuseval_papers.publication.paper import NAMES, load, made_of
from focuseval.report.parts import Figure, Table, files_of
from focuseval_papers.workflow.jobs import lost, prefer_source
from focuseval_papers.workflow.dependencies import reached
from focuseval_papers.publication.requests import SWEEPS, SYSTEMS, requests
from focuseval_papers.synthetic.concept_settings import settings
from focuseval.campaign.tasks import CAS_TASKS

#: the repository, as seen from the working directory where it is below that
ROOT = Path(
    os.path.relpath(workflow.current_basedir.get_path_or_uri(secret_free=True))
).parent.parent
if not ROOT.is_dir():
    # Snakemake takes the workflow from a Git host: the configuration lies in the working directory, where
    # snakedeploy puts it, and the library is the installed one.
    ROOT = Path()
elif ROOT.parts[:1] == ("..",):
    ROOT = ROOT.resolve()

# Jobs find the library beside the workflow, in whatever environment they run.
prefer_source(ROOT / "src")


class _Quoted(str):
    """A path that is quoted where it becomes part of a command."""

    def __format__(self, specification):
        return shlex.quote(self)


# Snakemake puts the path of Python unquoted into the commands of jobs: below a folder with a blank none would start.
sys.executable = _Quoted(sys.executable)

PAPERS = {name: load(name) for name in NAMES}

#: what is asked for by name
TARGETS = ["report", *PAPERS, "own_systems", "significance", "sweeps", "audit"]


def configured():
    """The configuration and its campaigns by name, checked; ends with a message that says what is wrong."""
    # of those of the command line the last counts first, and all of them before the workflow's own
    given = [*reversed(workflow.overwrite_configfiles or ())]
    own = [file for file in workflow.configfiles if file not in given]
    files = [str(file) for file in (*given, *own)]
    told = unusable(files)
    if told is None:
        try:
            return read(
                config,
                {name: paper.settings for name, paper in PAPERS.items()},
                MEASURES,
                ROOT / "config/campaigns",
                ", ".join(files),
            )
        except InputError as error:
            typed = workflow.config_settings.config
            told = "\n".join(
                str(in_its_file(problem, files, typed)) for problem in error.problems
            )
    # an error of Snakemake's would tell where it is raised
    sys.exit(f"The configuration cannot be used.\n{told}")


CONFIG, CAMPAIGNS = configured()

# No parameter of a rule: files that are what they should be do not change with the folder they came from.
if CONFIG.data_folder:
    os.environ.update(FOCUSEVAL_DATA=CONFIG.data_folder)

#: where a result lies: below the prefix where another workflow has this one as a module with a prefix
placed = workflow.modifier.modify_path

if Path(placed("results")).exists() and not os.access(placed("results"), os.W_OK):
    raise WorkflowError(
        f"The folder {Path(placed('results')).resolve()} cannot be written: it is on a read-only disk, or you may not "
        "write there. Give yourself the right, or run the workflow in a copy of the repository."
    )

#: the campaigns whose documents are source code, as the configuration has them; later steps have spans of them
ON_CODE = {name: campaign for name, campaign in CAMPAIGNS.items() if of_code(campaign)}
RUNS_OF = {name: number_of_runs(campaign) for name, campaign in CAMPAIGNS.items()}
CAMPAIGNS |= {
    name: in_spans(campaign, made_for(name)) for name, campaign in ON_CODE.items()
}

#: the campaigns that are asked for, without those that others name as `earlier`
REPORTED = CONFIG.names

#: the campaigns that are draws of others
DRAWS = [one for name in CAMPAIGNS for one in CONFIG.draws.names(name)]

#: what is asked of every campaign
ASKED = requests(
    REPORTED + [one for name in REPORTED for one in CONFIG.draws.names(name)],
    CAMPAIGNS,
    {name: getattr(CONFIG, name) for name in PAPERS},
    PAPERS,
    {name: holds_passages(CAMPAIGNS[name]) for name in REPORTED},
    CONFIG.findings,
    {name: RUNS_OF[name] for name in REPORTED},
)


def names(chosen):
    """A constraint of the wildcard `campaign`: these campaigns."""
    return "|".join(chosen) or "none"


wildcard_constraints:
    campaign=names(CAMPAIGNS),
    batch="[a-z]+",


def outside(path):
    """An input that may be a result or not: what is not made here never has the prefix of a module."""
    return path if Path(path).parts[:1] == ("results",) else local(path)


def whole(files):
    """An input function: all these results; those that are folders and lost some of their files are made again.

    Snakemake sees no more than whether a folder is there.
    """
    files = [placed(file) for file in files]

    def all_of_them(wildcards):
        workflow.dag.forcefiles.update(filter(lost, files))
        return files

    return all_of_them


def seen(files):
    """Files of the repository as seen from the working directory where that is the repository; else as they are."""
    return [
        local(str(file) if ROOT.is_absolute() else os.path.relpath(file))
        for file in files
    ]


def code(script, *modules):
    """The library files that a script, and further modules by name, reach, for `input: code=`.

    Snakemake re-runs a rule when its script changes, but knows nothing of what the script imports.
    """
    script = ROOT / "scripts" / f"{script}.py"
    return seen(reached(*([script] if script.is_file() else []), *modules))


def code_of(script, paper, figures=False):
    """What a script reaches with a paper, and the file that declares it."""
    modules, files = made_of(paper.name, figures)
    return [*code(script, *modules), *seen(files)]


#: what the report is made with
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


def megabytes(most):
    """Memory of a job for `resources: mem_mb`: what it took at the size of INEX 2003, more when tried again."""
    return lambda wildcards, attempt: most * attempt


def minutes(most):
    """Time of a job for `resources: runtime`, as with memory."""
    return lambda wildcards, attempt: most * attempt


#: the files of a synthetic campaign, by the keys under which the configuration names those of others
MADE = {
    "collection": "collection.zip",
    "topics": "topics.xml",
    "assessments": "assessments",
}

#: a synthetic campaign's assessments, by scale
MADE_ON_SCALE = {
    "inex2002": "assessments-2002",
    "inex2005": "assessments-2005",
    "highlights": "highlights.qrels",
}


def given(key):
    """An input function: the file of a campaign under a key, made here or from its configuration; none if unset."""

    def path(wildcards):
        campaign = CAMPAIGNS[wildcards.campaign]
        if campaign.synthetic and key in MADE:
            made = MADE[key]
            if key == "assessments":
                made = MADE_ON_SCALE.get(campaign.scale, made)
            return f"results/{wildcards.campaign}/input/{made}"
        file = getattr(campaign, key)
        return outside(file) if file else []

    return path


def inside(*keys):
    """A parameter: what changes with the files in the folders that a campaign and its tasks have under these keys.

    Snakemake looks at the time of a folder, which stays as it is when a file in it is written anew.
    """

    def stamps(wildcards):
        # what is made here is made as a whole
        return [
            stamp(path)
            for path in CAMPAIGNS[wildcards.campaign].files(*keys).values()
            if Path(path).parts[:1] != ("results",)
        ]

    return stamps


def made_structured(campaign):
    """The folder of a made campaign's topics that ask for a structure, and of the assessments of the CAS tasks."""
    return f"{made_for(campaign.name)}/structured"


#: the campaigns whose documents are not at hand
WITHOUT_TEXT = [
    name
    for name, of in CAMPAIGNS.items()
    if not (of.collection or of.synthetic or name in ON_CODE)
]


def settings_of(campaign):
    """What of a campaign decides how its files are read."""
    return CAMPAIGNS[campaign].model_dump(
        mode="json",
        exclude={
            "title",
            "measures",
            "significance",
            "sweeps",
            "papers",
            "earlier",
            "sources",
            "importer",
            "licence",
            "citation",
        },
    )


def retrieves(wildcards):
    """Whether retrieval makes runs of a campaign."""
    campaign = CAMPAIGNS[wildcards.campaign]
    return campaign.beside or not campaign.submitted


#: documents that one core reads about as fast as two, which have to start
FEW_DOCUMENTS = 2_000


def cores(wildcards):
    """Cores for a job that makes or reads all documents of a campaign: two, unless they are known to be few.

    The priority of its jobs up to scores, too: small campaigns fill the core that is free beside a large one's scores.
    """
    made = CAMPAIGNS[wildcards.campaign].concept_space
    return 1 if made and settings(**made).articles < FEW_DOCUMENTS else 2


#: the campaigns of each set of published files, which are the same for all of them
DATASETS = {}
for campaign in CAMPAIGNS.values():
    if campaign.importer:
        DATASETS.setdefault(campaign.dataset, campaign)


def table_of_sources(wildcards):
    """The table of the sources of a data set, if they stand in one."""
    sources = DATASETS[wildcards.dataset].sources
    return local(sources) if isinstance(sources, str) else []


def task_files(wildcards):
    """The assessments and runs that tasks and views of a campaign have of their own."""
    campaign = CAMPAIGNS[wildcards.campaign]
    own = [
        outside(path)
        for key, path in campaign.files("assessments", "runs").items()
        if key.startswith(("tasks.", "views."))
    ]
    return own + ([made_structured(campaign)] if campaign.structured_topics else [])


def named_files(wildcards, key, wanted=None):
    """The assessments or runs of a campaign, its tasks and its views by name, as far as they are wanted and given.

    Without names all, the campaign's own once.
    """
    of_parts = CAMPAIGNS[wildcards.campaign].parts
    own = given(key)(wildcards)
    files = {ALL: own, SUBMITTED: own} | {
        name: outside(path)
        for name, part in of_parts.items()
        if (path := getattr(part, key))
    }
    wanted = [ALL, *of_parts] if wanted is None else wanted
    if key == "assessments" and CAMPAIGNS[wildcards.campaign].structured_topics:
        made = made_structured(CAMPAIGNS[wildcards.campaign])
        files |= {task: files.get(task) or f"{made}/{task}" for task in CAS_TASKS}
    return {name: str(placed(files[name])) for name in wanted if files.get(name)}


def scored_by(wildcards):
    """The modules that a scoring job computes with: families of measures, transformations of runs."""
    asked = ASKED[wildcards.campaign]
    return [
        *(f"focuseval.measures.{name}" for name in asked.families(wildcards.batch)),
        *asked.transformations(wildcards.batch),
    ]


def example_files(paper):
    """The files of a paper's worked examples."""
    items = paper.examples
    names = [*paper.texts, *files_of(items, Table), *files_of(items, Figure)]
    return [f"results/{paper.name}/{name}" for name in names]
