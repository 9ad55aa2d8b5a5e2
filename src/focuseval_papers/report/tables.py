"""Tables with what a paper prints: beside what is computed, or in its layout, one above the other."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.report.tables import number


def beside(computed: pd.DataFrame, printed: pd.DataFrame, on: Sequence[str], value: str) -> pd.DataFrame:
    """The computed table with the columns ``printed`` and ``difference`` (computed less printed) added.

    Rows are matched on the columns ``on``; every computed row stays, in its order, with NaN where the
    paper prints nothing. Raises ValueError if the printed table has two numbers for one row.
    """
    known = printed[[*on, value]].rename(columns={value: "printed"})
    if known.duplicated(list(on)).any():
        raise ValueError(f"more than one printed number for the same {', '.join(on)}")
    table = computed.merge(known, how="left", on=list(on))
    table["printed"] = table["printed"].astype(float)
    table["difference"] = table[value] - table["printed"]
    return table


def matrix(
    table: pd.DataFrame, rows: Sequence[str], columns: str, values: Mapping[str, str], decimals: int
) -> pd.DataFrame:
    """The long ``table`` as a matrix of text, for people.

    Cells that have the same values of ``rows`` stand in one row and those of ``columns`` name the columns, both in the
    order in which they come. ``values`` names the columns of numbers, by the words that stand before them in the column
    ``number``: for each of them a row of the matrix. Where all cells would stand in one column, the numbers stand
    beside each other instead.
    """
    order = list(dict.fromkeys(table[columns]))
    if len(order) == 1:
        beside = {words: [number(x, decimals) for x in table[value]] for words, value in values.items()}
        return table[list(rows)].reset_index(drop=True).assign(**beside)
    shown = []
    for key, part in table.groupby(list(rows), sort=False):
        cell = part.set_index(columns)
        for words, value in values.items():
            texts = {name: number(cell[value].get(name, float("nan")), decimals) for name in order}
            shown.append({**dict(zip(rows, key, strict=True)), "number": words, **texts})
    return pd.DataFrame(shown, columns=[*rows, "number", *order])
