"""Every format of runs and assessments by the same tests: what is read, what is refused, in one table each."""

import gzip
import math
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval import score
from focuseval.api import read_campaign
from focuseval.errors import InputError
from focuseval.formats.detect import ASSESSMENTS, format_of, formats, recognise
from focuseval.formats.inex import write_assessments_tsv, write_run_inex
from focuseval.formats.memory import read_runs as read_given_runs
from focuseval.formats.parsed import REPEATED, RawAssessments, RawRun, missing, notes_on
from focuseval.formats.readers import COLUMNS, Ranking, read_assessments, read_runs
from focuseval.formats.trec import write_qrels_fol, write_run_trec

from .samples import (
    CHUNKS,
    DOCUMENTS,
    ELEMENTS,
    FOL,
    GENOMICS,
    GENOMICS_RUN,
    GOLD,
    INEX2002,
    INEX2003,
    INEX2005,
    PASSAGES,
    QRELS,
    SUBMISSION,
    TSV,
)

POINT = "/article[1]/bdy[1]/p[1]/text()[1]"

#: what runs are recognised as, and read as: topic, document, rank, score, path, start, end, line, unresolvable
READ_RUNS = {
    "trec run with XPaths": (ELEMENTS, """
        1 a/d1 1 9.5 /article[1]/p[2] -1 -1 1 False
        1 a/d2 2 8.5 /article[1] -1 -1 2 False
        2 a/d1 1 7.0 /article[1]/p[2] -1 -1 3 False"""),
    "trec run with offsets": (PASSAGES, """
        1 d1 1 9.5 - 0 100 1 False
        1 d2 2 8.5 - -1 -1 2 True
        1 d2 3 8.0 - -1 -1 3 True
        2 d1 1 7.0 - 50 51 4 False"""),
    "trec run of whole documents": (DOCUMENTS, """
        1 d1 1 9.5 - -1 -1 1 False
        1 d2 2 8.5 - -1 -1 2 False"""),
    "inex submission": (SUBMISSION, """
        1 a/d2 1 9.0 - 10 30 9 False
        1 a/d1 2 8.5 /article[1]/p[2] -1 -1 6 False
        1 a/d3 2 - - -1 -1 10 True
        3 a/d4 4 - - -1 -1 13 False"""),
    "trec genomics run": (GENOMICS_RUN, """
        200 11 1 48.6 - 90 130 1 False
        200 7 2 4.1 - 3 12 2 False
        201 7 1 9.0 - 5 15 3 False"""),
    "retrieved chunks": (CHUNKS, """
        q a 1 2.5 - 0 9 1 False
        q b 2 2.5 - 3 5 3 False
        7 a 1 7.0 - 0 9 2 False"""),
}  # fmt: skip

#: the same of assessments: scale and topics, then rows by what they say: topic, document, values, line
READ_ASSESSMENTS = {
    "inex2002 assessments": (INEX2002, """
        inex2002: 31
        elements: 31 an/1995/a1004 /article[1] 3.0 1.0 - 4
        elements: 31 an/1995/a1004 /article[1]/bdy[1] 3.0 3.0 - 5
        elements: 31 an/1995/a1004 /article[1]/bdy[1]/sec[1] 1.0 2.0 - 6
        elements: 31 an/1995/a1004 /article[1]/bdy[1]/sec[2] 0.0 0.0 - 7"""),
    "inex2003 assessments": (INEX2003, """
        inex2003: 91
        elements: 91 an/1995/a1004 /article[1] 2.0 1.0 - 5
        elements: 91 an/1995/a1004 /article[1]/bdy[1] 0.0 0.0 - 6"""),
    "inex2005 assessments": (INEX2005, f"""
        inex2005: 203
        elements: 203 an/1995/a1004 /article[1] 1.0 0.031 1000.0 12
        elements: 203 an/1995/a1004 /article[1]/bdy[1]/p[1] 2.0 1.0 31.0 13
        elements: 203 an/1995/a1004 /article[1]/bdy[1]/p[1]/it[1] -1.0 0.75 4.0 14
        elements: 203 an/1995/a1004 /article[1]/bdy[1]/p[1]/ref[1] -1.0 0.0 0.0 15
        xpath_passages: 203 an/1995/a1004 {POINT}.0 {POINT}.30 31 10
        entry_points: 203 an/1995/a1004 -1 {POINT}.4 9
        irrelevant: 203 an/1995/a1005 17"""),
    "assessments table": (TSV, """
        inex2005: 1 2
        elements: 1 d /a[1] 2.0 0.25 - 2
        elements: 1 d /a[1]/b[1] -1.0 1.0 - 3"""),
    "fol qrels": (FOL, """
        highlights: 7 8
        passages: 7 d1 10 30  0 1   1
        passages: 7 d1 200 230  1 1   1
        entry_points: 7 d1 100 - 1
        documents: 7 d1 300 50 1 1
        documents: 7 d2 80 0 2 1
        documents: 8 d1 300 0 3 1"""),
    "trec qrels": (QRELS, """
        grades: 2 1
        grades: 2 d1 0 1
        grades: 1 d1 3 2
        grades: 1 d2 -1 4"""),
    "trec genomics gold": (GENOMICS.encode("latin-1"), """
        highlights: 200 201
        passages: 200 11 100 150 ICAM-1|CYTOKINE 2 0 1   1
        passages: 200 11 120 170 SFAS 1 1   2
        passages: 200 7 0 10  2 1   3
        passages: 201 7 5 10 MüLLER 3 1   4"""),
    "gold spans": (GOLD, """
        highlights: q1 q2
        passages: q1 d 0 7  1 2 g x 4
        passages: q1 d 5 9 b|a 0 1   1
        irrelevant: q1 e 5"""),
}  # fmt: skip
READ = READ_RUNS | READ_ASSESSMENTS
FRAMES = ("elements", "passages", "xpath_passages", "entry_points", "documents", "grades", "irrelevant")


def table(frame: pd.DataFrame) -> list[str]:
    plain = frame.drop(columns="source", errors="ignore").astype(object)
    return [
        " ".join("-" if value is None or value != value else str(value) for value in row)
        for row in plain.itertuples(index=False, name=None)
    ]


def as_text(read: RawRun | RawAssessments) -> list[str]:
    """What was read, as in the tables above."""
    if isinstance(read, RawRun):
        return table(read.frame)
    frames = ((name, getattr(read, name)) for name in FRAMES)
    rows = (f"{name}: {row}" for name, frame in frames if frame is not None for row in table(frame))
    return [f"{read.scale}: {' '.join(read.topics)}", *rows]


