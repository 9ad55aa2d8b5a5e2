"""The comparison of runs: differences with intervals and tests, as a report and as frames."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

from focuseval.comparing.sweep import By, settings_of
from focuseval.errors import InputError, meant
from focuseval.measures import MEASURES, lower_is_better, parse_specs
from focuseval.model.judgements import ALL
from focuseval.report.parts import Lines, Part, Printable
from focuseval.report.tables import (
    BEST,
    Decimals,
    best_of,
    lead_over,
    plain,
    short_names,
    tested,
    with_intervals,
)
from focuseval.scoring.failures import KINDS
from focuseval.statistics.comparisons import STANDARD, Method, cautions, differences, systems
from focuseval.statistics.score_table import ScoreTable, score_tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DECIMALS: Decimals = {"d": 2}

#: the explanation of each outcome of a gold passage, for captions
FAILURES = ". ".join(f"{name}: {meaning}" for name, meaning in KINDS.items())

#: the maximum number of sentences in `Comparison.answer`
_MOST_SENTENCES = 5


def tables_of(per_topic: pd.DataFrame) -> dict[str, ScoreTable]:
    """Return the scores under each measure as a `ScoreTable`."""
    measures = list(map(str, per_topic["name"].unique()))
    pools = {
        spec.name: spec.number_of for name in measures for spec in parse_specs(name, MEASURES) if spec.pooled
    }
    return score_tables(per_topic, measures, pools, lower_is_better(measures))


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Printable):
    """Runs compared with their baselines, shown as tables by ``print`` and in notebooks."""

    #: a row for each pair of runs and measure, with the columns of `focuseval.statistics.comparisons.differences`
    pairs: pd.DataFrame
    #: the mean of each run under each measure, with its interval; the columns are measure, run, mean, low and high
    systems: pd.DataFrame
    method: Method
    #: warnings, one line each
    notes: list[str] = field(default_factory=list)
    #: the settings of each run in a sweep, with the column ``run`` and a column for each setting; None without a sweep
    settings: pd.DataFrame | None = None
    #: the number of gold passages with each outcome, for each run whose outcomes were counted; the columns are run,
    #: passages (the total) and `focuseval.scoring.failures.KINDS`
    failures: pd.DataFrame = field(default_factory=pd.DataFrame)
    read: str = ""  #: the part of each list that was read to count ``failures``, in words
    signature: str = ""

    title = "Runs compared"
    decimals = _DECIMALS

    @property
    def sweep(self) -> pd.DataFrame:
        """The means of the runs of a sweep, with their settings.

        The columns are measure, one column for each setting, run, mean, low and high. Raises InputError if the
        comparison was made without settings (``by``).
        """
        if self.settings is None:
            raise InputError.of(
                "by", "the comparison has no settings", "call compare with by=, as in by=['size']"
            )
        names = [name for name in self.settings if name != "run"]
        order = {measure: i for i, measure in enumerate(self.systems["measure"].unique())}
        table = self.systems.astype({"run": str, "measure": str}).merge(self.settings, on="run")
        table = table.assign(order=table["measure"].map(order)).sort_values(["order", *names], kind="stable")
        return table[["measure", *names, "run", "mean", "low", "high"]].reset_index(drop=True)

    def curve(self) -> "Figure":
        """Plot the means of the sweep, with intervals, against the first setting.

        Each measure has a panel, and each combination of the other settings has a line. Raises InputError if the
        comparison was made without settings (``by``), and MissingExtra without matplotlib
        (``pip install 'focuseval[plots]'``).
        """
        sweep = self.sweep
        return curve(sweep, list(sweep)[1:-4])

    @property
    def caption(self) -> str:
        """The caption of the tables, which explains their columns, tests and intervals."""
        level = f"{100 * (1 - self.method.alpha):g} %"
        intervals = f" with {level} intervals (values that the two-tailed test does not reject)"
        first, cut = next(iter(self._short().items()))
        names = (
            f" Run names are shortened; … replaces their common part ({cut} is {first})."
            if first != cut
            else ""
        )
        return (
            "Means and differences (run minus baseline)"
            f"{intervals if has_intervals(self.systems, self.pairs) else ''}. d: Cohen's d of paired differences. "
            f"p: {self._tested()}. topics: won/tied/lost.{names}"
        )

    def answer(self) -> list[str]:
        """Summarise the comparison in a sentence for each measure, at most `_MOST_SENTENCES`.

        Each sentence is about the compared pair that ranks highest, such as the best and the second-best run.
        """
        lower = lower_is_better(self.systems["measure"].unique())
        sentences = []
        for measure, means in self.systems.groupby("measure", sort=False, observed=True):
            order = means.sort_values("mean", ascending=measure in lower, kind="stable")["run"].tolist()
            pairs = self.pairs[(self.pairs["measure"] == measure).to_numpy()]
            place = {run: i for i, run in enumerate(order)}
            lead = min(
                pairs.to_dict("records"),
                key=lambda row: sorted((place[row["run"]], place[row["baseline"]])),
            )
            worse = place[lead["run"]] > place[lead["baseline"]]
            best, other = (lead[side] for side in (("baseline", "run") if worse else ("run", "baseline")))
            sign = -1 if worse else 1
            # adding 0.0 turns -0 into 0, so that no minus sign is displayed
            limits = sorted(sign * lead[limit] + 0.0 for limit in ("low", "high"))
            [difference] = with_intervals(pd.DataFrame([[sign * lead["difference"] + 0.0, *limits]]), "+")
            wins, losses = (lead[side] for side in (("losses", "wins") if worse else ("wins", "losses")))
            family = len(pairs) if self.method.correction == "holm" else 1
            outcome = tested(lead["p"], lead["p_adjusted"], family, self.method.alpha)
            ahead = lead_over(other, lead["difference"], wins, losses, lead["topics"])
            sentences.append(plain(f"{measure}: {best} is {ahead}, {difference}{outcome}."))
        return sentences[:_MOST_SENTENCES]

    @property
    def _corrected(self) -> int:
        """The number of comparisons for which each measure's p-values are corrected; 0 if none is corrected."""
        family = len(self.pairs) // self.pairs["measure"].nunique()
        return family if family > 1 and self.method.correction == "holm" and self.method.test else 0

    def _tested(self) -> str:
        """Describe the test and the correction for the caption."""
        if not self._corrected:
            return str(self.method)
        return self.method.in_words(f"the {self._corrected:,} pairs of runs of each measure (p holm)")

    def _short(self) -> dict[str, str]:
        """Map each run to its short name for tables."""
        names = self.systems["run"].astype(str).unique().tolist()
        return dict(zip(names, short_names(names), strict=True))

    def parts(self) -> list[Part]:
        """Return the parts of the report: the answer, tables of means and comparisons, the caption, and failures."""
        short, pairs, limits = self._short(), self.pairs, ["low", "high"]
        compared = {
            "measure": pairs["measure"],
            "run": pairs["run"].astype(str).map(short),
            "baseline": pairs["baseline"].astype(str).map(short),
            "difference": by_measure(pairs, "difference", "+"),
            "d": pairs["effect_size"],
            "p": pairs["p"],
            **({"p_holm": pairs["p_adjusted"]} if self._corrected else {}),
            "topics": outcomes(pairs),
        }
        swept = self.systems if self.settings is None else self.sweep
        means = {
            **{name: swept[name] for name in swept if name not in ("mean", *limits)},
            "run": swept["run"].astype(str).map(short),
            "mean": by_measure(swept, "mean"),
        }
        frame = pd.DataFrame(means)
        of_measures = frame.groupby("measure", observed=True)["mean"]
        lower = lower_is_better(of_measures.groups)
        frame.attrs[BEST] = [
            (row, "mean") for measure, of in of_measures for row in best_of(of, measure in lower)
        ]
        parts: list[Part] = [Lines(self.answer()), frame, pd.DataFrame(compared), self.caption]
        if len(self.failures):
            failures = self.failures.assign(run=self.failures["run"].map(short))
            parts += [failures, f"Outcomes of gold passages {self.read}. {FAILURES}."]
        return [*parts, *filter(None, [self.signature])]

    def to_frame(self) -> pd.DataFrame:
        """Return the unrounded comparisons as a tidy frame."""
        return self.pairs.copy()


