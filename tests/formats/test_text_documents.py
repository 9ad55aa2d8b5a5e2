"""Plain text, Markdown and HTML as element tables; `texts.transcript` shows elements of documents."""

import gzip
import os
import re
import signal
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuseval.api import read_campaign, score
from focuseval.campaign.collection_read import collection_from_source, document_texts
from focuseval.errors import InputError
from focuseval.formats import text_documents
from focuseval.formats.checking import check
from focuseval.formats.documents import holds_texts, notes_on_ignored
from focuseval.formats.text_documents import text_of
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.notices import read_notices
from focuseval_papers.workflow.store import load_collection
from tests.folders import write_files
from tests.formats.test_collection import KINDS


def collection(folder, files, unit="characters"):
    write_files(folder, files)
    return collection_from_source(folder, unit)


@given(st.lists(st.sampled_from(["<p>", "</p>", "<td>", "<br>", "<b>", "<h2>", "x", "y ", "\n", " "])))
def test_html_has_one_line_end_between_blocks_and_none_within(tags):
    text, pieces = text_documents.html("".join(tags))
    marked = "".join("|" if tag in ("<p>", "</p>", "<td>", "<br>", "<h2>") else tag for tag in tags)
    expected = re.sub(r"(?<=[xy])([ |]*)(?=[xy])", one_line_end, marked.replace("<b>", ""))
    assert text == expected.replace("|", "")
    assert all(text[start:end].strip() for _, start, end in pieces)


def one_line_end(between):
    return between[0] + ("\n" if "|" in between[0] else "")


@pytest.mark.parametrize("block", [1, 5, 1 << 18])
def test_random_markdown_is_a_tree_in_every_unit(block, tmp_path, monkeypatch):
    """Sizes against a literal count of bytes and words; parents against containment."""
    monkeypatch.setattr("focuseval.model.elements._BLOCK", block)
    rng = np.random.default_rng(3)
    lines = ["# a", "## bé x", "### c", "", "   ", "word wörd 𝔘 end", "```", "x_1 2,5", "#no"]
    for case in range(20):
        text = "".join(
            str(rng.choice(lines)) + str(rng.choice(["\n", "\r\n"])) for _ in range(rng.integers(0, 25))
        )
        files = {"a.md": text}
        folder = tmp_path / str(case)
        document = collection(folder, files)
        starts = [match.start() for match in re.finditer(r"\w+", text)]
        for unit, before in {
            "bytes": lambda at, text=text: len(text[:at].encode()),
            "words": lambda at, starts=starts: sum(start < at for start in starts),
        }.items():
            counted = collection(folder, files, unit)
            assert counted.start.tolist() == [before(at) for at in document.start]
            assert counted.end.tolist() == [before(at) for at in document.end]
        for row in range(len(document)):
            inside = [
                r
                for r in range(row)
                if document.start[r] <= document.start[row] and document.end[row] <= document.end[r]
            ]
            assert document.parent[row] == max(inside, default=-1)
            assert document.depth[row] == len(document.ancestors(row))
            below = [r for r in range(len(document)) if row in document.ancestors(r)]
            assert below == list(range(row + 1, document.last[row]))
        titles = [document.path(r) for r in range(len(document)) if document.tags[document.tag[r]] == "title"]
        assert len(titles) == sum(document.tags[t] == "section" for t in document.tag)


def test_folders_and_names(tmp_path):
    files = {"b/x.md": "two", "a.txt": "one", "b/y.HTML": "<p>three", ".hidden/z.md": "no", "data.csv": "1"}
    documents = collection(tmp_path, files)
    assert documents.names.tolist() == ["a.txt", "b/x.md", "b/y.HTML"] and holds_texts(tmp_path)
    assert collection_from_source(tmp_path / "a.txt").names.tolist() == ["a.txt"]
    assert holds_texts(tmp_path / "a.txt") and not holds_texts(tmp_path / "data.csv")
    (tmp_path / "b" / "z.xml").write_text("<a/>")
    assert not holds_texts(tmp_path)


TEXTS = {"guide/b.md": "# Two\n\nA café.\n", "./a.txt.gz": gzip.compress(b"one"), "c.HTM": "<p>three"}
IGNORED = {
    "x.png": "1",
    "guide/y.png": "2",
    "a.dtd": "",
    ".hidden/z.md": "",
    "__MACOSX/._b.md": "",
    "LICENSE": "l",
}


