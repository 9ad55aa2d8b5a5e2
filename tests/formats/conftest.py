from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@pytest.fixture
def shared():
    """Return the path of real data, or skip the test if they are absent."""

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
