"""JSON lines that Arrow reads together, against the same lines read one at a time."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focuseval.formats import chunks, lines
from focuseval.formats.chunks import CUT, RETRIEVED, SPANS, object_in
from focuseval.formats.lines import lines_of
from focuseval.formats.parsed import UnusableValue

FORMATS = {"gold": SPANS, "run": RETRIEVED, "chunking": CUT}


@pytest.fixture(params=["as it stands", "in small pieces and threads"])
def pieces(request, monkeypatch):
    """Set the size of the pieces that are read together, and the number of threads."""
    monkeypatch.setattr(chunks, "check_is_no_table", lambda path: None)
    monkeypatch.setattr(lines, "cores", lambda: 1 if request.param == "as it stands" else 3)
    if request.param != "as it stands":
        monkeypatch.setattr(lines, "_PIECE", 40)
        monkeypatch.setattr(lines, "_SMALLEST", 30)


def literal(path, form):
    """Return the chunks and the refused lines of a file, by Python's parser alone."""
    chunks, refusals = [], []
    for line, text in lines_of(path):
        try:
            chunks.append((*form._row(object_in(text, form.schema.names)), line))
        except UnusableValue as error:
            refusals.append((line, error.args))
    return chunks, refusals


TEXT = st.text(st.characters(codec="utf-8"), max_size=3)
VALUE = st.one_of(
    TEXT.map(json.dumps),
    TEXT.map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.floats().map(json.dumps),
    st.integers(-3, 10**16).map(str),
    st.sampled_from(["null", "true", "[]", "{}", "[1]", "0", "-0", "07", "1.", ".5", "1e5", "1E-2", "1e+", "1.0", "NaN", "1e400", "-1e-400", "0.12345678901234567"]),
    st.sampled_from(['"a', 'b"', '"', 'a"', '"\\u0041"', '"\\u004"', '"\\q"', '"\\""', '""', '"é"', '"d\xadéd"', '"\\ud800"', '"\\udc00"', '"\\u0000"', '"all"', '" q"']),
)  # fmt: skip
KEY = st.sampled_from(
    [
        r"topic",
        r"document",
        r"start",
        r"end",
        r"score",
        r"rank",
        r"run",
        r"grade",
        r"aspects",
        r"text",
        r"x",
        r"to\u0070ic",
        r"Topic",
    ]
)
BLANK = st.sampled_from(["", "", " ", "\t", "\r", "\v", "\u00a0"])


@st.composite
def almost_chunks(draw):
    """Lines that are almost chunks."""
    chunk_lines = []
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
            line = (
                line[:at] + draw(st.sampled_from(["", '"', "}", "{", ",", "\0", "]", "\n"])) + line[at + 1 :]
            )
        chunk_lines.append(line)
    text = draw(st.sampled_from(["\n", "\n", "\r\n", "\n \n", ""])).join(chunk_lines)
    return text.encode() if draw(st.integers(0, 9)) else text.encode("latin-1", "replace")


@settings(max_examples=70, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=almost_chunks(), name=st.sampled_from([*FORMATS]))
def test_arrow_reads_what_the_parser_of_python_does(pieces, data, name, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(data)
    chunks, refusals = literal(path, FORMATS[name])
    [(frame, refused)] = FORMATS[name].read_file(path)
    assert [(line, why.args) for line, why in refused] == refusals
    rows = zip(*(frame[column].tolist() for column in frame), strict=True)
    assert repr([*rows]) == repr(chunks)  # also NaN and -0.0


def test_lines_as_systems_write_them_are_for_arrow(pieces, tmp_path, monkeypatch):
    first = dict(topic="q1", document="a b.md", start=0, end=3, score=-1.5e-3, text='an \u00e9 "\\\n[{')
    other = {"score": 12, "rank": None, "end": 900, "start": 120, "document": "77", "topic": "8", "id": 1.5}
    path = tmp_path / "run.jsonl"
    monkeypatch.setattr(lines, "one_by_one", None)
    for separators in (None, (",", ":")):
        path.write_text("".join(json.dumps(row, separators=separators) + "\n" for row in (first, other)))
        [(frame, _)] = RETRIEVED.read_file(path)
        columns = ["topic", "document", "start", "end", "rank", "score", "run", "line"]
        assert frame[columns].to_numpy().tolist() == [
            ["q1", "a b.md", 0, 3, -1, -0.0015, "", 1],
            ["8", "77", 120, 900, -1, 12.0, "", 2],
        ]
    path.write_text("".join(json.dumps(first | {"topic": topic}) + "\n" for topic in (7, 8)))
    assert next(RETRIEVED.read_file(path))[0]["topic"].tolist() == ["7", "8"]


def test_how_deep_lines_are_is_seen_of_each(monkeypatch):
    flat = b'{"document": "d", "start": 0, "end": 1, "x": "' + b"[" * 400 + b'"}\n'
    assert CUT._at_once(flat * 3) is not None
    deep = b'{"document": "d", "start": 0, "end": 1, "x": ' + b"[" * 501 + b"]" * 501 + b"}\n"
    assert CUT._at_once(flat + deep) is None
    monkeypatch.setattr(chunks, "DEEPEST", 600)
    assert CUT._at_once(flat + deep) is not None
