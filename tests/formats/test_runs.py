import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.errors import InputError, counted
from focuseval.formats.assessments import read_assessments
from focuseval.formats.memory import read_runs as read_given_runs
from focuseval.formats.ranking import COLUMNS, Ranking
from focuseval.formats.raw import RawRun, notes_on
from focuseval.formats.run_inex import write_run_inex
from focuseval.formats.run_trec import write_run_trec
from focuseval.formats.runs import read_runs

ELEMENTS = "1 Q0 a/d1 1 9.5 me /article[1]/p[2]\n1 Q0 a/d2.xml 2 8.5 me /article[1]\n2 Q0 a/d1 1 7 me /article[1]/p[2]\n"
PASSAGES = "1 Q0 d1 1 9.5 me 0 100\n1 Q0 d2 2 8.5 me X X\n1 Q0 d2 3 8 me -1 18\n2 Q0 d1 1 7 me 50 1\n"
DOCUMENTS = "1 Q0 d1 1 9.5 me\n1 Q0 d2 2 8.5 me\n"
SUBMISSION = """<?xml version="1.0" encoding="UTF-8"?>
<inex-submission participant-id="12" run-id="me" task="CO.Focused" query="automatic" topic-part="T">
<topic-fields title="yes" description="no"/><description>What it is &amp; does</description>
<collections><collection>ieee</collection></collections>
<topic topic-id="1">
<result>
  <file>a/d1</file> <path> /article[1]/p[2] </path> <rank>2</rank> <rsv>8.5</rsv>
</result>
<result><file>a/d2.nxml</file><fol offset="10" length="20"/><rank>1</rank><rsv>9</rsv></result>
<result><file>a/d3</file><fol offset="-1" length="-1"/><rank>2</rank></result>
</topic>
<topic topic-id="2"/>
<topic topic-id="3"><result><rank>4</rank><file>a/d4</file></result></topic>
</inex-submission>
"""


GOLD = '{"topic": 1, "document": "d", "start": 0, "end": 5}\n' * 2


def one(path: Path, **options: bool | str) -> RawRun:
    (run,), rejected = read_runs(path, **options)
    assert not rejected or options.get("lenient")
    return run


def rows(run: RawRun, *columns: str) -> list[tuple]:
    frame = run.frame[list(columns)].astype(object).replace({np.nan: None})
    return list(frame.itertuples(index=False, name=None))


def test_elements(file):
    path = file(ELEMENTS)
    run = one(path)
    assert (run.name, run.source, run.ranked_by_file) == ("me", str(path), False)
    assert list(run.frame.columns) == COLUMNS
    assert rows(
        run, "topic", "document", "rank", "score", "path", "start", "end", "line", "unresolvable"
    ) == [
        ("1", "a/d1", 1, 9.5, "/article[1]/p[2]", -1, -1, 1, False),
        ("1", "a/d2", 2, 8.5, "/article[1]", -1, -1, 2, False),
        ("2", "a/d1", 1, 7.0, "/article[1]/p[2]", -1, -1, 3, False),
    ]


def test_passages(file):
    assert rows(one(file(PASSAGES)), "topic", "document", "path", "start", "end", "unresolvable") == [
        ("1", "d1", None, 0, 100, False),
        ("1", "d2", None, -1, -1, True),
        ("1", "d2", None, -1, -1, True),
        ("2", "d1", None, 50, 51, False),
    ]


def test_whole_documents(file):
    assert rows(one(file(DOCUMENTS)), "document", "path", "start", "end", "unresolvable") == [
        ("d1", None, -1, -1, False),
        ("d2", None, -1, -1, False),
    ]


def test_submission(file):
    run = one(file(SUBMISSION))
    assert (run.name, run.participant, run.task) == ("me", "12", "CO.Focused")
    assert rows(
        run, "topic", "document", "rank", "score", "path", "start", "end", "line", "unresolvable"
    ) == [
        ("1", "a/d2", 1, 9.0, None, 10, 30, 9, False),
        ("1", "a/d1", 2, 8.5, "/article[1]/p[2]", -1, -1, 6, False),
        ("1", "a/d3", 2, None, None, -1, -1, 10, True),
        ("3", "a/d4", 4, None, None, -1, -1, 13, False),
    ]


