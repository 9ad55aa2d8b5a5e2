"""A scoring job: its tables are those of `score`, and simulated runs are scored like others."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice
from focuseval.errors import InputError
from focuseval.measures import FAMILIES, INSTALLED, MEASURES, family_module, family_of, parse_specs
from focuseval.model.judgements import Topic
from focuseval.scoring.score import score
from focuseval_papers.simulation.perturbations import turned_around
from focuseval_papers.simulation.simulations import ancestors, perfect
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.scoring import measures_of, read_left_out, read_scores, stacked
from focuseval_papers.workflow.store import load_collection, load_results, write_results
from tests.campaign.alike import plain_results
from tests.papers.materials import collection_on_disk, leave, results_of, scored
from tests.papers.workflow.steps import run_script
from tests.trees import random_topic

NAMES = ["precall(quantisation=strict)", "nxCG(quantisation=gen)@curve", "nxCG@5"]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Return a campaign's folder, three topics and two random runs; one repeats an element and lacks a topic."""
    folder = tmp_path_factory.mktemp("scoring") / "mine"
    text = "<article><sec><p>one</p><p>two three</p></sec><sec><p>four</p></sec></article>"
    collection = collection_on_disk({f"d{n}": text for n in range(3)}, folder)
    rng = np.random.default_rng(4)
    topics = [replace(random_topic(rng, collection, "inex2005"), name=name) for name in ("1", "007", "none")]
    topics[2] = replace(topics[2], exhaustivity=0 * topics[2].exhaustivity)
    lists = {key: rng.permutation(len(collection))[:8] for key in (("a", "1"), ("a", "007"), ("b", "1"))}
    lists["b", "1"][-1] = lists["b", "1"][0]
    results = results_of(lists, collection)
    leave(topics, {"submitted": results}, collection, folder)
    return folder, topics, results


def same(actual, expected):
    """Assert that a table has the expected scores."""
    columns = list(expected)
    texts = [name for name in columns if name not in ("value", "cutoff")]
    one, two = (
        table[columns].astype(dict.fromkeys(texts, str)).reset_index(drop=True)
        for table in (actual, expected)
    )
    pd.testing.assert_frame_equal(one, two)


def specs(*names):
    return [spec for name in names for spec in parse_specs(name, MEASURES)]


def test_every_set_is_scored_as_if_it_were_alone(stored):
    folder, topics, results = stored
    every, first = RunSet("submitted"), RunSet("submitted", size=3)
    one = RunSet("submitted", topics=("1",))
    table, _ = scored(folder, every, NAMES)
    assert set(table) == set(schema.SCORES.names)
    assert (
        set(table["campaign"]) == {"mine"}
        and set(table["runs"]) == {"submitted"}
        and set(table["size"]) == {-1}
    )
    same(table, score(topics, results, specs(*NAMES)).per_topic)
    table, _ = scored(folder, first, NAMES[2:])
    assert set(table["runs"]) == {"submitted.first-3"} and set(table["size"]) == {3}
    loaded = load_results(folder / "runs/submitted.parquet", topics[0].collection, size=3)
    same(table, score(topics, loaded, specs(NAMES[2])).per_topic)
    table, _ = scored(folder, one, NAMES[2:])
    assert set(table["runs"]) == {one.name} and set(table["size"]) == {-1}
    same(table, score(topics[:1], results, specs(NAMES[2])).per_topic)


def test_a_set_may_take_the_first_runs_and_topics(stored):
    folder, topics, results = stored
    few = RunSet("submitted", first_runs=1, first_topics=1)
    table, left_out = scored(folder, few, NAMES[2:])
    assert table["run"].unique().tolist() == [str(results.runs[0])]
    assert table["topic"].unique().tolist() == [topics[0].name]
    # topics that the run set excludes are not reported as left out
    assert "unassessed" not in set(left_out["kind"])
    whole = score(topics[:1], results, specs(NAMES[2])).per_topic
    same(table, whole[whole["run"] == results.runs[0]])


