"""Structural summaries of a campaign as the paper shows them: what they are like, and the graph of one."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from focuseval.measures.structural_summary import Summary
from focuseval.model.arrays import Floats

#: partitions that are listed, and those of highest pi that are drawn
LARGEST, MOST_DRAWN = 15, 24


def laid_out(node: pd.Series, parent: pd.Series, root: int) -> dict[int, tuple[float, float]]:
    """Where the nodes of trees are drawn: leaves one after another from 1 on, others amid their children; and depth.

    ``parent`` is that of each node, ``root`` what roots have in its place.
    """
    children = node.groupby(parent).agg(list).to_dict()
    places: dict[int, tuple[float, float]] = {}
    leaves = 0

    def place(at: int, depth: int) -> float:
        nonlocal leaves
        below = [place(child, depth + 1) for child in children.get(at, [])]
        if not below:
            leaves += 1
        across = (below[0] + below[-1]) / 2 if below else float(leaves)
        places[at] = (across, float(depth))
        return across

    for first in children[root]:
        place(first, 0)
    return places


def spread(
    summaries: Mapping[str, Summary], by_setting: Mapping[tuple[str, str, str], Floats]
) -> pd.DataFrame:
    """Summaries by name under all settings: partitions, and how pi is spread.

    ``by_setting`` has pi by summary, edges and weight (`focuseval_papers.ali2008.accuracy.pi_by_setting`).
    Columns summary, edges, weight, expression, partitions, largest_π, mean_π: the mean over elements, which is
    the probability that an element is *not* seen on a visit to another one of its document.
    """
    rows = []
    for (name, edges, weight), pi in by_setting.items():
        summary = summaries[name]
        mean = float(np.average(pi, weights=summary.extent))
        rows.append((name, edges, weight, summary.expression, len(summary), pi.max(), mean))
    columns = ["summary", "edges", "weight", "expression", "partitions", "largest_π", "mean_π"]
    return pd.DataFrame(rows, columns=columns)


def largest(summary: Summary, pi: Floats) -> pd.DataFrame:
    """The `LARGEST` partitions of a summary by pi: path, extent, length, π."""
    first = np.argsort(-pi, kind="stable")[:LARGEST]
    return pd.DataFrame(
        {
            "path": summary.paths(first),
            "extent": summary.extent[first],
            "length": summary.length[first],
            "π": pi[first],
        }
    )


def tree(summary: Summary, pi: Floats, weight: str, most: int = MOST_DRAWN) -> pd.DataFrame:
    """The partitions that are drawn of a summary of label paths: the ``most`` of highest pi and all above.

    Columns partition, path, pi, upper (the partition it lies in, -1 for roots), share (the weight of the
    edge to it, of the heaviest edge's), hidden (partitions in it that are not drawn), in document order.
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
    shown = np.array(sorted(wanted))
    weights = summary.weight(weight)
    hidden = np.bincount(upper[~np.isin(lower, shown)], minlength=len(summary))
    return pd.DataFrame(
        {
            "partition": shown,
            "path": summary.paths(shown),
            "pi": pi[shown],
            "upper": parent[shown],
            "share": weights[shown] / max(weights[lower].max(initial=0.0), 1.0),
            "hidden": hidden[shown],
        }
    )
