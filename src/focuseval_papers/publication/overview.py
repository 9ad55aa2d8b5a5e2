"""All evaluations of public campaigns: in one table, and as `docs/evaluations.md` has them.

    python -m focuseval_papers.publication.overview docs/evaluations.md results

writes the parts of that page between the lines ``<!-- evaluated: PUBLICATION CAMPAIGN -->`` and
``<!-- evaluated: end -->``, and the table of all behind ``<!-- evaluated: all -->``; where a campaign is not in
`results`, as without its data, its part stays as it is, and so does that table.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from focuseval.auditing.findings import BREAKS
from focuseval.documentation import with_tables
from focuseval.errors import counted
from focuseval.report import page
from focuseval.report.parts import Analysis, read_analysis
from focuseval.report.tables import MINUS, pipe_table, to_markdown, with_intervals
from focuseval_papers.publication.claims import rows_of
from focuseval_papers.publication.declaration import RUNS, TOPICS, Evaluation
from focuseval_papers.publication.paper import NAMES, Publication, load

CAPTION = (
    "Systems with equal values of all topics are one. τ: Kendall's τ-b of the orders by the official and the corrected "
    "measure, with its 95 % interval over topics; of the pairs of systems that both put in an order, how many change, "
    "and how many of these are apart by either measure (the interval of their difference is without 0); which "
    "properties the audit finds broken by the official measure, as it scored the runs, and not by the corrected one. "
    "Where there is none, what decides lies in how gold and runs were read."
)


def overview(evaluations: Iterable[tuple[Publication, Analysis]]) -> pd.DataFrame:
    """A row for each group of systems, as people see it."""
    rows = []
    for publication, analysis in evaluations:
        declared, asked = publication.declared, publication.declared.evaluation
        if asked is None:
            continue
        broken = deciding(asked, analysis["findings"])["property"].unique()
        for group in asked.groups or [""]:
            of_group = {"group": group} if group else {}
            [row] = rows_of(analysis["agreement"], measure=asked.corrected, **of_group).itertuples()
            rows.append(
                {
                    "campaign": ", ".join(filter(None, [declared.campaign, group])),
                    "systems": row.systems,
                    "topics": int(
                        rows_of(analysis["means"], measure=asked.official, **of_group)["topics"].max()
                    ),
                    "official": asked.official,
                    "corrected": asked.corrected,
                    "τ": with_intervals(
                        pd.DataFrame({"value": [row.tau], "low": [row.low], "high": [row.high]})
                    )[0],
                    "pairs that change": f"{row.swapped} of {row.pairs}",
                    "apart by the official": row.official_apart,
                    "by the corrected": row.other_apart,
                    "only the official breaks": ", ".join(broken) or "nothing that was tried",
                    "who should know": asked.who if group in (*asked.groups[:1], "") else "",
                }
            )
    return pd.DataFrame(rows)


def deciding(asked: Evaluation, findings: pd.DataFrame) -> pd.DataFrame:
    """The findings on what the official measure breaks and the corrected one does not."""
    broken = findings[findings["verdict"] == BREAKS]
    mended = ~broken["transformation"].isin(
        broken.loc[broken["measure"] == asked.corrected, "transformation"]
    )
    return broken[(broken["measure"] == asked.official) & mended]


def make_overview(table: pd.DataFrame, file: str) -> str:
    """The section of the report that comes before those on single campaigns."""
    shown = page.shown_table("overview", "All campaigns", CAPTION, table, {}, [file])
    return page.section(
        "evaluations", "Evaluations of public campaigns", "", [shown], group="Public campaigns"
    )


#: of each order, how many systems are shown
FIRST = 5


def written(text: str, results: Path) -> str:
    """The text with the parts of all campaigns that are in ``results``."""

    def part(words: Sequence[str]) -> str | None:
        if words == ["all"]:
            every = {
                name: [*results.glob(f"*/{name}/analysis")]
                for name in NAMES
                if load(name).declared.evaluation
            }
            if not all(every.values()):
                return None
            table = overview(
                (load(name), read_analysis(one)) for name, found in every.items() for one in found
            )
            return to_markdown(table, {})
        name, campaign = words
        folder, asked = results / campaign / name / "analysis", load(name).declared.evaluation
        return "\n".join(paragraphs(asked, read_analysis(folder))) if asked and folder.is_dir() else None

    return with_tables(text, "evaluated", part)


def paragraphs(asked: Evaluation, analysis: Analysis) -> Iterator[str]:
    """How the order of each group changes, with the first systems and the clearest case; what the audit finds; why."""
    for group in asked.groups or [""]:
        named = {"group": group} if group else {}
        of_group = rows_of(analysis["orders"], **named)
        [row] = rows_of(analysis["agreement"], measure=asked.corrected, **named).itertuples()
        said = f"**{group}.** " if group else ""
        yield (
            f"{said}{counted(int(row.systems), 'system')}. Kendall's τ-b of the orders by {asked.official} and by "
            f"{asked.corrected} is {_number(row.tau)} (95 % interval {_number(row.low)} to {_number(row.high)}): "
            f"{row.swapped} of {row.pairs} pairs change; of these, {row.official_apart} are apart by "
            f"{asked.official} and {row.other_apart} by {asked.corrected}.\n"
        )
        first = of_group[(of_group[["official_rank", "corrected_rank"]] <= FIRST).any(axis=1)]
        rows = [
            (
                one.run,
                f"{one.official:.4f}",
                f"{one.official_rank}",
                f"{one.corrected:.4f}",
                f"{one.corrected_rank}",
            )
            for one in first.itertuples()
        ]
        yield pipe_table(("system", asked.official, "rank", asked.corrected, "rank"), rows)
        if pair := [*rows_of(analysis["opposed"], **named).itertuples()]:
            one, other = pair
            yield (
                f"They disagree most on {one.topic}: {one.run} has {one.official:.2f} by {asked.official} and "
                f"{one.corrected:.2f} by {asked.corrected}, {other.run} {other.official:.2f} and "
                f"{other.corrected:.2f}.\n"
            )
    yield from _audited(asked, analysis["findings"])
    yield f"{asked.decides}\n\n{asked.kind} {asked.who}\n"


def _audited(asked: Evaluation, findings: pd.DataFrame) -> Iterator[str]:
    """What both measures break, and the smallest example of the first thing that the corrected one does not."""
    said = []
    for label, of_label in findings.groupby("measure", sort=False):
        broken = [
            f"*{row.property}* (`{row.transformation}`, {row.broken} of {row.tried} cases)"
            for row in of_label[of_label["verdict"] == BREAKS].itertuples()
        ]
        nothing = f"nothing under {len(of_label)} transformations that could be tried"
        said.append(f"{label} breaks {', '.join(broken) or nothing}")
    yield f"`focuseval audit` on up to {RUNS} runs and {TOPICS} topics: {'; '.join(said)}.\n"
    for row in deciding(asked, findings).head(1).itertuples():
        yield f"The smallest example of `{row.transformation}`:\n\n```text\n{row.example}```\n"


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", MINUS)


if __name__ == "__main__":
    text, folder = map(Path, sys.argv[1:])
    text.write_text(written(text.read_text(encoding="utf-8"), folder), encoding="utf-8")
