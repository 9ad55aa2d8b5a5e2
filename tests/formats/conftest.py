from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@pytest.fixture
def shared():
    """A file or folder of real data; a test that asks for one that is absent is not run."""

    def find(name):
        if not (SHARED / name).exists():
            pytest.skip(f"../shared/data/{name} is absent")
        return SHARED / name

    return find


@pytest.fixture
def file(tmp_path):
    """Write a file of the given name and content."""

    def write(content, name="input"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
