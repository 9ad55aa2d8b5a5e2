"""From scores to Figure 4, the correlations and the findings of Piwowarski & Dupret (2006)."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval.transformations.ideal import MOVING, name_of
from focuseval_papers.piwowarski2006 import numbers
from focuseval_papers.piwowarski2006.numbers import AVERAGES, PAPER, PERTURBED
from focuseval_papers.publication.claims import (
    BY_CONSTRUCTION,
    CONTRADICTED,
    HOLDS,
    UNDECIDED,
)
from focuseval_papers.publication.estimates import Estimate, Quantity, value_of
from focuseval_papers.publication.kinds import drawings
from focuseval_papers.publication.paper import Context, Material
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.configuration import CampaignSettings
from tests.papers import made

PRINTED = made.printed("piwowarski2006")
PUBLISHED = PRINTED["piwowarski2006"]
DRAWN = drawings(PAPER.name)


def context(*, of: CampaignSettings | None = None, **settings: Any) -> Context:
    return Context(of or made.campaign(scale="inex2005"), PAPER.settings.model_validate(settings))


def analysed(
    scores: pd.DataFrame, batch: pd.DataFrame, here: Context, folder: Path
) -> dict[str, pd.DataFrame]:
    """What the analysis makes of scores of the campaign's runs, and of perturbed ones."""
    (folder / "mine/scores").mkdir(parents=True)
    for name, table in {"papers": scores, PERTURBED: batch}.items():
        schema.write(table, schema.SCORES, folder / f"mine/scores/{name}.parquet")
    return dict(PAPER.analyse(Material(here, folder / "mine", PRINTED)))


@pytest.mark.parametrize(
    ("ranked_by", "top", "expected"),
    [("EPRUM", 2, "1100"), ("EP/GR", 2, "0110"), ("both", 1, "0100"), ("both", 9, "1111")],
)
def test_top_ranked_values(ranked_by: str, top: int, expected: str) -> None:
    table = pd.DataFrame({"EPRUM": [0.9, 0.8, 0.1, 0.7], "MAep": [0.1, 0.8, 0.9, 0.7]})
    assert numbers.top_ranked(table, "MAep", ranked_by, top).tolist() == [each == "1" for each in expected]


def random_values() -> pd.DataFrame:
    rng = np.random.default_rng(6)
    x = rng.random(60)
    of_runs = {"run": [f"r{i % 6}" for i in range(60)], "topic": [f"t{i // 6}" for i in range(60)]}
    values = {"EPRUM": x, "MAep": x + rng.random(60), "iMAep": rng.random(60)}
    return pd.DataFrame({"quantisation": "gen", **of_runs, **values})


def test_correlations_of_all_values_the_top_and_the_rest() -> None:
    values = random_values()
    x, y = values["EPRUM"].to_numpy(), values["MAep"].to_numpy()
    table = numbers.correlations(values, PUBLISHED, top=20)
    assert len(table) == 2 * (1 + 3 * 2 + 1)
    counts = {"all": 60, "top": 20, "rest": 40, "within topics": 60}
    assert table.groupby("part")["values"].unique().map(list).to_dict() == {k: [n] for k, n in counts.items()}
    printed = table.dropna(subset="printed").groupby("part")["printed"].unique().map(list)
    assert printed.to_dict() == {"all": [0.75], "top": [0.9], "rest": [0.65]}
    first = table.iloc[0]
    assert first["pearson_r"] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
    of = np.arange(60) % 6
    without = [np.corrcoef(x[of != n], y[of != n])[0, 1] for n in range(6)]
    most = int(np.argmax(np.abs(np.array(without) - first["pearson_r"])))
    assert first["influential_run"] == f"r{most}"
    assert first["r_without_it"] == pytest.approx(without[most], abs=1e-12)
    each = [np.corrcoef(x[i : i + 6], y[i : i + 6])[0, 1] for i in range(0, 60, 6)]
    within = table[(table["part"] == "within topics") & (table["EP/GR"] == "MAep")]
    assert within["pearson_r"].item() == pytest.approx(np.mean(each), abs=1e-12)
    by_eprum = table.query("ranked_by == 'EPRUM' and part == 'rest' and `EP/GR` == 'iMAep'")
    rest = np.argsort(x)[:40]
    expected = np.corrcoef(x[rest], values["iMAep"].to_numpy()[rest])[0, 1]
    assert by_eprum["pearson_r"].item() == pytest.approx(expected, abs=1e-12)
    assert numbers.correlations(values.iloc[:1], PUBLISHED, top=48)["pearson_r"].isna().all()


