"""A synthetic campaign from the concept-space model of Gövert et al. (2006), Section 3.2.

A topic is a set of concepts. Paragraphs (and some inline elements in them) hold concepts; the
concepts of any other element are those of all the elements in it. With t the concepts of a topic
and c those of an element, ``exh = |t ∩ c| / |t|`` and ``spec = |t ∩ c| / |c|`` (Eq. 1), both put on
the scale 0-3 by thresholds. Words carry the concepts, so a system that reads the text can find them.

Articles are made in blocks of fixed size, each from random generators of its own, so a campaign is
the same to the byte however many processes make it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from focuseval.arrays import Ints
from focuseval.errors import InputError, Problem
from focuseval.simulation.article_text import Text, write_text
from focuseval.simulation.article_trees import INLINE, PARAGRAPHS, Trees, grow_trees, symbols
from focuseval.simulation.vocabulary import Vocabulary, make_vocabulary

#: articles per random generator; part of what defines a campaign
BLOCK = 64

#: the purposes of random generators
_PLAN, _VOCABULARY, _TREES, _CONCEPTS, _TEXT, _POOL = range(6)

#: (exhaustiveness, specificity) of relevant elements, and how many of each Table 1 of the paper counts
CELLS = ((3, 3), (3, 2), (3, 1), (2, 3), (2, 2), (2, 1), (1, 3), (1, 2), (1, 1))
TABLE1_ARTICLES = (180, 112, 150, 24, 103, 222, 148, 50, 673)
TABLE1_OTHERS = (1316, 616, 635, 2105, 1779, 1358, 5029, 3872, 8074)


@dataclass(frozen=True)
class Settings:
    """What defines a campaign. Chances are per hundred; ranges are (least, most)."""

    articles: int = 757
    topics: int = 36
    relevant_articles: int = (
        12  #: relevant articles of each topic; an article is relevant to one topic at most
    )
    seed: int = 2003

    topic_concepts: tuple[int, int] = (6, 10)
    other_concepts: int = 400  #: concepts that belong to no topic
    exhaustivity_above: tuple[float, float] = (1 / 3, 2 / 3)  #: above these, the value is 2 and 3
    specificity_above: tuple[float, float] = (1 / 3, 2 / 3)

    most_others: int = 38  #: most concepts of an article that are not the topic's
    #: most relevant paragraphs of an article for ten topic concepts in it, by its specificity 1, 2, 3
    relevant_paragraphs: tuple[int, int, int] = (25, 38, 12)
    scattered: int = 60  #: chance that the relevant paragraphs are not consecutive
    summary: int = 60  #: chance that one paragraph holds all topic concepts of the article
    repeated: int = 65  #: chance that a relevant paragraph takes up one topic concept more
    mixed: int = 25  #: chance that another concept stands in a relevant paragraph
    others_repeated: int = 7  #: most paragraphs in which one of the other concepts is placed
    inline: int = 5  #: chance that an inline element names a concept of its paragraph

    background_words: int = 12_000
    ambiguity: int = 2  #: concepts that share a topical word, on average
    concept_share: int = 30  #: chance that a word of a paragraph with concepts names one of them
    noise: int = 3  #: chance that any word is a topical one that stands for nothing
    title_concepts: tuple[int, int] = (3, 5)  #: concepts that the title of a topic names, one word each

    #: rank of the background word that the title also has, as titles have words that say little
    title_common: tuple[int, int] = (60, 600)

    pooled_articles: int = 6  #: assessed articles without relevant text, for each relevant one
    pooled_elements: int = 6  #: assessed elements (0, 0) in each assessed article, about
    too_small: int = (
        40  #: relevant elements of fewer characters are "too small" (`?`) on the scale of INEX 2005
    )


SIZES = {
    "tiny": Settings(articles=40, topics=4, relevant_articles=6, other_concepts=60, background_words=2_000),
    "default": Settings(),
    "quarter": Settings(articles=3_027, relevant_articles=24, other_concepts=1_200, background_words=20_000),
    "full": Settings(articles=12_107, relevant_articles=46, other_concepts=4_000, background_words=40_000),
}


def settings(size: str = "default", **changes: object) -> Settings:
    """The settings of a named size, with changes.

    Raises InputError for an unknown size or name, and for settings that cannot be met.
    """
    if size not in SIZES:
        raise InputError(Problem("concept-space", "size", repr(size), f"one of {', '.join(SIZES)}"))
    known = [field.name for field in fields(Settings)]
    problems = [
        Problem("concept-space", name, "not a setting", f"one of {', '.join(known)}")
        for name in changes
        if name not in known
    ]
    if problems:
        raise InputError(problems)
    tuples = {name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()}
    chosen = replace(SIZES[size], **tuples)  # type: ignore[arg-type]
    _check(chosen)
    return chosen


def _check(chosen: Settings) -> None:
    problems = []
    for field in fields(Settings):
        value = getattr(chosen, field.name)
        default = getattr(SIZES["default"], field.name)
        numbers = value if isinstance(value, tuple) else (value,)
        kinds = (int, float) if field.name.endswith("above") else (int,)
        if (
            np.shape(value) != np.shape(default)
            or not all(type(n) in kinds for n in numbers)
            or min(numbers) < 0
        ):
            shape = f"{len(default)} of them" if isinstance(default, tuple) else "one"
            problems.append(
                Problem("concept-space", field.name, repr(value), f"whole numbers of 0 or more, {shape}")
            )
    if not problems:
        if chosen.topics * chosen.relevant_articles > chosen.articles:
            found = f"{chosen.topics} topics of {chosen.relevant_articles} articles"
            problems.append(
                Problem(
                    "concept-space",
                    "relevant_articles",
                    found,
                    f"{chosen.articles} or fewer relevant articles",
                )
            )
        least, most = chosen.topic_concepts
        if not 3 <= least <= most:
            problems.append(
                Problem("concept-space", "topic_concepts", repr(chosen.topic_concepts), "3 ≤ least ≤ most")
            )
        if not 1 <= chosen.title_concepts[0] <= chosen.title_concepts[1] <= least:
            problems.append(
                Problem(
                    "concept-space",
                    "title_concepts",
                    repr(chosen.title_concepts),
                    "1 ≤ least ≤ most ≤ least topic",
                )
            )
        if not 0 <= chosen.title_common[0] <= chosen.title_common[1] < chosen.background_words:
            found = repr(chosen.title_common)
            problems.append(
                Problem("concept-space", "title_common", found, "0 ≤ least ≤ most < background_words")
            )
        if chosen.most_others < 3 * most or chosen.other_concepts < chosen.most_others:
            problems.append(
                Problem(
                    "concept-space",
                    "most_others",
                    f"{chosen.most_others} of {chosen.other_concepts}",
                    f"at least {3 * most} (three times a topic's concepts), at most other_concepts",
                )
            )
        for name in ("exhaustivity_above", "specificity_above"):
            if not 0 < getattr(chosen, name)[0] < getattr(chosen, name)[1] < 1:
                problems.append(
                    Problem("concept-space", name, repr(getattr(chosen, name)), "0 < first < second < 1")
                )
        for name in (
            "articles",
            "topics",
            "relevant_articles",
            "background_words",
            "ambiguity",
            "others_repeated",
        ):
            if getattr(chosen, name) < 1:
                problems.append(Problem("concept-space", name, repr(getattr(chosen, name)), "1 or more"))
        if chosen.repeated > 99:
            problems.append(Problem("concept-space", "repeated", repr(chosen.repeated), "99 or less"))
    if problems:
        raise InputError(problems)


def graded(part: Ints, whole: Ints, above: Sequence[float]) -> Ints:
    """Values 0-3 of ``part / whole``: 0 for nothing, else 1, 2 above the first threshold, 3 above the second."""
    ratio = np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.asarray(whole) > 0)
    return (ratio > 0).astype(np.int64) + (ratio > above[0]) + (ratio > above[1])


def apportion(weights: Sequence[int], seats: int) -> Ints:
    """Whole shares of ``seats`` in proportion to whole weights (largest remainders)."""
    weight = np.array(weights, dtype=np.int64)
    shares, rests = np.divmod(weight * seats, weight.sum())
    shares[np.argsort(-rests, kind="stable")[: seats - shares.sum()]] += 1
    return shares


def _generator(chosen: Settings, purpose: int, number: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([chosen.seed, purpose, number]))


@dataclass(frozen=True, eq=False)
class Plan:
    """The topics, and which articles are to be relevant to them, for A articles and C concepts."""

    names: list[str]  #: topic numbers
    titles: list[str]
    descriptions: list[str]
    concepts: list[Ints]  #: concepts of each topic
    topic_of_concept: Ints  #: (C,) the topic a concept belongs to, -1 for none
    topic: Ints  #: (A,) topic an article is relevant to, -1 for none
    cell: Ints  #: (A,) index into CELLS that a relevant article is to have, -1 for none
    pool: Ints  #: (P, 2) assessed (article, topic) pairs, sorted


@lru_cache(maxsize=4)
def vocabulary(chosen: Settings) -> Vocabulary:
    """The words of a campaign and the words of its concepts."""
    concepts = chosen.topics * chosen.topic_concepts[1] + chosen.other_concepts
    return make_vocabulary(
        _generator(chosen, _VOCABULARY), chosen.background_words, concepts, ambiguity=chosen.ambiguity
    )


@lru_cache(maxsize=4)
def make_plan(chosen: Settings) -> Plan:
    """Draw the topics of a campaign and assign the articles to them."""
    rng = _generator(chosen, _PLAN)
    words = vocabulary(chosen)
    sizes = rng.integers(chosen.topic_concepts[0], chosen.topic_concepts[1] + 1, chosen.topics)
    of_concept = np.full(chosen.topics * chosen.topic_concepts[1] + chosen.other_concepts, -1)
    of_concept[: sizes.sum()] = np.repeat(np.arange(chosen.topics), sizes)
    concepts = [np.flatnonzero(of_concept == topic) for topic in range(chosen.topics)]
    titles, descriptions = [], []
    for own in concepts:
        named = rng.permutation(own)[: rng.integers(chosen.title_concepts[0], chosen.title_concepts[1] + 1)]
        first = [words.concepts[concept, rng.integers(2)] for concept in named]
        first.append(words.common(int(rng.integers(chosen.title_common[0], chosen.title_common[1] + 1))))
        titles.append(" ".join(words.spelled[word] for word in first))
        every = [words.spelled[word] for concept in own for word in words.concepts[concept, :3]]
        descriptions.append(f"Find text about {', '.join(dict.fromkeys(every))}.")

    count = chosen.topics * chosen.relevant_articles
    chosen_articles = rng.permutation(chosen.articles)[:count]
    topic = np.full(chosen.articles, -1)
    topic[chosen_articles] = np.arange(count) % chosen.topics
    cell = np.full(chosen.articles, -1)
    cell[chosen_articles] = rng.permutation(
        np.repeat(np.arange(len(CELLS)), apportion(TABLE1_ARTICLES, count))
    )

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


def article_names(articles: int) -> list[str]:
    """Names such as ``an/1995/a1000``: 18 journals and 8 years, in alphabetical order."""
    journals = ["an", "cg", "co", "cs", "dt", "ex", "ic", "it", "mi", "mu", "pd", "so", "tc", "td", "tg", "tk", "tp", "ts"]
    number = np.arange(articles)
    journal = number * 18 // articles
    inside = number - np.searchsorted(journal, journal)
    year = inside * 8 // np.bincount(journal, minlength=18)[journal]
    group = journal * 8 + year
    place = number - np.searchsorted(group, group)
    return [f"{journals[j]}/{1995 + y}/a{1000 + p}" for j, y, p in zip(journal, year, place, strict=True)]


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
    trees = grow_trees(_generator(chosen, _TREES, number), len(articles))
    holder, concept = place_concepts(_generator(chosen, _CONCEPTS, number), chosen, plan, articles, trees)
    text = write_text(
        _generator(chosen, _TEXT, number),
        trees,
        holder,
        concept,
        vocabulary(chosen),
        concept_share=chosen.concept_share,
        noise=chosen.noise,
    )
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
        topical, others, specificity = _article_concepts(rng, chosen, plan, article)
        held = _spread(rng, chosen, len(paragraphs), topical, others, specificity)
        for place, concepts in sorted(held.items()):
            row = int(paragraphs[place])
            concepts_in_order = sorted(concepts)
            pairs += [(row, concept) for concept in concepts_in_order]
            for child in range(row + 1, int(trees.last[row])):
                if is_inline[child] and rng.integers(100) < chosen.inline:
                    pairs.append((child, concepts_in_order[rng.integers(len(concepts_in_order))]))
    columns = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def _article_concepts(
    rng: np.random.Generator, chosen: Settings, plan: Plan, article: int
) -> tuple[list[int], list[int], int]:
    """Concepts of an article: its topic's, others, and its specificity value.

    The numbers of both are drawn from those that give the article the (exhaustiveness, specificity)
    it is to have.
    """
    belongs_to_no_topic = np.flatnonzero(plan.topic_of_concept < 0)
    if plan.topic[article] < 0:
        count = int(rng.integers(3, chosen.most_others + 1))
        return [], [int(c) for c in rng.choice(belongs_to_no_topic, count, replace=False)], 0
    own = plan.concepts[plan.topic[article]]
    exhaustivity, specificity = CELLS[plan.cell[article]]
    counts = np.arange(1, len(own) + 1)
    counts = counts[graded(counts, np.full(len(own), len(own)), chosen.exhaustivity_above) == exhaustivity]
    held = int(counts[rng.integers(len(counts))])
    extra = np.arange(chosen.most_others + 1)
    extra = extra[graded(np.full(len(extra), held), held + extra, chosen.specificity_above) == specificity]
    more = int(extra[rng.integers(len(extra))])
    topical = rng.choice(own, held, replace=False)
    others = rng.choice(belongs_to_no_topic, more, replace=False)
    return [int(c) for c in topical], [int(c) for c in others], specificity


def _spread(
    rng: np.random.Generator,
    chosen: Settings,
    paragraphs: int,
    topical: list[int],
    others: list[int],
    specificity: int,
) -> dict[int, set[int]]:
    """Place every concept in at least one of an article's paragraphs; returns those that hold any."""
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
    rest = [place for place in range(paragraphs) if place not in held]
    for concept in others:
        for _ in range(rng.integers(1, chosen.others_repeated + 1)):
            with_topic = not rest or (relevant and rng.integers(100) < chosen.mixed)
            places = relevant if with_topic else rest
            held.setdefault(places[rng.integers(len(places))], set()).add(concept)
    return held


