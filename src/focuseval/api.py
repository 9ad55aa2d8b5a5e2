"""The library in two calls: read a campaign, score it; or both at once with `score`, and runs with `compare`."""

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import pandas as pd

from focuseval.campaign.assembly import (
    Campaign,
    Paths,
    Reading,
    ReadingSettings,
    Runs,
    Told,
    assemble,
    check_settings,
)
from focuseval.errors import (
    LISTING,
    InputError,
    InputWarning,
    Problem,
    as_arguments,
    check_known,
    told,
    visible,
)
from focuseval.formats.memory import check_places, read_gold
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.model.elements import Collection
from focuseval.scoring.score import AVERAGES, Scores
from focuseval.scoring.score import score as score_results

if TYPE_CHECKING:
    from focuseval.comparing.compare import Comparison


Function = TypeVar("Function", bound=Callable[..., Any])

#: what is told of a campaign and its scores, a line each
Notices = Callable[[Campaign, Scores], list[str]]


def spelled_out(function: Function) -> Function:
    """The same function, whose signature as ``help`` shows it has the settings of `Reading` one by one."""
    own = inspect.signature(function)
    reading = inspect.signature(Reading).parameters
    settings = [
        reading[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in ReadingSettings.__annotations__
    ]
    others = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
    function.__signature__ = own.replace(parameters=[*others, *settings])  # type: ignore[attr-defined]
    return function


@spelled_out
def read_campaign(
    *,
    runs: Runs,
    assessments: Paths | None = None,
    gold: Any = None,
    collection: Collection | str | PathLike[str] | None = None,
    texts: Mapping[str, str] | None = None,
    lenient: bool = False,
    **reading: Unpack[ReadingSettings],
) -> Campaign:
    """Read assessments and runs, and put them on their collection.

    ``assessments``
        files, folders, or a list of them; in their place ``gold``, in memory: a pandas frame, any object with an
        Arrow stream (polars, DuckDB), or a list of dictionaries, with the columns topic, document, start and end, or
        topic, document and grade; or a dictionary ``{topic: {document: grade}}``.
    ``runs``
        files, folders, or a list of them; or data as ``gold`` by the names of the runs, with a rank or a score or in
        their order; ``{topic: {document: score}}`` is ordered as trec_eval does, ties by name.
    ``collection``
        a folder, ``.tar.gz`` or ``.zip`` of XML, or of plain text, Markdown and HTML without any XML, or a
        collection already read; in its place ``texts``, in memory, by the names of their documents. Without
        either only measures that need no text can be scored.

    Files may be packed by gzip; ``-`` is standard input. The other settings, all optional, say how
    they are read:

    ``assessment_format``, ``run_format``
        names of formats (docs/formats.md); recognised if not given.
    ``scale``
        of the assessments: ``inex2002``, ``inex2003``, ``inex2005``, ``highlights`` or ``grades``; recognised if not
        given.
    ``coverage``
        specificity of coverage N, L, S and E of INEX 2002, (0, 1, 2, 3) if not given.
    ``unit``
        what text is counted in: ``characters`` (if not given), ``words`` or ``bytes``.
    ``size``
        results of a topic that are looked at, all if not given (of INEX submissions 1500). What is cut is told.
    ``pools``
        keeps the topics of these assessment pools only.
    ``rank_by``
        what orders the results of a topic: ``"score"``, ``"order"`` (of the file) or ``"rank"``, without which it
        is the format's own way (docs/formats.md).
    ``equal_scores_tie``
        whether equal scores share a rank.
    ``lenient``
        whether to go on without what is wrong with the inputs: bad lines are left out, results that break the
        rules of the task are scored as they are, and all of it is told.

    Raises InputError with every problem found; ``lenient`` goes on without the bad lines.
    """
    check_settings(reading, read_campaign)
    settings = Reading(**reading, lenient=lenient)
    check_inputs(assessments, gold, collection, texts, settings)
    if gold is not None and isinstance(runs, Mapping):
        check_places(gold, runs)
    collection = collection_given(collection, texts, settings.unit)
    return assemble(read_gold(gold) if assessments is None else assessments, runs, collection, settings)


def check_inputs(assessments: Any, gold: Any, collection: Any, texts: Any, settings: Reading) -> None:
    """Raise InputError unless one of ``assessments`` and ``gold`` is given, and at most one of the other two."""
    if (assessments is None) == (gold is None):
        given = "neither is given" if gold is None else "both are given"
        raise InputError(Problem("assessments and gold", "", given, "give one: files, or what is in memory"))
    if gold is not None and (settings.assessment_format, settings.scale) != (None, None):
        found, expected = "a format or scale of gold in memory", "give them for files only"
        raise InputError(Problem("gold", "", found, expected))
    if collection is not None and texts is not None:
        raise InputError(Problem("collection and texts", "", "both are given", "give one of the two"))
    if isinstance(collection, Mapping):
        raise InputError(Problem("collection", "", "a dictionary", "texts in memory are given as texts="))


def collection_given(
    collection: Collection | str | PathLike[str] | None, texts: Mapping[str, str] | None, unit: str
) -> Collection | str | PathLike[str] | None:
    """The collection of these texts, or else the collection as it is given."""
    if texts is None:
        return collection
    from focuseval.campaign.collection_read import collection_of_texts  # parsers, Parquet

    return collection_of_texts(texts, unit)


def specs_of(measures: str | Sequence[str]) -> list[Spec[Any, Any]]:
    """The measures of a name, or of several, each once. Raises InputError for none, and for unknown ones."""
    if not measures:
        raise InputError(Problem("measures", "", repr(measures), "expected names, such as ['MAP']"))
    names = [measures] if isinstance(measures, str) else measures
    return [spec for name in dict.fromkeys(names) for spec in parse_specs(name, MEASURES)]


def score_campaign(
    campaign: Campaign,
    measures: str | Sequence[str],
    *,
    average_over: str = "assessed",
    task: str = "thorough",
    lenient: bool = False,
) -> Scores:
    """Score every run of a campaign under a measure, or a list of them, by name.

    A measure that cannot be computed from the inputs is left out and told (`Scores.refused`); if none can be
    computed, that is an InputError. So is one whose own rule a result breaks, unless ``lenient``. Unknown names, a run
    of which no topic is assessed and, unless ``lenient``, every result that breaks the rules of the ``task`` (one of
    `focuseval.measures.rules.RULES`) are InputErrors.
    """
    check_known("average_over", average_over, AVERAGES)
    return score_results(
        campaign.topics,
        campaign.results,
        specs_of(measures),
        average_over=average_over,
        task=task,
        lenient=lenient,
        skip_refused=True,
        known=MEASURES,
    )


def notices(inputs: Campaign | Told, scores: Scores, listing: str = LISTING) -> list[str]:
    """What was left out, merged or counted as nothing, in the inputs and in the scores, a line each.

    ``listing`` says where all that is left out is listed, as of `focuseval.errors.told`.
    """
    rejected = [f"left out: {line}" for line in told(inputs.rejected, listing)]
    return [*inputs.notes, *scores.notes(), *rejected]


def notices_in_python(campaign: Campaign, scores: Scores) -> list[str]:
    """The same to whoever called a function."""
    return [
        visible(as_arguments(line)) for line in notices(campaign, scores, listing="read_campaign(…).rejected")
    ]


@spelled_out
def score(
    measures: str | Sequence[str],
    *,
    runs: Runs,
    assessments: Paths | None = None,
    gold: Any = None,
    collection: Collection | str | PathLike[str] | None = None,
    texts: Mapping[str, str] | None = None,
    per_topic: bool = False,
    average_over: str = "assessed",
    task: str = "thorough",
    lenient: bool = False,
    **reading: Unpack[ReadingSettings],
) -> pd.DataFrame:
    """Scores as a tidy table with the columns run, topic, measure, value.

    ``measures`` are names such as ``["AiP", "char_recall", "nxCG(quantisation=gen)@25"]``, or one of them
    (docs/measures.md; `focuseval.MEASURES` has them all).

    ``assessments``
        files, folders, or a list of them; in their place ``gold``, in memory: a pandas frame, any object with an
        Arrow stream (polars, DuckDB), or a list of dictionaries, with the columns topic, document, start and end, or
        topic, document and grade; or a dictionary ``{topic: {document: grade}}``.
    ``runs``
        files, folders, or a list of them; or data as ``gold`` by the names of the runs, with a rank or a score or in
        their order; ``{topic: {document: score}}`` is ordered as trec_eval does, ties by name.
    ``collection``
        a folder, ``.tar.gz`` or ``.zip`` of XML, or of plain text, Markdown and HTML without any XML, or a
        collection already read; in its place ``texts``, in memory, by the names of their documents. Without
        either only measures that need no text can be scored.

    Files may be packed by gzip; ``-`` is standard input. What is scored, and how it is shown:

    ``per_topic``
        adds every topic; the topic ``all`` is the mean over topics.
    ``average_over``
        the topics of that mean: ``"assessed"``, all that are assessed, of which one that a run lacks scores 0, or
        ``"run"``, those of the run.
    ``task``
        whose rules the runs must keep: ``thorough`` (none), ``focused``, ``relevant-in-context``,
        ``best-in-context``, ``t2i``.

    The other settings, all optional, say how files and data are read:

    ``assessment_format``, ``run_format``
        names of formats (docs/formats.md); recognised if not given.
    ``scale``
        of the assessments: ``inex2002``, ``inex2003``, ``inex2005``, ``highlights`` or ``grades``; recognised if not
        given.
    ``coverage``
        specificity of coverage N, L, S and E of INEX 2002, (0, 1, 2, 3) if not given.
    ``unit``
        what text is counted in: ``characters`` (if not given), ``words`` or ``bytes``.
    ``size``
        results of a topic that are looked at, all if not given (of INEX submissions 1500). What is cut is told.
    ``pools``
        keeps the topics of these assessment pools only.
    ``rank_by``
        what orders the results of a topic: ``"score"``, ``"order"`` (of the file) or ``"rank"``, without which it
        is the format's own way (docs/formats.md).
    ``equal_scores_tie``
        whether equal scores share a rank.
    ``lenient``
        whether to go on without what is wrong with the inputs: bad lines are left out, results that break the
        rules of the task are scored as they are, and all of it is told.

    Raises InputError with everything that is wrong with the inputs; whatever is left out, merged or counted as
    nothing, a measure that cannot be computed included, is an InputWarning.
    """
    check_settings(reading, score)
    campaign = read_campaign(
        runs=runs,
        assessments=assessments,
        gold=gold,
        collection=collection,
        texts=texts,
        lenient=lenient,
        **reading,
    )
    scores = score_campaign(campaign, measures, average_over=average_over, task=task, lenient=lenient)
    for line in notices_in_python(campaign, scores):
        warnings.warn(line, InputWarning, stacklevel=2)
    return pd.DataFrame(scores.table(per_topic=per_topic), columns=["run", "topic", "measure", "value"])


@spelled_out
def compare(
    measures: str | Sequence[str],
    *,
    runs: Runs,
    assessments: Paths | None = None,
    gold: Any = None,
    collection: Collection | str | PathLike[str] | None = None,
    texts: Mapping[str, str] | None = None,
    baseline: str | None = None,
    test: str = "randomisation",
    one_tailed: bool = False,
    correction: str = "holm",
    resamples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    task: str = "thorough",
    lenient: bool = False,
    **reading: Unpack[ReadingSettings],
) -> "Comparison":
    """Compare runs topic by topic: differences with intervals, effect sizes, tests, wins and losses.

    ``measures`` are names as for `focuseval.score`. An assessed topic that a run lacks scores 0.

    ``assessments``, ``gold``, ``runs``, ``collection``, ``texts``
        files, or what is in memory, as for `focuseval.score`.

    How runs are compared:

    ``baseline``
        the name of a run, or its file; without it each run is compared with every one before it.
    ``test``
        ``randomisation``, ``bootstrap`` or ``t-test``; two-tailed, unless ``one_tailed`` asks whether the run is
        better than its baseline.
    ``correction``
        ``holm``, over all comparisons under all measures, or ``none``.
    ``resamples``, ``seed``
        how many are drawn, and from where: the same seed gives the same numbers.
    ``alpha``
        the level of significance; intervals hold all that the two-tailed test does not reject at it.
    ``task``
        whose rules the runs must keep: ``thorough`` (none), ``focused``, ``relevant-in-context``,
        ``best-in-context``, ``t2i``.

    The other settings, all optional, say how files and data are read:

    ``assessment_format``, ``run_format``, ``scale``, ``coverage``, ``unit``, ``size``, ``pools``, ``rank_by``,
    ``equal_scores_tie``, ``lenient``
        as for `focuseval.score`.

    The result is shown as tables in notebooks, and has ``to_frame``, ``to_markdown``, ``to_latex``, ``to_html``,
    ``to_json``; its columns are described at `focuseval.statistics.paired.differences`. Raises InputError with
    everything that is wrong with the inputs.
    """
    from focuseval.comparing.compare import Method, compare_scores

    check_settings(reading, compare)
    method = Method(test, one_tailed, correction, resamples, seed, alpha)
    campaign = read_campaign(
        runs=runs,
        assessments=assessments,
        gold=gold,
        collection=collection,
        texts=texts,
        lenient=lenient,
        **reading,
    )
    scores = score_campaign(campaign, measures, task=task, lenient=lenient)
    baseline = run_named(baseline, campaign.in_files)
    return compare_scores(scores.per_topic, baseline, method, notices_in_python(campaign, scores))


def run_named(name: str | None, in_files: Mapping[str, str]) -> str | None:
    """The run that has this name, or is in this file; the name itself where there is none."""
    return None if name is None else in_files.get(str(Path(name)), name)
