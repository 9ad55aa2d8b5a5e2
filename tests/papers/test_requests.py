"""Requests of campaigns are a function of the configuration alone."""

import json
from dataclasses import replace
from math import comb
from pathlib import Path

import pytest
import yaml

from focuseval.errors import InputError
from focuseval.measures import MEASURES, family_of, parse_specs
from focuseval.report.parts import Absent
from focuseval.statistics.comparisons import Method
from focuseval_papers.publication.correlations import Correlations
from focuseval_papers.publication.paper import NAMES, Context, load
from focuseval_papers.publication.requests import (
    MOST_COMPARED,
    MOST_VIEWED,
    CampaignRequests,
    requests,
    why_not,
)
from focuseval_papers.workflow.campaign_settings import ComparisonSettings, FindingSettings
from focuseval_papers.workflow.configuration import read_campaign_file
from focuseval_papers.workflow.runsets import RunSet, own_runs
from tests.papers.materials import ROOT, campaign
from tests.papers.workflow.test_configuration import flow
from tests.snapshots import check

PAPERS = {name: load(name) for name in NAMES}
STANDARD = {name: paper.settings() for name, paper in PAPERS.items()}
CAMPAIGNS = {path.stem: read_campaign_file(path) for path in (ROOT / "config/campaigns").glob("*.yaml")}
COMPARISON = {"name": "mine", "measure": "nxCG@10"}


def requests_of(*campaigns):
    """Return the requests of campaigns and of their ``earlier`` campaigns, with the default settings of papers."""
    by_name = {each.name: each for each in campaigns}
    reported = [name for name in by_name if name not in {each.earlier for each in campaigns}]
    return requests(reported, by_name, STANDARD, PAPERS)


def test_papers_are_computed_on_own_files_only_by_request():
    """By the campaign or the configuration (``on_own``); on generated campaigns they always are."""

    def computed(one, on_own):
        (requested,) = requests([one.name], {one.name: one}, STANDARD, PAPERS, on_own=on_own).values()
        assert requested.papers.keys() | requested.unsuited.keys() == set(NAMES)
        return set(requested.papers)

    files = {"collection": "c", "assessments": "a", "runs": "r", "scale": "inex2003"}
    own, with_papers = campaign(**files), campaign(**files, papers=["goevert2006"])
    assert not computed(own, False) and "goevert2006" in computed(own, True)
    assert computed(with_papers, False) == {"goevert2006"}
    synthetic = CAMPAIGNS["concept-space-2005"]
    assert computed(synthetic, False) == computed(synthetic, True) != set()


def test_a_measure_that_a_paper_and_the_main_measures_spell_differently_is_scored_once():
    """The paper requires the measure, which is otherwise optional."""
    own = campaign(
        collection="c",
        assessments="a",
        runs="r",
        scale="inex2005",
        task="thorough",
        papers=["kazai2005"],
        measures=["nxCG(quantisation=gen,overlap=off)@10", "Q(overlap=off,alpha=0.5)"],
    )
    requested = requests_of(own)["mine"]
    measures = requested.scores["submitted", "xcg"]
    assert measures.count("nxCG(overlap=off)@10") == 1 == measures.count("Q(alpha=0.5,overlap=off)")
    assert all(spec.name == name for name in measures for spec in parse_specs(name, MEASURES))
    assert requested.optional("submitted", "xcg") == ["Q(alpha=0.5,overlap=off)"]


def test_equal_configurations_have_equal_requests_and_are_not_changed():
    first = campaign(scale="inex2005", significance=[COMPARISON])
    before = first.model_copy(deep=True)
    one, two = requests_of(first), requests_of(before)
    assert one == two and first == before and list(one) == ["mine"]


