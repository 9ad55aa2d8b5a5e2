"""From two comparisons of the same systems to the numbers that the paper gives of them."""

import numpy as np
import pandas as pd

from focuseval.papers.kamps2007.names import (
    ALPHA,
    EXCESS,
    MAGP,
    MAP,
    ORDER,
    PAIRS,
    RESAMPLES,
    RUNS,
    SIGNIFICANT,
    TAU,
    TOPICS,
)
from focuseval.statistics.correlations import kendall


def printed_ranks(order: str) -> dict[int, int]:
    """Rank under MAP by rank under MAgP, from the printed order such as ``5 1 2 …``."""
    return {int(label): place for place, label in enumerate(order.split(), 1)}


def orders(by_magp: pd.DataFrame, by_map: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """The systems by their rank under MAgP: means and ranks under both measures.

    ``by_magp`` and ``by_map`` are tables of systems (`focuseval.statistics.comparisons.Comparison`) with labels that
    are ranks under MAgP. Columns MAgP_rank, run, MAgP, MAP, MAP_rank, printed_MAP_rank: the last is that of
    the paper's system with the same rank under MAgP, NaN where there is none.
    """
    there = printed_ranks(printed.set_index("quantity")["value"][ORDER])
    other = by_map.assign(MAP_rank=np.arange(1, len(by_map) + 1)).set_index("label")
    label = by_magp["label"].to_numpy()
    return pd.DataFrame(
        {
            "MAgP_rank": label,
            "run": by_magp["run"].to_numpy(),
            "MAgP": by_magp["mean"].to_numpy(),
            "MAP": other["mean"].loc[label].to_numpy(),
            "MAP_rank": other["MAP_rank"].loc[label].to_numpy(),
            "printed_MAP_rank": [there.get(int(n), np.nan) for n in label],
        }
    )


def excess(magp: pd.DataFrame, average_precision: pd.DataFrame) -> float:
    """The largest AgP less AP of any run on any topic; both tables are topics × runs."""
    return float((magp - average_precision[magp.columns].loc[magp.index]).to_numpy().max())


def summary(
    systems: pd.DataFrame,
    counts: dict[str, pd.DataFrame],
    above: float,
    printed: pd.DataFrame,
    *,
    test: str,
    resamples: int,
    alpha: float,
) -> pd.DataFrame:
    """The numbers in the paper's text, here and as printed: columns quantity, here, printed.

    ``systems`` from `orders`, ``counts`` by measure (`Comparison.counts` with a column topics), ``above``
    from `excess`. The counts of the paper's test stand under the paper's names, those of the others behind.
    """
    by_test = {measure: table.set_index("test") for measure, table in counts.items()}
    first = by_test[MAGP].loc[test]
    rows: list[tuple[str, float]] = [
        (RUNS, len(systems)),
        (TOPICS, first["topics"]),
        (PAIRS, first["pairs"]),
        *((SIGNIFICANT[measure], by_test[measure].loc[test, "significant"]) for measure in (MAGP, MAP)),
        (TAU, kendall(systems["MAP"], systems["MAgP"]).coefficient),
        (RESAMPLES, resamples),
        (ALPHA, alpha),
    ]
    rows += [
        (f"{SIGNIFICANT[measure]}, {other}", by_test[measure].loc[other, "significant"])
        for other in by_test[MAGP].index
        if other != test
        for measure in (MAGP, MAP)
    ]
    rows.append((EXCESS, above))
    table = pd.DataFrame(rows, columns=["quantity", "here"]).astype({"here": float})
    known = printed[printed["quantity"] != ORDER].set_index("quantity")["value"].astype(float)
    return table.assign(printed=table["quantity"].map(known))


def as_shown(numbers: pd.DataFrame) -> pd.DataFrame:
    """The table of `summary` for people: counts without decimals, other numbers with three digits."""

    def text(value: float) -> str | None:
        if np.isnan(value):
            return None
        return f"{value:,.0f}" if value == int(value) else f"{value:.3g}".replace("-", "\N{MINUS SIGN}")

    shown = {name: pd.array([text(v) for v in numbers[name]], dtype=object) for name in ("here", "printed")}
    quantity = numbers["quantity"].replace({TAU: "Kendall's tau of MAP and MAgP"})
    return numbers.assign(quantity=quantity, **shown)
