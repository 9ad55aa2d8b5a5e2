"""What all rules share: the checked configuration, what it asks for, and the code that a script depends on."""

import os
from pathlib import Path

from snakemake.exceptions import WorkflowError

import focuseval
from focuseval.campaign.configuration import read, unusable
from focuseval.errors import InputError
from focuseval.measures import MEASURES
from focuseval.papers.paper import NAMES, load
from focuseval.reach import reached
from focuseval.requests import requests

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
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str((ROOT / "src").resolve()), os.environ.get("PYTHONPATH")])
)

PAPERS = {name: load(name) for name in NAMES}


def configured():
    """The configuration and its campaigns by name, checked; ends with a message that says what is wrong."""
    files = [str(file) for file in workflow.configfiles]
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
            told = error
    raise WorkflowError(f"The configuration cannot be used.\n{told}")


CONFIG, CAMPAIGNS = configured()

# No parameter of a rule: files that are what they should be do not change with the folder they came from.
if CONFIG.data_folder:
    os.environ["FOCUSEVAL_DATA"] = CONFIG.data_folder

if Path("results").exists() and not os.access("results", os.W_OK):
    raise WorkflowError(
        f"The folder {Path('results').resolve()} cannot be written: it is on a read-only disk, or you may not "
        "write there. Give yourself the right, or run the workflow in a copy of the repository."
    )

#: the campaigns that are asked for, without those that others name as `earlier`
REPORTED = CONFIG.names

#: what is asked of every campaign
ASKED = requests(
    REPORTED, CAMPAIGNS, {name: getattr(CONFIG, name) for name in PAPERS}, PAPERS
)


def names(chosen):
    """A constraint of the wildcard `campaign`: these campaigns."""
    return "|".join(chosen) or "none"


wildcard_constraints:
    campaign=names(CAMPAIGNS),
    batch="[a-z]+",


def seen(files):
    """Files of the repository as seen from the working directory where that is the repository; else as they are."""
    return [
        str(file) if ROOT.is_absolute() else os.path.relpath(file) for file in files
    ]


def code(script, *modules):
    """The library files that a script, and further modules by name, reach, for `input: code=`.

    Snakemake re-runs a rule when its script changes, but knows nothing of what the script imports.
    """
    script = ROOT / "scripts" / f"{script}.py"
    return seen(reached(*([script] if script.is_file() else []), *modules))


#: what the report is made with
TEMPLATES = seen(
    sorted((Path(focuseval.__file__).parent / "present/templates").glob("*"))
)


def megabytes(most):
    """Memory of a job for `resources: mem_mb`: what it took at the size of INEX 2003, more when tried again."""
    return lambda wildcards, attempt: most * attempt


def minutes(most):
    """Time of a job for `resources: runtime`, as with memory."""
    return lambda wildcards, attempt: most * attempt
