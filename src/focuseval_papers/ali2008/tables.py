"""The tables of both studies, as people see them."""

from itertools import product

import pandas as pd

from focuseval.transformations.perturbations import EXPECTED
from focuseval_papers.ali2008.accuracy import REFERENCE, STRUCTURAL
from focuseval_papers.ali2008.fidelity import version
from focuseval_papers.ali2008.findings import HEADINGS, PARTS
from focuseval_papers.publication.frames import rows_of


def table3(
    accuracies: pd.DataFrame, intervals: pd.DataFrame, fidelities: pd.DataFrame, printed: pd.DataFrame
) -> pd.DataFrame:
    """Table 3, a row per part and cut-off.

    ``accuracies`` and ``intervals`` from `focuseval_papers.ali2008.accuracy` (`accuracy_readings`, of which the paper's
    reading is taken, and `with_intervals`), ``fidelities`` from `focuseval_papers.ali2008.fidelity`. Columns part,
    task, study, cutoff, statistic, coefficient, p_value, printed, lists (the number of systems, or of pairs of run and
    topic), low, high, influential_run, without_it (of rho over systems), middle_ρ (of the middle four versions),
    as_expected_%.
    """
    paper = rows_of(accuracies, structural=STRUCTURAL[0], reference=REFERENCE[0])
    pooled = rows_of(fidelities, level="overall")
    overall = intervals.assign(part="overall")
    found = pd.concat(
        [
            paper.rename(columns={"systems": "lists"}).merge(
                overall, how="left", on=["task", "cutoff", "part"]
            ),
            pooled.assign(part="fidelity", statistic="spearman"),
        ],
        ignore_index=True,
    )
    part = [PARTS[key] for key in zip(found["task"], found["part"], strict=True)]
    known = printed.rename(columns={"p_value": "printed"})[["part", "cutoff", "printed"]]
    table = found.assign(study=found["part"], part=part).merge(known, how="left", on=["part", "cutoff"])
    table = table.assign(
        middle_ρ=table["middle"], **{"as_expected_%": 100 * table["as_expected"].astype(float)}
    )
    order = {(task, study): i for i, (task, study) in enumerate(PARTS)}
    place = [order[key] for key in zip(table["task"], table["study"], strict=True)]
    table = table.assign(place=place).sort_values(["place", "cutoff"], kind="stable", ignore_index=True)
    return table[
        [
            *("part", "task", "study", "cutoff", "statistic", "coefficient", "p_value", "printed", "lists"),
            *("low", "high", "influential_run", "without_it", "middle_ρ", "as_expected_%"),
        ]
    ]


def in_words(table: pd.DataFrame) -> pd.DataFrame:
    """A table with the paper's names of tasks."""
    return table.assign(task=table["task"].map(HEADINGS))


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """A table by task and cut-off, with the tasks in the paper's order and words."""
    tasks = [task for task in HEADINGS if task in table.index.get_level_values("task")]
    return in_words(table.loc[tasks].reset_index().rename_axis(columns=None))


def readings_table(accuracies: pd.DataFrame) -> pd.DataFrame:
    """Accuracy by every structural measure and reference: the coefficients of each in a column.

    Changes of ranks have no value at the first cut-off, and no row there.
    """
    known = accuracies[(accuracies["part"] == "overall") | accuracies["coefficient"].notna()]
    reading = known["structural"] + " and " + known["reference"]
    table = known.assign(reading=reading, study=known["part"]).pivot(
        index=["task", "study", "cutoff"], columns="reading", values="coefficient"
    )
    return _in_order(table.reindex(columns=[f"{a} and {b}" for a, b in product(STRUCTURAL, REFERENCE)]))


def versions_table(versions: pd.DataFrame) -> pd.DataFrame:
    """Mean SRP of the six versions of all runs, in the expected order: a row per task and cut-off."""
    wide = versions.pivot(index=["task", "cutoff"], columns="version", values="value")
    return _in_order(wide.reindex(columns=list(EXPECTED)).rename(columns=version))


def steps_table(steps: pd.DataFrame) -> pd.DataFrame:
    """Each step of the expected order: means of both sides, and in how many lists it holds, in per cent."""
    table = in_words(steps)
    table["step"] = [
        f"{version(better)} ≥ {version(worse)}"
        for better, worse in zip(steps["better"], steps["worse"], strict=True)
    ]
    for name in ("higher", "equal", "lower"):
        table[f"{name}_%"] = 100 * table[name].astype(float)
    columns = ["task", "cutoff", "step", "mean_better", "mean_worse", "higher_%", "equal_%", "lower_%"]
    return table[columns]


