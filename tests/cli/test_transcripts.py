"""Commands as the transcripts show them."""

import pytest

from tests.snapshots import play, scenarios


@pytest.mark.parametrize(("file", "title"), scenarios(__file__))
def test_commands_print_what_is_shown(file, title, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)  # the gate would write into it
    play(file, title, tmp_path, capsys)
