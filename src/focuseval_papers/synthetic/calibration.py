"""What the papers say of the assessments that a synthetic campaign stands for, beside its own numbers."""

from collections.abc import Mapping

import pandas as pd

from focuseval_papers.synthetic.concept_settings import ARTICLES, CELLS, OTHERS

_TABLE_1 = "INEX 2003: Gövert et al., Table 1"

_IEEE = "IEEE articles: Gövert et al., Section 5.1"
_WIKIPEDIA = "Wikipedia, INEX 2006: its ad hoc track's page"
#: no table of INEX 2006's passages is at hand; Kamps & Koolen (2007) describe them in words (docs/campaigns.md)
_PASSAGES = "INEX 2009: measured on the assessments of 24 topics"

#: assessed topics of INEX 2003
_TOPICS = 36


def _of_table1() -> dict[str, float]:
    """The numbers of `focuseval_papers.workflow.description.assessed` that Table 1 of Gövert et al. (2006) has."""
    counts = pd.DataFrame(CELLS, columns=["e", "s"]).assign(article=ARTICLES, other=OTHERS)
    counts["all"] = counts["article"] + counts["other"]
    relevant, documents = counts["all"].sum(), counts["article"].sum()
    exhaustive, specific = counts["e"] == 3, counts["s"] == 3
    highly_specific, both = counts.loc[specific, "all"].sum(), counts.loc[exhaustive & specific, "all"].sum()
    return {
        "topics": _TOPICS,
        "relevant documents a topic": documents / _TOPICS,
        "relevant elements a topic": relevant / _TOPICS,
        "relevant elements a relevant document": relevant / documents,
        "highly specific elements": highly_specific,
        "highly specific, % of relevant elements": 100 * highly_specific / relevant,
        "no whole documents, % of highly specific elements": 100
        * counts.loc[specific, "other"].sum()
        / highly_specific,
        "highly exhaustive, % of relevant elements": 100 * counts.loc[exhaustive, "all"].sum() / relevant,
        "highly exhaustive and specific elements a topic": both / _TOPICS,
        "highly exhaustive and specific, % of relevant elements": 100 * both / relevant,
    }


def sources(scale: str) -> dict[str, tuple[float, str]]:
    """Numbers of the papers, and where they stand, by the names of `focuseval_papers.workflow.description.assessed`.

    ``scale`` is that of the campaign's assessments. The papers count no elements of INEX 2005's assessments: those
    of INEX 2003, on the same documents, stand in for them, the value 3 for 2 in exhaustivity and for 1 in specificity.
    """
    table1 = {name: (value, _TABLE_1) for name, value in _of_table1().items()}
    ieee = {
        "elements per document": (8_000_000 / 12_107, _IEEE),
        "mean depth of an element": (6.9, _IEEE),
    }
    if scale == "inex2003":
        return ieee | table1
    if scale == "inex2002":
        section = "INEX 2002: Gövert et al., Section 5.3"
        return ieee | {
            "topics": (30, "INEX 2002: Gövert et al., Section 5.2"),
            "highly specific elements": (3_747, section),
            "no whole documents, % of highly specific elements": (87, section),
        }
    if scale == "inex2005":
        pairs = dict(zip(CELLS, zip(ARTICLES, OTHERS, strict=True), strict=True))
        marginal = 100 * sum(pairs[1, 3]) / (sum(ARTICLES) + sum(OTHERS))
        return {
            **ieee,
            **table1,
            "topics": (29, "INEX 2005: Kazai & Lalmas, Section 6"),
            "too small, % of relevant elements": (marginal, f"at most; {_TABLE_1}, elements (1, 3)"),
        }
    if scale == "highlights":
        return {
            "topics": (114, "INEX 2006: Ali et al., Section 7.1"),
            "elements per document": (161.35, _WIKIPEDIA),
            "mean depth of an element": (6.72, _WIKIPEDIA),
            "relevant documents a topic": (70.3, _PASSAGES),
            "passages a relevant document": (1.81, _PASSAGES),
            "with one passage, % of relevant documents": (61.3, _PASSAGES),
            "median length of a passage": (631, _PASSAGES),
            "mean length of a passage": (2168, _PASSAGES),
            "median of highlighted text, % of a relevant document": (35.5, _PASSAGES),
            "above 90 % highlighted, % of relevant documents": (18.1, _PASSAGES),
        }
    return {}


def calibration(found: Mapping[str, float], scale: str | None) -> pd.DataFrame:
    """The numbers of a campaign's assessments beside those that it stands for: number, here, source, where.

    ``source`` is NaN and ``where`` empty where the papers say nothing. ``scale`` is that of a synthetic campaign's
    assessments; None for any other campaign, which stands for itself.
    """
    known = sources(scale) if scale else {}
    rows = [(name, value, *known.get(name, (float("nan"), ""))) for name, value in found.items()]
    return pd.DataFrame(rows, columns=["number", "here", "source", "where"])