def score_script(folder, runs, metric, names, **params):
    """Run the script of a scoring job in a campaign's folder and return its scores."""
    out = {key: folder / f"scores/{runs.name}/{metric}{end}" for key, end in OUTPUTS.items()}
    inputs = {
        "collection": [folder / "collection/documents.parquet"],
        "assessments": [folder / f"assessments/{runs.judgements}/topics.parquet"],
        "runs": folder / runs.artefact,
        "recall_bases": [],
        "texts": "",
    }
    how = {"runs": runs.as_dict(), "measures": names, "optional": [], "unit": "characters", "lenient": False}
    wildcards = {"campaign": folder.name, "runs": runs.name, "metric": metric}
    run_script(
        "score",
        inputs,
        out,
        {**how, "inside": {"texts": ""}, "options": [], **params},
        wildcards,
        folder / "score.log",
    )
    assert schema.read(out["left_out"], schema.LEFT_OUT).num_rows >= 0
    return read_scores([str(out["scores"])])


OUTPUTS = {"scores": ".parquet", "left_out": ".left_out.parquet"}


def test_documents_that_nothing_names_need_not_be_loaded(tmp_path, monkeypatch):
    rng = np.random.default_rng(6)
    folder = tmp_path / "mine"
    text = "<a>x<b><c>one two</c><c>three</c></b><b>four<c>five six</c></b></a>"
    collection = collection_on_disk({f"d{n}": text for n in range(9)}, folder)
    rows = np.flatnonzero(np.isin(collection.document_of(np.arange(len(collection))), [1, 4, 5, 8]))
    results = results_of({("a", "1"): rng.permutation(rows)[:14]}, collection)
    judged = np.sort(rng.permutation(rows)[:9])
    e, s = rng.choice([1.0, 2.0], 9), rng.random(9)
    topic = Topic("1", "inex2005", collection, judged, e, s, None)
    leave([topic], {"submitted": results}, collection, folder)
    loaded = []
    monkeypatch.setattr(
        "focuseval_papers.workflow.store.load_collection",
        lambda *arguments, **how: loaded.append(load_collection(*arguments, **how)) or loaded[-1],
    )
    elements = [m for m in MEASURES.values() if m.needs <= {"judgements", "elements", "tree", "sizes"}]
    names = [m.name if m.value else f"{m.name}@{1 if m.name == 'ep' else 5}" for m in elements]
    some = [name for name in names if not specs(name)[0].needs & {"collection"}]
    by_metric = {}
    for name in some[::4]:
        by_metric.setdefault(family_of(name), []).append(name)
    assert len(by_metric) > 2
    for metric, measures, size in [
        ("structural", ["SRP@5"], 54),
        *((m, of, 24) for m, of in by_metric.items()),
    ]:
        table = score_script(folder, RunSet("submitted"), metric, measures)
        assert len(loaded[-1]) == size and loaded[-1].elements == 54
        same(table, score([topic], results, specs(*measures)).per_topic)


def test_simulated_and_perturbed_runs_are_artefacts_and_scored_like_others(stored):
    folder, topics, results = stored
    runs = RunSet("submitted")
    for run_set, expected, measure in (
        (runs.perturbed("turned_around", first=3), turned_around(results, topics, first=3), NAMES[2]),
        (runs.simulated("perfect"), perfect(topics), NAMES[0]),
        (runs.simulated("ancestors"), ancestors(topics), NAMES[0]),
    ):
        table, _ = scored(folder, run_set, [measure])
        same(table, score(topics, expected, specs(measure)).per_topic)
        loaded = load_results(folder / run_set.artefact, topics[0].collection)
        assert plain_results(loaded)[1:-1] == plain_results(replace(expected, sources=()))[1:-1]
        again = score_script(folder, run_set, family_of(measure), [measure])
        same(again, table[list(again)])