# ---- findings


def as_the_paper_says() -> dict[str, pd.DataFrame]:
    """Made-up frames that agree with everything that the paper finds."""
    levels = np.arange(1, 101) / 100
    averages, nearby, curves = [], [], []
    for m in MOVING:
        for label, value in (("EPRUM", 1 - m), ("EPRUM_standard", (1 - m) ** 3), ("MAep", (1 - m) ** 2)):
            averages.append((label, m, value))
        nearby += [("EPRUM_distance", m, 1 - m / 2), ("EPRUM", m, 1 - m)]
        falling = np.where(levels > 0.5, 0.0, 1 - m) if m >= 0.7 else 1 - 1.5 * m * levels**4
        for metric, precision in (("EPRUM", 1 - m * levels), ("EP/GR", falling if m else np.ones(100))):
            curves.append(pd.DataFrame({"label": metric, "m": m, "cutoff": levels, "value": precision}))
    columns = ["label", "m", "value"]
    frames = {
        "averages": pd.DataFrame(averages, columns=columns),
        "nearby": pd.DataFrame(nearby, columns=columns),
        "curves": pd.concat(curves),
    }
    falls = [
        (of, m, d, size * d) for m in MOVING for d in (1, 2) for of, size in (("EPRUM", 1), ("EP/GR", 2))
    ]
    return {
        **{name: pd.concat([table.assign(topic=t) for t in "abc"]) for name, table in frames.items()},
        "falls": pd.DataFrame(falls, columns=["label", "m", "draw", "value"]),
        "values": random_values(),
    }


def quantities(analysis: dict[str, pd.DataFrame], **settings: Any) -> dict[str, Quantity]:
    return dict(PAPER.quantities(analysis, context(**settings)))


#: correlations as printed
AS_PRINTED = PAPER.in_print(PRINTED)


def verdicts(known: dict[str, Quantity]) -> dict[str, str]:
    words = PAPER.words_of(context())
    return {claim.name: claim.finding(known, words, known).verdict for claim in PAPER.declared.findings}


def test_numbers_as_the_paper_describes_them_confirm_everything_and_each_finding_can_fail() -> None:
    known = quantities(as_the_paper_says()) | AS_PRINTED
    found = verdicts(known)
    cannot_fail = {
        *("perfect-ideal-run", "near-misses-are-rewarded"),
        *("siblings-degrade-smoothly", "siblings-are-rewarded"),
    }
    assert {name for name, verdict in found.items() if verdict == BY_CONSTRUCTION} == cannot_fail
    assert {verdict for name, verdict in found.items() if name not in cannot_fail} == {HOLDS}
    contrary: dict[str, dict[str, Quantity]] = {
        "perfect-ideal-run": {"highest_precision[EP/GR, 0.0]": 1.1},
        "smooth-degradation": {"AP[MAep, 0.5]": 0.9},
        "stable-over-recall": {"late_precision[EPRUM, 0.4]": 0.0},
        "ep-gr-collapses": {"deep_precision[EP/GR, 0.8]": 0.2},
        "no-collapse-at-high-recall": {"deep_precision[EPRUM, 0.9]": 0.0},
        "smoother-curves": {"fall[EPRUM, 0.2]": 9.0},
        "near-misses-are-rewarded": {"AP[EPRUM_standard, 0.3]": 0.8},
        "siblings-degrade-smoothly": {"AP_of_siblings[EPRUM_distance, 0.9]": 0.7},
        "siblings-are-rewarded": {"AP_of_siblings[EPRUM, 0.1]": 0.99},
        "different-behaviour": {"r[all, strict]": 0.95},
        "agreement-at-the-top": {"r[top, gen]": 0.8},
    }
    assert set(contrary) == set(found)
    beyond_ours = {"ep-gr-collapses", "different-behaviour", "agreement-at-the-top"}
    for name, changed in contrary.items():
        assert set(changed) <= set(known)
        expected = UNDECIDED if name in beyond_ours else CONTRADICTED
        assert verdicts(known | changed)[name] == expected, name


