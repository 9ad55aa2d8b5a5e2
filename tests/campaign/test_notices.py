"""Notices: a kind is declared once, and seen wherever notices are."""

from pathlib import Path

import pytest

import focuseval
from focuseval.campaign.notices import KINDS, RUN, Notice, NoticeKind, table
from focuseval.cli import main
from focuseval.report.notices import in_words

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
