"""The report as a file: the sections that steps of the workflow wrote, on one page."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.files import write_atomically
from focuseval.report.page import NOT_FINISHED, not_computed, page, section, shown_table


def not_finished(failed: Sequence[tuple[str, str, str]], missing: Sequence[str]) -> str:
    """The section that the report begins with where steps failed; ``""`` where none did.

    ``failed`` has campaign, step and reason of each; ``missing`` are the sections that could not be made.
    """
    if not failed:
        return ""
    rows = [(campaign, step, line) for campaign, step, why in failed for line in why.splitlines()]
    table = pd.DataFrame(rows, columns=["campaign", "step", "why"])
    told = "Correct what is wrong and run the workflow again: it goes on from here."
    return section(
        NOT_FINISHED,
        "Not finished",
        f"{told} Missing on this page: {', '.join(missing)}." if missing else told,
        [shown_table("table", "What failed, and why", "", table, {})],
        group="Not finished",
        label="What failed",
    )


def write_report(
    path: Path,
    sections: Sequence[str],
    params: Any,
    provenance: Mapping[str, Any],
    failed: Sequence[tuple[str, str, str]] = (),
    left: Collection[str] = (),
) -> None:
    """Write the page of all ``sections``, which are files or folders with a file ``section.html``.

    ``params`` has ``views``, titles of pages to look into campaigns by their paths as seen from this one; ``unsuited``,
    why papers are not computed, by campaign and paper; and ``titles``, of papers. Where steps ``failed``, the page
    says so, and has nothing of what is ``left`` to be made.
    """
    made = [Path(one) for one in sections if one not in left]
    missing = [Path(one).relative_to(path.parent).as_posix() for one in sections if one in left]
    views = {link: title for link, title in params.views.items() if str(path.parent / link) not in left}
    texts = [(one / "section.html" if one.is_dir() else one).read_text(encoding="utf-8") for one in made]
    around = not_finished(failed, missing), not_computed(params.unsuited, params.titles)
    with write_atomically(path) as out:
        out.write(page(list(filter(None, [around[0], *texts, around[1]])), provenance, views))