@pytest.mark.parametrize("kind", ["folder", "tar", "tar.gz", "zip"])
def test_archives_of_texts_are_as_their_folder(kind, tmp_path):
    files = {
        name: text if isinstance(text, bytes) else text.encode() for name, text in (TEXTS | IGNORED).items()
    }
    source = KINDS[kind](tmp_path, files)
    ignored = Counter[str]()
    documents = collection_from_source(source, ignored=ignored)
    assert documents.names.tolist() == ["a.txt", "c.HTM", "guide/b.md"]
    assert [documents.size[row] for row in documents.root(np.arange(3))] == [3, 5, 15]
    assert dict(document_texts(source, documents=["guide/b.md"])) == {"guide/b.md": TEXTS["guide/b.md"]}
    assert ignored == {".png": 2, "without suffix": 1}
    message = f"{source}: 3 files of other types are left out (2 .png, 1 without suffix)"
    assert notes_on_ignored(source, ignored) == [message]
    assert build_collection(source, tmp_path / "built") == []
    reported_source, _, text = message.partition(": ")
    notices = read_notices([tmp_path / "built/notices.csv"])
    assert notices.values.tolist() == [["note", reported_source, text]]
    assert load_collection(tmp_path / "built").size.tolist() == documents.size.tolist()
    if kind != "folder":
        assert check(source) == ("collection archive; documents: 3", [])


@pytest.mark.parametrize("kind", ["folder", "tar.gz", "zip"])
def test_texts_next_to_xml_are_left_out_and_reported(kind, tmp_path):
    source = KINDS[kind](tmp_path, {"a.md": b"# A", "b.xml": b"<b>text</b>", "b.txt": b"b", "b.md.gz": b""})
    ignored = Counter[str]()
    assert collection_from_source(source, ignored=ignored).names.tolist() == ["b"]
    (gold := tmp_path / "gold.jsonl").write_text('{"topic": "q", "document": "b", "start": 0, "end": 4}\n')
    campaign = read_campaign(assessments=gold, runs=gold, run_format="chunks", collection=source)
    message = "3 files of other types are left out (2 .md, 1 .txt); text documents are not read next to XML"
    assert message in campaign.notes[0]


def test_an_archive_of_neither_is_refused(tmp_path):
    source = KINDS["zip"](tmp_path, {"a.pdf": b"%PDF"})
    with pytest.raises(
        InputError, match="there are no documents among 1 file; expected files named .*, or text files: .*md"
    ):
        collection_from_source(source)


def test_empty_document(tmp_path):
    documents = collection(tmp_path, {"a.md": "", "b.html": b"\xef\xbb\xbf"})
    assert len(documents) == 2 and documents.end.tolist() == [0, 0]


def test_all_problems_at_once(tmp_path):
    files = {"a.md": b"caf\xe9", "b.txt": b"a\0b", "c.txt": "good"}
    with pytest.raises(InputError) as error:
        collection(tmp_path, files)
    assert [Path(problem.source).name for problem in error.value.problems] == ["a.md", "b.txt"]
    rejected = []
    assert (
        collection_from_source(tmp_path, rejected=rejected).names.tolist() == ["c.txt"] and len(rejected) == 2
    )
    with pytest.raises(InputError, match=r"suffix is '\.pdf'"):
        text_of(tmp_path / "a.pdf")


def test_a_measure_of_elements_prefers_the_section_of_the_right_heading(tmp_path):
    (tmp_path / "documents").mkdir()
    text = "# One\n\nalpha beta\n\n# Two\n\ngamma delta\n"
    (tmp_path / "documents" / "guide.md").write_text(text)
    start = text.index("# Two")
    gold = f'{{"topic": "q", "document": "guide.md", "start": {start}, "end": {len(text)}}}\n'
    (tmp_path / "gold.jsonl").write_text(gold)
    run = "q Q0 guide.md 1 2 run /document[1]/section[{}]\n"
    for number, expected in ((2, 1.0), (1, 0.0)):
        (tmp_path / "run.trec").write_text(run.format(number))
        table = score(
            ["nxCG(quantisation=specificity)@1"],
            assessments=tmp_path / "gold.jsonl",
            runs=tmp_path / "run.trec",
            collection=tmp_path / "documents",
        )
        assert table["value"].tolist() == [expected]


def test_links_to_folders_are_counted_and_those_to_files_read(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "held.md").write_text("# Held")
    (tmp_path / "docs" / "a.md").symlink_to(tmp_path / "docs" / "held.md")
    (tmp_path / "docs" / "latest").symlink_to(tmp_path)
    ignored = Counter[str]()
    assert dict(document_texts(tmp_path / "docs")) == dict.fromkeys(["a.md", "held.md"], "# Held")
    collection_from_source(tmp_path / "docs", ignored=ignored)
    [note] = notes_on_ignored("docs", ignored)
    assert note == "docs: 1 file of another type is left out (1 link to a folder)"


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    (tmp_path / "a.md").write_text("a")
    os.mkfifo(tmp_path / "b.md")
    with pytest.raises(
        InputError, match=r"b\.md: the file is a device, pipe or socket; give a regular file instead"
    ):
        alarmed(lambda: collection_from_source(tmp_path))


def alarmed(call, seconds=20):
    """Return the result of a call, or raise TimeoutError if it takes long."""

    def ring(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        return call()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
