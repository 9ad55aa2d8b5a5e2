"""The settings of a synthetic campaign, their checks, and published statistics for comparison."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

import numpy as np
import pandas as pd
from pydantic import Field, model_validator

from focuseval.errors import InputError, Problem
from focuseval.model.arrays import Ints, divided
from focuseval_papers.workflow import settings as typed
from focuseval_papers.workflow.settings import Positive, Seed, refused, validated

#: the pairs (exhaustiveness, specificity) that relevant elements can have, and for each pair, the numbers of articles
#: and of other elements that have it in Table 1 of Gövert et al. (2006)
CELLS = ((3, 3), (3, 2), (3, 1), (2, 3), (2, 2), (2, 1), (1, 3), (1, 2), (1, 1))
ARTICLES = (180, 112, 150, 24, 103, 222, 148, 50, 673)
OTHERS = (1316, 616, 635, 2105, 1779, 1358, 5029, 3872, 8074)


Whole = Annotated[int, Field(ge=0, description="a non-negative integer")]
Share = Annotated[float, Field(gt=0, lt=1, description="a number between 0 and 1")]
Range = Annotated[tuple[Whole, ...], Field(min_length=2, max_length=2, description="two integers")]
Thresholds = Annotated[
    tuple[Share, ...], Field(min_length=2, max_length=2, description="two numbers between 0 and 1")
]


class ConceptSettings(typed.Settings):
    """The settings of a synthetic campaign. A chance is in per cent, and a range is a pair (minimum, maximum)."""

    articles: Positive = 757
    topics: Positive = 36
    #: mean number of relevant articles per topic; an article is relevant to at most one topic
    relevant_articles: Positive = 12
    #: how far a topic's number of relevant articles may differ from the mean, in per cent
    relevant_spread: int = Field(default=0, ge=0, le=99, description="an integer from 0 to 99")
    seed: Seed = 2003
    grammar: Literal["ieee", "wikipedia"] = "ieee"  #: structure of the articles

    topic_concepts: Range = (6, 10)
    other_concepts: Whole = 400  #: concepts that belong to no topic
    exhaustivity_above: Thresholds = (1 / 3, 2 / 3)  #: the ratios above which exhaustivity is 2 and 3
    specificity_above: Thresholds = (1 / 3, 2 / 3)

    most_others: Whole = 38  #: maximum number of concepts in an article that belong to no topic
    #: maximum number of relevant paragraphs, for specificity 1, 2 and 3, in an article with ten concepts of its topic;
    #: the maximum is proportional to the number of concepts
    relevant_paragraphs: tuple[Whole, ...] = Field(default=(25, 38, 12), min_length=3, max_length=3)
    """three integers"""
    scattered: Whole = 60  #: chance that relevant paragraphs are placed at random instead of consecutively
    #: chance that one paragraph contains all concepts that the article shares with its topic
    summary: Whole = 60
    #: chance of adding a concept of the topic to a relevant paragraph; drawn again after each addition
    repeated: int = Field(default=65, ge=0, le=99, description="an integer from 0 to 99")
    mixed: Whole = 25  #: chance that one of the `other_concepts` is placed in a relevant paragraph
    #: maximum number of times that one of the `other_concepts` is placed in an article
    others_repeated: Positive = 7
    inline: Whole = 5  #: chance that an inline element contains one of the concepts of its paragraph

    background_words: Positive = 12_000
    ambiguity: Positive = 2  #: mean number of concepts that share a topical word
    concept_share: Whole = 30  #: chance that a word in a paragraph with concepts expresses one of them
    noise: Whole = 3  #: chance that a word is a random topical word
    title_concepts: Range = (3, 5)  #: number of concepts that a topic's title names, with one word for each

    #: range of frequency ranks from which the background word of each title is drawn
    title_common: Range = (60, 600)

    #: number of irrelevant articles in a topic's pool per relevant article
    pooled_articles: Whole = 6
    #: approximate number of irrelevant elements that are assessed in each pooled article
    pooled_elements: Whole = 6
    #: relevant elements with fewer characters are "too small", which INEX 2005 marks with `?`
    too_small: Whole = 100
    #: an element of specificity 3 is highlighted completely if at least this percentage of its paragraphs is relevant
    highlighted: int = Field(default=50, ge=1, le=100, description="an integer from 1 to 100")

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        if problems := _not_together(self) or _impossible(self):
            raise refused(problems)
        return self


def _not_together(chosen: ConceptSettings) -> list[Problem]:
    """Return a problem for each setting with a value that contradicts itself or another setting."""
    most = chosen.articles // chosen.topics
    (least, top), title, common = chosen.topic_concepts, chosen.title_concepts, chosen.title_common
    rules = {
        "relevant_articles": (
            chosen.relevant_articles <= most,
            f"{most} or fewer: topics share no article",
        ),
        "relevant_spread": (
            relevant_counts(chosen).min() >= 1,
            "less: each topic has a relevant article",
        ),
        "topic_concepts": (3 <= least <= top, "3 ≤ least ≤ most"),
        "title_concepts": (1 <= title[0] <= title[1] <= least, f"1 ≤ least ≤ most ≤ {least}, as a topic has"),
        "title_common": (
            common[0] <= common[1] < chosen.background_words,
            f"least ≤ most < {chosen.background_words}, the number of `background_words`",
        ),
        "most_others": (
            chosen.most_others <= chosen.other_concepts,
            f"{chosen.other_concepts} or fewer, the number of `other_concepts`",
        ),
    }
    for name in ("exhaustivity_above", "specificity_above"):
        first, second = getattr(chosen, name)
        rules[name] = first < second, "first < second"
    return [
        Problem("", name, f"the value is {getattr(chosen, name)}", f"expected {expected}")
        for name, (holds, expected) in rules.items()
        if not holds
    ]


def _impossible(chosen: ConceptSettings) -> list[Problem]:
    """Return a problem for each pair (exhaustiveness, specificity) and topic size for which no article is possible."""
    return [
        Problem(
            "",
            "most_others",
            f"no article for a topic of {size} concepts can have the values {cell}",
            "expected more other concepts, or other thresholds",
        )
        for size in range(chosen.topic_concepts[0], chosen.topic_concepts[1] + 1)
        for cell in CELLS
        if not _possible(chosen, size, cell)
    ]


def _possible(chosen: ConceptSettings, size: int, cell: tuple[int, int]) -> bool:
    """Return whether articles can have the exhaustiveness and specificity ``cell`` for a topic of ``size`` concepts."""
    held = topical_counts(chosen, size, cell[0])
    return len(held) > 0 and all(len(other_counts(chosen, int(count), cell[1])) > 0 for count in held)


def relevant_counts(chosen: ConceptSettings) -> Ints:
    """Return how many relevant articles each topic has: evenly spaced numbers in ascending order."""
    most = chosen.relevant_articles * chosen.relevant_spread / 100
    return chosen.relevant_articles + np.rint(np.linspace(-most, most, chosen.topics)).astype(np.int64)


def topical_counts(chosen: ConceptSettings, size: int, exhaustivity: int) -> Ints:
    """Return how many concepts an element of this exhaustivity may share with a topic of ``size`` concepts."""
    counts = np.arange(1, size + 1)
    return counts[graded(counts, np.full(size, size), chosen.exhaustivity_above) == exhaustivity]


def other_counts(chosen: ConceptSettings, held: int, specificity: int) -> Ints:
    """Return how many other concepts an article of this specificity with ``held`` topical concepts may have."""
    counts = np.arange(chosen.most_others + 1)
    return counts[graded(np.full(len(counts), held), held + counts, chosen.specificity_above) == specificity]


def graded(part: Ints, whole: Ints, above: Sequence[float]) -> Ints:
    """Return grades from 0 to 3 for the ratios ``part / whole``.

    A positive ratio has grade 1, plus 1 for each threshold in ``above`` that it exceeds.
    """
    ratio = divided(part, whole)
    return (ratio > 0).astype(np.int64) + (ratio > above[0]) + (ratio > above[1])


SIZES = {
    "tiny": ConceptSettings(
        articles=40, topics=4, relevant_articles=6, other_concepts=60, background_words=2_000
    ),
    "default": ConceptSettings(),
    "quarter": ConceptSettings(
        articles=3_027, relevant_articles=24, other_concepts=1_200, background_words=20_000
    ),
    "full": ConceptSettings(
        articles=12_107, relevant_articles=46, other_concepts=4_000, background_words=40_000
    ),
}


def settings(size: str = "default", **changes: object) -> ConceptSettings:
    """Return the settings of a synthetic campaign of a ``size`` in `SIZES`, with some values replaced by ``changes``.

    Raises InputError for an unknown size and for invalid settings.
    """
    if size not in SIZES:
        expected = f"expected one of {', '.join(SIZES)}"
        raise InputError.of("concept-space", f"the value is {size!r}", expected, where="size")
    tuples = {name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()}
    return validated(ConceptSettings, {**SIZES[size].model_dump(), **tuples}, "concept-space")


_TABLE_1 = "INEX 2003: Gövert et al., Table 1"

_IEEE = "IEEE articles: Gövert et al., Section 5.1"
_WIKIPEDIA = "Wikipedia, INEX 2006: its ad hoc track's page"
#: INEX 2009 replaces INEX 2006, for which no statistics of passages are available (docs/campaigns.md)
_PASSAGES = "INEX 2009: measured on the assessments of 24 topics"

#: number of assessed topics of INEX 2003
_TOPICS = 36


def _table1_statistics() -> dict[str, float]:
    """Return the statistics that follow from Table 1 of Gövert et al. (2006), by name."""
    counts = pd.DataFrame(CELLS, columns=["e", "s"]).assign(article=ARTICLES, other=OTHERS)
    counts["all"] = counts["article"] + counts["other"]
    relevant, documents = counts["all"].sum(), counts["article"].sum()
    exhaustive, specific = counts["e"] == 3, counts["s"] == 3
    highly_specific, both = counts.loc[specific, "all"].sum(), counts.loc[exhaustive & specific, "all"].sum()
    return {
        "topics": _TOPICS,
        "relevant documents per topic": documents / _TOPICS,
        "relevant elements per topic": relevant / _TOPICS,
        "relevant elements per relevant document": relevant / documents,
        "highly specific elements": highly_specific,
        "highly specific, % of relevant elements": 100 * highly_specific / relevant,
        "no whole documents, % of highly specific elements": 100
        * counts.loc[specific, "other"].sum()
        / highly_specific,
        "highly exhaustive, % of relevant elements": 100 * counts.loc[exhaustive, "all"].sum() / relevant,
        "highly exhaustive and specific elements per topic": both / _TOPICS,
        "highly exhaustive and specific, % of relevant elements": 100 * both / relevant,
    }


def sources(scale: str) -> dict[str, tuple[float, str]]:
    """Return published statistics of assessments on a scale: their values and sources, by name.

    No paper counts the elements of INEX 2005, so INEX 2003, with the same documents, replaces it.
    """
    table1 = {name: (value, _TABLE_1) for name, value in _table1_statistics().items()}
    ieee = {
        "elements per document": (8_000_000 / 12_107, _IEEE),
        "mean depth of an element": (6.9, _IEEE),
    }
    section = "INEX 2002: Gövert et al., Section 5.3"
    of_marginal = CELLS.index((1, 3))
    marginal = 100 * (ARTICLES[of_marginal] + OTHERS[of_marginal]) / (sum(ARTICLES) + sum(OTHERS))
    of_scale = {
        "inex2002": ieee
        | {
            "topics": (30, "INEX 2002: Gövert et al., Section 5.2"),
            "highly specific elements": (3_747, section),
            "no whole documents, % of highly specific elements": (87, section),
        },
        "inex2003": ieee | table1,
        "inex2005": {
            **ieee,
            **table1,
            "topics": (29, "INEX 2005: Kazai & Lalmas, Section 6"),
            "too small, % of relevant elements": (marginal, f"at most; {_TABLE_1}, elements (1, 3)"),
        },
        "highlights": {
            "topics": (114, "INEX 2006: Ali et al., Section 7.1"),
            "elements per document": (161.35, _WIKIPEDIA),
            "mean depth of an element": (6.72, _WIKIPEDIA),
            "relevant documents per topic": (70.3, _PASSAGES),
            "passages per relevant document": (1.81, _PASSAGES),
            "with one passage, % of relevant documents": (61.3, _PASSAGES),
            "median length of a passage": (631, _PASSAGES),
            "mean length of a passage": (2168, _PASSAGES),
            "median of highlighted text, % of a relevant document": (35.5, _PASSAGES),
            "above 90 % highlighted, % of relevant documents": (18.1, _PASSAGES),
        },
    }
    return of_scale.get(scale, {})


def calibration(statistics: Mapping[str, float], scale: str | None) -> pd.DataFrame:
    """Return a table that compares statistics of a campaign's assessments with published statistics.

    The columns are number (the name of the statistic), here (the campaign's value), source (the published value) and
    where (the publication that has this value). If ``scale`` is None, there are no published values.
    """
    from_sources = sources(scale) if scale else {}
    rows = [(name, value, *from_sources.get(name, (float("nan"), ""))) for name, value in statistics.items()]
    return pd.DataFrame(rows, columns=["number", "here", "source", "where"])
