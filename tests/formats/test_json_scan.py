"""The compiled scan of JSON lines beside the reader that takes them one by one."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focuseval.formats import run_chunks
from focuseval.formats.chunks import objects_of
from focuseval.formats.raw import Refused
from focuseval.model.compiled import Kernel


@pytest.fixture(params=["as it stands", "compiled", "in small pieces", "in threads"], scope="module")
def execution(request):
    """Both executions of the kernels, and of files in pieces."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Kernel, "patience", -1 if request.param == "compiled" else 1 << 40)
        patched.setattr(run_chunks, "cores", lambda: 3 if request.param == "in threads" else 1)
        if request.param in ("in small pieces", "in threads"):
            patched.setattr(run_chunks, "_PIECE", 40)
        yield


def one_by_one(path: Path) -> tuple[list[tuple], list[tuple]]:
    """Chunks and refusals of a file, by the parser of Python alone."""
    chunks, refusals = [], []
    for line, found in objects_of(path):
        try:
            if isinstance(found, Refused):
                raise found
            chunk = run_chunks._chunk(found)
            run = path.stem if chunk.run is None else chunk.run
            chunks.append(
                (chunk.topic, chunk.document, chunk.rank, chunk.score, chunk.start, chunk.end, line, run)
            )
        except Refused as refused:
            refusals.append((line, refused.args))
    return chunks, refusals


def scanned(path: Path) -> tuple[list[tuple], list[tuple], list[str]]:
    frame, runs, refusals = run_chunks._chunks_of(path)
    rows = list(frame.itertuples(index=False, name=None))
    return rows, [(line, refused.args) for line, refused in refusals], runs


VALUE = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=3).map(json.dumps),
    st.text(st.characters(codec="utf-8"), max_size=3).map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.floats().map(json.dumps),
    st.integers(-3, 10**16).map(str),
    st.sampled_from(
        [
            "null",
            "true",
            "[]",
            "{}",
            "[1]",
            "0",
            "-0",
            "07",
            "1.",
            ".5",
            "1e5",
            "1E-2",
            "1e+",
            "1.0",
            '"a',
            'b"',
            '"',
            'a"',
            '"\\u0041"',
            '"\\u004"',
            '"\\q"',
            '"\\""',
            '"a',
            "NaN",
            "1e400",
            "-1e-400",
            '""',
            "0.12345678901234567",
            '"é"',
            '"déd"',
        ]
    ),
)
KEY = st.sampled_from(
    ["topic", "document", "start", "end", "score", "rank", "run", "text", "x", "to\\u0070ic", "", "Topic"]
)
BLANK = st.sampled_from(["", "", " ", "\t", "\r", "\v", "\u00a0"])


@st.composite
def lines(draw) -> bytes:
    """Lines that are almost chunks."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        pairs = [("topic", '"q"'), ("document", '"d"'), ("start", "1"), ("end", "9"), ("score", "0.5")]
        for _ in range(draw(st.integers(0, 2))):
            pairs.insert(draw(st.integers(0, 5)), (draw(KEY), draw(VALUE)))
        if draw(st.booleans()):
            at = draw(st.integers(0, len(pairs) - 1))
            pairs[at] = (pairs[at][0], draw(VALUE))
        if draw(st.integers(0, 4)) == 0:
            del pairs[draw(st.integers(0, len(pairs) - 1))]
        blank = [draw(BLANK) for _ in range(4)]
        inside = ",".join(f'{blank[0]}"{key}"{blank[1]}:{value}' for key, value in pairs)
        line = f"{blank[2]}{{{inside}}}{blank[3]}"
        if draw(st.integers(0, 9)) == 0:
            at = draw(st.integers(0, len(line)))
            line = line[:at] + draw(st.sampled_from(["", '"', "}", "{", ",", "\0", "]"])) + line[at + 1 :]
        found.append(line)
    text = draw(st.sampled_from(["\n", "\r\n", "\n \n"])).join(found)
    return text.encode() if draw(st.integers(0, 9)) else text.encode("latin-1", "replace")


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=lines())
def test_the_scan_reads_what_the_parser_of_python_does(execution, data, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(data)
    chunks, refusals = one_by_one(path)
    found, refused, runs = scanned(path)
    assert refused == refusals
    assert repr(found) == repr([chunk[:-1] for chunk in chunks])  # NaN and -0.0 too
    assert sorted(runs) == sorted({chunk[-1] for chunk in chunks})


def test_lines_as_systems_write_them_are_for_the_scan(execution, tmp_path, monkeypatch):
    rows = [
        {
            "topic": "q1",
            "document": "a b.md",
            "start": 0,
            "end": 3,
            "score": -1.5e-3,
            "run": "mine",
            "text": 'an \u00e9 "\\\n',
        },
        {
            "score": 12,
            "rank": 2,
            "end": 900,
            "start": 120,
            "document": 77,
            "topic": 8,
            "id": 1.5,
            "run": "mine",
        },
    ]
    path = tmp_path / "run.jsonl"
    for separators in (None, (",", ":")):
        path.write_text("".join(json.dumps(row, separators=separators) + "\n" for row in rows))
        monkeypatch.setattr(run_chunks, "object_in", None)  # nothing is left to it
        found, refused, runs = scanned(path)
        assert (refused, runs) == ([], ["mine"])
        (first, second) = found
        assert (*first[:2], *first[3:]) == ("q1", "a b.md", -0.0015, 0, 3, 1) and first[2] == -1
        assert second == ("8", "77", 2, 12.0, 120, 900, 2)
        monkeypatch.undo()


def test_a_line_without_a_score_has_none(execution, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"topic": "q", "document": "d", "start": 0, "end": 3}\n')
    [(*_, score, start, end, line)] = scanned(path)[0]
    assert math.isnan(score) and (start, end, line) == (0, 3, 1)
