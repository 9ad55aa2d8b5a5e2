"""The base class of settings that users write, and the messages on wrong keys and values.

Messages quote the descriptions of fields, as in "expected a positive integer".
"""

import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from focuseval.errors import InputError, Problem, extra, meant

with extra("workflow"):
    from pydantic import (
        AfterValidator,
        BaseModel,
        ConfigDict,
        Field,
        GetCoreSchemaHandler,
        ValidationError,
        model_validator,
    )
    from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema


def _on_one_line(schema: dict[str, Any]) -> None:
    """Join the lines of each field's description in the JSON schema of a model."""
    for part in schema.get("properties", {}).values():
        part |= {key: " ".join(value.split()) for key, value in part.items() if key == "description"}


class Settings(BaseModel):
    """The base class of settings that users write. It refuses unknown keys, and values of wrong types.

    A key without a value (null) counts as missing. The description of a field is part of its type, as in `Positive`, or
    the docstring after the field.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        json_schema_extra=_on_one_line,
    )

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, document: Any) -> Any:
        return without_nulls(document)


def without_nulls(document: Any) -> Any:
    """Remove the keys with the value None from a mapping; return any other document unchanged."""
    if not isinstance(document, Mapping):
        return document
    return {key: value for key, value in document.items() if value is not None}


@dataclass(frozen=True, eq=False)
class OneOf:
    """An annotation for text that must be one of several names: ``Annotated[str, OneOf(names)]``."""

    names: Iterable[str]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.literal_schema(list(self.names))


_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"

Name = Annotated[
    str,
    Field(
        pattern=_NAME,
        description="a name made of letters, digits, dots, hyphens and underscores",
    ),
]
Positive = Annotated[int, Field(ge=1, description="a positive integer")]
Seed = Annotated[int, Field(ge=0, description="a random seed, a non-negative integer")]
Level = Annotated[float, Field(gt=0, lt=1, description="a significance level between 0 and 1")]
Resamples = Annotated[int, Field(ge=100, description="the number of resamples, an integer of at least 100")]

T = TypeVar("T")


def distinct(values: list[T]) -> list[T]:
    """Return the values unchanged. Raises a pydantic error if two values are equal or have the same name."""
    names = [getattr(value, "name", value) for value in values]
    again = [number for number, name in enumerate(names) if name in names[:number]]
    if again:
        raise refused(
            Problem("", str(number), f"{names[number]!r} is repeated", "expected each value once")
            for number in again
        )
    return values


#: a list in which no two entries are equal or have the same name
Distinct = Annotated[list[T], AfterValidator(distinct)]


def rising(values: list[T]) -> list[T]:
    """Return the values unchanged. Raises ValueError unless each value exceeds the previous one."""
    if any(not low < high for low, high in pairwise(values)):  # type: ignore[operator]
        raise ValueError("not rising")
    return values


def refused(problems: Iterable[Problem]) -> PydanticCustomError:
    """Return the error with which a validator reports problems.

    The keys in ``problems`` must be relative to the validated value, and their sources empty.
    """
    problems = list(problems)
    text = "\n".join(f"{problem.found}; {problem.expected}" for problem in problems)
    return PydanticCustomError("refused", "{text}", {"text": text, "problems": problems})


Model = TypeVar("Model", bound=BaseModel)


def validated(
    model: type[Model], document: Any, source: str, context: Mapping[str, Any] = MappingProxyType({})
) -> Model:
    """Return a document as an instance of ``model``. Raises InputError that lists all mistakes.

    ``context`` may list the ``papers`` and ``measures`` that the document may name; otherwise, any name is allowed.
    """
    try:
        return model.model_validate(document, context=context)
    except ValidationError as error:
        raise InputError([replace(p, source=source) for p in problems_of(error, model, document)]) from None


def problems_of(error: ValidationError, model: type[BaseModel], document: Any) -> list[Problem]:
    """Return the problems that pydantic found in a document; messages quote the model's descriptions."""
    schema = _schema_of(model)
    return [
        problem for one in error.errors(include_url=False) for problem in _problems(one, schema, document)
    ]


@cache
def _schema_of(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _problems(error: ErrorDetails, schema: Mapping[str, Any], document: Any) -> Iterator[Problem]:
    where = error["loc"]
    if error["type"] == "refused":
        for problem in error["ctx"]["problems"]:
            yield replace(problem, where=_key([*where, *filter(None, [problem.where])], document))
        return
    expected = _expected(_part(schema, where), error["msg"])
    if error["type"] == "missing":
        where, found = where[:-1], f"`{where[-1]}` is missing"
    elif error["type"] in ("extra_forbidden", "invalid_key") or where[-1:] == ("[key]",):
        key = where[-1] if error["type"] == "extra_forbidden" else error["input"]
        where = where[:-2] if where[-1] == "[key]" else where[:-1]
        found, expected = f"the key {_short(key)} is unknown", _expected_keys(key, _part(schema, where))
    else:
        found = f"the value is {_short(error['input'])}"
    yield Problem("", _key(where, document), found, expected)


def _key(where: Sequence[str | int], document: Any) -> str:
    """Return the key of a place in a document, such as ``significance.mine.measure``.

    A list entry is identified by its name, or else by its number from 1.
    """
    steps = []
    for step in map(str, where):
        if isinstance(document, list) and step.isdecimal():
            number = int(step)
            document = document[number] if number < len(document) else None
            name = document.get("name") if isinstance(document, Mapping) else None
            step = name if isinstance(name, str) and re.fullmatch(_NAME, name) else str(number + 1)
        else:
            document = document.get(step) if isinstance(document, Mapping) else None
        steps.append(step)
    return ".".join(steps)


def _expected_keys(key: Any, part: Mapping[str, Any]) -> str:
    """Return the part of a message that lists the known keys, and suggests a key similar to the unknown ``key``."""
    keys = list(part.get("properties", part.get("propertyNames", {}).get("enum", ())))
    if not keys:
        return "expected text as a key"
    return f"{meant(key, keys)}expected one of {', '.join(keys)}"


def _expected(part: Mapping[str, Any], otherwise: str) -> str:
    if "enum" in part:
        *names, last = part["enum"]
        return f"expected {', '.join(names)} or {last}"
    if "description" in part:
        return f"expected {part['description']}"
    return (
        f"expected the keys {', '.join(part['properties'])} with values"
        if "properties" in part
        else otherwise
    )


def _part(schema: Mapping[str, Any], loc: Sequence[str | int]) -> dict[str, Any]:
    """Return the part of a JSON schema that describes the place ``loc`` (a pydantic location) in a document."""
    part = {key: value for key, value in schema.items() if key != "description"}
    for step in loc:
        inner = part.get("items") if isinstance(step, int) else part.get("properties", {}).get(step)
        further = part.get("additionalProperties")
        part = _opened(inner or (further if isinstance(further, Mapping) else {}), schema)
    return part


def _opened(part: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve the references in a part of a JSON schema, without the docstrings of models."""
    name = part.get("$ref", "").rpartition("/")[2]
    opened: dict[str, Any] = {}
    for option in [schema["$defs"][name]] if name else part.get("anyOf", ()):
        inner = _opened(option, schema)
        opened |= {key: value for key, value in inner.items() if key != "description"}
    return opened | dict(part)


_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 120
_REPR.maxlist = _REPR.maxdict = 8
_REPR.maxlevel = 3


def _short(value: Any) -> str:
    try:
        return _REPR.repr(value)
    except ValueError:  # Python does not convert integers of more than 4,300 digits to text
        return "a number with thousands of digits"
