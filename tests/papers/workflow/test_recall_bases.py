"""Recall-bases as artefacts: they survive writing, and measures and ideal rankings read them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.measures.recall_base import IDEAL_METHODS, build, full, ideal
from focuseval.model.judgements import Topic
from focuseval.scoring.score import score
from focuseval_papers.simulation import simulate
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import load_topics, write_recall_base, write_topics
from tests.papers.materials import random_results
from tests.papers.workflow.steps import run_script
from tests.trees import random_collection, random_topic

ON_SCALE = {
    scale: [q for q, of in QUANTISATIONS.items() if scale in of.scales]
    for scale in ("inex2003", "inex2005", "highlights")
}


def campaign(seed, scale):
    """Return a collection with three random topics and one without relevant elements."""
    rng = np.random.default_rng(seed)
    collection, _ = random_collection(rng, documents=4, elements=14)
    random_topics = [random_topic(rng, collection, scale, share) for share in (0.8, 0.5, 0.2)]
    nothing = np.zeros(0)
    none = Topic(
        "0",
        scale,
        collection,
        nothing.astype(np.int64),
        nothing,
        nothing,
        random_topics[0].highlights and None,
    )
    topics = [
        replace(topic, name=name) for topic, name in zip(random_topics, ["7", "007", "a b"], strict=True)
    ]
    return collection, [topics[0], none, *topics[1:]], rng


CASES = [(scale, q) for scale, names in ON_SCALE.items() for q in names]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("scale", "quantisation"), CASES)
def test_recall_bases_survive_writing(scale, quantisation, seed, tmp_path):
    collection, topics, _ = campaign(seed, scale)
    write_topics(topics, tmp_path / "all")
    path = tmp_path / f"all.{quantisation}.parquet"
    write_recall_base(topics, quantisation, path)
    for loaded, topic in zip(load_topics(tmp_path / "all", collection, None, [path]), topics, strict=True):
        assert [*loaded.recall_bases] == [quantisation]
        base, expected = loaded.recall_bases[quantisation], build(topic, quantisation)
        assert base.element.tolist() == expected.element.tolist() == full(topic, quantisation)[0].tolist()
        assert base.score.tolist() == expected.score.tolist()
        assert set(base.ideal) == set(IDEAL_METHODS)
        for method in IDEAL_METHODS:
            own = ideal(collection, *full(topic, quantisation), method)
            assert base.ideal[method].tolist() == own.tolist() == expected.ideal[method].tolist()
            assert base.ideal[method].dtype == bool
    # recall-bases are read for the requested topics only, and without files there are none
    assert [t.name for t in load_topics(tmp_path / "all", collection, ["a b"], [path])] == ["a b"]
    assert [dict(t.recall_bases) for t in load_topics(tmp_path / "all", collection)] == [{}] * 4
    table = schema.read(path, schema.RECALL_BASE).to_pandas()
    assert len(table) == sum(len(full(topic, quantisation)[0]) for topic in topics)
    assert not table.duplicated(["topic", "document", "node"]).any() and (table["score"] > 0).all()


def test_without_sizes_the_method_that_needs_them_is_left_to_the_measure(tmp_path):
    collection, topics, _ = campaign(1, "inex2005")
    unsized = replace(collection, end=np.full(len(collection), -1, dtype=np.int64))
    topics = [replace(topic, collection=unsized) for topic in topics]
    write_topics(topics, tmp_path / "all")
    write_recall_base(topics, "gen", tmp_path / "all.gen.parquet")
    for topic in load_topics(tmp_path / "all", unsized, None, [tmp_path / "all.gen.parquet"]):
        base = topic.recall_bases["gen"]
        assert set(base.ideal) == (
            set(IDEAL_METHODS) - {"density"} if len(base.element) else set(IDEAL_METHODS)
        )


def test_the_script_and_the_function_write_the_same_recall_base(tmp_path):
    collection, topics, _ = campaign(2, "inex2005")
    from tests.papers.materials import collection_on_disk

    text = "<article><sec><p>one</p><p>two three</p></sec><sec><p>four</p></sec></article>"
    collection = collection_on_disk({f"d{n}": text for n in range(3)}, tmp_path / "mine")
    rng = np.random.default_rng(3)
    topics = [replace(random_topic(rng, collection, "inex2005"), name=name) for name in "12"]
    folder = tmp_path / "mine"
    write_topics(topics, folder / "assessments/all")
    write_recall_base(
        load_topics(folder / "assessments/all", collection), "strict", tmp_path / "all.strict.parquet"
    )
    inputs = {
        "collection": [folder / "collection/documents.parquet"],
        "assessments": [folder / "assessments/all/topics.parquet"],
    }
    out = {"base": folder / "recall_base/all.strict.parquet"}
    wildcards = {"campaign": "mine", "task": "all", "quantisation": "strict"}
    run_script("build_recall_base", inputs, out, {"unit": "characters"}, wildcards, tmp_path / "log")
    assert out["base"].read_bytes() == (tmp_path / "all.strict.parquet").read_bytes()


# ---- measures and ideal rankings

#: measures that use the ideal recall-base of gen by the method ``paper``
OF_IDEAL = ["nxCG(overlap=on)@3", "MAep(overlap=on)", "Q(overlap=on)", "EPRUM", "EPRUM@0.5"]
#: other quantisations, other methods, all elements, other measures
INDEPENDENT = [
    "nxCG(overlap=off)@3", "MAep(overlap=off)", "nxCG(overlap=on,quantisation=strict)@3",
    "nxCG(overlap=on,ideal=deepest)@3", "EPRUM(ideal=deepest)", "EPRUM(quantisation=genLifted)",
    "precall", "SRP@5",
]  # fmt: skip
ON, OFF = ({"quantisation": "gen", "overlap": overlap, "fetch_browse": "off"} for overlap in ("on", "off"))
STRICT = {**ON, "quantisation": "strict"}
RANKINGS = RunSet("").simulated("ideal", rankings=[ON, OFF, STRICT])


def scores(topics, results, name):
    table = score(topics, results, parse_specs(name, MEASURES), lenient=True)
    return table.per_topic[["run", "topic", "value"]].astype({"run": str, "topic": str})


def rankings(topics):
    return {(one.run, one.topic): one.element.tolist() for one in simulate(RANKINGS, topics).lists()}


def test_a_changed_flag_in_the_artefact_changes_only_its_readers(tmp_path):
    changed = dict.fromkeys(OF_IDEAL, 0)
    for seed in range(4):
        collection, topics, rng = campaign(seed, "inex2005")
        results = random_results(rng, topics, systems=5, length=20)
        write_topics(topics, tmp_path / "all")
        paths = [tmp_path / f"all.{q}.parquet" for q in ("gen", "strict", "genLifted")]
        for path in paths:
            write_recall_base(topics, path.stem.rpartition(".")[2], path)
        before = load_topics(tmp_path / "all", collection, None, paths)
        table = schema.read(paths[0], schema.RECALL_BASE).to_pandas()
        # one ideal element of the first topic loses its flag
        row = table.index[(table["topic"] == "7") & table["ideal_paper"]][0]
        table.loc[row, "ideal_paper"] = False
        schema.write(table, schema.RECALL_BASE, paths[0])
        after = load_topics(tmp_path / "all", collection, None, paths)
        for name in OF_IDEAL:
            one, two = (scores(topics, results, name) for topics in (before, after))
            differ = (one["value"] - two["value"]).abs() > 1e-12
            assert set(one["topic"][differ]) <= {"7"}, name
            changed[name] += bool(differ.any())
        for name in INDEPENDENT:
            pd.testing.assert_frame_equal(
                scores(before, results, name), scores(after, results, name), check_exact=True
            )
        first, second = rankings(before), rankings(after)
        gone = int(collection.first[table["document"][row]] + table["node"][row])
        key = "gen, on, off", "7"
        assert [element for element in first[key] if element != gone] == second[key] != first[key]
        assert {k: of for k, of in first.items() if k != key} == {
            k: of for k, of in second.items() if k != key
        }
    assert min(changed.values()) >= 3  # elements that no list returns early may change nothing


def test_values_with_and_without_the_artefact_are_equal_to_the_last_bit(tmp_path):
    collection, topics, rng = campaign(5, "inex2005")
    results = random_results(rng, topics, systems=5, length=20)
    write_topics(topics, tmp_path / "all")
    paths = [tmp_path / f"all.{q}.parquet" for q in ON_SCALE["inex2005"]]
    for path in paths:
        write_recall_base(topics, path.stem.rpartition(".")[2], path)
    built = load_topics(tmp_path / "all", collection, None, paths)
    for name in (*OF_IDEAL, *INDEPENDENT):
        pd.testing.assert_frame_equal(
            scores(topics, results, name), scores(built, results, name), check_exact=True
        )
    assert rankings(topics) == rankings(built)
