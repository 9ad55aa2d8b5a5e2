"""Plain text, Markdown and HTML as element tables."""

import gzip
import os
import re
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from focuseval.api import read_campaign
from focuseval.campaign.collection_read import collection_from_source, document_texts
from focuseval.errors import InputError
from focuseval.formats import xml_elements
from focuseval.formats.checking import check
from focuseval.formats.documents import holds_texts, notes_on_ignored
from focuseval.formats.text_documents import text_of
from focuseval.model.elements import Collection
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.store import load_collection
from tests.folders import write_files
from tests.formats.test_collection import KINDS


def collection(folder: Path, files: dict[str, str | bytes], unit: str = "characters") -> Collection:
    write_files(folder, files)
    return collection_from_source(folder, unit)


@pytest.mark.parametrize("block", [1, 5, 1 << 18])
def test_random_markdown_is_a_tree_in_every_unit(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against a literal count of bytes and words, and against parents by containment."""
    monkeypatch.setattr(xml_elements, "_BLOCK", block)
    rng = np.random.default_rng(3)
    lines = ["# a", "## bé x", "### c", "", "   ", "word wörd 𝔘 end", "```", "x_1 2,5", "#no"]
    for case in range(20):
        text = "".join(
            str(rng.choice(lines)) + str(rng.choice(["\n", "\r\n"])) for _ in range(rng.integers(0, 25))
        )
        files = {"a.md": text}
        folder = tmp_path / str(case)
        found = collection(folder, files)
        starts = [match.start() for match in re.finditer(r"\w+", text)]
        for unit, before in {
            "bytes": lambda at, text=text: len(text[:at].encode()),
            "words": lambda at, starts=starts: sum(start < at for start in starts),
        }.items():
            counted = collection(folder, files, unit)
            assert counted.start.tolist() == [before(at) for at in found.start]
            assert counted.end.tolist() == [before(at) for at in found.end]
        for row in range(len(found)):
            inside = [
                r for r in range(row) if found.start[r] <= found.start[row] and found.end[row] <= found.end[r]
            ]
            assert found.parent[row] == max(inside, default=-1)
            assert found.depth[row] == len(found.ancestors(row))
            below = [r for r in range(len(found)) if row in found.ancestors(r)]
            assert below == list(range(row + 1, found.last[row]))
        titles = [found.path(r) for r in range(len(found)) if found.tags[found.tag[r]] == "title"]
        assert len(titles) == sum(found.tags[t] == "section" for t in found.tag)


def test_folders_and_names(tmp_path: Path) -> None:
    files = {"b/x.md": "two", "a.txt": "one", "b/y.HTML": "<p>three", ".hidden/z.md": "no", "data.csv": "1"}
    found = collection(tmp_path, files)
    assert found.names.tolist() == ["a.txt", "b/x.md", "b/y.HTML"] and holds_texts(tmp_path)
    assert collection_from_source(tmp_path / "a.txt").names.tolist() == ["a.txt"]
    assert holds_texts(tmp_path / "a.txt") and not holds_texts(tmp_path / "data.csv")
    (tmp_path / "b" / "z.xml").write_text("<a/>")
    assert not holds_texts(tmp_path)


TEXTS = {"guide/b.md": "# Two\n\nA café.\n", "./a.txt.gz": gzip.compress(b"one"), "c.HTM": "<p>three"}
OTHERS = {
    "x.png": "1",
    "guide/y.png": "2",
    "a.dtd": "",
    ".hidden/z.md": "",
    "__MACOSX/._b.md": "",
    "LICENSE": "l",
}


@pytest.mark.parametrize("kind", ["folder", "tar", "tar.gz", "zip"])
def test_archives_of_texts_are_as_their_folder(kind: str, tmp_path: Path) -> None:
    files = {
        name: text if isinstance(text, bytes) else text.encode() for name, text in (TEXTS | OTHERS).items()
    }
    source = KINDS[kind](tmp_path, files)
    ignored = Counter[str]()
    found = collection_from_source(source, ignored=ignored)
    assert found.names.tolist() == ["a.txt", "c.HTM", "guide/b.md"]
    assert [found.size[row] for row in found.root(np.arange(3))] == [3, 5, 15]
    assert dict(document_texts(source, documents=["guide/b.md"])) == {"guide/b.md": TEXTS["guide/b.md"]}
    assert ignored == {".png": 2, "without suffix": 1}
    told = f"{source}: 3 files left out, no document of this collection (2 .png, 1 without suffix)"
    assert notes_on_ignored(source, ignored) == [told]
    assert build_collection(source, tmp_path / "built") == []
    assert (tmp_path / "built" / "notes.txt").read_text() == f"{told}\n"
    assert load_collection(tmp_path / "built").size.tolist() == found.size.tolist()
    if kind != "folder":
        assert check(source) == ("collection archive; documents: 3", [])


@pytest.mark.parametrize("kind", ["folder", "tar.gz", "zip"])
def test_texts_beside_xml_are_left_out_and_told(kind: str, tmp_path: Path) -> None:
    source = KINDS[kind](tmp_path, {"a.md": b"# A", "b.xml": b"<b>text</b>", "b.txt": b"b", "b.md.gz": b""})
    ignored = Counter[str]()
    assert collection_from_source(source, ignored=ignored).names.tolist() == ["b"]
    (gold := tmp_path / "gold.jsonl").write_text('{"topic": "q", "document": "b", "start": 0, "end": 4}\n')
    campaign = read_campaign(assessments=gold, runs=gold, run_format="chunks", collection=source)
    told = "3 files left out, no document of this collection (2 .md, 1 .txt); beside XML no text"
    assert told in campaign.notes[0]


def test_an_archive_of_neither_is_refused(tmp_path: Path) -> None:
    source = KINDS["zip"](tmp_path, {"a.pdf": b"%PDF"})
    with pytest.raises(InputError, match="no document among 1 file; expected files named .*, or text: .*md"):
        collection_from_source(source)


def test_all_problems_at_once(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.md": b"caf\xe9", "b.txt": b"a\0b", "c.txt": "good"}
    with pytest.raises(InputError) as error:
        collection(tmp_path, files)
    assert [Path(problem.source).name for problem in error.value.problems] == ["a.md", "b.txt"]
    rejected: list = []
    assert (
        collection_from_source(tmp_path, rejected=rejected).names.tolist() == ["c.txt"] and len(rejected) == 2
    )
    with pytest.raises(InputError, match=r"suffix '\.pdf'"):
        text_of(tmp_path / "a.pdf")


def test_links_to_folders_are_counted_and_those_to_files_read(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "held.md").write_text("# Held")
    (tmp_path / "docs" / "a.md").symlink_to(tmp_path / "held.md")
    (tmp_path / "docs" / "latest").symlink_to(tmp_path)
    ignored = Counter[str]()
    assert dict(document_texts(tmp_path / "docs")) == {"a.md": "# Held"}
    collection_from_source(tmp_path / "docs", ignored=ignored)
    [told] = notes_on_ignored("docs", ignored)
    assert told == "docs: 1 file left out, no document of this collection (1 link to a folder)"


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    os.mkfifo(tmp_path / "b.md")
    with pytest.raises(InputError, match=r"b\.md: a device, pipe or socket; expected plain files"):
        alarmed(lambda: collection_from_source(tmp_path))


def alarmed(call: Callable[[], object], seconds: int = 20) -> object:
    """What a call gives; TimeoutError if it takes long."""

    def ring(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        return call()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
