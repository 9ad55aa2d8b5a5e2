"""The settings of the synthetic campaign, its sizes, and what of them cannot be met."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from focuseval.errors import InputError, Problem, counted
from focuseval.model.arrays import Ints, divided
from focuseval_papers.synthetic.table1 import CELLS


@dataclass(frozen=True)
class Settings:
    """What defines a campaign. Chances are per hundred; ranges are (least, most)."""

    articles: int = 757
    topics: int = 36
    #: relevant articles of each topic; an article is relevant to one topic at most
    relevant_articles: int = 12
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
    #: relevant elements of fewer characters, about a sentence, are "too small": `?` on the scale of INEX 2005
    too_small: int = 100
    #: least share (per hundred) of relevant ones among the paragraphs of what is highlighted as a whole
    highlighted: int = 50


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
    """Raises InputError for the first kind of what is wrong: kinds of values, values, what cannot be drawn."""
    problems = _of_another_kind(chosen) or _out_of_range(chosen) or _impossible(chosen)
    if problems:
        raise InputError([Problem("concept-space", *said) for said in problems])


def _of_another_kind(chosen: Settings) -> list[tuple[str, str, str]]:
    """The settings that are not numbers of the kind and count that they have by default: name, found, expected."""
    problems = []
    for field in fields(Settings):
        value, default = getattr(chosen, field.name), getattr(SIZES["default"], field.name)
        numbers = value if isinstance(value, tuple) else (value,)
        kinds = (int, float) if field.name.endswith("above") else (int,)
        if (
            np.shape(value) != np.shape(default)
            or not all(type(n) in kinds for n in numbers)
            or min(numbers) < 0
        ):
            shape = f"{len(default)} of them" if isinstance(default, tuple) else "one"
            problems.append((field.name, repr(value), f"whole numbers of 0 or more, {shape}"))
    return problems


def _out_of_range(chosen: Settings) -> list[tuple[str, str, str]]:
    """The settings whose values are not in their range, or do not go with others: name, found, expected."""
    least, most = chosen.topic_concepts
    title, common = chosen.title_concepts, chosen.title_common
    asked = f"{counted(chosen.topics, 'topic')} of {counted(chosen.relevant_articles, 'article')}"
    others = f"{chosen.most_others} of {chosen.other_concepts}"
    rules: list[tuple[str, bool, str, str | None]] = [
        (
            "relevant_articles",
            chosen.topics * chosen.relevant_articles <= chosen.articles,
            f"{chosen.articles} or fewer relevant articles",
            asked,
        ),
        ("topic_concepts", 3 <= least <= most, "3 ≤ least ≤ most", None),
        ("title_concepts", 1 <= title[0] <= title[1] <= least, "1 ≤ least ≤ most ≤ least topic", None),
        (
            "title_common",
            0 <= common[0] <= common[1] < chosen.background_words,
            "0 ≤ least ≤ most < background_words",
            None,
        ),
        ("most_others", chosen.most_others <= chosen.other_concepts, "other_concepts or fewer", others),
    ]
    for name in ("exhaustivity_above", "specificity_above"):
        first, second = getattr(chosen, name)
        rules.append((name, 0 < first < second < 1, "0 < first < second < 1", None))
    rules += [(name, getattr(chosen, name) >= 1, "1 or more", None) for name in _AT_LEAST_ONE]
    rules += [
        ("repeated", chosen.repeated <= 99, "99 or less", None),
        ("highlighted", 1 <= chosen.highlighted <= 100, "1 to 100", None),
    ]
    return [
        (name, found or repr(getattr(chosen, name)), expected)
        for name, holds, expected, found in rules
        if not holds
    ]


_AT_LEAST_ONE = (
    "articles",
    "topics",
    "relevant_articles",
    "background_words",
    "ambiguity",
    "others_repeated",
)


def _impossible(chosen: Settings) -> list[tuple[str, str, str]]:
    """The values (exhaustiveness, specificity) that no article can have for a topic: name, found, expected."""
    return [
        (
            "most_others",
            f"no article for a topic of {size} concepts can have the values {cell}",
            "more other concepts, or other thresholds",
        )
        for size in range(chosen.topic_concepts[0], chosen.topic_concepts[1] + 1)
        for cell in CELLS
        if not _possible(chosen, size, cell)
    ]


def _possible(chosen: Settings, size: int, cell: tuple[int, int]) -> bool:
    """Whether an article that holds as many of a topic's concepts as a cell asks can have its specificity."""
    held = topical_counts(chosen, size, cell[0])
    return len(held) > 0 and all(len(other_counts(chosen, int(count), cell[1])) > 0 for count in held)


def topical_counts(chosen: Settings, size: int, exhaustivity: int) -> Ints:
    """How many of a topic's ``size`` concepts an element of the given exhaustiveness may hold."""
    counts = np.arange(1, size + 1)
    return counts[graded(counts, np.full(size, size), chosen.exhaustivity_above) == exhaustivity]


def other_counts(chosen: Settings, held: int, specificity: int) -> Ints:
    """How many other concepts an article with ``held`` of the topic's may hold for the given specificity."""
    counts = np.arange(chosen.most_others + 1)
    return counts[graded(np.full(len(counts), held), held + counts, chosen.specificity_above) == specificity]


def graded(part: Ints, whole: Ints, above: Sequence[float]) -> Ints:
    """Values of ``part / whole``: 0 for nothing, else 1, 2 above the first threshold, 3 above the second."""
    ratio = divided(part, whole)
    return (ratio > 0).astype(np.int64) + (ratio > above[0]) + (ratio > above[1])