def content(trees: Trees, holder: Ints, concept: Ints) -> tuple[Ints, Ints]:
    """The concepts of every element: distinct (row, concept) pairs, sorted, those of its descendants included."""
    width = int(concept.max(initial=0)) + 1
    found = [np.unique(holder * width + concept)]
    while len(found[-1]):
        above = trees.parent[found[-1] // width]
        found.append(np.unique((above * width + found[-1] % width)[above >= 0]))
    pairs = np.unique(np.concatenate(found))
    return pairs // width, pairs % width


def assess(chosen: Settings, number: int, block: Block) -> pd.DataFrame:
    """The assessments of a block: all relevant elements, and a sample of others from pooled articles.

    Columns: topic (index), document, path, root (whether it is an article), exhaustivity and
    specificity on the scales 0-3, exhaustivity_2005 (2 for exhaustivity 3, 1 for 1 and 2, -1 for
    "too small"), size and rsize in characters.

    ``rsize`` is the relevant text: of a paragraph or inline element that holds k concepts of which m
    are the topic's, the share m / k of its own text; of any element, the sum of what is in it.
    """
    plan = make_plan(chosen)
    rng = _generator(chosen, _POOL, number)
    trees, text = block.trees, block.text
    rows = np.arange(len(trees))
    article = np.repeat(np.arange(len(block.articles)), np.diff(trees.first))
    topic = plan.topic[block.articles.start : block.articles.stop][article]
    names = article_names(chosen.articles)

    row, concept = content(trees, block.holder, block.concept)
    of_topic = (topic[row] >= 0) & (plan.topic_of_concept[concept] == topic[row])
    held = np.bincount(row, minlength=len(trees))
    common = np.bincount(row[of_topic], minlength=len(trees))
    asked = np.array([len(own) for own in plan.concepts])[topic]
    exhaustivity = graded(common, np.where(topic >= 0, asked, 1), chosen.exhaustivity_above)
    specificity = graded(common, held, chosen.specificity_above)

    size = text.end - text.start
    own_text = size - np.bincount(
        trees.parent[trees.parent >= 0], size[trees.parent >= 0], len(trees)
    ).astype(int)
    of_holder = plan.topic_of_concept[block.concept] == topic[block.holder]
    of_holder &= topic[block.holder] >= 0
    own_held = np.bincount(block.holder, minlength=len(trees))
    own_common = np.bincount(block.holder[of_holder], minlength=len(trees))
    own_relevant = -(-own_text * own_common // np.maximum(own_held, 1))
    before = np.concatenate([[0], np.cumsum(own_relevant)])
    rsize = before[trees.last] - before[rows]

    relevant = np.flatnonzero(common)
    chosen_topic, chosen_row = [topic[relevant]], [relevant]
    low, high = np.searchsorted(plan.pool[:, 0], [block.articles.start, block.articles.stop])
    for pooled, asking in plan.pool[low:high] - [block.articles.start, 0]:
        first, last = trees.first[pooled], trees.first[pooled + 1]
        drawn = np.unique(rng.integers(first + 1, last, chosen.pooled_elements))
        drawn = np.append(first, drawn)
        drawn = drawn[(topic[drawn] != asking) | (common[drawn] == 0)]
        chosen_topic.append(np.full(len(drawn), asking))
        chosen_row.append(drawn)
    asking_topic, judged = np.concatenate(chosen_topic), np.concatenate(chosen_row)
    order = np.lexsort((judged, asking_topic))
    asking_topic, judged = asking_topic[order], judged[order]
    counts = topic[judged] == asking_topic
    grades = np.where(counts, exhaustivity[judged], 0)
    too_small = (grades > 0) & (size[judged] < chosen.too_small)
    return pd.DataFrame(
        {
            "topic": asking_topic,
            "document": [names[block.articles.start + article[r]] for r in judged],
            "path": [trees.path(int(r)) for r in judged],
            "root": trees.parent[judged] < 0,
            "exhaustivity": grades,
            "specificity": np.where(counts, specificity[judged], 0),
            "exhaustivity_2005": np.where(too_small, -1, (grades > 0).astype(int) + (grades == 3)),
            "size": size[judged],
            "rsize": np.where(counts, rsize[judged], 0),
        }
    )


def compare_with_table1(assessments: pd.DataFrame) -> pd.DataFrame:
    """Shares of the relevant elements by value beside those of the paper's Table 1.

    Takes columns root, exhaustivity, specificity. Returns part ("article" or "other"), exhaustivity,
    specificity, count, share, printed (share) and difference.
    """
    tables = []
    for part, printed in (("article", TABLE1_ARTICLES), ("other", TABLE1_OTHERS)):
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


def total_variation(comparison: pd.DataFrame) -> dict[str, float]:
    """Half the sum of the absolute differences of shares, for articles and for other elements: 0 is equal, 1 apart."""
    return (comparison["difference"].abs().groupby(comparison["part"]).sum() / 2).to_dict()
