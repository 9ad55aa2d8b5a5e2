import hashlib
import stat

import pytest

from focuseval.errors import InputError
from focuseval.files import read_bytes, replacing, sha256, write_atomically


def test_content_appears_when_the_block_ends(tmp_path):
    path = tmp_path / "deep" / "out.tsv"
    with write_atomically(path) as out:
        out.write("é\n")
        assert not path.exists()
    assert path.read_bytes() == "é\n".encode()
    assert [p.name for p in path.parent.iterdir()] == ["out.tsv"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_nothing_changes_after_an_error(tmp_path, error):
    path = tmp_path / "out"
    path.write_text("before")
    with pytest.raises(error), write_atomically(path) as out:
        out.write("half")
        out.flush()
        raise error
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_permissions_are_those_of_a_new_file(tmp_path):
    (tmp_path / "plain").write_text("")
    with replacing(tmp_path / "out") as temporary:
        temporary.write_text("x")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "plain").stat().st_mode
    )


def test_sha256(tmp_path):
    (tmp_path / "a").write_bytes(b"abc" * 100_000)
    assert sha256(tmp_path / "a") == hashlib.sha256(b"abc" * 100_000).hexdigest()


@pytest.mark.parametrize("read", [sha256, read_bytes])
def test_missing_file(tmp_path, read):
    with pytest.raises(InputError, match=r"absent.*cannot be read.*give a file"):
        read(tmp_path / "absent")
