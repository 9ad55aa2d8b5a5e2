"""What a configuration asks for: a function of the configuration alone."""

from collections.abc import Mapping
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.statistics.comparisons import Method
from focuseval_papers.publication.declaration import Declaration
from focuseval_papers.publication.paper import NAMES, Publication, Request, load
from focuseval_papers.publication.requests import (
    MOST_COMPARED,
    OWN,
    SWEEPS,
    SYSTEMS,
    CampaignRequests,
    requests,
    why_not,
)
from focuseval_papers.workflow.configuration import CampaignSettings, FindingSettings, read_campaign_file
from focuseval_papers.workflow.runsets import RunSet, own_runs
from focuseval_papers.workflow.settings import Settings
from tests.papers.made import ROOT, campaign

PAPERS = {name: load(name) for name in NAMES}
STANDARD = {name: paper.settings() for name, paper in PAPERS.items()}
CAMPAIGNS = {path.stem: read_campaign_file(path) for path in (ROOT / "config/campaigns").glob("*.yaml")}
COMPARISON = {"name": "mine", "measure": "nxCG@10"}
FILES = {"collection": "c", "assessments": "a", "runs": "r"}


class NoSettings(Settings):
    pass


def paper(name: str, *asked: Request) -> Publication:
    """A publication that asks for this."""
    found = Publication(
        Path(name),
        settings=NoSettings,
        asks=lambda context: list(asked),
        analyse=lambda material: {},
        quantities=lambda frames, context: {},
        in_print=lambda tables: {},
    )
    found.__dict__["declared"] = Declaration(title=name, campaign="", introduction="", findings=[])
    return found


def asked_of(
    *campaigns: CampaignSettings, papers: Mapping[str, Publication] = PAPERS
) -> dict[str, CampaignRequests]:
    """What is asked of campaigns and of those that they name as ``earlier``, with the papers' own settings."""
    known = {each.name: each for each in campaigns}
    reported = [name for name in known if name not in {each.earlier for each in campaigns}]
    return requests(reported, known, {name: each.settings() for name, each in papers.items()}, papers)


def mine(*asked: Publication, **settings: Any) -> CampaignRequests:
    """What is asked of one campaign, by all papers or by these."""
    return asked_of(campaign(**settings), papers={one.name: one for one in asked} or PAPERS)["mine"]


def own(**settings: Any) -> CampaignSettings:
    return campaign(**{**FILES, "scale": "inex2005", **settings})


def test_the_same_configuration_asks_for_the_same_and_is_left_as_it_was() -> None:
    first = campaign(scale="inex2005", significance=[COMPARISON])
    before = first.model_copy(deep=True)
    one, two = asked_of(first), asked_of(before)
    assert one == two and first == before and list(one) == ["mine"]


@pytest.mark.parametrize("name", sorted(CAMPAIGNS))
def test_every_campaign_that_comes_with_it_can_be_asked_all_that_it_suits(name: str) -> None:
    """No two papers call different runs by one name, every measure has a family, and what is looked into is scored."""
    one = CAMPAIGNS[name]
    beside = [CAMPAIGNS[one.earlier]] if one.earlier else []
    found = asked_of(one, *beside)[name]
    assert found.papers.keys() | found.unsuited.keys() == set(NAMES)
    assert list(found.papers) == [paper for paper in NAMES if paper in found.papers]
    for batch, sets in found.scores.items():
        assert found.families(batch)
        assert len({runs.name for runs, _ in sets}) == len(sets)
        for runs, measures in sets:
            assert len(set(measures)) == len(measures) > 0
            assert runs.runs in found.runs and runs.judgements in found.judgements
    viewed = found.viewed
    assert (viewed is None) == (not found.scores)
    if viewed is not None:
        assert not viewed.runs.transformation and 0 < len(viewed.measures) <= 4
        measures = dict((runs.name, names) for runs, names in found.scores[viewed.batch])[viewed.runs.name]
        specs = [spec for name in measures for spec in parse_specs(name, MEASURES)]
        assert set(viewed.measures) <= {spec.name for spec in specs}
        whole = {spec.name for spec in specs if spec.cutoff is None}
        assert len(whole & set(viewed.measures)) == min(len(whole), 4), "measures of whole lists come first"


