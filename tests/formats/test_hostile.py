"""Every reader on damaged files of its formats; `benchmarks/fuzz.py` does the same for any length of time."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from focuseval.campaign.collection_read import collection_from_source
from focuseval.files import FACTOR

from .. import hostile

READERS = hostile.readers()


@pytest.mark.parametrize("name", READERS)
def test_a_result_or_an_input_error(name, tmp_path):
    most = 20 if " as " in name else 30  # every good file, and some damaged ones
    tried, taken, failures = hostile.fuzz(name, seconds=600, most=most, seed=1, folder=tmp_path)
    assert failures == []
    assert tried == most
    assert taken > 0


@pytest.mark.parametrize("name", [name for name in READERS if " as " not in name])
def test_long_files_take_no_longer_than_their_length_explains(name, tmp_path):
    reader, good = READERS[name]
    secret = hostile.secret_pipe(tmp_path)
    place = tmp_path / "named"
    place.mkdir()
    for data in list(hostile.long_files(good[0]))[:: 34 if name == "configuration" else 18]:
        hostile.try_one(reader, data.replace(b"SECRET", str(secret).encode()), place)


BOMBS = {
    "b.html": (b"<p>x", False),
    "c.html": (b"<b>x", False),
    "b.xml": (b"<b/>", False),
    "c.xml": (b"&e;", False),
    "b.md": (b"x\n\n", False),
    "c.md": (b"x ", True),
}


@pytest.mark.parametrize("name", BOMBS)
def test_small_archives_of_large_files_stay_within_the_limits(name, tmp_path, monkeypatch):
    """16 MiB from a small archive, at a quarter of the limits: read with its words, or refused."""
    monkeypatch.setenv(FACTOR, "0.25")
    piece, readable = BOMBS[name]
    content = piece * ((1 << 24) // len(piece) - 20)
    if name.endswith(".xml"):
        content = (b'<!DOCTYPE a [<!ENTITY e "x">]>' if b"e;" in piece else b"") + b"<a>" + content + b"</a>"

    def read(path):
        collection = collection_from_source(path)
        collection.words.read(np.arange(len(collection.names)))

    with zipfile.ZipFile(tmp_path / "packed", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    del content
    packed = (tmp_path / "packed").read_bytes()
    assert hostile.try_one(read, packed, tmp_path) == readable


def test_what_must_not_happen_is_noticed(tmp_path):
    def opens_another_file(path):
        Path("/etc/hostname").read_bytes()

    def waits_for_ever(path):
        while True:
            pass

    def takes_all_memory(path):
        bytearray(1 << 33)

    def connects(path):
        import socket

        with socket.socket() as connection:
            connection.connect_ex(("127.0.0.1", 9))

    with pytest.raises(hostile.Violation, match="open /etc/hostname"):
        hostile.try_one(opens_another_file, b"", tmp_path)
    with pytest.raises(hostile.Violation, match="CPU time"):
        hostile.try_one(waits_for_ever, b"", tmp_path, seconds=1)
    with pytest.raises(MemoryError):
        hostile.try_one(takes_all_memory, b"", tmp_path)
    with pytest.raises(hostile.Violation, match=r"socket\."):
        hostile.try_one(connects, b"", tmp_path)


def test_a_secret_file_that_is_read_is_noticed(tmp_path):
    secret = hostile.secret_pipe(tmp_path)
    place = tmp_path / "named"
    place.mkdir()
    with pytest.raises(hostile.Violation):
        hostile.try_one(lambda path: open(secret, "rb").read(), b"", place, seconds=0.1)  # noqa: SIM115
