"""Standard input, pipes and gzip in place of files, for every reader, and their messages."""

import gzip
import io
import subprocess
import sys

import pytest

from focuseval import files
from focuseval.cli import main
from focuseval.errors import InputError, meant
from focuseval.files import file_meant, read_bytes, unpacked

GOLD = "".join(f'{{"topic": "{t}", "document": "a.md", "start": 0, "end": 10}}\n' for t in "12")
CHUNKS = "".join(f'{{"topic": "{t}", "document": "a.md", "start": 5, "end": 25, "score": 1}}\n' for t in "12")
TREC = "".join(f"{t} Q0 a 1 2.5 mine /article[1]\n" for t in "12")
ELEMENTS = "topic\tdocument\tpath\texhaustivity\tspecificity\n" + "".join(
    f"{t}\ta\t/article[1]\t3\t3\n" for t in "12"
)
XML = "<article><p>One two three.</p></article>"
INEX = """<inex-submission participant-id="1" run-id="mine" task="CO"><topic topic-id="1"><result>
<file>a</file><path>/article[1]</path><rank>1</rank></result></topic></inex-submission>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        *(("gold", GOLD), ("chunks", CHUNKS), ("trec", TREC), ("elements", ELEMENTS), ("inex", INEX)),
        ("documents/a.md", "# Title\n\nWords enough for a gold span.\n"),
        ("xml/a.xml", XML),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        packed = path if path.parent == tmp_path else tmp_path / f"packed-{path.parent.name}" / path.name
        packed.parent.mkdir(exist_ok=True)
        packed.with_name(f"{packed.name}.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


@pytest.fixture
def feed(monkeypatch):
    """Replace standard input by these bytes."""

    def give(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return give


CHUNKED = ["--measure", "char_recall", "--assessments", "gold"]
TREES = ["--collection", "xml", "--measure", "inex2003", "--assessments", "elements"]
COMMANDS = [
    (["score", "--run", "chunks", *CHUNKED], "chunks"),
    (["score", "--run", "chunks", *CHUNKED], "gold"),
    (["score", "--run", "chunks", "--collection", "documents", *CHUNKED], "documents"),
    (["score", "--run", "trec", *TREES], "trec"),
    (["score", "--run", "trec", *TREES], "elements"),
    (["score", "--run", "inex", *TREES], "inex"),
    (["score", "--run", "trec", *TREES], "xml"),
    (["check", "inex"], "inex"),
    (["locate", "gold-text", "--documents", "documents"], "gold-text"),
    (["ceiling", "--chunks", "chunks", "--assessments", "gold", "--format", "csv"], "chunks"),
]


@pytest.mark.parametrize(("command", "packed"), COMMANDS)
def test_packed_files_are_read_as_the_others(folder, capsys, command, packed):
    text = '{"document": "a.md", "text": "Words enough"}\n'
    (folder / "gold-text").write_text(text)
    (folder / "gold-text.gz").write_bytes(gzip.compress(text.encode()))
    assert main(command) == 0
    expected = capsys.readouterr()
    replaced = f"packed-{packed}" if (folder / f"packed-{packed}").is_dir() else f"{packed}.gz"
    assert main([replaced if word == packed else word for word in command]) == 0
    assert capsys.readouterr().out.replace(replaced, packed).split() == expected.out.split()


@pytest.mark.parametrize("file", ["chunks", "gold", "trec", "elements", "inex"])
@pytest.mark.parametrize("packing", [bytes, gzip.compress])
def test_every_text_is_read_from_standard_input(folder, capsys, feed, file, packing):
    command = next(command for command, packed in COMMANDS if packed == file)
    main(command)
    expected = capsys.readouterr()
    feed(packing((folder / file).read_bytes()))
    assert main(["-" if word == file else word for word in command]) == 0
    assert capsys.readouterr().out == expected.out.replace(
        "chunks\t", "stdin\t" if file == "chunks" else "chunks\t"
    )


def test_a_collection_is_read_from_standard_input(folder, capsys, feed):
    subprocess.run(["tar", "-czf", "xml.tar.gz", "xml"], check=True)
    command = ["score", "--run", "trec", *TREES]
    assert main(command) == 0
    expected = capsys.readouterr().out
    feed((folder / "xml.tar.gz").read_bytes())
    (folder / "trec").write_text(TREC.replace(" a ", " xml/a "))
    (folder / "elements").write_text(ELEMENTS.replace("\ta\t", "\txml/a\t"))
    assert main(["-" if word == "xml" else word for word in command]) == 0
    assert capsys.readouterr().out == expected


def test_a_pipe_is_read_once_and_whole(folder):
    many = "".join(f"{t} Q0 d{i} {i + 1} {9999 - i} mine /article[1]\n" for t in "12" for i in range(5000))
    (folder / "many").write_text(many)
    process = subprocess.run(
        [
            "bash",
            "-c",
            f"{sys.executable} -m focuseval check many; {sys.executable} -m focuseval check <(cat many)",
        ],
        capture_output=True,
        text=True,
    )
    from_file, from_pipe = process.stdout.splitlines()
    assert from_file == "many: trec run with XPaths; topics: 2, results: 10000, no problems"
    assert from_pipe.partition(": ")[2] == from_file.partition(": ")[2]


def test_saved_scores_may_be_packed_or_standard_input(folder, capsys, feed):
    assert main(["score", "--run", "chunks", *CHUNKED, "--save", "saved.parquet"]) == 0
    feed((folder / "saved.parquet").read_bytes())
    assert main(["gate", "--baseline", "-", "--run", "chunks", *CHUNKED]) == 0


def test_messages_name_standard_input(folder, capsys, feed):
    feed(b'{"topic": "1", "document": "a.md", "start": "x", "end": 25}\n')
    assert main(["score", "--run", "chunks", "--measure", "AiP", "--assessments", "-"]) == 2
    stderr = capsys.readouterr().err
    assert stderr == 'standard input, line 1: "start" is "x"; expected a whole number of at least 0\n'
    feed(b"")
    assert main(["check", "-"]) == 1
    assert "standard input: the file is empty; " in capsys.readouterr().out


def test_closed_standard_input_is_reported(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)  # as in Python without standard input
    for status, command in ((2, ["score", "--run", "-", *CHUNKED]), (1, ["check", "-"])):
        assert main(command) == status
        assert "standard input: the file cannot be read (it is closed); give an existing" in "".join(
            capsys.readouterr()
        )


@pytest.mark.parametrize("name", ["chunks", "gold", "trec", "elements", "inex"])
def test_a_truncated_compressed_file_is_reported(folder, capsys, name):
    cut = (folder / f"{name}.gz").read_bytes()[:-9]
    (folder / "cut.gz").write_bytes(cut)
    command = next(command for command, packed in COMMANDS if packed == name)
    assert main(["cut.gz" if word == name else word for word in command]) == 2
    stderr = capsys.readouterr().err
    assert stderr.startswith("cut.gz: the gzip file is damaged or incomplete (")
    assert stderr.endswith("; download or create it again\n")


def test_a_truncated_compressed_document_is_reported(folder, capsys):
    whole = (folder / "packed-xml/a.xml.gz").read_bytes()
    (folder / "packed-xml/a.xml.gz").write_bytes(whole[:-9])
    assert main(["score", "--run", "trec", *TREES[2:], "--collection", "packed-xml"]) == 2
    assert capsys.readouterr().err.startswith("packed-xml/a.xml.gz: the gzip file is damaged or incomplete")


def test_a_damaged_checksum_is_reported(tmp_path):
    packed = bytearray(gzip.compress(b"words " * 1000))
    packed[-6] ^= 1
    (tmp_path / "a.gz").write_bytes(packed)
    with pytest.raises(InputError, match="the gzip file is damaged or incomplete .CRC check failed"):
        read_bytes(tmp_path / "a.gz")


def test_a_packed_file_that_grows_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "ALWAYS_ALLOWED", 1 << 20)
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(1 << 20)))
    assert len(read_bytes(tmp_path / "a.gz")) == 1 << 20
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes((1 << 20) + 1)))
    with (
        pytest.raises(InputError, match="more than 1,048,576 bytes when unpacked"),
        unpacked(tmp_path / "a.gz") as file,
    ):
        file.read()


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("nope.jsonl", ""),  # only its suffix is that of nested.jsonl
        ("nestd.jsonl", "nested.jsonl"),
        ("Nested.json", "nested.jsonl"),
        ("nested.txt.gz", "nested.txt"),
        ("nested.jsonl.gz", "nested.jsonl"),
    ],
)
def test_a_similar_file_name_is_suggested_with_its_folder(tmp_path, name, suggested):
    for file in ("nested.jsonl", "sents.jsonl", "nested.txt"):
        (tmp_path / "runs" / file).parent.mkdir(exist_ok=True)
        (tmp_path / "runs" / file).touch()
    suggestion = f"did you mean {str(tmp_path / 'runs' / suggested)!r}? " if suggested else ""
    assert file_meant(tmp_path / "runs" / name) == suggestion
    assert file_meant(tmp_path / "run" / name) == ""


def test_a_name_without_a_similar_one_gets_no_suggestion():
    assert meant("something else", ["MAP", "AiP"]) == ""
    assert meant("aip", ["MAP", "AiP"]) == "did you mean 'AiP'? "
