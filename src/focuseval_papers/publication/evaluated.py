"""The parts of `docs/evaluations.md` on public campaigns, written from what their evaluations left in `results`.

    python -m focuseval_papers.publication.evaluated docs/evaluations.md results

writes each between the lines ``<!-- evaluated: PUBLICATION CAMPAIGN -->`` and ``<!-- evaluated: end -->``; where a
campaign is not in `results`, as without its data, its part stays as it is.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from focuseval.documentation import with_tables
from focuseval.errors import counted
from focuseval.report.tables import MINUS, pipe_table
from focuseval_papers.publication.catalogue import load
from focuseval_papers.publication.declaration import Evaluation

#: of each order, how many systems are shown
FIRST = 5


def written(text: str, results: Path) -> str:
    """The text with the parts of all campaigns that are in ``results``."""

    def part(words: Sequence[str]) -> str | None:
        name, campaign = words
        folder, asked = results / campaign / name, load(name).declared.evaluation
        return "\n".join(paragraphs(asked, folder)) if asked and folder.is_dir() else None

    return with_tables(text, "evaluated", part)


def paragraphs(asked: Evaluation, folder: Path) -> Iterator[str]:
    """How the order changes, with a table of the first systems of both, for each group; and why."""
    orders, agreement = (pd.read_csv(folder / f"{name}.csv") for name in ("orders", "agreement"))
    for group in asked.groups or [""]:
        of_group = orders[orders["group"] == group] if group else orders
        [row] = (
            (agreement[agreement["group"] == group] if group else agreement)
            .query("measure == @asked.corrected")
            .itertuples()
        )
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
    yield f"{asked.decides}\n\n{asked.kind} {asked.who}\n"


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", MINUS)


if __name__ == "__main__":
    page, folder = map(Path, sys.argv[1:])
    page.write_text(written(page.read_text(encoding="utf-8"), folder), encoding="utf-8")
