"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

from dataclasses import dataclass
from itertools import combinations, product
from statistics import fmean

import numpy as np
import pandas as pd

from focuseval.findings import FEWEST_RUNS, Comparison, Finding

#: the ten measures of Table 1 in its order: fixed cut-offs, then overall performance
AT_CUTOFF = ("MAnxCG[10]", "MAnxCG[25]", "MAnxCG[50]", "nxCG[10]", "nxCG[25]", "nxCG[50]")
OVERALL = ("MAep", "iMAep", "Q", "R")
MEASURES = (*AT_CUTOFF, *OVERALL)

#: quantisations in the order of Table 2
QUANTISATIONS = ("strict", "gen", "genLifted")

#: the rank up to which lists are turned around
TURNED = 25

#: differences up to this are rounding
ROUNDING = 1e-9

#: below this a correlation means noticeable differences, from the second on equal rankings (Section 7.1)
NOTICEABLE, EQUIVALENT = 0.8, 0.9

#: the three measures that are said to agree
ALIKE = ("MAep", "iMAep", "Q")


_FEW = f" Not testable where a task has fewer than {FEWEST_RUNS} runs."


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty frames where unknown."""

    table1: pd.DataFrame  #: measure_a, measure_b, kendall_tau
    table2: pd.DataFrame  #: quantisation_a, quantisation_b, kendall_tau
    measures: pd.DataFrame  #: task, quantisation, measure_a, measure_b, kendall_tau
    ideal: pd.DataFrame  #: task, quantisation, overlap, level, measure, topics, lowest, highest
    turned: pd.DataFrame  #: task, quantisation, measure, lists, changed
    highest: pd.DataFrame  #: task, overlap, measure, highest: of any run on any topic


def campaign_evidence(
    table1: pd.DataFrame,
    table2: pd.DataFrame,
    measures: pd.DataFrame,
    ideal: pd.DataFrame,
    turned: pd.DataFrame,
    highest: pd.DataFrame,
) -> Evidence:
    """The evidence of a campaign, without its correlations where a task has fewer than `FEWEST_RUNS` runs.

    ``measures`` as `paper.measure_correlations` makes it, the others as in `Evidence`.
    """
    if (measures["runs"] < FEWEST_RUNS).any():
        table1, table2, measures = (t.assign(kendall_tau=np.nan) for t in (table1, table2, measures))
    return Evidence(table1, table2, measures, ideal, turned, highest)


def printed_evidence(table1: pd.DataFrame, table2: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it: its two tables."""
    return Evidence(table1, table2, *(pd.DataFrame() for _ in range(4)))


def _taus(table: pd.DataFrame) -> dict[frozenset[str], float]:
    pairs = table.iloc[:, :2].itertuples(index=False, name=None)
    return dict(zip(map(frozenset, pairs), table["kendall_tau"].astype(float), strict=True))


def _trend(measures: pd.DataFrame) -> list[Comparison]:
    """For every task and quantisation: agreement within the overall measures, and with fixed cut-offs."""
    if measures.empty:
        return []
    found = []
    for (task, q), part in measures.groupby(["task", "quantisation"], sort=False):
        tau = _taus(part[["measure_a", "measure_b", "kendall_tau"]])
        within = fmean([tau[frozenset(pair)] for pair in combinations(ALIKE, 2)])
        across = fmean([tau[frozenset(pair)] for pair in product(ALIKE, AT_CUTOFF)])
        found.append(Comparison(f"{task}, {q}: among them | with cut-offs", within, ">", across))
    return found


def _of(table: pd.DataFrame, column: str, how: str, **fixed: str) -> float:
    """The lowest or highest value of a column among the rows with the given values; NaN if there is none."""
    for name, value in fixed.items():
        table = table[table[name] == value] if name in table else table.iloc[:0]
    return float(getattr(table[column], how)()) if len(table) else float("nan")


def _share(turned: pd.DataFrame, measure: str) -> float:
    part = turned[turned["measure"] == measure] if len(turned) else turned
    lists = part["lists"].sum() if len(part) else 0
    return float(part["changed"].sum() / lists) if lists else float("nan")


