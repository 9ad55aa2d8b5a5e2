"""The worked examples as tables: what the paper prints beside what its equations give."""

import pandas as pd

from focuseval.papers.piwowarski2006.examples import SCENARIOS, printed_and_recomputed


def _place(rank: int) -> str:
    return str(rank) if rank else "never"


def table1() -> pd.DataFrame:
    """Table 1, a row for each of its columns: where a and b are first seen, share of users, A/ML.

    Columns a_first_seen, b_first_seen (rank), share_%, printed_%, and A/ML_r and printed_r for recall 1
    and 2; the last row has the sum of the shares, and the expectations.
    """
    known = printed_and_recomputed().set_index("quantity")[["recomputed", "printed"]]

    def pair(quantity: str) -> tuple[float, float]:
        here, there = known.loc[quantity]
        return float(here), float(there)

    rows: list[tuple[str | float, ...]] = []
    for column, (a, b) in enumerate(SCENARIOS, start=1):
        share = f"Table 1 share of users (%), a first seen at {a or 'no rank'}, b at {b or 'no rank'}"
        achieved = [x for r in (1, 2) for x in pair(f"Table 1 A/ML at recall {r}, column {column}")]
        rows.append((_place(a), _place(b), *pair(share), *achieved))
    expected = [x for r in (1, 2) for x in pair(f"Table 1 expected achievement/ML at recall {r}")]
    rows.append(("all users", "", *pair("Table 1 sum of the shares of users (%)"), *expected))
    names = ["share_%", "printed_%", "A/ML_1", "printed_1", "A/ML_2", "printed_2"]
    return pd.DataFrame(rows, columns=["a_first_seen", "b_first_seen", *names])


def numbers() -> pd.DataFrame:
    """Every number of Sections 2-5 (and the count of Section 7), without the cells of Table 1."""
    table = printed_and_recomputed()
    cells = table["quantity"].str.match("Table 1 (share|A/ML)")
    table = table[~cells].reset_index(drop=True)
    return table.assign(
        printed=table["printed"].map("{:g}".format),
        recomputed=table["recomputed"].map("{:.6g}".format),
        agrees=table["agrees"].map({True: "yes", False: "no"}),
    )
