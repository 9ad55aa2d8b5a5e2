"""The worked examples and Tables 1 and 2, computed by the library from the document of the paper's Figure 1.

Printed numbers stand beside them; `docs/errata.md` has the arithmetic of the differences.
"""

import numpy as np
import pandas as pd
from lxml import etree

from focuseval.measures.browsing import Browsing
from focuseval.measures.structural import not_seen
from focuseval.measures.structural_summary import Summary, steady_state, summarise, weighted_edges
from focuseval.model.arrays import Floats, sums_before
from focuseval.model.elements import Collection
from focuseval.report.items import Figure, Table
from focuseval_papers.publication.paper import Examples

#: Figure 1, with as many full stops as it leaves characters out
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

#: the trees of Figure 4, as node numbers of Figure 2 (preorder, from 1)
LEFT, RIGHT = (1, 2, 14, 3, 15, 4), (1, 2, 14, 7, 17)

#: the nodes that match the query "ship captain in Moby Dick", shaded in Figure 2
MATCHES = (4, 15, 16)

#: Figure 3: (a) the matches as results of their own; (b) the subtree of the book that joins them
SINGLETONS, JOINED = ((4,), (15,), (16,)), (1, 2, 3, 4, 14, 15, 16)

#: the node of Example 5.1, /book/fm/description[2]
CREATOR = 7

#: Table 1: row sums in its own order of states (bk, fm, bd, d, c, n, m), and the printed probabilities
TABLE_1_STATES = (
    "/book",
    "/book/fm",
    "/book/body",
    "/book/fm/description",
    "/book/body/chapter",
    "/book/fm/description/name",
    "/book/fm/description/meta",
)
TABLE_1_PRINTED = (0.23, 0.17, 0.06, 0.20, 0.09, 0.26, 0.09)

#: Table 2: printed weights (the 221 of row S9 belongs in column S8), probabilities, and the nodes of each
#: state: its edges make S5 the description that has both names and metas (node 3)
TABLE_2_WEIGHTS = {(2, 3): 4, (2, 5): 7, (3, 4): 133, (5, 6): 14, (5, 7): 73, (8, 9): 221}
TABLE_2_PRINTED = (0.00, 0.01, 0.15, 0.15, 0.10, 0.02, 0.08, 0.24, 0.24)
TABLE_2_NODES = ((1,), (2,), (7, 10), (8, 9, 11, 12, 13), (3,), (4,), (5, 6), (14,), (15, 16, 17))


def figure_1() -> Collection:
    """The document of Figure 1, with the lengths of Figure 2.

    The paper counts the value of the attribute ``type`` into a node's length ("ch" and 25 characters make
    the 27 of node 12), and no white space between elements: so does this.
    """
    root = etree.fromstring(FIGURE_1, etree.XMLParser(remove_blank_text=True))
    nodes = list(root.iter())
    row_of = {node: row for row, node in enumerate(nodes)}
    parent = np.array([row_of[node.getparent()] if node is not root else -1 for node in nodes])
    own = np.array([len(node.get("type", "")) + len(node.text or "") for node in nodes])
    last = np.array([row + sum(1 for _ in node.iter()) for row, node in enumerate(nodes)])
    before = sums_before(own)
    tag, tags = pd.factorize(np.array([node.tag for node in nodes], dtype=object))
    return Collection(
        names=pd.Index(["book"]),
        first=np.array([0, len(nodes)]),
        parent=parent,
        last=last,
        depth=np.array([sum(1 for _ in node.iterancestors()) for node in nodes]),
        tag=tag,
        tags=pd.Index(tags),
        position=np.array(
            [1 + sum(1 for _ in node.itersiblings(node.tag, preceding=True)) for node in nodes]
        ),
        start=before[:-1],
        end=before[last],
    )


def by_node(
    collection: Collection, expression: str, edges: str, weight: str
) -> tuple[Summary, Floats, Floats]:
    """A summary, its steady-state probabilities, and those of each node's partition."""
    summary = summarise(collection, expression)
    pi = steady_state(weighted_edges(summary, edges, weight), len(summary.partitions))
    return summary, pi, pi[summary.partition]


def _table_2_pi() -> Floats:
    """Eq. 8 on the printed weights of Table 2."""
    (source, target), weight = zip(*TABLE_2_WEIGHTS, strict=True), list(TABLE_2_WEIGHTS.values())
    down = pd.DataFrame({"source": source, "target": target, "weight": weight}) - [1, 1, 0]
    up = down.rename(columns={"source": "target", "target": "source"})
    return steady_state(pd.concat([down, up]), len(TABLE_2_NODES))