@pytest.mark.parametrize("name", sorted(CAMPAIGNS))
def test_every_shipped_campaign_has_consistent_requests(name):
    """Each set is scored from files of the campaign, under measures of its metrics, also to be viewed."""
    one = CAMPAIGNS[name]
    requested = requests_of(one, *([CAMPAIGNS[one.earlier]] if one.earlier else []))
    own_requests = requested[name]
    assert own_requests.papers.keys() | own_requests.unsuited.keys() == set(NAMES)
    assert list(own_requests.papers) == [paper for paper in NAMES if paper in own_requests.papers]
    assert {runs for runs, _ in own_requests.scores} == own_requests.sets.keys()
    for (name, metric), measures in own_requests.scores.items():
        runs, family = own_requests.sets[name], metric.partition("~")[0]
        assert runs.name == name and len(set(measures)) == len(measures) > 0
        assert {family_of(measure) for measure in measures} == {family}
        assert runs.judgements in own_requests.assessments
        assert runs.runs in own_requests.runs or (not runs.runs and runs.made_by)
        assert {*own_requests.optional(name, metric)} <= {*measures}
    for asked in own_requests.correlations.values():
        for group in asked.groups:
            labels = [column.label for column in group.columns]
            assert len(set(labels)) == len(labels) and {each for pair in group.pairs for each in pair} == {
                *labels
            }
            for column in group.columns:
                of = own_requests if column.of == "campaign" else requested[str(one.earlier)]
                scored = of.scores[column.runs, family_of(column.measure)]
                assert column.measure in {
                    spec.name for text in scored for spec in parse_specs(text, MEASURES)
                }
    assert (own_requests.viewed is None) == (not own_requests.scores)
    if viewed := own_requests.viewed:
        assert not viewed.runs.made_by and 0 < len(viewed.measures) <= MOST_VIEWED
        measures = [
            n for (runs, _), of in own_requests.scores.items() if runs == viewed.runs.name for n in of
        ]
        assert {*viewed.measures} <= {spec.name for name in measures for spec in parse_specs(name, MEASURES)}


# a table of campaigns and their requests

SNAPSHOT = Path(__file__).with_name("requests.yaml")
CASES = yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))


def paper_lines(name, context):
    """Yield the run sets of a paper, each with its first request, and the absent tables and figures."""
    paper = PAPERS[name]
    sets = {}
    for label, request in paper.requests(context).items():
        if not request.runs.made_by:
            sets.setdefault((request.of, request.runs.name), label)
    names = [f"{of} {runs} ({label})" for (of, runs), label in sets.items()]
    yield f"{name} of {', '.join(names)}"
    yield from (
        f"  without {item.title}: {item.why}" for item in paper.items(context) if isinstance(item, Absent)
    )


def comparison_line(comparison):
    """Return a comparison with its settings that differ from the defaults."""
    usual = ComparisonSettings(name=comparison.name, measure=comparison.measure).model_dump(mode="json")
    own = {key: value for key, value in comparison.settings.items() if value != usual[key]}
    facts = {"pools": comparison.pools, "lower": comparison.lower, "remarks": comparison.remarks}
    more = own | {key: value for key, value in facts.items() if value}
    return f"compares {comparison.runs.name} under {comparison.measure} {flow(more)}"


def described(requested, reasons):
    """Yield lines for all requests of a campaign, and reasons against papers that were not yet given."""
    for name, context in requested.papers.items():
        yield from paper_lines(name, context)
    for name, reason in requested.unsuited.items():
        if (name, reason) not in reasons:
            reasons.add((name, reason))
            yield f"not {name}: {reason}"
    for name in requested.sets:
        families = [metric for runs, metric in requested.scores if runs == name]
        yield f"scores {name}: {', '.join(families)}"
        for metric in families:
            if "~" in metric:
                yield f"  {metric}: {', '.join(requested.scores[name, metric])}"
    systems = requested.systems
    if systems:
        yield f"systems of {systems.heading}, {systems.counted}: {', '.join(systems.measures)}"
    comparisons = [*requested.comparisons.values(), *([systems.comparison] if systems else [])]
    yield from map(comparison_line, comparisons)
    yield from (f"sweeps {name} {' '.join(sweep.by_point)}" for name, sweep in requested.sweeps.items())
    if viewed := requested.viewed:
        yield f"views {viewed.runs.name}: {'; not '.join(', '.join(names) for names in viewed[1:] if names)}"
    yield f"reads {flow(requested.runs)} {flow(requested.assessments)}"
    if requested.nothing:
        yield "has no requests of its own"


def case_of(entry):
    return CAMPAIGNS[entry] if isinstance(entry, str) else campaign(**entry)


def test_requests_of_campaigns():
    lines = SNAPSHOT.read_text(encoding="utf-8").splitlines()[:3]
    reasons = set()
    for entries in (case["campaigns"] for case in CASES):
        lines += [f"- campaigns: {flow(entries)}", "  requests: |"]
        for name, requested in requests_of(*map(case_of, entries)).items():
            lines += [f"    {name}", *(f"      {line}" for line in described(requested, reasons))]
    check("\n".join([*lines, ""]), SNAPSHOT)


