"""Tables with printed and computed numbers, and warnings about uninformative rankings."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from focuseval.errors import counted
from focuseval.report.tables import OUTSIDE, number
from focuseval.statistics.correlations import FEWEST_RUNS


def degenerate(scores: pd.DataFrame, keys: Sequence[str], value: str = "value") -> list[str]:
    """Return warnings about rankings with few runs or many ties, whose correlations are unreliable.

    ``scores`` has a row for each run in each ranking. The columns ``keys`` identify a ranking, and the column ``value``
    ranks the runs. Fewer than `FEWEST_RUNS` runs are few. Ties are many if there are fewer distinct values, to 12
    decimals, than half of the runs.
    """
    grouped = scores.assign(value=scores[value].round(12)).groupby(list(keys), sort=False, observed=True)
    counts = grouped["value"].agg(runs="size", values="nunique")
    few = counts[counts["runs"] < FEWEST_RUNS]
    tied = counts[(counts["runs"] >= FEWEST_RUNS) & (2 * counts["values"] < counts["runs"])]
    cautions = []
    if len(few):
        fewest = int(few["runs"].min())
        cautions.append(
            f"{counted(fewest, 'run')}: with fewer than {FEWEST_RUNS}, correlations decide nothing."
        )
    if len(tied):
        worst = tied.iloc[(tied["values"] / tied["runs"]).argmin()]
        where = ", ".join(str(part) for part in (worst.name if len(keys) > 1 else [worst.name]))
        values = int(worst["values"])
        cautions.append(
            f"{len(tied)} of {counted(len(counts), 'ranking')} {'are' if len(tied) > 1 else 'is'} mostly ties (fewer "
            "distinct values than half of the runs); correlations there are unreliable. "
            f"The worst is {where}: {counted(values, 'value')} for {counted(worst['runs'], 'run')}."
        )
    return cautions


def with_printed(
    computed: pd.DataFrame, printed: pd.DataFrame, on: Sequence[str], value: str
) -> pd.DataFrame:
    """Add the columns ``printed`` and ``difference`` (computed minus printed) to the computed table.

    Rows are matched by the columns ``on``, and ``value`` is the column of numbers in both tables. The new columns are
    NaN if the paper prints no number. Raises ValueError if the paper prints several numbers for a row.
    """
    printed_values = printed[[*on, value]].rename(columns={value: "printed"})
    if printed_values.duplicated(list(on)).any():
        raise ValueError(f"more than one printed number for the same {', '.join(on)}")
    table = computed.merge(printed_values, how="left", on=list(on))
    table["printed"] = table["printed"].astype(float)
    table["difference"] = table[value] - table["printed"]
    return table


def matrix(
    table: pd.DataFrame,
    rows: Sequence[str],
    columns: str,
    values: Mapping[str, str],
    decimals: int,
    beside: bool = False,
) -> pd.DataFrame:
    """Rearrange a long table as a matrix of texts for readers.

    The columns ``rows`` of the table identify the rows of the matrix. The values in the column ``columns`` become
    headings. ``values`` maps labels to columns of numbers, so there is a number for each label under a heading. These
    numbers are on successive rows, or in one row if ``beside`` is true or there is only one heading. Printed numbers
    outside the interval from low to high are marked (`focuseval.report.tables.OUTSIDE`).
    """
    order = list(dict.fromkeys(table[columns]))
    prefixes = {name: "" if len(order) == 1 else f"{name}: " for name in order}
    shown: list[dict[str, Any]] = []
    outside: list[tuple[int, str]] = []
    for key, part in table.groupby(list(rows), sort=False):
        cell, about = part.set_index(columns), dict(zip(rows, key, strict=True))
        texts = {
            words: {name: number(cell[value].get(name, float("nan")), decimals) for name in order}
            for words, value in values.items()
        }
        apart = []
        if "printed" in values and {"low", "high"} <= set(cell):
            apart = cell.index[(cell["printed"] < cell["low"]) | (cell["printed"] > cell["high"])].tolist()
        if beside or len(order) == 1:
            outside += [(len(shown), f"{prefixes[name]}printed") for name in apart]
            shown.append(
                about | {prefixes[name] + words: texts[words][name] for name in order for words in values}
            )
        else:  # the column "number" contains the labels; if there is only one label, the column is dropped below
            outside += [(len(shown) + list(values).index("printed"), name) for name in apart]
            shown += [about | {"number": words} | texts[words] for words in values]
    frame = pd.DataFrame(shown).drop(columns=["number"] if len(values) == 1 else [], errors="ignore")
    frame.attrs[OUTSIDE] = outside
    return frame
