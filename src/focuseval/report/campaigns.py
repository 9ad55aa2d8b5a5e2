"""The section of the report that describes a campaign's assessments and systems in numbers.

Numbers of a generated campaign are shown next to numbers of the real campaign that it imitates.
"""

import pandas as pd

from focuseval.report import page
from focuseval.report.tables import number

#: the headings of columns that describe systems
_RETURNED = {
    "results": "results per topic",
    "overlapping": "overlapping, %",
    "documents": "whole documents, %",
    "length": "mean length",
}

#: the quantiles in the table of systems, by heading
_QUANTILES = {"least": 0.0, "first quartile": 0.25, "median": 0.5, "third quartile": 0.75, "most": 1.0}

_ASSESSMENTS = "Highly exhaustive and highly specific elements have the highest value of the scale."
_GOLD = "Gold spans are counted as given. Text in several spans of a topic counts once."
_STANDS_FOR = (
    " Next to this campaign's numbers are the papers' numbers for the campaign that it replaces. None of these numbers "
    "is a finding: they are settings of the generator, or follow from settings (docs/campaigns.md)."
)
_SYSTEMS = (
    "How the systems differ. A result overlaps if an earlier result of the same list contains some of its text. "
    "Lengths are in {unit}."
)
_UNKNOWN = (
    " Results of unknown text have no length (–). Their overlap is missing too, except for whole documents that are "
    "returned again."
)


def spread(population: pd.DataFrame) -> pd.DataFrame:
    """Return the quantiles of each property of systems (`_RETURNED`), with a row for each run set and property.

    ``population`` contains a row for each system, with the column runs (the system's run set) and the columns
    `_RETURNED`.
    """
    rows = []
    for runs, part in _in_per_cent(population).groupby("runs", sort=False, observed=True):
        for name in _RETURNED.values():
            values = part[name].quantile(list(_QUANTILES.values()))
            rows.append((runs, len(part), name, *values))
    return pd.DataFrame(rows, columns=["runs", "systems", "what", *_QUANTILES])


def calibration_table(calibration: pd.DataFrame) -> pd.DataFrame:
    """Return a table of a campaign's statistics, next to the statistics of any real campaign that it imitates."""

    def written(value: float) -> str:
        return number(value, ",.0f" if value >= 1_000 or value % 1 == 0 else ",.1f")

    table = pd.DataFrame({"": calibration["number"], "here": calibration["here"].map(written)})
    if calibration["where"].ne("").any():
        table["replaced campaign"] = calibration["source"].map(written)
        table["source"] = calibration["where"]
    return table


def _in_per_cent(population: pd.DataFrame) -> pd.DataFrame:
    """Return the table of systems with readable column headings, and with shares in per cent."""
    shares = {name: 100 * population[name] for name in ("overlapping", "documents")}
    return population.assign(**shares).rename(columns=_RETURNED)


def campaign_section(
    campaign: str, heading: str, unit: str, calibration: pd.DataFrame, population: pd.DataFrame
) -> str:
    """Return the section of the report with statistics of a campaign's assessments and systems.

    ``unit`` is the unit in which lengths are measured.
    """
    items: list[page.SectionItem] = []
    if len(calibration):
        numbers, files = calibration_table(calibration), [f"{campaign}/calibration.csv"]
        caption = _GOLD if "gold spans" in set(calibration["number"]) else _ASSESSMENTS
        caption += _STANDS_FOR if "source" in numbers else ""
        items.append(page.shown_table("assessments", "Assessments", caption, numbers, {}, files))
    caption, files = _SYSTEMS.format(unit=unit), [f"{campaign}/population.csv"]
    if population.loc[population["results"] > 0, "length"].isna().any():
        caption += _UNKNOWN
    rounded = dict.fromkeys(_QUANTILES, 1)
    items.append(
        page.shown_table("spread", "What systems return", caption, spread(population), rounded, files)
    )
    return page.section(
        f"campaign-{campaign}",
        f"The campaign {campaign}",
        f"{heading}.",
        items,
        group="Campaigns in numbers",
        label=campaign,
    )