def outcomes(pairs: pd.DataFrame) -> list[str]:
    """Format the wins, ties and losses of each compared pair, such as ``10/0/2``."""
    return [f"{won}/{tied}/{lost}" for won, tied, lost in pairs[["wins", "ties", "losses"]].to_numpy()]


def has_intervals(*tables: pd.DataFrame) -> bool:
    """Return whether any of the tables has an interval."""
    return any(table[["low", "high"]].notna().to_numpy().any() for table in tables)


def by_measure(rows: pd.DataFrame, column: str, sign: str = "") -> pd.Series:
    """Format the numbers in a column with their intervals, with decimals that are chosen for each measure."""
    of_measures = rows.groupby("measure", sort=False, observed=True)[[column, "low", "high"]]
    return pd.concat([pd.Series(with_intervals(part, sign), part.index) for _, part in of_measures])


def _renamed(scores: pd.DataFrame) -> pd.DataFrame:
    """Convert a table of `focuseval.score` to the form of `Scores.per_topic`.

    Raises InputError for a table of means, for missing columns, and for measures that are not means over topics.
    """
    if "topic" not in scores or "measure" not in scores or (scores["topic"] == ALL).all():
        found = (
            "the table has only means"
            if "topic" in scores
            else f"the table has the columns {', '.join(map(str, scores))}"
        )
        expected = "expected scores of topics, from focuseval.score(…, per_topic=True)"
        raise InputError.of("scores", found, expected)
    counts = {
        spec.asked
        for name in scores["measure"].unique()
        for spec in parse_specs(name, MEASURES)
        if spec.pooled
    }
    if counts:
        found = f"some measures add up counts over topics ({', '.join(sorted(counts))})"
        raise InputError.of("scores", found, "use focuseval.compare for these measures")
    return scores[scores["topic"] != ALL].rename(columns={"measure": "name"})


