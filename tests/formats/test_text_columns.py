"""Text in columns, against a literal reader of single lines."""

import math
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focuseval.errors import InputError
from focuseval.formats import lines, trec
from focuseval.formats.parsed import document_name
from focuseval.formats.readers import read_runs

WIDTHS = (6, 7, 8)
WHOLE, REAL, UNKNOWN = (
    re.compile(r"[+-]?0*[0-9]{1,15}(\.0*)?"),
    re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"),
    re.compile(r"X|-0*1"),
)


def literal(data):
    """Return values and number of every good line, and the numbers of the bad lines, by splitting and patterns."""
    lines = [(number, line.split()) for number, line in enumerate(data.split(b"\n"), 1) if line.split()]
    widths = Counter(len(fields) for _, fields in lines if not fields[0].startswith(b"#"))
    width = max(WIDTHS, key=lambda one: widths[one])
    good, bad = [], []
    for number, fields in lines:
        try:
            values = _literal_line([field.decode() for field in fields], width)
        except (AssertionError, UnicodeDecodeError):
            bad.append(number)
        else:
            good.append((*values, number))
    return good, bad


def _literal_line(fields, width):
    assert len(fields) == width and not any("\0" in field for field in fields)
    topic, _, document, rank, score, run, *more = fields
    document = document_name(document)
    assert not topic.startswith("#")
    assert (
        document.strip() and WHOLE.fullmatch(rank) and REAL.fullmatch(score) and math.isfinite(float(score))
    )
    path, start, end = None, -1, -1
    if width == 7:
        [path] = more
        assert path.startswith("/")
    if width == 8:
        unknown = UNKNOWN.fullmatch(more[0])
        assert unknown or (WHOLE.fullmatch(more[0]) and float(more[0]) >= 0)
        assert (unknown and UNKNOWN.fullmatch(more[1])) or (WHOLE.fullmatch(more[1]) and float(more[1]) >= 0)
        offset, length = (-1, 0) if unknown else (int(float(number)) for number in more)
        start, end = offset, offset + length
    return topic, document, int(float(rank)), float(score), run, path, start, end, width == 8 and start < 0


FIELD = st.one_of(
    st.sampled_from(["1", "2", "#", "d.xml", "d.NXML", ".xml", ".nXML", "a.Xml", ".", "-", "./d.xml", "d", "/a[1]", "/", "X", "-1", "-01", "0", "-0", "7", "あ"]),
    st.sampled_from(["1.5", "nan", "-inf", "1e5", "1_0", "+3", "0x1F", "5.", ".5", "1e", "1e+", "e5", "--1", "1e400", "-1e-400", "+.5e-07", "9007199254740993"]),
    st.sampled_from(["123456789012345", "1234567890123456", "0.1234567890123456789", "1e99999999999999999999"]),
    st.sampled_from(["\u00a0", "\u2003.xml", "\x1c", "d\0"]),
    st.floats().map(repr),
    st.text(st.characters(codec="utf-8"), max_size=4),
)  # fmt: skip
BLANK = st.sampled_from([" ", " ", " ", "  ", "\t", "\u00a0", "\v", "\r"])


@st.composite
def text_runs(draw):
    """Lines that are almost runs."""
    width = draw(st.sampled_from(WIDTHS))
    good = ["1", "Q0", "d", "1", "2.5", "r", *(["/a[1]"] if width == 7 else ["0", "5"])][:width]
    lines = []
    for _ in range(draw(st.integers(1, 5))):
        fields = list(good)
        for _ in range(draw(st.integers(0, 2))):
            fields[draw(st.integers(0, width - 1))] = draw(FIELD)
        if draw(st.integers(0, 9)) == 0:
            fields.append(draw(FIELD))
        lines.append("".join(field + draw(BLANK) for field in fields[:-1]) + fields[-1])
    text = draw(st.sampled_from(["\n", "\n", "\r\n", "\n\n", " \n "])).join(lines)
    return text.encode() if draw(st.integers(0, 9)) else text.encode("latin-1", "replace")


