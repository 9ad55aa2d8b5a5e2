"""Perturbed runs in many draws: average precision and curves, with bands from draw to draw, and means over draws."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.measures import eprum, xcg
from focuseval.measures.declaration import parse_specs
from focuseval.statistics.means import means_by
from focuseval.transformations.perturbed_runs import IDEAL, MOVING, name_of
from focuseval_papers.piwowarski2006.findings import METRICS

#: average precision, by how tables name it: the two metrics of Section 7, and EPRUM without navigation
AVERAGES = {
    "EPRUM": "EPRUM(navigation=length-ratio,quantisation={})",
    "EPRUM_standard": "EPRUM(navigation=standard,quantisation={})",
    "MAep": "MAep(quantisation={},overlap=on)",
    "iMAep": "iMAep(quantisation={},overlap=on)",
}

#: the two panels of Figure 4
CURVES = dict(
    zip(METRICS, (f"{AVERAGES['EPRUM']}@curve", "ep(quantisation={},overlap=on)@curve"), strict=True)
)

#: average precision of runs of siblings: a user who also reads on from a result, one who only goes up and down, EP/GR
NEARBY = {
    "EPRUM_distance": "EPRUM(navigation=distance,quantisation={})",
    "EPRUM": AVERAGES["EPRUM"],
    "MAep": AVERAGES["MAep"],
}

#: recall levels at which tables show curves
LEVELS = (0.1, 0.5, 0.9)

#: EPRUM by the exact law and by the normal one: average precision, and at recall levels
LAWS = {
    law: {
        "average": f"EPRUM(navigation=length-ratio,quantisation={{}},distribution={law})",
        **{
            f"recall {level}": f"EPRUM(navigation=length-ratio,quantisation={{}},distribution={law})@{level}"
            for level in LEVELS
        },
    }
    for law in ("exact", "normal")
}

_KNOWN = {measure.name: measure for measure in (*eprum.MEASURES, *xcg.MEASURES)}


def under(scores: pd.DataFrame, measures: Mapping[str, str], quantisation: str) -> pd.DataFrame:
    """The scores under measures by their labels: columns run, topic, cutoff, value, label.

    A campaign's scores also hold what others asked for, with other parameters or cut-offs.
    """
    parts = []
    for label, name in measures.items():
        spec = parse_specs(name.format(quantisation), _KNOWN)[0]
        own = (scores["measure"] == spec.measure.name) & (scores["parameters"] == spec.settings)
        if spec.cutoff is None:
            own &= scores["cutoff"].isna()
        elif name.endswith("@curve"):
            own &= scores["cutoff"].notna()
        else:
            own &= scores["cutoff"] == spec.cutoff
        parts.append(scores.loc[own, ["run", "topic", "cutoff", "value"]].assign(label=label))
    return pd.concat(parts, ignore_index=True)


def _drawn(table: pd.DataFrame, stem: str, draws: int) -> pd.DataFrame:
    """A table with the columns m and draw (from 1) in the place of run; the ideal run has m 0 and draw 1."""
    known = {name_of(m, draw, stem): (m, draw) for m in MOVING for draw in range(1, draws + 1)} | {
        IDEAL: (0.0, 1)
    }
    runs = table["run"].astype("category").cat.remove_unused_categories().cat
    m, draw = np.array([known[str(name)] for name in runs.categories]).T
    code = runs.codes.to_numpy()
    return table.drop(columns="run").assign(m=m[code], draw=draw[code].astype(int))


def averages(
    scores: pd.DataFrame, measures: Mapping[str, str], quantisation: str, stem: str, draws: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Average precision of each perturbed run, from tidy scores.

    Means over topics: columns label (of ``measures``), m, draw, value; and means over draws: columns m, topic, and one
    for each label.
    """
    part = under(scores, measures, quantisation)
    mean = means_by(part, ["label", "run"])
    mean = _drawn(mean, stem, draws).sort_values(["label", "m", "draw"], ignore_index=True)
    by_topic = _drawn(part, stem, draws).pivot_table(
        index=["m", "topic"], columns="label", values="value", observed=True
    )
    by_topic = by_topic[list(measures)].reset_index().rename_axis(columns=None).astype({"topic": str})
    return mean[["label", "m", "draw", "value"]], by_topic


