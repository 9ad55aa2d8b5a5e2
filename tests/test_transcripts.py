"""Sessions and commands as the transcripts of these folders show them."""

from pathlib import Path

import pytest

from tests.snapshots import play, scenarios

FOLDERS = ("auditing", "campaign", "chunks", "comparing", "compat", "measures", "scoring")


@pytest.mark.parametrize(
    ("file", "title"),
    [one for folder in FOLDERS for one in scenarios(str(Path(__file__).parent / folder / "any.py"))],
)
def test_commands_and_sessions_print_their_transcripts(file, title, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    play(file, title, tmp_path, capsys)
