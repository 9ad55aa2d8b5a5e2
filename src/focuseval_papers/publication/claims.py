"""Claims of a publication: inequalities of named quantities as text, and what they come to on a body of numbers.

    gain[INEX 2003o, generalised] < gain[INEX 2002, generalised] / 10

A quantity is a name, or a name with keys in brackets, which are taken as they are written; a key ``*`` in
``lowest(…)``, ``highest(…)`` or ``mean(…)`` stands for all that there are. ``+ - * /`` and ``abs(…)`` work on estimates
in every resample (`focuseval_papers.publication.estimates`), so that a difference has an interval of its own.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Annotated, Any

import numpy as np

from focuseval.errors import Problem, extra
from focuseval_papers.publication.estimates import (
    Quantity,
    combined,
    difference,
    highest,
    lowest,
    mean,
    ratio,
    value_of,
)
from focuseval_papers.publication.findings import Comparison, Finding
from focuseval_papers.workflow.settings import Settings, refused

with extra("workflow"):
    from pydantic import AfterValidator, Field, model_validator

#: numbers by name, with the keys: ``{"runs": 56, "gain[INEX 2002, strict]": 0.01}``
Quantities = Mapping[str, Quantity]

#: what texts may name in braces
Words = Mapping[str, Any]

_RELATIONS: dict[type[ast.cmpop], str] = {ast.Gt: ">", ast.Lt: "<", ast.GtE: "≥", ast.LtE: "≤"}

_OPERATIONS: dict[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
    ast.Add: lambda a, b: combined(np.add, a, b),
    ast.Sub: difference,
    ast.Mult: lambda a, b: combined(np.multiply, a, b),
    ast.Div: ratio,
}

_OF_ALL: dict[str, Callable[[Sequence[Quantity]], Quantity]] = {
    "highest": highest,
    "lowest": lowest,
    "mean": mean,
}


def named(name: str, *keys: object) -> str:
    """The name of a quantity with its keys, as claims have it."""
    return f"{name}[{', '.join(map(str, keys))}]" if keys else name


def _keys_of(quantity: str) -> tuple[str, ...]:
    """The name of a quantity, and its keys."""
    name, _, keys = quantity.removesuffix("]").partition("[")
    return (name, *keys.split(", ")) if keys else (name,)


def evaluate(expression: str, quantities: Quantities) -> Quantity:
    """The number that an expression comes to; NaN where a quantity is missing. Raises ValueError if it is none."""
    return _value(_parsed(expression), quantities)


def _parsed(text: str) -> ast.expr:
    """The tree of a text, in which keys are strings. Raises ValueError if it is neither expression nor inequality."""
    quoted = re.sub(r"\[([^\]]*)\]", lambda keys: repr([keys[1]]), text)
    try:
        return ast.parse(quoted.replace("≥", ">=").replace("≤", "<="), mode="eval").body
    except SyntaxError:
        raise ValueError(f"cannot be read: {text}") from None


def _value(node: ast.expr, known: Quantities) -> Quantity:
    values = _values(node, known)
    if len(values) != 1:
        raise ValueError(
            f"not one number, but as many as there are, without highest, lowest or mean: {ast.unparse(node)}"
        )
    return values[0]


def _values(node: ast.expr, known: Quantities) -> list[Quantity]:
    """The numbers that a part comes to: one, or all whose keys fit where one is ``*``."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return [float(number)]
        case ast.Name(id=name):
            return [known.get(name, float("nan"))]
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as keys)):
            return _named((name, *re.split(r"\s*,\s*", keys.strip())), known)
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _OPERATIONS:
            sides = product(_values(left, known), _values(right, known))
            return [_OPERATIONS[type(operation)](*side) for side in sides]
        case ast.Call(func=ast.Name(id="abs"), args=[argument], keywords=[]):
            return [combined(np.abs, value) for value in _values(argument, known)]
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _OF_ALL:
            return [_OF_ALL[name](_values(argument, known))]
    raise ValueError(f"no quantity, number, sum, product, abs, highest, lowest or mean: {ast.unparse(node)}")


def _named(wanted: tuple[str, ...], known: Quantities) -> list[Quantity]:
    if "*" not in wanted:
        return [known.get(named(*wanted), float("nan"))]
    return [value for name, value in known.items() if fits(named(*wanted), name)]


def fits(pattern: str, quantity: str) -> bool:
    """Whether a quantity has the name of a pattern, and its keys, any where the pattern has ``*`` or none at all."""
    wanted, keys = _keys_of(pattern), _keys_of(quantity)
    if len(wanted) == 1:
        return wanted[0] == keys[0]
    return len(keys) == len(wanted) and all(key in ("*", own) for key, own in zip(wanted, keys, strict=True))


def _sides(text: str) -> tuple[ast.expr, str, ast.expr]:
    """Both sides of an inequality and what stands between them. Raises ValueError if the text is none."""
    match _parsed(text):
        case ast.Compare(left=left, ops=[relation], comparators=[right]) if type(relation) in _RELATIONS:
            return left, _RELATIONS[type(relation)], right
    raise ValueError(f"not one of {' '.join(_RELATIONS.values())} between two sides: {text}")


def _inequality(text: str) -> str:
    try:
        left, _, right = _sides(text)
        _value(left, {}), _value(right, {})
    except ValueError as error:
        raise refused([Problem("", "", str(error), "expected an inequality of quantities")]) from None
    return text