CHUNKS = {"scale": "highlights", "task": "relevant-in-context"}


@pytest.mark.parametrize(
    ("name", "settings", "facts", "message"),
    [
        ("kamps2007", {"papers": ["kamps2007"]}, {}, "its task is CO"),
        ("goevert2006", CHUNKS, {"passages": "its run a.txt"}, "the results of its run a.txt are passages, but"),
        ("goevert2006", CHUNKS, {}, ""),
        ("kamps2007", CHUNKS, {"passages": "its runs"}, ""),
        ("goevert2006", {"scale": "grades"}, {}, "its assessments judge whole documents"),
        ("goevert2006", {}, {"runs": 1}, "it has 1 run;"),
        ("goevert2006", {}, {"runs": 4}, "it has 4 runs; fewer than 5 do not show"),
        ("goevert2006", {}, {"runs": 5}, ""),
        ("goevert2006", {"papers": ["goevert2006"]}, {"runs": 1}, ""),
    ],
)  # fmt: skip
def test_why_a_paper_is_not_computed(name, settings, facts, message):
    reason = why_not(PAPERS[name], campaign(**settings), **facts)
    assert reason.startswith(message) and bool(reason) == bool(message)


RUNS = RunSet("retrieved-thorough")


def added(*requested):
    campaign_requests = CampaignRequests()
    for runs, measures in requested:
        campaign_requests.add(runs, measures)
    return campaign_requests


def test_equal_sets_are_shared_and_a_measure_is_scored_once():
    short = replace(RUNS, size=10)
    campaign_requests = added(
        (RUNS, ("MAep", "Q")), (RunSet("retrieved-thorough"), ("Q", "precall")), (short, ("T2I",))
    )
    campaign_requests.add(RUNS, ("MAep",), point="~alpha=0")
    campaign_requests.add(RUNS, ("Q", "R"), required=False)
    assert campaign_requests.scores == {
        (RUNS.name, "xcg"): ["MAep", "Q", "R"],
        (RUNS.name, "precall"): ["precall"],
        (short.name, "in_context"): ["T2I"],
        (RUNS.name, "xcg~alpha=0"): ["MAep"],
    }
    assert campaign_requests.sets == {RUNS.name: RUNS, short.name: short}
    # a measure that anybody requires is not optional
    assert (
        campaign_requests.optional(RUNS.name, "xcg") == ["R"]
        and campaign_requests.optional(RUNS.name, "xcg~alpha=0") == []
    )


def test_two_sets_of_one_name_are_refused():
    one, other = RunSet("a", "b"), RunSet("a.b")
    assert one.name == other.name == "a.b"
    campaign_requests = added((one, ("MAep",)))
    with pytest.raises(ValueError, match=r"two run sets have the name a\.b"):
        campaign_requests.add(other, ("MAep",))


def test_two_correlations_of_one_name_are_one_or_refused():
    campaign_requests, asked = CampaignRequests(), Correlations("mine", ["kendall"], "runs", [], 200, 0)
    for again in (asked, replace(asked)):
        campaign_requests.correlate(again)
    assert campaign_requests.correlations == {"mine": asked}
    with pytest.raises(ValueError, match="two correlations have the name mine"):
        campaign_requests.correlate(replace(asked, over="topics"))


def test_runs_are_made_of_as_many_systems_as_any_set_takes():
    ten, most = ((replace(RUNS, first_runs=n), ("Q",)) for n in (10, 26))
    every, some = ((RunSet("retrieved-focused", first_runs=n), ("Q",)) for n in (None, 3))
    assert added(most, ten, every, some).runs == {"retrieved-focused": None, "retrieved-thorough": 26}


def test_simulated_and_perturbed_runs_are_requested_with_their_sources():
    perfect, halved = RUNS.simulated("perfect"), RUNS.perturbed("halved")
    moved = RunSet("retrieved-focused").perturbed("moved", quantisation="gen", seed=0, draws=2)
    campaign_requests = added((perfect, ("MAep",)), (halved, ("MAep",)), (moved, ("MAep",)))
    assert {name for name, runs in campaign_requests.sets.items() if runs.made_by} == {
        perfect.name,
        halved.name,
        moved.name,
    }
    assert campaign_requests.runs == {
        "retrieved-thorough": None
    }  # neither simulated runs nor moved ones need runs


