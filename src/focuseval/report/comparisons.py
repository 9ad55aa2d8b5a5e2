"""Tables, a figure and a short summary for a comparison of systems."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

import pandas as pd

from focuseval.errors import counted, listed
from focuseval.report.parts import Analysis, Figure, Item, Table
from focuseval.report.tables import MISSING, lead_over, p_value, tested, with_intervals
from focuseval.statistics.significance import TESTS


def how_tested(request: Mapping[str, Any]) -> str:
    """Describe the test that a comparison uses."""
    tails = "one-tailed" if request.get("one_tailed", True) else "two-tailed"
    family = f"the comparisons with {request['baseline']}" if request.get("baseline") else "all pairs"
    corrected = f", with Holm's correction for {family}" if request.get("correction") == "holm" else ""
    return f"{TESTS[request['test']].report.format(**request, tails=tails)} at level {request['alpha']:g}{corrected}"


def results_used(size: int | None) -> str:
    """Describe how many results are scored, such as ``the first 10 results of each topic``."""
    return f"the first {counted(size, 'result')} of each topic" if size else "all results of each topic"


def _pairs_for_people(table: pd.DataFrame) -> pd.DataFrame:
    """Join columns of a table of pairs for readers: ranks and names, differences and intervals, pairs of p-values."""
    sides = {side: table[side] + " " + table[f"{side}_run"] for side in ("higher", "lower")}
    if "low" in table:
        sides["difference"] = with_intervals(table[["difference", "low", "high"]], "+")
    sentences = ["higher_run", "lower_run", "low", "high", "level"]
    adjusted = {name: name.replace("adjusted_", "") for name in table if name.startswith("p_adjusted_")}
    for after, before in adjusted.items():
        both = table[[before, after]].itertuples(index=False)
        sides[before] = [
            MISSING if p != p else f"{p_value(p)} / {p_value(corrected)}" for p, corrected in both
        ]
    return table.assign(**sides).drop(columns=[*sentences, *adjusted], errors="ignore")


def _systems_for_people(table: pd.DataFrame) -> pd.DataFrame:
    """Join the means and the intervals in a table of systems for readers."""
    mean = with_intervals(table[["mean", "low", "high"]])
    columns = {"label": "rank", "run": "run", "mean": "mean", "better_than": "better than ranks"}
    return table.assign(mean=mean)[list(columns)].rename(columns=columns)


def with_better(table: pd.DataFrame, analysis: Analysis, stem: str = "") -> pd.DataFrame:
    """Add a column ``better_than`` to a table of systems: the ranks of the systems that are significantly worse."""
    if f"{stem}matrix" not in analysis:
        return table

    def ranks(cells: pd.Series) -> str:
        """Return the ranks of the systems that one row of the matrix marks as worse, such as ``2, 4–7``."""
        marked = enumerate(sorted(map(int, cells.index[cells == "*"])))
        runs = [[rank for _, rank in run] for _, run in groupby(marked, lambda pair: pair[1] - pair[0])]
        return ", ".join("–".join(map(str, sorted({run[0], run[-1]}))) for run in runs) or "none"

    better = analysis[f"{stem}matrix"].set_index("run").drop(columns="rank").apply(ranks, axis=1)
    return table.assign(better_than=table["run"].map(better))


def _why_not_drawn(matrix: pd.DataFrame, baseline: str | None) -> str | None:
    """Return why a matrix of significant differences is not drawn, ``""`` to draw it, or None to omit it silently."""
    if len(matrix) < 3:
        return None
    significant = (matrix == "*").to_numpy().any()
    none = f"none of the {len(matrix)} systems differs significantly from {baseline or 'another'}."
    return "" if significant else none


def comparison_items(
    stem: str, heading: str, measure: str, ranked_by: str, request: Mapping[str, Any]
) -> list[Item]:
    """Return the tables and figures of a comparison (`focuseval.statistics.comparisons.compare`).

    ``request`` contains the settings test, one_tailed, alpha, resamples, correction and baseline. The names of files
    and of frames in the analysis begin with ``stem``.
    """
    baseline = request.get("baseline")
    level = f"{100 * (1 - request['alpha']):g} %"
    return [
        Figure(
            f"{stem}matrix",
            heading,
            "A disc means that the system of the row is significantly better than the system of the column, by "
            f"{how_tested(request)}. A dot means that it is not. "
            f"{f'A cell is empty if neither system is {baseline}. ' if baseline else ''}"
            f"Systems are ordered by {measure}. Column headings are ranks under {ranked_by}.",
            drawn="matrix",
            why_not=lambda analysis: _why_not_drawn(analysis[f"{stem}matrix"], baseline),
        ),
        Table(f"{stem}matrix", f"{measure}: the matrix as a table", ""),
        Table(
            f"{stem}counts",
            f"{measure}: significant pairs under every test",
            "The number of pairs that each test finds significant.",
            fold=True,
            why_not=lambda analysis: "" if len(analysis[f"{stem}systems"]) > 2 else None,
        ),
        Table(
            f"{stem}systems",
            f"{measure}: means with confidence intervals",
            f"Means over topics with {level} intervals (all values that the two-tailed test does not reject). Better "
            "than: the ranks of the systems that are significantly worse, by the test of the matrix. Overlapping "
            "intervals do not show that systems are equal.",
            make=lambda analysis, _: with_better(analysis[f"{stem}systems"], analysis, stem),
            show=_systems_for_people,
        ),
        _pairs_item(stem, measure, ranked_by, level, request),
    ]


def _pairs_item(stem: str, measure: str, ranked_by: str, level: str, request: Mapping[str, Any]) -> Table:
    p_values, baseline = "p-values under every test", request.get("baseline")
    if request.get("correction") == "holm":
        p_values += " before and after Holm's correction for the pairs of this table"
    return Table(
        f"{stem}pairs",
        f"{measure}: every system compared with {baseline}" if baseline else f"{measure}: all pairs",
        f"Differences of means, and {p_values}. Systems are labelled with their rank under {ranked_by} and their name. "
        f"Brackets contain the {level} interval of the difference, if it is known. The effect size is Cohen's d of "
        "paired values. Wins, ties and losses count topics. If one topic alone explains a difference, the column "
        "“carried by” names this topic.",
        decimals={"effect_size": 2},
        show=_pairs_for_people,
        fold=True,
    )


#: the maximum number of decisive topics, and of systems, that the summary names
_NAMED = 3


def answer(request: Mapping[str, Any], analysis: Analysis) -> list[str]:
    """Return sentences that summarise a comparison of at least two systems.

    ``request`` is the argument of `focuseval.statistics.comparisons.overview`, and ``analysis`` contains its tables.
    """
    measure, settings = request["measures"][0], request["comparison"]["settings"]
    lower = measure in request["comparison"]["lower"]
    p = f"p_{settings['test']}"
    adjusted = f"p_adjusted_{settings['test']}" if settings["correction"] == "holm" else p
    best, second = analysis["systems"]["run"][:2]
    pairs = analysis["pairs"].query("higher_run == @best").set_index("lower_run", drop=False)
    lead, values = pairs.loc[second], analysis["topics"].pivot(index="topic", columns="run", values="value")
    apart = (values[best] - values[second]).sort_values(ascending=lower, kind="stable")
    rest = pd.DataFrame({"difference": [apart.iloc[_NAMED:].mean()]})
    difference, left = with_intervals(
        pd.concat([pairs.loc[[second], ["difference", "low", "high"]], rest]), "+"
    )
    compared, alpha = 1 if adjusted == p else len(analysis["pairs"]), settings["alpha"]
    ahead = lead_over(second, lead["difference"], lead["wins"], lead["losses"], len(values))
    sentences = [
        f"Under {measure}{' (lower is better)' if lower else ''} {best} is best. It is {ahead}, {difference}"
        f"{tested(lead[p], lead[adjusted], compared, alpha)}."
    ]
    alike = pairs.loc[~(pairs[adjusted] <= alpha), "lower_run"].tolist()
    if len(pairs) > 1:
        sentences.append(
            f"It is not significantly better than {len(alike)} of the {len(pairs)} other systems: "
            f"{listed(alike, _NAMED)}."
            if alike
            else f"It is significantly better than each of the {len(pairs)} other systems."
        )
    if "best" in analysis:
        often = analysis["best"].sort_values("share", ascending=False, kind="stable").head(_NAMED)
        shares = ", ".join(
            f"{run} in {100 * share:.0f} %" for run, share in often[["run", "share"]].to_numpy()
        )
        sentences.append(f"Best over {settings['resamples']:,} bootstrap resamples of the topics: {shares}.")
    if len(apart) > _NAMED and lead["difference"] != 0 and apart.iloc[0] != apart.iloc[_NAMED]:
        topics = listed([str(topic) for topic in apart.index[:_NAMED]], _NAMED)
        sentences.append(
            f"The lead is largest on the topics {topics}; the mean difference on the others is {left}."
        )
    return sentences
