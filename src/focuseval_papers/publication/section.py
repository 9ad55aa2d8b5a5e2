"""The section of the report on a paper and a campaign."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Template
from markupsafe import Markup

from focuseval.campaign.tables import read_frame
from focuseval.errors import counted
from focuseval.files import write_text
from focuseval.measures.declaration import Spec, parse_specs, parts_of
from focuseval.report import page
from focuseval.report.figures import draw
from focuseval.report.notices import for_people, of_files
from focuseval.report.page import SectionItem, environment, slug
from focuseval.report.parts import Analysis, read_analysis
from focuseval.report.tables import MISSING, number, p_value, write_table
from focuseval_papers.publication.claims import (
    BEYOND,
    BY_CONSTRUCTION,
    CONTRADICTED,
    DEPENDS,
    HOLDS,
    NOT_TESTABLE,
    NOT_TRUE,
    TRUE,
    UNDECIDED,
)
from focuseval_papers.publication.kinds import drawings
from focuseval_papers.publication.paper import FINDINGS, Context, Publication
from focuseval_papers.publication.request_settings import Request
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_size import facts_table, facts_with
from focuseval_papers.workflow.scoring import measures_of

#: the symbols that distinguish verdicts without colours, in the order of the report
MARKS = {
    HOLDS: "✓",
    CONTRADICTED: "✗",
    UNDECIDED: "~",
    BEYOND: "≁",
    DEPENDS: "±",
    BY_CONSTRUCTION: "≡",
    NOT_TESTABLE: "?",
}

MEANINGS = {
    HOLDS: "Under every reading, all parts of the claim are true over their whole 95 % intervals.",
    CONTRADICTED: (
        "Under every reading, a part of the claim is false over its whole interval. Intervals are wider if a claim has "
        "many parts (Bonferroni)."
    ),
    UNDECIDED: "There are too few data: the interval of a part contains the bound, or draws from other seeds disagree.",
    BEYOND: "The whole interval of a part is on the wrong side of a threshold that we chose.",
    DEPENDS: "The paper is ambiguous, and its readings have different verdicts.",
    BY_CONSTRUCTION: "The claim cannot fail, by a theorem or a setting of the generator. It was checked on these data.",
    NOT_TESTABLE: "The claim is about one of the paper's systems, or this campaign has too few data for its numbers.",
}

#: a claim with one of these verdicts shows its comparisons when the page opens
OPEN = (CONTRADICTED, UNDECIDED, BEYOND, DEPENDS)

#: the words for each verdict on printed numbers
ON_PRINT = {verdict: verdict for verdict in MARKS if verdict != NOT_TESTABLE} | {
    TRUE: "true (no interval)",
    NOT_TRUE: "not true (no interval)",
    NOT_TESTABLE: "not printed",
}

_CAPTION = (
    "The paper's claims as inequalities between unrounded numbers. Each comparison has a row for our numbers (here) "
    "and a row for the printed numbers: both sides A and B, their difference with the 95 % interval that decides, the "
    "claim, and the verdict. The last column gives the number of runs or topics, and A (or A − B between two "
    "estimates) without the most influential of them."
)


def template(name: str) -> Template:
    """Load a template of this package, which can use the symbols and meanings of verdicts."""
    templates = environment("focuseval_papers.publication")
    templates.globals.update(marks=MARKS, meanings=MEANINGS, on_print=ON_PRINT)
    return templates.get_template(name)


def shown_findings(findings: pd.DataFrame, section: str, files: Sequence[str] = ()) -> SectionItem:
    """Return the report item that shows a table of findings in the section with the anchor ``section``."""
    content = [_finding(str(finding), part) for finding, part in findings.groupby("finding", sort=False)]
    html = Markup(template("findings.html").render(found=content, id=f"{section}:findings"))
    return SectionItem("html", "findings", "Findings", html, _CAPTION, files)


def claims_of(findings: pd.DataFrame) -> list[dict[str, Any]]:
    """Return an entry for each finding, for the overview at the beginning of the report.

    An entry shows the least favourable comparison that has the verdict of the finding. If the verdict depends on
    readings or draws, the entry shows the least favourable comparison of all.
    """
    claims, keys = [], ["verdict", "verdict_printed", "claim", "readings", "draws", "here"]
    for name, part in findings.groupby("finding", sort=False):
        first = part.iloc[0]
        of_verdict = part["state"] == first["verdict"]
        if first["verdict"] == DEPENDS or (first["draws"] and not of_verdict.any()):
            of_verdict |= True
        deciding = part[of_verdict & part["left"].notna()]
        rows = sorted(deciding.to_dict("records"), key=_margin)
        claims.append(
            {
                "anchor": f"findings:{slug(str(name))}",
                **first[keys],
                "shown": [(row["comparison"], _in_words(row), _positions(row)) for row in rows[:1]],
            }
        )
    return claims


def _distances(row: Mapping[Any, Any], suffix: str = "") -> list[float]:
    """Return how far the number, its less favourable limit and its other limit are from a comparison's bound.

    Positive distances support the claim. The ``suffix`` "_printed" selects the printed numbers.
    """
    left, right, low, high = (row[name + suffix] for name in ("left", "right", "low", "high"))
    # the interval of a difference is compared with 0, and any other interval with the right side
    bound = right if math.isnan(low) or row["interval_of"] != "difference" else 0.0
    sign = 1 if row["relation"] in ">≥" else -1
    limits = [left, left] if math.isnan(low) else sorted((low, high), key=lambda limit: sign * limit)
    return [sign * (left - right), *(sign * (limit - bound) for limit in limits)]


def _margin(row: Mapping[Any, Any]) -> float:
    """Return how strongly a comparison supports the claim, from -1 to 1; below 0, part of its interval opposes it."""
    distances = _distances(row)
    return distances[1] / (max(map(abs, distances)) or 1.0)


def _positions(row: Mapping[Any, Any]) -> dict[str, list[float]]:
    """Return the positions (-1 to 1) at which a figure draws a comparison's numbers and limits.

    The bound is at 0, and positive positions support the claim. The keys are "here" and "printed".
    """
    every = {"here": _distances(row), "printed": _distances(row, "_printed")}
    defined = {name: each for name, each in every.items() if not math.isnan(each[0])}
    farthest = max((abs(x) for each in defined.values() for x in each), default=0.0) or 1.0
    return {name: [round(x / farthest, 3) for x in each] for name, each in defined.items()}


def _number(value: float) -> str:
    return number(value, ".3g" if 0 < abs(value) < 0.0001 else ",.0f" if value % 1 == 0 else ",.4f")


#: a p-value that is too small for a floating-point number, which is therefore 0
_TINY = "< 1e\N{MINUS SIGN}300"


def _is_p(row: Mapping[Any, Any]) -> bool:
    return re.search(r"\bp\b", row["comparison"]) is not None


def _left(row: Mapping[Any, Any], value: float) -> str:
    """Return the left side of a comparison as text."""
    if not _is_p(row) or math.isnan(value):
        return _number(value)
    if row["right"] >= 0.001:
        return p_value(value)
    return _number(value) if value else _TINY


def _comparison(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the values that the template ``findings.html`` shows for a comparison."""
    return {
        "what": row["comparison"],
        "claim": f"A {row['relation']} B",
        "lines": {"here": _line(row), "printed": _line(row, "_printed")},
        **{key: row[key] for key in ("reading", "reason", "ours")},
    }