def one(path: Path, **options: object) -> RawRun:
    (run,), rejected = read_runs(path, **options)
    assert not rejected or options.get("lenient")
    return run


def read(path: Path, kind: str, **options: str) -> RawRun | RawAssessments:
    return one(path, **options) if kind in READ_RUNS else read_assessments(path, **options)


def lines_of(text: str) -> list[str]:
    return [line.strip(" ") for line in text.strip("\n").split("\n")]


def test_every_format_is_in_the_table():
    kinds = {kind for one in formats() for kind in one.kinds}
    assert {*READ} == kinds - {"inex assessments without judgements"}


@pytest.mark.parametrize("kind", READ)
def test_a_good_file(file, kind):
    content, expected = READ[kind]
    path = file(content)
    assert recognise(path) == kind
    found = read(path, kind)
    assert (as_text(found), found.source) == (lines_of(expected), str(path))
    assert as_text(read(path, kind, format=format_of(kind).name)) == as_text(found)
    data = path.read_bytes()
    plain = data.replace(b"\r\n", b"\n")
    for other in (
        gzip.compress(data),
        b"\xef\xbb\xbf" + data.removeprefix(b'<?xml version="1.0" encoding="UTF-8"?>')
        if b"\xfc" not in data
        else data,
        plain.rstrip(b"\n"),
        plain.replace(b"\n", b"\r\n"),
    ):
        assert as_text(read(file(other), kind)) == as_text(found)


@pytest.mark.parametrize(
    "kind", [kind for kind in READ if "trec" in kind and "gold" not in kind] + ["fol qrels"]
)
def test_white_space_between_columns_does_not_matter(file, kind):
    content = READ[kind][0]
    plain = as_text(read(file(content), kind))
    for old, new in ((" ", "\t"), (" ", "   "), (" ", "\t \v"), ("\n", " \n "), ("\n", "\n\f"), ("\r", "")):
        assert as_text(read(file(content.replace(old, new)), kind)) == plain


def test_blank_lines_count(file):
    assert list(one(file("\n" + DOCUMENTS.replace("\n", "\n \n\n"))).frame["line"]) == [2, 5]
    chunks = CHUNKS.replace("\n", "\n \n\n")
    assert sorted(one(file(chunks)).frame["line"]) == [1, 4, 7]


def test_what_is_said_of_a_run(file):
    run = one(file(SUBMISSION))
    assert (run.name, run.participant, run.task, run.most) == ("me", "12", "CO.Focused", 1500)
    assert [*run.frame["topic"].cat.categories] == ["1", "2", "3"]  # one of which is without results
    run = one(file(ELEMENTS))
    assert (run.name, run.ranked_by_file, list(run.frame.columns)) == ("me", False, COLUMNS)
    assert one(file(CHUNKS, "mine.jsonl")).name == "mine"


def xml(judgement: str, root: str = '<assessments topic="1">', document: str = '<file file="d">') -> str:
    return f"{root}\n{document}\n{judgement}</file></assessments>"


def result(inside: str) -> str:
    good = "<result><file>d</file><path>/a[1]</path></result>"
    return f'<inex-submission run-id="r">\n<topic topic-id="1">\n<result>{inside}</result>\n{good}</topic></inex-submission>'


