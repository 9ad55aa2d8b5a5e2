"""The public functions, such as `score` and `compare`."""

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
    """Read the assessments, documents and runs of a campaign.

    ``runs``
        files, folders, or a list of them; or ``{run: data}`` with data as for ``gold``. Results have ranks or scores,
        or are in rank order. ``{topic: {document: score}}`` is sorted as in trec_eval, with ties by document name.
        ``{topic: [Document, …]}`` contains objects of LangChain, LlamaIndex or Haystack, best first
        (`focuseval.from_langchain`).
    ``inputs``
        ``gold``, ``documents``, and the settings of readers (`focuseval.campaign.settings.InputSettings`).

    Raises InputError with every problem found. ``lenient`` skips unusable lines.
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
    """Score every run of a campaign by one or several measures.

    Measures that cannot be computed from the inputs are left out and reported in `Scores.refused`.

    Raises InputError for unknown names, for a run without an assessed topic, and if no measure can be computed. Unless
    ``lenient``, also raises InputError for results that break a rule of a measure or of the ``task`` (one of
    `focuseval.measures.rules.RULES`).
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
    """Scores as a data frame, with a line for reproducing the scores."""

    _metadata = ("signature",)
    #: the line that states what is needed to reproduce the scores (`focuseval.scoring.score.Scores.signature`)
    signature = ""

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
    """Return scores as a tidy table with the columns run, topic, measure, value.

    The table's ``signature`` is one line that identifies the scores: version, measures, settings and checksums.

    ``measures``
        one name or several, such as ``["AiP", "char_recall", "nxCG(quantisation=gen)@25"]``. `focuseval.MEASURES` and
        docs/measures.md list all measures.
    ``runs``, ``inputs``
        the runs, and the arguments of `focuseval.read_campaign`.
    ``per_topic``
        adds a row for each topic. The topic ``all`` is the mean over topics.
    ``average_over``
        the topics of the mean. ``"assessed"`` averages over all assessed topics. Topics that are missing in a run score
        0. ``"run"`` averages over the topics of the run, and is the default if ``rules="trec_eval"``.
    ``task``
        the task whose rules the runs must obey: ``thorough`` (no rules), ``focused``, ``relevant-in-context``,
        ``best-in-context``, ``t2i``.

    Raises InputError with every problem of the inputs. Issues an InputWarning for data that was left out, merged or
    scored as 0, and for measures that cannot be computed.
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
        as for `focuseval.score`. Assessed topics that are missing in a run score 0.
    ``baseline``
        the name of a run, or its file. By default, each run is compared with every earlier run.
    ``test``
        ``randomisation``, ``bootstrap``, ``t-test`` or ``wilcoxon``. Tests are two-tailed by default. If
        ``one_tailed``, tests ask whether the run is better than its baseline.
    ``correction``
        ``holm``, which corrects over all comparisons and measures, or ``none``.
    ``resamples``, ``seed``
        the number of resamples, and the seed of the random generator. The same seed reproduces the numbers.
    ``alpha``
        the significance level. Intervals contain all differences that the two-tailed test does not reject.
    ``by``
        the settings that distinguish the runs of a sweep. Names such as ``["size", "overlap"]`` are read from names of
        runs (``size=400-overlap=50``). Alternatively, ``by`` is ``{run: {"size": 400, "overlap": 50}}``. The comparison
        then has ``sweep``, the means for each combination of settings, and ``curve()``, which plots the means.

    The comparison appears as tables in notebooks, and has ``to_frame``, ``to_markdown``, ``to_latex``, ``to_html`` and
    ``to_json``. `focuseval.statistics.comparisons.differences` describes the columns.

    Raises InputError with every problem of the inputs.
    """
    from focuseval.comparing.compare import Method, compare_scores

    settings = Inputs.of(compare, inputs)
    method = Method(test, one_tailed, correction, resamples, seed, alpha)
    scores = score_runs(measures, runs, settings, average_over="assessed", task=task, compared=True)
    baseline = run_named(baseline, scores.in_files)
    compared = compare_scores(scores.per_topic, baseline, method, notices.lines(scores.notices), by)
    read = in_words(next(iter(scores.specs.values())))
    return replace(compared, failures=failures_table(scores.failures), read=read, signature=scores.signature)


