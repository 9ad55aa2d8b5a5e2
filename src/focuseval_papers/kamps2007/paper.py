"""Kamps, Lalmas & Pehcevski (SIGIR 2007), Evaluating Relevant in Context: the declaration."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from focuseval.report.comparisons import comparison_items, how_tested
from focuseval.report.items import Absent, Analysis, Figure, Item, Table
from focuseval.statistics.comparisons import Comparison, best_systems, compare, frames
from focuseval.statistics.correlations import kendall
from focuseval.statistics.estimates import Sample
from focuseval.statistics.findings import Finding
from focuseval.statistics.significance import TESTS, score_table
from focuseval_papers.kamps2007.findings import (
    ALPHA,
    COEFFICIENTS,
    EXCESS,
    MAGP,
    MAP,
    ORDER,
    PAIRS,
    RESAMPLES,
    RUNS,
    SIGNIFICANT,
    TAU,
    TOPICS,
    evidence,
    findings,
    printed_evidence,
    printed_ranks,
)
from focuseval_papers.publication.material import Material
from focuseval_papers.publication.paper import Context, Paper, Request, on_own_runs, on_scales
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.runsets import RunSet, as_many, own_runs
from focuseval_papers.workflow.settings import Level, OneOf, Positive, Resamples, Seed, Settings

#: the two comparisons: measure and heading, by the names of their files
COMPARISONS = {
    "table1": (MAGP, "Table 1. Significant improvements for MAgP"),
    "table2": (MAP, "Table 2. Significant improvements for MAP"),
}

#: what the paper says of both tables; the marks of their cells cannot be read in the copy at hand
PRINTED = {
    MAGP: "In the paper 112 of the 190 pairs of systems differ significantly.",
    MAP: "In the paper 95 of the 190 pairs of systems differ significantly.",
}


#: topics that INEX 2006 had assessed by then
OF_INEX_2006 = 111


class KampsSettings(Settings):
    """Kamps, Lalmas & Pehcevski (2007): the best runs under MAgP, compared pair by pair."""

    size: Positive = Field(default=1500, description="a whole number of results of a topic, 1 or more")
    top: int = Field(default=20, ge=2, description="a whole number of runs, 2 or more")
    test: Annotated[str, OneOf(TESTS)] = Field(default="bootstrap", description="the test of significance")
    alpha: Level = 0.05
    resamples: Resamples = 1000
    seed: Seed = 2007


def suits(campaign: CampaignSettings) -> str:
    """Why the paper cannot be computed on a campaign: it is on passages, and on runs grouped by article."""
    if campaign.task != "relevant-in-context":
        return f"its task is {campaign.task}; the paper needs runs for relevant-in-context"
    return on_own_runs(campaign) or on_scales(campaign, "highlights")


def _runs(context: Context) -> RunSet:
    runs = own_runs(context.campaign, "runs", context.settings.size)
    return as_many(runs, context.campaign, None, OF_INEX_2006)


def asks(context: Context) -> list[Request]:
    """Both measures of the campaign's own runs."""
    return [Request(_runs(context), (MAGP, MAP))]


def analyse(material: Material) -> Analysis:
    """The comparisons under both measures, the two orders of systems, and the numbers of the text."""
    settings, printed = material.context.settings, material.printed["kamps2007"]
    scores = {measure: score_table(material.scores("runs"), measure) for measure in (MAGP, MAP)}
    ranking = best_systems(scores[MAGP], settings.top)
    compared = {
        name: compare(
            scores[measure],
            ranking,
            alpha=settings.alpha,
            resamples=settings.resamples,
            seed=settings.seed,
        )
        for name, (measure, _) in COMPARISONS.items()
    }
    found: dict[str, pd.DataFrame] = {}
    for name, comparison in compared.items():
        found |= {f"{name}_{part}": frame for part, frame in frames(comparison, settings.test).items()}
    for name, (measure, _) in COMPARISONS.items():
        known = {settings.test: printed.set_index("quantity")["value"].astype(object)[SIGNIFICANT[measure]]}
        found[f"{name}_counts"]["printed"] = found[f"{name}_counts"]["test"].map(known).astype(float)
    systems = orders(compared["table1"].systems, compared["table2"].systems, printed)
    above = excess(*(scores[measure][systems["run"]] for measure in (MAGP, MAP)))
    numbers = summary(systems, compared, above, printed, settings.test, settings.resamples, settings.alpha)
    order = printed_ranks(printed.set_index("quantity")["value"][ORDER])
    there = pd.DataFrame({"MAgP_rank": order.keys(), "MAP_rank": order.values()})
    values = pd.concat(
        [scores[measure][systems["run"]].stack().rename(measure) for measure in (MAGP, MAP)], axis=1
    )
    return {
        "summary": numbers,
        "orders": systems,
        "correlation": correlation(
            systems, numbers, material.context.sample("systems", systems["run"], "runs")
        ),
        "topics": values.rename_axis(["topic", "run"]).reset_index(),
        "printed_orders": there,
        **found,
    }