def findings(evidence: Evidence, settings: pd.DataFrame) -> list[Finding]:
    """The paper's findings, in its order.

    ``settings`` has the columns task and quantisation: those that the finding on every task looks at.
    """
    tau = _taus(evidence.table1)
    quant = _taus(evidence.table2)

    def of(a: str, b: str) -> float:
        return tau[frozenset((a, b))]

    def between(a: str, b: str) -> float:
        return quant[frozenset((a, b))]

    nan = float("nan")
    trend = _trend(evidence.measures) or [
        Comparison(f"{task}, {q}: among them | with cut-offs", nan, ">", nan)
        for task, q in settings[["task", "quantisation"]].drop_duplicates().itertuples(index=False, name=None)
    ]
    return [
        Finding(
            "one-is-ideal",
            "3.1, 3.3",
            "A value of 1 is ideal performance, at any rank.",
            "The ideal ranking of every topic, scored as a run under every measure, quantisation and task: the "
            "lowest and the highest of its values are 1 (up to rounding).",
            [
                Comparison("lowest value | 1", _of(evidence.ideal, "lowest", "min"), "≥", 1 - ROUNDING),
                Comparison("highest value | 1", _of(evidence.ideal, "highest", "max"), "≤", 1 + ROUNDING),
            ],
        ),
        Finding(
            "nothing-above-ideal",
            "3.1, 3.2",
            "No run does better than the ideal ranking.",
            "The highest nxCG of any run on any topic is at most 1, with overlap ignored and with overlap "
            "considered.",
            [
                Comparison(
                    f"highest nxCG[{rank}], overlap={overlap} | 1",
                    _of(evidence.highest, "highest", "max", overlap=overlap, measure=f"nxCG[{rank}]"),
                    "≤",
                    1 + ROUNDING,
                )
                for overlap in ("off", "on")
                for rank in (10, 25, 50)
            ],
        ),
        Finding(
            "mean-sees-the-order",
            "3.1",
            "MAnxCG reflects the quality of the ranking, whereas nxCG is a set-based value.",
            f"The first {TURNED} results of every list are turned around (overlap ignored). The share of lists "
            f"whose nxCG[{TURNED}] changes is 0; most change in MAnxCG[{TURNED}]. Lists with a gain there count.",
            [
                Comparison(
                    f"share that changes in nxCG[{TURNED}] | 0",
                    _share(evidence.turned, f"nxCG[{TURNED}]"),
                    "≤",
                    0.0,
                ),
                Comparison(
                    f"share that changes in MAnxCG[{TURNED}] | half",
                    _share(evidence.turned, f"MAnxCG[{TURNED}]"),
                    ">",
                    0.5,
                ),
            ],
        ),
        Finding(
            "overall-differs-from-cutoffs",
            "7.1, Table 1",
            "Measures of overall performance and measures at fixed cut-offs reflect different aspects.",
            "For each overall measure the highest correlation with any measure at a cut-off is below "
            f"{NOTICEABLE}, where the paper sees noticeable differences." + _FEW,
            [
                Comparison(
                    f"{a} with a cut-off: highest τ | {NOTICEABLE}",
                    float(np.max([of(a, b) for b in AT_CUTOFF])),
                    "<",
                    NOTICEABLE,
                )
                for a in OVERALL
            ],
        ),
        Finding(
            "overall-measures-agree",
            "7.1, Table 1",
            "MAep, iMAep and Q are highly correlated: one of them may be enough.",
            f"Each pair of them correlates at {NOTICEABLE} or more, and better than any of the three with any "
            "measure at a cut-off." + _FEW,
            [
                *(
                    Comparison(f"{a} and {b} | {NOTICEABLE}", of(a, b), "≥", NOTICEABLE)
                    for a, b in combinations(ALIKE, 2)
                ),
                Comparison(
                    "lowest among them | highest with a cut-off",
                    float(np.min([of(a, b) for a, b in combinations(ALIKE, 2)])),
                    ">",
                    float(np.max([of(a, b) for a, b in product(ALIKE, AT_CUTOFF)])),
                ),
            ],
        ),
        Finding(
            "cutoff-measures-agree",
            "7.1, Table 1",
            "MAnxCG and nxCG at the various cut-offs report fairly similar results.",
            f"At each cut-off the two correlate at {NOTICEABLE} or more, and all six correlate better among "
            "themselves than with the overall measures, in the mean." + _FEW,
            [
                *(
                    Comparison(
                        f"MAnxCG[{i}] and nxCG[{i}] | {NOTICEABLE}",
                        of(f"MAnxCG[{i}]", f"nxCG[{i}]"),
                        "≥",
                        NOTICEABLE,
                    )
                    for i in (10, 25, 50)
                ),
                Comparison(
                    "mean among cut-offs | with overall measures",
                    fmean([of(a, b) for a, b in combinations(AT_CUTOFF, 2)]),
                    ">",
                    fmean([of(a, b) for a, b in product(OVERALL, AT_CUTOFF)]),
                ),
            ],
        ),
        Finding(
            "trend-in-every-task",
            "7.1",
            "Tasks and quantisations differ somewhat, but each shows the general trend of Table 1.",
            "In every task and quantisation, MAep, iMAep and Q correlate better among themselves than with the "
            "measures at cut-offs, in the mean." + _FEW,
            trend,
        ),
        Finding(
            "strict-differs",
            "7.2, Table 2",
            "Strict quantisation ranks systems noticeably differently from both generalised ones.",
            f"Its correlation with gen and with genLifted is below {NOTICEABLE}." + _FEW,
            [
                Comparison(f"strict and {q} | {NOTICEABLE}", between("strict", q), "<", NOTICEABLE)
                for q in ("gen", "genLifted")
            ],
        ),
        Finding(
            "generalised-agree",
            "7.2, Table 2",
            "The two generalised quantisations behave rather similarly.",
            f"They correlate at {NOTICEABLE} or more, and better than either with strict." + _FEW,
            [
                Comparison(f"gen and genLifted | {NOTICEABLE}", between("gen", "genLifted"), "≥", NOTICEABLE),
                *(
                    Comparison(
                        f"gen and genLifted | strict and {q}",
                        between("gen", "genLifted"),
                        ">",
                        between("strict", q),
                    )
                    for q in ("gen", "genLifted")
                ),
            ],
        ),
        Finding(
            "too-small-elements-matter",
            "7.2, Table 2",
            "Elements judged too small have some effect on system performance.",
            f"gen, which ignores them, and genLifted correlate below {EQUIVALENT}, from where rankings count as "
            "the same." + _FEW,
            [Comparison(f"gen and genLifted | {EQUIVALENT}", between("gen", "genLifted"), "<", EQUIVALENT)],
        ),
    ]
