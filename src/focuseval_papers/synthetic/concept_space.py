"""A synthetic campaign from the concept-space model of Gövert et al. (2006), Section 3.2, with its assessments.

A topic is a set of concepts. An element has the concepts of all paragraphs and inline elements inside it. Let t be the
concepts of a topic, and c the concepts of an element. Eq. 1 defines ``exh = |t ∩ c| / |t|`` and ``spec = |t ∩ c| /
|c|``. Thresholds map the two ratios to grades from 0 to 3. Words express the concepts, so systems can find relevant
text.

An element is relevant on every scale if it has a concept of the topic. On INEX 2005's scale, highlighted text
determines the specificity.

Articles are generated in blocks with separate random generators, so the number of processes changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Ints, changes, distinct, sums_before
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
    ConceptSettings,
    graded,
    other_counts,
    relevant_counts,
    topical_counts,
)

#: number of articles in a block; each block has its own random generators, so another number would change the campaigns
BLOCK = 64

#: purposes of the random generators; each number is part of a seed
_PLAN, _VOCABULARY, _TREES, _CONCEPTS, _TEXT, POOL = range(6)


def apportion(weights: Sequence[int], seats: int) -> Ints:
    """Divide ``seats`` in proportion to integer ``weights``, by the method of largest remainders."""
    weight = np.array(weights, dtype=np.int64)
    shares, rests = np.divmod(weight * seats, weight.sum())
    shares[np.argsort(-rests, kind="stable")[: seats - shares.sum()]] += 1
    return shares


def generator(chosen: ConceptSettings, purpose: int, number: int = 0) -> np.random.Generator:
    """Return a campaign's random generator for one purpose, such as `POOL`, and the block ``number`` (if any)."""
    return np.random.Generator(np.random.PCG64([chosen.seed, purpose, number]))


@dataclass(frozen=True, eq=False)
class Plan:
    """The topics of a synthetic campaign, with their relevant articles and their assessed articles."""

    names: list[str]  #: names of the topics, such as 101
    titles: list[str]
    descriptions: list[str]
    concepts: Sequence[Ints]  #: the concepts of each topic
    topic_of_concept: Ints  #: the topic to which each concept belongs, -1 for none
    topic: Ints  #: the topic to which each article is relevant, -1 for none
    cell: Ints  #: index in ``CELLS`` of each article's exhaustiveness and specificity, -1 without a topic
    pool: Ints  #: sorted pairs of an article and a topic for which it is assessed


@lru_cache(maxsize=4)
def vocabulary(chosen: ConceptSettings) -> Vocabulary:
    """Make the words of a synthetic campaign, including words for each concept."""
    concepts = chosen.topics * chosen.topic_concepts[1] + chosen.other_concepts
    return make_vocabulary(
        generator(chosen, _VOCABULARY), chosen.background_words, concepts, ambiguity=chosen.ambiguity
    )


@lru_cache(maxsize=4)
def make_plan(chosen: ConceptSettings) -> Plan:
    """Draw the topics of a synthetic campaign, with their relevant articles and their pools of assessed articles."""
    rng = generator(chosen, _PLAN)
    words = vocabulary(chosen)
    sizes = rng.integers(chosen.topic_concepts[0], chosen.topic_concepts[1] + 1, chosen.topics)
    of_concept = np.full(len(words.concepts), -1)
    of_concept[: sizes.sum()] = np.repeat(np.arange(chosen.topics), sizes)
    concepts = [np.flatnonzero(of_concept == topic) for topic in range(chosen.topics)]
    titles, descriptions = [], []
    for own in concepts:
        in_title = rng.permutation(own)
        in_title = in_title[: rng.integers(chosen.title_concepts[0], chosen.title_concepts[1] + 1)]
        first = [words.concepts[concept, rng.integers(2)] for concept in in_title]
        common = rng.integers(chosen.title_common[0], chosen.title_common[1] + 1)
        first.append(NUMERALS + common)
        titles.append(" ".join(words.spelled[word] for word in first))
        every = [words.spelled[word] for concept in own for word in words.concepts[concept, :3]]
        descriptions.append(f"Find text about {', '.join(dict.fromkeys(every))}.")

    count = chosen.topics * chosen.relevant_articles
    chosen_articles = rng.permutation(chosen.articles)[:count]
    topic = np.full(chosen.articles, -1)
    topic[chosen_articles] = np.arange(count) % chosen.topics
    relevant = np.full(chosen.topics, chosen.relevant_articles)
    if chosen.relevant_spread:
        relevant = rng.permutation(relevant_counts(chosen))
        topic[chosen_articles] = np.repeat(np.arange(chosen.topics), relevant)
    cell = np.full(chosen.articles, -1)
    cell[chosen_articles] = rng.permutation(np.repeat(np.arange(len(CELLS)), apportion(ARTICLES, count)))

    pool = []
    for number in range(chosen.topics):
        irrelevant = rng.permutation(np.flatnonzero(topic != number))
        pooled = irrelevant[: chosen.pooled_articles * relevant[number]]
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
    """Return the names of the articles, such as ``an/1995/a1000``, in alphabetical order."""
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
    """At most `BLOCK` consecutive articles with their trees, concepts and text.

    Rows are counted from the start of the block.
    """

    articles: range
    trees: Trees
    holder: Ints  #: row of an element, repeated for each of its concepts
    concept: Ints  #: a concept of the element in ``holder``
    text: Text


