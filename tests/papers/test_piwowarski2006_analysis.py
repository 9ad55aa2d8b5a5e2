"""From scores to Figure 4, the correlations and the findings of Piwowarski & Dupret (2006)."""

import numpy as np
import pandas as pd
import pytest

from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval_papers.piwowarski2006 import numbers
from focuseval_papers.piwowarski2006.numbers import PAPER
from focuseval_papers.publication.correlations import Column, Correlations, Group, correlate
from focuseval_papers.publication.estimates import Estimate, value_of
from focuseval_papers.publication.paper import Context
from tests.papers import materials

PRINTED = materials.printed("piwowarski2006")
PUBLISHED = PRINTED["piwowarski2006"]


def context(*, of=None, **settings):
    return Context(of or materials.campaign(scale="inex2005"), PAPER.settings.model_validate(settings))


@pytest.mark.parametrize(
    ("ranked_by", "top", "expected"),
    [("EPRUM", 2, "1100"), ("EP/GR", 2, "0110"), ("both", 1, "0100"), ("both", 9, "1111")],
)
def test_top_ranked_values(ranked_by, top, expected):
    table = pd.DataFrame({"EPRUM": [0.9, 0.8, 0.1, 0.7], "MAep": [0.1, 0.8, 0.9, 0.7]})
    assert numbers.top_ranked(table, "MAep", ranked_by, top).tolist() == [each == "1" for each in expected]


def random_values():
    rng = np.random.default_rng(6)
    x = rng.random(60)
    of_runs = {"run": [f"r{i % 6}" for i in range(60)], "topic": [f"t{i // 6}" for i in range(60)]}
    values = {"EPRUM": x, "MAep": x + rng.random(60), "iMAep": rng.random(60)}
    return pd.DataFrame({"quantisation": "gen", **of_runs, **values})


def correlated(values):
    """Return the paper's correlations of these values."""
    groups = [
        Group(
            f"topics, {q}",
            [Column(name, str(q), name) for name in ("EPRUM", *numbers.EFFORT_PRECISION)],
            [("EPRUM", name) for name in numbers.EFFORT_PRECISION],
        )
        for q in values["quantisation"].unique()
    ]
    how = context().findings
    request = Correlations("all", ["pearson", "spearman"], "values", groups, how.resamples, how.seed)
    return correlate(
        request,
        lambda column: values[values["quantisation"] == column.runs].rename(
            columns={column.measure: "value"}
        ),
    )


def test_correlations_of_all_values_the_top_and_the_rest():
    values = random_values()
    x, y = values["EPRUM"].to_numpy(), values["MAep"].to_numpy()
    table = numbers.correlations(values, correlated(values), PUBLISHED, top=20)
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
    one = values.iloc[:1]
    assert numbers.correlations(one, correlated(one), PUBLISHED, top=48)["pearson_r"].isna().all()


# ---- findings


#: values of a run on three topics
OF_TOPICS = pd.DataFrame({"label": "EPRUM", "m": 0.3, "topic": list("abc"), "value": [0.9, 1.0, 1.1]})


def quantities(values, **settings):
    frames = {"averages": OF_TOPICS, "nearby": OF_TOPICS, "falls": OF_TOPICS.assign(draw=OF_TOPICS["topic"])}
    curves = OF_TOPICS.merge(pd.DataFrame({"cutoff": np.arange(1, 101) / 100}), how="cross")
    curves["value"] *= curves["cutoff"]
    frames["below"] = pd.DataFrame({"lists": [3], "below": [0]})
    frames |= {"curves": curves, "values": values, "estimates": correlated(values)}
    return dict(PAPER.quantities(frames, context(**settings)))


def test_the_sample_of_a_perturbed_run_is_its_topics():
    """Average precision and points of the curves are means over the drawn topics."""
    estimates = quantities(random_values())
    weights = context().sample("perturbed topics", list("abc"), "topics").weights
    for name, value in (("AP[EPRUM, 0.3]", 1.0), ("late_precision[EPRUM, 0.3]", 0.9)):
        precision = estimates[name]
        assert isinstance(precision, Estimate) and precision.value == pytest.approx(value)
        assert precision.drawn[0] == pytest.approx(value * (weights[1] * OF_TOPICS["value"]).sum() / 3)


def test_correlations_of_a_campaign_draw_topics_with_all_their_values():
    values = random_values()
    x, y = values["EPRUM"].to_numpy(), values["MAep"].to_numpy()
    estimates = quantities(values, top=20)
    top = numbers.top_ranked(values, "MAep", "both", 20)
    for part, which in (("all", np.ones(60, dtype=bool)), ("top", top), ("rest", ~top)):
        correlation = estimates[f"r[{part}, gen]"]
        assert value_of(correlation) == pytest.approx(np.corrcoef(x[which], y[which])[0, 1], abs=1e-12)
        assert isinstance(correlation, Estimate) and (correlation.n, correlation.over) == (10, "topics")
    # without the first topic, the top 20 are chosen among the other topics
    ranks = pd.DataFrame({"x": -x, "y": -y}).rank().sum(axis=1).to_numpy()
    rest = np.argsort(np.where(np.arange(60) < 6, np.inf, ranks), kind="stable")[:20]
    correlation = estimates["r[top, gen]"]
    (without,) = correlation.without.values()
    assert without[0] == pytest.approx(np.corrcoef(x[rest], y[rest])[0, 1], abs=1e-12)


# ---- examples, figures, requests


#: measures of the same runs that others requested and that the paper must ignore
IGNORED_MEASURES = (
    "MAep(quantisation=gen,overlap=off)",
    "iMAep(quantisation=gen,overlap=on,ideal=deepest)",
    "EPRUM(navigation=length-ratio,quantisation=gen,distribution=normal)",
    "EPRUM(navigation=length-ratio,quantisation=gen)@0.5",
)


def test_averages_and_curves_are_means_over_topics_or_over_draws(tmp_path):
    paper_context = context(quantisations=["gen", "strict"], top=5, draws=2)
    requests = PAPER.requests(paper_context)
    section = "<sec><p>one two</p><p>three</p></sec>"
    documents = {f"d{n}": f"<article><fm>{n}</fm>{section * n}</article>" for n in range(1, 9)}
    rng, place = np.random.default_rng(4), tmp_path / "campaigns" / paper_context.campaign.name
    runs = {request.runs.runs for request in requests.values()}
    materials.leave_random(rng, documents, place, runs, systems=6, length=10, scale="inex2005")
    analysis = PAPER.analyse(materials.material(PAPER, paper_context, place.parent, *IGNORED_MEASURES))
    materials.check_publication(PAPER, analysis, paper_context, tmp_path / "made")
    specs = [
        spec
        for each in (requests["gen"], requests["moved"])
        for name in each.measures.values()
        for spec in parse_specs(name, MEASURES)
    ]
    assert {spec.parameters["ideal"] for spec in specs} == {"paper"}  # the same ideal elements for both
