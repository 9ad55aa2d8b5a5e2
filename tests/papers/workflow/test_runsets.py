"""Sets of runs that are scored together; `test_configuration.py` has campaigns of every origin."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuseval.campaign.tasks import INEX2005
from focuseval.measures.rules import RULES
from focuseval_papers.publication.requests import CampaignRequests
from focuseval_papers.retrieval.systems import SYSTEMS, systems_for
from focuseval_papers.workflow.campaign_settings import TASKS
from focuseval_papers.workflow.runsets import (
    DEFAULTS,
    KIND_OF_TASK,
    OF_IDEAL_RANKINGS,
    PERTURBATIONS,
    RETRIEVED,
    SIMULATIONS,
    RunSet,
    as_many,
    kind_of,
    own_runs,
)
from tests.papers.materials import campaign


def test_plain_values_make_the_same_set():
    one = RunSet("submitted", topics=("1", "007"), size=10).perturbed("turned_around", first=25)
    plain = json.loads(json.dumps(one.as_dict()))
    assert RunSet(**plain | {"topics": tuple(plain["topics"])}) == one == RunSet(**one.as_dict())
    assert one.as_dict()["settings"] == {"first": 25}


def test_first_runs_and_topics_apply_to_synthetic_campaigns_only():
    campaign_of_files, runs = campaign(collection="c", assessments="a", runs="r"), RunSet("retrieved-focused")
    assert as_many(runs, campaign(), 26, 114) == RunSet("retrieved-focused", first_runs=26, first_topics=114)
    assert as_many(runs, campaign_of_files, 26, 114) == runs
    assert own_runs(campaign_of_files, 100) == RunSet("submitted", size=100)


def test_retrieval_makes_runs_of_every_kind_and_for_every_task():
    assert set(KIND_OF_TASK) == set(TASKS) - {"best-in-context"}  # its runs are only submitted ones
    kinds = {*KIND_OF_TASK.values(), *map(kind_of, INEX2005)}
    assert all(systems_for(kind, SYSTEMS[:1]) for kind in kinds)
    assert {own_runs(campaign(task=task)).task for task in KIND_OF_TASK} <= set(RULES)
    assert {own_runs(campaign(task=task)).runs for task in KIND_OF_TASK} == {
        RETRIEVED + kind for kind in KIND_OF_TASK.values()
    }


def test_simulations_and_perturbations_inherit_settings_of_runs():
    """Perturbed runs lose the task's rules; ideal rankings, also perturbed ones, need no runs."""
    runs = RunSet("retrieved-focused", "view", ("1",), size=10, first_runs=3, first_topics=2, task="focused")
    about = {"judgements": "view", "topics": ("1",), "first_topics": 2}
    for name in PERTURBATIONS:
        settings = dict(DEFAULTS[name])
        changed = runs.perturbed(name, **settings)
        if name in OF_IDEAL_RANKINGS:
            assert changed == RunSet("", **about, made_by=name, settings=settings)
            assert changed.quantisations == [settings["quantisation"]]
        else:
            assert changed == RunSet(
                "retrieved-focused", **about, size=10, first_runs=3, made_by=name, settings=settings
            )
            assert changed.quantisations == []
        assert changed.task == "thorough" and changed.artefact == f"perturbed/{changed.name}.parquet"
    for name in ("perfect", "ancestors"):
        changed = runs.simulated(name)
        assert changed == RunSet("", **about, made_by=name) and changed.quantisations == []
        assert changed.artefact == f"simulated/{changed.name}.parquet"
    rankings = [
        {"quantisation": q, "overlap": o, "fetch_browse": "off"}
        for q, o in (("gen", "on"), ("strict", "off"))
    ]
    assert runs.simulated("ideal", rankings=rankings).quantisations == [
        "gen"
    ]  # rankings of all elements need no recall-base
    assert runs.artefact == "runs/retrieved-focused.parquet"


# ---- names