def test_a_paper_is_not_computed_where_it_does_not_suit_and_says_why() -> None:
    found = mine(scale="inex2003")
    assert list(found.papers) == ["goevert2006"]
    assert found.unsuited.keys() == set(NAMES) - {"goevert2006"}
    assert "on the scale inex2003" in found.unsuited["kazai2005"]
    assert "relevant-in-context" in found.unsuited["kamps2007"]
    named = mine(scale="inex2003", papers=["kazai2005"])
    assert list(named.papers) == ["kazai2005"]
    assert named.unsuited["goevert2006"] == "the campaign does not name it under its papers"
    nothing = mine(papers=[])
    assert nothing.nothing and not mine(papers=[], significance=[COMPARISON]).nothing
    assert (nothing.papers, nothing.scores, nothing.runs) == ({}, {}, [])
    assert nothing.unsuited.keys() == set(NAMES)


CHUNKS = {"scale": "highlights", "task": "relevant-in-context"}


@pytest.mark.parametrize(
    ("name", "settings", "known", "told"),
    [
        ("kamps2007", {"papers": ["kamps2007"]}, {}, "its task is CO"),
        ("goevert2006", CHUNKS, {"passages": "its run a.txt"}, "the results of its run a.txt are passages, and"),
        ("goevert2006", CHUNKS, {}, ""),
        ("kamps2007", CHUNKS, {"passages": "its runs"}, ""),
        ("goevert2006", {"scale": "grades"}, {}, "its assessments judge whole documents"),
        ("goevert2006", {}, {"runs": 1}, "it has 1 run;"),
        ("goevert2006", {}, {"runs": 4}, "it has 4 runs; of fewer than 5, nothing can be said"),
        ("goevert2006", {}, {"runs": 5}, ""),
        ("goevert2006", {"papers": ["goevert2006"]}, {"runs": 1}, ""),
    ],
)  # fmt: skip
def test_why_a_paper_is_not_computed(name: str, settings: Any, known: Any, told: str) -> None:
    found = why_not(PAPERS[name], campaign(**settings), **known)
    assert found.startswith(told) and bool(found) == bool(told)


def test_few_runs_are_known_before_papers_are_asked() -> None:
    found = requests(["mine"], {"mine": own()}, STANDARD, PAPERS, runs={"mine": 4})["mine"]
    assert found.papers == {} and "it has 4 runs" in found.unsuited["goevert2006"]


@pytest.mark.parametrize("scale", ["inex2003", "inex2005"])
def test_a_comparison_changes_no_other_request(scale: str) -> None:
    """Also one of other runs than the papers': they are scored in a job of their own."""
    without = mine(scale=scale)
    found = mine(scale=scale, significance=[COMPARISON | {"size": 10}, COMPARISON | {"name": "all"}])
    assert {batch: sets for batch, sets in found.scores.items() if batch != OWN} == without.scores
    assert OWN not in without.scores and without.comparisons == []
    plain = {name: context.as_dict() for name, context in found.papers.items()}
    assert plain == {name: context.as_dict() for name, context in without.papers.items()}
    assert found.unsuited == without.unsuited
    sizes = [(runs.name, runs.size) for runs, _ in found.scores[OWN]]
    assert sizes == [("runs, first 10", 10), ("runs", None)]


def test_comparisons_name_measures_and_runs_as_scores_do() -> None:
    compared = [
        COMPARISON | {"ranked_by": "MAep(alpha=1)", "top": 4, "test": "t-test"},
        {"name": "other", "measure": "MAep"},
    ]
    found = mine(scale="inex2005", papers=[], significance=compared)
    first, second = found.comparisons
    assert (first.name, first.measure, first.ranked_by) == ("mine", "nxCG@10", "MAep")
    assert (second.measure, second.ranked_by) == ("MAep", "MAep")
    assert first.settings["top"] == 4 and first.settings["test"] == "t-test"
    assert first.size is None and second.size is None
    ((runs, measures),) = found.scores[OWN]
    assert first.runs == second.runs == runs.name == "runs"
    assert list(measures) == ["nxCG@10", "MAep"]  # each once
    assert found.families(OWN) == ["xcg"]
    viewed = mine(scale="inex2005", significance=[COMPARISON]).viewed
    assert viewed is not None and (viewed.batch, list(viewed.measures)) == (OWN, ["nxCG@10"])


