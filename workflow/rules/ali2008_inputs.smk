"""What the rules of Ali et al. (2008) read: campaigns, tasks, and the files that belong to them."""

from focuseval.reproductions.ali2008.names import (
    ACCURACY as ALI2008_ACCURACY,
    EXAMPLE_FIGURES as ALI2008_EXAMPLE_FIGURES,
    EXAMPLE_TABLES as ALI2008_EXAMPLE_TABLES,
    FIDELITY as ALI2008_FIDELITY,
    FIGURES as ALI2008_FIGURES,
    TABLES as ALI2008_TABLES,
    figures_of as ali2008_figures_of,
    tasks_of as ali2008_tasks_of,
)
from focuseval.simulation.perturbations import PERTURBATIONS
from focuseval.summaries import NAMED as SUMMARIES

ALI2008 = CONFIG["ali2008"]
ALI2008_CAMPAIGNS = reported("ali2008", "inex2005", "highlights")

#: by campaign: the paper's tasks that it has, and what each is scored from
ALI2008_TASKS = {name: ali2008_tasks_of(CAMPAIGNS[name]) for name in ALI2008_CAMPAIGNS}

#: what SRP is set to
ALI2008_SETTINGS = {
    key: ALI2008[key] for key in ("summary", "edges", "weight", "quantisation")
}


def ali2008_source(wildcards):
    """The files of a campaign's results that a task is scored from."""
    return ALI2008_TASKS[wildcards.campaign][wildcards.kind]


def ali2008_judgements(wildcards):
    """An input function: the judgements that a task is scored from."""
    return multiext(
        f"results/{wildcards.campaign}/{ali2008_source(wildcards).judgements}/",
        "judgements.parquet",
        "passages.parquet",
        "topics.json",
    )


def ali2008_results(wildcards):
    """An input function: the runs of a task."""
    return f"results/{wildcards.campaign}/{ali2008_source(wildcards).runs}"


def ali2008_of_tasks(study, file):
    """An input function: a file of every task of a study that a campaign has."""
    return lambda w: [
        f"results/{w.campaign}/ali2008/{task}/{file}"
        for task in study
        if task in ALI2008_TASKS[w.campaign]
    ]


def ali2008_left_out(wildcards):
    """What the scores of every task left out, by task."""
    return {
        task: f"results/{wildcards.campaign}/ali2008/{task}/left_out_{study}.json"
        for study, tasks in (
            ("accuracy", ALI2008_ACCURACY),
            ("fidelity", ALI2008_FIDELITY),
        )
        for task in tasks
        if task in ALI2008_TASKS[wildcards.campaign]
    }
