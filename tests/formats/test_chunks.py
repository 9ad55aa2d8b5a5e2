"""Gold spans and retrieved chunks as JSON lines, from the file to the score."""

import json
from pathlib import Path

import pandas as pd
import pytest

from focuseval.api import read_campaign, score
from focuseval.errors import InputError
from focuseval.formats.checking import check, recognise
from focuseval.formats.chunks import DEEPEST, name_in, object_in, score_in, whole_number_in
from focuseval.formats.memory import read_gold
from focuseval.formats.parsed import OVERLAPPING, Refused, whole_number
from focuseval.formats.readers import read_assessments, read_runs


def write(path: Path, lines: list) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def gold(topic: object, document: str, start: int, end: int) -> dict:
    return {"topic": topic, "document": document, "start": start, "end": end}


def chunk(topic: object, document: str, start: int, end: int, score: float, **other: object) -> dict:
    return {**gold(topic, document, start, end), "score": score, **other}


def test_spans_are_merged_and_counted(tmp_path: Path) -> None:
    spans = [
        gold("q1", "a.md", 0, 10),
        gold("q1", "a.md", 5, 12),
        gold("q1", "a.md", 12, 20),
        gold(2, "b", 3, 4),
    ]
    path = write(tmp_path / "gold.jsonl", spans)
    assert recognise(path) == "gold spans"
    found = read_assessments(path)
    assert (found.scale, found.topics) == ("highlights", ["q1", "2"])
    assert +found.remarks == {OVERLAPPING: 1}
    [warning] = check(path)[1]
    assert warning.found == "warning: 1 passage overlapping an earlier one of the same topic and document"
    run = write(tmp_path / "run.jsonl", [chunk("q1", "a.md", 0, 20, 1.0)])
    campaign = read_campaign(assessments=path, runs=run)
    [first, second] = campaign.topics
    assert campaign.notes == [
        f"{path}: 1 passage overlapping an earlier one of the same topic and document; merged: no text counts twice"
    ]
    assert [first.highlights.start.tolist(), first.highlights.end.tolist()] == [[0], [20]]
    parts = [write(tmp_path / f"{i}.jsonl", [span]) for i, span in enumerate(spans)]
    assert read_assessments(parts).remarks[OVERLAPPING] == 1
    assert [second.highlights.start.tolist(), second.highlights.end.tolist()] == [[3], [4]]


@pytest.mark.parametrize("other", [{"rank": 2}, {"run": "me"}, {"score": 1}])
def test_rank_run_or_score_in_a_line_mark_a_run(tmp_path: Path, other: dict) -> None:
    marked = gold("q", "a", 0, 9) | other
    unmarked = gold("q", "a", 0, 9) | {"text": 'no "rank": here', "about": {"score": 1}}
    assert recognise(write(tmp_path / "a", [marked])) == "retrieved chunks"
    assert recognise(write(tmp_path / "a", [unmarked, "{broken", marked])) == "retrieved chunks"
    assert recognise(write(tmp_path / "a", [json.dumps(marked)[:-1]])) == "retrieved chunks"
    assert recognise(write(tmp_path / "a", [unmarked])) == "gold spans"


def test_chunks_without_a_topic_are_told_at_once(tmp_path: Path) -> None:
    lines = [
        {key: value for key, value in gold("", "a", 0, 9 + i).items() if key != "topic"} for i in range(30)
    ]
    path = write(tmp_path / "chunks.jsonl", lines)
    told = "chunks without a topic, as focuseval ceiling takes them; gold and runs have one in every line"
    assert check(path) == (f"{told}; documents: 1, chunks: 30", [])
    for read in (read_assessments, read_runs):
        with pytest.raises(
            InputError, match='chunks without a topic, not .*; expected a "topic" in every'
        ) as error:
            read(path)
        assert len(error.value.problems) == 1
    misspelt = write(tmp_path / "misspelt.jsonl", [{"topics": "q", **line} for line in lines])
    with pytest.raises(InputError, match='"topic" is missing; is "topics" meant for it'):
        read_assessments(misspelt)
    for name in ("query_id", "qid", "questionId"):  # as others call it: gold, and no chunks
        other = write(tmp_path / "other.jsonl", [{name: "q", **line} for line in lines])
        with pytest.raises(InputError, match=f'"topic" is missing; is "{name}" meant for it'):
            read_assessments(other)
    assert recognise(write(tmp_path / "one.jsonl", [*lines, gold("q", "a", 0, 9)])) == "gold spans"