def _line(row: Mapping[Any, Any], suffix: str = "") -> dict[str, str]:
    """Return the texts in the report's row for a comparison; the ``suffix`` "_printed" selects the printed numbers."""
    left, right, low, high, n, over = (
        row[name + suffix] for name in ("left", "right", "low", "high", "n", "over")
    )
    evidence = [f"{n} {over}" if over else counted(n, "value")] if n else []
    if row["influential"] and not suffix:
        evidence.append(f"without {row['influential']}: {_number(row['without'])}")
    difference = _number(left - right)
    if not math.isnan(low):
        bound = 0.0 if row["interval_of"] == "difference" else right
        difference += f" [{_number(low - bound)}, {_number(high - bound)}]"
    return {
        "left": _left(row, left),
        "right": _number(right),
        "difference": difference,
        "evidence": "; ".join(evidence),
        "state": row["state" + suffix],
    }


def _in_words(row: Mapping[Any, Any]) -> str:
    """Summarise a comparison on one line: ``0.951 [0.920, 0.974] · bound > 0.9 · paper 0.920``."""
    of_both = row["interval_of"] == "difference" or abs(row["right"] - row["right_printed"]) > 0
    here, paper = (row["left" + of] - (row["right" + of] if of_both else 0) for of in ("", "_printed"))
    wide = row["high"] - row["low"] if row["high"] > row["low"] else abs(here)
    form = int(np.clip(1 - np.floor(np.log10(wide)), 0, 4)) if wide > 0 else 0
    bound = number(0.0 if of_both else row["right"], ".3g")
    here, low, high, paper = (
        number(x, ".1g" if 0 < abs(x) < 10.0**-form / 2 else form)
        for x in (here, row["low"], row["high"], paper)
    )
    if _is_p(row) and row["left"] == 0 and row["right"] < 0.001:
        here = _TINY
    interval = "" if low == MISSING else f" [{low}, {high}]"
    paper = "" if paper == MISSING else f" · paper {paper}"
    return f"{here}{interval} · bound {row['relation']} {bound}{paper}"