class Inequalities(Settings):
    """Inequalities of a claim by what each compares, in words; both may name loop variables in braces."""

    over: dict[str, list[Any] | str] = Field(
        default={},
        alias="for",
        description="lists to go through, by the name of a member in braces, or the names of its parts (`a, b`); of a "
        "list that the code has, its name",
    )
    given: str = Field(default="", description="why they cannot fail")
    given_if: dict[str, str] = Field(
        default={}, description="why they cannot fail where a quantity is not 0, by the quantity"
    )
    n: str = Field(default="", description="how many values were looked at, of numbers without an interval")
    ours: str = Field(default="", description="why a threshold is what it is, if the paper does not state it")
    theirs: str = Field(default="", description="where the paper states the threshold, if it does")
    stated: str | int | float | None = Field(
        default=None, description="what the paper states in the place of a threshold of ours: the right side"
    )
    holds: dict[str, Annotated[str, AfterValidator(_inequality)]]

    @model_validator(mode="before")
    @classmethod
    def _written_out(cls, document: Any) -> Any:
        """Inequalities may be written beside the other keys."""
        own = {"for", *cls.model_fields}
        if not isinstance(document, Mapping) or "holds" in document:
            return document
        holds = {key: text for key, text in document.items() if key not in own}
        return {"holds": holds} | {key: value for key, value in document.items() if key in own}

    @property
    def thresholds(self) -> list[str]:
        """What follows the relation where a number decides: ``≥ 0.25``."""
        return [re.sub("^[^<>≥≤]*", "", text) for text in self.holds.values() if _has_threshold(text)]

    def comparisons(
        self, known: Quantities, words: Words, lists: Quantities, printed: bool
    ) -> Iterator[Comparison]:
        """The comparisons of a body of numbers; a list that is named is one of ``words``, or the keys in ``lists``."""
        loops = (_members(members, words, lists) for members in self.over.values())
        for chosen in product(*loops):
            said = dict(words)
            for names, member in zip(self.over, chosen, strict=True):
                parts = [member] if "," not in names else member
                said |= zip(map(str.strip, names.split(",")), parts, strict=True)
            why = [
                self.given,
                *(text for flag, text in self.given_if.items() if _true(filled(flag, said), known)),
            ]
            n = value_of(evaluate(filled(self.n or "0", said), known))
            stated = None if self.stated is None else evaluate(filled(str(self.stated), said), known)
            for what, inequality in self.holds.items():
                left, relation, right = _sides(filled(inequality, said))
                sides = _value(left, known), relation, _value(right, known)
                of_threshold = (self.ours, stated) if _has_threshold(inequality) else ("", None)
                yield Comparison(
                    *(filled(what, said), *sides, " ".join(filter(None, why)), int(np.nan_to_num(n))),
                    *of_threshold,
                    printed=printed,
                )


def _has_threshold(inequality: str) -> bool:
    """Whether a number other than 0 decides: as one of the sides, or as a factor; and not which quantity is higher."""

    def number(node: ast.expr) -> bool:
        return all(isinstance(part, ast.Constant | ast.operator | ast.BinOp) for part in ast.walk(node))

    left, _, right = _sides(inequality)
    factors = (
        part
        for side in (left, right)
        for node in ast.walk(side)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)
        for part in (node.left, node.right)
    )
    known = [value_of(_value(side, {})) for side in (left, right) if number(side)]
    return any(known) or any(map(number, factors))


def _members(members: Sequence[Any] | str, words: Words, lists: Quantities) -> Sequence[Any]:
    if not isinstance(members, str):
        return members
    if members in words:
        return words[members]
    return [keys[0] if len(keys) == 1 else keys for name, *keys in map(_keys_of, lists) if name == members]


def _true(flag: str, known: Quantities) -> bool:
    return bool(np.nan_to_num(value_of(evaluate(flag, known))))


def filled(text: str, words: Words) -> str:
    """A text with its words filled in. Raises ValueError for one that is not known."""
    try:
        return text.format_map(words)
    except KeyError as error:
        raise ValueError(f"there is no word {error} for the text: {text}") from None


class Claim(Settings):
    """A claim of a publication, and the inequalities that decide it."""

    name: str
    section: str = Field(description="where the publication says so")
    claim: str = Field(description="the claim, in our words")
    computed: str = Field(description="what is computed and when it holds")
    not_testable_if: str = Field(default="", description="a quantity that is not 0 where it cannot be tested")
    decided_by: str = Field(
        default="", description="which free property of a synthetic campaign decides, and what it does"
    )
    holds: list[Inequalities]

    def finding(
        self, known: Quantities, words: Words, lists: Quantities, *, printed: bool = False
    ) -> Finding:
        """What the claim comes to on a body of numbers, ``printed`` ones or those of a campaign.

        For ``lists`` see `Inequalities.comparisons`.
        """
        if self.not_testable_if and _true(self.not_testable_if, known):
            known = {}
        comparisons = [one for each in self.holds for one in each.comparisons(known, words, lists, printed)]
        section, claim, computed, decided_by = (
            filled(text, words) for text in (self.section, self.claim, self.computed, self.decided_by)
        )
        return Finding(self.name, section, claim, computed, comparisons, decided_by)

    @property
    def thresholds(self) -> list[tuple[str, str]]:
        """Each threshold (``≥ 0.25``), and whose it is, with the place or the reason; none of mere directions."""
        return [
            (
                bound,
                f"the paper's: {each.theirs}" if each.theirs else f"ours: {each.ours}" if each.ours else "",
            )
            for each in self.holds
            if not each.given
            for bound in dict.fromkeys(each.thresholds)
        ]
