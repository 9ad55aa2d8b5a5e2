"""What all rules share: the checked configuration, and the library files that a script depends on."""

import ast
import os
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError

from focuseval.campaign.configuration import check, read_campaigns, read_yaml, with_defaults
from focuseval.errors import InputError
from focuseval.measures import family_of


def configured():
    """The configuration and its campaigns by name, checked; ends with a message that says what is wrong."""
    schema = read_yaml(Path("workflow/schemas/config.yaml"))
    campaign_schema = read_yaml(Path("workflow/schemas/campaign.yaml"))
    source = ", ".join(str(file) for file in workflow.configfiles)
    try:
        check(config, schema, source)
        return with_defaults(config, schema), read_campaigns(
            config["campaigns"], campaign_schema, Path("config/campaigns"), source
        )
    except InputError as error:
        raise WorkflowError(f"The configuration cannot be used.\n{error}") from None


CONFIG, CAMPAIGNS = configured()

if Path("results").exists() and not os.access("results", os.W_OK):
    raise WorkflowError(
        f"The folder {Path('results').resolve()} cannot be written: it is on a read-only disk, or you may not "
        "write there. Give yourself the right, or run the workflow in a copy of the repository."
    )

#: the campaigns that are asked for, without those that others name as `earlier`
REPORTED = [
    entry if isinstance(entry, str) else entry["name"] for entry in CONFIG["campaigns"]
]

#: the campaigns that are made here, and those with submitted runs
SYNTHETIC = [
    name for name, campaign in CAMPAIGNS.items() if "concept_space" in campaign
]
SUBMITTED = [name for name, campaign in CAMPAIGNS.items() if "runs" in campaign]

#: the files of a synthetic campaign, by the keys under which the configuration names those of others
MADE = {
    "collection": "collection.zip",
    "topics": "topics.xml",
    "assessments": "assessments",
}


#: the folder of a synthetic campaign's assessments, by scale
SCALES = {"inex2005": "assessments-2005", "highlights": "highlights.qrels"}


def reported(paper, *scales):
    """The campaigns to compute a paper on: those that name it, or name no paper and are on one of the scales.

    Without scales, the paper can be computed on any.
    """
    return [
        name
        for name in REPORTED
        for campaign in [CAMPAIGNS[name]]
        if paper in campaign.get("papers", [paper])
        and ("papers" in campaign or not scales or campaign.get("scale") in scales)
    ]


def made(campaign, key):
    """The file of a synthetic campaign: its assessments are on the scale that its configuration names."""
    scale = CAMPAIGNS[campaign].get("scale")
    return SCALES.get(scale, MADE[key]) if key == "assessments" else MADE[key]


def given(key):
    """An input function: the file of a campaign under a key, made here or from its configuration."""
    return lambda wildcards: (
        f"results/{wildcards.campaign}/input/{made(wildcards.campaign, key)}"
        if wildcards.campaign in SYNTHETIC
        else CAMPAIGNS[wildcards.campaign][key]
    )


def settings(*keys):
    """A function for params: the settings of a campaign under some keys, so that others trigger no re-run."""
    return lambda wildcards: {
        key: CAMPAIGNS[wildcards.campaign].get(key) for key in keys
    }


def scored(campaign, size, measures):
    """Have the runs of a campaign, cut at a size, scored under these measures: where, without suffix."""
    families = {name: family_of(name) for name in measures}
    for name, family in families.items():
        known = MEASURES.setdefault((campaign, size, family), [])
        if name not in known:
            known.append(name)
    return [
        f"results/{campaign}/scores/{size}/{family}"
        for family in dict.fromkeys(families.values())
    ]


wildcard_constraints:
    campaign="|".join(CAMPAIGNS),
    size=r"\d+",
    family="[a-z0-9_]+",


def module_file(name):
    """The file of a module of the library or beside the scripts; None for any other."""
    path = name.replace(".", "/")
    places = (f"src/{path}.py", f"src/{path}/__init__.py", f"scripts/{path}.py")
    return next((place for place in places if Path(place).is_file()), None)


@cache
def imported(file):
    """The files that a Python file imports from the library or from beside the scripts."""
    names = set()
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(
                [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            )
    return {found for name in names if (found := module_file(name))}


def code(script, *modules):
    """The library files that a script (and further modules by name) depend on, for `input: code=`.

    Snakemake re-runs a rule when its script changes, but knows nothing of what the script imports. The
    `__init__` of a package counts only where names are imported from it: that a new measure is listed in
    `focuseval.measures` changes nothing for the others. The templates count as what is made of them.
    """
    waiting = {f"scripts/{script}.py", *(module_file(module) for module in modules)}
    files = set()
    while waiting:
        file = waiting.pop()
        files.add(file)
        waiting |= imported(file) - files
    if module_file("focuseval.present.page") in files:
        files.update(map(str, Path("src/focuseval/present/templates").iterdir()))
    return sorted(files - {f"scripts/{script}.py"})


def megabytes(most):
    """Memory of a job for `resources: mem_mb`: what it took at the size of INEX 2003, more when tried again."""
    return lambda wildcards, attempt: most * attempt


def minutes(most):
    """Time of a job for `resources: runtime`, as with memory."""
    return lambda wildcards, attempt: most * attempt
