"""Gövert et al. (2006), Table 1: how many elements were assessed with each pair of values."""

import numpy as np
import pandas as pd

#: (exhaustiveness, specificity) of relevant elements, and how many of each the table counts
CELLS = ((3, 3), (3, 2), (3, 1), (2, 3), (2, 2), (2, 1), (1, 3), (1, 2), (1, 1))
ARTICLES = (180, 112, 150, 24, 103, 222, 148, 50, 673)
OTHERS = (1316, 616, 635, 2105, 1779, 1358, 5029, 3872, 8074)


def compare_with_table1(assessments: pd.DataFrame) -> pd.DataFrame:
    """Shares of the relevant elements by value beside those of the table.

    Takes columns root, exhaustivity, specificity. Returns part ("article" or "other"), exhaustivity,
    specificity, count, share, printed (share) and difference.
    """
    tables = []
    for part, printed in (("article", ARTICLES), ("other", OTHERS)):
        judged = assessments[assessments["root"] == (part == "article")]
        counts = judged.groupby(["exhaustivity", "specificity"]).size()
        table = pd.DataFrame(CELLS, columns=["exhaustivity", "specificity"])
        table.insert(0, "part", part)
        table["count"] = [int(counts.get(cell, 0)) for cell in CELLS]
        table["share"] = table["count"] / max(table["count"].sum(), 1)
        table["printed"] = np.array(printed) / sum(printed)
        table["difference"] = table["share"] - table["printed"]
        tables.append(table)
    return pd.concat(tables, ignore_index=True)
