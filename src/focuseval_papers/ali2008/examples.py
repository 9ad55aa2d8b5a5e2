"""The paper's worked examples and Tables 1 and 2, recomputed from the document of Figure 1.

`docs/errata.md` explains where printed numbers differ.
"""

import numpy as np
import pandas as pd
from lxml import etree

from focuseval.measures.structural import Browsing, not_seen
from focuseval.measures.structural_summary import (
    Summary,
    probabilities,
    steady_state,
    summarise,
    weighted_edges,
)
from focuseval.model.arrays import Floats
from focuseval.model.elements import Collection
from focuseval.report.parts import Analysis
from focuseval_papers.publication.claims import named
from focuseval_papers.publication.declaration import Declaration
from focuseval_papers.publication.estimates import Quantity
from focuseval_papers.publication.examples import document, recomputed_as_text

#: the document of Figure 1; full stops stand for characters that the figure counts but does not print
FIGURE_1 = f"""\
<book>
  <fm>
    <description type="main">
      <name type="title">Moby Dick</name>
      <meta type="etymology">whale {"." * 20}</meta>
      <meta type="introduction">biography {"." * 15}</meta>
    </description>
    <description type="creator">
      <name type="author">Herman Melville</name>
      <name type="publisher">Plain Label Books</name>
    </description>
    <description type="toc">
      <name type="ch">Chapter 1: Looming</name>
      <name type="ch">Chapter 2: The Carpet-bag</name>
      <name type="ch">Chapter 3: The Spouter-Inn</name>
    </description>
  </fm>
  <body>
    <chapter>whaling ship {"." * 50}</chapter>
    <chapter>captain {"." * 100}</chapter>
    <chapter>{"." * 50}</chapter>
  </body>
</book>
"""

#: files to write next to the worked examples, by name
texts = {"figure1.xml": FIGURE_1}

#: nodes of the left and the right tree in Figure 4, numbered as in Figure 2
LEFT, RIGHT = (1, 2, 14, 3, 15, 4), (1, 2, 14, 7, 17)

#: nodes that match the query "ship captain in Moby Dick" (shaded in Figure 2)
MATCHES = (4, 15, 16)

#: results in Figure 3: (a) three single nodes; (b) one subtree that connects these nodes
SINGLETONS, JOINED = ((4,), (15,), (16,)), (1, 2, 3, 4, 14, 15, 16)

#: number of the node in Example 5.1, /book/fm/description[2]
CREATOR = 7

#: paths of the states in Table 1, in printed order (bk, fm, bd, d, c, n, m)
TABLE_1_STATES = (
    "/book",
    "/book/fm",
    "/book/body",
    "/book/fm/description",
    "/book/body/chapter",
    "/book/fm/description/name",
    "/book/fm/description/meta",
)

#: printed weights of the edges in Table 2; the 221 that is printed in column S9 belongs in column S8
TABLE_2_WEIGHTS = {(2, 3): 4, (2, 5): 7, (3, 4): 133, (5, 6): 14, (5, 7): 73, (8, 9): 221}
#: nodes of each state in Table 2, as the edges of the table determine them
TABLE_2_NODES = ((1,), (2,), (7, 10), (8, 9, 11, 12, 13), (3,), (4,), (5, 6), (14,), (15, 16, 17))


def figure_1() -> Collection:
    """Return the document of Figure 1, with the lengths of Figure 2.

    As in the paper, a node's length includes the value of its attribute ``type``, but no white space between elements.
    """
    root = etree.fromstring(FIGURE_1, etree.XMLParser(remove_blank_text=True))
    for node in root.iter():
        node.text = node.get("type", "") + (node.text or "")
    return document(etree.tostring(root))


def by_node(collection: Collection, expression: str, weight: str) -> tuple[Summary, Floats, Floats]:
    """Summarise a collection; return the summary, pi of each partition, and for each node pi of the node's partition.

    Pi is the probability of a partition in the steady state.
    """
    summary = summarise(collection, expression)
    pi = probabilities(summary, weight=weight)
    return summary, pi, pi[summary.partition]


def _table_2_pi() -> Floats:
    """Return pi of each state of Table 2 (Eq. 8), computed from the printed weights."""
    (source, target), weight = zip(*TABLE_2_WEIGHTS, strict=True), list(TABLE_2_WEIGHTS.values())
    down = pd.DataFrame({"source": source, "target": target, "weight": weight}) - [1, 1, 0]
    up = down.rename(columns={"source": "target", "target": "source"})
    return steady_state(pd.concat([down, up]), len(TABLE_2_NODES))


def tree_redundancy(pi: Floats) -> float:
    """Return the probability that a user who views the left tree of Figure 4 also sees the right one (Eq. 5 and 7).

    For each node, ``pi`` has the pi of its partition.
    """
    nodes = np.array([*sorted(LEFT), *sorted(RIGHT)]) - 1
    unit = np.repeat([0, 1], [len(LEFT), len(RIGHT)])
    how = Browsing(np.arange(len(pi)), pi)
    return float(1 - not_seen(unit, nodes, 2, np.zeros(2, dtype=np.int64), how)[1])


def _states(count: int) -> list[str]:
    return [f"S{i}" for i in range(1, count + 1)]


def table_1(printed: pd.Series) -> pd.DataFrame:
    """Return Table 1, recomputed from the document, with the recomputed pi next to the printed pi."""
    summary, pi, _ = by_node(figure_1(), "p*", "extent")
    edges = weighted_edges(summary)
    matrix = np.zeros((len(pi), len(pi)), dtype=int)
    matrix[edges["source"], edges["target"]] = edges["weight"]
    order = [list(summary.partitions["path"]).index(state) for state in TABLE_1_STATES]
    states = _states(len(order))
    table = pd.DataFrame(matrix[np.ix_(order, order)], columns=states)
    table.insert(0, "state", states)
    table.insert(1, "partition", TABLE_1_STATES)
    names = [f"Table 1 pi({state}), {path}" for state, path in zip(states, TABLE_1_STATES, strict=True)]
    return table.assign(row_sum=table[states].sum(axis=1), pi=pi[order], printed=printed[names].to_numpy())


