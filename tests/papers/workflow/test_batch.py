"""A scoring job: its tables are those of `score`, set by set, and the runs that it makes are left beside them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from focuseval_papers.transformations.of_judgements import simulated_runs
from focuseval_papers.transformations.of_runs import turned_around

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice
from focuseval.errors import InputError
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import load_collection, load_results
from tests.campaign.alike import plain_results
from tests.papers.made import collection_on_disk, leave, results_of, scored
from tests.trees import random_topic

NAMES = ["precall(quantisation=strict)", "nxCG(quantisation=gen)@curve", "nxCG@5"]


Left = tuple[Path, list[Topic], Results]


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """A campaign's folder, three topics, and two runs: elements at random, one with a repetition and without a topic."""
    folder = tmp_path_factory.mktemp("batch") / "mine"
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


def same(found: pd.DataFrame, runs: str, expected: pd.DataFrame) -> None:
    """That the part of a table is what scoring gives."""
    part = found[found["runs"] == runs]
    columns = list(expected)
    texts = [name for name in columns if name not in ("value", "cutoff")]
    one, two = (
        table[columns].astype(dict.fromkeys(texts, str)).reset_index(drop=True) for table in (part, expected)
    )
    pd.testing.assert_frame_equal(one, two)


def specs(*names: str) -> list:
    return [spec for name in names for spec in parse_specs(name, MEASURES)]


def test_every_set_is_scored_as_it_is_by_itself(left: Left) -> None:
    folder, topics, results = left
    first = RunSet("first 3", "submitted", size=3)
    one = RunSet("one topic", "submitted", topics=("1",))
    table, _ = scored(folder, (RunSet("all", "submitted"), NAMES), (first, NAMES[2:]), (one, NAMES[2:]))
    assert set(table) == set(schema.SCORES.names)
    assert table["runs"].unique().tolist() == ["all", "first 3", "one topic"]
    assert set(table["campaign"]) == {"mine"}
    assert table.groupby("runs", observed=True)["size"].unique().map(list).to_dict() == {
        "all": [-1], "first 3": [3], "one topic": [-1],
    }  # fmt: skip
    same(table, "all", score(topics, results, specs(*NAMES)).per_topic)
    loaded = load_results(folder / "runs/submitted.parquet", topics[0].collection, size=3)
    same(table, "first 3", score(topics, loaded, specs(NAMES[2])).per_topic)
    same(table, "one topic", score(topics[:1], results, specs(NAMES[2])).per_topic)


def test_a_set_may_take_the_first_runs_and_topics(left: Left) -> None:
    folder, topics, results = left
    few = RunSet("few", "submitted", first_runs=1, first_topics=1)
    table, left_out = scored(folder, (few, NAMES[2:]))
    assert table["run"].unique().tolist() == [str(results.runs[0])]
    assert table["topic"].unique().tolist() == [topics[0].name]
    # topics that take no part are none that were left out
    assert "unassessed" not in set(left_out["kind"])
    whole = score(topics[:1], results, specs(NAMES[2])).per_topic
    same(table, "few", whole[whole["run"] == results.runs[0]])


def test_documents_that_nothing_names_need_not_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(6)
    here = tmp_path / "mine"
    text = "<a>x<b><c>one two</c><c>three</c></b><b>four<c>five six</c></b></a>"
    collection = collection_on_disk({f"d{n}": text for n in range(9)}, here)
    named = np.flatnonzero(np.isin(collection.document_of(np.arange(len(collection))), [1, 4, 5, 8]))
    results = results_of({("a", "1"): rng.permutation(named)[:14]}, collection)
    judged = np.sort(rng.permutation(named)[:9])
    e, s = rng.choice([1.0, 2.0], 9), rng.random(9)
    topic = Topic("1", "inex2005", collection, judged, e, s, None)
    leave([topic], {"submitted": results}, collection, here)
    loaded = []
    monkeypatch.setattr(
        "focuseval_papers.workflow.batch.load_collection",
        lambda *given, **how: loaded.append(load_collection(*given, **how)) or loaded[-1],
    )
    elements = [m for m in MEASURES.values() if m.needs <= {"judgements", "elements", "tree", "sizes"}]
    names = [m.name if m.value else f"{m.name}@{1 if m.name == 'ep' else 5}" for m in elements]
    for asked, size in (
        (["SRP@5"], 54),
        ([name for name in names if not specs(name)[0].needs & {"collection"}][::4], 24),
    ):
        table, _ = scored(here, (RunSet("all", "submitted"), asked))
        assert len(loaded[-1]) == size and loaded[-1].elements == 54
        same(table, "all", score([topic], results, specs(*asked)).per_topic)
    assert len(asked) > 3


