"""The assessments of a synthetic campaign: what of its articles is relevant to which topic, on every scale.

They follow from the concepts of topics and elements (`focuseval_papers.synthetic.concept_space`). The relevant elements
are the same on all scales: those that hold a concept of the topic. What is highlighted decides the specificity on INEX
2005's scale.
"""

from functools import lru_cache

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Ints, changes, distinct, sums_before
from focuseval_papers.synthetic.articles import INLINE, PARAGRAPHS, Trees, symbols
from focuseval_papers.synthetic.concept_settings import Settings, graded
from focuseval_papers.synthetic.concept_space import (
    POOL,
    Block,
    Plan,
    article_names,
    content,
    generator,
    make_plan,
)


def assess(chosen: Settings, number: int, block: Block) -> pd.DataFrame:
    """The assessments of a block: all relevant elements, and a sample of others from pooled articles.

    Columns: topic (index), document, path, root (whether it is an article), exhaustivity and specificity on the scales
    0-3, coverage (`_coverage`), exhaustivity_2005 (2 for 3, 1 for less, ? for "too small"), size and rsize in
    characters, the latter highlighted (`_highlighted`); sorted by topic, then in document order.
    """
    plan = make_plan(chosen)
    trees = block.trees
    topic = _topic(plan, block)
    held, common = _themes(chosen, block)
    asking, row = _judged(generator(chosen, POOL, number), chosen, plan, block, np.flatnonzero(common))
    meant = topic[row] == asking
    asked = np.array([len(own) for own in plan.concepts])[topic[row]]
    exhaustivity = np.where(meant, graded(common[row], asked, chosen.exhaustivity_above), 0)
    size = (block.text.end - block.text.start)[row]
    highlighted = sums_before(_highlighted(chosen, block))
    return pd.DataFrame(
        {
            **_named(chosen, block, row),
            "topic": asking,
            "root": trees.parent[row] < 0,
            "exhaustivity": exhaustivity,
            "specificity": np.where(meant, graded(common[row], held[row], chosen.specificity_above), 0),
            "coverage": _coverage(exhaustivity, 2 * common[row] > held[row], size < chosen.too_small),
            "exhaustivity_2005": np.select([size < chosen.too_small, exhaustivity == 3], ["?", "2"], "1"),
            "size": size,
            "rsize": highlighted[trees.last[row]] - highlighted[row],
        }
    )


def _coverage(relevance: Ints, main_theme: Bools, too_small: Bools) -> np.ndarray:
    """Coverage on INEX 2002's scale, where the exhaustiveness is called relevance.

    N: none; L (too large): the topic is a minor theme; S (too small): it is the main theme of an element that is too
    small to stand alone; E: exact. What is highly relevant (3) cannot be too small.
    """
    cases = [relevance == 0, ~main_theme, too_small & (relevance < 3)]
    return np.select(cases, ["N", "L", "S"], "E")


def highlight(chosen: Settings, block: Block) -> pd.DataFrame:
    """The passages that assessors highlight in a block: a row for each topic and article of its pool.

    Columns: topic (index), document, size in characters, passages (a list of pairs start, end: disjoint, in order,
    empty where nothing is relevant).
    """
    plan = make_plan(chosen)
    inside, start, end = _passages(chosen, block)
    low, high = np.searchsorted(plan.pool[:, 0], [block.articles.start, block.articles.stop])
    names = article_names(chosen.articles)
    rows = []
    for article, asking in plan.pool[low:high].tolist():
        place = article - block.articles.start
        mine = inside == (place if plan.topic[article] == asking else -1)
        passages = list(zip(start[mine].tolist(), end[mine].tolist(), strict=True))
        rows.append((asking, names[article], int(block.text.end[block.trees.first[place]]), passages))
    return pd.DataFrame(rows, columns=["topic", "document", "size", "passages"])