def test_what_a_key_is_called_elsewhere_and_numbers_in_quotes_are_told() -> None:
    line = {"topic": "q", "metadata": {"source": "a"}, "start": "12", "length": 3, "score": "nan"}
    asked = {
        "document": '"document" is missing; is "metadata.source" meant for it? expected a name',
        "start": '"start" is "12"; expected a whole number of at least 0, without quotes',
        "end": '"end" is missing; give the sum of "start" and "length"; expected a whole number of at least 0',
        "score": '"score" is "nan"; expected a finite number',
    }
    readers = {"document": name_in, "score": lambda found, _: score_in(found)}
    for key, told in asked.items():
        with pytest.raises(Refused) as refused:
            readers.get(key, lambda found, key: whole_number_in(found, key, 0))(line, key)
        assert "; ".join(refused.value.args) == told
    with pytest.raises(Refused, match="expected a finite number, without quotes"):
        score_in({"score": "9.4"})
    with pytest.raises(Refused, match="expected a whole number of at least 0, of 15 digits at most"):
        whole_number_in({"end": 10**15}, "end", 0)
    with pytest.raises(Refused, match="expected a whole number, of 15 digits at most"):
        whole_number("-1000000000000000", "the rank")


@pytest.mark.parametrize("lenient", [False, True])
def test_of_lines_none_of_which_can_be_read_there_are_no_more_problems(tmp_path: Path, lenient: bool) -> None:
    path = write(tmp_path / "run.jsonl", [chunk("q", "a", 9, 3, 1.0)] * 3)
    with pytest.raises(InputError) as error:
        read_runs(path, lenient=lenient)
    assert [problem.where for problem in error.value.problems] == ["line 1", "line 2", "line 3"]


BAD = [
    ('{"topic": "q", "document": "a", "start": 0, "end": 3', "no JSON: Expecting ',' delimiter, column 53"),
    ("[1, 2]", "no JSON object"),
    ({"document": "a", "start": 0, "end": 3, "score": 1}, '"topic" is missing'),
    (chunk("", "a", 0, 3, 1), '"topic" is ""'),
    (chunk("q", "a", -1, 3, 1), '"start" is -1'),
    (chunk("q", "a", 0, True, 1), '"end" is true'),
    (chunk("q", "a", 0, 2.5, 1), '"end" is 2.5'),
    (chunk("q", "a", 7, 7, 1), "the span is 7 to 7"),
    ('{"topic": "q", "document": "a", "start": 0, "end": 3, "score": NaN}', '"score" is'),
    (gold("q", "a", 0, 3), '"score" is missing'),
    (chunk("q", "a", 0, 3, 1, rank="x"), '"rank" is "x"'),
    ('{"topic": "q", "document": "a", "start": 0, "start": 1, "end": 3, "score": 1}', '"start" is there twice'),
    (chunk("q\ud800", "a", 0, 3, 1), '"topic" is "q\\ud800"'),
    (chunk("q", "\udfff", 0, 3, 1), '"document" is "\\udfff"'),
    (chunk("q", "a\0b", 0, 3, 1), '"document" is "a\\u0000b"'),
    (chunk("q", "a", 0, "\ud800", 1), '"end" is "\\ud800"'),
    (chunk("q", "a", 0, 3, "\ud800"), '"score" is "\\ud800"'),
    (chunk("q", "a", 0, 3, 10**400), '"score" is 1000'),
    (chunk("q", "a", 0, 3, None), '"score" is missing'),
    (chunk("q", "a", 0, None, 1), '"end" is null'),
    (chunk("q", "a", 0, 1e300, 1), '"end" is 1e+300'),
    (chunk("q", "a", 0, 3, "5"), '"score" is "5"'),
    (chunk("q", "a", 0, 3, 1, run="\ud800"), '"run" is "\\ud800"'),
    (chunk("q", "a", 0, 3, 9), "the score rises from 5 in line 1 to 9"),
]  # fmt: skip


def test_every_bad_line_is_told(tmp_path: Path) -> None:
    lines = [chunk("q", "a", 0, 3, 5), *(line for line, _ in BAD)]
    path = write(tmp_path / "run.jsonl", lines)
    with pytest.raises(InputError) as error:
        read_runs(path, format="chunks")
    problems = error.value.problems
    assert [problem.where for problem in problems] == [f"line {i + 2}" for i in range(len(BAD))]
    for problem, (_, message) in zip(problems, BAD, strict=True):
        assert message in problem.found
    [[run], rejected] = read_runs(path, format="chunks", lenient=True)
    assert len(run.frame) == 1 and len(rejected) == len(BAD)
    with pytest.raises(InputError) as error:
        read_assessments(path, format="chunks")
    assert len(error.value.problems) == 15  # scores, ranks and runs are no matter of gold spans


