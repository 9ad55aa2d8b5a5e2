"""Dependencies point one way: who may know whom, in the library."""

from pathlib import Path

import pytest

from focuseval.reach import SOURCE, reached

LIBRARY = SOURCE / "focuseval"
MODULES = {path: {*reached(path)} for path in LIBRARY.rglob("*.py")}

#: the packages, each knowing those before it; a campaign knows importers by name, and loads them where it is made
ORDER = (
    *("model", "formats", "measures", "statistics", "campaign", "transformations", "retrieval", "synthetic"),
    *("importers", "present", "auditing", "documentation", "papers", "cli"),
)


def package_of(path: Path) -> str:
    """The package that a module stands in; ``""`` for one beside them."""
    inside = path.relative_to(LIBRARY).parts
    return inside[0] if len(inside) > 1 else ""


def test_every_package_has_its_place() -> None:
    assert {package_of(path) for path in MODULES} - {""} == set(ORDER)


def test_no_module_reaches_itself_through_others() -> None:
    """`reached` leaves out the module that it begins with: rings show where one of its own reaches it."""
    rings = [
        f"{one.relative_to(LIBRARY)} and {other.relative_to(LIBRARY)}"
        for one, others in MODULES.items()
        for other in others
        if one < other and one in MODULES[other]
    ]
    assert not rings


@pytest.mark.parametrize("package", ORDER)
def test_a_package_knows_those_before_it_only(package: str) -> None:
    allowed = {*ORDER[: ORDER.index(package) + 1], ""}
    wrong = [
        f"{path.relative_to(LIBRARY)} reaches {other.relative_to(LIBRARY)}"
        for path, others in MODULES.items()
        if package_of(path) == package
        for other in others
        if package_of(other) not in allowed and other != LIBRARY / "importers" / "__init__.py"
    ]
    assert not wrong