def test_perturbed_runs_are_made_of_the_results_that_the_set_takes(stored):
    folder, topics, results = stored
    runs = RunSet("submitted", size=4, first_runs=1).perturbed("turned_around", first=3)
    table, _ = scored(folder, runs, NAMES[2:])
    cut = load_results(folder / "runs/submitted.parquet", topics[0].collection, size=4, first_runs=1)
    same(table, score(topics, turned_around(cut, topics, first=3), specs(NAMES[2])).per_topic)
    assert set(table["run"]) == {str(results.runs[0])}


def test_omissions_are_reported_once_for_all_points_of_a_curve(stored):
    _, left_out = scored(stored[0], RunSet("submitted"), NAMES)
    assert list(left_out) == ["kind", "of", "number", "which", "runs"]
    rows = left_out[["runs", "kind", "of", "number", "which"]].values.tolist()
    for row in (
        ["submitted", "irrelevant", "nxCG(quantisation=gen)", 1, "none"],
        ["submitted", "irrelevant", "nxCG", 1, "none"],
        ["submitted", "missing", "b", 1, "007"],
        ["submitted", "repeated", "b", 1, ""],
    ):
        assert rows.count(row) == 1, rows
    assert [row[2] for row in rows if row[1] == "irrelevant"].count("nxCG(quantisation=gen)") == 1


def test_the_rules_of_a_task_hold_unless_it_is_lenient(stored):
    focused = RunSet("submitted", task="focused")
    with pytest.raises(InputError, match="overlaps an earlier one"):
        scored(stored[0], focused, NAMES[2:])
    _, left_out = scored(stored[0], focused, NAMES[2:], lenient=True)
    unruly = left_out[left_out["kind"] == "unruly"]
    assert unruly["of"].tolist() == ["a", "b"] and (unruly["number"] > 0).all()


def test_impossible_optional_measures_are_left_out_and_reported(stored):
    folder, runs = stored[0], RunSet("submitted")
    with pytest.raises(InputError, match="highlighted passages"):
        scored(folder, runs, ["nxCG@5", "AiP"])
    with pytest.raises(InputError, match="highlighted passages"):
        scored(folder, runs, ["AiP"], ["nxCG@5"])
    first, second = NAMES[2], "MAep"
    for required, optional in (([], [first, "AiP"]), ([first], ["AiP"]), ([second], [first, "AiP"])):
        scores, left_out = scored(folder, runs, required, optional)
        assert list(dict.fromkeys(scores["name"])) == list(dict.fromkeys([*required, first]))
        same(scores, stacked([scored(folder, runs, [name])[0] for name in dict.fromkeys([*required, first])]))
        (row,) = left_out[left_out["kind"] == "refused"].to_dict("records")
        assert (row["of"], row["number"], row["runs"]) == ("AiP", 1, "submitted")
        assert "the inputs have no highlighted passages" in row["which"]


def test_impossible_optional_measures_give_empty_tables(stored, tmp_path):
    scores, left_out = scored(stored[0], RunSet("submitted"), [], ["AiP", "iP@0.1"])
    assert len(scores) == 0 and set(scores) == set(schema.SCORES.names)
    assert left_out.loc[left_out["kind"] == "refused", "of"].tolist() == ["AiP", "iP@0.1"]
    # readers of scores accept empty tables, alone and among others
    schema.write(scores, schema.SCORES, tmp_path / "none.parquet")
    schema.write(left_out, schema.LEFT_OUT, tmp_path / "left_out.parquet")
    assert len(read_scores([str(tmp_path / "none.parquet")])) == 0
    empty, _ = scored(stored[0], RunSet("submitted"), NAMES[2:])
    schema.write(empty, schema.SCORES, tmp_path / "some.parquet")
    both = read_scores([str(tmp_path / "none.parquet"), str(tmp_path / "some.parquet")])
    same(both, empty)
    assert len(read_left_out([str(tmp_path / "left_out.parquet")])) == len(left_out)
    twice = [str(tmp_path / "left_out.parquet"), str(tmp_path / "other.parquet")]
    for path in twice:  # the tables of two metrics of the same runs
        outside = pd.DataFrame([("submitted", "outside", "a", 17, "")], columns=schema.LEFT_OUT.names)
        schema.write(outside, schema.LEFT_OUT, path)
    assert read_left_out(twice)["number"].tolist() == [17]