def test_submission_without_ranks_is_in_file_order(file):
    content = "".join(f"<result><file>d{i}</file><rsv>{s}</rsv></result>" for i, s in enumerate([1, 3, 3, 2]))
    path = file(f'<inex-submission run-id="r"><topic topic-id="1">{content}</topic></inex-submission>')
    assert rows(one(path), "document", "rank") == [("d0", 1), ("d1", 2), ("d2", 3), ("d3", 4)]
    tied = rows(one(path, equal_scores_tie=True), "document", "rank")
    assert tied == [("d0", 1), ("d1", 2), ("d2", 2), ("d3", 4)]


def test_ranks_order_elements(file):
    path = file("1 Q0 a 3 1 r /a\n2 Q0 b 1 1 r /a\n1 Q0 c 1 2 r /a\n1 Q0 d 3 2 r /a\n2 Q0 e 1 1 r /a\n")
    run = one(path)
    assert not run.ranked_by_file
    assert rows(run, "topic", "document", "rank") == [
        ("1", "c", 1),
        ("1", "a", 3),
        ("1", "d", 3),
        ("2", "b", 1),
        ("2", "e", 1),
    ]


def test_file_order_is_the_ranking_of_passages_whose_ranks_contradict_it(file):
    run = one(file("1 Q0 a 3 1 r 0 5\n2 Q0 b 1 1 r 0 5\n1 Q0 c 1 2 r 0 5\n2 Q0 d 1 2 r 0 5\n"))
    assert run.ranked_by_file
    assert rows(run, "topic", "document", "rank") == [
        ("1", "a", 1),
        ("1", "c", 2),
        ("2", "b", 1),
        ("2", "d", 2),
    ]
    tied = one(file("1 Q0 a 1 1 r 0 5\n1 Q0 b 4 1 r 0 5\n1 Q0 c 4 1 r 0 5\n2 Q0 d 1 1 r 0 5\n"))
    assert not tied.ranked_by_file
    assert list(tied.frame["rank"]) == [1, 4, 4, 1]


def test_equal_scores_tie_only_on_request(file):
    path = file(
        "1 Q0 a 1 5 r /a\n1 Q0 b 2 5 r /a\n1 Q0 c 3 4 r /a\n1 Q0 d 4 5 r /a\n2 Q0 a 5 5 r /a\n2 Q0 b 5 3 r /a\n2 Q0 c 6 1 r /a\n"
    )
    assert list(one(path).frame["rank"]) == [1, 2, 3, 4, 5, 5, 6]
    assert list(one(path, equal_scores_tie=True).frame["rank"]) == [1, 1, 3, 4, 5, 5, 6]


FLAT = "1 Q0 a {0} 5 r /a\n1 Q0 b {0} 7 r /a\n1 Q0 c {0} 7 r /a\n"


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("lenient", [True, False])
def test_one_rank_with_several_scores_in_a_whole_topic_is_refused(file, rank, lenient):
    with pytest.raises(
        InputError,
        match=f"line 1: all results of topic 1 have the rank {rank}; as scores differ, .* rank_by=.score., rank_by=.order.",
    ):
        read_runs(file(FLAT.format(rank)), lenient=lenient)
    later = (
        "0 Q0 a 1 9 r /a\n0 Q0 b 2 8 r /a\n" + FLAT.format(rank) + FLAT.format(rank).replace("1 Q0", "2 Q0")
    )
    with pytest.raises(InputError, match=f"line 3: .* topic 1 have the rank {rank}, and so in 1 more topic"):
        read_runs(file(later))


