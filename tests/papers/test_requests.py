"""What a configuration asks for: a function of the configuration alone."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from math import comb
from pathlib import Path
from typing import Any

import pytest
import yaml
from focuseval_papers.publication.requests import (
    MOST_COMPARED,
    MOST_VIEWED,
    OWN,
    SWEEPS,
    SYSTEMS,
    CampaignRequests,
    requests,
    why_not,
)

from focuseval.measures import MEASURES, parse_specs
from focuseval.report.parts import Absent
from focuseval.statistics.comparisons import Method
from focuseval_papers.publication.paper import NAMES, Context, Publication, Request, load
from focuseval_papers.workflow.configuration import CampaignSettings, FindingSettings, read_campaign_file
from focuseval_papers.workflow.runsets import RunSet
from tests.papers.made import ROOT, campaign
from tests.papers.workflow.test_configuration import flow
from tests.shown import check

PAPERS = {name: load(name) for name in NAMES}
STANDARD = {name: paper.settings() for name, paper in PAPERS.items()}
CAMPAIGNS = {path.stem: read_campaign_file(path) for path in (ROOT / "config/campaigns").glob("*.yaml")}
COMPARISON = {"name": "mine", "measure": "nxCG@10"}


def asked_of(*campaigns: CampaignSettings) -> dict[str, CampaignRequests]:
    """What is asked of campaigns and of those that they name as ``earlier``, with the papers' own settings."""
    known = {each.name: each for each in campaigns}
    reported = [name for name in known if name not in {each.earlier for each in campaigns}]
    return requests(reported, known, STANDARD, PAPERS)


def test_the_same_configuration_asks_for_the_same_and_is_left_as_it_was() -> None:
    first = campaign(scale="inex2005", significance=[COMPARISON])
    before = first.model_copy(deep=True)
    one, two = asked_of(first), asked_of(before)
    assert one == two and first == before and list(one) == ["mine"]


@pytest.mark.parametrize("name", sorted(CAMPAIGNS))
def test_every_campaign_that_comes_with_it_can_be_asked_all_that_it_suits(name: str) -> None:
    """No two papers call different runs by one name, every measure has a family, and what is looked into is scored."""
    one = CAMPAIGNS[name]
    found = asked_of(one, *([CAMPAIGNS[one.earlier]] if one.earlier else []))[name]
    assert found.papers.keys() | found.unsuited.keys() == set(NAMES)
    assert list(found.papers) == [paper for paper in NAMES if paper in found.papers]
    for batch, sets in found.scores.items():
        assert found.families(batch) and len({runs.name for runs, _ in sets}) == len(sets)
        for runs, measures in sets:
            assert len(set(measures)) == len(measures) > 0
            assert runs.runs in found.runs and runs.judgements in found.judgements
    assert (found.viewed is None) == (not found.scores)
    if viewed := found.viewed:
        assert not viewed.runs.transformation and 0 < len(viewed.measures) <= MOST_VIEWED
        measures = dict((runs.name, names) for runs, names in found.scores[viewed.batch])[viewed.runs.name]
        assert {*viewed.measures} <= {spec.name for name in measures for spec in parse_specs(name, MEASURES)}


# the table of campaigns, and what is asked of each

SNAPSHOT = Path(__file__).with_name("requests.yaml")
CASES = yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))


MOST = 30  #: of longer lists of measures, the first are written out


class Lists(dict[tuple[str, ...], int]):
    """Lists of measures: a long one is written out once, and has a number."""

    def said(self, names: Sequence[str]) -> str:
        listed = tuple(names)
        if len(listed) < 4:
            return ", ".join(listed)
        if listed in self:
            return f"[{self[listed]}]"
        self[listed] = len(self) + 1
        more = f", … {len(listed)} in all" if len(listed) > MOST else ""
        return f"[{self[listed]}] {', '.join(listed[:MOST])}{more}"


def runs_said(runs: RunSet) -> str:
    said = {key: value for key, value in runs.as_dict().items() if value and key != "name"}
    return f"{runs.name} {flow(json.loads(json.dumps(said)))}"


def of_paper(paper: Publication, context: Context, lists: Lists) -> Iterator[str]:
    """What a paper asks for, and what it shows or says why it does not."""
    for request in paper.asks(context):
        about = f"{request.of}, {request.batch}{'' if request.told else ', not told'}"
        yield f"{about}: {runs_said(request.runs)}: {lists.said(request.measures)}"
    items = paper.items(context)
    yield f"shows {', '.join(item.name for item in items if not isinstance(item, Absent))}"
    yield from (f"lacks {item.title}: {item.why}" for item in items if isinstance(item, Absent))


