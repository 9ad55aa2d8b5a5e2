"""Every run of the tests tries the same examples; `pytest --hypothesis-profile explore` tries others."""

import pytest
from hypothesis import settings

# before they are imported, so that their failing asserts show both sides
pytest.register_assert_rewrite(
    *(
        "tests.figure_text",
        "tests.hostile",
        "tests.packages",
        "tests.passages",
        "tests.snapshots",
        "tests.affected",
        "tests.trees",
    ),
    "tests.papers.made", "tests.viewer.made",
)  # fmt: skip

#: what takes longest, and begins, so that no worker waits for it at the end
_FIRST = (
    "test_workflow.py", "test_faults.py", "test_evaluations.py", "test_garden.py", "test_browser.py",
    "test_module.py", "test_transcripts.py", "test_evidence_inference.py", "test_packaging.py",
)  # fmt: skip

settings.register_profile("same", derandomize=True, deadline=None)  # machines may be busy
settings.register_profile("explore", settings.get_profile("default"))
settings.load_profile("same")


def pytest_collection_modifyitems(items):
    places = {name: place for place, name in enumerate(_FIRST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))