#: a line that cannot be read: content, its number, what is found, what to do
BROKEN_RUNS = [
    (ELEMENTS + "1 Q0 d 3 nan me /a\n", 4, "score is 'nan'", "a finite number"),
    (ELEMENTS + "1 Q0 d 3 inf me /a\n", 4, "score is 'inf'", "a finite number"),
    (ELEMENTS + "1 Q0 d 3 1e999 me /a\n", 4, "score is '1e999'", "a finite number"),
    (ELEMENTS + "1 Q0 d 3 high me /a\n", 4, "score is 'high'", "a finite number"),
    (ELEMENTS + "1 Q0 d 3.5 1 me /a\n", 4, "rank is '3.5'", "a whole number"),
    (ELEMENTS + "1 Q0 d 0x10 1 me /a\n", 4, "rank is '0x10'", "a whole number"),
    (ELEMENTS + "1 Q0 d 99999999999999999999 1 me /a\n", 4, "rank is", "a whole number, of 15 digits at most"),
    (ELEMENTS + "1 Q0 d X 1 me /a\n", 4, "rank is 'X'", "a whole number"),
    (ELEMENTS + "1 Q0 d 3 1 /a\n", 4, "6 columns", "expected 7: topic Q0 document rank score run path"),
    (DOCUMENTS + "1  d 3 1 me\n", 3, "5 columns", "expected 6: topic Q0 document rank score run"),
    (PASSAGES + "1 Q0 d 3 1 me 0 5 6\n", 5, "9 columns", "expected 8"),
    (ELEMENTS + "1 Q0 d 3 1 me article[1]\n", 4, "path is 'article[1]'", "/article[1]/bdy[1]"),
    (PASSAGES + "1 Q0 d 3 1 me -5 5\n", 5, "offset is '-5'", "at least 0"),
    (PASSAGES + "1 Q0 d 3 1 me 5 -5\n", 5, "length is '-5'", "at least 0"),
    (PASSAGES + "1 Q0 d 3 1 me 5 X\n", 5, "length is 'X'", "at least 0"),
    (PASSAGES + "1 Q0 d 3 1 me X five\n", 5, "length is 'five'", "at least 0"),
    (ELEMENTS.encode() + b"1 Q0 d\xe9 3 1 me /a\n", 4, "byte 7 of the line is 0xe9, which is not UTF-8", "save the file as UTF-8"),
    (ELEMENTS + "1 Q0 d\0 3 1 me /a\n", 4, "NUL", "UTF-8"),
    (ELEMENTS + "1 Q0 .xml 3 1 me /a\n", 4, "document is ''", "a name"),
    (PASSAGES + "1 Q0 .nXML 3 1 me 0 5\n", 5, "document is ''", "a name"),
    (result("<path>/a</path>"), 3, "the file is ''", "a name"),
    (result('<file>d</file><path>/a</path><fol offset="0" length="1"/>'), 3, "path and fol", "one of the two"),
    (result("<file>d</file><path>/a</path><path>/b</path>"), 3, "a second <path>", "expected file"),
    (result('<file>d</file><passage start="/a" end="/b"/>'), 3, "<passage> in a result", "fol (offset and length)"),
    (result("<file>d</file><path>article</path>"), 3, "path is 'article'", "/article[1]"),
    (result("<file>d</file><rank>first</rank>"), 3, "rank is 'first'", "a whole number"),
    (result("<file>d</file><rsv>NaN</rsv>"), 3, "rsv is 'NaN'", "a finite number"),
    (result('<file>d</file><fol offset="3"/>'), 3, "length is missing", "at least 0"),
    (result('<file>d</file><fol offset="-3" length="5"/>'), 3, "offset is '-3'", "at least 0"),
    (result("<file>d</file><rank>1</rank>"), 4, "a result without rank", "to all, or to none"),
    (GENOMICS_RUN + "201 7 x 9 5 10 me\n", 4, "the rank is 'x'", "at least 0"),
    (GENOMICS_RUN + "201 7 1 9 5 -1 me\n", 4, "the length is '-1'", "at least 0"),
    (GENOMICS_RUN + "201 7 1 9 5 10\n", 4, "6 columns", "rank score offset length run"),
]  # fmt: skip
BROKEN_ASSESSMENTS = [
    (xml('<path path="/a" relevance="1" coverage="X"/>'), 3, "coverage is 'X'", "N, L, S or E"),
    (xml('<path path="/a" relevance="1"/>'), 3, "coverage is missing", "N, L, S or E"),
    (xml('<path path="/a" relevance="4" coverage="E"/>'), 3, "relevance is '4'", "0, 1, 2, 3"),
    (xml('<path path="/a" relevance="0" coverage="E"/>'), 3, "only one of them is zero", "both"),
    (xml('<path path="/a" exhaustiveness="4" specificity="1"/>'), 3, "exhaustiveness is '4'", "0, 1, 2, 3 or U"),
    (xml('<path path="/a" exhaustiveness="3"/>'), 3, "specificity is 'U'", "0, 1, 2, 3"),
    (xml('<path path="/a" exhaustiveness="0" specificity="1"/>'), 3, "only one of them is zero", "both"),
    (xml('<path exhaustiveness="3" specificity="1"/>'), 3, "the path is missing", "/article[1]"),
    (xml('<path path="//sec" exhaustiveness="3" specificity="1"/>'), 3, "the path is '//sec'", "/article[1]"),
    (xml('<path path="/a" exhaustiveness="3" specificity="1"/>', root="<assessments>"), 1, "the topic is missing", "a name"),
    (xml('<path path="/a" exhaustiveness="3" specificity="1"/>', document="<file>"), 2, "the document is missing", "a name"),
    (xml('<path path="/a" exhaustiveness="3" specificity="1"/>\n<path path="/a[1]" exhaustiveness="2" specificity="1"/>'), 4, "line 3", "keep one"),
    (xml('<element path="/a" exhaustivity="3" size="4" rsize="2"/>'), 3, "exhaustivity is '3'", "?, 0, 1 or 2"),
    (xml('<element path="/a" size="4" rsize="2"/>'), 3, "exhaustivity is missing", "?, 0, 1 or 2"),
    (xml('<element path="/a" exhaustivity="2" size="4" rsize="5"/>'), 3, "rsize 5 is above size 4", "at most"),
    (xml('<element path="/a" exhaustivity="2" size="-4" rsize="-5"/>'), 3, "size is '-4'", "at least 0"),
    (xml('<element path="/a" exhaustivity="2" rsize="5"/>'), 3, "size is missing", "a whole number"),
    (xml('<element path="/a" exhaustivity="2" specificity="1.5"/>'), 3, "specificity is 1.5", "0 to 1"),
    (xml('<passage start="/a[1]"/>'), 3, "the end of the passage is missing", "expected"),
    ("1 Q0 d 5 10 0 0:5\n1 Q0 d2 5\n", 2, "4 columns", "rsize doclen"),
    ("1 Q0 d 5 10 0 0:4\n", 1, "hold 4 characters, but rsize is 5", "same number"),
    ("1 Q0 d 11 10 0 0:11\n", 1, "rsize 11 is above doclen 10", "at most"),
    ("1 Q0 d 5 10 0 6:5\n", 1, "ends at 11, after doclen 10", "of the document"),
    ("1 Q0 d 8 10 0 0:5 4:3\n", 1, "overlap", "disjoint"),
    ("1 Q0 d 5 10 0 0:5 11:0\n", 1, "ends at 11, after doclen 10", "of the document"),
    ("1 Q0 d 5 10 0 5:0\n", 1, "hold 0 characters, but rsize is 5", "same number"),
    ("1 Q0 d 0 10 0 0:5\n", 1, "rsize is 0, but 2 columns follow", "none"),
    ("1 Q0 d 5 10\n", 1, "hold 0 characters, but rsize is 5", "same number"),
    ("1 Q0 d 5 10 0 0:5 x\n", 1, "a passage is 'x'", "offset:length"),
    ("1 Q0 d 5 10 0 0:5 7:-1\n", 1, "length of a passage is '-1'", "at least 0"),
    ("1 Q0 d 5 10 11 0:5\n", 1, "best entry point is 11", "in the document"),
    ("1 Q0 d five 10 0 0:5\n", 1, "rsize is 'five'", "a whole number"),
    ("1 Q0 d 5 99999999999999999999 0 0:5\n", 1, "doclen is", "a whole number"),
    (b"1 Q0 d\xe9 5 10 0 0:5\n", 1, "0xe9, which is not UTF-8", "save the file as UTF-8"),
    ("1 Q0 d 5 10 0 0:5\n1 Q0 d 0 10\n", 2, "line 1", "keep one"),
    (FOL + "7 Q0 d1 50 300 99 10:20 200:30\n", 4, "line 1", "keep one"),
    (FOL + "7 Q0 d1 50 300 100 10:25 200:25\n", 4, "line 1", "keep one"),
    ("1 0 d 1\n1 0 d 1 2 3\n", 2, "6 columns", "topic iteration document grade"),
    ("1 0 d 1\n1 0 e 0.5\n", 2, "the grade is '0.5'", "a whole number"),
    ("1 0 d 1\n1 0 d 2\n", 2, "line 1", "keep one"),
    ("all 0 d 1\n", 1, "the topic is 'all'", "another name"),
    (TSV + "1\td\t/a[1]/c[1]\t1\n", 5, "4 columns", "expected 5"),
    (TSV.replace("specificity", "spec"), 1, "the header is", "specificity"),
    (TSV + "1\td\t/a[1]/c[1]\tx\t1\n", 5, "exhaustivity is 'x'", "a finite number"),
    (TSV + "1\td\t/a[1]/c[1]\t1\tnan\n", 5, "specificity is 'nan'", "a finite number"),
    (TSV + "1\td\t/a[1]/c[1]\t3\t1\n", 5, "exhaustivity 3", "the scale inex2005 has"),
    (TSV + "1\t\t\t1\t1\n", 5, "without document", "both"),
    (TSV + "1\td\t\t1\t1\n", 5, "the path is ''", "/article[1]"),
    ("topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/a\t0\t3\n", 2, "only one of them is zero", "both"),
    (GENOMICS + "200\t11\t10\tA\n", 5, "4 columns", "between tabs"),
    (GENOMICS + "200\t11\t-1\t5\tA\n", 5, "the offset is '-1'", "at least 0"),
    (GOLD + '{"topic": "all", "document": "d", "start": 1, "end": 2}\n', 6, "the topic is 'all'", "another name"),
    (GOLD + '{"topic": "q", "document": "d", "start": 1, "end": 2, "aspects": "a"}\n', 6, '"aspects" is "a"', "expected a list"),
    (GOLD + '{"topic": "q", "document": "d", "start": 1, "end": 2, "aspects": ["a|b"]}\n', 6, "the aspect 'a|b'", "without |"),
    (GOLD + '{"topic": "q", "document": "d", "start": 1, "end": 2, "aspects": [1.5]}\n', 6, '"aspects" is 1.5', "a name"),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(BROKEN_RUNS)))