def said(found: CampaignRequests, lists: Lists) -> Iterator[str]:
    """All that is asked of a campaign."""
    for name, context in found.papers.items():
        yield name
        yield from (f"  {line}" for line in of_paper(PAPERS[name], context, lists))
    for why in dict.fromkeys(found.unsuited.values()):
        yield f"not {', '.join(name for name in found.unsuited if found.unsuited[name] == why)}: {why}"
    for batch, sets in found.scores.items():
        reads = ", reads texts" * found.reads_texts(batch)
        yield f"{batch}: {', '.join([*found.families(batch), *found.transformations(batch)])}{reads}"
        if batch in (OWN, SYSTEMS, SWEEPS):
            yield from (f"  {runs_said(runs)}: {lists.said(names)}" for runs, names in sets)
    systems = [found.systems.comparison] if found.systems else []
    for asked in [*found.comparisons, *systems]:
        yield f"compares {flow(json.loads(json.dumps(asdict(asked))))}"
    if found.systems:
        yield f"systems of {found.systems.heading}, {found.systems.counted}: {lists.said(found.systems.measures)}"
    if viewed := found.viewed:
        yield f"looks into {viewed.batch}, {viewed.runs.name}: {'; '.join(map(', '.join, viewed[2:]))}"
    yield f"makes {found.systems_made}, judgements {found.judgements}, nothing {found.nothing}"
    yield from (f"keeps rules {tuple(ruled)}" for ruled in found.ruled)


def case_of(entry: Any) -> CampaignSettings:
    return CAMPAIGNS[entry] if isinstance(entry, str) else campaign(**entry)


def test_what_is_asked_of_campaigns_is_as_it_was() -> None:
    lines = SNAPSHOT.read_text(encoding="utf-8").splitlines()[:3]
    lists = Lists()
    for entries in (case["campaigns"] for case in CASES):
        lines += [f"- campaigns: {flow(entries)}", "  asked: |"]
        for name, found in asked_of(*map(case_of, entries)).items():
            lines += [f"    {name}", *(f"      {line}".rstrip() for line in said(found, lists))]
    check("\n".join([*lines, ""]), SNAPSHOT)


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


RUNS = RunSet("CO.Thorough", "thorough")


def added(*asked: Request) -> CampaignRequests:
    found = CampaignRequests()
    for request in asked:
        found.add(request)
    return found


def test_papers_share_sets_of_runs_and_ask_for_a_measure_once() -> None:
    other = replace(RUNS, name="x")
    sweep = Request(RUNS, ("MAep",), batch="sweep")
    found = added(
        Request(RUNS, ("MAep", "Q")), sweep, Request(RUNS, ("Q", "precall")), Request(other, ("T2I",))
    )
    assert found.scores == {
        "papers": [(RUNS, ["MAep", "Q", "precall"]), (other, ["T2I"])],
        "sweep": [(RUNS, ["MAep"])],
    }
    assert found.families("papers") == ["in_context", "precall", "xcg"]
    with pytest.raises(ValueError, match="two sets of runs have the name 'CO.Thorough'"):
        found.add(Request(replace(RUNS, size=10), ("MAep",)))


def test_runs_are_made_of_as_many_systems_as_any_set_takes() -> None:
    ten, most = (Request(RunSet(f"first {n}", "thorough", first_runs=n), ("Q",)) for n in (10, 26))
    every, some = (Request(RunSet(f"f {n}", "focused", first_runs=n), ("Q",)) for n in (None, 3))
    assert added(most, ten, every, some).systems_made == {"focused": None, "thorough": 26}


def test_findings_of_every_paper_are_drawn_as_the_configuration_says() -> None:
    drawn = FindingSettings(resamples=200, seed=9)
    made = requests(["concept-space"], CAMPAIGNS, STANDARD, PAPERS, findings=drawn)["concept-space"]
    assert {context.findings for context in made.papers.values()} == {drawn}
    sample = next(iter(made.papers.values())).sample("runs", ["a", "b"], "runs")
    assert (sample.resamples, sample.seed, sample.members) == (200, 9, ("a", "b"))


def test_as_many_systems_are_compared_as_the_draws_can_tell_apart() -> None:
    smallest, alpha = Method().smallest(topics=50), Method().alpha
    assert comb(MOST_COMPARED, 2) * smallest <= alpha < comb(MOST_COMPARED + 1, 2) * smallest