def correlation(systems: pd.DataFrame, numbers: pd.DataFrame, sample: Sample) -> pd.DataFrame:
    """How the systems' means under both measures are correlated.

    Columns coefficient, here, printed, systems, low, high (the 95 % interval over systems), influential_run (without
    which it changes most), without_it.
    """
    printed = {"Kendall's τ": numbers.set_index("quantity").loc[TAU, "printed"]}
    rows = []
    for name, of in COEFFICIENTS.items():
        found = sample.estimate(of(systems["MAP"].to_numpy(), systems["MAgP"].to_numpy()))
        known = printed.get(name, np.nan)
        rows.append((name, found.value, known, found.n, *found.interval, *found.influential))
    columns = ["coefficient", "here", "printed", "systems", "low", "high", "influential_run", "without_it"]
    return pd.DataFrame(rows, columns=columns)


def orders(by_magp: pd.DataFrame, by_map: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """The systems by their rank under MAgP: means and ranks under both measures.

    ``by_magp`` and ``by_map`` are tables of systems (`focuseval.statistics.comparisons.Comparison`) with labels
    that are ranks under MAgP. Columns MAgP_rank, run, MAgP, MAP, MAP_rank, printed_MAP_rank: the last is that of
    the paper's system with the same rank under MAgP, NaN where there is none.
    """
    there = printed_ranks(printed.set_index("quantity")["value"][ORDER])
    other = by_map.assign(MAP_rank=np.arange(1, len(by_map) + 1)).set_index("label")
    label = by_magp["label"].to_numpy()
    return pd.DataFrame(
        {
            "MAgP_rank": label.astype(int),
            "run": by_magp["run"].to_numpy(),
            "MAgP": by_magp["mean"].to_numpy(),
            "MAP": other["mean"].loc[label].to_numpy(),
            "MAP_rank": other["MAP_rank"].loc[label].to_numpy(),
            "printed_MAP_rank": [there.get(int(n), np.nan) for n in label],
        }
    )


def excess(magp: pd.DataFrame, average_precision: pd.DataFrame) -> float:
    """The largest AgP less AP of any run on any topic; both tables are topics × runs."""
    return float((magp - average_precision[magp.columns].loc[magp.index]).to_numpy().max())


def summary(
    systems: pd.DataFrame,
    compared: dict[str, Comparison],
    above: float,
    printed: pd.DataFrame,
    test: str,
    resamples: int,
    alpha: float,
) -> pd.DataFrame:
    """The numbers in the paper's text, here and as printed: columns quantity, here, printed.

    ``systems`` from `orders`, ``compared`` by the names of `COMPARISONS`, ``above`` from `excess`. The counts of
    the paper's test stand under the paper's names, those of the others behind.
    """
    by_test = {
        measure: compared[name].counts().set_index("test")["significant"]
        for name, (measure, _) in COMPARISONS.items()
    }
    one = compared["table1"]
    rows: list[tuple[str, float]] = [
        (RUNS, len(systems)),
        (TOPICS, one.topics),
        (PAIRS, one.counts()["pairs"].iloc[0]),
        *((SIGNIFICANT[measure], by_test[measure][test]) for measure in (MAGP, MAP)),
        (TAU, kendall(systems["MAP"], systems["MAgP"]).coefficient),
        (RESAMPLES, resamples),
        (ALPHA, alpha),
    ]
    rows += [
        (f"{SIGNIFICANT[measure]}, {other}", by_test[measure][other])
        for other in by_test[MAGP].index
        if other != test
        for measure in (MAGP, MAP)
    ]
    rows.append((EXCESS, above))
    table = pd.DataFrame(rows, columns=["quantity", "here"]).astype({"here": float})
    known = printed[printed["quantity"] != ORDER].set_index("quantity")["value"].astype(float)
    return table.assign(printed=table["quantity"].map(known))


def as_shown(numbers: pd.DataFrame) -> pd.DataFrame:
    """The table of `summary` for people: counts without decimals, other numbers with three digits."""

    def text(value: float) -> str | None:
        if np.isnan(value):
            return None
        return f"{value:,.0f}" if value == int(value) else f"{value:.3g}".replace("-", "\N{MINUS SIGN}")

    shown = {name: pd.array([text(v) for v in numbers[name]], dtype=object) for name in ("here", "printed")}
    quantity = numbers["quantity"].replace({TAU: "Kendall's tau of MAP and MAgP"})
    return numbers.assign(quantity=quantity, **shown)


def items(context: Context) -> Sequence[Item]:
    """The numbers of the text and the orders of systems, then both comparisons."""
    shown: list[Item] = [
        Table(
            "summary",
            "Numbers of the text",
            "The numbers that the paper's text gives, and the same of this campaign. The paper tests by the "
            "bootstrap; the randomisation test and the t-test stand beside it.",
            show=as_shown,
        ),
        Table(
            "orders",
            "Orders of the systems",
            "The systems by their rank under MAgP. The last column is the rank under MAP of the paper's system that "
            "has the same rank under MAgP.",
            decimals={"MAgP": 4, "MAP": 4},
        ),
        Figure(
            "orders",
            "Orders under MAgP and MAP",
            "Each line is a system, numbered by its rank under MAgP: on the left in the order of MAgP, on the right "
            "in that of MAP. Blue lines rise, orange lines fall. Parallel lines would say that it makes no "
            "difference whether text inside articles is looked at.",
        ),
    ]
    shown.append(
        Table(
            "correlation",
            "Correlation of both measures",
            "The systems' means under MAP and MAgP: Kendall's τ, which the paper prints, with the others beside; their "
            "95 % bootstrap intervals over systems, and what each is without the system that changes it most.",
            decimals=dict.fromkeys(["here", "printed", "low", "high", "without_it"], 3),
        )
    )
    for name, (measure, heading) in COMPARISONS.items():
        of_measure = comparison_items(f"{name}_", heading, measure, MAGP, context.settings.model_dump())
        matrix, *others = (item for item in of_measure if not isinstance(item, Absent))
        shown += [replace(matrix, caption=f"{matrix.caption} {PRINTED[measure]}"), *others]
    return shown


def introduction(context: Context) -> str:
    """Which systems are compared, and how."""
    settings = context.settings
    return (
        f"The best {settings.top} of the campaign's runs by MAgP (the paper: the best 20 of INEX 2006), over the first "
        f"{settings.size:,} results of each topic, numbered by their rank under it, compared pair by pair by "
        f"{how_tested(settings.model_dump())}. "
        "The paper does not say which variant of the bootstrap it used; ours is in docs/measures.md. Numbers "
        "differ from the printed ones because the data differ; whether the findings hold on these data is "
        "checked below."
    )


def both_findings(
    analysis: Analysis, printed: Mapping[str, pd.DataFrame], context: Context
) -> tuple[list[Finding], list[Finding]]:
    """The findings on a campaign's analysis, and on the printed numbers."""
    column = f"p_{context.settings.test}"
    significant = {
        measure: analysis[f"{name}_pairs"].query(f"`{column}` <= {context.settings.alpha}")
        for name, (measure, _) in COMPARISONS.items()
    }
    here = evidence(analysis["summary"], analysis["topics"], significant, context.sample)
    return findings(here), findings(printed_evidence(printed["kamps2007"]))


PAPER = Paper(
    name="kamps2007",
    title="Kamps et al. (2007)",
    settings=KampsSettings,
    suits=suits,
    asks=asks,
    analyse=analyse,
    items=items,
    findings=both_findings,
    introduction=introduction,
    printed=("kamps2007",),
    campaign="INEX 2006",
    facts={"assessed topics": OF_INEX_2006, "runs": 20},
    needs_elements=False,
)