def blocks(chosen: ConceptSettings) -> range:
    """Return the numbers of a campaign's blocks of articles."""
    return range(-(-chosen.articles // BLOCK))


def make_block(chosen: ConceptSettings, number: int) -> Block:
    """Generate the articles of one block, independently of other blocks."""
    plan = make_plan(chosen)
    articles = range(number * BLOCK, min((number + 1) * BLOCK, chosen.articles))
    trees = grow_trees(generator(chosen, _TREES, number), len(articles), ROOTS[chosen.grammar])
    holder, concept = place_concepts(generator(chosen, _CONCEPTS, number), chosen, plan, articles, trees)
    # every concept of an element needs a word that expresses it
    trees = replace(trees, words=np.maximum(trees.words, np.bincount(holder, minlength=len(trees))))
    rng = generator(chosen, _TEXT, number)
    text = write_text(rng, chosen, trees, holder, concept, vocabulary(chosen))
    return Block(articles=articles, trees=trees, holder=holder, concept=concept, text=text)


def place_concepts(
    rng: np.random.Generator, chosen: ConceptSettings, plan: Plan, articles: range, trees: Trees
) -> tuple[Ints, Ints]:
    """Place concepts in paragraphs and inline elements; return the elements' rows and the concepts, sorted."""
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
    rng: np.random.Generator, chosen: ConceptSettings, plan: Plan, article: int
) -> tuple[list[int], Ints, int]:
    """Draw concepts that give an article its planned exhaustiveness and specificity.

    Returns the concepts of its topic, its other concepts, and its specificity.
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
    further = rng.choice(belongs_to_no_topic, more, replace=False)
    return topical.tolist(), further, specificity


def _spread(
    rng: np.random.Generator,
    chosen: ConceptSettings,
    paragraphs: int,
    topical: list[int],
    further: Ints,
    specificity: int,
) -> list[tuple[int, int]]:
    """Place concepts in the paragraphs of an article, and return pairs of a paragraph and a concept.

    ``topical`` are concepts of the article's topic. ``further`` are other concepts, placed mostly in irrelevant
    paragraphs.
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
    for concept in further.tolist():
        for _ in range(rng.integers(1, chosen.others_repeated + 1)):
            mixes = len(rest) == 0 or (len(relevant) > 0 and rng.integers(100) < chosen.mixed)
            places = relevant if mixes else rest
            pairs.append((int(places[rng.integers(len(places))]), concept))
    return pairs


def content(trees: Trees, holder: Ints, concept: Ints) -> tuple[Ints, Ints]:
    """Return the distinct concepts of each element and its descendants, as sorted arrays of rows and concepts."""
    width = int(concept.max(initial=0)) + 1
    keys = [distinct(holder * width + concept)]
    while len(keys[-1]):
        above = trees.parent[keys[-1] // width]
        keys.append(distinct((above * width + keys[-1] % width)[above >= 0]))
    pairs = distinct(np.concatenate(keys))
    return pairs // width, pairs % width


def assess(chosen: ConceptSettings, number: int, block: Block) -> pd.DataFrame:
    """Return the assessments of a block of articles, sorted by topic and in document order.

    The columns are topic (index), document, path, root, exhaustivity, specificity, coverage, exhaustivity_2005, size
    and rsize. Sizes are in characters.
    """
    plan = make_plan(chosen)
    trees = block.trees
    topic = _topic(plan, block)
    held, common = _themes(chosen, block)
    for_topic, row = _judged(generator(chosen, POOL, number), chosen, plan, block, np.flatnonzero(common))
    on_topic = topic[row] == for_topic
    concepts_of_topic = np.array([len(own) for own in plan.concepts])[topic[row]]
    exhaustivity = np.where(on_topic, graded(common[row], concepts_of_topic, chosen.exhaustivity_above), 0)
    size = (block.text.end - block.text.start)[row]
    highlighted = sums_before(_highlighted(chosen, block))
    return pd.DataFrame(
        {
            **_paths(chosen, block, row),
            "topic": for_topic,
            "root": trees.parent[row] < 0,
            "exhaustivity": exhaustivity,
            "specificity": np.where(on_topic, graded(common[row], held[row], chosen.specificity_above), 0),
            "coverage": _coverage(exhaustivity, 2 * common[row] > held[row], size < chosen.too_small),
            "exhaustivity_2005": np.select([size < chosen.too_small, exhaustivity == 3], ["?", "2"], "1"),
            "size": size,
            "rsize": highlighted[trees.last[row]] - highlighted[row],
        }
    )


def _coverage(relevance: Ints, main_theme: Bools, too_small: Bools) -> np.ndarray:
    """Return the coverage of elements on INEX 2002's scale, which calls exhaustiveness relevance.

    The coverage is N if the element is not relevant, or else L if the topic is a minor theme. It is S if the element is
    too small and its relevance is below 3, and otherwise E.
    """
    cases = [relevance == 0, ~main_theme, too_small & (relevance < 3)]
    return np.select(cases, ["N", "L", "S"], "E")


def highlight(chosen: ConceptSettings, block: Block) -> pd.DataFrame:
    """Return the highlighted passages of a block of articles, with a row for each pair (article, topic) in the pool.

    The columns are topic (index), document, size (in characters) and passages (sorted pairs of start and end).
    """
    plan = make_plan(chosen)
    inside, start, end = _passages(chosen, block)
    low, high = np.searchsorted(plan.pool[:, 0], [block.articles.start, block.articles.stop])
    names = article_names(chosen.articles)
    rows = []
    for article, topic in plan.pool[low:high].tolist():
        place = article - block.articles.start
        mine = inside == (place if plan.topic[article] == topic else -1)
        passages = list(zip(start[mine].tolist(), end[mine].tolist(), strict=True))
        rows.append((topic, names[article], int(block.text.end[block.trees.first[place]]), passages))
    return pd.DataFrame(rows, columns=["topic", "document", "size", "passages"])


def _passages(chosen: ConceptSettings, block: Block) -> tuple[Ints, Ints, Ints]:
    """Return the article (its index in the block), the start and the end of each highlighted passage.

    A passage consists of consecutive relevant paragraphs, with the headings and tables of elements that it contains. A
    single paragraph is highlighted only in part if some of its concepts are not of the topic.
    """
    plan, trees, text = make_plan(chosen), block.trees, block.text
    held, common = _counts(plan, trees, _topic(plan, block), block.holder, block.concept)
    paragraph = np.flatnonzero(np.isin(trees.symbol, symbols(PARAGRAPHS)))
    article = np.searchsorted(trees.first, paragraph, side="right") - 1
    relevant = np.minimum(common[paragraph], 1)
    # a sequence consists of consecutive paragraphs of an article that are equally relevant
    opens = np.flatnonzero(changes(article, relevant))
    length = np.diff(opens, append=len(paragraph))
    sequence = np.repeat(np.arange(len(opens)), length)
    before, after = np.searchsorted(paragraph, [np.arange(len(trees)), trees.last])
    filled = np.flatnonzero(before < after)
    first, last = sequence[before[filled]], sequence[after[filled] - 1]
    whole = first == last  # whether all paragraphs of an element are in one sequence
    start, end = np.full(len(opens), text.end.max()), np.zeros(len(opens), dtype=np.int64)
    np.minimum.at(start, first[whole], text.start[filled[whole]])
    np.maximum.at(end, first[whole], text.end[filled[whole]])
    row = paragraph[opens]
    part = -(-(text.end - text.start)[row] * common[row] // np.maximum(held[row], 1))
    partly = (length == 1) & (common[row] < held[row])
    start = np.where(partly, text.start[row], start)
    end = np.where(partly, text.start[row] + part, end)
    with_text = relevant[opens] > 0
    return article[opens][with_text], start[with_text], end[with_text]


def _topic(plan: Plan, block: Block) -> Ints:
    """Return the topic of each element's article; -1 if the article is relevant to no topic."""
    return np.repeat(plan.topic[block.articles.start : block.articles.stop], np.diff(block.trees.first))


def _paths(chosen: ConceptSettings, block: Block, row: Ints) -> dict[str, list[str]]:
    """Return the document names and the XPaths of the elements in ``row``, as columns by name."""
    names = article_names(chosen.articles)
    article = block.articles.start + np.searchsorted(block.trees.first, row, side="right") - 1
    return {"document": [names[a] for a in article], "path": [block.trees.path(int(r)) for r in row]}


@lru_cache(maxsize=1)  # several functions need these counts for the same block
def _themes(chosen: ConceptSettings, block: Block) -> tuple[Ints, Ints]:
    """For each element and its descendants, count all concepts and the concepts that belong to its article's topic."""
    plan, trees = make_plan(chosen), block.trees
    return _counts(plan, trees, _topic(plan, block), *content(trees, block.holder, block.concept))


def _counts(plan: Plan, trees: Trees, topic: Ints, row: Ints, concept: Ints) -> tuple[Ints, Ints]:
    """For each element, count all concepts and the concepts that belong to its article's topic.

    ``row`` and ``concept`` are pairs of an element and one of its concepts.
    """
    of_topic = (topic[row] >= 0) & (plan.topic_of_concept[concept] == topic[row])
    return np.bincount(row, minlength=len(trees)), np.bincount(row[of_topic], minlength=len(trees))


def _highlighted(chosen: ConceptSettings, block: Block) -> Ints:
    """Return how many characters of each element's own text, outside its children, are highlighted.

    In an element that is not highlighted completely, the share of highlighted text is the share of relevant concepts.
    """
    plan = make_plan(chosen)
    trees = block.trees
    size = block.text.end - block.text.start
    child = np.flatnonzero(trees.parent >= 0)
    inside = np.zeros(len(trees), dtype=np.int64)
    np.add.at(inside, trees.parent[child], size[child])
    held, common = _counts(plan, trees, _topic(plan, block), block.holder, block.concept)
    # `source` is the element itself, or the parent of an inline element without concepts
    source = np.arange(len(trees))
    bare = np.isin(trees.symbol, symbols(INLINE)) & (held == 0)
    while (climbing := bare[source]).any():
        source[climbing] = trees.parent[source[climbing]]
    share = -(-(size - inside) * common[source] // np.maximum(held[source], 1))
    return np.where(_completely_highlighted(chosen, block), size - inside, share)


def _completely_highlighted(chosen: ConceptSettings, block: Block) -> Bools:
    """Return whether each element is highlighted completely, or is inside such an element.

    An element is highlighted completely if its specificity is 3 and enough of its paragraphs are relevant.
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
    rng: np.random.Generator, chosen: ConceptSettings, plan: Plan, block: Block, relevant: Ints
) -> tuple[Ints, Ints]:
    """Return the topics and the rows of a block's assessed elements, sorted by topic and row.

    All relevant elements are assessed. In each pooled article, the root and random elements are assessed too.
    """
    first = block.trees.first
    topic = plan.topic[block.articles.start : block.articles.stop]
    topics = [np.repeat(topic, np.diff(first))[relevant]]
    rows = [relevant]
    low, high = np.searchsorted(plan.pool[:, 0], [block.articles.start, block.articles.stop])
    for pooled, pool_topic in plan.pool[low:high] - [block.articles.start, 0]:
        pooled_rows = rng.integers(first[pooled] + 1, first[pooled + 1], chosen.pooled_elements)
        sample = distinct(np.append(pooled_rows, first[pooled]))
        if topic[pooled] == pool_topic:
            sample = np.setdiff1d(sample, relevant)
        topics.append(np.full(len(sample), pool_topic))
        rows.append(sample)
    every_topic, every_row = np.concatenate(topics), np.concatenate(rows)
    order = np.lexsort((every_row, every_topic))
    return every_topic[order], every_row[order]
