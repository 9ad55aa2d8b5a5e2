"""Runs made from the judgements alone; each function that takes results and topics is a transformation of its name.

*Ideal runs* are the ideal rankings of XCG, as if systems had returned them. *Simulated runs* (Gövert et al., 2006,
Section 4.1) show how a metric treats overlap: the second adds to the first nothing but elements that enclose what it
holds already. *Perturbed runs* are the ideal run with each element moved at random up or down its document's tree, in
many draws; *runs of siblings* (Piwowarski & Dupret, 2006, Section 7, last paragraph) are systems that return a nearby
paragraph instead of the ideal one.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.measures import recall_base as recallbase
from focuseval.measures.quantisation import on_four_points
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, as_results, by_score
from focuseval.transformations import ideal as perturbed
from focuseval.transformations.ideal import perfect_elements


def name_of(setting: Mapping[str, str]) -> str:
    """The name of the ideal run of a setting, such as ``gen, on, off``."""
    return ", ".join(setting.values())


def ideal_runs(
    results: Results, topics: Sequence[Topic], *, settings: Sequence[Mapping[str, str]]
) -> Results:
    """One run for each setting (quantisation, overlap, fetch_browse), from the judgements alone.

    ``overlap=off`` ranks the full recall-base, ``on`` the ideal one, ``fetch_browse=article`` the articles with
    something relevant; by falling score, equal ones in document order. Kazai & Lalmas (2005), Section 2.
    """
    lists = [_ideal(topic, setting).assign(run=name_of(setting)) for setting in settings for topic in topics]
    return as_results(pd.concat(lists, ignore_index=True), topics[0].collection)


def _ideal(topic: Topic, setting: Mapping[str, str]) -> pd.DataFrame:
    """Columns topic, rank, document, node, score; no row where nothing is relevant."""
    collection = topic.collection
    row, score = recallbase.full(topic, setting["quantisation"])
    if len(row) and setting["fetch_browse"] == "article":
        row, score = recallbase.articles(collection, row, score)
    elif len(row) and setting["overlap"] == "on":
        chosen = recallbase.ideal(collection, row, score, "paper")
        row, score = row[chosen], score[chosen]
    return by_score(topic, row, score)


def simulated_runs(results: Results, topics: Sequence[Topic]) -> Results:
    """The runs ``perfect`` and ``ancestors``, from the judgements alone, on the scales of INEX 2003."""
    graded = [on_four_points(topic) for topic in topics]
    return as_results({"perfect": perfect(graded), "ancestors": ancestors(graded)}, topics[0].collection)


def perfect(topics: Sequence[Topic]) -> pd.DataFrame:
    """The elements of specificity 3, by decreasing exhaustiveness.

    Elements of equal exhaustiveness share a rank: 1 for the highest value that occurs in the topic,
    then 2 and 3. Returns columns topic, rank, document, node (row of the collection) and score (the
    exhaustiveness), sorted by topic as given, rank and node. A topic without such elements is absent.
    """
    tables = [_perfect(topic) for topic in topics]
    return pd.concat([table for table in tables if len(table)] or tables, ignore_index=True)


def ancestors(topics: Sequence[Topic]) -> pd.DataFrame:
    """The perfect run and, in a single rank behind it, all ancestors of its elements.

    Ancestors that are in the perfect run keep their place there. Columns as of ``perfect``; ancestors
    have the score 0.
    """
    tables = []
    for topic in topics:
        table = _perfect(topic)
        above = np.setdiff1d(topic.collection.with_ancestors(table["node"].to_numpy()), table["node"])
        behind = by_score(topic, above, np.zeros(len(above))).assign(rank=table["rank"].max() + 1)
        tables += [table, behind]
    return pd.concat([table for table in tables if len(table)] or tables, ignore_index=True)


def _perfect(topic: Topic) -> pd.DataFrame:
    table = by_score(topic, *perfect_elements(topic))
    return table.assign(rank=table["score"].rank(method="dense", ascending=False).astype(int))


def perturbed_runs(
    results: Results, topics: Sequence[Topic], *, quantisation: str, seed: int, draws: int
) -> Results:
    """The runs of `focuseval.transformations.ideal`, from the judgements alone."""
    return perturbed.perturbed_runs(topics, quantisation, seed=seed, draws=draws)


def sibling_runs(
    results: Results, topics: Sequence[Topic], *, quantisation: str, seed: int, draws: int
) -> Results:
    """The ideal run and runs such as ``sibling-0.3.1``, from the judgements alone."""
    return perturbed.perturbed_runs(
        topics, quantisation, seed=seed, draws=draws, perturb=replaced, stem="sibling"
    )


def replaced(tree: perturbed.Tree, rows: Ints, probability: float, rng: np.random.Generator) -> Ints:
    """(n,) the rows, each with ``probability`` replaced by one of its siblings, all equally likely.

    Roots have none, and an only child has none either: they stay.
    """
    rows, parent = np.array(rows, dtype=np.int64), tree.collection.parent
    chosen = np.flatnonzero((rng.random(len(rows)) < probability) & (parent[rows] >= 0))
    above = parent[rows[chosen]]
    low, count = tree.begin[above], tree.begin[above + 1] - tree.begin[above]
    # one of the others: the place of the element itself is passed over
    itself = tree.place[rows[chosen]]
    place = low + (rng.random(len(chosen)) * (count - 1)).astype(np.int64)
    rows[chosen] = tree.child[np.where(count > 1, place + (place >= itself), itself)]
    return rows
