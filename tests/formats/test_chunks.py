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
from focuseval.formats.parsed import OVERLAPPING, UnusableValue, whole_number
from focuseval.formats.readers import read_assessments, read_runs
from tests.folders import write_files


def write(path, lines):
    write_files(path.parent, {path.name: lines})
    return path


def gold(topic, document, start, end):
    return {"topic": topic, "document": document, "start": start, "end": end}


def chunk(topic, document, start, end, score, **other):
    return {**gold(topic, document, start, end), "score": score, **other}


def test_overlapping_spans_are_counted_and_not_merged(tmp_path):
    spans = [
        gold("q1", "a.md", 0, 10),
        gold("q1", "a.md", 5, 12),
        gold("q1", "a.md", 12, 20),
        gold(2, "b", 3, 4),
    ]
    path = write(tmp_path / "gold.jsonl", spans)
    assert recognise(path) == "gold spans"
    gold_read = read_assessments(path)
    assert (gold_read.scale, gold_read.topics) == ("highlights", ["q1", "2"])
    assert +gold_read.deviations == {OVERLAPPING: 1}
    [warning] = check(path)[1]
    assert warning.found == "warning: 1 passage overlaps an earlier one of the same topic and document"
    run = write(tmp_path / "run.jsonl", [chunk("q1", "a.md", 0, 20, 1.0)])
    campaign = read_campaign(assessments=path, runs=run)
    [first, second] = campaign.topics
    assert campaign.notes == [
        f"{path}: 1 passage overlaps an earlier one of the same topic and document; measures of text count "
        "shared text once, but measures of items count every passage"
    ]
    assert [first.spans.start.tolist(), first.spans.end.tolist()] == [[0, 5, 12], [10, 12, 20]]
    assert [first.highlights.start.tolist(), first.highlights.end.tolist()] == [[0], [20]]
    parts = [write(tmp_path / f"{i}.jsonl", [span]) for i, span in enumerate(spans)]
    assert read_assessments(parts).deviations[OVERLAPPING] == 1
    assert [second.highlights.start.tolist(), second.highlights.end.tolist()] == [[3], [4]]


def test_a_repeated_passage_is_one_passage_with_the_highest_grade():
    lines = [{**gold("q", "a", 0, 10), "grade": grade} for grade in (1, 3, 0)]
    lines += [{**gold("q", "a", 0, 10), "grade": 2, "aspects": ["x"]}, {**gold("q", "a", 20, 30), "grade": 0}]
    campaign = read_campaign(gold=lines, runs={"r": [chunk("q", "a", 0, 10, 1.0)]})
    assert campaign.notes[:2] == [
        "gold: 2 passages are repeated; repeated passages count once, with their highest grade",
        "gold: 1 passage has a grade of 0 or below; such passages count as judged but not relevant",
    ]
    [topic] = campaign.topics
    items = topic.spans.without_repeats()
    assert (len(topic.spans), len(items), items.grade.tolist()) == (2, 1, [3])


def test_other_names_of_keys_and_numbers_in_quotes_are_reported():
    line = {"topic": "q", "metadata": {"source": "a"}, "start": "12", "length": 3, "score": "nan"}
    messages = {
        "document": '"document" is missing; did you write "metadata.source" instead? expected a name',
        "start": '"start" is "12"; expected a whole number of at least 0, without quotes',
        "end": '"end" is missing; expected a whole number of at least 0; write the sum of "start" and "length" as "end"',
        "score": '"score" is "nan"; expected a finite number',
    }
    readers = {"document": name_in, "score": lambda record, _: score_in(record)}
    for key, message in messages.items():
        with pytest.raises(UnusableValue) as refused:
            readers.get(key, lambda record, key: whole_number_in(record, key, 0))(line, key)
        assert "; ".join(refused.value.args) == message
    with pytest.raises(UnusableValue, match="expected a finite number, without quotes"):
        score_in({"score": "9.4"})
    with pytest.raises(UnusableValue, match="expected a whole number of at least 0, with at most 15 digits"):
        whole_number_in({"end": 10**15}, "end", 0)
    with pytest.raises(UnusableValue, match="expected a whole number, with at most 15 digits"):
        whole_number("-1000000000000000", "the rank")


@pytest.mark.parametrize("number", ["float64", "Int64"])
def test_tables_are_read_as_pandas_writes_them(number, tmp_path):
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
    from_file, same = read_assessments(tmp_path / "gold.jsonl"), read_gold(frame)
    assert from_file.topics == same.topics == ["q", "none"]
    columns = ["topic", "document", "start", "end", "aspects"]
    rows = [table.passages[columns].astype(object).to_numpy().tolist() for table in (from_file, same)]
    assert rows[0] == rows[1] and [row[1:4] for row in rows[0]] == [["a", 61, 75], ["7", 0, 3]]
    run = frame.iloc[:2].drop(columns="aspects").assign(rank=[1.0, 2.0], score=None, run=None)
    run.to_json(tmp_path / "run.jsonl", orient="records", lines=True)
    [[read], rejected] = read_runs(tmp_path / "run.jsonl")
    assert rejected == [] and read.name == "run" and read.frame["start"].tolist() == [61, 0]


def test_ignored_keys_may_have_any_values_and_occur_twice(tmp_path):
    twice = '{"topic": "q", "document": "b", "start": 0, "end": 3, "score": 4, "a": 1, "a": {"a": 1, "a": 2}}'
    for other in (chunk("q", "a", 0, 3, 5), chunk("q", "a", 0, 3, 5, text="\ud800\0", other={"start": 1})):
        path = write(tmp_path / "run.jsonl", [other, twice])
        assert check(path) == ("retrieved chunks; topics: 1, results: 2", [])


@pytest.mark.parametrize("kind", ["[]", "{}"])
def test_the_allowed_depth_of_a_line_does_not_depend_on_the_stack(kind, tmp_path):
    def line(depth):
        nested = "[" * depth + "]" * depth if kind == "[]" else '{"a":' * depth + "1" + "}" * depth
        return f'{{"topic": "q", "document": "a", "start": 0, "end": 9, "text": "[[{{", "meta": {nested}}}'.encode()

    def is_read(depth, below):
        """Tell whether a line can be read ``below`` calls further down the stack."""
        if below:
            return is_read(depth, below - 1)
        try:
            return object_in(line(depth))["topic"] == "q"
        except UnusableValue as error:
            assert "nested more than 500 levels deep" in str(error)
            return False

    for below in (0, 200):
        assert [is_read(depth, below) for depth in (DEEPEST - 1, DEEPEST)] == [True, False]
    with pytest.raises(InputError, match="nested more than 500 levels deep"):
        read_assessments(write(tmp_path / "gold.jsonl", [gold("q", "a", 0, 9), line(980).decode()]))


def test_brackets_in_strings_nest_nothing():
    text = "[" * 1000 + '\\"' + "{" * 1000
    assert object_in(json.dumps({"text": text, text: 1}).encode())["text"] == text
    with pytest.raises(UnusableValue, match="the JSON is not valid"):  # without slow backtracking
        object_in(b'{"text": "' + b'[\\"' * 200_000)


GOLD = [gold("q1", "guide.md", 100, 200)]
CHUNKS = [
    *(chunk("q1", "guide.md", 80, 180, 3.0), chunk("q1", "guide.md", 120, 220, 2.0)),
    chunk("q1", "guide.md", 100, 150, 1.0),
]


def test_worked_case_of_the_documentation(tmp_path):
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