def test_a_line_of_a_run_that_cannot_be_read(case, file):
    content, line, found, remedy = BROKEN_RUNS[case]
    path = file(content, "broken.run")
    with pytest.raises(InputError) as error:
        read_runs(path)
    (problem,) = error.value.problems
    assert (problem.source, problem.where) == (str(path), f"line {line}")
    assert found in problem.found and remedy in problem.expected
    (run,), rejected = read_runs(path, lenient=True)
    assert rejected == [problem] and line not in set(run.frame["line"])
    assert len(run.frame) == (len(content.splitlines()) - 1 if not str(content).startswith("<") else 1)


@pytest.mark.parametrize("case", range(len(BROKEN_ASSESSMENTS)))
def test_a_line_of_assessments_that_cannot_be_read(case, file):
    content, line, found, remedy = BROKEN_ASSESSMENTS[case]
    path = file(content, "broken")
    with pytest.raises(InputError) as error:
        read_assessments(path)
    problem = error.value.problems[0]
    assert (problem.source, problem.where) == (str(path), f"line {line}")
    assert found in problem.found and remedy in problem.expected


#: content, what is found, what to do: nothing that ``lenient`` could leave out
HOPELESS = [
    ("", "empty file", "something in it"),
    ("\n \n", "empty file", "something in it"),
    (ELEMENTS + "1 Q0 d 3 1 you /a\n", "2 runs: 'me' (line 1), 'you' (line 4)", "one run in one file"),
    (GENOMICS_RUN + "201 7 3 9 5 10 other\n", "2 runs: 'me' (line 1), 'other' (line 4)", "one run in one file"),
    (CHUNKS.replace("rank", "run") + '{"topic": 1, "document": "d", "start": 0, "end": 1, "score": 0, "run": "me"}', "2 runs: 'hopeless' (line 1), 'me' (line 4)", "one run in one file"),
    ("1 Q0 d x 1 r /a\n", "line 1: the rank is 'x'", "a whole number"),
    ('<inex-submission run-id="r"><topic topic-id="1"/></inex-submission>', "no result", "<result>"),
    ('<inex-submission><topic topic-id="1"><result><file>d</file></result></topic></inex-submission>', "no run-id", "run-id"),
    ('<inex-submission run-id="r"><result><file>d</file></result></inex-submission>', "outside a topic", "topic-id"),
    ('<inex-submission run-id="r"><topic><result><file>d</file></result></topic></inex-submission>', "topic-id is missing", "a name"),
    (SUBMISSION.rpartition("</topic>")[0], "Premature end", "get it again"),
    ('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>' + result("<file>&e;</file>"), "external entity 'e'", "never read"),
    ("1 Q0 d 5 10 0 0:5\n", "fol qrels, not a run", "give runs only"),
    ("1 0 d 1\n", "trec qrels, not a run", "give runs only"),
    ("Dear all,\n", "text of 2 columns", "expected a run"),
]  # fmt: skip


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("case", range(len(HOPELESS)))
def test_hopeless_file(case, file, lenient):
    content, found, remedy = HOPELESS[case]
    path = file(content, "hopeless.run")
    with pytest.raises(InputError) as error:
        read_runs(path, lenient=lenient)
    assert all(part in str(error.value) for part in (str(path), found, remedy))


@pytest.mark.parametrize("format", ASSESSMENTS)
def test_nothing_there(file, format, tmp_path):
    with pytest.raises(InputError, match=r"no assessments|no element found|the header"):
        read_assessments(file(""), format=format)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="directory without files"):
        read_assessments(tmp_path / "empty", format=format)
    with pytest.raises(InputError, match="no such file"):
        read_assessments(tmp_path / "absent", format=format)
    with pytest.raises(InputError, match="no file given"):
        read_assessments([], format=format)


# what orders the results of runs


def trec(rows: str, tail: str = "/a") -> str:
    """Lines of ``topic document rank score``."""
    rows = (row.split() for row in rows.split(";"))
    return "".join(f"{topic} Q0 {name} {rank} {value} r {tail}\n" for topic, name, rank, value in rows)


def inex(rows: str) -> str:
    """Results of ``document rank score`` in topic 1; - is missing."""
    results = ""
    for name, rank, value in (row.split() for row in rows.split(";")):
        parts = f"<rank>{rank}</rank>" * (rank != "-") + f"<rsv>{value}</rsv>" * (value != "-")
        results += f"<result><file>{name}</file>{parts}</result>"
    return f'<inex-submission run-id="r"><topic topic-id="1">{results}</topic></inex-submission>'


def chunks(rows: str) -> str:
    """JSON lines of ``topic document score rank``; - is missing."""
    made = ""
    for topic, name, value, rank in (row.split() for row in rows.split(";")):
        more = f', "score": {value}' * (value != "-") + f', "rank": {rank}' * (rank != "-")
        made += f'{{"topic": {topic}, "document": "{name}", "start": 0, "end": 9{more}}}\n'
    return made


