from collections.abc import Callable
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("../shared, which holds real data, is absent")
    return SHARED / "data"


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of the given name and content."""

    def write(content: str | bytes, name: str = "input") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
