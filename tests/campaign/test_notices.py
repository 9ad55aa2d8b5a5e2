"""Notices: a kind is declared once and reported everywhere."""

import pytest

import focuseval
from focuseval.campaign.notices import (
    KINDS,
    RUN,
    Notice,
    NoticeKind,
    of_blocks,
    table,
)
from focuseval.cli import main
from focuseval.report.notices import in_words

ODD = NoticeKind(
    "odd", RUN, "list", "{has|have} an odd length", "Lists of an odd length", "Nothing came of it."
)


def test_a_declared_kind_of_notice_needs_only_rows_to_be_reported_everywhere(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(KINDS, ODD.name, ODD)
    emitted = Notice(ODD.name, "a", count=3)
    monkeypatch.setattr("focuseval.scoring.one_run.lengths_of", lambda *_: [emitted])
    (tmp_path / "gold").write_text("1 0 d 1\n")
    (tmp_path / "a").write_text("1 Q0 d 1 9 a\n")
    command = f"score --assessments {tmp_path}/gold --run {tmp_path}/a --measure MAP"
    assert main(command.split()) == 0
    assert "focuseval: run a: 3 lists have an odd length\n" in capsys.readouterr().err
    with pytest.warns(focuseval.InputWarning, match="^run a: 3 lists have an odd length$"):
        focuseval.score("MAP", assessments=tmp_path / "gold", runs=tmp_path / "a")
    [sentence] = in_words(table([emitted]).assign(runs="all"))
    assert (sentence.kind.what, sentence.summary) == ("Lists of an odd length", [("all", "3 lists of a")])


def test_notices_on_blocks_of_a_run_are_added_up():
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


def test_the_table_has_a_row_for_each_measure():
    rows = [Notice("irrelevant", measure=m, topics=("2", "3")) for m in ("P@1", "P@5", "MAP")]
    assert table([*rows, Notice("irrelevant", measure="RR", topics=("2",))]).to_numpy().tolist() == [
        ["irrelevant", "P", 2, "2, 3"],
        ["irrelevant", "MAP", 2, "2, 3"],
        ["irrelevant", "RR", 1, "2"],
    ]