FLAT = "1 a {0} 5; 1 b {0} 7; 1 c {0} 7"
SOME = trec("1 a 1 5; 1 b 2 5; 1 c 3 4; 1 d 4 5; 2 e 5 5; 2 f 5 3; 2 g 6 1")
#: content, what the user says, and documents with their ranks
ORDERED = [
    (trec("1 a 3 1; 2 b 1 1; 1 c 1 2; 1 d 3 2; 2 e 1 1"), {}, "c1 a3 d3 b1 e1"),  # ranks order elements
    (trec("1 a 3 1; 2 b 1 1; 1 c 1 2; 2 d 1 2", "0 5"), {}, "file: a1 c2 b1 d2"),  # which passages contradict
    (trec("1 a 1 1; 1 b 4 1; 1 c 4 1; 2 d 1 1", "0 5"), {}, "a1 b4 c4 d1"),
    (trec("1 a 3 1; 1 c 1 2", "0 5"), {"rank_by": "rank"}, "c1 a3"),
    (trec("1 a 3 1; 1 c 1 2", "0 5"), {"rank_by": "order"}, "a1 c2"),
    (SOME, {}, "a1 b2 c3 d4 e5 f5 g6"),
    (SOME, {"equal_scores_tie": True}, "a1 b1 c3 d4 e5 f5 g6"),
    (trec(FLAT.format(1).replace(" 7", " 5")), {}, "a1 b1 c1"),  # one rank is one tie: scores do not contradict it
    (trec("1 a 1 5; 2 b 1 4"), {}, "a1 b1"),
    (inex("a 1 -; b 1 -; c 1 -"), {}, "a1 b1 c1"),
    (trec(FLAT.format(1) + "; 2 d 2 9; 2 e 1 9", "0 5"), {}, "file: a1 b2 c3 d1 e2"),  # ranks that nobody reads
    (trec(FLAT.format(0)), {"rank_by": "rank"}, "a0 b0 c0"),
    (trec(FLAT.format(0)), {"rank_by": "order"}, "a1 b2 c3"),
    (trec(FLAT.format(0)), {"rank_by": "score"}, "b1 c2 a3"),
    (trec(FLAT.format(0)), {"rank_by": "score", "equal_scores_tie": True}, "b1 c1 a3"),
    (trec("1 b 2 1; 1 a 1 2; 2 c 1 1"), {}, "a1 b2 c1"),
    (trec("1 b 2 1; 1 a 1 2; 2 a 1 1"), {}, "a1 b2 a1"),
    (inex("d - 1; e - 3; f - 3; g - 2"), {}, "d1 e2 f3 g4"),  # no ranks: the order of the file
    (inex("d - 1; e - 3; f - 3; g - 2"), {"equal_scores_tie": True}, "d1 e2 f2 g4"),
    (inex("d - -; e - -; f - -"), {"equal_scores_tie": True}, "d1 e2 f3"),  # missing scores do not tie
    (chunks("1 a 2.5 -; 2 b 7 -; 1 c 2.5 -; 1 d -1 -"), {}, "a1 c2 d3 b1"),
    (chunks("1 a 2.5 -; 2 b 7 -; 1 c 2.5 -; 1 d -1 -"), {"equal_scores_tie": True}, "a1 c1 d3 b1"),
    (chunks("1 a 1 2; 1 b 2 1"), {}, "b1 a2"),
    (chunks("1 a - 2; 1 b - 1"), {}, "b1 a2"),
    (chunks("1 a 1 -; 1 b 2 -"), {"rank_by": "score"}, "b1 a2"),
    (chunks("1 a 1 -; 1 b 2 -"), {"rank_by": "order"}, "a1 b2"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "said", "expected"), ORDERED)
def test_what_orders_the_results(file, content, said, expected):
    run = one(file(content), **said)
    ranked = (
        f"{document}{rank}" for document, rank in zip(run.frame["document"], run.frame["rank"], strict=True)
    )
    assert "file: " * run.ranked_by_file + " ".join(ranked) == expected
    if content.startswith("1 Q0"):
        names = [line.split()[2] for line in content.splitlines()]
        assert list(run.frame["document"].cat.categories) == list(dict.fromkeys(names))


ONE_RANK = "line {}: all results of topic 1 have the rank {}{}; as scores differ, .* rank_by=.score., rank_by=.order."
#: content, what the user says, and what is said of it
UNORDERED = [
    (trec(FLAT.format(0)), {}, ONE_RANK.format(1, 0, "")),
    (trec(FLAT.format(1)), {"lenient": True}, ONE_RANK.format(1, 1, "")),
    (trec("0 a 1 9; 0 b 2 8; " + FLAT.format(1) + "; 2 a 1 5; 2 b 1 7"), {}, ONE_RANK.format(3, 1, ", and so in 1 more topic")),
    (inex("a 1 1; b 1 2"), {}, ONE_RANK.format(1, 1, "")),
    (chunks("1 a 1 0; 1 b 2 0"), {}, ONE_RANK.format(1, 0, "")),
    (inex("d - -"), {"rank_by": "rank"}, "results without ranks"),
    (inex("d - -"), {"rank_by": "score"}, "results without scores"),
    (chunks("1 a 1 -; 1 b 2 -"), {}, "the score rises from 1 in line 1 to 2; .* or say what orders them"),
    (chunks("1 a -1.7e308 -; 1 b 1.7e308 -"), {}, "rises from -1.7e.308 .* distances .rank_by=.order."),
    (chunks("1 a 1 2; 1 b 1 -"), {}, 'line 2: "rank" is missing; give every chunk a "rank", or none'),
    (chunks("1 a 1 -; 1 b - -"), {}, 'line 2: "score" is missing; give every chunk a "score", or none'),
    (trec(FLAT.format(0)), {"rank_by": "time"}, "rank_by: 'time'; expected one of score, order, rank"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "said", "message"), UNORDERED)
def test_what_does_not_say_what_orders_the_results(file, content, said, message):
    with pytest.raises(InputError, match=message):
        read_runs(file(content), **said)


def test_one_rank_is_refused_in_frames():
    frame = pd.DataFrame({"topic": 1, "document": ["d", "e"], "rank": 1, "score": [2, 1]})
    with pytest.raises(InputError, match="^run a, row 0: all results of topic 1 have the rank 1"):
        read_given_runs({"a": frame}, Ranking())


