"""Every run of the tests tries the same examples; `pytest --hypothesis-profile explore` tries others."""

import pytest
from hypothesis import settings

#: what takes longest, and begins, so that no worker waits for it at the end
_FIRST = ("test_workflow.py", "test_faults.py")

settings.register_profile("same", derandomize=True)
settings.register_profile("explore", settings.get_profile("default"))
settings.load_profile("same")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> tuple[bool, int]:
        name = item.path.name
        return item.path.parent.name != "workflow", _FIRST.index(name) if name in _FIRST else len(_FIRST)

    items.sort(key=place)