def test_one_rank_is_one_tie_where_scores_do_not_contradict_it(file):
    assert list(one(file(FLAT.format(1).replace(" 7 ", " 5 "))).frame["rank"]) == [1, 1, 1]
    assert list(one(file("1 Q0 a 1 5 r /a\n2 Q0 a 1 4 r /a\n")).frame["rank"]) == [1, 1]
    results = "".join(f"<result><file>d{i}</file><rank>1</rank></result>" for i in range(3))
    path = file(f'<inex-submission run-id="r"><topic topic-id="1">{results}</topic></inex-submission>')
    assert list(one(path).frame["rank"]) == [1, 1, 1]
    # ranks that nobody reads: they fall, and the order of the lines is the ranking
    passages = FLAT.format(1).replace("/a", "0 5") + "2 Q0 a 2 9 r 0 5\n2 Q0 b 1 9 r 0 5\n"
    assert list(one(file(passages)).frame["rank"]) == [1, 2, 3, 1, 2]


def test_one_rank_is_refused_in_submissions_and_chunks(file):
    results = "".join(f"<result><file>d{i}</file><rank>1</rank><rsv>{i}</rsv></result>" for i in range(3))
    content = f'<inex-submission run-id="r"><topic topic-id="1">{results}</topic></inex-submission>'
    chunk = '{{"topic": 1, "document": "d", "start": 0, "end": {0}, "rank": 0, "score": {0}}}\n'
    for text in (content, chunk.format(1) + chunk.format(2)):
        with pytest.raises(InputError, match=r"all results of topic 1 have the rank [01]; as scores differ"):
            read_runs(file(text))
    frame = pd.DataFrame({"topic": 1, "document": ["d", "e"], "rank": 1, "score": [2, 1]})
    with pytest.raises(InputError, match="^run a, row 0: all results of topic 1 have the rank 1"):
        read_given_runs({"a": frame}, Ranking())


@pytest.mark.parametrize("threads", [1, 3])
def test_files_are_told_in_their_order(tmp_path, monkeypatch, threads):
    monkeypatch.setattr("focuseval.formats.runs.cores", lambda: threads)
    for i in range(9):
        lines = [f"1 Q0 d{k} {k} {9 - k} run{i}" for k in range(1, 4)] * (
            500 if i == 0 else 1
        )  # others are done first
        if i % 3 == 0:
            lines[1] = f"{i} columns"
        (tmp_path / f"{i}.run").write_text("\n".join(lines[:2] if i == 4 else lines))
    runs, rejected = read_runs(tmp_path, lenient=True)
    assert [run.name for run in runs] == [f"run{i}" for i in range(9)]
    assert [Path(problem.source).stem for problem in rejected] == ["0", "3", "6"]
    (tmp_path / "5.run").write_text("1 Q0 d 1 1 a\n1 Q0 e 2 0.5 b\n")
    with pytest.raises(InputError) as told:
        read_runs(tmp_path)
    assert [Path(problem.source).stem for problem in told.value.problems] == ["5", "0", "3", "6"]


def test_a_user_says_what_orders_the_results(file):
    path = file(FLAT.format(0))
    assert rows(one(path, rank_by="rank"), "document", "rank") == [("a", 0), ("b", 0), ("c", 0)]
    assert rows(one(path, rank_by="order"), "document", "rank") == [("a", 1), ("b", 2), ("c", 3)]
    assert rows(one(path, rank_by="score"), "document", "rank") == [("b", 1), ("c", 2), ("a", 3)]
    tied = one(path, rank_by="score", equal_scores_tie=True)
    assert rows(tied, "document", "rank") == [("b", 1), ("c", 1), ("a", 3)]
    with pytest.raises(InputError, match="rank_by: 'time'; expected one of score, order, rank"):
        read_runs(path, rank_by="time")


def test_ranks_of_passages_hold_on_request(file):
    path = file("1 Q0 a 3 1 r 0 5\n1 Q0 c 1 2 r 0 5\n")
    run = one(path, rank_by="rank")
    assert (rows(run, "document", "rank"), run.ranked_by_file) == ([("c", 1), ("a", 3)], False)
    assert not one(path, rank_by="order").ranked_by_file