RUNS = RunSet("CO.Thorough", "thorough")


def test_papers_share_sets_of_runs_and_ask_for_a_measure_once() -> None:
    other = replace(RUNS, name="x")
    found = mine(
        paper("kazai2005", Request(RUNS, ("MAep", "Q")), Request(RUNS, ("MAep",), batch="sweep")),
        paper("ali2008", Request(RUNS, ("Q", "precall")), Request(other, ("T2I",))),
    )
    assert found.scores == {
        "papers": [(RUNS, ["MAep", "Q", "precall"]), (other, ["T2I"])],
        "sweep": [(RUNS, ["MAep"])],
    }
    assert found.families("papers") == ["in_context", "precall", "xcg"]
    assert found.families("sweep") == ["xcg"]


def test_runs_are_made_of_as_many_systems_as_any_set_takes() -> None:
    ten, most = (Request(RunSet(f"first {n}", "thorough", first_runs=n), ("Q",)) for n in (10, 26))
    every, some = (Request(RunSet(f"f {n}", "focused", first_runs=n), ("Q",)) for n in (None, 3))
    assert mine(paper("ali2008", most, ten, every)).systems_made == {"focused": None, "thorough": 26}
    assert mine(paper("ali2008", every, some)).systems_made == {"focused": None}


def test_two_different_sets_of_one_name_are_refused() -> None:
    one, other = Request(RUNS, ("MAep",)), Request(replace(RUNS, size=10), ("MAep",))
    with pytest.raises(ValueError, match="two sets of runs have the name 'CO.Thorough'"):
        mine(paper("ali2008", one, other))
    assert mine(paper("ali2008", one, replace(other, batch="sweep"))).scores.keys() == {"papers", "sweep"}


def test_the_earlier_campaign_is_asked_for_its_runs_only() -> None:
    here, before = campaign(earlier="before"), campaign(name="before", significance=[COMPARISON])
    found = asked_of(here, before)
    assert list(found) == ["mine", "before"]
    assert found["before"].papers == found["before"].unsuited == {}
    assert found["before"].comparisons == []
    ((runs, measures),) = found["before"].scores["papers"]
    assert (runs.name, runs.size, len(measures)) == ("2002 runs (100)", 100, 6)
    assert found["before"].runs == ["as-declared"]
    assert found["mine"].papers["goevert2006"].earlier == before
    only = {"goevert2006": PAPERS["goevert2006"]}
    both = requests(["mine", "before"], {"mine": here, "before": before}, STANDARD, only)
    assert list(both["before"].papers) == ["goevert2006"] and len(both["before"].comparisons) == 1
    names = [runs.name for runs, _ in both["before"].scores["papers"]]
    assert names == ["2002 runs (100)", "2003 runs (1500)", "2003 runs (100)", "simulated"]


def test_files_that_a_campaign_must_leave() -> None:
    tasks: dict[str, Any] = {"CO.Thorough": {}, "SSCAS": {"runs": "s", "assessments": "t"}}
    found = mine(**FILES, scale="inex2005", papers=["kazai2005"], tasks=tasks)
    assert found.runs == ["SSCAS", "submitted"]
    assert found.judgements == ["all", "SSCAS"]
    assert found.transformations("papers") == [
        f"focuseval_papers.transformations.{name}" for name in ("of_judgements", "of_runs")
    ]
    assert found.transformations(SYSTEMS) == []


def test_sweeps_are_one_job_on_the_campaigns_own_runs() -> None:
    sweeps = [{"measure": "MAep", "parameters": {"alpha": [0, 1]}}, {"measure": "nxCG", "cutoffs": [5, 10]}]
    found = mine(papers=[], sweeps=sweeps)
    names = ["MAep(alpha=0)", "MAep(alpha=1)", "nxCG()@5", "nxCG()@10"]
    assert found.scores == {SWEEPS: [(own_runs(campaign()), names)]}
    assert found.families(SWEEPS) == ["xcg"] and not found.nothing