@pytest.mark.parametrize(
    ("content", "topics"),
    [
        (
            chunks("1 a 1 -; 1 b 2 -; 1 c 3 -; 2 a 5 -; 3 a 0 -; 3 b 0 -; 3 c 4 -"),
            2,
        ),  # one result says nothing
        (chunks("1 a -1.7e308 -; 1 b 1.7e308 -"), 1),
        (chunks("1 a 1 -; 1 b 2 -; 2 a 5 -; 2 b 4 -"), 0),  # one that falls: they are no distances
        (chunks("1 a 1 -; 1 b 1 -; 2 a 2 -"), 0),
        (
            chunks("1 a 3 2; 1 b 1 1; 2 a 7 9; 2 b 6 1"),
            2,
        ),  # ranks, not lines, are the order that is turned around
        (chunks("1 a 1 2; 1 b 3 1"), 0),
        (DOCUMENTS, 0),
        (DOCUMENTS.replace("8.5", "10"), 1),
        ("1 d1 1 9.5 0 5 me\n1 d2 2 10 0 5 me\n", 1),
        (inex("d - 1; e - 2"), 1),
    ],
)
def test_scores_that_turn_the_order_around_are_told(file, content, topics):
    run = one(file(content), rank_by="score")
    assert (run.reversed_topics or 0) == topics
    notes = [note for note in map(str, notes_on(run)) if "ranking by score turned that around" in note]
    assert [f": {topics} topic" in note and "distances" in note for note in notes] == [True] * bool(topics)
    assert one(file(content), rank_by="order").reversed_topics == 0


# several files


@pytest.mark.parametrize("threads", [1, 3])
def test_files_are_told_in_their_order(tmp_path, monkeypatch, threads):
    monkeypatch.setattr("focuseval.formats.readers.cores", lambda: threads)
    for i in range(9):
        rows = [f"1 Q0 d{k} {k} {9 - k} run{i}" for k in range(1, 4)] * (
            1 if i else 500
        )  # others are done first
        if i % 3 == 0:
            rows[1] = f"{i} columns"
        (tmp_path / f"{i}.run").write_text("\n".join(rows[:2] if i == 4 else rows))
    found, rejected = read_runs(tmp_path, lenient=True)
    assert [run.name for run in found] == [f"run{i}" for i in range(9)]
    assert [Path(problem.source).stem for problem in rejected] == ["0", "3", "6"]
    (tmp_path / "5.run").write_text("1 Q0 d 1 1 a\n1 Q0 e 2 0.5 b\n")
    with pytest.raises(InputError) as told:
        read_runs(tmp_path)
    assert [Path(problem.source).stem for problem in told.value.problems] == ["5", "0", "3", "6"]


def places(error: pytest.ExceptionInfo[InputError]) -> list[tuple[str, str]]:
    return [(Path(problem.source).name, problem.where) for problem in error.value.problems]


def test_all_problems_of_all_files_at_once(file):
    a = file(ELEMENTS + "1 Q0 d 3 nan me /a\n1 Q0 d 3\n", "a")
    b = file(PASSAGES + "1 Q0 d 3 1 me -5 5\n", "b")
    with pytest.raises(InputError) as error:
        read_runs([file(SUBMISSION[:-30], "c"), a, b])
    assert places(error) == [("c", "line 13"), ("a", "line 4"), ("a", "line 5"), ("b", "line 5")]
    bad = '<path path="/a" exhaustiveness="4" specificity="1"/>\n<path path="/b" exhaustiveness="0" specificity="1"/>'
    with pytest.raises(InputError) as error:
        read_assessments([file(xml(bad), "one"), file(xml(bad)[:-20], "two"), file(INEX2003[:-40], "three")])
    lines = [("one", 3), ("one", 4), ("two", 3), ("two", 4), ("two", 4), ("three", 8)]
    assert places(error) == [(name, f"line {line}") for name, line in lines]


def test_what_is_fatal_stands_before_the_lines_that_could_be_left_out(file):
    bad = '{"topic": 1, "document": "d", "start": 0, "end": 0, "run": "a"}\n'
    path = file(bad * 12 + "".join(bad.replace('0, "run": "a', f'1, "run": "{name}') for name in "ab"))
    for lenient in (True, False):
        with pytest.raises(InputError) as told:
            read_runs(path, lenient=lenient)
        first, *others = told.value.problems
        assert first.found == "2 runs: 'a' (line 13), 'b' (line 14)" and len(others) == 12


def test_a_directory_is_all_of_its_files(file):
    file(ELEMENTS, "runs/b/elements.run")
    file(DOCUMENTS.replace("me", "you"), "runs/a.run")
    directory = file(SUBMISSION, "runs/c.xml").parent
    found, _ = read_runs(directory)
    assert [run.name for run in found] == ["you", "elements", "c"]
    again, _ = read_runs([directory / "a.run", directory])
    assert [run.source for run in again] == [run.source for run in found]
    file(INEX2005.replace("203", "204"), "assessments/b/204.xml")
    file(INEX2005, "assessments/a/203.xml")
    file("<!ELEMENT assessments ANY>", "assessments/assessments.dtd")
    directory = file("", "assessments/.hidden").parent
    gold = read_assessments(directory)
    assert (gold.topics, len(gold.elements), gold.source) == (["203", "204"], 8, str(directory))
    sources = [str(directory / name) for name in ("a/203.xml", "b/204.xml")]
    assert list(gold.elements["source"].cat.categories) == sources


def test_names_that_collide_to_the_end_are_paths(file):
    paths = [file(ELEMENTS, "x/a.run"), file(ELEMENTS, "y/a.run"), file(ELEMENTS.replace("me", "b"), "z.run")]
    found, _ = read_runs(paths)
    assert [run.name for run in found] == ["x/a.run", "y/a.run", "b"]
    assert [run.own_name for run in found] == ["me", "me", ""]