def test_a_perturbed_run_rests_on_its_topics() -> None:
    """Average precision and points of the curves are means over the topics that are drawn."""
    analysis = as_the_paper_says()
    for name in ("averages", "curves"):
        table = analysis[name]
        analysis[name] = table.assign(
            value=table["value"] * table["topic"].map({"a": 0.9, "b": 1.0, "c": 1.1})
        )
    known = quantities(analysis)
    weights = context().sample("perturbed topics", list("abc"), "topics").weights[1]
    drawn = (weights * [0.9, 1.0, 1.1]).sum() / 3
    for name, value in (("AP[EPRUM, 0.3]", 0.7), ("late_precision[EPRUM, 0.1]", 0.91)):
        found = known[name]
        assert isinstance(found, Estimate) and found.value == pytest.approx(value)
        assert found.drawn[0] == pytest.approx(drawn * value)


def test_correlations_of_a_campaign_draw_topics_with_all_their_values() -> None:
    values = random_values()
    x, y = values["EPRUM"].to_numpy(), values["MAep"].to_numpy()
    known = quantities({**as_the_paper_says(), "values": values}, top=20)
    top = numbers.top_ranked(values, "MAep", "both", 20)
    for part, which in (("all", np.ones(60, dtype=bool)), ("top", top), ("rest", ~top)):
        found = known[f"r[{part}, gen]"]
        assert value_of(found) == pytest.approx(np.corrcoef(x[which], y[which])[0, 1], abs=1e-12)
        assert isinstance(found, Estimate) and (found.n, found.over) == (10, "topics")
    # without the first topic the top are the first 20 of the others
    ranks = pd.DataFrame({"x": -x, "y": -y}).rank().sum(axis=1).to_numpy()
    rest = np.argsort(np.where(np.arange(60) < 6, np.inf, ranks), kind="stable")[:20]
    found = known["r[top, gen]"]
    assert isinstance(found, Estimate)
    (without,) = found.without.values()
    assert without[0] == pytest.approx(np.corrcoef(x[rest], y[rest])[0, 1], abs=1e-12)


# ---- examples, figures, what is asked


def test_what_others_ask_for_of_the_same_runs_is_left_alone() -> None:
    own = [("r", "t", AVERAGES[label].format("gen"), 0.5) for label in ("EPRUM", "MAep", "iMAep")]
    others = [
        "MAep(quantisation=gen,overlap=off)",
        "MAep(quantisation=strict,overlap=on)",
        "iMAep(quantisation=gen,overlap=on,ideal=deepest)",
        "EPRUM(navigation=length-ratio,quantisation=gen,distribution=normal)",
        "EPRUM(navigation=length-ratio,quantisation=gen)@0.5",
    ]
    scores = made.scores([*own, *(("r", "t", name, 0.9) for name in others)])
    assert numbers.values(scores, ["gen"]).to_dict("records") == [
        {"quantisation": "gen", "run": "r", "topic": "t", "EPRUM": 0.5, "MAep": 0.5, "iMAep": 0.5}
    ]


def test_averages_and_curves_are_means_over_topics_or_over_draws(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    here = context(quantisations=["gen", "strict"], top=5, draws=2)
    of_campaign, *of_perturbed = PAPER.asks(here)
    lists = [(f"r{run}", f"t{topic}") for run in range(6) for topic in range(3)]
    scores = made.scores(
        [(*at, name, rng.random()) for name in of_campaign.measures for at in lists], "CO.Focussed"
    )
    perturbed = []
    for request, stem, draws in zip(of_perturbed, ("moved", "moved", "sibling"), (2, 1, 2), strict=True):
        names = [spec.asked for name in request.measures for spec in parse_specs(name, MEASURES)]
        runs = [name_of(m, draw, stem) for m in MOVING for draw in range(1, 1 + draws if m else 2)]
        rows = [(run, t, name, rng.random()) for name in names for run in runs for t in ("t0", "t1")]
        perturbed.append(made.scores(rows, request.runs.name))
    analysis = analysed(scores, pd.concat(perturbed), here, tmp_path)
    made.check_publication(PAPER, analysis, here, tmp_path / "made")
    specs = [
        spec
        for each in (of_campaign, of_perturbed[0])
        for name in each.measures
        for spec in parse_specs(name, MEASURES)
    ]
    assert {spec.parameters["ideal"] for spec in specs} == {"paper"}  # the same ideal elements for both
