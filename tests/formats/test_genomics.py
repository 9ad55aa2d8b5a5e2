"""Gold passages and runs of TREC Genomics, and gold spans with aspects."""

import json
from pathlib import Path

import pytest

from focuseval import score
from focuseval.api import read_campaign
from focuseval.errors import InputError
from focuseval.formats.assessments import read_assessments
from focuseval.formats.kinds import recognise
from focuseval.formats.runs import read_runs

GOLD = "200\t11\t100\t50\tICAM-1|CYTOKINE 2\n200\t11\t120\t50\tSFAS\n200\t7\t0\t10\t\n201\t7\t5\t5\tM\xfcLLER CELLS\n"
RUN = "200 11 1 48.6 90 40 me\n200 7 2 4.1 3 9 me\n201 7 1 9 5 10 me\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.txt").write_text(GOLD, encoding="latin-1")
    (tmp_path / "run.txt").write_text(RUN)
    return tmp_path


def test_they_are_recognised_and_read(folder: Path) -> None:
    assert recognise(folder / "gold.txt") == "trec genomics gold"
    assert recognise(folder / "run.txt") == "trec genomics run"
    gold = read_assessments(folder / "gold.txt")
    assert gold.passages is not None and gold.topics == ["200", "201"]
    assert gold.overlapping == 1
    assert sorted(gold.passages["aspects"]) == ["", "ICAM-1|CYTOKINE 2", "M\xfcLLER CELLS", "SFAS"]
    (run,), _ = read_runs(folder / "run.txt")
    assert run.name == "me" and run.frame[["start", "end"]].to_numpy().tolist() == [
        [90, 130],
        [3, 12],
        [5, 15],
    ]


def test_gold_passages_keep_the_order_of_the_file(folder: Path) -> None:
    campaign = read_campaign(assessments=folder / "gold.txt", runs=folder / "run.txt")
    spans = campaign.topics[0].spans
    assert spans is not None and spans.start.tolist() == [100, 120, 0]
    assert list(spans.aspects) == ["ICAM-1|CYTOKINE 2", "SFAS", ""]


def test_a_small_campaign_by_hand(folder: Path) -> None:
    found = score(
        ["DOCUMENT", "PASSAGE", "PASSAGE2", "ASPECT"],
        assessments=folder / "gold.txt",
        runs=folder / "run.txt",
        per_topic=True,
    ).set_index(["topic", "measure"])["value"]
    assert found["200", "DOCUMENT"] == 1
    assert found["200", "PASSAGE"] == pytest.approx(
        (30 / 40 + 37 / 49) / 3
    )  # the second passage is met by none
    assert found["200", "ASPECT"] == pytest.approx(2 / 3)
    expected = sum((i + 1) / (i + 11) for i in range(30)) + sum((i + 31) / (i + 41) for i in range(7))
    assert found["200", "PASSAGE2"] == pytest.approx(expected / 80)
    assert found["201", "PASSAGE2"] == 1 and found["201", "PASSAGE"] == 0.5


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("200\t11\t100\t50\tA\n200\t11\t10\tA\n", "4 columns"),
        ("200\t11\t100\t50\tA\n200\t11\t-1\t5\tA\n", "the offset is '-1'"),
    ],
)
def test_a_bad_line_is_told(folder: Path, text: str, found: str) -> None:
    (folder / "gold.txt").write_text(text)
    with pytest.raises(InputError, match=f"line 2: {found}"):
        read_assessments(folder / "gold.txt")


def test_a_bad_line_of_a_run_is_told_or_left_out(folder: Path) -> None:
    (folder / "run.txt").write_text(RUN + "201 7 x 9 5 10 me\n201 7 3 9 5 10 other\n")
    with pytest.raises(InputError, match="line 4: the rank is 'x'"):
        read_runs(folder / "run.txt")
    with pytest.raises(InputError, match=r"2 runs: 'me' \(line 1\), 'other' \(line 5\)"):
        read_runs(folder / "run.txt", lenient=True)


def test_gold_spans_have_aspects_and_topics_without_gold_a_line(tmp_path: Path) -> None:
    lines = [
        {"topic": "q1", "document": "d", "start": 5, "end": 9, "aspects": ["b", "a"]},
        {"topic": "q1", "document": "d", "start": 0, "end": 7},
        {"topic": "q2"},
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert recognise(path) == "gold spans"
    (tmp_path / "run.jsonl").write_text(
        json.dumps({"topic": "q2", "document": "d", "start": 1, "end": 2, "rank": 1}) + "\n"
    )
    one, two = read_campaign(assessments=path, runs=tmp_path / "run.jsonl").topics
    assert one.spans is not None and two.spans is not None and two.highlights is not None
    assert one.spans.start.tolist() == [5, 0] and list(one.spans.aspects) == ["b|a", ""]
    assert len(two.spans) == len(two.highlights.start) == 0


@pytest.mark.parametrize(
    ("aspects", "message"),
    [("a", '"aspects" is "a"; expected a list'), (["a|b"], "the aspect 'a|b'"), ([1.5], '"aspects" is 1.5')],
)
def test_aspects_that_are_none_are_told(tmp_path: Path, aspects, message: str) -> None:
    line = {"topic": "q", "document": "d", "start": 5, "end": 9, "aspects": aspects}
    (tmp_path / "gold.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(InputError, match="line 1") as error:
        read_assessments(tmp_path / "gold.jsonl")
    assert message in str(error.value)


def test_aspect_says_what_it_lacks(folder: Path) -> None:
    (folder / "gold.txt").write_text("200 Q0 11 50 200 100 100:50\n")
    with pytest.raises(InputError, match="it needs the aspects of gold passages"):
        score(["ASPECT"], assessments=folder / "gold.txt", runs=folder / "run.txt")