def test_transformed_runs_are_scored_and_left_as_artefacts(left: Left, tmp_path: Path) -> None:
    folder, topics, results = left
    runs = RunSet("all", "submitted")
    turned = runs.transformed("turned", "turned_around", first=3)
    simulated = runs.transformed("simulated", "simulated_runs")
    table, _ = scored(folder, (turned, NAMES[2:]), (simulated, NAMES[:1]), made=tmp_path)
    expected = {
        "turned": (turned_around(results, topics, first=3), NAMES[2]),
        "simulated": (simulated_runs(results, topics), NAMES[0]),
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["simulated.parquet", "turned.parquet"]
    for name, (made, measure) in expected.items():
        same(table, name, score(topics, made, specs(measure)).per_topic)
        found = load_results(tmp_path / f"{name}.parquet", topics[0].collection)
        assert plain_results(found)[1:-1] == plain_results(replace(made, sources=()))[1:-1]


def test_what_was_left_out_is_told_once_for_all_points_of_a_curve(left: Left) -> None:
    _, left_out = scored(left[0], (RunSet("all", "submitted"), NAMES), (RunSet("x", "submitted"), NAMES[2:]))
    assert list(left_out) == ["kind", "of", "number", "which", "runs"]
    rows = left_out[["runs", "kind", "of", "number", "which"]].values.tolist()
    for row in (
        ["all", "irrelevant", "nxCG(quantisation=gen)", 1, "none"],
        ["all", "missing", "b", 1, "007"],
        ["all", "repeated", "b", 1, ""],
        ["x", "irrelevant", "nxCG", 1, "none"],
    ):
        assert rows.count(row) == 1, rows
    assert [row[2] for row in rows if row[:2] == ["all", "irrelevant"]].count("nxCG(quantisation=gen)") == 1


def test_the_rules_of_a_task_hold_unless_it_is_lenient(left: Left) -> None:
    focused = RunSet("focused", "submitted", task="focused")
    with pytest.raises(InputError, match="overlaps one before it"):
        scored(left[0], (focused, NAMES[2:]))
    _, left_out = scored(left[0], (focused, NAMES[2:]), lenient=True)
    unruly = left_out[left_out["kind"] == "unruly"]
    assert unruly["of"].tolist() == ["a", "b"] and (unruly["number"] > 0).all()


def test_measures_that_are_not_possible_are_left_out_and_told_where_that_is_asked(
    left: Left,
) -> None:
    folder, runs = left[0], (RunSet("runs", "submitted"), ["AiP", "nxCG@5"])
    with pytest.raises(InputError, match="highlighted passages"):
        scored(folder, runs)
    scores, left_out = scored(folder, runs, skip_refused=True)
    assert scores["name"].unique().tolist() == ["nxCG@5"]
    (told,) = left_out[left_out["kind"] == "refused"].to_dict("records")
    assert (told["of"], told["number"], told["runs"]) == ("AiP", 1, "runs")
    assert "it needs highlighted passages" in told["which"]


def test_what_is_told_of_measures_is_left_out_by_their_names() -> None:
    found = [
        Notice("short", "7", "char_recall@500c", count=1, among=2, text="500 characters"),
        Notice("barren", measure="word_F1@5", topics=("q", "r")),
        Notice("incomplete", measure="ep", text="known elements only"),
        Notice("outside", "a", count=1, among=9),
        Notice("strange", "b", count=3, among=3),
    ]
    rows = notices.table(found).set_index(["kind", "of"])[["number", "which"]].T.to_dict("list")
    assert rows == {
        ("outside", "a"): [1, ""],
        ("strange", "b"): [3, ""],
        ("barren", "word_F1"): [2, "q, r"],
        ("incomplete", "ep"): [1, "known elements only"],
        ("short", "char_recall@500c"): [
            1,
            "7 returned fewer than 500 characters on 1 of 2 topics; its score is not comparable: retrieve more",
        ],
    }