def test_a_format_or_scale_that_does_not_fit(file):
    for call, message in (
        (lambda: read_runs(file(ELEMENTS), format="text"), "'text'; expected one of inex, trec"),
        (lambda: read_runs(file(ELEMENTS), format="inex"), "Start tag expected"),
        (lambda: read_assessments(file(INEX2003), format="inex2004"), "expected one of inex2002, inex2003, inex2005, fol, trec, tsv"),
        (lambda: read_assessments(file(INEX2003), scale="highlights"), "inex2003 assessments do not have the scale 'highlights'; expected one of inex2003"),
        (lambda: read_assessments([file(INEX2003, "3"), file(INEX2005, "5")]), "several formats: inex2003 .*, inex2005 .*give the files of one format"),
        (lambda: read_assessments([file(INEX2003, "3"), file('<inex_topic topic_id="1"/>', "t")]), "inex topics, not assessments; give assessments only, or name their format"),
        (lambda: read_runs(file(chunks("1 a - -"))), "gold spans, not a run; .* in this order, name their format: chunks .run_format="),
        (lambda: read_assessments(file(chunks("1 a 1 -"))), "retrieved chunks, not assessments; .* chunks .assessment_format="),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            call()
    assert len(one(file(chunks("1 a - -")), format="chunks").frame) == 1
    assert len(read_assessments(file(chunks("1 a 1 -")), format="chunks").passages) == 1


# what is counted and said


def test_what_was_read_otherwise_than_it_stands_there(file):
    extended = "document name{} ending in .xml or .nxml; read without the ending"
    for content, *notes in (
        (ELEMENTS, f"1 {extended.format('')}"),
        (SUBMISSION, f"1 {extended.format('')}"),
        (PASSAGES.replace("d2", "d2.xml"), f"1 {extended.format('')}"),
        (DOCUMENTS + "2 Q0 d 1 1 me\n\n1 Q0 d3 3 6 me\n", "1 topic with results in several places of the file; those of a topic are read as one list"),
        (trec("1 d 2 1; 1 d2 1 3; 1 d3 3 3"),),
    ):  # fmt: skip
        path = file(content)
        assert list(map(str, notes_on(one(path)))) == [f"{path}: {note}" for note in notes], content
    for content, *notes in (
        ("7 Q0 d1.xml 0 300\n8 Q0 d1.xml 0 300\n8 Q0 d2.XML 0 9\n8 Q0 d3 0 9\n", f"2 {extended.format('s')}"),
        (FOL + FOL, "3 judgements given twice; read once"),
        (QRELS, "1 judgement given twice; read once", f"1 {extended.format('')}"),
        (GENOMICS, "1 passage overlapping an earlier one of the same topic and document; merged: no text counts twice"),
        (GOLD, "1 passage overlapping an earlier one of the same topic and document; merged: no text counts twice", "1 passage with a grade of 0 or below; judged, not relevant"),
        ("7 Q0 d1 50 300 100 10:20 15:0 200:30 300:0\n7 Q0 d2 0 80 5 5:0\n", "3 passages without a character; worth nothing"),
    ):  # fmt: skip
        path = file(content)
        assert list(map(str, notes_on(read_assessments(path)))) == [f"{path}: {note}" for note in notes], (
            content
        )


def test_empty_passages_are_worth_nothing(file):
    """Published qrels have such passages; one inside another is no overlap, and one alone is no judgement."""
    gold = read_assessments(file("7 Q0 d1 50 300 100 10:20 15:0 200:30 300:0\n7 Q0 d2 0 80 5 5:0\n"))
    assert table(gold.passages) == ["7 d1 10 30  0 1   1", "7 d1 200 230  1 1   1"]
    assert table(gold.documents) == ["7 d1 300 50 1 1", "7 d2 80 0 2 1"]
    assert table(gold.entry_points) == ["7 d1 100 - 1"]
    assert table(read_assessments(file("7 Q0 d 30 30 0 10:20 0:10\n")).passages) == [
        "7 d 0 10  0 1   1",
        "7 d 10 30  1 1   1",
    ]


def test_judgements_of_several_files(file):
    pools = [file(INEX2003, f"pool-{i}.xml") for i in (1, 2)]
    gold = read_assessments(pools)
    assert (len(gold.elements), gold.remarks[REPEATED], gold.topics) == (2, 2, ["91"])
    again = read_assessments(file(FOL + "7 Q0 d1 50 300 100 10:20 200:30\n"))
    assert list(again.documents["times"]) == [2, 1, 1] and (len(again.passages), again.remarks[REPEATED]) == (
        2,
        1,
    )
    other = file(INEX2003.replace("exhaustiveness='2'", "exhaustiveness='3'"), "pool-2.xml")
    with pytest.raises(InputError) as error:
        read_assessments([pools[0], other])
    (problem,) = error.value.problems
    assert (problem.source, problem.where) == (str(other), "line 5")
    assert f"{pools[0]}, line 5" in problem.found and "keep one" in problem.expected


def test_names_and_paths_are_normalised(file):
    content = INEX2003.replace("a1004'", "a1004.xml'").replace("/article[1]/bdy[1]'", "/x:article/bdy'")
    assert as_text(read_assessments(file(content))) == as_text(read_assessments(file(INEX2003)))


def test_first_form_of_2005_has_specificities(file):
    first = read_assessments(file(xml('<element path="/a" exhaustivity="2" specificity="0.25"/>')))
    assert table(first.elements) == ["1 d /a[1] 2.0 0.25 - 3"]
    highlights = read_assessments(file(xml('<element path="/a" size="4" rsize="2"/>')), scale="highlights")
    assert (highlights.scale, table(highlights.elements)) == ("highlights", ["1 d /a[1] 2.0 0.5 4.0 3"])


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ("3\t3", "inex2003"),
        ("1\t1", "inex2003"),
        ("1\t1.0", "inex2005"),
        ("?\t1", "inex2005"),
        ("1\t1e-3", "inex2005"),
    ],
)
def test_scale_of_a_table(file, values, scale):
    path = file(f"{TSV.splitlines()[0]}\n1\td\t/a\t{values}\n1\td\t/b\tU\tU\n")
    assert read_assessments(path).scale == scale
    if "?" not in values and "3" not in values:
        for given in ("inex2003", "inex2002", "inex2005")[scale == "inex2005" :][-1:]:
            assert read_assessments(path, scale=given).scale == given


# writers


def same_runs(run: RawRun, other: RawRun) -> None:
    types = {"topic": str, "document": str, "path": object, "rank": int}
    pd.testing.assert_frame_equal(*(one.frame.drop(columns="line").astype(types) for one in (run, other)))
    assert run.name == other.name


@pytest.mark.parametrize("kind", READ_RUNS)
def test_runs_round_trip(file, tmp_path, kind):
    run = one(file(READ[kind][0]))
    write_run_inex(tmp_path / "out.xml", run)
    again = one(tmp_path / "out.xml")
    same_runs(run, again)
    assert (again.participant, again.task) == (run.participant, run.task)
    if kind != "inex submission":
        write_run_trec(tmp_path / "out.run", run)
        same_runs(run, one(tmp_path / "out.run"))


@pytest.mark.parametrize(
    "kind", ["inex2002 assessments", "inex2003 assessments", "inex2005 assessments", "assessments table"]
)
def test_tables_of_assessments_round_trip(file, tmp_path, kind):
    gold = read_assessments(file(READ[kind][0].replace("1000", "999")))
    write_assessments_tsv(tmp_path / "out.tsv", gold)
    again = read_assessments(tmp_path / "out.tsv", scale=gold.scale)
    values = ["topic", "document", "path", "exhaustivity", "specificity"]
    assert table(gold.elements[values]) == table(again.elements[values])
    assert (again.scale, again.topics) == (gold.scale, gold.topics)


