"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

from collections.abc import Sequence
from itertools import combinations, product

import pandas as pd

from focuseval.statistics.estimates import Quantity, highest, lowest, mean
from focuseval.statistics.findings import FEWEST_RUNS, Comparison, Finding, given
from focuseval_papers.kazai2005.evidence import AT_CUTOFF, OVERALL, Evidence

#: the rank up to which lists are turned around
TURNED = 25

#: differences up to this are rounding
ROUNDING = 1e-9

#: below this a correlation means noticeable differences, from the second on equal rankings (Section 7.1)
NOTICEABLE, EQUIVALENT = 0.8, 0.9

#: the three measures that are said to agree
ALIKE = ("MAep", "iMAep", "Q")


_FEW = f" Not testable where a task has fewer than {FEWEST_RUNS} runs."

#: why some comparisons cannot fail
_OWN = "Every measure divides by what the ideal ranking has: of the ideal ranking itself it is 1."
_GREATEST = (
    "Where overlap is ignored, the ideal ranking has the elements of highest gain first: no other list has a higher "
    "cumulated gain at any rank."
)
_SET_BASED = (
    "nxCG at a rank adds up the gains of the results down to it, in whatever order where overlap is ignored."
)

_NAN = float("nan")


def _of(table: pd.DataFrame, column: str, how: str, **fixed: str) -> float:
    """The lowest or highest value of a column among the rows with the given values; NaN if there is none."""
    for name, value in fixed.items():
        table = table[table[name] == value] if name in table else table.iloc[:0]
    return float(getattr(table[column], how)()) if len(table) else _NAN


def _count(table: pd.DataFrame, column: str, **fixed: str) -> int:
    """The sum of a column among the rows with the given values."""
    for name, value in fixed.items():
        table = table[table[name] == value] if name in table else table.iloc[:0]
    return int(table[column].sum()) if len(table) else 0


def findings(evidence: Evidence, settings: Sequence[tuple[str, str]]) -> list[Finding]:
    """The paper's findings, in its order.

    ``settings`` are the tasks and quantisations that the finding on every task looks at.
    """

    def of(a: str, b: str) -> Quantity:
        return evidence.table1.get(frozenset((a, b)), _NAN)

    def between(a: str, b: str) -> Quantity:
        return evidence.table2.get(frozenset((a, b)), _NAN)

    def trend(task: str, q: str) -> Comparison:
        """Agreement within the overall measures, and with fixed cut-offs, in one task and quantisation."""
        tau = evidence.measures.get((task, q), {})
        within, across = (
            mean(tau.get(frozenset(pair), _NAN) for pair in pairs)
            for pairs in (combinations(ALIKE, 2), product(ALIKE, AT_CUTOFF))
        )
        return Comparison(f"{task}, {q}: among them | with cut-offs", within, ">", across)

    return [
        Finding(
            "one-is-ideal",
            "3.1, 3.3",
            "A value of 1 is ideal performance, at any rank.",
            "The ideal ranking of every topic, scored as a run under every measure, quantisation and task: the "
            "lowest and the highest of its values are 1 (up to rounding).",
            given(
                _OWN,
                [
                    Comparison(
                        f"{name} value | 1",
                        _of(evidence.ideal, name, how),
                        relation,
                        bound,
                        n=_count(evidence.ideal, "topics"),
                    )
                    for name, how, relation, bound in (
                        ("lowest", "min", "≥", 1 - ROUNDING),
                        ("highest", "max", "≤", 1 + ROUNDING),
                    )
                ],
            ),
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
                    _GREATEST * (overlap == "off"),
                    n=_count(evidence.highest, "values", overlap=overlap, measure=f"nxCG[{rank}]"),
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
                    evidence.turned.get(f"nxCG[{TURNED}]", _NAN),
                    "≤",
                    0.0,
                    _SET_BASED,
                ),
                Comparison(
                    f"share that changes in MAnxCG[{TURNED}] | half",
                    evidence.turned.get(f"MAnxCG[{TURNED}]", _NAN),
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
                    highest(of(a, b) for b in AT_CUTOFF),
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
                    lowest(of(a, b) for a, b in combinations(ALIKE, 2)),
                    ">",
                    highest(of(a, b) for a, b in product(ALIKE, AT_CUTOFF)),
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
                    mean(of(a, b) for a, b in combinations(AT_CUTOFF, 2)),
                    ">",
                    mean(of(a, b) for a, b in product(OVERALL, AT_CUTOFF)),
                ),
            ],
        ),
        Finding(
            "trend-in-every-task",
            "7.1",
            "Tasks and quantisations differ somewhat, but each shows the general trend of Table 1.",
            "In every task and quantisation, MAep, iMAep and Q correlate better among themselves than with the "
            "measures at cut-offs, in the mean." + _FEW,
            [trend(task, q) for task, q in settings],
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
