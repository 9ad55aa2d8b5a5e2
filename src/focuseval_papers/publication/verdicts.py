"""Verdicts for people: the findings of a paper on a campaign, as a section of the report shows them."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from jinja2 import Template
from markupsafe import Markup

from focuseval.errors import counted
from focuseval.report.page import Shown, environment, slug
from focuseval.report.tables import MISSING, UNDERFLOWN, number
from focuseval_papers.publication.findings import (
    BY_CONSTRUCTION,
    CONFIRMED,
    FAILS,
    HOLDS,
    NOT_CONFIRMED,
    NOT_TESTABLE,
    UNDECIDED,
    UNKNOWN,
)

#: marks of the verdicts in their order: colour alone would not tell everybody
MARKS = {CONFIRMED: "✓", NOT_CONFIRMED: "✗", BY_CONSTRUCTION: "≡", NOT_TESTABLE: "?"}

MEANINGS = {
    CONFIRMED: "Every comparison holds on the unrounded numbers of the campaign, and over all of its 95 % interval.",
    NOT_CONFIRMED: "Contradicted, or undecided at 95 %.",
    BY_CONSTRUCTION: "It could not have failed on these data, and so is no evidence.",
    NOT_TESTABLE: "A number that it needs is missing on this campaign.",
}


def template(name: str) -> Template:
    """A template beside this module, which knows the marks and meanings of verdicts."""
    found = environment("focuseval_papers.publication")
    found.globals.update(marks=MARKS, meanings=MEANINGS, fails=FAILS, undecided=UNDECIDED)
    return found.get_template(name)


def shown_findings(findings: pd.DataFrame, section: str, files: Sequence[str] = ()) -> Shown:
    """The findings of a paper, a table of `focuseval_papers.publication.findings.findings_table`, in a section."""
    content = [_finding(str(finding), part) for finding, part in findings.groupby("finding", sort=False)]
    html = Markup(template("findings.html").render(found=content, id=f"{section}:findings"))
    return Shown("html", "findings", "Findings", html, _findings_caption(content), files)


def claims_of(findings: pd.DataFrame) -> list[dict[str, str]]:
    """What the head of the report must know of each claim: its anchor in the section, and its verdict."""
    first = findings.groupby("finding", sort=False).first()
    return [
        {"anchor": f"findings:{slug(str(name))}", "verdict": row["verdict"]} for name, row in first.iterrows()
    ]


def _number(value: float) -> str:
    return number(value, ".3g" if 0 < abs(value) < 0.0001 else ",.0f" if value % 1 == 0 else ",.4f")


def _relation(what: str, left: float, relation: str, right: float) -> str:
    if math.isnan(left) or math.isnan(right):
        return MISSING
    underflown = left == 0 and re.search(r"\bp\b", what)
    return f"{UNDERFLOWN if underflown else _number(left)} {relation} {_number(right)}"


def _comparison(row: Mapping[Any, Any]) -> dict[str, Any]:
    """What was asked of the numbers, here and as printed, on what evidence, and whether it holds here."""
    what, relation = row["comparison"], row["relation"]
    here = _relation(what, row["left"], relation, row["right"])
    printed = _relation(what, row["left_printed"], relation, row["right_printed"])
    known = {key: row[key] for key in ("state", "reason")}
    return {"what": what, "here": here, "printed": printed, "evidence": _evidence(row), **known}


def _evidence(row: Mapping[Any, Any]) -> str:
    """The interval that decides a comparison, of how many runs or topics, and what is most influential in it."""
    if math.isnan(row["low"]):
        return counted(row["n"], "value") if row["n"] else ""
    of_difference = row["interval_of"] == "difference"
    told = f"difference {_number(row['left'] - row['right'])} " * of_difference
    told += f"[{_number(row['low'])}, {_number(row['high'])}], {row['n']} {row['over']}"
    return told + f"; without {row['influential']}: {_number(row['without'])}" * bool(row["influential"])


def _told(part: pd.DataFrame) -> str:
    """How many comparisons of a finding hold, of those whose numbers are known."""
    count = part["state"].value_counts()
    comparisons = counted(len(part), "comparison")
    if count.get(UNKNOWN) == len(part):
        return f"{comparisons}, none testable"
    others = {UNDECIDED: "undecided", UNKNOWN: "not testable"}
    told = "".join(f", {count[state]} {words}" for state, words in others.items() if state in count)
    return f"holds in {count.get(HOLDS, 0)} of {comparisons}{told}"


def _finding(name: str, part: pd.DataFrame) -> dict[str, Any]:
    """A finding, of whose comparisons a table has the rows."""
    first = part.iloc[0]
    return {
        "name": slug(name),
        **{key: first[key] for key in ("verdict", "claim", "section", "computed")},
        "reason": " ".join(filter(None, dict.fromkeys(part["reason"]))),
        "partly": not (part["reason"] != "").all(),
        "rows": [_comparison(row) for row in part.to_dict("records")],
        "told": _told(part),
        "open": first["verdict"] == NOT_CONFIRMED,
    }


def _findings_caption(findings: Sequence[Mapping[str, Any]]) -> str:
    found = [finding["verdict"] for finding in findings]
    told = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in MARKS if verdict in found)
    return (
        f"{counted(len(found), 'claim')} of the paper as checks: {told}. Comparisons are of "
        "unrounded numbers; thresholds were fixed beforehand. Beside each: the 95 % bootstrap interval that decides it "
        "(of the number, or of the difference of the two), the number of runs or topics that were drawn, and the value "
        "without the most influential of them."
    )
