"""The function `focuseval.view`, which makes a page for exploring runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Unpack

from focuseval.api import run_named, score_campaign
from focuseval.campaign.assembly import Campaign, assemble
from focuseval.campaign.notices import lines
from focuseval.campaign.settings import Inputs, InputSettings, Runs
from focuseval.chunks.frameworks import in_frames
from focuseval.comparing.sweep import By
from focuseval.errors import InputError, counted, meant
from focuseval.model.elements import Collection
from focuseval.statistics.comparisons import Method
from focuseval.viewer.contents import Texts, ViewSettings, contents
from focuseval.viewer.page import View
from focuseval.viewer.queries import queries_of


def view(
    measures: str | Sequence[str],
    *,
    runs: Runs,
    baseline: str | None = None,
    title: str = "",
    queries: Mapping[str, str] | None = None,
    depth: int = 100,
    best: int | None = None,
    by: By | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    task: str = "thorough",
    **inputs: Unpack[InputSettings],
) -> View:
    """Return a page for exploring a campaign: runs, topics, rankings, and the text that runs find or repeat.

    ``measures``
        names as for `focuseval.score`. Runs are sorted by the first measure.
    ``runs``, ``task``, ``inputs``
        as for `focuseval.score`. The page shows no texts if ``documents`` are missing or are a
        `focuseval.model.elements.Collection`.
    ``baseline``
        the baseline that the page shows first, by its name or file. The default is the runner-up by the first measure.
    ``title``
        the title of the page.
    ``queries``
        the query of each topic. By default, queries are read from the key ``query`` in files of JSON lines.
    ``depth``
        the number of results shown for each list. Scores are computed from whole lists.
    ``best``
        the number of best runs by the first measure that the page shows, with the baseline. The default is all runs.
    ``by``
        the settings of a sweep, as for `focuseval.compare`. The page shows a curve of the means.
    ``resamples``, ``seed``, ``alpha``
        settings of the intervals and of the paired randomisation test (two-tailed, Holm's correction), as for
        `focuseval.compare`.

    Notebooks show the page. The method ``save`` writes a file that needs no network. Raises InputError that lists all
    problems of the inputs.
    """
    settings = Inputs.of(view, inputs)
    texts_of_queries = queries_of(settings.assessments) if queries is None else queries
    method = Method(resamples=resamples, seed=seed, alpha=alpha)
    return view_campaign(
        assemble(settings, in_frames(runs, settings)),
        measures,
        _texts(settings.collection, settings.texts, settings.documents_as),
        ViewSettings(title, baseline, texts_of_queries, depth, best, method=method, by=by),
        task=task,
        lenient=settings.lenient,
    )


def view_campaign(
    campaign: Campaign,
    measures: str | Sequence[str],
    texts: Texts | None,
    settings: ViewSettings,
    *,
    task: str = "thorough",
    lenient: bool = False,
) -> View:
    """Return the page of `view` for a campaign that has already been read."""
    scores = score_campaign(campaign, measures, task=task, lenient=lenient)
    names = [str(run) for run in campaign.results.runs]
    baseline = run_named(settings.baseline, campaign.in_files)
    if baseline is not None and baseline not in names:
        expected = f"{meant(baseline, names)}expected one of {', '.join(names)}"
        raise InputError.of("baseline", f"no run is named {baseline!r}", expected)
    notes = lines([*campaign.notices, *scores.notices])
    among = f"{settings.best} best of " if settings.best and settings.best < len(names) else ""
    title = settings.title or f"{among}{counted(len(names), 'run')}, {counted(len(campaign.topics), 'topic')}"
    content = contents(
        campaign.topics,
        campaign.results,
        scores.per_topic,
        list(scores.specs.values()),
        texts,
        replace(settings, title=title, baseline=baseline, signature=scores.signature),
        notes,
    )
    return View(content, notes)


def _texts(
    collection: Collection | str | PathLike[str] | None, texts: Mapping[str, str] | None, kind: str | None
) -> Texts | None:
    """Return a function that yields texts of documents, or None if texts are unavailable."""
    if texts is not None:
        by_name = {str(name).strip(): text for name, text in texts.items()}
        return lambda names: ((name, by_name[name]) for name in names)
    return None if isinstance(collection, Collection | None) else texts_of(Path(collection), kind)


def texts_of(source: Path, kind: str | None = None) -> Texts:
    """Return a function that reads texts of documents from a folder or archive."""
    from focuseval.campaign.collection_read import document_texts
    from focuseval.campaign.on_code import NOTHING
    from focuseval.model.elements import NOWHERE

    def texts(names: Sequence[str]) -> Iterator[tuple[str, str]]:
        yield from document_texts(source, documents=set(names), kind=kind)
        yield from ((name, NOTHING) for name in names if name.startswith(NOWHERE))

    return texts
