"""Commands as the transcripts show them."""

from pathlib import Path

import pytest

from tests.snapshots import play, scenarios


@pytest.mark.parametrize(("file", "title"), scenarios(__file__))
def test_commands_print_what_is_shown(
    file: Path, title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)  # the gate would write into it
    play(file, title, tmp_path, capsys)
