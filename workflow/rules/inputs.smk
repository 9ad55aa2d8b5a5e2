"""Input functions: which files of a campaign the rules of a paper read."""


def judgement_files(campaign, source):
    """The files of the judgements that a task is scored from."""
    return multiext(
        f"results/{campaign}/{source.judgements}/",
        "judgements.parquet",
        "passages.parquet",
        "topics.json",
    )


def compared(campaign, asked):
    """Have the systems of a campaign compared as `significance` of its configuration says."""
    measures = [asked["measure"], *filter(None, [asked.get("ranked_by")])]
    scores = scored(campaign, asked["size"], measures)
    settings = {"top": None, "ranked_by": None, **asked}
    COMPARISONS[campaign, asked["name"]] = {"scores": scores, "asked": settings}


def kazai2005_source(part):
    """An input function: a file of the campaign's results that a task is scored from."""

    def path(wildcards):
        source = KAZAI2005_TASKS[wildcards.campaign][wildcards.task]
        return f"results/{wildcards.campaign}/{getattr(source, part)}"

    return path


def kazai2005_judgements(task):
    """An input function: the judgements of a task, which a function of the wildcards names."""
    return lambda w: judgement_files(w.campaign, KAZAI2005_TASKS[w.campaign][task(w)])


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


def piwowarski2006_task(campaign):
    """The task that a campaign's runs are taken from, CO.Focussed if it has it, and what it is scored from."""
    tasks = sources(campaign)
    name = "CO.Focussed" if "CO.Focussed" in tasks else next(iter(tasks))
    return name, tasks[name]


def piwowarski2006_judgements(wildcards):
    """An input function: the judgements of the task."""
    _, source = PIWOWARSKI2006_TASKS[wildcards.campaign]
    return judgement_files(wildcards.campaign, source)


def piwowarski2006_runs(wildcards):
    """An input function: the runs of the task."""
    _, source = PIWOWARSKI2006_TASKS[wildcards.campaign]
    return f"results/{wildcards.campaign}/{source.runs}"


def piwowarski2006_topics(wildcards):
    """For params: the topics of the task, None for all."""
    _, source = PIWOWARSKI2006_TASKS[wildcards.campaign]
    return source.topics


def kamps2007_scores(suffix):
    """An input function: the scores under both measures, or with the suffix json what they left out."""
    return lambda w: [
        f"{scores}.{suffix}"
        for scores in scored(w.campaign, KAMPS2007["size"], [MAGP, MAP])
    ]


def ali2008_source(wildcards):
    """The files of a campaign's results that a task is scored from."""
    return ALI2008_TASKS[wildcards.campaign][wildcards.kind]


def ali2008_judgements(wildcards):
    """An input function: the judgements that a task is scored from."""
    return judgement_files(wildcards.campaign, ali2008_source(wildcards))


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