def test_what_orders_the_results_must_be_there(file):
    path = file(
        '<inex-submission run-id="r"><topic topic-id="1"><result><file>d</file></result></topic></inex-submission>'
    )
    for by, lack in (("rank", "results without ranks"), ("score", "results without scores")):
        with pytest.raises(InputError, match=lack):
            read_runs(path, rank_by=by)
    chunk = '{{"topic": 1, "document": "d", "start": 0, "end": {0}, "score": {0}}}\n'
    rising = file(chunk.format(1) + chunk.format(2))
    with pytest.raises(InputError, match="the score rises .* or say what orders them"):
        read_runs(rising)
    assert rows(one(rising, rank_by="score"), "end", "rank") == [(2, 1), (1, 2)]
    assert rows(one(rising, rank_by="order"), "end", "rank") == [(1, 1), (2, 2)]


def distances(*of_topics: str) -> str:
    """JSON lines of chunks with these scores, or these scores and ranks, of topic 1, 2 …"""
    lines = []
    for topic, scores in enumerate(of_topics, 1):
        for place, score in enumerate(scores.split()):
            value, _, rank = score.partition("@")
            lines.append(
                f'{{"topic": {topic}, "document": "d", "start": {place}, "end": 9, "score": {value}'
                + (f', "rank": {rank}}}\n' if rank else "}\n")
            )
    return "".join(lines)


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        (("1 2 3", "5", "0 0 4"), 2),  # a topic of one result says nothing
        (("-1.7e308 1.7e308",), 1),
        (("1 2 3", "5 4"), 0),  # one that falls: they are no distances
        (("3 2", "5 4"), 0),
        (("1 1", "2"), 0),
        (("3@2 1@1", "7@9 6@1"), 2),  # ranks, not lines, are the order that is turned around
        (("1@2 3@1",), 0),
    ],
)
def test_scores_that_turn_the_order_around_are_told(file, scores, told):
    run = one(file(distances(*scores)), rank_by="score")
    assert run.reversed_topics == told
    notes = [note for note in notes_on(run) if "ranking by score turned that around" in note]
    assert len(notes) == bool(told) and all(
        f": {counted(told, 'topic')} with scores rising" in note and "distances" in note for note in notes
    )
    assert one(file(distances(*scores)), rank_by="order").reversed_topics == 0


def test_ranks_that_scores_turn_around_are_told_in_every_format(file):
    for lines in (DOCUMENTS, "1 d1 1 9.5 0 5 me\n1 d2 2 8.5 0 5 me\n", SUBMISSION):
        assert one(file(lines)).reversed_topics == 0
    trec = file(DOCUMENTS.replace("8.5", "10"))
    genomics = file("1 d1 1 9.5 0 5 me\n1 d2 2 10 0 5 me\n")
    submission = file(
        '<inex-submission run-id="r"><topic topic-id="1"><result><file>d</file><rsv>1</rsv></result>'
        "<result><file>e</file><rsv>2</rsv></result></topic></inex-submission>"
    )
    for path in (trec, genomics, submission):
        assert one(path, rank_by="score").reversed_topics == 1


def test_scores_near_the_largest_number_rise_without_a_warning(file):
    with pytest.raises(InputError, match="rises from -1.7e.308 .* distances .rank_by=.order."):
        read_runs(file(distances("-1.7e308 1.7e308")))


def test_what_is_fatal_stands_before_the_lines_that_could_be_left_out(file):
    bad = '{"topic": 1, "document": "d", "start": 0, "end": 0, "run": "a"}\n'
    path = file(bad * 12 + "".join(bad.replace('0, "run": "a', f'1, "run": "{name}') for name in "ab"))
    for lenient in (True, False):
        with pytest.raises(InputError) as told:
            read_runs(path, lenient=lenient)
        assert (
            str(told.value)
            .splitlines()[0]
            .endswith("2 runs: 'a' (line 13), 'b' (line 14); give one run in one file")
        )
        assert len(told.value.problems) == 13


