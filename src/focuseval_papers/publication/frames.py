"""What analyses do with frames."""

from collections.abc import Sequence

import pandas as pd


def stacked(tables: Sequence[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """The tables below each other with these columns; an empty table of them if there is none."""
    if not tables:
        return pd.DataFrame(columns=columns)
    return pd.concat([table[list(columns)] for table in tables], ignore_index=True)


def rows_of(table: pd.DataFrame, **values: object) -> pd.DataFrame:
    """The rows of a table that have these values in the columns that are named so."""
    return table[(table[list(values)] == list(values.values())).all(axis=1)]