OWN = {"collection": "c", "assessments": "a", "runs": "r", "scale": "inex2005", "papers": []}


def test_own_variants_of_a_campaign_are_those_of_papers_and_optional():
    """A campaign and a paper that use the same words request the same artefact."""
    own_campaign = campaign(
        **OWN,
        simulations=["ideal", "perfect"],
        perturbations=[{"name": "turned_around", "first": 25}, {"name": "moved", "m": [0.5], "draws": 3}],
    )
    own_requests, own = requests_of(own_campaign)["mine"], own_runs(own_campaign)
    assert own_requests.variants is not None and own_requests.variants.runs[0] == own
    _, ideal, perfect, turned, moved = own_requests.variants.runs
    assert perfect == own.simulated("perfect") and turned == own.perturbed("turned_around", first=25)
    assert {(one["quantisation"], one["overlap"]) for one in ideal.settings["rankings"]} == {
        (q, overlap) for q in ("gen", "genLifted", "strict", "specificity") for overlap in ("on", "off")
    }
    assert moved.settings == {"quantisation": "gen", "m": [0.5], "draws": 3, "seed": 0}
    assert own_requests.variants.measures == own_requests.systems.measures
    for runs in own_requests.variants.runs:
        measures = [
            name for (of, _), names in own_requests.scores.items() if of == runs.name for name in names
        ]
        assert measures == list(own_requests.variants.measures)
    assert not own_requests.required and not own_requests.nothing
    assert own_requests.variants.as_dict()["made_by"] == {
        own.name: "",
        **{one.name: one.made_by for one in own_requests.variants.runs[1:]},
    }


def test_own_correlations_of_a_campaign_are_of_its_runs_and_require_their_measures():
    entry = {
        "name": "mine",
        "measures": ["MAep", "nxCG@10", "MAP"],
        "coefficient": "spearman",
        "over": "topics",
    }
    drawn = FindingSettings(resamples=300, seed=4)
    own_campaign = campaign(**OWN, correlations=[entry])
    own_requests = requests(["mine"], {"mine": own_campaign}, STANDARD, PAPERS, findings=drawn)["mine"]
    own = own_runs(own_campaign)
    assert own_requests.own_correlations == ["mine"]
    one = own_requests.correlations["mine"]
    assert (one.coefficients, one.over, one.resamples, one.seed) == (["spearman"], "topics", 300, 4)
    (group,) = one.groups
    assert [(column.runs, column.measure) for column in group.columns] == [
        (own.name, name) for name in ("MAep", "nxCG@10", "MAP")
    ]
    assert list(group.pairs) == [("nxCG@10", "MAep"), ("MAP", "MAep"), ("MAP", "nxCG@10")]
    assert {(own.name, name) for name in ("MAep", "nxCG@10", "MAP")} <= own_requests.required
    assert Correlations.from_dict(json.loads(json.dumps(one.as_dict()))) == one


def test_correlations_of_a_papers_name_are_refused():
    (theirs,) = PAPERS["kazai2005"].correlations(Context(campaign(scale="inex2005"), STANDARD["kazai2005"]))
    own_campaign = campaign(scale="inex2005", correlations=[{"name": theirs.name, "measures": ["MAep", "Q"]}])
    with pytest.raises(
        InputError, match=f"mine.correlations.{theirs.name}: a paper also has correlations of this name"
    ):
        requests_of(own_campaign)


def test_findings_of_every_paper_are_drawn_as_configured():
    drawn = FindingSettings(resamples=200, seed=9)
    own_requests = requests(["concept-space"], CAMPAIGNS, STANDARD, PAPERS, findings=drawn)["concept-space"]
    assert {context.findings for context in own_requests.papers.values()} == {drawn}
    sample = next(iter(own_requests.papers.values())).sample("runs", ["a", "b"], "runs")
    assert (sample.resamples, sample.seed, sample.members) == (200, 9, ("a", "b"))


def test_the_number_of_compared_systems_is_limited_by_the_draws():
    smallest, alpha = Method().smallest(topics=50), Method().alpha
    assert comb(MOST_COMPARED, 2) * smallest <= alpha < comb(MOST_COMPARED + 1, 2) * smallest
