"""The paper's tables as they are shown: computed, printed, difference."""

import pandas as pd

from focuseval.present.tables import beside


def correlation_table(averages: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1 or 2: mean correlations of pairs beside the printed ones, in the printed order.

    Columns: the pair's two, correlations (how many are averaged), kendall_τ, printed, difference.
    """
    pair = list(printed.columns[:2])
    table = beside(averages, printed, pair, "kendall_tau")
    return table.rename(columns={"kendall_tau": "kendall_τ"})


def square(averages: pd.DataFrame, names: list[str], value: str) -> pd.DataFrame:
    """A table of pairs as a square with 1 on its diagonal."""
    matrix = pd.DataFrame(float("nan"), index=names, columns=names)
    for name in names:
        matrix.loc[name, name] = 1.0
    for row in averages.to_dict("records"):
        a, b = row["measure_a"], row["measure_b"]
        matrix.loc[a, b] = matrix.loc[b, a] = row[value]
    return matrix


def tasks_table(tasks: pd.DataFrame, absent: dict[str, str]) -> pd.DataFrame:
    """All tasks of the paper: what each is scored on here, or why it is not available.

    ``tasks`` has the columns task, runs, topics; the result has note, too.
    """
    shown = tasks.astype({"runs": object, "topics": object}).assign(note="")
    missing = pd.DataFrame(
        [(task, None, None, f"not available: {why}") for task, why in absent.items()],
        columns=["task", "runs", "topics", "note"],
        dtype=object,
    )
    return pd.concat([shown, missing], ignore_index=True)