def _count_of_states(part: pd.DataFrame) -> str:
    """Return a text that states how many comparisons of a finding have each verdict."""
    count = part["state"].value_counts()
    states = (f"{state} {count[state]}" for state in MARKS if state in count)
    return f"{counted(len(part), 'comparison')}: {', '.join(states)}"


def _finding(name: str, part: pd.DataFrame) -> dict[str, Any]:
    """Return the values that the template ``findings.html`` shows for a finding and its comparisons."""
    first = part.iloc[0]
    return {
        "name": slug(name),
        **first[["verdict", "verdict_printed", "claim", "section", "computed", "draws", "here"]],
        "readings": first["readings"] if first["verdict"] == DEPENDS else "",
        "decided_by": first["decided_by"] if first["verdict"] in OPEN else "",
        "needed": first["needed"],
        "reason": " ".join(filter(None, dict.fromkeys(part["reason"]))),
        "partly": not (part["reason"] != "").all(),
        "ours": " ".join(filter(None, dict.fromkeys(part["ours"]))),
        "rows": [_comparison(row) for row in part.to_dict("records")],
        "counts": _count_of_states(part),
        "open": first["verdict"] in OPEN,
    }


def left_out_of(
    requests: Iterable[Request],
    left_out: Sequence[str | Path],
    notices: pd.DataFrame,
    groups: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the notices for a paper's section: the ``notices`` on files, and then the notices of scoring.

    ``left_out`` are files with the columns `focuseval.campaign.tables.LEFT_OUT`, in a folder for each run set. A run
    need not have results on topics of groups other than its own (`Evaluation.groups`).
    """
    tables = [pd.DataFrame(columns=schema.LEFT_OUT.names)]
    for request in requests:
        for path in dict.fromkeys(map(Path, left_out)):
            if request.notices and path.parent.name == request.runs.name:
                known = measures_of([path.name.partition(".")[0]])
                names = [name for name in request.measures.values() if parts_of(name).measure in known]
                specs = [spec for name in names for spec in parse_specs(name, known)]
                table = schema.read(path, schema.LEFT_OUT).to_pandas()
                tables.append(_limited_to(specs, table).assign(folder=str(path.parent)))
    scored = pd.concat(tables).drop_duplicates().drop(columns="folder", errors="ignore")
    if groups:
        scored = _limited_to_groups(groups, scored)
    return pd.concat([of_files(notices), scored], ignore_index=True)


def _limited_to_groups(groups: Sequence[str], left_out: pd.DataFrame) -> pd.DataFrame:
    """Limit notices on missing topics to topics of the run's own group, whose names begin with ``GROUP/``."""
    missing = left_out["kind"] == "missing"
    own = [tuple(f"{group}/" for group in groups if group in run.split("/")) for run in left_out["of"]]
    topics = [
        [topic for topic in which.split(", ") if topic.startswith(start)]
        for which, start in zip(left_out["which"], own, strict=True)
    ]
    left_out = left_out.assign(
        number=left_out["number"].where(~missing, list(map(len, topics))),
        which=left_out["which"].where(~missing, list(map(", ".join, topics))),
    )
    return left_out[~missing | (left_out["number"] > 0)]


def _limited_to(specs: Iterable[Spec], left_out: pd.DataFrame) -> pd.DataFrame:
    """Remove notices on measures that only other papers request."""
    left_out = left_out.astype({"runs": str, "kind": str, "of": str})
    own = {parts_of(spec.name).uncut for spec in specs}
    theirs = (left_out["kind"] == "irrelevant") & ~left_out["of"].isin(own)
    return left_out[~theirs]


def _facts(requests: Iterable[Request], paths: Sequence[str]) -> dict[str, dict[str, float]]:
    """Read the facts about each campaign, by the campaign's name.

    The first path belongs to the campaign, and the second to its earlier campaign, if any. Facts about runs describe
    the first requested run set.
    """
    facts = {}
    for place, path in enumerate(map(Path, paths)):
        owner = "earlier" if place else "campaign"
        runs = next(request.runs.runs for request in requests if request.of == owner)
        facts[path.parent.name] = facts_with(schema.read(path, schema.FACTS).to_pandas(), runs)
    return facts


def write_section(
    paper: Publication,
    context: Context,
    folder: Path,
    facts: Sequence[str],
    left_out: Sequence[str],
    notices: pd.DataFrame,
) -> None:
    """Draw the figures of a paper, and write its section of the report, from the analysis in ``folder``.

    ``facts`` are the files of facts (`schema.FACTS`) about the campaign and its earlier campaign, if any. ``left_out``
    and ``notices`` are explained in `left_out_of`.
    """
    analysis = read_analysis(folder / "analysis")
    draw(paper.items(context), drawings(paper.name), analysis, context, folder, context.synthetic)
    groups = paper.declared.evaluation.groups if paper.declared.evaluation else ()
    omissions = left_out_of(paper.requests(context).values(), left_out, notices, groups)
    write_table(for_people(omissions), folder / "left_out.csv", {})
    write_text(folder / "section.html", make_section(paper, context, analysis, folder, facts, omissions))


def make_section(
    paper: Publication,
    context: Context,
    analysis: Analysis,
    folder: Path,
    facts: Sequence[str],
    left_out: pd.DataFrame,
) -> str:
    """Return the paper's section, from its analysis, and from the tables, findings and figures in ``folder``.

    ``facts`` are the files of facts (`schema.FACTS`) about the campaign and its earlier campaign, if any. ``left_out``
    is the result of `left_out_of`.
    """
    campaign = context.campaign
    credit = f"Data: {campaign.citation} Licence: {campaign.licence}." if campaign.citation else ""
    link = f"{campaign.name}/{paper.name}"
    items = page.shown(paper.items(context), analysis, context, folder, link)
    before = len(paper.items(context, after=False))
    size = facts_table(
        _facts(paper.requests(context).values(), facts),
        paper.declared.facts,
        f"{paper.declared.campaign}, in the paper",
    )
    findings = read_frame(folder / FINDINGS)
    anchor = f"{paper.name}-{campaign.name}"
    return page.section(
        anchor,
        f"{paper.declared.title} on {campaign.name}",
        "\n\n".join(filter(None, [f"{campaign.heading}.", paper.introduction(context), credit])),
        [
            page.shown_table("campaign", "The campaign", paper.declared.of_campaign, size, {}),
            *items[:before],
            shown_findings(findings, anchor, [f"{link}/findings.csv"]),
            *items[before:],
            page.shown_left_out(left_out, [f"{link}/left_out.csv"]),
        ],
        group=paper.declared.title,
        label=campaign.name,
        campaign=campaign.name,
        claims=claims_of(findings),
    )
