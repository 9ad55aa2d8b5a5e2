"""Every run of the tests tries the same examples; `pytest --hypothesis-profile explore` tries others."""

import pytest
from hypothesis import settings

# helper modules: registered before their import so that their failing asserts show both sides
HELPERS = "figure_text hostile packages passages snapshots affected trees papers.materials viewer.campaigns"
pytest.register_assert_rewrite(*(f"tests.{name}" for name in HELPERS.split()))

#: the slowest files: they start first, so that no worker waits for them at the end
SLOWEST = (
    "test_workflow.py", "test_faults.py", "test_evaluations.py", "test_garden.py", "test_browser.py",
    "test_module.py", "test_transcripts.py", "test_evidence_inference.py", "test_packaging.py",
)  # fmt: skip

settings.register_profile("same", derandomize=True, deadline=None)  # machines may be busy
settings.register_profile("explore", settings.get_profile("default"))
settings.load_profile("same")


def pytest_collection_modifyitems(items):
    places = {name: place for place, name in enumerate(SLOWEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))
