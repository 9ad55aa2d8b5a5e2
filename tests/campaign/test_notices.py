"""Notices: a kind is declared once, and seen wherever notices are."""

from pathlib import Path

import pytest

import focuseval
from focuseval.campaign.notices import (
    KINDS,
    RUN,
    Notice,
    NoticeKind,
    lines,
    of_blocks,
    table,
)
from focuseval.cli import main
from focuseval.errors import SHOWN, Problem, in_python
from focuseval.report.notices import in_words

MANY = [f"r{i}" for i in range(SHOWN + 15)]
ODD = NoticeKind("odd", RUN, "list", "of an odd length", "Lists of an odd length", "Nothing came of it.")


def test_a_kind_that_is_declared_is_seen_everywhere(tmp_path: Path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    """It takes its declaration, and a place that emits rows of it."""
    monkeypatch.setitem(KINDS, ODD.name, ODD)
    emitted = Notice(ODD.name, "a", count=3)
    monkeypatch.setattr("focuseval.scoring.one_run.lengths_of", lambda *_: [emitted])
    (tmp_path / "gold").write_text("1 0 d 1\n")
    (tmp_path / "a").write_text("1 Q0 d 1 9 a\n")
    command = f"score --assessments {tmp_path}/gold --run {tmp_path}/a --measure MAP"
    assert main(command.split()) == 0
    assert "focuseval: run a: 3 lists of an odd length\n" in capsys.readouterr().err
    with pytest.warns(focuseval.InputWarning, match="^run a: 3 lists of an odd length$"):
        focuseval.score("MAP", assessments=tmp_path / "gold", runs=tmp_path / "a")
    [shown] = in_words(table([emitted]).assign(runs="all"))
    assert (shown.kind.what, shown.summary) == ("Lists of an odd length", [("all", "3 lists of a")])


def test_every_kind_has_its_words() -> None:
    for kind in KINDS.values():
        row = Notice(kind.name, "r", "m", Problem("f", "", "x", "y"), 7, 9, ("t",), "0.5")
        said = lines([row])
        assert len(said) == 1 and said[0], kind.name
        assert lines([row, row]) == said  # of a table that was concatenated with itself


def test_what_is_the_same_of_several_measures_or_runs_is_said_once() -> None:
    rows = [Notice("irrelevant", measure=m, topics=("2", "3")) for m in ("P@1", "P@5", "MAP")]
    rows.append(Notice("irrelevant", measure="RR", topics=("2",)))
    said = "no relevant content, left out of the mean"
    assert lines(rows) == [f"P@1, P@5, MAP: {said}: 2, 3", f"RR: {said}: 2"]
    assert table(rows).to_numpy().tolist() == [
        ["irrelevant", "P", 2, "2, 3"],
        ["irrelevant", "MAP", 2, "2, 3"],
        ["irrelevant", "RR", 1, "2"],
    ]
    cut = [
        Notice("cut", run, count=2, text="9", topics=("1", topic))
        for run, topic in zip("abcd", "1223", strict=True)
    ]
    assert lines(cut)[0].startswith(
        "runs: 8 results of 4 runs (a, b, c, …) beyond the first 9 of 3 topics; cut ("
    )


def test_short_lists_of_all_runs_are_told_together() -> None:
    rows = [
        Notice("short", run, "R@90c", count=n, among=5, text="90 characters")
        for run, n in zip("abc", (2, 0, 1), strict=True)
    ]
    assert lines(rows) == [
        "R@90c: a returned fewer than 90 characters on 2 of 5 topics, c on 1 of 5 topics; their scores are not "
        "comparable: retrieve more"
    ]
    longest = [Notice("short", run, "R@2000", count=0, text="2000") for run in "ab"]
    assert lines(longest) == ["R@2000: no list has 2000 results; 2000 characters are @2000c"]
    assert lines([*longest, Notice("short", "c", "R@2000", count=1, text="2000")]) == []


def test_notices_on_blocks_of_a_run_are_added_up() -> None:
    blocks = [
        [
            Notice("short", "a", "R@9c", count=2, among=5, text="9 characters"),
            Notice("repeated", "a", count=3),
        ],
        [Notice("unassessed", "a", topics=("x", "y")), Notice("repeated", "a", count=4)],
        [
            Notice("short", "a", "R@9c", count=0, among=1, text="9 characters"),
            Notice("unassessed", "a", topics=("b",)),
        ],
    ]
    assert of_blocks(row for block in blocks for row in block) == [
        Notice("short", "a", "R@9c", count=2, among=6, text="9 characters"),
        Notice("repeated", "a", count=7),
        Notice("unassessed", "a", count=2, topics=("b", "x", "y")),
    ]


def test_what_is_said_of_many_runs_is_one_line() -> None:
    kind = NoticeKind("odd", RUN, "run", lambda rows: rows[0].text)

    def said(texts: dict[str, str]) -> list[str]:
        return kind.lines([Notice("odd", run, text=text) for run, text in texts.items()], in_python)

    assert said({"a": "falls", "b": "falls"}) == ["run a: falls", "run b: falls"]
    assert said(dict.fromkeys(MANY, "falls")) == [f"25 runs: falls ({', '.join(MANY[:20])} and 5 more)"]
    others = {"other": "rises", "r3": "rises", "last": "stays"}
    assert said(dict.fromkeys(MANY, "falls") | others)[1:] == [
        "2 runs: rises (r3, other)",
        "run last: stays",
    ]


def test_numbers_of_many_runs_are_added_up() -> None:
    def said(counts: dict[str, int], among: int = 0) -> list[str]:
        return ODD.lines([Notice("odd", run, count=n, among=among) for run, n in counts.items()], in_python)

    assert said({"a": 1, "b": 4000}) == [
        "run a: 1 list of an odd length",
        "run b: 4,000 lists of an odd length",
    ]
    [line] = said({run: i for i, run in enumerate(MANY)})
    assert line.startswith("25 runs: 300 lists of an odd length (r0 0, r1 1, ")
    assert line.endswith("r19 19 and 5 more)")
    [line] = said(dict.fromkeys(MANY, 0) | {"r0": 1}, among=2)
    assert line.startswith("25 runs: 1 of 50 lists of an odd length (")
