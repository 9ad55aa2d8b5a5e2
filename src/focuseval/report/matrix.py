"""Tables in the layout of a paper, from their long form: what is computed above what is printed."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.report.tables import number


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
