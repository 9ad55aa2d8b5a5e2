"""The parts of `docs/evaluations.md` on public campaigns, written from what their evaluations left in `results`.

    python -m focuseval_papers.publication.evaluated docs/evaluations.md results

writes each between the lines ``<!-- evaluated: PUBLICATION CAMPAIGN -->`` and ``<!-- evaluated: end -->``, and the
table of all behind ``<!-- evaluated: all -->``; where a campaign is not in `results`, as without its data, its part
stays as it is, and so does that table.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from focuseval.auditing.findings import BREAKS
from focuseval.documentation import with_tables
from focuseval.errors import counted
from focuseval.report.items import Analysis, read_analysis
from focuseval.report.tables import MINUS, pipe_table, to_markdown
from focuseval_papers.publication.audited import RUNS, TOPICS
from focuseval_papers.publication.catalogue import NAMES, load
from focuseval_papers.publication.declaration import Evaluation
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.overview import deciding, overview

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
    page, folder = map(Path, sys.argv[1:])
    page.write_text(written(page.read_text(encoding="utf-8"), folder), encoding="utf-8")
