"""The public functions, such as `score` and `compare`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import pandas as pd

from focuseval.arguments import FLAG, of_type, read_argument
from focuseval.campaign import notices
from focuseval.campaign.assembly import IN_MEMORY, Campaign, assemble, paths_of
from focuseval.campaign.saved_scores import signature
from focuseval.campaign.settings import Inputs, InputSettings, Runs
from focuseval.chunks.frameworks import in_frames
from focuseval.errors import InputError, described
from focuseval.formats.detect import ASSESSMENTS, RUNS
from focuseval.formats.parsed import Format
from focuseval.formats.readers import files_of_runs
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
        run files, folders of run files, or a list of files and folders. Runs in memory are given as ``{run: data}``,
        where ``data`` has one of the forms of ``gold``. Data without ranks and scores must be in rank order. A run can
        also be ``{topic: {document: score}}``. Documents are then sorted as in trec_eval, and documents with equal
        scores by name. In ``{topic: [Document, …]}``, the objects of LangChain, LlamaIndex or Haystack are listed best
        first (`focuseval.from_langchain`).
    ``inputs``
        ``gold``, ``documents``, and settings for reading the files (`focuseval.campaign.settings.InputSettings`).

    Raises an InputError with every problem of the inputs. If ``lenient``, unusable lines are skipped instead.
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

    Measures that cannot be computed from the inputs are left out and reported in `Scores.refused`. Unless ``lenient``,
    this includes measures with a rule that results break. `focuseval.score` describes ``average_over`` and ``task``.

    Raises InputError for unknown measures, for a run without results for the assessed topics, and if no measure can be
    computed. Unless ``lenient``, also raises InputError for results that break a rule of the ``task``.
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
    """A data frame of scores, with a ``signature`` that states what is needed to reproduce them."""

    _metadata = ("signature",)
    #: a line that states what is needed to reproduce the scores (`focuseval.scoring.score.Scores.signature`)
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
    """Score runs, and return a table with the columns run, topic, measure and value.

    The table's ``signature`` is one line that states what is needed to reproduce the scores: the version of focuseval,
    the measures, the settings, and the checksums of the inputs.

    ``measures``
        the name of a measure, or a list of names, such as ``["AiP", "char_recall", "nxCG(quantisation=gen)@25"]``.
        `focuseval.MEASURES` and docs/measures.md list all measures.
    ``runs``, ``inputs``
        the runs, the gold, the documents and the settings (`focuseval.read_campaign`).
    ``per_topic``
        whether to add the score of each topic. By default, the table has only means, with the topic ``all``.
    ``average_over``
        the topics over which scores are averaged. ``"assessed"`` stands for all assessed topics. A topic that is
        missing in a run then scores 0. ``"run"`` stands for the topics of the run. The default is ``"run"`` if
        ``rules="trec_eval"``, else ``"assessed"``.
    ``task``
        the task whose rules the runs must obey: ``thorough`` (no rules), ``focused``, ``relevant-in-context``,
        ``best-in-context`` or ``t2i``.

    Raises an InputError with every problem of the inputs. Issues an InputWarning for data that was left out, merged or
    scored as 0, and for each measure that cannot be computed.
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
        the arguments of `focuseval.score`. Assessed topics that are missing in a run score 0.
    ``baseline``
        the run with which all others are compared, as a name or a file. By default, each run is compared with every
        earlier run.
    ``test``
        ``randomisation``, ``bootstrap``, ``t-test`` or ``wilcoxon``.
    ``one_tailed``
        whether tests ask if the run is better than its baseline. By default, tests are two-tailed.
    ``correction``
        ``holm``, which corrects over all comparisons and measures, or ``none``.
    ``resamples``, ``seed``
        the number of resamples, and the seed of the random generator. Equal seeds give equal numbers.
    ``alpha``
        the significance level. Intervals contain all differences that the two-tailed test does not reject.
    ``by``
        the settings that distinguish the runs of a sweep. Settings are read from the names of runs
        (``size=400-overlap=50``) if ``by`` lists their names, such as ``["size", "overlap"]``. Otherwise, ``by`` gives
        them for each run, as in ``{run: {"size": 400, "overlap": 50}}``. The comparison's ``sweep`` has the mean for
        each combination of settings, and its method ``curve()`` plots these means.

    The comparison is displayed as tables in notebooks, and has ``to_frame``, ``to_markdown``, ``to_latex``, ``to_html``
    and ``to_json``. `focuseval.statistics.comparisons.differences` describes the columns.

    Raises an InputError with every problem of the inputs.
    """
    from focuseval.comparing.compare import Method, compare_scores

    settings = Inputs.of(compare, inputs)
    method = Method(test, one_tailed, correction, resamples, seed, alpha)
    _refuse_one_run(runs)
    scores = score_runs(measures, runs, settings, average_over="assessed", task=task, compared=True)
    baseline = run_named(baseline, scores.in_files)
    compared = compare_scores(scores.per_topic, baseline, method, notices.lines(scores.notices), by)
    read = in_words(next(iter(scores.specs.values())))
    return replace(compared, failures=failures_table(scores.failures), read=read, signature=scores.signature)


def _refuse_one_run(runs: Runs) -> None:
    """Raise InputError if ``runs`` is a single file, given once or several times."""
    if runs is None or isinstance(runs, Mapping):
        return
    files, notes = files_of_runs(paths_of(runs, "runs", IN_MEMORY))
    if len(files) == 1:
        [found] = [note.found for note in notes if note.source == str(files[0])] or [
            "the file is the only run"
        ]
        raise InputError.of(str(files[0]), found, "give another run to compare with it")


def failures(
    measure: str, *, runs: Runs, task: str = "thorough", **inputs: Unpack[InputSettings]
) -> pd.DataFrame:
    """List, for each gold passage and each run, whether the passage was found, and if not, why.

    ``measure``
        the name of a measure, whose cut-off limits how far lists are read, such as ``char_recall@5`` or
        ``char_recall@2000c``. Without a cut-off, lists are read to the end.
    ``runs``, ``task``, ``inputs``
        the arguments of `focuseval.score`.

    Returns a table with a row for each passage and run. The columns are run, topic, document, start, end, ``kind``,
    ``rank`` and ``share``:

    ``kind``
        ``found``: all of the passage was read. ``cut``: a part was read, and the rest is not in the list.
        ``too low``: at least a part is in the list, but below the cut-off. ``other chunks``: only other parts of the
        document are in the list. ``no document``: the document is not in the list.
    ``rank``
        the rank of the first result that overlaps the passage, or 0 if no result does.
    ``share``
        the share of the passage that was read.

    If gold has alternatives, the table lists the alternatives with the fewest failures. Raises InputError for gold
    without passages and for results of unknown size.
    """
    settings = Inputs.of(failures, inputs)
    campaign = assemble(settings, in_frames(runs, settings))
    [spec, *_] = specs_of(measure)
    # scores are computed before failures, because scoring raises InputError for results that cannot be read as text
    scores = score_campaign(campaign, measure, task=task, lenient=settings.lenient)
    notices.warn([*campaign.notices, *scores.notices])
    return failures_of(campaign.topics, campaign.results, spec)


def run_named(name: str | None, in_files: Mapping[str, str]) -> str | None:
    """Return the name of a run that the user identifies by its name or its file."""
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
        package can instead declare entry points in the groups ``focuseval.measures`` and ``focuseval.formats``. The
        command line finds them, too (docs/adding.md).
    ``function``
        a function that returns the score of one topic, from 0 to 1, where higher is better. Its arguments are the gold
        passages and the results in rank order. They are arrays with the columns document, start and end
        (`focuseval.functional`).
    ``summary``, ``paper``
        the description and the source of the measure, for lists of measures.

    >>> from focuseval.functional import char_recall
    >>> register("first_recall", lambda gold, results: char_recall(gold, results[:1]))

    Raises InputError for a declaration of another type, and for a name that is already registered.
    """
    if isinstance(declaration, str) and function is not None:
        declaration = measure_of(declaration, function, summary, paper)
    expected = "a Measure, a Format, or the name of a measure together with its function (docs/adding.md)"
    read_argument("declaration", declaration, of_type(Measure | Format, expected))
    if isinstance(declaration, Format):
        (ASSESSMENTS if declaration.scales else RUNS).add(declaration)
    else:
        MEASURES.add(declaration)


def to_dict(scores: pd.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    """Convert a table from `focuseval.score` to ``{run: {topic: {measure: value}}}``.

    The topic ``all`` has the means. ``to_dict(scores)["bm25"]["all"]`` has the structure of ranx's results. If the
    table was computed with ``per_topic``, ``to_dict(scores)["bm25"]`` has the structure that pytrec_eval's ``evaluate``
    returns.

    Raises InputError unless ``scores`` is a frame with the columns run, topic, measure and value.
    """
    needed = ["run", "topic", "measure", "value"]
    if not isinstance(scores, pd.DataFrame) or not {*needed} <= {*scores}:
        found = f"the value is {described(scores)}"
        raise InputError.of("scores", found, f"expected a frame with the columns {', '.join(needed)}")
    by_run: dict[str, dict[str, dict[str, float]]] = {}
    columns = (scores[name].tolist() for name in needed)
    for run, topic, measure, value in zip(*columns, strict=True):
        by_run.setdefault(run, {}).setdefault(topic, {})[measure] = value
    return by_run