def test_chunks_that_are_read_the_other_way_are_told_both_ways(file):
    gold, run = file(GOLD, "gold"), file(distances("3 2"), "run")
    with pytest.raises(
        InputError, match="gold spans, not a run; .* in this order, name their format: chunks .run_format="
    ):
        read_runs(gold)
    with pytest.raises(InputError, match="retrieved chunks, not assessments; .* chunks .assessment_format="):
        read_assessments(run)
    assert len(one(gold, format="chunks").frame) == len(read_assessments(run, format="chunks").passages)


def test_missing_scores_do_not_tie(file):
    results = "<result><file>d</file></result>" * 3
    path = file(f'<inex-submission run-id="r"><topic topic-id="1">{results}</topic></inex-submission>')
    assert list(one(path, equal_scores_tie=True).frame["rank"]) == [1, 2, 3]


@pytest.mark.parametrize("content", [ELEMENTS, PASSAGES, DOCUMENTS])
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "   "),
        lambda text: text.replace(" Q0 ", " \t  Q0\t").replace("\n", "  \n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: "\ufeff" + text,
        lambda text: "  " + text.replace("\n", "\n  "),
    ],
)
def test_white_space_does_not_matter(file, content, change):
    plain, changed = one(file(content, "plain")), one(file(change(content), "changed"))
    pd.testing.assert_frame_equal(plain.frame, changed.frame)


def test_blank_lines_count(file):
    run = one(file("\n" + DOCUMENTS.replace("\n", "\n \n\n")))
    assert list(run.frame["line"]) == [2, 5]


def result(inside: str) -> str:
    good = "<result><file>d</file><path>/a[1]</path></result>"
    return f'<inex-submission run-id="r">\n<topic topic-id="1">\n<result>{inside}</result>\n{good}</topic></inex-submission>'