def test_what_counts_are_added_up_and_what_reads_texts_is_known_before_anything_is_scored() -> None:
    compared = [
        {"name": "words", "measure": "word_F1(average=micro)", "ranked_by": "char_recall(counting=summed)"},
        {"name": "twice", "measure": "char_recall(counting=summed)"},
    ]
    words, twice = mine(scale="highlights", significance=compared).comparisons
    assert words.pools == {"word_F1(average=micro)": "f1"} and twice.pools == {}
    assert words.remarks == ["counts are added up over topics: it is no mean of their values"]
    assert twice.remarks == ["text that several results hold counts with each: values can exceed 1"]
    for measure, reads in {"word_F1": True, "char_recall@500w": True, "char_recall@500c": False}.items():
        found = mine(scale="highlights", significance=[{"name": "a", "measure": measure}])
        assert found.reads_texts(OWN) is reads


def test_findings_of_every_paper_are_drawn_as_the_configuration_says() -> None:
    drawn = FindingSettings(resamples=200, seed=9)
    made = requests(["concept-space"], CAMPAIGNS, STANDARD, PAPERS, findings=drawn)["concept-space"]
    assert {context.findings for context in made.papers.values()} == {drawn}
    sample = next(iter(made.papers.values())).sample("runs", ["a", "b"], "runs")
    assert (sample.resamples, sample.seed, sample.members) == (200, 9, ("a", "b"))


def test_what_has_to_keep_rules_is_known_before_anything_is_scored() -> None:
    """The rule of a main measure is no demand: that measure is left out where a run breaks it."""
    compared = [
        COMPARISON | {"measure": "MAgP", "size": 10},
        COMPARISON | {"name": "other", "measure": "AiP"},
    ]
    settings = {**FILES, "scale": "highlights", "papers": []}
    assert mine(**settings, task="focused", significance=compared).ruled == [
        ("submitted", "all", None, 10, ("focused", "relevant-in-context")),
        ("submitted", "all", None, None, ("focused",)),
    ]
    assert mine(**settings).ruled == []


def test_own_systems_are_scored_under_the_main_measures_of_their_task() -> None:
    found = asked_of(own(papers=[], title="Mine", size=200))["mine"]
    assert found.systems is not None and not found.nothing
    ((runs, measures),) = found.scores[SYSTEMS]
    assert (runs.runs, runs.size) == ("submitted", None)
    assert list(measures) == list(found.systems.measures)
    assert measures[0] == "MAep(overlap=off)" and measures[-1] == "MAP"
    compared = found.systems.comparison
    assert (compared.measure, compared.ranked_by, compared.size) == (measures[0], measures[0], 200)
    standard = {"test": "randomisation", "correction": "holm", "one_tailed": False, "top": MOST_COMPARED}
    assert standard.items() <= compared.settings.items()
    assert (found.systems.heading, found.systems.counted) == ("Mine", "submitted")
    assert compared.runs == runs.name
    assert asked_of(own(papers=[], measures=[]))["mine"].nothing
    pooled = asked_of(own(papers=[], scale="highlights"))["mine"].systems
    assert pooled is not None and pooled.comparison.pools.keys() <= set(pooled.measures)


def test_own_systems_are_looked_into_in_the_order_that_is_asked_for() -> None:
    viewed = asked_of(own(papers=[], measures=["nxCG@10", "MAep", "MAP", "nxCG@25", "P@5"]))["mine"].viewed
    assert viewed is not None and viewed.batch == SYSTEMS
    assert list(viewed.measures) == ["nxCG@10", "MAep", "MAP", "nxCG@25"]
    assert list(viewed.others) == ["P@5"]


def test_as_many_systems_are_compared_as_the_draws_can_tell_apart() -> None:
    smallest, alpha = Method().smallest(topics=50), Method().alpha
    assert comb(MOST_COMPARED, 2) * smallest <= alpha < comb(MOST_COMPARED + 1, 2) * smallest