def test_a_run_of_passages_is_left_out_of_measures_of_elements_alone(stored):
    folder, topics, results = stored
    inside = results.run == list(results.runs).index("b")
    mixed = replace(results, element=np.where(inside, -1, results.element))
    write_results(mixed, topics[0].collection, folder / "runs/mixed.parquet")
    expected, _ = scored(folder, RunSet("submitted"), ["nxCG@5"])
    for required, optional in ((["nxCG@5", "MAP"], []), (["nxCG@5"], ["MAP"]), ([], ["nxCG@5", "MAP"])):
        table, left_out = scored(folder, RunSet("mixed"), required, optional)
        assert table.groupby("name", observed=True)["run"].unique().map(set).to_dict() == {
            "nxCG@5": {"a"},
            "MAP": {"a", "b"},
        }
        same(
            table.loc[table["name"] == "nxCG@5", ["run", "topic", "value"]],
            expected.loc[expected["run"] == "a", ["run", "topic", "value"]],
        )
        (row,) = left_out[left_out["kind"] == "passages"].to_dict("records")
        assert (row["of"], row["number"]) == ("b", int(inside.sum()))
    assert "passages" not in set(scored(folder, RunSet("mixed"), ["MAP"])[1]["kind"])
    every = replace(results, element=np.full(len(results), -1))
    write_results(every, topics[0].collection, folder / "runs/every.parquet")
    with pytest.raises(InputError, match="runs 'a' and 'b' returned passages that are not elements"):
        scored(folder, RunSet("every"), ["nxCG@5"])


def test_a_metric_has_the_measures_of_its_module_and_installed_measures_are_included():
    for metric in FAMILIES:
        assert list(measures_of([metric]).values()) == list(family_module(metric).MEASURES)
        assert {family_of(name) for name in measures_of([metric])} == {metric}
    assert {*measures_of(["xcg", "precall"])} == {*measures_of(["xcg"]), *measures_of(["precall"])}
    assert {*measures_of([INSTALLED])} == set(MEASURES)


def test_tables_of_several_jobs_are_one_below_the_other():
    first = pd.DataFrame({"run": pd.Categorical(["a", "b"]), "value": [1.0, 2.0]})
    second = pd.DataFrame({"run": pd.Categorical(["c", "a"]), "value": [3.0, 4.0]})
    both = stacked([first, second])
    assert isinstance(both["run"].dtype, pd.CategoricalDtype)
    assert both.astype({"run": str})[["run", "value"]].values.tolist() == [
        ["a", 1.0],
        ["b", 2.0],
        ["c", 3.0],
        ["a", 4.0],
    ]


def test_notices_of_measures_are_omitted_by_their_names():
    reported = [
        Notice("short", "7", "char_recall@500c", count=1, among=2, text="500 characters"),
        Notice("barren", measure="word_F1@5", topics=("q", "r")),
        Notice("incomplete", measure="ep", text="known elements only"),
        Notice("outside", "a", count=1, among=9),
        Notice("strange", "b", count=3, among=3),
    ]
    rows = notices.table(reported).set_index(["kind", "of"])[["number", "which"]].T.to_dict("list")
    assert rows == {
        ("outside", "a"): [1, ""],
        ("strange", "b"): [3, ""],
        ("barren", "word_F1"): [2, "q, r"],
        ("incomplete", "ep"): [1, "known elements only"],
        ("short", "char_recall@500c"): [
            1,
            "7 returned fewer than 500 characters on 1 of 2 topics; its score is not comparable with others, so retrieve more results",
        ],
    }