def failures(
    measure: str, *, runs: Runs, task: str = "thorough", **inputs: Unpack[InputSettings]
) -> pd.DataFrame:
    """Return every gold passage with its outcome in each run.

    ``measure``
        the name of a measure whose cut-off limits how far lists are read, such as ``char_recall@5`` or
        ``char_recall@2000c``. Without a cut-off, lists are read to the end.
    ``runs``, ``task``, ``inputs``
        As for `focuseval.score`.

    The columns are run, topic, document, start, end, ``kind``, ``rank`` and ``share``:

    ``kind``
        ``found`` (read in full), ``cut`` (read in part, and the rest is not in the list), ``too low`` (partly or
        completely below the cut-off), ``other chunks`` (only other parts of the document are listed), or ``no
        document``
    ``rank``
        the rank of the first result that overlaps the passage, or 0
    ``share``
        the share of the passage that was read

    If gold has alternatives, the table lists those with the fewest failures. Raises InputError for gold without
    passages and for results of unknown size.
    """
    settings = Inputs.of(failures, inputs)
    campaign = assemble(settings, in_frames(runs, settings))
    [spec, *_] = specs_of(measure)
    # scoring raises InputError for results that cannot be read as text
    scores = score_campaign(campaign, measure, task=task, lenient=settings.lenient)
    notices.warn([*campaign.notices, *scores.notices])
    return failures_of(campaign.topics, campaign.results, spec)


def run_named(name: str | None, in_files: Mapping[str, str]) -> str | None:
    """Return the name of the run in the file ``name``; any other name is returned unchanged."""
    return None if name is None else in_files.get(str(Path(str(name))), str(name))


def register(
    declaration: Measure | Format | str,
    function: Callable[[Ints, Ints], float] | None = None,
    *,
    summary: str = "a custom measure",
    paper: str = "",
) -> None:
    """Register your own measure or format, so that other functions accept its name.

    ``declaration``
        a `focuseval.Measure` or `focuseval.Format`, or the name of a measure that ``function`` computes. An installed
        package can instead declare entry points in the groups ``focuseval.measures`` and ``focuseval.formats``, which
        the command line finds, too (docs/adding.md).
    ``function``
        a function from the gold and the results of one topic to a number from 0 to 1; higher is better. Both arguments
        are arrays (n, 3) of document, start and end, as for `focuseval.functional`. Results are in rank order.
    ``summary``, ``paper``
        the description and the source in lists of measures.

    >>> from focuseval.functional import char_recall
    >>> register("first_recall", lambda gold, results: char_recall(gold, results[:1]))

    Raises InputError for any other argument, and for a registered name.
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
    """Return scores as ``{run: {topic: {measure: value}}}``. The topic ``all`` has the means.

    ``scores`` is a table from `focuseval.score`. If the table was computed with ``per_topic``,
    ``to_dict(scores)["bm25"]`` has the structure of pytrec_eval's ``evaluate``. ``to_dict(scores)["bm25"]["all"]`` has
    the structure of ranx's results.

    Raises InputError for any other argument.
    """
    needed = ["run", "topic", "measure", "value"]
    if not isinstance(scores, pd.DataFrame) or not {*needed} <= {*scores}:
        raise InputError.of(
            "scores", f"found {described(scores)}", f"expected a frame with {', '.join(needed)}"
        )
    by_run: dict[str, dict[str, dict[str, float]]] = {}
    columns = (scores[name].tolist() for name in needed)
    for run, topic, measure, value in zip(*columns, strict=True):
        by_run.setdefault(run, {}).setdefault(topic, {})[measure] = value
    return by_run