def compare_scores(
    per_topic: pd.DataFrame,
    baseline: str | None = None,
    method: Method = STANDARD,
    notes: Sequence[str] = (),
    by: By | None = None,
) -> Comparison:
    """Compare scored runs with a baseline or, without a baseline, each run with every earlier run.

    ``per_topic`` is `focuseval.scoring.score.Scores.per_topic` or the table of ``focuseval.score(…, per_topic=True)``.
    ``by`` gives the settings of a sweep, as for `settings_of`.

    Raises InputError if the baseline is unknown, if no topic has relevant content, if a run has no value for a setting,
    and as `differences` does.
    """
    if "name" not in per_topic:
        per_topic = _renamed(per_topic)
    if per_topic.empty:
        raise InputError.of("assessments", "no topic has relevant content", "give other assessments")
    tables = tables_of(per_topic)
    runs = [str(run) for run in per_topic["run"].unique()]
    if baseline is not None and baseline not in runs:
        expected = f"{meant(baseline, runs)}expected one of {', '.join(runs)}"
        raise InputError.of("baseline", f"no run is named {baseline!r}", expected)
    settings = None if by is None else settings_of(runs, by, baseline)
    pairs = differences(tables, baseline, method)
    sentences = [*notes, *cautions(pairs, method)]
    return Comparison(pairs, systems(tables, method), method, sentences, settings)


def curve(sweep: pd.DataFrame, settings: Sequence[str]) -> "Figure":
    """Plot the means of a sweep, with intervals, against its first setting.

    Each measure has a panel, and each combination of the other settings has a line. The columns of ``sweep`` are
    measure, mean, low, high and the ``settings``. Requires matplotlib (the extra ``plots``).
    """
    from focuseval.report.figures import COLOURS, STYLE, Figure, matplotlib

    first, *varied = settings
    panels = sweep.groupby("measure", sort=False, observed=True)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(4.2 * len(panels), 3.4), layout="constrained")
        for ax, (measure, rows) in zip(
            figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True
        ):
            lines = rows.groupby(varied, sort=True) if varied else [((), rows)]
            for number, (values, line) in enumerate(lines):
                label = ", ".join(f"{name} {value}" for name, value in zip(varied, values, strict=True))
                error = [line["mean"] - line["low"], line["high"] - line["mean"]]
                colour = COLOURS[number % len(COLOURS)]
                ax.errorbar(
                    line[first], line["mean"], error, label=label, color=colour, marker="o", capsize=3
                )
            ax.set(title=measure, xlabel=first, ylabel="mean")
        if varied:
            figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=2 * len(panels))
    return figure
