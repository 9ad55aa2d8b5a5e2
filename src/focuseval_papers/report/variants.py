"""The section of the report that compares simulated and perturbed runs with a campaign's own runs."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.report import page
from focuseval.report.parts import Item, Table, write_tables
from focuseval.report.tables import number
from focuseval.statistics.means import means_by
from focuseval.transformations.perturbations import ORIGINAL, PERTURBATIONS

#: descriptions of simulations and perturbations, with their expected effect on scores
_CAPTIONS = {
    "perfect": "perfect: the elements of specificity 3, the most exhaustive first",
    "ancestors": "ancestors: the perfect run, then all ancestors of its elements, which repeat their text",
    "ideal": "ideal: the ideal ranking of a quantisation, with overlap considered (on) or not (off); it is first by a "
    "measure with the same settings",
    "moved": "moved: elements of the ideal ranking move up or down the tree with the probability in the name; "
    "scores should fall as the probability rises",
    "siblings": "sibling: elements of the ideal ranking are replaced by a sibling with the probability in the "
    "name; scores should fall as the probability rises",
    "turned_around": "turned_around: the first results in reverse order; measures that ignore ranks do not change",
    "halved": "halved: each result cut into two halves with the same text",
    "repeated": "repeated: results followed by some of their own text, so nothing new is returned",
    "where_relevant": "where_relevant: only results in documents with relevant text, so precision rises",
    "reordered": "reordered: "
    + ", ".join(f"{name} {what}" for name, what in PERTURBATIONS.items())
    + f", {ORIGINAL} unchanged (Ali et al., 2008)",
}


def _kind(run: str, made_by: str, settings: Mapping[str, Any]) -> str:
    """Return the kind of a run in `variants`; own runs are one kind, and so are all draws of a perturbation."""
    match made_by:
        case "":
            return "own runs"
        case "perfect" | "ancestors":
            return made_by
        case "ideal":
            quantisation, overlap, _ = run.split(", ")
            return f"ideal ({quantisation}, overlap {overlap})"
        case "moved" | "siblings":
            return f"{re.sub(r'[.][0-9]+$', '', run)} ({settings['quantisation']})"
        case "reordered":
            return f"reordered-{run.partition('/')[0]} ({settings['quantisation']})"
        case "repeated":
            return f"repeated ({'relevant text' if settings['relevant'] else 'other results'})"
    parts = ", ".join(f"{key} {value}" for key, value in settings.items())
    return f"{made_by} ({parts})" if parts else made_by


def variants(scores: pd.DataFrame, request: Mapping[str, Any]) -> pd.DataFrame:
    """Summarise the mean scores of simulated and perturbed runs, with a row for each kind of run and measure.

    ``scores`` has the columns runs (the run set), run, name (of the measure) and value. ``request`` contains made_by
    and settings (of each run set) and the measures in the order of rows. Draws of one perturbation, such as
    ``moved-0.3.1``, form the kind ``moved-0.3 (gen)``, where gen is the quantisation. The columns are runs, kind,
    measure, count (of runs), mean, lowest and highest.
    """
    part = scores[scores["name"].isin(request["measures"])].astype({"runs": str, "run": str, "name": str})
    means = means_by(part, ["runs", "run", "name"])
    kinds = [
        _kind(run, request["made_by"][runs], request["settings"][runs])
        for runs, run in zip(means["runs"], means["run"], strict=True)
    ]
    means = means.assign(kind=pd.Series(kinds, index=means.index, dtype=str))
    grouped = means.groupby(["runs", "kind", "name"], sort=False)["value"]
    table = grouped.agg(count="size", mean="mean", lowest="min", highest="max").reset_index()
    place = pd.Series(table.groupby(["runs", "kind"], sort=False).ngroup(), index=table.index)
    rank = table["name"].map({name: rank for rank, name in enumerate(request["measures"])})
    order = pd.DataFrame({"place": place, "rank": rank}).sort_values(["place", "rank"]).index
    return table.loc[order].rename(columns={"name": "measure"}).reset_index(drop=True)


def _by_measure(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `variants` for readers, with a column for each measure."""
    texts = [
        number(row["mean"], 3)
        + (f" [{number(row['lowest'], 3)}, {number(row['highest'], 3)}]" if row["count"] > 1 else "")
        for row in table.to_dict("records")
    ]
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for row, text in zip(table.to_dict("records"), texts, strict=True):
        about = {"kind": row["kind"], "number of runs": row["count"]}
        rows.setdefault((row["runs"], row["kind"]), about)[row["measure"]] = text
    return pd.DataFrame(
        list(rows.values()), columns=["kind", "number of runs", *dict.fromkeys(table["measure"])]
    )


def make_variants(
    scores: pd.DataFrame,
    request: Mapping[str, Any],
    left_out: pd.DataFrame,
    folder: Path,
    campaign: str,
    title: str,
    *,
    synthetic: bool = False,
) -> str:
    """Write the table of `variants` into a folder, and return its section of the report.

    If ``synthetic`` is true, the file states that the campaign is synthetic.
    """
    table = variants(scores, request)
    # only simulations and perturbations with scores are described
    made_by = dict.fromkeys(request["made_by"][runs] for runs in table["runs"])
    caption = (
        "Means over topics. For several runs or draws of a kind: their mean, with the lowest and the highest in "
        "brackets. " + "; ".join(_CAPTIONS[name] for name in made_by if name) + "."
    )
    decimals = dict.fromkeys(["mean", "lowest", "highest"], 4)
    heading, analysis = "Simulated and perturbed runs", {"variants": table}
    items: Sequence[Item] = [Table("variants", heading, caption, decimals=decimals, show=_by_measure)]
    write_tables(items, analysis, request, folder, campaign if synthetic else "")
    return page.section(
        f"variants-{campaign}",
        f"{heading} on {campaign}",
        f"{title}.",
        [
            *page.shown(items, analysis, request, folder, f"{campaign}/comparisons/variants"),
            page.shown_left_out(left_out),
        ],
        group=heading,
        label=campaign,
    )