@pytest.mark.parametrize("number", ["float64", "Int64"])
def test_tables_are_read_as_pandas_writes_them(number: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "topic": ["q", "q", "none"],
            "document": ["a", 7.0, None],
            "start": pd.array([61, 0, None], dtype="Int64").astype(number),
            "end": pd.array([75, 3, None], dtype="Int64").astype(number),
            "aspects": [["cost"], None, None],
        }
    )
    assert frame.to_json(tmp_path / "gold.jsonl", orient="records", lines=True) is None
    found, same = read_assessments(tmp_path / "gold.jsonl"), read_gold(frame)
    assert found.topics == same.topics == ["q", "none"]
    columns = ["topic", "document", "start", "end", "aspects"]
    rows = [table.passages[columns].astype(object).to_numpy().tolist() for table in (found, same)]
    assert rows[0] == rows[1] and [row[1:4] for row in rows[0]] == [["a", 61, 75], ["7", 0, 3]]
    run = frame.iloc[:2].drop(columns="aspects").assign(rank=[1.0, 2.0], score=None, run=None)
    run.to_json(tmp_path / "run.jsonl", orient="records", lines=True)
    [[read], rejected] = read_runs(tmp_path / "run.jsonl")
    assert rejected == [] and read.name == "run" and read.frame["start"].tolist() == [61, 0]


def test_keys_that_are_passed_over_may_hold_anything(tmp_path: Path) -> None:
    """Also the same key twice, whichever way they are read."""
    twice = '{"topic": "q", "document": "b", "start": 0, "end": 3, "score": 4, "a": 1, "a": {"a": 1, "a": 2}}'
    for other in (chunk("q", "a", 0, 3, 5), chunk("q", "a", 0, 3, 5, text="\ud800\0", other={"start": 1})):
        path = write(tmp_path / "run.jsonl", [other, twice])
        assert check(path) == ("retrieved chunks; topics: 1, results: 2", [])


@pytest.mark.parametrize("kind", ["[]", "{}"])
def test_how_deep_a_line_may_be_nested_is_the_same_wherever_it_is_read(kind: str, tmp_path: Path) -> None:
    def line(depth: int) -> bytes:
        nested = "[" * depth + "]" * depth if kind == "[]" else '{"a":' * depth + "1" + "}" * depth
        return f'{{"topic": "q", "document": "a", "start": 0, "end": 9, "text": "[[{{", "meta": {nested}}}'.encode()

    def is_read(depth: int, below: int) -> bool:
        """Whether a line is read from so many calls below this one."""
        if below:
            return is_read(depth, below - 1)
        try:
            return object_in(line(depth))["topic"] == "q"
        except Refused as refused:
            assert "nested more than 500 deep" in str(refused)
            return False

    for below in (0, 200):
        assert [is_read(depth, below) for depth in (DEEPEST - 1, DEEPEST)] == [True, False]
    with pytest.raises(InputError, match="nested more than 500 deep"):
        read_assessments(write(tmp_path / "gold.jsonl", [gold("q", "a", 0, 9), line(980).decode()]))


def test_brackets_in_strings_nest_nothing() -> None:
    text = "[" * 1000 + '\\"' + "{" * 1000
    assert object_in(json.dumps({"text": text, text: 1}).encode())["text"] == text
    with pytest.raises(Refused, match="no JSON: "):  # and at once
        object_in(b'{"text": "' + b'[\\"' * 200_000)


GOLD = [gold("q1", "guide.md", 100, 200)]
CHUNKS = [
    *(chunk("q1", "guide.md", 80, 180, 3.0), chunk("q1", "guide.md", 120, 220, 2.0)),
    chunk("q1", "guide.md", 100, 150, 1.0),
]


def test_worked_case_of_the_documentation(tmp_path: Path) -> None:
    """`docs/chunks.md`: three overlapping chunks of 100 gold characters.

    Counted chunk by chunk they find 80 + 80 + 50 = 210 of 100 characters in 250: recall 2.1, precision
    0.84. Counted once they find 100 in 140.
    """
    overlaps = [min(c["end"], 200) - max(c["start"], 100) for c in CHUNKS]
    sizes = [c["end"] - c["start"] for c in CHUNKS]
    assert (overlaps, sum(overlaps) / 100, sum(overlaps) / sum(sizes)) == ([80, 80, 50], 2.1, 0.84)
    measures = ["char_recall@1", "char_recall@2", "char_recall", "char_precision@1", "char_precision", "AiP"]
    table = score(
        measures,
        assessments=write(tmp_path / "gold.jsonl", GOLD),
        runs=write(tmp_path / "run.jsonl", CHUNKS),
    )
    values = dict(zip(table["measure"], table["value"], strict=True))
    assert values == pytest.approx(
        {
            "char_recall@1": 0.8,
            "char_recall@2": 1.0,
            "char_recall": 1.0,
            "char_precision@1": 0.8,
            "char_precision": 100 / 140,
            "AiP": (81 * 0.8 + 20 * 100 / 140) / 101,
        }
    )
    text = (Path(__file__).parents[2] / "docs" / "chunks.md").read_text(encoding="utf-8")
    for line in [*GOLD, *CHUNKS]:
        assert json.dumps(line) in text
    for number in ("2.1", "0.84", "0.714", f"{values['AiP']:.3f}"):
        assert number in text