# content, line, what is found, what to do
BROKEN = {
    "NaN": (ELEMENTS + "1 Q0 d 3 nan me /a\n", 4, "score is 'nan'", "a finite number"),
    "infinite": (ELEMENTS + "1 Q0 d 3 inf me /a\n", 4, "score is 'inf'", "a finite number"),
    "too large": (ELEMENTS + "1 Q0 d 3 1e999 me /a\n", 4, "score is '1e999'", "a finite number"),
    "no number": (ELEMENTS + "1 Q0 d 3 high me /a\n", 4, "score is 'high'", "a finite number"),
    "rank": (ELEMENTS + "1 Q0 d 3.5 1 me /a\n", 4, "rank is '3.5'", "a whole number"),
    "rank in hexadecimal": (ELEMENTS + "1 Q0 d 0x10 1 me /a\n", 4, "rank is '0x10'", "a whole number"),
    "huge rank": (ELEMENTS + "1 Q0 d 99999999999999999999 1 me /a\n", 4, "rank is", "a whole number"),
    "missing rank": (ELEMENTS + "1 Q0 d X 1 me /a\n", 4, "rank is 'X'", "a whole number"),
    "too few": (ELEMENTS + "1 Q0 d 3 1 /a\n", 4, "6 columns", "expected 7: topic Q0 document rank score run path"),
    "too many": (PASSAGES + "1 Q0 d 3 1 me 0 5 6\n", 5, "9 columns", "expected 8"),
    "no path": (ELEMENTS + "1 Q0 d 3 1 me article[1]\n", 4, "path is 'article[1]'", "/article[1]/bdy[1]"),
    "negative offset": (PASSAGES + "1 Q0 d 3 1 me -5 5\n", 5, "offset is '-5'", "at least 0"),
    "negative length": (PASSAGES + "1 Q0 d 3 1 me 5 -5\n", 5, "length is '-5'", "at least 0"),
    "no length": (PASSAGES + "1 Q0 d 3 1 me 5 X\n", 5, "length is 'X'", "at least 0"),
    "odd length": (PASSAGES + "1 Q0 d 3 1 me X five\n", 5, "length is 'five'", "at least 0"),
    "encoding": (ELEMENTS.encode() + b"1 Q0 d\xe9 3 1 me /a\n", 4, "byte 7 of the line is 0xe9, which is not UTF-8", "save the file as UTF-8"),
    "NUL": (ELEMENTS + "1 Q0 d\0 3 1 me /a\n", 4, "NUL", "UTF-8"),
    "name": (ELEMENTS + "1 Q0 .xml 3 1 me /a\n", 4, "document is ''", "a name"),
    "no file": (result("<path>/a</path>"), 3, "the file is ''", "a name"),
    "path and fol": (result('<file>d</file><path>/a</path><fol offset="0" length="1"/>'), 3, "path and fol", "one of the two"),
    "two paths": (result("<file>d</file><path>/a</path><path>/b</path>"), 3, "a second <path>", "expected file"),
    "passage of 2007": (result('<file>d</file><passage start="/a" end="/b"/>'), 3, "<passage> in a result", "fol (offset and length)"),
    "xml path": (result("<file>d</file><path>article</path>"), 3, "path is 'article'", "/article[1]"),
    "xml rank": (result("<file>d</file><rank>first</rank>"), 3, "rank is 'first'", "a whole number"),
    "xml NaN": (result("<file>d</file><rsv>NaN</rsv>"), 3, "rsv is 'NaN'", "a finite number"),
    "xml length": (result('<file>d</file><fol offset="3"/>'), 3, "length is missing", "at least 0"),
    "xml offset": (result('<file>d</file><fol offset="-3" length="5"/>'), 3, "offset is '-3'", "at least 0"),
    "some ranks": (result("<file>d</file><rank>1</rank>"), 4, "a result without rank", "to all, or to none"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_broken_line(case, file):
    content, line, found, remedy = BROKEN[case]
    path = file(content, "broken.run")
    with pytest.raises(InputError) as error:
        read_runs(path)
    (problem,) = error.value.problems
    assert (problem.source, problem.where) == (str(path), f"line {line}")
    assert found in problem.found
    assert remedy in problem.expected
    (run,), rejected = read_runs(path, lenient=True)
    assert rejected == [problem]
    assert len(run.frame) == (len(content.splitlines()) - 1 if not str(content).startswith("<") else 1)
    assert line not in set(run.frame["line"])


# content, what is found, what to do: nothing that ``lenient`` could leave out
HOPELESS = {
    "nothing": ("", "empty file", "something in it"),
    "blank": ("\n \n", "empty file", "something in it"),
    "two runs": (ELEMENTS + "1 Q0 d 3 1 you /a\n", "2 runs: 'me' (line 1), 'you' (line 4)", "one run in one file"),
    "no line": ("1 Q0 d x 1 r /a\n", "line 1: the rank is 'x'", "a whole number"),
    "no results": ('<inex-submission run-id="r"><topic topic-id="1"/></inex-submission>', "no result", "<result>"),
    "no name": ('<inex-submission><topic topic-id="1"><result><file>d</file></result></topic></inex-submission>', "no run-id", "run-id"),
    "no topic": ('<inex-submission run-id="r"><result><file>d</file></result></inex-submission>', "outside a topic", "topic-id"),
    "topic without name": ('<inex-submission run-id="r"><topic><result><file>d</file></result></topic></inex-submission>', "topic-id is missing", "a name"),
    "cut": (SUBMISSION.rpartition("</topic>")[0], "Premature end", "get it again"),
    "XXE": ('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>' + result("<file>&e;</file>"), "external entity 'e'", "never read"),
    "qrels": ("1 Q0 d 5 10 0 0:5\n", "fol qrels, not a run", "give runs only"),
    "qrels of documents": ("1 0 d 1\n", "trec qrels, not a run", "give runs only"),
    "text": ("Dear all,\n", "text of 2 columns", "expected a run"),
}  # fmt: skip


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("case", HOPELESS)
def test_hopeless_file(case, file, lenient):
    content, found, remedy = HOPELESS[case]
    path = file(content, "hopeless.run")
    with pytest.raises(InputError) as error:
        read_runs(path, lenient=lenient)
    assert str(path) in str(error.value)
    assert found in str(error.value)
    assert remedy in str(error.value)


def test_all_problems_of_all_files_at_once(file):
    a = file(ELEMENTS + "1 Q0 d 3 nan me /a\n1 Q0 d 3\n", "a")
    b = file(PASSAGES + "1 Q0 d 3 1 me -5 5\n", "b")
    c = file(SUBMISSION[:-30], "c")
    with pytest.raises(InputError) as error:
        read_runs([c, a, b])
    places = [(Path(p.source).name, p.where) for p in error.value.problems]
    assert places == [("c", "line 13"), ("a", "line 4"), ("a", "line 5"), ("b", "line 5")]


def test_directory_is_all_of_its_runs(file):
    file(ELEMENTS, "runs/b/elements.run")
    file(DOCUMENTS.replace("me", "you"), "runs/a.run")
    directory = file(SUBMISSION, "runs/c.xml").parent
    runs, _ = read_runs(directory)
    assert [run.name for run in runs] == ["you", "elements", "c"]
    again, _ = read_runs([directory / "a.run", directory])
    assert [run.source for run in again] == [run.source for run in runs]


def test_names_that_collide_to_the_end_are_paths(file):
    paths = [file(ELEMENTS, "x/a.run"), file(ELEMENTS, "y/a.run"), file(ELEMENTS.replace("me", "b"), "z.run")]
    runs, _ = read_runs(paths)
    assert [run.name for run in runs] == ["x/a.run", "y/a.run", "b"]
    assert [run.own_name for run in runs] == ["me", "me", ""]


@pytest.mark.parametrize("last", ["c", "a"])
def test_documents_are_numbered_as_they_stand_in_the_file(file, last):
    """Whether or not some stand there twice, and whatever ranks them."""
    run = one(file(f"1 Q0 b 2 1 r\n1 Q0 a 1 2 r\n2 Q0 {last} 1 1 r\n"))
    assert list(run.frame["document"].cat.categories) == list(dict.fromkeys(["b", "a", last]))
    assert run.frame["document"].tolist() == ["a", "b", last]


def test_format_can_be_given(file):
    with pytest.raises(InputError, match=r"'text'; expected one of inex, trec"):
        read_runs(file(ELEMENTS), format="text")
    assert len(read_runs(file(ELEMENTS), format="trec")[0][0].frame) == 3
    with pytest.raises(InputError, match=r"Start tag expected"):
        read_runs(file(ELEMENTS), format="inex")


def same(one: RawRun, other: RawRun) -> None:
    types = {"topic": str, "document": str, "path": object, "rank": int}
    frames = (run.frame.drop(columns="line").astype(types) for run in (one, other))
    pd.testing.assert_frame_equal(*frames)
    assert one.name == other.name


@pytest.mark.parametrize("content", [ELEMENTS, PASSAGES, DOCUMENTS, SUBMISSION])
def test_submission_round_trip(file, tmp_path, content):
    run = one(file(content))
    write_run_inex(tmp_path / "out.xml", run)
    again = one(tmp_path / "out.xml")
    same(run, again)
    assert (again.participant, again.task) == (run.participant, run.task)


@pytest.mark.parametrize("content", [ELEMENTS, PASSAGES, DOCUMENTS])
def test_text_round_trip(file, tmp_path, content):
    run = one(file(content))
    write_run_trec(tmp_path / "out.run", run)
    same(run, one(tmp_path / "out.run"))


def test_scores_that_are_missing_are_written_as_negative_ranks(file, tmp_path):
    results = "<result><file>d</file></result>" * 2
    run = one(file(f'<inex-submission run-id="r"><topic topic-id="1">{results}</topic></inex-submission>'))
    write_run_trec(tmp_path / "out.run", run)
    assert (tmp_path / "out.run").read_text() == "1 Q0 d 1 -1.0 r\n1 Q0 d 2 -2.0 r\n"


def test_writers_refuse_what_a_reader_could_not_read(file, tmp_path):
    with pytest.raises(InputError, match="mixed; write an INEX submission"):
        write_run_trec(tmp_path / "out", one(file(SUBMISSION)))
    blank = one(file(result("<file>a b</file>").replace("<path>/a[1]</path>", "")))
    with pytest.raises(InputError, match=r"the document 'a b'; this format cannot hold it"):
        write_run_trec(tmp_path / "out", blank)
    control = one(file(ELEMENTS.replace("a/d1", "a/\x01")))
    with pytest.raises(InputError, match=r"XML cannot hold it"):
        write_run_inex(tmp_path / "out", control)
    assert not (tmp_path / "out").exists()


NAME = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Z")), min_size=1, max_size=5
).filter(lambda name: name.split() == [name] and not name.lower().endswith("xml"))
PATH = st.builds("/{}[{}]".format, NAME, st.integers(1, 9))


@st.composite
def runs(draw) -> RawRun:
    """Runs of one kind of results, as readers give them."""
    kind = draw(st.sampled_from(["path", "passage", "document"]))
    results = st.lists(
        st.tuples(
            NAME,
            st.integers(1, 3),
            st.floats(allow_nan=False, allow_infinity=False),
            PATH,
            st.integers(-1, 50),
            st.integers(0, 50),
        ),
        min_size=1,
        max_size=6,
    )
    table = []
    for topic in draw(st.lists(NAME, min_size=1, max_size=3, unique=True)):
        for document, rank, score, path, start, length in sorted(draw(results), key=lambda row: row[1]):
            passage = (
                (start, start + length if start >= 0 else -1, start < 0)
                if kind == "passage"
                else (-1, -1, False)
            )
            table.append(
                (topic, document, rank, score, path if kind == "path" else None, *passage[:2], 0, passage[2])
            )
    frame = pd.DataFrame(table, columns=COLUMNS).astype(
        {"topic": "category", "document": "category", "path": "category"}
    )
    return RawRun(draw(NAME), "", "", frame, "made")


@settings(max_examples=25, deadline=None)
@given(runs())
def test_any_run_round_trips(tmp_path_factory, run):
    folder = tmp_path_factory.mktemp("runs")
    for name, write in (("inex", write_run_inex), ("trec", write_run_trec)):
        write(folder / name, run)
        # The name of a topic may begin as XML or JSON does: then a run in columns has to be told.
        same(run, one(folder / name, format=name, rank_by="rank"))


def test_names_with_the_extension_of_xml_files_are_told(file):
    told = "1 document name ending in .xml or .nxml; read without the ending"
    for content in (ELEMENTS, SUBMISSION, PASSAGES.replace("d2", "d2.xml")):
        path = file(content)
        assert notes_on(one(path)) == [f"{path}: {told}"], content
    for name in (".xml", ".nXML"):
        with pytest.raises(InputError, match="the document is ''"):
            one(file(PASSAGES.replace("d2", name)))


def test_topics_in_several_places_of_the_file_are_told(file):
    told = "1 topic with results in several places of the file; those of a topic are read as one list"
    path = file(ELEMENTS.replace(".xml", "") + "\n1 Q0 a/d3 3 6 me /article[1]\n")
    assert notes_on(one(path)) == [f"{path}: {told}"]
    assert rows(one(path), "topic", "document")[2:] == [("1", "a/d3"), ("2", "a/d1")]
    by_rank = file("1 Q0 d 2 1 me\n1 Q0 d2 1 3 me\n\n1 Q0 d3 3 3 me\n")
    assert notes_on(one(by_rank)) == []


def test_inex_2009(shared):
    found = {
        "articles": ("wholedoc", 2400, False),
        "entry-points": ("entry-points", 2400, False),
        "interleaved": ("interleaved", 3102, False),
        "passages": ("passages", 7517, False),
        "sentences": ("sentences", 4415, True),
        "tiny": ("tiny", 8, False),
        "tiny_bic": ("tiny_bic", 5, False),
        "tiny_overlap": ("tiny_overlap", 6, False),
    }
    runs, rejected = read_runs([shared(f"inex2009-official/{name}.run") for name in found])
    assert not rejected
    assert [(run.name, len(run.frame), run.ranked_by_file) for run in runs] == list(found.values())
    for run in runs:
        assert (run.frame["line"].diff().dropna() == 1).all()
        assert math.isfinite(run.frame["score"].sum())
    assert runs[5].frame["unresolvable"].sum() == 1