#: names of runs, assessments and topics; they have no dots, which separate the parts of a name
PLAIN = st.text("abXY01-_", min_size=1, max_size=6)
TOPICS = st.none() | st.lists(st.text(max_size=4), min_size=1, max_size=3, unique=True).map(tuple)
COUNTS = st.none() | st.integers(1, 30)
M = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9]), min_size=1, max_size=7, unique=True)
RANKINGS = st.lists(
    st.fixed_dictionaries(
        {"quantisation": st.sampled_from(["gen", "strict"]), "overlap": st.sampled_from(["on", "off"])}
    ),
    min_size=1,
    max_size=3,
)
MOVING = st.fixed_dictionaries(
    {
        "quantisation": st.sampled_from(["gen", "strict"]),
        "seed": st.integers(0, 3),
        "draws": st.integers(1, 3),
    },
    optional={"m": M},
)
SETTINGS = {
    "ideal": st.fixed_dictionaries({"rankings": RANKINGS}),
    "moved": MOVING,
    "siblings": MOVING,
    "turned_around": st.fixed_dictionaries({"first": st.integers(1, 30)}),
    "repeated": st.fixed_dictionaries({"relevant": st.booleans()}),
    "reordered": st.fixed_dictionaries(
        {"ranks": st.integers(1, 30), "quantisation": st.sampled_from(["gen", "strict"])},
        optional={"clusters": st.booleans(), "versions": st.permutations(["i", "ii", "S0"])},
    ),
}


@st.composite
def run_sets(draw):
    of = {"judgements": draw(st.just("all") | PLAIN), "topics": draw(TOPICS)}
    counts = {name: draw(COUNTS) for name in ("size", "first_runs", "first_topics")}
    task = draw(st.sampled_from(["thorough", "focused", "relevant-in-context"]))
    runs = RunSet(draw(PLAIN.filter(lambda name: name not in SIMULATIONS)), **of, **counts, task=task)
    made_by = draw(st.sampled_from(["", *SIMULATIONS, *PERTURBATIONS]))
    if not made_by:
        return runs
    settings = draw(SETTINGS.get(made_by, st.just({})))
    return (runs.simulated if made_by in SIMULATIONS else runs.perturbed)(made_by, **settings)


@given(st.lists(run_sets(), min_size=2, max_size=12))
def test_different_sets_have_different_names_of_safe_characters(sets):
    for one in sets:
        assert re.fullmatch(r"[A-Za-z0-9._=-]+", one.name) and not one.name.startswith(".")
        assert one.name == RunSet(**one.as_dict()).name
        for other in sets:
            assert (one.name == other.name) == (one == other), (one, other)
            assert one != other or one.artefact == other.artefact


def test_names_stay_as_they_are():
    """The names are those of files, so a change would compute everything again."""
    runs = RunSet("retrieved-focused", task="focused")
    moved = {"quantisation": "gen", "seed": 0, "draws": 2}
    names = {
        "submitted": RunSet("submitted"),
        "submitted.asked": RunSet("submitted", "asked"),
        "submitted.first-100": RunSet("submitted", size=100),
        "retrieved-focused": runs,
        "retrieved-focused.thorough": RunSet("retrieved-focused"),
        "submitted.focused": RunSet("submitted", task="focused"),
        "retrieved-focused.topics-b0b46cb2.runs-3.topics-2": RunSet(
            "retrieved-focused", topics=("1", "007"), first_runs=3, first_topics=2, task="focused"
        ),
        "perfect": runs.simulated("perfect"),
        "halved.retrieved-focused.thorough": runs.perturbed("halved"),
        "turned_around.first-25.submitted": RunSet("submitted").perturbed("turned_around", first=25),
        "moved.draws-2.quantisation-gen.seed-0": runs.perturbed("moved", **moved),
        "moved.draws-2.m-0.1_0.5.quantisation-gen.seed-0": runs.perturbed("moved", **moved, m=[0.1, 0.5]),
        "moved.draws-2.quantisation-gen.seed-0.057b1a40": runs.perturbed(
            "moved", **moved, m=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        ),
    }
    assert {one.name: one for one in names.values()} == names


def test_equal_sets_share_an_artefact_and_a_clash_is_refused():
    campaign_requests = CampaignRequests()
    for _ in range(2):
        campaign_requests.add(RunSet("submitted").perturbed("turned_around", first=25), ["MAep"])
    (one,) = campaign_requests.sets.values()
    assert one.artefact == "perturbed/turned_around.first-25.submitted.parquet"
    assert campaign_requests.scores == {(one.name, "xcg"): ["MAep"]}
    # the name of a file of runs may look like that of a perturbed set
    for runs in (RunSet("turned_around.first-25.submitted"), RunSet("turned_around", "first-25.submitted")):
        assert runs.name == one.name
        with pytest.raises(
            ValueError, match=r"two run sets have the name turned_around\.first-25\.submitted"
        ):
            campaign_requests.add(runs, ["MAep"])
    assert list(campaign_requests.sets.values()) == [one]
