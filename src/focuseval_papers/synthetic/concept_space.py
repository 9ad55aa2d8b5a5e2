"""A synthetic campaign from the concept-space model of Gövert et al. (2006), Section 3.2.

A topic is a set of concepts. Paragraphs (and some inline elements in them) hold concepts; the
concepts of any other element are those of all the elements in it. With t the concepts of a topic
and c those of an element, ``exh = |t ∩ c| / |t|`` and ``spec = |t ∩ c| / |c|`` (Eq. 1), both put on
the scale 0-3 by thresholds. Words carry the concepts, so a system that reads the text can find them.

Articles are made in blocks of fixed size, each from random generators of its own, so a campaign is
the same to the byte however many processes make it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

import numpy as np

from focuseval.model.arrays import Ints, distinct
from focuseval_papers.synthetic.articles import (
    INLINE,
    NUMERALS,
    PARAGRAPHS,
    ROOTS,
    Text,
    Trees,
    Vocabulary,
    grow_trees,
    make_vocabulary,
    symbols,
    write_text,
)
from focuseval_papers.synthetic.concept_settings import (
    ARTICLES,
    CELLS,
    Settings,
    other_counts,
    topical_counts,
)

#: articles per random generator; part of what defines a campaign
BLOCK = 64

#: the purposes of random generators
_PLAN, _VOCABULARY, _TREES, _CONCEPTS, _TEXT, POOL = range(6)


def apportion(weights: Sequence[int], seats: int) -> Ints:
    """Whole shares of ``seats`` in proportion to whole weights (largest remainders)."""
    weight = np.array(weights, dtype=np.int64)
    shares, rests = np.divmod(weight * seats, weight.sum())
    shares[np.argsort(-rests, kind="stable")[: seats - shares.sum()]] += 1
    return shares


def generator(chosen: Settings, purpose: int, number: int = 0) -> np.random.Generator:
    """The random numbers of a purpose and a block."""
    return np.random.Generator(np.random.PCG64([chosen.seed, purpose, number]))


@dataclass(frozen=True, eq=False)
class Plan:
    """The topics, and which articles are to be relevant to them, for A articles and C concepts."""

    names: list[str]  #: topic numbers
    titles: list[str]
    descriptions: list[str]
    concepts: Sequence[Ints]  #: concepts of each topic
    topic_of_concept: Ints  #: (C,) the topic a concept belongs to, -1 for none
    topic: Ints  #: (A,) topic an article is relevant to, -1 for none
    cell: Ints  #: (A,) index into CELLS that a relevant article is to have, -1 for none
    pool: Ints  #: (P, 2) assessed (article, topic) pairs, sorted


@lru_cache(maxsize=4)
def vocabulary(chosen: Settings) -> Vocabulary:
    """The words of a campaign and the words of its concepts."""
    concepts = chosen.topics * chosen.topic_concepts[1] + chosen.other_concepts
    return make_vocabulary(
        generator(chosen, _VOCABULARY), chosen.background_words, concepts, ambiguity=chosen.ambiguity
    )


@lru_cache(maxsize=4)
def make_plan(chosen: Settings) -> Plan:
    """Draw the topics of a campaign and assign the articles to them."""
    rng = generator(chosen, _PLAN)
    words = vocabulary(chosen)
    sizes = rng.integers(chosen.topic_concepts[0], chosen.topic_concepts[1] + 1, chosen.topics)
    of_concept = np.full(chosen.topics * chosen.topic_concepts[1] + chosen.other_concepts, -1)
    of_concept[: sizes.sum()] = np.repeat(np.arange(chosen.topics), sizes)
    concepts = [np.flatnonzero(of_concept == topic) for topic in range(chosen.topics)]
    titles, descriptions = [], []
    for own in concepts:
        named = rng.permutation(own)[: rng.integers(chosen.title_concepts[0], chosen.title_concepts[1] + 1)]
        first = [words.concepts[concept, rng.integers(2)] for concept in named]
        common = rng.integers(chosen.title_common[0], chosen.title_common[1] + 1)
        first.append(NUMERALS + common)
        titles.append(" ".join(words.spelled[word] for word in first))
        every = [words.spelled[word] for concept in own for word in words.concepts[concept, :3]]
        descriptions.append(f"Find text about {', '.join(dict.fromkeys(every))}.")

    count = chosen.topics * chosen.relevant_articles
    chosen_articles = rng.permutation(chosen.articles)[:count]
    topic = np.full(chosen.articles, -1)
    topic[chosen_articles] = np.arange(count) % chosen.topics
    cell = np.full(chosen.articles, -1)
    cell[chosen_articles] = rng.permutation(np.repeat(np.arange(len(CELLS)), apportion(ARTICLES, count)))

    pool = []
    for number in range(chosen.topics):
        others = rng.permutation(np.flatnonzero(topic != number))
        pooled = others[: chosen.pooled_articles * chosen.relevant_articles]
        pool += [(article, number) for article in (*np.flatnonzero(topic == number), *pooled)]
    return Plan(
        names=[str(101 + number) for number in range(chosen.topics)],
        titles=titles,
        descriptions=descriptions,
        concepts=concepts,
        topic_of_concept=of_concept,
        topic=topic,
        cell=cell,
        pool=np.array(sorted(pool), dtype=np.int64).reshape(-1, 2),
    )


@lru_cache(maxsize=4)
def article_names(articles: int) -> tuple[str, ...]:
    """Names such as ``an/1995/a1000``: 18 journals and 8 years, in alphabetical order."""
    journals = "an cg co cs dt ex ic it mi mu pd so tc td tg tk tp ts".split()  # noqa: SIM905
    number = np.arange(articles)
    journal = number * 18 // articles
    inside = number - np.searchsorted(journal, journal)
    year = inside * 8 // np.bincount(journal, minlength=18)[journal]
    group = journal * 8 + year
    place = number - np.searchsorted(group, group)
    return tuple(
        f"{journals[j]}/{1995 + y}/a{1000 + p}" for j, y, p in zip(journal, year, place, strict=True)
    )


@dataclass(frozen=True, eq=False)
class Block:
    """Up to 64 consecutive articles: their trees, concepts and text. Rows count within the block."""

    articles: range
    trees: Trees
    holder: Ints  #: (H,) rows that hold a concept themselves, sorted
    concept: Ints  #: (H,) the concept held
    text: Text


def blocks(chosen: Settings) -> range:
    """The numbers of a campaign's blocks."""
    return range(-(-chosen.articles // BLOCK))


def make_block(chosen: Settings, number: int) -> Block:
    """Make the articles of one block. Nothing depends on other blocks."""
    plan = make_plan(chosen)
    articles = range(number * BLOCK, min((number + 1) * BLOCK, chosen.articles))
    trees = grow_trees(generator(chosen, _TREES, number), len(articles), ROOTS[chosen.grammar])
    holder, concept = place_concepts(generator(chosen, _CONCEPTS, number), chosen, plan, articles, trees)
    # No element has fewer words than concepts, so that each can be expressed.
    trees = replace(trees, words=np.maximum(trees.words, np.bincount(holder, minlength=len(trees))))
    rng = generator(chosen, _TEXT, number)
    text = write_text(rng, chosen, trees, holder, concept, vocabulary(chosen))
    return Block(articles=articles, trees=trees, holder=holder, concept=concept, text=text)


def place_concepts(
    rng: np.random.Generator, chosen: Settings, plan: Plan, articles: range, trees: Trees
) -> tuple[Ints, Ints]:
    """Which paragraph or inline element holds which concept: sorted (row, concept) pairs."""
    is_paragraph = np.isin(trees.symbol, symbols(PARAGRAPHS))
    is_inline = np.isin(trees.symbol, symbols(INLINE))
    pairs: list[tuple[int, int]] = []
    for first, last, article in zip(trees.first[:-1], trees.first[1:], articles, strict=True):
        paragraphs = first + np.flatnonzero(is_paragraph[first:last])
        of_article = _article_concepts(rng, chosen, plan, article)
        held = sorted(set(_spread(rng, chosen, len(paragraphs), *of_article)))
        for place, of_place in groupby(held, itemgetter(0)):
            holder, own = int(paragraphs[place]), [concept for _, concept in of_place]
            pairs += [(holder, concept) for concept in own]
            inside = np.flatnonzero(is_inline[holder + 1 : trees.last[holder]])
            for below in (holder + 1 + inside).tolist():
                if rng.integers(100) < chosen.inline:
                    pairs.append((below, own[rng.integers(len(own))]))
    row, concept = np.array(sorted(set(pairs)), dtype=np.int64).T
    return row, concept


def _article_concepts(
    rng: np.random.Generator, chosen: Settings, plan: Plan, article: int
) -> tuple[list[int], Ints, int]:
    """Concepts of an article: its topic's, others, and its specificity value.

    The numbers of both are drawn from those that give the article the (exhaustiveness, specificity)
    it is to have.
    """
    belongs_to_no_topic = np.flatnonzero(plan.topic_of_concept < 0)
    if plan.topic[article] < 0:
        count = int(rng.integers(3, chosen.most_others + 1))
        return [], rng.choice(belongs_to_no_topic, count, replace=False), 0
    own = plan.concepts[plan.topic[article]]
    exhaustivity, specificity = CELLS[plan.cell[article]]
    counts = topical_counts(chosen, len(own), exhaustivity)
    held = int(counts[rng.integers(len(counts))])
    extra = other_counts(chosen, held, specificity)
    more = int(extra[rng.integers(len(extra))])
    topical: Ints = rng.choice(own, held, replace=False)
    others = rng.choice(belongs_to_no_topic, more, replace=False)
    return topical.tolist(), others, specificity


def _spread(
    rng: np.random.Generator,
    chosen: Settings,
    paragraphs: int,
    topical: list[int],
    others: Ints,
    specificity: int,
) -> list[tuple[int, int]]:
    """Place every concept in at least one of an article's paragraphs: (paragraph, concept) pairs.

    Concepts that are not the topic's stand 1 to ``others_repeated`` times in the other paragraphs, mostly.
    """
    held: dict[int, set[int]] = {}
    relevant: list[int] = []
    if topical:
        most = max(2, (chosen.relevant_paragraphs[specificity - 1] * len(topical) + 5) // 10)
        count = min(paragraphs, int(rng.integers(1, most + 1)))
        if rng.integers(100) < chosen.scattered:
            relevant = sorted(int(p) for p in rng.permutation(paragraphs)[:count])
        else:
            begin = int(rng.integers(0, paragraphs - count + 1))
            relevant = list(range(begin, begin + count))
        held = {place: set() for place in relevant}
        for turn in range(max(count, len(topical))):
            place = relevant[turn % count]
            held[place].add(topical[turn] if turn < len(topical) else topical[rng.integers(len(topical))])
        for place in relevant:
            while rng.integers(100) < chosen.repeated:
                held[place].add(topical[rng.integers(len(topical))])
        if rng.integers(100) < chosen.summary:
            held[relevant[rng.integers(count)]].update(topical)
    pairs = [(place, concept) for place in relevant for concept in held[place]]
    rest = np.setdiff1d(np.arange(paragraphs), relevant)
    for concept in others.tolist():
        for _ in range(rng.integers(1, chosen.others_repeated + 1)):
            mixes = len(rest) == 0 or (len(relevant) > 0 and rng.integers(100) < chosen.mixed)
            places = relevant if mixes else rest
            pairs.append((int(places[rng.integers(len(places))]), concept))
    return pairs


def content(trees: Trees, holder: Ints, concept: Ints) -> tuple[Ints, Ints]:
    """The concepts of every element, its descendants' included: distinct (row, concept) pairs, sorted."""
    width = int(concept.max(initial=0)) + 1
    found = [distinct(holder * width + concept)]
    while len(found[-1]):
        above = trees.parent[found[-1] // width]
        found.append(distinct((above * width + found[-1] % width)[above >= 0]))
    pairs = distinct(np.concatenate(found))
    return pairs // width, pairs % width