def tree_redundancy(pi: Floats) -> float:
    """``p(t_r; t_l)`` of the trees of Figure 4 by Eq. 5 and 7, from pi of every node of the document."""
    nodes = np.array([*sorted(LEFT), *sorted(RIGHT)]) - 1
    unit = np.repeat([0, 1], [len(LEFT), len(RIGHT)])
    how = Browsing(np.arange(len(pi)), pi)
    return float(1 - not_seen(unit, nodes, 2, np.zeros(2, dtype=np.int64), how)[1])


def table_1() -> pd.DataFrame:
    """Table 1 from the document: states, extents, weights to every state, row sums, pi, printed pi."""
    summary, pi, _ = by_node(figure_1(), "p*", "descendant", "extent")
    edges = weighted_edges(summary, "descendant", "extent")
    matrix = np.zeros((len(pi), len(pi)), dtype=int)
    matrix[edges["source"], edges["target"]] = edges["weight"]
    order = [list(summary.partitions["path"]).index(state) for state in TABLE_1_STATES]
    states = [f"S{i}" for i in range(1, len(order) + 1)]
    table = pd.DataFrame(matrix[np.ix_(order, order)], columns=states)
    table.insert(0, "state", states)
    table.insert(1, "partition", TABLE_1_STATES)
    return table.assign(row_sum=table[states].sum(axis=1), pi=pi[order], printed=TABLE_1_PRINTED)


def table_2() -> pd.DataFrame:
    """Table 2: states, nodes, the matrix of weights, pi of Eq. 8 on them and on the document's, printed pi.

    The matrix is as printed but for the 221 of row S9, which stands in its own column there.
    """
    _, _, of_node = by_node(figure_1(), "pc*", "child", "length")
    states = [f"S{i}" for i in range(1, len(TABLE_2_NODES) + 1)]
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
            "printed": TABLE_2_PRINTED,
        }
    )


def figure_2() -> pd.DataFrame:
    """The tree of Figure 2: columns node (from 1), parent (0 for the root), tag, length, shaded."""
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
    """The partitions of Figure 5: columns summary (p* or p*|c), sid, path, extent (nodes), pi (Tables 1 and 2).

    p* in document order, as the figure numbers it; p*|c by the rows of Table 2, on whose edges its nodes rest.
    """
    rows = []
    summary, pi, _ = by_node(figure_1(), "p*", "descendant", "extent")
    for place, path in enumerate(summary.partitions["path"]):
        nodes = np.flatnonzero(summary.partition == place) + 1
        rows.append(("p*", f"S{place + 1}", path, " ".join(map(str, nodes)), pi[place]))
    labels, _, _ = by_node(figure_1(), "p*", "child", "length")
    path = labels.partitions["path"].to_numpy()[labels.partition]
    for number, (own, found) in enumerate(zip(TABLE_2_NODES, _table_2_pi(), strict=True), start=1):
        rows.append(("p*|c", f"S{number}", path[own[0] - 1], " ".join(map(str, own)), found))
    return pd.DataFrame(rows, columns=["summary", "sid", "path", "extent", "pi"])


def table_2_weights() -> pd.DataFrame:
    """The edges of Table 2: printed weight, and the characters of the lower partition in the document."""
    collection = figure_1()
    rows = []
    for (upper, lower), printed in TABLE_2_WEIGHTS.items():
        nodes = np.array(TABLE_2_NODES[lower - 1]) - 1
        rows.append((f"S{upper}-S{lower}", printed, int(collection.own_text[nodes].sum())))
    return pd.DataFrame(rows, columns=["edge", "printed", "document"])


_DIVISOR = "row sums add up to 76; the printed values divide by 70 and add up to 1.10"
_FIGURE_5 = (
    "the printed value reads Table 1 (bk, fm, bd, d, c, n, m) in Figure 5's order (bk, fm, d, n, m, bd, c)"
)
_COMPLEMENT = "the printed value is 1 + p(t_r; t_l); Equation 1 asks for 1 + (1 - p(t_r; t_l))"
_NODE_7 = "Example 5.1 reads S5; by its edges S5 holds node 3, and node 7 is in S3, as in Example 6.1"


