"""The first section of a report on the user's runs, which compares a campaign's systems."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from focuseval.errors import listed
from focuseval.report import page
from focuseval.report.comparisons import answer, comparison_items, how_tested, results_used, with_better
from focuseval.report.figures import COMPARISONS, draw, drawn_by_topic
from focuseval.report.notices import topics_of_means
from focuseval.report.parts import Absent, Analysis, Drawn, Figure, Item, Table, write_tables
from focuseval.report.tables import BEST, MISSING, best_of, renamed, shorten, typeset, with_intervals

#: the functions that draw figures of a campaign's systems, by `Figure.drawn`
DRAWN: Drawn = {**COMPARISONS, "by-topic": drawn_by_topic}


def as_shown(measures: pd.DataFrame, lower: Sequence[str] = ()) -> pd.DataFrame:
    """Convert ``measures`` to the table that people see, with a row for each run and a column for each measure.

    ``measures`` comes from `focuseval.statistics.comparisons.overview`. The best values are marked
    (`focuseval.report.tables.BEST`). For measures in ``lower``, the lowest value is best.
    """
    names = measures["measure"].unique()
    by_measure = measures.groupby("measure", sort=False, observed=True)[["mean", "low", "high"]]
    texts = pd.concat([pd.Series(with_intervals(part), part.index) for _, part in by_measure])
    measures = measures.assign(text=texts).rename(columns={"better_than": "better than ranks"})
    about = ["rank", "run", *({"better than ranks"} & set(measures))]
    table = measures.pivot(index=about, columns="measure", values="text")
    table = table[names].fillna(MISSING).sort_index().reset_index()
    table.attrs[BEST] = [(row, name) for name in names for row in best_of(table[name], name in lower)]
    return table


def systems_items(
    request: Mapping[str, Any], systems: int, topics: Mapping[int, Sequence[str]]
) -> list[Item]:
    """Return the tables and figures that compare a campaign's systems.

    ``systems`` is the number of systems. ``topics`` has the measures by the number of topics in their means.
    ``request`` contains the measures with scores (``measures``) and the settings of the comparison by the first measure
    (``comparison``).
    """
    first, *_ = request["measures"]
    comparison = request["comparison"]
    settings, lower = comparison["settings"], comparison["lower"]
    order = f"{first}, the first measure" + (" (lower values first)" if first in lower else "")
    over = "; ".join(f"{number:,} for {listed(names)}" for number, names in topics.items())
    if len(topics) == 1:
        over = f"{next(iter(topics)):,} for {first}"
    measures = Table(
        "measures",
        "Systems",
        f"Means over the topics on which a measure has a value ({over}), from "
        f"{results_used(comparison['size'])}. Brackets contain 95 % intervals (all values that a two-tailed "
        f"randomisation test does not reject). Systems are ordered by {order}."
        + (
            f" Better than ranks: the ranks of the systems that are significantly worse, by {how_tested(settings)}."
            if systems > 1
            else ""
        ),
        make=lambda analysis, _: with_better(analysis["measures"], analysis),
        show=partial(as_shown, lower=lower),
    )
    by_topic: list[Item] = [
        Figure(
            "topics",
            f"{first}: topic by topic",
            f"Every system on every topic. The topic with the {'lowest' if first in lower else 'highest'} mean over "
            "systems is at the top. Lines go from the lowest to the highest value.",
            drawn="by-topic",
        ),
        Table("topics", f"{first}: every topic", ""),
    ]
    if systems < 2:
        return [measures, *by_topic]
    top = settings["top"]
    heading = f"{first}: which systems differ"
    if systems > top:
        heading += f" (the best {top} of {systems})"
    matrix, as_table, counts, _, pairs = comparison_items("", heading, first, first, settings)
    # the page omits this table, because the table of all measures contains these means
    means = Table("systems", "", "", why_not=lambda analysis: None)
    return [measures, means, pairs, *by_topic, matrix, as_table, counts]


def make_systems(
    request: Mapping[str, Any],
    analysis: Analysis,
    left_out: pd.DataFrame,
    size: pd.DataFrame,
    folder: Path,
    campaign: str,
    cautions: Sequence[str],
    lost: Sequence[str] = (),
    *,
    synthetic: bool = False,
) -> str:
    """Write the tables and figures that compare a campaign's systems. Return the report section that shows them.

    ``analysis`` and ``cautions`` come from `focuseval.statistics.comparisons.overview`. ``request`` is the argument of
    `overview`, with the additional key heading. ``left_out`` has the columns of `focuseval.campaign.tables.LEFT_OUT`.
    ``lost`` contains warnings about excluded data, and ``size`` describes the campaign. If the campaign is
    ``synthetic``, the files contain its name.
    """
    items: list[Item] = [Absent("Systems", "no measure has a value: see what was left out.")]
    if analysis:
        measures = analysis["measures"]
        items = systems_items(request, measures["run"].nunique(), topics_of_means(measures))
    folder.mkdir(parents=True, exist_ok=True)  # the workflow expects a folder, even an empty one
    write_tables(items, analysis, request, folder, campaign if synthetic else "")
    analysis, short = shorten(analysis)
    draw(items, DRAWN, analysis, request, folder, campaign if synthetic else "")
    first, *others = page.shown(items, analysis, request, folder, f"{campaign}/comparisons/systems")
    # users do not need unavailable items, nor the counts of significant pairs
    others = [each for each in others if each.kind != "absent" and each.name != "counts"]
    comparison = request["comparison"]
    refused = left_out.loc[left_out["kind"] == "refused", "of"]
    anchor = f"systems-{campaign}"
    see = Markup('{}: see <a href="#{}:left-out">what was left out</a>.')
    warnings = [
        *(see.format(line, anchor) for line in lost),
        *(f"{typeset(renamed(caution, short))}." for caution in cautions),
        *(see.format(f"{measure} cannot be computed here", anchor) for measure in refused),
    ]
    if analysis:
        first = replace(first, warnings=warnings)
    return page.section(
        anchor,
        f"Systems on {campaign}",
        "\n\n".join(
            [
                " ".join(answer(request, analysis)) if "pairs" in analysis and len(analysis["pairs"]) else "",
                *(f"{comparison['measure']}: {remark}." for remark in comparison["remarks"]),
            ]
        ),
        [
            first,
            *others,
            *page.shown_names(short),
            page.shown_table("campaign", "The campaign", "", size, {}),
            page.shown_left_out(left_out),
        ],
        group="Systems",
        label=campaign,
        campaign=campaign,
        heading=request["heading"],
        folded=False,
        short=short,
    )


def make_comparison(
    request: Mapping[str, Any],
    analysis: Analysis,
    left_out: pd.DataFrame,
    folder: Path,
    campaign: str,
    title: str,
    cautions: Sequence[str],
    *,
    synthetic: bool = False,
) -> str:
    """Write the tables and figures of a comparison on a campaign. Return the report section that shows them.

    ``request`` has the keys name, runs, measure, remarks, ranked_by, lower, size and settings. ``cautions`` are
    warnings, and ``left_out`` has the columns of `focuseval.campaign.tables.LEFT_OUT`. If the campaign is
    ``synthetic``, the files contain its name.
    """
    heading = f"{request['name']}: significant improvements under {request['measure']}"
    items = comparison_items("", heading, request["measure"], request["ranked_by"], request["settings"])
    write_tables(items, analysis, request, folder, campaign if synthetic else "")
    analysis, short = shorten(analysis)
    draw(items, COMPARISONS, analysis, request, folder, campaign if synthetic else "")
    link = f"{campaign}/comparisons/{request['name']}"
    return page.section(
        f"significance-{campaign}-{request['name']}",
        f"Significance on {campaign}: {request['name']}",
        "\n\n".join(
            [
                f"{title}.",
                "Systems are compared topic by topic, as the campaign's key significance requests, over "
                f"{results_used(request['size'])}.",
                *(f"{request['measure']}: {remark}." for remark in request["remarks"]),
                *(f"Caution: {typeset(renamed(caution, short))}." for caution in cautions),
            ]
        ),
        [
            *page.shown(items, analysis, request, folder, link),
            *page.shown_names(short),
            page.shown_left_out(left_out),
        ],
        group="Significance",
        label=f"{campaign}: {request['name']}",
        short=short,
    )
