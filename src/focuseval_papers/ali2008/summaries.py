"""Tables about structural summaries: the spread of pi (steady-state probability), the largest partitions, and trees."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from focuseval.measures.structural_summary import Summary
from focuseval.model.arrays import Floats
from focuseval_papers.ali2008.settings_of_srp import SETTING, Setting


def spread(summaries: Mapping[str, Summary], by_setting: Mapping[Setting, Floats]) -> pd.DataFrame:
    """Return the number of partitions of each summary, with the largest and the mean pi under each setting of SRP.

    ``by_setting`` is the result of `pi_by_setting`. The column mean_π is the mean of pi over elements.
    """
    rows = []
    for setting, pi in by_setting.items():
        summary = summaries[setting[0]]
        mean = float(np.average(pi, weights=summary.extent))
        rows.append((*setting, summary.expression, len(summary), pi.max(), mean))
    return pd.DataFrame(rows, columns=[*SETTING, "expression", "partitions", "largest_π", "mean_π"])


def largest(summary: Summary, pi: Floats, most: int = 15) -> pd.DataFrame:
    """Return at most ``most`` partitions of a summary, in descending order of pi."""
    first = np.argsort(-pi, kind="stable")[:most]
    columns = {"extent": summary.extent[first], "length": summary.length[first], "π": pi[first]}
    return pd.DataFrame({"path": summary.paths(first), **columns})


def tree(summary: Summary, pi: Floats, weight: str, most: int = 24) -> pd.DataFrame:
    """Return the partitions of a summary to draw: ``most`` partitions with the highest pi, and their ancestors.

    The column upper is the parent, or -1 for a root. The column share is the weight of the edge from the parent,
    divided by the highest weight. The column hidden is the number of children that are not drawn.
    """
    upper, lower = summary.pairs("child")
    parent = np.full(len(summary), -1)
    parent[lower] = upper
    wanted: set[int] = set()
    for partition in np.argsort(-pi, kind="stable")[:most].tolist():
        at = partition
        while at >= 0 and at not in wanted:
            wanted.add(at)
            at = int(parent[at])
    nodes = np.array(sorted(wanted))
    weights = summary.weight(weight)
    hidden = np.bincount(upper[~np.isin(lower, nodes)], minlength=len(summary))
    return pd.DataFrame(
        {
            "partition": nodes,
            "path": summary.paths(nodes),
            "pi": pi[nodes],
            "upper": parent[nodes],
            "share": weights[nodes] / max(weights[lower].max(initial=0.0), 1.0),
            "hidden": hidden[nodes],
        }
    )
