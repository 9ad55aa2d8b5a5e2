import hashlib
import os
import signal
import stat
from pathlib import Path

import pytest

from focuseval.errors import InputError
from focuseval.files import (
    check_target,
    is_stream,
    read_bytes,
    remove_unfinished,
    replacing,
    replacing_several,
    sha256,
    write_atomically,
)


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
    with pytest.raises(InputError, match=r"absent.*cannot be read.*give an existing"):
        read(tmp_path / "absent")


def test_several_appear_together_or_not_at_all(tmp_path):
    (tmp_path / "other").write_text("other")
    with pytest.raises(ValueError), replacing_several(tmp_path / "out") as new:
        (new / "a").write_text("half")
        raise ValueError
    assert list((tmp_path / "out").iterdir()) == []
    for content in ("first", "second"):
        with replacing_several(tmp_path / "out") as new:
            (new / "a").write_text(content)
            (new / "b").mkdir()
            (new / "b" / content).write_text(content)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a", "b"]
    assert (tmp_path / "out/a").read_text() == "second"
    assert [path.name for path in (tmp_path / "out/b").iterdir()] == ["second"]


@pytest.mark.parametrize("writer", [replacing, lambda path: replacing_several(path.parent)])
def test_what_killed_writers_left_is_removed_and_nothing_else(tmp_path, writer):
    path = tmp_path / "out.csv"
    path.write_text("before")
    (tmp_path / ".out.csv").write_text("another's")
    (tmp_path / ".out.csv.gz.0.part").write_text("another's")
    kept = {".out.csv.gz.0.part", ".out.csv", "out.csv"}
    if (killed := os.fork()) == 0:
        with writer(path):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(killed, 0)
    assert len({path.name for path in tmp_path.iterdir()} - kept) == 1
    remove_unfinished(path)
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_link_leads_to_what_is_written(tmp_path):
    held, link = tmp_path / "held" / "scores.tsv", tmp_path / "latest.tsv"
    held.parent.mkdir()
    held.write_text("before")
    link.symlink_to(held)
    with write_atomically(link) as out:
        out.write("new")
    assert link.is_symlink()
    assert held.read_text() == "new"


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with write_atomically(pipe) as out:
        out.write("é\n")
    assert os.read(reading, 10) == "é\n".encode()
    os.close(reading)
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_names_of_open_files_and_devices_are_streams(tmp_path):
    plain, reading = tmp_path / "plain", os.pipe()
    plain.touch()
    assert all(map(is_stream, ("/dev/null", "/dev/stdout", f"/dev/fd/{reading[1]}")))
    assert not any(map(is_stream, (plain, tmp_path, tmp_path / "new", "/dev/shm/new")))
    with write_atomically(f"/dev/fd/{reading[1]}") as out:
        out.write("scores")
    assert os.read(reading[0], 10) == b"scores"
    for handle in reading:
        os.close(handle)


def test_open_files_are_written_at_their_position(tmp_path):
    with open(tmp_path / "out", "w") as out:
        print("before", file=out, flush=True)
        with write_atomically(f"/proc/self/fd/{out.fileno()}") as stream:
            stream.write("scores\n")
        print("behind", file=out)
    assert (tmp_path / "out").read_text() == "before\nscores\nbehind\n"


def test_standard_output_has_no_name_of_its_own_as_a_target(tmp_path):
    with pytest.raises(
        InputError, match="--output: - is not a file name; give a file, or /dev/stdout for standard output"
    ):
        check_target(Path("-"), "--output")
