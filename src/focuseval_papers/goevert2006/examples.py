"""The paper's examples: the concept space, the score rel^U, and a topic (Figures 1, 2, 4 and 7)."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from focuseval.formats.inex import read_topics
from focuseval.measures.inex2003 import retrievable
from focuseval.measures.quantisation import PRECALL_QUANTISATIONS
from focuseval.model.elements import Collection
from focuseval.report.parts import Analysis
from focuseval_papers.publication.declaration import Declaration
from focuseval_papers.publication.examples import document

#: number of concepts in the topic of Figure 4
TOPIC = 4

#: number of the topic's concepts in each component of `figure4_tree`, in document order
CONCEPTS = (4, 2, 1, 1, 3, 3, 2)

#: rows of the best components in `figure4_tree`: the first section, and the paragraphs of the second section
BEST = (1, 5, 6)

#: a content-only topic in the format of Figure 7; the text is our own
CO_TOPIC = """
<inex_topic topic_id="1" query_type="CO" ct_no="2">
  <title>gardens, drought, watering</title>
  <description>How are gardens kept alive in a drought?</description>
  <narrative>Relevant text says how to water less, or which plants need little water.</narrative>
  <keywords>gardens, drought, watering, plants</keywords>
</inex_topic>
"""


def figure4_tree() -> Collection:
    """Return a made-up document for Figure 4, because the paper does not print the document of the figure."""
    paragraphs = ["".join(f"<p>{'.' * size}</p>" for size in sizes) for sizes in ((20, 20), (20, 40))]
    return document(f"<article><sec>{paragraphs[0]}</sec><sec>{paragraphs[1]}</sec></article>")


def figure4() -> pd.DataFrame:
    """Return rel^U (Eq. 14) of every component of `figure4_tree`.

    The column of_children is the sum over children in Eq. 14, or NaN for a leaf.
    """
    collection = figure4_tree()
    concepts = np.array(CONCEPTS, dtype=float)

    def rel(row: int) -> float:
        inside = np.arange(row, collection.last[row])
        return TOPIC * retrievable(collection, inside, concepts[inside] / TOPIC)

    rows = []
    for row in range(len(collection)):
        children = np.flatnonzero(collection.parent == row)
        share = concepts[row] * collection.size[children] / collection.size[row]
        best = np.maximum([rel(int(child)) for child in children], share).sum() if len(children) else np.nan
        rows.append((collection.path(row), int(collection.size[row]), CONCEPTS[row], best, rel(row)))
    table = pd.DataFrame(rows, columns=["component", "size", "concepts", "of_children", "rel_U"])
    return table.assign(best=["yes" if row in BEST else "" for row in range(len(table))])


def combinations() -> pd.DataFrame:
    """Return every combination of exhaustiveness and specificity on the scale, with its quantised values.

    The columns topic_covered and component_on_topic are shares of concepts (Eq. 1, 4 and 5). The size of a component is
    relative to the size of the topic.
    """
    pairs = [(0, 0), *((e, s) for e in (1, 2, 3) for s in (1, 2, 3))]
    exh, spec = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    size = np.divide(exh, spec, out=np.full(len(pairs), np.nan), where=spec > 0)
    worth = {
        name: PRECALL_QUANTISATIONS[quantisation].function(exh, spec, "inex2003")
        for name, quantisation in (("f_strict", "strict"), ("f_gen", "generalised"))
    }
    columns = {"exh": exh.astype(int), "spec": spec.astype(int)}
    shares = {"topic_covered": exh / 3, "component_on_topic": spec / 3}
    return pd.DataFrame({**columns, **shares, "size": size, **worth})


def figure7() -> pd.DataFrame:
    """Return a table with the text of each part of the example topic `CO_TOPIC`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "topics.xml"
        path.write_text(CO_TOPIC, encoding="utf-8")
        (topic,) = read_topics(path).to_dict("records")
    return pd.DataFrame(list(topic.items()), columns=["part", "read"])


def worked(declared: Declaration) -> Analysis:
    """Return the tables of the paper's worked examples, by name."""
    return {"combinations": combinations(), "figure4": figure4(), "figure7": figure7()}
