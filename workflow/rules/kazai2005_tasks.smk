"""Kazai & Lalmas (2005): the tasks of every campaign, what each is scored from, and the points of the sweep."""

from itertools import product

import pandas
from snakemake.utils import Paramspace

from focuseval.reproductions.kazai2005.names import kind_of, sources

KAZAI2005 = CONFIG["kazai2005"]
KAZAI2005_CAMPAIGNS = reported("kazai2005", "inex2005")

#: by campaign: its tasks, and what each is scored from
KAZAI2005_TASKS = {name: sources(CAMPAIGNS[name]) for name in KAZAI2005_CAMPAIGNS}

#: by campaign: its first task whose runs overlap, which sweeps are made on
KAZAI2005_SWEPT = {
    name: task
    for name, tasks in KAZAI2005_TASKS.items()
    for task in list(tasks)[::-1]
    if kind_of(task) == "thorough"
}

#: by campaign: the task that Figure 1 is drawn from, with overlap considered if there is one
KAZAI2005_SHOWN = {
    name: next(
        (task for task in tasks if kind_of(task) == "focussed"), next(iter(tasks))
    )
    for name, tasks in KAZAI2005_TASKS.items()
}

#: one job for each point; all alphas and cut-offs inside
SWEEP = KAZAI2005["sweep"]
SWEEP_POINTS = Paramspace(
    pandas.DataFrame(
        product(SWEEP["ideal"], SWEEP["own_text"]), columns=["ideal", "own_text"]
    )
)
SWEEP_ALPHAS = [round(float(alpha), 2) for alpha in SWEEP["alphas"]]


def kazai2005_source(part):
    """An input function: a file of the campaign's results that a task is scored from."""

    def path(wildcards):
        source = KAZAI2005_TASKS[wildcards.campaign][wildcards.task]
        return f"results/{wildcards.campaign}/{getattr(source, part)}"

    return path


def kazai2005_judgements(task):
    """An input function: the judgements of a task, which a function of the wildcards names."""
    return lambda w: multiext(
        f"results/{w.campaign}/{KAZAI2005_TASKS[w.campaign][task(w)].judgements}/",
        "judgements.parquet",
        "passages.parquet",
        "topics.json",
    )


def kazai2005_own(key):
    """An input function: what a task has of its own in the configuration of its campaign."""
    return lambda w: CAMPAIGNS[w.campaign]["tasks"][w.task][key]


def kazai2005_of_tasks(file):
    """An input function: a file of every task of a campaign."""
    return lambda w: expand(
        "results/{campaign}/kazai2005/{task}/{file}",
        campaign=w.campaign,
        task=KAZAI2005_TASKS[w.campaign],
        file=file,
    )