def curves(scores: pd.DataFrame, quantisation: str, draws: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The graphs of perturbed runs, from tidy scores.

    Means over topics: columns metric, m, draw, recall, precision; and means over draws: columns metric, m, topic,
    recall, precision.
    """
    points = under(scores, CURVES, quantisation)
    points = points.rename(columns={"label": "metric", "cutoff": "recall", "value": "precision"})
    points = _drawn(points, "moved", draws)
    mean, by_topic = (
        means_by(points, keys, "precision")
        for keys in (["metric", "m", "draw", "recall"], ["metric", "m", "topic", "recall"])
    )
    return (
        mean.sort_values(["metric", "m", "draw", "recall"], key=_in_order, ignore_index=True),
        by_topic.astype({"topic": str}).sort_values(
            ["metric", "m", "topic", "recall"], key=_in_order, ignore_index=True
        ),
    )


def steepest(curve: pd.DataFrame) -> pd.DataFrame:
    """The largest fall between two neighbouring points of every curve (`curves`): columns m, draw, and the metrics.

    Of each draw by itself: the mean of many draws falls more evenly than any of them.
    """
    falls = curve["precision"] - curve.groupby(["metric", "m", "draw"], sort=False)["precision"].shift(-1)
    found = falls.groupby([curve["m"], curve["draw"], curve["metric"]]).max().unstack("metric")
    return found[list(METRICS)].reset_index().rename_axis(columns=None)


def _in_order(column: pd.Series) -> pd.Series:
    return column.map(METRICS.index) if column.name == "metric" else column


def perturbed_table(average: pd.DataFrame, curve: pd.DataFrame) -> pd.DataFrame:
    """Average precision of the perturbed runs, means over draws, and precision at three recall levels.

    Of EPRUM and MAep the lowest and the highest draw stand beside the mean.
    """
    bands = with_bands(average, ["label", "m"], "value")
    table = pd.DataFrame({"m": sorted(set(average["m"]))})
    for label in AVERAGES:
        part = bands[bands["label"] == label].set_index("m")
        table[label] = table["m"].map(part["mean"])
        if label in ("EPRUM", "MAep"):
            table[f"{label}_lowest"] = table["m"].map(part["lowest"])
            table[f"{label}_highest"] = table["m"].map(part["highest"])
    points = with_bands(curve, ["metric", "m", "recall"], "precision")
    for metric in METRICS:
        for level in LEVELS:
            at = points[(points["metric"] == metric) & np.isclose(points["recall"], level)]
            table[f"{metric}@{level}"] = table["m"].map(at.set_index("m")["mean"])
    return table


def siblings_table(bands: pd.DataFrame) -> pd.DataFrame:
    """Average precision of runs of siblings: a row for each m, mean, lowest and highest draw of each metric."""
    table = pd.DataFrame({"m": sorted(set(bands["m"]))})
    for label in NEARBY:
        part = bands[bands["label"] == label].set_index("m")
        table[label] = table["m"].map(part["mean"])
        table[f"{label}_lowest"] = table["m"].map(part["lowest"])
        table[f"{label}_highest"] = table["m"].map(part["highest"])
    return table


def laws(scores: pd.DataFrame, quantisation: str) -> pd.DataFrame:
    """EPRUM of the first draw of perturbed runs under the exact law and the normal one: means over topics.

    Columns m, of (average, or a recall level), exact, normal, difference (normal less exact), and largest: the largest
    absolute difference of any topic.
    """
    wide = {
        law: under(scores, measures, quantisation).set_index(["label", "run", "topic"])["value"]
        for law, measures in LAWS.items()
    }
    table = pd.DataFrame(wide)
    # sums have digits to 1e-13; and of zeros there is one
    table["difference"] = (table["normal"] - table["exact"]).round(12) + 0.0
    table["largest"] = table["difference"].abs()
    means: dict[str, str | Callable[[pd.Series], float]] = dict.fromkeys(
        ("exact", "normal", "difference"), "mean"
    )
    found = table.groupby(level=["label", "run"], observed=True, sort=False).agg(means | {"largest": "max"})
    found = _drawn(found.reset_index(), "moved", 1).rename(columns={"label": "of"})
    order = {label: place for place, label in enumerate(LAWS["exact"])}
    found = found.sort_values(
        ["of", "m"], key=lambda c: c.map(order) if c.name == "of" else c, ignore_index=True
    )
    return found[["of", "m", "exact", "normal", "difference", "largest"]]


def with_bands(values: pd.DataFrame, keys: Sequence[str], column: str) -> pd.DataFrame:
    """The mean of a column over draws, and the lowest and highest of them: columns ``keys``, mean, lowest, highest."""
    found = values.groupby(list(keys), sort=False)[column].agg(["mean", "min", "max"]).reset_index()
    return found.rename(columns={"min": "lowest", "max": "highest"})