@pytest.fixture(params=["as it is", "in small pieces and threads"])
def pieces(request, monkeypatch):
    """Set the size of the pieces that are read together, and the number of threads."""
    if request.param != "as it is":
        monkeypatch.setattr(lines, "_PIECE", 40)
        monkeypatch.setattr(lines, "_SMALLEST", 30)
    monkeypatch.setattr(lines, "cores", lambda: 3 if "threads" in request.param else 1)


def read(data, path):
    """Return the same as `literal`, by Arrow's reader; `literal` has no form without names of runs."""
    path.write_bytes(data)
    forms = [form for form in trec.FORMS.values() if "run" in form]
    [(frame, refused)] = lines.read_columns(path, forms)
    bad = [line for line, _ in refused]
    rows = []
    for row in frame.to_dict("records"):
        names = row["topic"], document_name(row["document"]), row["rank"], row["score"], row["run"]
        place = row.get("path"), row.get("start", -1), row.get("end", -1), row.get("unresolvable", False)
        rows.append((*names, *place, row["line"]))
    return rows, bad


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=text_runs())
def test_the_scan_reads_what_a_literal_reader_does(pieces, data, tmp_path):
    actual, expected = read(data, tmp_path / "run"), literal(data)
    assert actual[1] == expected[1]
    assert [(*row, math.copysign(1, row[3])) for row in actual[0]] == [
        (*row, math.copysign(1, row[3])) for row in expected[0]
    ]


def test_numbers_are_rounded_as_python_rounds_them(pieces, tmp_path):
    rng = np.random.default_rng(5)
    drawn = rng.standard_normal(400) * 10.0 ** rng.integers(-25, 25, 400)
    texts = [
        f"{x:.{d}{k}}"
        for x, d, k in zip(drawn, rng.integers(0, 22, 400), rng.choice(list("efg"), 400), strict=True)
    ]
    texts += [repr(x) for x in drawn.tolist()]
    path = tmp_path / "run"
    path.write_text("".join(f"1 Q0 d{i} {i} {text} me\n" for i, text in enumerate(texts)))
    (run,), _ = read_runs(path)
    assert run.frame["score"].tolist() == [float(text) for text in texts]


def test_one_bad_line_among_many(pieces, tmp_path):
    rows = [f"{i // 50} Q0 d{i % 70}.xml {i % 50} {i}.25 me /a[{i % 9 + 1}]" for i in range(200)]
    good = tmp_path / "good"
    good.write_text("\n".join(rows[:70] + rows[71:]))
    rows[70] = rows[70].replace("70.25", "seven")
    bad = tmp_path / "bad"
    bad.write_text("\n".join(rows))
    with pytest.raises(InputError, match=r"bad, line 71: the score is 'seven'; expected a finite number"):
        read_runs(bad)
    (kept,), rejected = read_runs(bad, lenient=True)
    (same,), _ = read_runs(good)
    assert [problem.where for problem in rejected] == ["line 71"]
    assert len(kept.extended_names) == len(same.extended_names) == 70
    pd.testing.assert_frame_equal(kept.frame.drop(columns="line"), same.frame.drop(columns="line"))
    assert kept.frame["line"].tolist() == [i for i in range(1, 201) if i != 71]


def test_a_byte_that_is_not_utf8_is_reported_with_its_place(pieces, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(b"1 Q0 d\xc3\xa9 1 5 me\n1 Q0 d\xe9 2 4 me\n\n1 Q0 e 3 3 me\n1 Q0 \xff 4 2 me")
    (run,), rejected = read_runs(path, lenient=True)
    assert run.frame["document"].tolist() == ["dé", "e"]
    assert [str(problem).removeprefix(f"{path}, ") for problem in rejected] == [
        "line 2: byte 7 of the line is 0xe9, which is not UTF-8; save the file as UTF-8",
        "line 5: byte 6 of the line is 0xff, which is not UTF-8; save the file as UTF-8",
    ]
