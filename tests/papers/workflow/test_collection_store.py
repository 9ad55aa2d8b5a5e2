"""Element tables on disk and in memory: every way of reading gives the same collection."""

import random
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from lxml import etree

from focuseval.campaign.collection_read import collection_from_source, document_texts
from focuseval.campaign.settings import Inputs
from focuseval.errors import InputError, in_campaign
from focuseval_papers.workflow import element_tables, schema
from focuseval_papers.workflow.artefacts import named_collection
from focuseval_papers.workflow.element_tables import build_collection, write_known
from focuseval_papers.workflow.notices import read_notices
from focuseval_papers.workflow.store import in_unit, load_collection
from tests.folders import held
from tests.formats.test_collection import folder_of, tar_of, zip_of
from tests.papers.materials import files_text
from tests.papers.public import shared
from tests.snapshots import check

COLUMNS = ("first", "parent", "last", "depth", "tag", "position", "start", "end")


def cut(monkeypatch, shards, files):
    """Split these documents into the given number of shards, if any."""
    if shards is not None:
        size = -(-sum(map(len, files.values())) // shards)
        monkeypatch.setattr(element_tables, "SHARD_BYTES", size)


def articles(count, seed=0):
    rng = random.Random(seed)

    def paragraph():
        return (
            f"<p>{' '.join('größe'[: rng.randint(1, 5)] for _ in range(rng.randint(0, 9)))}<i>x&nbsp;</i></p>"
        )

    def section():
        return f"<sec id='{rng.random()}'>\n{''.join(paragraph() for _ in range(rng.randint(0, 4)))}</sec>"

    return {
        f"v{i % 3}/d{i}.xml": f"<article>{''.join(section() for _ in range(rng.randint(1, 4)))}</article>".encode()
        for i in range(count)
    }


def assert_same(one, other):
    assert list(one.names) == list(other.names)
    assert list(one.tags) == list(other.tags)
    assert one.unit == other.unit
    for column in COLUMNS:
        a, b = getattr(one, column), getattr(other, column)
        assert a.dtype == b.dtype and a.tolist() == b.tolist(), column


def built(folder, files):
    """Build the element tables of documents in a folder ``c``."""
    build_collection(folder_of(folder / "c", files), folder / "out")
    return folder / "out"


def test_a_small_collection_by_hand(tmp_path):
    out = built(tmp_path, {"b.xml": "<x>é<y/>b<y>c d</y></x>".encode(), "a.xml": b"<y>one</y>"})
    check(files_text(out), Path(__file__).with_name("snapshots") / "elements.txt")
    sizes = {
        "characters": [3, 5, 0, 3],
        "words": [1, 2, 0, 1],
        "bytes": [3, 6, 0, 3],
    }  # the texts are "ébc", in which x begins, and "d"
    assert {unit: load_collection(out, unit).size.tolist() for unit in sizes} == sizes
    assert load_collection(out).path(3) == "/x[1]/y[2]"
    assert dict(document_texts(tmp_path / "c")) == {"a": "one", "b": "ébc d"}


@pytest.mark.parametrize("shards", [None, 4, 40])
def test_every_way_to_read_a_collection_gives_the_same(shards, tmp_path, monkeypatch):
    """Folders, sorted and unsorted archives, two processes and memory give equal bytes, in every unit."""
    files = articles(23)
    cut(monkeypatch, shards, files)
    monkeypatch.setattr(element_tables, "PROCESS_BYTES", 1)
    shuffled = dict(random.Random(5).sample(sorted(files.items()), len(files)))
    sources = [
        folder_of(tmp_path / "folder", files),
        tar_of(tmp_path / "sorted.tar", dict(sorted(files.items(), key=lambda item: item[0][:-4]))),
        tar_of(tmp_path / "shuffled.tar.gz", shuffled, "w:gz"),
        zip_of(tmp_path / "c.zip", shuffled),
    ]
    outputs = []
    for i, source in enumerate(sources):
        out = tmp_path / f"out{i}"
        assert build_collection(source, out, jobs=1 + i % 2) == []
        outputs.append(held(out))
    assert len(outputs[0]) == 3 and all(other == outputs[0] for other in outputs)
    assert pq.ParquetFile(out / "elements.parquet").num_row_groups == (shards or 1)
    for unit in ("characters", "words", "bytes") if shards == 4 else ("characters",):
        loaded = load_collection(out, unit)
        assert len(loaded.names) == 23 and len(loaded) > 100
        assert_same(in_unit(load_collection(out), out, unit), loaded)
        for source in sources:
            assert_same(collection_from_source(source, unit), loaded)


def test_shards_hold_documents_that_follow_one_another_and_are_of_about_equal_size(tmp_path, monkeypatch):
    files = articles(12)
    cut(monkeypatch, 3, files)
    out = built(tmp_path, files)
    documents = schema.read(out / "documents.parquet", schema.DOCUMENTS).to_pandas()
    assert documents["document"].tolist() == list(range(12)) and documents["shard"].is_monotonic_increasing
    size = documents["name"].map(lambda name: len(files[f"{name}.xml"])).groupby(documents["shard"]).sum()
    assert len(size) == 3 and size.max() - size.min() <= 2 * max(map(len, files.values()))
    file = pq.ParquetFile(out / "elements.parquet")
    parts = list(schema.read_parts(out / "elements.parquet", schema.ELEMENTS, ["document", "node"]))
    assert file.num_row_groups == len(parts) == 3
    for shard, part in enumerate(parts):
        rows = part.to_pandas().to_numpy().tolist()
        rows_of_shard = documents[documents["shard"] == shard]
        counts = zip(rows_of_shard["document"], rows_of_shard["elements"], strict=True)
        assert rows == [[document, node] for document, count in counts for node in range(count)]
        assert file.metadata.row_group(shard).column(0).compression == "ZSTD"
    whole = schema.read(out / "elements.parquet", schema.ELEMENTS).to_pandas()
    pd.testing.assert_frame_equal(
        whole[["document", "node"]], pd.concat([part.to_pandas() for part in parts], ignore_index=True)
    )


def test_documents_can_be_chosen(tmp_path):
    source = zip_of(tmp_path / "c.zip", articles(9))
    collection = collection_from_source(source, documents=["v0/d3", "v2/d5", "unknown"])
    assert list(collection.names) == ["v0/d3", "v2/d5"]
    assert [name for name, _ in document_texts(source, documents={"v2/d5"})] == ["v2/d5"]


BROKEN = {**articles(6), "v0/cut.xml": b"<a>\n<b>", "v2/entity.xml": b"<a>&one;\n&two;</a>"}


@pytest.mark.parametrize("unit", ["characters", "words"])
def test_a_collection_of_chosen_documents_adds_up_the_others(tmp_path, unit, monkeypatch):
    cut(monkeypatch, 4, articles(20))
    out = built(tmp_path, articles(20))
    whole, chosen = load_collection(out, unit), np.array([3, 4, 9, 19])
    part = load_collection(out, unit, documents=chosen)
    rows = np.flatnonzero(np.isin(whole.document_of(np.arange(len(whole))), chosen))
    rows_of_shard = range(len(part))
    assert part.names.equals(whole.names) and np.diff(part.first)[chosen].sum() == len(part) == len(rows)
    assert part.document_of(np.arange(len(part))).tolist() == whole.document_of(rows).tolist()
    assert [part.path(row) for row in rows_of_shard] == [whole.path(row) for row in rows.tolist()]
    assert part.start.tolist() == whole.start[rows].tolist()
    assert part.size.tolist() == whole.size[rows].tolist()
    above = [np.searchsorted(rows, whole.ancestors(row)).tolist() for row in rows.tolist()]
    assert [part.ancestors(row) for row in rows_of_shard] == above
    for name in ("elements", "text_size", "total_size"):
        assert getattr(part, name) == getattr(whole, name)
    assert len(load_collection(out, unit, documents=chosen[:0])) == 0


def test_all_problems_are_reported_and_no_file_is_left(tmp_path):
    source, out = zip_of(tmp_path / "c.zip", BROKEN), built(tmp_path, articles(3))
    before = held(out)
    for call in (
        lambda: build_collection(source, out),
        lambda: collection_from_source(source),
    ):
        with pytest.raises(InputError) as raised:
            call()
        assert [(problem.source, problem.where) for problem in raised.value.problems] == [
            (f"{source}:v0/cut.xml", "line 2"),
            (f"{source}:v2/entity.xml", "line 1"),
            (f"{source}:v2/entity.xml", "line 2"),
        ]
    assert held(out) == before


def test_lenient_leaves_documents_out_and_lists_them(tmp_path):
    source = zip_of(tmp_path / "c.zip", BROKEN)
    problems = build_collection(source, tmp_path / "out", lenient=True)
    notices = read_notices([tmp_path / "out/notices.csv"])
    assert set(notices["kind"]) == {"rejected"}
    assert notices[["source", "text"]].values.tolist() == [
        [problem.source, problem.line(in_campaign)] for problem in problems
    ]
    rejected = []
    from_source = collection_from_source(source, rejected=rejected)
    assert_same(load_collection(tmp_path / "out"), from_source)
    assert rejected == problems and len(problems) == 3
    out = built(tmp_path, articles(6))
    assert_same(load_collection(out), from_source)
    assert read_notices([out / "notices.csv"]).empty
    assert {path.name for path in out.iterdir()} == {"documents.parquet", "elements.parquet", "notices.csv"}


def test_lenient_does_not_take_a_collection_in_which_nothing_can_be_read(tmp_path):
    source = zip_of(tmp_path / "c.zip", {"a.xml": b"<a>"})
    with pytest.raises(InputError, match="line 1"):
        build_collection(source, tmp_path / "out", lenient=True)
    assert held(tmp_path / "out") == {}


def test_incomplete_element_tables_are_reported(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"documents\.parquet"):
        load_collection(tmp_path / "nothing")
    cut(monkeypatch, 2, articles(8))
    out = built(tmp_path, articles(8))
    elements = out / "elements.parquet"
    whole = elements.read_bytes()
    for count, files in (("fewer", articles(5)), ("more", articles(9))):
        elements.write_bytes((built(tmp_path / count, files) / "elements.parquet").read_bytes())
        with pytest.raises(InputError, match="build both tables again"):
            load_collection(out)
    elements.unlink()
    with pytest.raises(InputError, match=r"elements\.parquet: the file does not exist"):
        load_collection(out)
    elements.write_bytes(whole[:-100])
    with pytest.raises(InputError, match=r"elements\.parquet"):
        load_collection(out)
    elements.write_bytes((out / "documents.parquet").read_bytes())
    with pytest.raises(InputError, match="run the workflow again"):
        load_collection(out)
    elements.write_bytes(whole)
    assert len(load_collection(out).names) == 8


def test_sizes_are_those_of_the_evidence_inference_campaign():
    """Sizes of documents, elements, and relevant text according to the passages of the qrels."""
    folder = shared("evidence-inference")
    evidence = collection_from_source(folder / "collection.tar.gz")
    lines = [line.split() for line in (folder / "qrels.fol.txt").read_text().splitlines()]
    documents = evidence.names.get_indexer([line[2] for line in lines])
    assert len(lines) >= 767 and (documents >= 0).all()
    assert evidence.size[evidence.root(documents)].tolist() == [int(line[4]) for line in lines]
    passages = {}
    for line in lines:
        spans = [tuple(map(int, field.split(":"))) for field in line[6:]]
        passages[line[0], line[2]] = [(begin, begin + length) for begin, length in spans]
    checked = 0
    for file in sorted((folder / "assessments").glob("*.xml")):
        for document in etree.parse(file).iter("file"):
            spans = np.array(passages[file.stem, document.get("name")])
            number = evidence.names.get_loc(document.get("name"))
            rows, held = evidence.highlighted(np.full(len(spans), number), spans[:, 0], spans[:, 1])
            sizes = zip(rows.tolist(), evidence.size[rows].tolist(), held.tolist(), strict=True)
            recorded = {
                element.get("path"): (int(element.get("size")), int(element.get("rsize")))
                for element in document.iter("element")
            }
            assert {evidence.path(row): (size, relevant) for row, size, relevant in sizes} == recorded
            checked += len(recorded)
    assert checked == 6731


def test_a_collection_without_documents_survives_writing(tmp_path):
    (tmp_path / "gold.qrels").write_text("1 Q0 b 4 20 0 0:4\n1 Q0 a 0 9\n")
    (tmp_path / "run").write_text("1 Q0 c 1 1.0 r /x[1]/y[2]\n1 Q0 a 2 0.5 r /x[1]\n")
    collection = named_collection([tmp_path / "gold.qrels"], [tmp_path / "run"], Inputs())
    write_known(collection, tmp_path / "known")
    loaded = load_collection(tmp_path / "known")
    assert not collection.complete and not loaded.complete
    assert list(loaded.names) == ["a", "b", "c"]
    assert [loaded.path(row) for row in range(len(loaded))] == ["/x[1]", "/[1]", "/x[1]", "/x[1]/y[2]"]
    for column in set(COLUMNS) - {"tag"}:  # numbers of tags may differ; the paths above compare their names
        assert getattr(loaded, column).tolist() == getattr(collection, column).tolist(), column
    assert loaded.end.tolist() == [9, 20, -1, -1]
    build_collection(folder_of(tmp_path / "c", {"a.xml": b"<y>one</y>"}), tmp_path / "built")
    assert load_collection(tmp_path / "built").complete
