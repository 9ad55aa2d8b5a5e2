"""Reading and checking configuration: what is wrong is said by file and key, with what was expected."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from focuseval.errors import InputError, Problem
from focuseval.measures import MEASURES, parse_specs


def read_yaml(path: Path) -> Any:
    """The contents of a YAML file. Raises InputError if it cannot be read or is not YAML."""
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(Problem(str(path), "", str(error.strerror), "expected a YAML file")) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark else ""
        found = str(getattr(error, "problem", None) or error)[:200]
        raise InputError(Problem(str(path), where, found, "expected YAML in UTF-8")) from None


def unusable(paths: Sequence[str]) -> str | None:
    """Why files cannot be the configuration, a line for each that cannot; None if all can."""
    told = [line for path in paths if (line := _unusable(Path(path)))]
    return "\n".join(told) or None


def _unusable(path: Path) -> str | None:
    try:
        document = read_yaml(path)
    except InputError as error:
        return str(error)
    if isinstance(document, dict):
        return None
    found = "nothing is in it" if document is None else "no keys are in it"
    return str(Problem(str(path), "", found, "expected `campaigns:` and others (docs/own-campaign.md)"))


def _expected(schema: Mapping[str, Any]) -> str:
    if "description" in schema:
        return f"expected {schema['description']}"
    if "enum" in schema:
        return f"expected one of {', '.join(map(str, schema['enum']))}"
    return f"expected {schema.get('type', 'another value')}"


def check(document: Any, schema: Mapping[str, Any], source: str) -> None:
    """Check a document against a JSON schema; a property's ``description`` says what is expected there.

    Raises InputError with every problem: the key, what was found, what was expected.
    """
    problems = []
    for error in sorted(
        Draft202012Validator(schema).iter_errors(document), key=lambda e: list(e.absolute_path)
    ):
        key = ".".join(str(part) for part in error.absolute_path)
        known = ", ".join(error.schema.get("properties", {}))
        if error.validator == "additionalProperties":
            for name in sorted(set(error.instance) - set(error.schema["properties"]), key=str):
                problems.append(Problem(source, key, f"unknown key {name!r}", f"known here: {known}"))
        elif error.validator in ("required", "dependentRequired", "oneOf", "not"):
            wanted = error.schema.get("$comment") or f"needed: {', '.join(error.schema.get('required', ()))}"
            problems.append(Problem(source, key, _missing(error), wanted))
        else:
            problems.append(Problem(source, key, f"found {error.instance!r}", _expected(error.schema)))
    if problems:
        raise InputError(problems)


def _missing(error: Any) -> str:
    return error.message if error.validator == "required" else "these keys do not go together"


def with_defaults(document: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the ``default`` of every property of the schema that it lacks, or has as null."""
    filled = {key: value for key, value in document.items() if value is not None}
    for key, part in schema.get("properties", {}).items():
        if key not in filled and "default" in part:
            filled[key] = part["default"]
        if isinstance(filled.get(key), dict):
            filled[key] = with_defaults(filled[key], part)
        if isinstance(filled.get(key), list):
            inside = part.get("items", {})
            filled[key] = [with_defaults(i, inside) if isinstance(i, dict) else i for i in filled[key]]
    return filled


def read_campaigns(
    entries: list[Any], schema: Mapping[str, Any], folder: Path, source: str
) -> dict[str, Any]:
    """Every campaign that is asked for, and those they name as ``earlier``, by name.

    An entry is the name of a file in ``folder`` (without ``.yaml``), or a campaign with its ``name``.
    Raises InputError for what is unknown, does not follow the schema, or names files that are not there.
    """
    _distinct(entries, source)
    campaigns: dict[str, Any] = {}
    waiting = list(entries)
    while waiting:
        entry = waiting.pop(0)
        origin = source
        if isinstance(entry, str):
            path = folder / f"{entry}.yaml"
            if not path.is_file():
                known = ", ".join(sorted(file.stem for file in folder.glob("*.yaml")))
                raise InputError(
                    Problem(source, "campaigns", f"unknown campaign {entry!r}", f"in {folder} are {known}")
                )
            origin, entry = str(path), {"name": entry, **(read_yaml(path) or {})}
        elif "name" in entry:
            origin = f"{source}, campaign {entry['name']}"
        check(entry, schema, origin)
        name = entry["name"]
        if name in campaigns:
            continue
        campaigns[name] = _located(with_defaults(entry, schema), origin)
        _check_measures(campaigns[name], origin)
        if "earlier" in entry:
            waiting.append(entry["earlier"])
    return campaigns


def _distinct(entries: Sequence[Any], source: str) -> None:
    """Raises InputError if entries have one name: the results of one would take the place of the other's."""
    places: dict[Any, list[str]] = {}
    for number, entry in enumerate(entries):
        name = entry if isinstance(entry, str) else entry.get("name", f"campaigns.{number}")
        places.setdefault(str(name), []).append(f"campaigns.{number}")
    problems = [
        Problem(
            source,
            " and ".join(where),
            f"campaigns of one name, {name!r}",
            "rename or remove all but one",
        )
        for name, where in places.items()
        if len(where) > 1
    ]
    if problems:
        raise InputError(problems)


def _check_measures(campaign: Mapping[str, Any], source: str) -> None:
    """Raises InputError if systems are to be compared under what is no measure."""
    problems: list[Problem] = []
    for number, asked in enumerate(campaign["significance"]):
        for key in sorted({"measure", "ranked_by"} & set(asked)):
            try:
                parse_specs(asked[key], MEASURES, f"{source}, significance.{number}.{key}")
            except InputError as error:
                problems += error.problems
    if problems:
        raise InputError(problems)


#: keys of a campaign that name files
_FILES = ("collection", "topics", "assessments", "runs")


def _located(campaign: dict[str, Any], source: str) -> dict[str, Any]:
    """The campaign with its files put into its folder. Raises InputError if one is not there."""
    folder = Path(campaign.pop("folder", "."))
    problems = []
    parts = {"": campaign, **{f"tasks.{name}.": own for name, own in campaign.get("tasks", {}).items()}}
    for place, part in parts.items():
        for key in _FILES:
            if key in part:
                path = folder / part[key]
                part[key] = str(path)
                if not path.exists():
                    told = f"{path} is not there"
                    problems.append(
                        Problem(source, place + key, told, "set folder, or this key, to your copy")
                    )
    if problems:
        raise InputError(problems)
    return campaign