def table_2(printed: pd.Series) -> pd.DataFrame:
    """Return Table 2 with printed pi, and with pi recomputed from printed weights and from the document of Figure 1."""
    _, _, of_node = by_node(figure_1(), "pc*", "length")
    states = _states(len(TABLE_2_NODES))
    matrix = np.zeros((len(states), len(states)), dtype=int)
    for (upper, lower), weight in TABLE_2_WEIGHTS.items():
        matrix[[upper - 1, lower - 1], [lower - 1, upper - 1]] = weight
    return pd.DataFrame(
        {
            "state": states,
            "nodes": [" ".join(map(str, nodes)) for nodes in TABLE_2_NODES],
            **{state: matrix[:, column] for column, state in enumerate(states)},
            "row_sum": matrix.sum(axis=1),
            "pi_printed_weights": _table_2_pi(),
            "pi_document": [of_node[nodes[0] - 1] for nodes in TABLE_2_NODES],
            "printed": printed[[f"Table 2 pi({state}), Figure 1" for state in states]].to_numpy(),
        }
    )


def table_2_weights() -> pd.DataFrame:
    """Compare each printed weight of Table 2 with the number of characters in the edge's lower state."""
    text = figure_1().own_text
    rows = [
        (f"S{upper}-S{lower}", printed, int(text[np.array(TABLE_2_NODES[lower - 1]) - 1].sum()))
        for (upper, lower), printed in TABLE_2_WEIGHTS.items()
    ]
    return pd.DataFrame(rows, columns=["edge", "printed", "document"])


def figure_2() -> pd.DataFrame:
    """Return the nodes of Figure 2, numbered from 1; the root's parent is 0."""
    collection = figure_1()
    node = np.arange(1, len(collection) + 1)
    return pd.DataFrame(
        {
            "node": node,
            "parent": collection.parent + 1,
            "tag": collection.tags[collection.tag],
            "length": collection.own_text,
            "shaded": np.isin(node, MATCHES),
        }
    )


def figure_5() -> pd.DataFrame:
    """Return the partitions of the two summaries in Figure 5.

    The columns are summary, sid (the state), path, extent (its nodes) and pi.
    """
    summary, pi, _ = by_node(figure_1(), "p*", "extent")
    paths = summary.partitions["path"].to_numpy()
    extents = [tuple(map(int, np.flatnonzero(summary.partition == place) + 1)) for place in range(len(paths))]
    rows = [
        (name, sid, paths[summary.partition[nodes[0] - 1]], " ".join(map(str, nodes)), share)
        for name, states, shares in (("p*", extents, pi), ("p*|c", TABLE_2_NODES, _table_2_pi()))
        for sid, nodes, share in zip(_states(len(states)), states, shares, strict=True)
    ]
    return pd.DataFrame(rows, columns=["summary", "sid", "path", "extent", "pi"])


def readings() -> dict[str, Floats]:
    """Return pi of each node of Figure 1 under each interpretation of the paper's summaries."""
    collection = figure_1()
    table_2 = np.zeros(len(collection))
    for nodes, pi in zip(TABLE_2_NODES, _table_2_pi(), strict=True):
        table_2[np.array(nodes) - 1] = pi
    as_example_5_1 = table_2.copy()
    as_example_5_1[CREATOR - 1] = table_2[3 - 1]  # Example 5.1 uses pi of state S5, which contains node 3
    return {
        "half": np.full(len(collection), 0.5),
        "p*": by_node(collection, "p*", "extent")[2],
        "Table 2": table_2,
        "Table 2 as Example 5.1": as_example_5_1,
        "pc*": by_node(collection, "pc*", "length")[2],
        "p*|c": by_node(collection, "p*|c", "length")[2],
    }


def quantities() -> dict[str, Quantity]:
    """Return the values of the paper's equations, by their names in the formulas of ``publication.yaml``."""
    of_nodes = readings()
    lengths = figure_1().own_text
    return {
        **{named("length", node): float(length) for node, length in enumerate(lengths, start=1)},
        **{
            named("pi", name, node): float(share)
            for name, pi in of_nodes.items()
            for node, share in enumerate(pi, start=1)
        },
        **{named("redundancy", name): tree_redundancy(pi) for name, pi in of_nodes.items()},
        **{named("weight", row.edge): float(row.document) for row in table_2_weights().itertuples()},
    }


def numbers_of_text(numbers: pd.DataFrame) -> pd.DataFrame:
    """Format printed and recomputed numbers for the report, without the numbers of Tables 1 and 2."""
    return recomputed_as_text(numbers, "Table")


def with_symbols(table: pd.DataFrame) -> pd.DataFrame:
    """Rename the columns of a table to the headings of the report."""
    return table.rename(
        columns={
            "pi": "π",
            "pi_printed_weights": "π,_printed_weights",
            "pi_document": "π,_weights_of_Figure_1",
            "document": "in_Figure_1",
        }
    )


def worked(declared: Declaration) -> Analysis:
    """Return the tables that recompute the paper's examples."""
    numbers = declared.recomputed(quantities())
    printed = numbers.set_index("quantity")["printed"]
    return {
        "examples": numbers,
        "table1": table_1(printed),
        "table2": table_2(printed),
        "table2_weights": table_2_weights(),
        "figure2": figure_2(),
        "figure5": figure_5(),
    }