def _passages(chosen: Settings, block: Block) -> tuple[Ints, Ints, Ints]:
    """The article (counted in the block), start and end of each passage, in document order.

    A passage is the relevant paragraphs that follow one another, and with them the headings, tables and tags of every
    element that has no other paragraphs. Of a paragraph alone in which m of k concepts are the topic's, the first
    share m / k is highlighted, rounded up.
    """
    plan, trees, text = make_plan(chosen), block.trees, block.text
    held, common = _counts(plan, trees, _topic(plan, block), block.holder, block.concept)
    paragraph = np.flatnonzero(np.isin(trees.symbol, symbols(PARAGRAPHS)))
    article = np.searchsorted(trees.first, paragraph, side="right") - 1
    relevant = np.minimum(common[paragraph], 1)
    opens = np.flatnonzero(
        changes(article, relevant)
    )  # the first of the paragraphs of each run, relevant or not
    length = np.diff(opens, append=len(paragraph))
    run = np.repeat(np.arange(len(opens)), length)
    before, behind = np.searchsorted(paragraph, [np.arange(len(trees)), trees.last])
    filled = np.flatnonzero(before < behind)
    of = run[before[filled]]
    whole = of == run[behind[filled] - 1]  # elements whose paragraphs are all of one run
    start, end = np.full(len(opens), text.end.max()), np.zeros(len(opens), dtype=np.int64)
    np.minimum.at(start, of[whole], text.start[filled[whole]])
    np.maximum.at(end, of[whole], text.end[filled[whole]])
    row = paragraph[opens]
    part = -(-(text.end - text.start)[row] * common[row] // np.maximum(held[row], 1))
    partly = (length == 1) & (common[row] < held[row])
    start = np.where(partly, text.start[row], start)
    end = np.where(partly, text.start[row] + part, end)
    kept = relevant[opens] > 0
    return article[opens][kept], start[kept], end[kept]


def _topic(plan: Plan, block: Block) -> Ints:
    """The topic that each element's article is relevant to, -1 for none."""
    return np.repeat(plan.topic[block.articles.start : block.articles.stop], np.diff(block.trees.first))


def _named(chosen: Settings, block: Block, row: Ints) -> dict[str, list[str]]:
    """Documents and paths of elements."""
    names = article_names(chosen.articles)
    article = block.articles.start + np.searchsorted(block.trees.first, row, side="right") - 1
    return {"document": [names[a] for a in article], "path": [block.trees.path(int(r)) for r in row]}


@lru_cache(maxsize=1)  # of the block at hand, more than once
def _themes(chosen: Settings, block: Block) -> tuple[Ints, Ints]:
    """How many concepts each element holds, itself or in its descendants, and how many are of its article's topic."""
    plan, trees = make_plan(chosen), block.trees
    return _counts(plan, trees, _topic(plan, block), *content(trees, block.holder, block.concept))


def _counts(plan: Plan, trees: Trees, topic: Ints, row: Ints, concept: Ints) -> tuple[Ints, Ints]:
    """How many of the (row, concept) pairs each element has, and how many are of its article's topic."""
    of_topic = (topic[row] >= 0) & (plan.topic_of_concept[concept] == topic[row])
    return np.bincount(row, minlength=len(trees)), np.bincount(row[of_topic], minlength=len(trees))


@lru_cache(maxsize=1)  # of the block at hand, more than once
def _highlighted(chosen: Settings, block: Block) -> Ints:
    """(N,) highlighted characters among the own text of every element.

    All of it where the element lies in one that is highlighted as a whole (`_as_a_whole`). Else, where it holds k
    concepts, of which m are the topic's, the share m / k, rounded up. An inline element that holds none is read
    with its paragraph, and has its share.
    """
    plan = make_plan(chosen)
    trees = block.trees
    size = block.text.end - block.text.start
    child = np.flatnonzero(trees.parent >= 0)
    inside = np.zeros(len(trees), dtype=np.int64)
    np.add.at(inside, trees.parent[child], size[child])
    held, common = _counts(plan, trees, _topic(plan, block), block.holder, block.concept)
    read_with = np.arange(len(trees))  # the element whose share a text has
    bare = np.isin(trees.symbol, symbols(INLINE)) & (held == 0)
    while (climbing := bare[read_with]).any():
        read_with[climbing] = trees.parent[read_with[climbing]]
    share = -(-(size - inside) * common[read_with] // np.maximum(held[read_with], 1))
    return np.where(_as_a_whole(chosen, block), size - inside, share)


def _as_a_whole(chosen: Settings, block: Block) -> Bools:
    """(N,) whether an element lies in one (or is one) that is highlighted as a whole.

    Such an element has the topic as its only theme (specificity 3), and of the paragraphs in it at least
    ``highlighted`` in a hundred are relevant: its headings, tables and other paragraphs are read with them.
    """
    trees = block.trees
    held, common = _themes(chosen, block)
    paragraph = np.isin(trees.symbol, symbols(PARAGRAPHS))

    def inside(chosen: Bools) -> Ints:
        before = sums_before(chosen)
        return before[trees.last] - before[:-1]

    paragraphs = inside(paragraph)
    mostly = 100 * inside(paragraph & (common > 0)) >= chosen.highlighted * paragraphs
    whole = (graded(common, held, chosen.specificity_above) == 3) & (paragraphs > 0) & mostly
    edges = np.zeros(len(trees) + 1, dtype=np.int64)
    np.add.at(edges, np.flatnonzero(whole), 1)
    np.add.at(edges, trees.last[whole], -1)
    return np.cumsum(edges)[:-1] > 0


def _judged(
    rng: np.random.Generator, chosen: Settings, plan: Plan, block: Block, relevant: Ints
) -> tuple[Ints, Ints]:
    """Assessed (topic, row) pairs: the relevant elements, and the root and others of every pooled article."""
    first = block.trees.first
    topic = plan.topic[block.articles.start : block.articles.stop]
    topics = [np.repeat(topic, np.diff(first))[relevant]]
    rows = [relevant]
    low, high = np.searchsorted(plan.pool[:, 0], [block.articles.start, block.articles.stop])
    for pooled, asking in plan.pool[low:high] - [block.articles.start, 0]:
        others = rng.integers(first[pooled] + 1, first[pooled + 1], chosen.pooled_elements)
        drawn = distinct(np.append(others, first[pooled]))
        if topic[pooled] == asking:
            drawn = np.setdiff1d(drawn, relevant)
        topics.append(np.full(len(drawn), asking))
        rows.append(drawn)
    every_topic, every_row = np.concatenate(topics), np.concatenate(rows)
    order = np.lexsort((every_row, every_topic))
    return every_topic[order], every_row[order]
