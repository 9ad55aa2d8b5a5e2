"""Requests of publications: texts with words and lists, sets of runs, correlations of their measures."""

import pytest

from focuseval.errors import InputError
from focuseval.measures import MEASURES
from focuseval.transformations.perturbations import EXPECTED
from focuseval_papers.publication.declaration import Declaration
from focuseval_papers.publication.request_settings import (
    PaperCorrelations,
    Request,
    ScoreSettings,
    requested,
    value_of,
    written_out,
)
from focuseval_papers.workflow.campaign_settings import FindingSettings
from focuseval_papers.workflow.runsets import VERSIONS, RunSet, own_runs
from focuseval_papers.workflow.settings import validated
from tests.papers.materials import campaign

WORDS = {
    "q": "gen",
    "both": ["gen", "strict"],
    "of": {"task": "CO.Thorough", "cutoffs": [5, 10]},
    "draws": 3,
    "no": False,
}
CAMPAIGN = campaign(concept_space={"size": "tiny"})


def requests_of(*entries):
    settings = [ScoreSettings.model_validate(entry) for entry in entries]
    return requested(settings, WORDS, {"campaign": CAMPAIGN, "earlier": None})


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("MAep", "MAep"), [("MAep", "MAep")]),
        (("MAep", "MAep({q})"), [("MAep", "MAep(gen)")]),
        (("{both}", "MAep({both})"), [("gen", "MAep(gen)"), ("strict", "MAep(strict)")]),
        (("{of[cutoffs]}, {q}", "Q@{of[cutoffs]}"), [("5, gen", "Q@5"), ("10, gen", "Q@10")]),
        (("{both}@{of[cutoffs]}",), [("gen@5",), ("gen@10",), ("strict@5",), ("strict@10",)]),
        (("{of[cutoffs][0]}",), [("5",)]),
    ],
)
def test_a_list_in_braces_stands_for_each_of_its_members(texts, expected):
    assert list(written_out(texts, WORDS)) == expected


def test_one_word_keeps_its_type():
    assert value_of({"draws": "{draws}", "name": "{draws} draws", "m": [0.1]}, WORDS) == {
        "draws": 3,
        "name": "3 draws",
        "m": [0.1],
    }


def test_undefined_words_are_named():
    with pytest.raises(ValueError, match="there is no word quantisation"):
        requests_of({"measures": ["MAep({quantisation})"]})


def test_sets_of_runs_are_those_of_a_campaign():
    requests = requests_of(
        {"measures": ["MAep"]},
        {"name": "{task}", "for": {"task": ["CO.Thorough", "SSCAS"]}, "task": "{task}", "measures": ["Q"]},
        {"name": "short", "size": "{draws}", "measures": {"label": "MAP"}, "notices": False},
        {"name": "moved", "perturbation": {"name": "moved", "draws": "{draws}"}, "measures": ["MAep"]},
        {"name": "perfect", "simulation": "perfect", "measures": ["MAep"]},
        {"name": "before", "of": "earlier", "measures": ["MAep"]},
        {"name": "never", "if": "no", "measures": ["MAep"]},
    )
    own = own_runs(CAMPAIGN)
    assert {name: request.runs for name, request in requests.items()} == {
        "runs": own,
        "CO.Thorough": RunSet("retrieved-thorough"),  # the campaign has no SSCAS task
        "short": own_runs(CAMPAIGN, 3),
        "moved": own.perturbed("moved", draws=3),
        "perfect": own.simulated("perfect"),
    }
    assert requests["short"] == Request(own_runs(CAMPAIGN, 3), {"label": "MAP"}, notices=False)


def test_two_sets_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two run sets have the name runs"):
        requests_of({"measures": ["MAep"]}, {"size": 5, "measures": ["MAep"]})


def correlated(**group):
    requests = requests_of(
        {"measures": ["MAep", "Q", "MAP"]}, {"name": "short", "size": 5, "measures": ["MAep", "Q"]}
    )
    groups = [{"name": "systems", **group}]
    settings = PaperCorrelations.model_validate(
        {"name": "orders", "coefficient": "kendall", "groups": groups}
    )
    correlations = settings.correlations(WORDS, requests, FindingSettings(), MEASURES)
    return [
        (one.name, [column.label for column in one.columns], list(one.pairs)) for one in correlations.groups
    ]


def test_every_pair_of_measures_is_correlated_the_later_one_first():
    [(_, columns, pairs)] = correlated(measures=["MAep", "Q", "MAP"])
    assert columns == ["MAep", "Q", "MAP"]
    assert pairs == [("Q", "MAep"), ("MAP", "MAep"), ("MAP", "Q")]


def test_measures_can_be_correlated_with_other_measures():
    [(_, columns, pairs)] = correlated(measures=["MAP"], **{"with": ["MAep", "Q"]})
    assert columns == ["MAP", "MAep", "Q"] and pairs == [("MAP", "MAep"), ("MAP", "Q")]


def test_groups_of_one_name_are_merged_and_columns_of_several_sets_get_distinct_labels():
    of_sets = {"for": {"measure": ["MAep", "Q"]}, "runs": ["runs", "short"], "label": "{measure}, {runs}"}
    [(_, columns, pairs)] = correlated(measures=["{measure}"], **of_sets)
    assert columns == ["MAep, runs", "MAep, short", "Q, runs", "Q, short"]
    assert pairs == [("MAep, short", "MAep, runs"), ("Q, short", "Q, runs")]


def test_perturbations_have_the_keys_of_a_campaign_and_its_messages():
    for key, expected in (("first", "'moved' does not have this setting"), ("times", "times")):
        with pytest.raises(ValueError, match=expected):
            requests_of({"perturbation": {"name": "moved", key: 3}, "measures": ["MAep"]})
    with pytest.raises(InputError, match=r"scores.1: the key 'metrics' is unknown"):
        validated(Declaration, {"scores": [{"metrics": ["MAep"]}]}, "publication.yaml")


def test_reordered_runs_have_the_versions_of_the_library():
    """The configuration does not import the library, so that a change there plans only these runs."""
    assert sorted(VERSIONS) == sorted(EXPECTED)