def repeated_table(repeats: pd.DataFrame) -> pd.DataFrame:
    """What runs repeat (`repeated` by task), over all runs: numbers of results, and shares in per cent."""
    by_task = repeats.groupby("task", sort=False)
    total = by_task[["results", "overlapping", "same_document"]].sum()
    table = pd.DataFrame(
        {
            "runs": by_task["run"].nunique(),
            "topics": by_task["topics"].max(),
            "results": total["results"],
        }
    )
    for name in ("overlapping", "same_document"):
        table[f"{name}_%"] = 100 * total[name] / total["results"]
    return in_words(table.reset_index())


def settings_table(readings: pd.DataFrame, summaries: pd.DataFrame) -> pd.DataFrame:
    """Accuracy by every setting of SRP: rho with nxCG by task and cut-off, a row for each setting.

    ``readings`` from `focuseval_papers.ali2008.accuracy.setting_readings`, ``summaries`` from
    `focuseval_papers.ali2008.summary_graphs.spread`. Beside them mean_π of the setting, and like_chosen, the lowest rho
    with the order of systems under the chosen setting.
    """
    of = ["summary", "edges", "weight"]
    place = readings["task"].map(HEADINGS) + ", k = " + readings["cutoff"].astype(str)
    wide = readings.assign(place=place).pivot(index=of, columns="place", values="with_nxCG")
    wide = wide.loc[
        list(dict.fromkeys(readings[of].itertuples(index=False, name=None))), list(dict.fromkeys(place))
    ]
    like = readings.groupby(of)["with_chosen"].min()
    mean = summaries.set_index(of)["mean_π"]
    table = wide.assign(like_chosen=like.reindex(wide.index))
    table.insert(0, "mean_π", mean.reindex(wide.index))
    return table.reset_index().rename_axis(columns=None)


def with_three_decimals(table: pd.DataFrame) -> pd.DataFrame:
    """A table for people in which all numbers have three decimals."""
    shown = table.copy()
    for name in shown.select_dtypes("number"):
        text = [
            None if pd.isna(value) else f"{value:.3f}".replace("-", "\N{MINUS SIGN}") for value in shown[name]
        ]
        shown[name] = pd.array(text, dtype=object)
    return shown


def orders_table(fidelities: pd.DataFrame, orders: pd.DataFrame) -> pd.DataFrame:
    """Fidelity of runs perturbed in full and in part: rho of all six versions, of the middle four, lists as expected.

    A row per task, cut-off and number; columns full, and of the draws in part mean, lowest and highest.
    """
    names = {
        "coefficient": "ρ of all six",
        "middle": "ρ of the middle four",
        "as_expected": "lists as expected",
    }
    at = ["task", "cutoff"]
    full = rows_of(fidelities, level="overall").set_index(at)[list(names)].astype(float).stack()
    part = orders.set_index(at)[list(names)].astype(float).stack().groupby(level=[0, 1, 2])
    table = pd.DataFrame({"full": full}).join(part.agg(["mean", "min", "max"]))
    table = table.rename(columns={"mean": "in_part", "min": "lowest", "max": "highest"})
    table = table.rename_axis([*at, "number"]).rename(index=names, level="number")
    return _in_order(table)


def draws_table(versions: pd.DataFrame, draws: pd.DataFrame) -> pd.DataFrame:
    """Mean SRP of the versions, perturbed in full and in part: a row per task, cut-off and version.

    Columns full, and of the draws in part mean, lowest and highest.
    """
    at = ["task", "cutoff", "version"]
    part = draws.groupby(at)["value"].agg(["mean", "min", "max"])
    full = versions.set_index(at)["value"].rename("full")
    table = part.join(full).rename(columns={"mean": "in_part", "min": "lowest", "max": "highest"})
    order = [(*key, name) for key in dict.fromkeys(part.index.droplevel("version")) for name in EXPECTED]
    table = _in_order(table.loc[order, ["full", "in_part", "lowest", "highest"]])
    return table.assign(version=table["version"].map(version))


def gains_table(gains: pd.DataFrame, in_part: pd.DataFrame) -> pd.DataFrame:
    """What the claim expects not to be below 0, with its intervals: runs perturbed in full, then in part."""
    both = pd.concat([gains.assign(perturbed="in full"), in_part.assign(perturbed="in part")])
    both["difference"] = both["better"].map(version) + " − " + both["worse"].map(version)
    both = in_words(both).rename(columns={"gain": "mean"})
    return both[["task", "cutoff", "perturbed", "difference", "mean", "low", "high"]].reset_index(drop=True)
