"""The page of the report, which is assembled from the sections that the steps of the workflow wrote."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from focuseval.campaign.tables import read_frame
from focuseval.errors import counted
from focuseval.files import write_atomically
from focuseval.report.page import Section, SectionItem, page, read_section, section, shown_table
from focuseval_papers.publication.claims import HOLDS
from focuseval_papers.publication.section import MARKS, ON_PRINT, template

#: the HTML anchor of the section on failed steps
NOT_FINISHED = "not-finished"


def not_finished(failed: Sequence[tuple[str, str, str]], missing: Sequence[str]) -> str:
    """Return the report's section on failed steps of the workflow; ``""`` if no step failed.

    ``failed`` contains the campaign, the step and the reason of each failure. ``missing`` lists the sections that could
    not be made.
    """
    if not failed:
        return ""
    rows = [(campaign, step, line) for campaign, step, why in failed for line in why.splitlines()]
    table = pd.DataFrame(rows, columns=["campaign", "step", "why"])
    text = "Correct the error and run the workflow again; it continues from here."
    return section(
        NOT_FINISHED,
        "Not finished",
        f"{text} Missing on this page: {', '.join(missing)}." if missing else text,
        [shown_table("table", "Failures and their reasons", "", table, {})],
        group="Not finished",
        label="Failures",
        folded=False,
    )


def not_computed(unsuited: Mapping[str, Mapping[str, str]], titles: Mapping[str, str]) -> str:
    """Return the report's section on papers that are not computed on some campaigns; ``""`` if there are none.

    ``unsuited`` contains the reasons by campaign and then by paper. ``titles`` contains the titles of papers by name.
    """
    together: dict[tuple[str, str], list[str]] = {}
    for name, reasons in unsuited.items():
        for paper, why in reasons.items():
            together.setdefault((name, why), []).append(titles.get(paper, paper))
    if not together:
        return ""
    # a page does not render the backticks of messages
    rows = [(name, "; ".join(papers), why.replace("`", "")) for (name, why), papers in together.items()]
    table = pd.DataFrame(rows, columns=["campaign", "papers", "why"])
    html = shown_table("table", "Papers and campaigns", "", table, {})
    text = "If a campaign names papers, only these are computed; otherwise all papers that its files allow."
    return section(
        "not-computed",
        "Papers that are not computed",
        text,
        [html],
        group="Not computed",
        label="Papers and campaigns",
    )


_TITLE = "focuseval: published evaluations of focused retrieval, computed again"
_SYNTHETIC = (
    "Synthetic campaigns: {names}. Programs generated their documents, assessments and runs, because those of "
    "the papers are not available. Numbers therefore differ from the printed ones. "
    "docs/reproduced.md lists what is not reproduced."
)
_ONE_DRAW = "Verdicts rest on one draw of each campaign. The key draws (docs/keys.md) counts verdicts over more draws."
_DRAWS = "Verdicts are counted over draws from other seeds, if there are any. Claims whose verdict flips are undecided."


def verdict_counts(verdicts: Sequence[str], words: Mapping[str, str] = ON_PRINT) -> str:
    """Return the number of each verdict as a text, such as ``12 holds, 3 undecided``; ``""`` without verdicts.

    ``words`` contains the words for each verdict, in the order of the text.
    """
    return ", ".join(f"{verdicts.count(each)} {words[each]}" for each in words if each in verdicts)


def read_sections(paths: Iterable[str | Path]) -> list[str]:
    """Read sections of the report; a path is a file, or a folder with a file ``section.html``."""
    files = (path / "section.html" if path.is_dir() else path for path in map(Path, paths))
    return [file.read_text(encoding="utf-8") for file in files]


def answer(claims: Sequence[Mapping[str, Any]], inside: Sequence[bool], data: str) -> str:
    """Return a sentence on how many ``claims`` hold on ``data``, and how many printed numbers are in our intervals.

    ``inside`` says for each printed number whether our interval contains it.
    """
    verdicts = [claim["verdict"] for claim in claims]
    others = verdict_counts(verdicts, {verdict: verdict for verdict in MARKS if verdict != HOLDS})
    numbers = f"; {sum(inside)} of {len(inside)} printed numbers lie in our 95 % interval" if inside else ""
    text = f"On {data} {verdicts.count(HOLDS)} of {counted(len(claims), 'claim')} hold"
    return text + (f" ({others})" if others else "") + f"{numbers}."


def head(sections: Sequence[Section], draws: pd.DataFrame, generated: Sequence[str]) -> str:
    """Return the report's overview of all verdicts on claims, by paper and campaign.

    ``draws`` says which printed numbers our intervals contain (`focuseval_papers.publication.printed.inside`).
    ``generated`` lists the synthetic campaigns.
    """
    claims = [claim for each in sections for claim in each.claims]
    campaigns = {each.campaign for each in sections}
    names = [name for name in generated if name in campaigns]
    others = " and others" if len(names) < len(campaigns) else ""
    data = f"generated data{others}" if names else "these data"
    inside = {
        f"{paper}-{campaign}": f"{part.sum()} of {len(part)}"
        for (paper, campaign), part in draws.groupby(["publication", "campaign"])["inside"]
    }
    of_draws = _DRAWS if any(claim["draws"] for claim in claims) else _ONE_DRAW
    about = [f"{_SYNTHETIC.format(names=', '.join(names))} {of_draws}"] if names else []
    on_print = verdict_counts([claim["verdict_printed"] for claim in claims])
    html = template("head.html").render(sections=sections, claims=claims, inside=inside, printed=on_print)
    overview = SectionItem("html", "overview", "Paper by paper, claim by claim", Markup(html))
    text = "\n\n".join([answer(claims, draws["inside"].tolist(), data), *about])
    return section("verdicts", "Claims and verdicts", text, [overview], folded=False)


def write_report(
    path: Path,
    sections: Sequence[str],
    params: Any,
    about: Mapping[str, str],
    failed: Sequence[tuple[str, str, str]] = (),
    left: Collection[str] = (),
    draws: Path | None = None,
) -> None:
    """Write the report with all ``sections``, which are files, or folders with a file ``section.html``.

    ``params`` contains

    - ``views``: the titles of campaigns' pages, by their paths relative to this page;
    - ``unsuited``: the reasons why papers are not computed, by campaign and paper;
    - ``titles``: the titles of papers, by name;
    - ``campaigns``: the settings of campaigns, by name.

    ``about`` describes how the page was made. The page begins with the steps that ``failed``. The sections and pages in
    ``left`` are missing. The file ``draws`` says which printed numbers our intervals contain.
    """
    missing = [Path(one).relative_to(path.parent).as_posix() for one in sections if one in left]
    views = {link: title for link, title in params.views.items() if str(path.parent / link) not in left}
    texts = read_sections(one for one in sections if one not in left)
    parsed = [read_section(text) for text in texts]
    claiming = [each for each in parsed if each.claims]
    generated = sorted(name for name, settings in params.campaigns.items() if settings.get("concept_space"))
    if claiming:
        papers = (number for number, each in enumerate(parsed) if each.group in params.titles.values())
        drawn = pd.DataFrame(columns=["publication", "campaign", "inside"])
        verdicts = head(claiming, drawn if draws is None else read_frame(draws), generated)
        texts.insert(next(papers, 0) if any(each.heading for each in parsed) else 0, verdicts)
    titles = [settings.get("title", name) for name, settings in params.campaigns.items()]
    around = not_finished(failed, missing), not_computed(params.unsuited, params.titles)
    html = page(
        list(filter(None, [around[0], *texts, around[1]])),
        about,
        views,
        title=_TITLE if claiming else " · ".join(titles),
        style=template("verdicts.css").render(),
        generated=generated,
    )
    with write_atomically(path) as out:
        out.write(html)