def examples() -> pd.DataFrame:
    """Every printed number of Examples 4.2-6.1 and Tables 1 and 2, beside what the equations give.

    Columns: quantity; printed (NaN where the paper has a formula only); equations; decimals (printed ones);
    agrees (to the last printed digit); why (they differ, or what the value rests on).
    """
    collection = figure_1()
    summary, _, incoming = by_node(collection, "p*", "descendant", "extent")
    path = summary.partitions["path"].to_numpy()[summary.partition]
    printed_weights = np.zeros(len(collection))
    for nodes, pi in zip(TABLE_2_NODES, _table_2_pi(), strict=True):
        printed_weights[np.array(nodes) - 1] = pi
    as_example_5_1 = printed_weights.copy()
    as_example_5_1[CREATOR - 1] = _table_2_pi()[5 - 1]
    _, _, document = by_node(collection, "pc*", "child", "length")
    _, _, words = by_node(collection, "p*|c", "child", "length")
    half = np.full(len(collection), 0.5)

    rows: list[tuple[str, float, float, int, str]] = []

    def add(quantity: str, printed: float, equations: float, decimals: int, why: str = "") -> None:
        rows.append((quantity, printed, equations, decimals, why))

    add("Section 1, length of node 12", 27, float(collection.own_text[11]), 0)
    chapter = incoming[16 - 1]
    add(
        "Example 4.2 p(e16; {e4, e15}), p = 0.5",
        np.nan,
        1 - (1 - 0.5) ** 2,
        2,
        "a formula only: 1 - (1 - p)(1 - p)",
    )
    add(
        "Example 4.2 p(e16; {e4, e15}), p*",
        np.nan,
        1 - chapter**2,
        3,
        "p(e16; f) = 1 - pi(/book/body/chapter)",
    )
    add(
        "Example 4.4 p(t_r; t_l)",
        0.45,
        tree_redundancy(half),
        2,
        "(3 (1 + 5 * 0.5) + 2 (6 * 0.5)) / 30 = 16.5 / 30; printed is the complement",
    )
    of_state = dict(zip(path, incoming, strict=True))
    for i, (state, printed) in enumerate(zip(TABLE_1_STATES, TABLE_1_PRINTED, strict=True), start=1):
        add(f"Table 1 pi(S{i}), {state}", printed, of_state[state], 2, _DIVISOR)
    second = table_2()
    for row in second.itertuples(index=False):
        add(f"Table 2 pi({row.state}), printed weights", row.printed, row.pi_printed_weights, 2)
    for row in table_2_weights().itertuples(index=False):
        add(
            f"Table 2 weight {row.edge}",
            row.printed,
            row.document,
            0,
            "characters of the lower partition in Figure 1",
        )
    for row in second.itertuples(index=False):
        add(f"Table 2 pi({row.state}), Figure 1", row.printed, row.pi_document, 2, "weights from Figure 1")
    add("Example 5.1 p(e7; f), p*", 0.94, 1 - incoming[CREATOR - 1], 2, f"{_DIVISOR}; {_FIGURE_5}")
    add("Example 5.1 p(e7; f), p*|c", 0.9, 1 - printed_weights[CREATOR - 1], 1, _NODE_7)

    def sr(pi: Floats) -> float:
        return 2 - tree_redundancy(pi)

    add("Example 6.1 SR, p*", 1.138, sr(incoming), 3, f"{_DIVISOR}; {_FIGURE_5}")
    add("Example 6.1 SRP, p*", 0.569, sr(incoming) / 2, 3, f"{_DIVISOR}; {_FIGURE_5}")
    for name, pi, why in (
        ("printed weights, node 7 in S5", as_example_5_1, f"{_COMPLEMENT}; {_NODE_7}"),
        ("printed weights, node 7 in S3", printed_weights, _COMPLEMENT),
        ("weights from Figure 1", document, f"{_COMPLEMENT}; weights differ too"),
        (
            "weights from Figure 1, names in one partition",
            words,
            f"{_COMPLEMENT}; p*|c as the text defines it",
        ),
    ):
        add(f"Example 6.1 SR, p*|c, {name}", 1.878, sr(pi), 3, why)
        add(f"Example 6.1 SRP, p*|c, {name}", 0.939, sr(pi) / 2, 3, why)

    table = pd.DataFrame(rows, columns=["quantity", "printed", "equations", "decimals", "why"])
    near = (table["printed"] - table["equations"]).abs() <= 0.5 * 10.0 ** -table["decimals"] + 1e-12
    table.insert(4, "agrees", near.astype("boolean").mask(table["printed"].isna()))
    table.loc[table["agrees"].fillna(False), "why"] = ""
    return table