def test_qrels_round_trip(file, tmp_path):
    gold = read_assessments(file(FOL))
    write_qrels_fol(tmp_path / "out", gold)
    assert (tmp_path / "out").read_text() == "7 Q0 d1 50 300 100 10:20 200:30\n7 Q0 d2 0 80\n8 Q0 d1 0 300\n"
    assert as_text(read_assessments(tmp_path / "out")) == as_text(gold)


def test_scores_that_are_missing_are_written_as_negative_ranks(file, tmp_path):
    write_run_trec(tmp_path / "out.run", one(file(inex("d - -; d - -"))))
    assert (tmp_path / "out.run").read_text() == "1 Q0 d 1 -1.0 r\n1 Q0 d 2 -2.0 r\n"


def test_writers_refuse_what_a_reader_could_not_read(file, tmp_path):
    blank = result("<file>a b</file>").replace("<path>/a[1]</path>", "")
    for write, read_one, content, message in (
        (write_run_trec, one, SUBMISSION, "mixed; write an INEX submission"),
        (write_run_trec, one, blank, "the document 'a b'; this format cannot hold it"),
        (write_run_inex, one, ELEMENTS.replace("a/d1", "a/\x01"), "XML cannot hold it"),
        (write_assessments_tsv, read_assessments, INEX2003.replace("a1004", "a&#9;4"), "cannot hold it"),
        (write_qrels_fol, read_assessments, INEX2003, "without character offsets; FOL qrels need highlighted passages"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            write(tmp_path / "out", read_one(file(content)))
    assert not (tmp_path / "out").exists()


def test_names_that_formats_write_with_care_round_trip(file, tmp_path):
    names = pd.Categorical(["<topic>", "{", "é&\"'"])
    frame = pd.DataFrame({"topic": names, "document": names[::-1], "rank": [3, 1, 1], "line": 0})
    places = {"path": missing(3), "start": [5, -1, 0], "end": [9, -1, 0], "score": [-0.1, 1e300, 5e-324]}
    frame = frame.assign(**places, unresolvable=[False, True, False])[COLUMNS]
    run = RawRun("{&run>", "", "", frame, "made")
    for name, write in (("inex", write_run_inex), ("trec", write_run_trec)):
        write(tmp_path / name, run)
        same_runs(run, one(tmp_path / name, format=name, rank_by="rank"))


# TREC Genomics, from the file to the score


@pytest.fixture
def genomics(tmp_path: Path) -> dict[str, Path]:
    (tmp_path / "gold.txt").write_text(GENOMICS, encoding="latin-1")
    (tmp_path / "run.txt").write_text(GENOMICS_RUN)
    return {"assessments": tmp_path / "gold.txt", "runs": tmp_path / "run.txt"}


def test_gold_passages_keep_the_order_of_the_file(genomics):
    spans = read_campaign(**genomics).topics[0].spans
    assert spans is not None and spans.start.tolist() == [100, 120, 0]
    assert list(spans.aspects) == ["ICAM-1|CYTOKINE 2", "SFAS", ""]


def test_a_small_campaign_by_hand(genomics):
    names = ["DOCUMENT", "PASSAGE", "PASSAGE2", "ASPECT"]
    found = score(names, **genomics, per_topic=True).set_index(["topic", "measure"])["value"]
    assert found["200", "DOCUMENT"] == 1
    assert found["200", "PASSAGE"] == pytest.approx((30 / 40 + 37 / 49) / 3)  # none meets the second passage
    assert found["200", "ASPECT"] == pytest.approx(2 / 3)
    expected = sum((i + 1) / (i + 11) for i in range(30)) + sum((i + 31) / (i + 41) for i in range(7))
    assert found["200", "PASSAGE2"] == pytest.approx(expected / 80)
    assert found["201", "PASSAGE2"] == 1 and found["201", "PASSAGE"] == 0.5
    genomics["assessments"].write_text("200 Q0 11 50 200 100 100:50\n")
    with pytest.raises(InputError, match="it needs the aspects of gold passages"):
        score(["ASPECT"], **genomics)


def test_trec_qrels_name_documents_of_the_collection(file):
    collection = file("Text.", "docs/a.txt").parent
    gold, run = file("1 0 a.txt 1\n1 0 b.txt 0\n", "qrels"), file("1 Q0 a.txt 1 1 me\n", "run")
    with pytest.raises(InputError, match="line 2: unknown document 'b.txt'"):
        score(["MAP"], assessments=gold, runs=run, collection=collection)


# real data


def test_evidence_inference(shared, tmp_path):
    data = shared("evidence-inference")
    elements = read_assessments(data / "assessments")
    assert (elements.scale, len(elements.topics), len(elements.elements)) == ("inex2005", 39, 6731)
    fol = read_assessments(data / "qrels.fol.txt")
    assert (fol.scale, fol.topics, len(fol.documents)) == ("highlights", elements.topics, 767)
    # The two forms say the same of whole documents.
    whole = elements.elements[elements.elements["path"] == "/article[1]"].copy()
    whole["relevant_size"] = (whole["specificity"] * whole["size"]).round().astype(int)
    columns = ["topic", "document", "size", "relevant_size"]
    left, right = (set(table(one[columns].astype({"size": int}))) for one in (whole, fol.documents))
    assert left == right
    write_qrels_fol(tmp_path / "out", fol)
    assert (tmp_path / "out").read_bytes() == (data / "qrels.fol.txt").read_bytes()


def test_inex_2009(shared, tmp_path):
    path = shared("inex2009-official/qrels.fol.txt")
    gold = read_assessments(path)
    assert (len(gold.topics), len(gold.documents), len(gold.passages)) == (24, 1688, 3056)
    write_qrels_fol(tmp_path / "out", gold)
    assert (tmp_path / "out").read_bytes() == path.read_bytes()
    shutil.copy(shared("inex2009-official/tiny.qrels"), tmp_path / "tiny")
    assert len(read_assessments(tmp_path / "tiny").documents) == 11
    results = {
        "wholedoc": 2400,
        "entry-points": 2400,
        "interleaved": 3102,
        "passages": 7517,
        "sentences": 4415,
    }
    results |= {"tiny": 8, "tiny_bic": 5, "tiny_overlap": 6}
    files = ("articles" if name == "wholedoc" else name for name in results)
    found, rejected = read_runs([shared(f"inex2009-official/{name}.run") for name in files])
    assert not rejected and {run.name: len(run.frame) for run in found} == results
    assert [run.name for run in found if run.ranked_by_file] == ["sentences"]
    assert all((np.diff(run.frame["line"]) == 1).all() for run in found)
    assert all(math.isfinite(run.frame["score"].sum()) for run in found)
    assert found[5].frame["unresolvable"].sum() == 1
