"""The library in two calls: read a campaign, score it; or both at once with `score`, and runs with `compare`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import pandas as pd

from focuseval.arguments import FLAG, of_type, read_argument
from focuseval.campaign import notices
from focuseval.campaign.assembly import Campaign, assemble
from focuseval.campaign.saved_scores import signature
from focuseval.campaign.settings import Inputs, InputSettings, Runs
from focuseval.chunks.frameworks import in_frames
from focuseval.errors import InputError, described
from focuseval.formats.detect import ASSESSMENTS, RUNS
from focuseval.formats.parsed import Format
from focuseval.measures import MEASURES, Measure
from focuseval.measures.plain import measure_of
from focuseval.model.arrays import Ints
from focuseval.scoring.failures import failures_of, failures_table, in_words
from focuseval.scoring.runs import score_runs, specs_of
from focuseval.scoring.score import Scores
from focuseval.scoring.score import score as score_topics

if TYPE_CHECKING:
    from focuseval.comparing.compare import Comparison
    from focuseval.comparing.sweep import By


def read_campaign(*, runs: Runs, **inputs: Unpack[InputSettings]) -> Campaign:
    """Read assessments and runs, and put them on their collection.

    ``runs``
        files, folders, or a list of them; or data as ``gold`` by the names of the runs, with a rank or a score or in
        their order; ``{topic: {document: score}}`` is ordered as trec_eval does, ties by name;
        ``{topic: [Document, …]}`` are the objects of LangChain, LlamaIndex or Haystack, best first
        (`focuseval.from_langchain`).
    ``inputs``
        ``gold``, ``collection`` or ``texts``, and how they are read
        (`focuseval.campaign.settings.InputSettings` describes each).

    Raises InputError with every problem found; ``lenient`` goes on without the bad lines.
    """
    settings = Inputs.of(read_campaign, inputs)
    return assemble(settings, in_frames(runs, settings))


def score_campaign(
    campaign: Campaign,
    measures: str | Sequence[str],
    *,
    average_over: str | None = None,
    task: str = "thorough",
    lenient: bool = False,
) -> Scores:
    """Score every run of a campaign under a measure, or a list of them, by name.

    A measure that cannot be computed from the inputs is left out and reported (`Scores.refused`); if none can be
    computed, that is an InputError. So is one whose own rule a result breaks, unless ``lenient``. Unknown names, a run
    of which no topic is assessed and, unless ``lenient``, every result that breaks the rules of the ``task`` (one of
    `focuseval.measures.rules.RULES`) are InputErrors.
    """
    scores = score_topics(
        campaign.topics,
        campaign.results,
        specs_of(measures),
        average_over=average_over or "",
        task=task,
        rules=campaign.rules,
        lenient=lenient,
        skip_refused=True,
        suggested=MEASURES,
        options=campaign.options,
    )
    if campaign.given is None:
        return scores
    inputs, runs = campaign.given
    line = signature(scores.specs.values(), inputs, average_over=scores.average_over, runs=runs)
    return replace(scores, signature=line)


class ScoreFrame(pd.DataFrame):
    """Scores as a data frame, with the line that makes them repeatable."""

    _metadata = ("signature",)
    signature = ""  #: `focuseval.scoring.score.Scores.signature`

    @property
    def _constructor(self) -> type["ScoreFrame"]:
        return ScoreFrame


def score(
    measures: str | Sequence[str],
    *,
    runs: Runs,
    per_topic: bool = False,
    average_over: str | None = None,
    task: str = "thorough",
    **inputs: Unpack[InputSettings],
) -> ScoreFrame:
    """Scores as a tidy table with the columns run, topic, measure, value.

    Its ``signature`` is one line that makes the scores repeatable: version, measures, settings and checksums.

    ``measures`` are names such as ``["AiP", "char_recall", "nxCG(quantisation=gen)@25"]``, or one of them
    (docs/measures.md; `focuseval.MEASURES` has them all).

    ``runs``, ``inputs``
        what is scored, and how it is read: the arguments of `focuseval.read_campaign`.
    ``per_topic``
        adds every topic; the topic ``all`` is the mean over topics.
    ``average_over``
        the topics of that mean: ``"assessed"``, all that are assessed, of which one that a run lacks scores 0, or
        ``"run"``, those of the run, which is the default under ``rules="trec_eval"``.
    ``task``
        whose rules the runs must keep: ``thorough`` (none), ``focused``, ``relevant-in-context``,
        ``best-in-context``, ``t2i``.

    Raises InputError with everything that is wrong with the inputs; whatever is left out, merged or counted as
    nothing, a measure that cannot be computed included, is an InputWarning.
    """
    read_argument("per_topic", per_topic, FLAG)
    scores = score_runs(measures, runs, Inputs.of(score, inputs), average_over=average_over, task=task)
    notices.warn(scores.notices)
    rows = scores.table(per_topic=per_topic)
    frame = ScoreFrame(rows, columns=["run", "topic", "measure", "value"])
    frame.signature = scores.signature
    return frame


def compare(
    measures: str | Sequence[str],
    *,
    runs: Runs,
    baseline: str | None = None,
    test: str = "randomisation",
    one_tailed: bool = False,
    correction: str = "holm",
    resamples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    by: "By | None" = None,
    task: str = "thorough",
    **inputs: Unpack[InputSettings],
) -> "Comparison":
    """Compare runs topic by topic: differences with intervals, effect sizes, tests, wins and losses.

    ``measures``, ``runs``, ``task``, ``inputs``
        as for `focuseval.score`. An assessed topic that a run lacks scores 0.
    ``baseline``
        the name of a run, or its file; without it each run is compared with every one before it.
    ``test``
        ``randomisation``, ``bootstrap``, ``t-test`` or ``wilcoxon``; two-tailed, unless ``one_tailed`` asks whether
        the run is better than its baseline.
    ``correction``
        ``holm``, over all comparisons under all measures, or ``none``.
    ``resamples``, ``seed``
        how many are drawn, and from where: the same seed gives the same numbers.
    ``alpha``
        the level of significance; intervals hold all that the two-tailed test does not reject at it.
    ``by``
        of a sweep, the settings that tell runs apart: names, as ``["size", "overlap"]``, whose values the names of
        runs say (``size=400-overlap=50``), or ``{run: {"size": 400, "overlap": 50}}``. The result then has ``sweep``,
        the means by their values, and ``curve()``, which draws them.

    The result is shown as tables in notebooks, and has ``to_frame``, ``to_markdown``, ``to_latex``, ``to_html``,
    ``to_json``; its columns are described at `focuseval.statistics.comparisons.differences`. Raises InputError with
    everything that is wrong with the inputs.
    """
    from focuseval.comparing.compare import Method, compare_scores

    settings = Inputs.of(compare, inputs)
    method = Method(test, one_tailed, correction, resamples, seed, alpha)
    scores = score_runs(measures, runs, settings, average_over="assessed", task=task, failures=True)
    baseline = run_named(baseline, scores.in_files)
    compared = compare_scores(scores.per_topic, baseline, method, notices.lines(scores.notices), by)
    read = in_words(next(iter(scores.specs.values())))
    return replace(compared, failures=failures_table(scores.failures), read=read, signature=scores.signature)


def failures(
    measure: str, *, runs: Runs, task: str = "thorough", **inputs: Unpack[InputSettings]
) -> pd.DataFrame:
    """Gold passages one by one, with what becomes of each in each run.

    ``measure``
        a name whose cut-off says how far lists are read, such as ``char_recall@5`` or ``char_recall@2000c``; without a
        cut-off, to their ends.
    ``runs``, ``task``, ``inputs``
        as for `focuseval.score`.

    Columns are run, topic, document, start, end; ``kind``: ``found`` (read in full), ``cut`` (read in part, and the
    list has no more of it), ``too low`` (below the cut-off, at least in part), ``other chunks`` (not in the list, but
    its document is) or ``no document``; ``rank`` of the first result that has some of it, 0 for none; ``share`` of it
    that was read. Of alternatives the choice with the fewest failures counts. Raises InputError for gold without
    passages, and for results of unknown size.
    """
    settings = Inputs.of(failures, inputs)
    campaign = assemble(settings, in_frames(runs, settings))
    [spec, *_] = specs_of(measure)
    # which refuses what cannot be read
    scores = score_campaign(campaign, measure, task=task, lenient=settings.lenient)
    notices.warn([*campaign.notices, *scores.notices])
    return failures_of(campaign.topics, campaign.results, spec)


def run_named(name: str | None, in_files: Mapping[str, str]) -> str | None:
    """Return the run with this name or file; the name itself if there is none."""
    return None if name is None else in_files.get(str(Path(str(name))), str(name))


def register(
    declaration: Measure | Format | str,
    function: Callable[[Ints, Ints], float] | None = None,
    *,
    summary: str = "a measure of one's own",
    paper: str = "",
) -> None:
    """Register your own measure or format, which is known by its name from then on.

    ``declaration``
        a `focuseval.Measure` or `focuseval.Format`, or the name of a measure that ``function`` computes. An installed
        package names its own as entry points of the groups ``focuseval.measures`` and ``focuseval.formats`` instead, so
        that the command line knows them, too (docs/adding.md).
    ``function``
        from the gold and the results of one topic to a number from 0 to 1, higher is better. Both are arrays (n, 3) of
        document, start and end, as `focuseval.functional` takes them; results are in the order of the list.
    ``summary``, ``paper``
        what the lists of measures say of it.

    >>> from focuseval.functional import char_recall
    >>> register("first_recall", lambda gold, results: char_recall(gold, results[:1]))

    Raises InputError for anything else, and for a name that is taken.
    """
    if isinstance(declaration, str) and function is not None:
        declaration = measure_of(declaration, function, summary, paper)
    expected = "a Measure, a Format, or a name with a function (docs/adding.md)"
    read_argument("declaration", declaration, of_type(Measure | Format, expected))
    if isinstance(declaration, Format):
        (ASSESSMENTS if declaration.scales else RUNS).add(declaration)
    else:
        MEASURES.add(declaration)


def to_dict(scores: pd.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    """Scores as ``{run: {topic: {measure: value}}}``; the topic ``all`` has the means.

    ``scores`` is what `focuseval.score` gives. ``to_dict(scores)["bm25"]`` has the shape of pytrec_eval's
    ``evaluate`` where the scores are ``per_topic``; ``to_dict(scores)["bm25"]["all"]``, that of ranx's. Raises
    InputError for anything else.
    """
    needed = ["run", "topic", "measure", "value"]
    if not isinstance(scores, pd.DataFrame) or not {*needed} <= {*scores}:
        raise InputError.of("scores", described(scores), f"expected a frame with {', '.join(needed)}")
    by_run: dict[str, dict[str, dict[str, float]]] = {}
    columns = (scores[name].tolist() for name in needed)
    for run, topic, measure, value in zip(*columns, strict=True):
        by_run.setdefault(run, {}).setdefault(topic, {})[measure] = value
    return by_run