def examples_for_people(table: pd.DataFrame) -> pd.DataFrame:
    """`examples` for reading, without Tables 1 and 2, which have their own.

    Numbers are text: whole numbers whole, others to three decimals.
    """
    table = table[~table["quantity"].str.startswith("Table")].reset_index(drop=True)

    def shown(value: float, decimals: int) -> str | None:
        return None if np.isnan(value) else f"{value:.{decimals}f}"

    decimals = table["decimals"].tolist()
    agrees = table["agrees"].astype(object).map({True: "yes", False: "no"})
    return pd.DataFrame(
        {
            "quantity": table["quantity"],
            "printed": list(map(shown, table["printed"], decimals)),
            "from_the_equations": [
                shown(value, max(d, 3) if d else 0)
                for value, d in zip(table["equations"], decimals, strict=True)
            ],
            "agrees": agrees.where(agrees.notna(), None),
            "why": table["why"].where(table["why"] != "", None),
        }
    )


#: headings of Tables 1 and 2 for reading
_SYMBOLS = {
    "pi": "π",
    "pi_printed_weights": "π,_printed_weights",
    "pi_document": "π,_weights_of_Figure_1",
    "document": "in_Figure_1",
}


def _with_symbols(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns=_SYMBOLS)


EXAMPLES = Examples(
    introduction=(
        "The paper's worked examples, computed from the document of its Figure 1 by the same functions that score "
        "runs. Several printed numbers do not follow from the printed equations; the last column says why, and "
        "docs/errata.md has the arithmetic."
    ),
    analyse=lambda: {
        "examples": examples(),
        "table1": table_1(),
        "table2": table_2(),
        "table2_weights": table_2_weights(),
        "figure2": figure_2(),
        "figure5": figure_5(),
    },
    items=[
        Figure(
            "figure2",
            "Figure 2. The tree of the document of Figure 1",
            "Every node with its number, its tag and the characters of its own text, attribute values counted as the "
            'paper does. Blue are the nodes that match the query "ship captain in Moby Dick".',
            beside=("figure1.xml",),
        ),
        Figure(
            "figure3",
            "Figures 3 and 4. Trees as results",
            "Above Figure 3: (a) the matching nodes returned one by one, (b) a subtree that joins them (which nodes "
            "the paper draws, and those of another document at rank 2, its text does not say). Below Figure 4: the "
            "subtrees of Examples 4.4 and 6.1. Blue are the nodes of a result, a number in each; what is not "
            "returned is grey.",
        ),
        Table(
            "examples",
            "Examples 4.2, 4.4, 5.1 and 6.1",
            "What the paper computes in its examples, and what its equations give for the same document. A value "
            "agrees if it rounds to the last printed digit. Example 4.2 is a formula without numbers; its values here "
            "are for p = 0.5 and for the p* summary.",
            show=examples_for_people,
        ),
        Table(
            "table1",
            "Table 1. Steady-state probabilities in the p* summary",
            "Descendant edges weighted by extent: the weight from each state to each other one, their sum, and the "
            "steady-state probability by Equation 8. The printed probabilities divide by 70 where the sums add up to "
            "76.",
            decimals={"π": 3, "printed": 2},
            show=_with_symbols,
        ),
        Table(
            "table2",
            "Table 2. Steady-state probabilities in the p*|c summary",
            "Child edges weighted by length: probabilities by Equation 8 on the printed weights, and on the weights "
            "that Figure 1 gives, beside the printed ones. Nodes are numbered as in Figure 2. The matrix has the "
            "printed weights; the 221 of row S9 is printed in column S9, where its sum is the same (errata).",
            decimals={"π,_printed_weights": 3, "π,_weights_of_Figure_1": 3, "printed": 2},
            show=_with_symbols,
        ),
        Table(
            "table2_weights",
            "Table 2: the weights of its edges",
            "The weight of every edge of Table 2 as printed, and the characters of its lower partition in Figure 1, "
            "attribute values counted as the paper does.",
            show=_with_symbols,
        ),
        Figure(
            "figure5",
            "Figure 5. Summaries of the document of Figure 1",
            "The two summaries that the paper draws. A circle's area is the steady-state probability of its partition "
            "(the number below or beside it), a line's width the weight of its edge. p*|c has nine partitions as the "
            "paper draws it, where names are told apart by the description that they are in; in the words of the text "
            "it would have eight.",
        ),
        Table(
            "figure5",
            "Figure 5. The partitions and their extents",
            "Every partition with its number (SID), the nodes in it, and its steady-state probability by Equation "
            "8. p* is numbered in document order (S5 is /bk/fm/d/m, nodes 5 and 6), and not as the rows of Table 1; "
            "p*|c by the rows of Table 2. Example 5.1 reads node 7 from S5, Example 6.1 from S3: by the edges of "
            "Table 2 it is in S3.",
            decimals={"π": 3},
            show=_with_symbols,
        ),
    ],
    texts={"figure1.xml": FIGURE_1},
)
