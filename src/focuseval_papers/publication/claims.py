"""Claims of a publication: inequalities of named quantities as text, and their verdicts on given numbers.

    gain[INEX 2003o, generalised] < gain[INEX 2002, generalised] / 10

A quantity is a name, or a name with keys in brackets, which are not parsed. A key ``*`` in ``lowest(…)``,
``highest(…)`` or ``mean(…)`` stands for all keys. ``+ - * /`` and ``abs(…)`` compute estimates in every resample
(`focuseval_papers.publication.estimates`), so a difference has its own interval.

The same rule decides numbers of a campaign and printed numbers. A number that rests on a sample of runs or topics is an
`Estimate` and has a 95 % interval. A comparison

- *holds* if the whole interval is on the right side of the bound, which is 0 for a difference of two numbers;
- is *contradicted* if the whole interval is on the wrong side, and the paper states the bound (a direction or a
  threshold), or its words exclude these values;
- *fails our threshold* if the whole interval is on the wrong side of it, and the paper's words do not exclude
  these values;
- is *undecided* if the interval contains the bound;
- holds *by construction* if it cannot fail on these numbers, because of a theorem or a setting of a generator.

A claim of several comparisons holds if all its *parts* hold. If the paper is ambiguous, comparisons belong to
*readings*. The claim holds, or is contradicted, only if this is its verdict under every reading; otherwise it depends
on the reading.

A synthetic campaign may be drawn again from other seeds. The verdict is then the one that most draws have, and the
claim is undecided if draws contradict each other (`over_draws`).

A number of a campaign that is not an estimate is a fact about these data and decides by itself. A printed number whose
interval is unknown decides nothing: the comparison is *true* or *not true of the printed number*.
"""

import ast
import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from string import Formatter
from typing import Annotated, Any, Self

import numpy as np
import pandas as pd

from focuseval.errors import Problem, extra
from focuseval.measures.rules import overlapping
from focuseval.model.results import Results
from focuseval_papers.publication.estimates import (
    LEVEL,
    Estimate,
    Quantity,
    Sample,
    combined,
    difference,
    highest,
    lowest,
    mean,
    mean_of,
    ratio,
    value_of,
)
from focuseval_papers.workflow.settings import Settings, refused

with extra("workflow"):
    from pydantic import AfterValidator, Field, model_validator

HOLDS = "holds"
CONTRADICTED = "contradicted"
UNDECIDED = "undecided"
BEYOND = "fails our threshold"
DEPENDS = "depends on the reading"
BY_CONSTRUCTION = "by construction"
NOT_TESTABLE = "not testable here"

#: verdicts on printed numbers without an interval
TRUE, NOT_TRUE = "true of the printed number", "not true of the printed number"

#: probability that a sample of the size in `Inequality.needed` decides a claim
POWER = 0.8

_WOULD = {HOLDS: "would hold", CONTRADICTED: "would be contradicted", BEYOND: "would fail our threshold"}

#: verdicts in order of precedence: a claim has the first of these verdicts that one of its parts has
_DECISIVE = (CONTRADICTED, NOT_TESTABLE, BEYOND, UNDECIDED, NOT_TRUE, TRUE, HOLDS, BY_CONSTRUCTION)

#: verdicts that support a claim, and verdicts against a claim
_FOR, _AGAINST = {HOLDS, BY_CONSTRUCTION}, {CONTRADICTED, BEYOND}

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    "≥": operator.ge,
    "≤": operator.le,
}


@dataclass(frozen=True)
class Inequality:
    """One inequality of a finding. NaN means that a number is not available."""

    what: str  #: the compared quantities, in words
    left: Quantity
    relation: str  #: one of > < ≥ ≤
    right: Quantity
    by_construction: str = ""  #: why the comparison cannot fail; empty if it can
    n: int = 0  #: number of values behind numbers that are not estimates; 0 if unknown
    ours: str = ""  #: reason for the threshold, if we chose the threshold; empty if the paper did
    excluded: Quantity | None = None  #: the bound that the paper's words exclude, if we chose the threshold
    printed: bool = False  #: whether the numbers are printed in the paper
    reading: str = ""  #: the reading of the paper that the comparison belongs to; empty if it belongs to all

    @cached_property
    def rests_on(self) -> Estimate | None:
        """Return the estimate that decides the comparison, if any.

        It is the left side if the right side is a plain number, and otherwise the difference of both sides.
        """
        deciding = difference(self.left, self.right) if isinstance(self.right, Estimate) else self.left
        return deciding if isinstance(deciding, Estimate) else None

    def state(self, of: int = 1) -> str:
        """Return the verdict on this comparison alone: a verdict of claims, `TRUE` or `NOT_TRUE`.

        ``of`` is the number of comparisons that could contradict the claim. A comparison contradicts the claim only by
        its interval at the level 1 - 0.05 / ``of``, because one of many may be on the wrong side by chance.
        """
        left, right = value_of(self.left), value_of(self.right)
        if math.isnan(left) or math.isnan(right):
            return NOT_TESTABLE
        relation, deciding = _RELATIONS[self.relation], self.rests_on
        if self.by_construction:
            return BY_CONSTRUCTION if relation(left, right) else CONTRADICTED
        if deciding is None and self.printed:
            return TRUE if relation(left, right) else NOT_TRUE
        limits = wide = (left, left)
        bound = right
        if deciding is not None:
            limits, wide = deciding.interval, deciding.interval_at(1 - (1 - LEVEL) / of)
            bound = 0.0 if isinstance(self.right, Estimate) else right
            if math.isnan(limits[0]):
                return NOT_TESTABLE
        if all(relation(limit, bound) for limit in limits):
            return HOLDS
        if any(relation(limit, bound) for limit in wide):
            return UNDECIDED
        if not self.ours or self.excluded is None:
            return BEYOND if self.ours else CONTRADICTED
        theirs = replace(self, right=self.excluded, ours="", excluded=None).state(of)
        return CONTRADICTED if theirs == CONTRADICTED else BEYOND

    def needed(self, of: int = 1) -> tuple[bool, float]:
        """Return whether the number itself is true, and the number of members whose interval would decide.

        The interval has n members and the half-width h, and its number is at the distance d from the bound. As h falls
        with the root of n, the required number of members is ``n (h (z_a + z_b) / (z_a d))²``, where z_a is the
        quantile of the interval's level, and z_b the quantile of `POWER`. If the number stays the same, the interval of
        such a sample excludes the bound with probability `POWER`. The result is NaN if no interval decides, and
        infinite if the number is at the bound. ``of`` is as in `state`.
        """
        from scipy import special

        deciding, right = self.rests_on, value_of(self.right)
        true = _RELATIONS[self.relation](value_of(self.left), right)
        if deciding is None:
            return true, math.nan
        level = LEVEL if true else 1 - (1 - LEVEL) / of
        low, high = deciding.interval_at(level)
        distance = abs(deciding.value - (0.0 if isinstance(self.right, Estimate) else right))
        z_a, z_b = special.ndtri([(1 + level) / 2, POWER])
        wide = (high - low) / 2 * (1 + z_b / z_a)
        return true, deciding.n * (wide / distance) ** 2 if distance else math.inf


@dataclass(frozen=True)
class Finding:
    """A claim of a paper, and the comparisons that decide it."""

    name: str
    section: str
    claim: str  #: the claim, in our words
    computed: str  #: the computed quantities, and when the claim holds
    comparisons: Sequence[Inequality]
    decided_by: str = ""  #: the free property of a synthetic campaign that decides the claim
    drawn: Sequence[str] = ()  #: the verdicts on further draws of the campaign

    def parts(self, reading: str) -> list[Inequality]:
        """Return the comparisons that decide the verdict under a reading of the paper."""
        return [each for each in self.comparisons if each.reading in ("", reading)]

    def many(self, reading: str) -> int:
        """Count the comparisons that could contradict the claim under a reading; the result is at least 1."""
        return max(1, sum(not each.by_construction for each in self.parts(reading)))

    @property
    def states(self) -> list[str]:
        """Return the verdict on each comparison (`Inequality.state`)."""
        return [each.state(self.many(each.reading)) for each in self.comparisons]

    @cached_property
    def readings(self) -> dict[str, str]:
        """Return the verdict under each reading; ``""`` is the only reading if the paper is unambiguous.

        If parts have different verdicts, the first of contradicted, not testable, fails our threshold and undecided
        applies. The claim holds if all parts hold or hold by construction; it holds by construction if all parts do.
        """
        names = dict.fromkeys(each.reading for each in self.comparisons if each.reading) or {"": None}
        states = {name: [each.state(self.many(name)) for each in self.parts(name)] for name in names}
        return {
            name: next((state for state in _DECISIVE if state in state_of_reading), NOT_TESTABLE)
            for name, state_of_reading in states.items()
        }

    @property
    def verdict(self) -> str:
        """Return the verdict over the campaign and its further draws (`over_draws`)."""
        return over_draws(self.here, self.drawn)

    @property
    def here(self) -> str:
        """Return the verdict on the campaign itself; `DEPENDS` if the readings of the paper have different verdicts.

        Verdicts that support the claim do not count as different.
        """
        states = set(self.readings.values())
        if NOT_TESTABLE in states:
            return NOT_TESTABLE
        alike = len(states) == 1 or states <= {TRUE, HOLDS, BY_CONSTRUCTION}
        return next(state for state in _DECISIVE if state in states) if alike else DEPENDS

    @property
    def needed(self) -> str:
        """Describe the sample that would decide an undecided claim if its numbers stayed the same; else return ``""``.

        If comparisons are false, the claim is decided by the one that needs the fewest members (`Inequality.needed`).
        If all comparisons are true, the claim holds when the one that needs most members is decided.
        """
        if {self.verdict, self.here} != {UNDECIDED}:
            return ""
        needs = []
        for name in self.readings:
            waiting = [each for each in self.parts(name) if each.state(self.many(name)) == UNDECIDED]
            candidates = [(*each.needed(self.many(name)), each) for each in waiting]
            false = [each for each in candidates if not each[0]]
            true, number, one = (min if false else max)(false or candidates, key=lambda each: each[1])
            state = HOLDS if true else BEYOND if one.ours else CONTRADICTED
            of = one.rests_on
            if of is not None:
                many = f"no number of {of.over}, because the number is at the bound"
                if math.isfinite(number):
                    many = f"about {_two_digits(number)} {of.over} instead of {of.n}, and the claim {_WOULD[state]}"
                needs.append(f"{f'{name}: ' if name else ''}{many} ({one.what})")
        return "; ".join(needs)


def over_draws(verdict: str, drawn: Sequence[str]) -> str:
    """Return the verdict of more than half of the draws, or the campaign's verdict if there are no further draws.

    The verdict is `UNDECIDED` if no verdict has a majority, or if the claim holds on one draw (or on the campaign) and
    is contradicted or fails our threshold on another.
    """
    if not drawn:
        return verdict
    yes, no = ([each for each in (*drawn, verdict) if each in side] for side in (_FOR, _AGAINST))
    if yes and no:
        return UNDECIDED
    # if two verdicts on the same side have the majority together, the weaker one counts
    sides = {HOLDS: sum(each in _FOR for each in drawn), BEYOND: sum(each in _AGAINST for each in drawn)}
    counts = [*Counter(drawn).most_common(1), *sides.items()]
    return next((word for word, count in counts if 2 * count > len(drawn)), UNDECIDED)


def with_draws(findings: Iterable[Finding], tables: Sequence[pd.DataFrame]) -> list[Finding]:
    """Return the findings with their verdicts on further draws; ``tables`` has the `findings_table` of each draw."""
    verdicts = [dict(zip(table["finding"], table["verdict"], strict=True)) for table in tables]
    return [replace(each, drawn=tuple(of[each.name] for of in verdicts)) for each in findings]


def _two_digits(number: float) -> str:
    """Return a whole number rounded up to two significant digits."""
    unit = 10.0 ** max(0, math.floor(math.log10(max(number, 1))) - 1)
    return f"{math.ceil(number / unit) * unit:,.0f}"


#: columns of `findings_table` that also exist for the printed numbers
_NUMBERS = ["left", "right", "state", "n", "over", "low", "high"]


def _rows(finding: Finding) -> Iterator[dict[str, object]]:
    """Yield the rows of a finding, one for each comparison; a finding without comparisons is not testable."""
    about = {
        name: getattr(finding, name)
        for name in ("name", "section", "claim", "computed", "decided_by", "verdict")
    }
    readings = "; ".join(f"{reading}: {verdict}" for reading, verdict in finding.readings.items() if reading)
    count = Counter(finding.drawn)
    draws = ", ".join(f"{state} {number}" for state, number in count.most_common())
    nothing = [(Inequality("nothing to compare", math.nan, ">", math.nan), NOT_TESTABLE)]
    for one, state in [*zip(finding.comparisons, finding.states, strict=True)] or nothing:
        rests = one.rests_on
        interval_of = "difference" if isinstance(one.right, Estimate) else "left"
        influential, without = rests.influential if rests else ("", math.nan)
        low, high = rests.interval if rests else (math.nan, math.nan)
        yield {
            **about,
            "readings": readings,
            "needed": finding.needed,
            "here": finding.here,
            "draws": f"{draws} of {len(finding.drawn)}" if draws else "",
            "reading": one.reading,
            "reason": one.by_construction,
            "comparison": one.what,
            "relation": one.relation,
            "interval_of": interval_of if rests else "",
            "influential": influential,
            "without": without,
            "ours": one.ours,
            "left": value_of(one.left),
            "right": value_of(one.right),
            "state": state,
            "n": rests.n if rests else one.n,
            "over": rests.over if rests else "",
            "low": low,
            "high": high,
        }


def findings_table(reproduced: Sequence[Finding], printed: Sequence[Finding]) -> pd.DataFrame:
    """Return one row for each comparison: the finding, its verdict here and on the printed numbers, and both sides.

    The two sequences have the same findings in the same order. The columns are finding, section, claim, computed,
    decided_by, verdict, verdict_printed, readings (the verdict under each reading of the paper, if there are several),
    needed (`Finding.needed`), here (the verdict on the campaign itself), draws (the number of further draws with each
    verdict; "" without draws), reading (of the comparison), reason (why the comparison cannot fail, or ""), comparison,
    relation, interval_of (left, or difference: left less right), influential (the run or topic whose removal changes
    the number most), without (the number after this removal), ours (the reason for a threshold of ours), left, right,
    state, n (number of runs or topics, see over; 0 if there are none), over, and low and high (the 95 % interval, or
    NaN). The columns of printed numbers have the same names with the suffix ``_printed``; they are NaN if the paper
    prints no number.
    """
    here, there = (
        pd.DataFrame([row for each in findings for row in _rows(each)]) for findings in (reproduced, printed)
    )
    if len(here) != len(there):
        raise ValueError(f"{len(here)} comparisons here, {len(there)} on the printed numbers")
    if here.empty:
        return here
    here.insert(6, "verdict_printed", there["verdict"])
    return here.rename(columns={"name": "finding"}).join(there[_NUMBERS].add_suffix("_printed"))


#: numbers by their names in claims, such as ``{"runs": 56, "gain[INEX 2002, strict]": 0.01}``
Quantities = Mapping[str, Quantity]

#: values that texts in ``publication.yaml`` name in braces, by name
Words = Mapping[str, Any]

_SIGNS: dict[type[ast.cmpop], str] = {ast.Gt: ">", ast.Lt: "<", ast.GtE: "≥", ast.LtE: "≤"}

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
    """Return the name that claims have for a quantity with keys: ``name[key, key]``."""
    return f"{name}[{', '.join(map(str, keys))}]" if keys else name


def _keys_of(quantity: str) -> tuple[str, ...]:
    """Split a quantity into its name and its keys."""
    name, _, keys = quantity.removesuffix("]").partition("[")
    return (name, *keys.split(", ")) if keys else (name,)


def evaluate(expression: str, quantities: Quantities) -> Quantity:
    """Return the value of an expression; NaN if a quantity is missing. Raises ValueError if it is not a number."""
    return _value(_parsed(expression), quantities)


def _parsed(text: str) -> ast.expr:
    """Return the syntax tree of an expression or inequality; keys are strings. Raises ValueError for other texts."""
    quoted = re.sub(r"\[([^\]]*)\]", lambda keys: repr([keys[1]]), text)
    try:
        return ast.parse(quoted.replace("≥", ">=").replace("≤", "<="), mode="eval").body
    except SyntaxError:
        raise ValueError(f"not a formula: {text}") from None


def _value(node: ast.expr, quantities: Quantities) -> Quantity:
    values = _values(node, quantities)
    if len(values) != 1:
        raise ValueError(
            f"several numbers where one is expected (use highest, lowest or mean): {ast.unparse(node)}"
        )
    return values[0]


def _values(node: ast.expr, quantities: Quantities) -> list[Quantity]:
    """Return the numbers that a node stands for: one number, or all numbers with matching keys if a key is ``*``."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return [float(number)]
        case ast.Name(id=name):
            return [quantities.get(name, float("nan"))]
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as keys)):
            return _quantities_like((name, *re.split(r"\s*,\s*", keys.strip())), quantities)
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _OPERATIONS:
            sides = product(_values(left, quantities), _values(right, quantities))
            return [_OPERATIONS[type(operation)](*side) for side in sides]
        case ast.Call(func=ast.Name(id="abs"), args=[argument], keywords=[]):
            return [combined(np.abs, value) for value in _values(argument, quantities)]
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _OF_ALL:
            return [_OF_ALL[name](_values(argument, quantities))]
    raise ValueError(
        f"expected a quantity, number, sum, product, abs, highest, lowest or mean: {ast.unparse(node)}"
    )


def _quantities_like(wanted: tuple[str, ...], quantities: Quantities) -> list[Quantity]:
    if "*" not in wanted:
        return [quantities.get(named(*wanted), float("nan"))]
    return [value for name, value in quantities.items() if fits(named(*wanted), name)]


def fits(pattern: str, quantity: str) -> bool:
    """Return whether a quantity matches a pattern's name and keys; ``*`` or no keys match any key."""
    wanted, keys = _keys_of(pattern), _keys_of(quantity)
    if len(wanted) == 1:
        return wanted[0] == keys[0]
    return len(keys) == len(wanted) and all(key in ("*", own) for key, own in zip(wanted, keys, strict=True))


def _sides(text: str) -> tuple[ast.expr, str, ast.expr]:
    """Return the left side, the relation and the right side of an inequality. Raises ValueError for any other text."""
    match _parsed(text):
        case ast.Compare(left=left, ops=[relation], comparators=[right]) if type(relation) in _SIGNS:
            return left, _SIGNS[type(relation)], right
    raise ValueError(f"expected two sides with one of {' '.join(_SIGNS.values())} between them: {text}")


def _readable(what: str, read: Callable[[str], Any]) -> AfterValidator:
    """Return a validator that refuses a text if reading it raises ValueError."""

    def checked(text: str) -> str:
        try:
            read(text)
        except ValueError as error:
            raise refused([Problem("", "", str(error), f"expected {what}")]) from None
        return text

    return AfterValidator(checked)


#: types of texts in ``publication.yaml``: an arithmetic expression of quantities, and an inequality of two expressions
Expression = Annotated[str, _readable("a number of quantities", lambda text: evaluate(text, {}))]
InequalityText = Annotated[
    str,
    _readable("an inequality of quantities", lambda text: [_value(side, {}) for side in _sides(text)[::2]]),
]


class Inequalities(Settings):
    """Inequalities of a claim, by descriptions of the compared numbers.

    Inequalities and descriptions may name the variables of loops in braces.
    """

    over: dict[str, list[Any] | str] = Field(
        default={},
        alias="for",
        description="lists to go through, by the name of a member in braces, or the names of its parts (`a, b`); of a "
        "list that the code has, its name",
    )
    by_construction: str = Field(default="", description="why the inequalities cannot fail")
    by_construction_if: dict[str, str] = Field(default={})
    """why the inequalities cannot fail if a quantity is not 0, by quantity"""
    n: str = Field(default="", description="the number of values, for numbers without an interval")
    ours: str = Field(default="", description="the reason for a threshold that the paper does not state")
    theirs: str = Field(default="", description="the place where the paper states the threshold")
    excludes: str | int | float | None = None
    """with `ours`: the right side that the paper's words exclude, instead of our threshold"""
    because: str = ""
    """with `excludes`: the numbers that contradict the claim, and why"""
    reading: str = ""
    """the reading of an ambiguous paper to which the inequalities belong; by default, all"""
    holds: dict[str, InequalityText]

    @model_validator(mode="before")
    @classmethod
    def _written_out(cls, document: Any) -> Any:
        """Collect inequalities that are next to the other keys under the key ``holds``."""
        own = {"for", *cls.model_fields}
        if not isinstance(document, Mapping) or "holds" in document:
            return document
        holds = {key: text for key, text in document.items() if key not in own}
        return {"holds": holds} | {key: value for key, value in document.items() if key in own}

    @model_validator(mode="after")
    def _with_reasons(self) -> Self:
        if (self.excludes is None) != (not self.because):
            raise refused(
                [Problem("", "", "only one of `excludes` and `because` is set", "set both or neither")]
            )
        return self

    @property
    def thresholds(self) -> list[str]:
        """Return the thresholds of the inequalities, such as ``≥ 0.25``."""
        return [re.sub("^[^<>≥≤]*", "", text) for text in self.holds.values() if _has_threshold(text)]

    def comparisons(
        self, quantities: Quantities, words: Words, lists: Quantities, printed: bool
    ) -> Iterator[Inequality]:
        """Yield the comparisons of some numbers; loops go over lists in ``words``, or over keys in ``lists``."""
        for said in loops({names: _members(of, words, lists) for names, of in self.over.items()}, words):
            conditions = self.by_construction_if.items()
            why = [text for flag, text in conditions if _true(filled(flag, said), quantities)]
            reason = " ".join(filter(None, [self.by_construction, *why]))
            n = value_of(evaluate(filled(self.n or "0", said), quantities))
            excluded = (
                None if self.excludes is None else evaluate(filled(str(self.excludes), said), quantities)
            )
            for what, inequality in self.holds.items():
                left, relation, right = _sides(filled(inequality, said))
                sides = _value(left, quantities), relation, _value(right, quantities)
                of_threshold = (self.ours, excluded) if _has_threshold(inequality) else ("", None)
                yield Inequality(
                    *(filled(what, said), *sides, reason, int(np.nan_to_num(n))),
                    *of_threshold,
                    printed=printed,
                    reading=filled(self.reading, said),
                )


def _has_threshold(inequality: str) -> bool:
    """Return whether an inequality has a threshold: a number other than 0 as a side or as a factor."""

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
    numbers = [value_of(_value(side, {})) for side in (left, right) if number(side)]
    return any(numbers) or any(map(number, factors))


def loops(over: Mapping[str, Sequence[Any] | str], words: Words) -> Iterator[dict[str, Any]]:
    """Yield ``words`` with one member of each list in ``over``, for every combination of members.

    A list under the key ``a, b`` has pairs. Instead of a list, a text may name a word that is a list, or a part of an
    earlier choice: ``task[cutoffs]``.
    """
    if not over:
        yield dict(words)
        return
    (names, members), *others = over.items()
    for member in word_of(members, words) if isinstance(members, str) else members:
        parts = [member] if "," not in names else member
        chosen = zip(map(str.strip, names.split(",")), parts, strict=True)
        yield from loops(dict(others), {**words, **dict(chosen)})


def word_of(name: str, words: Words) -> Any:
    """Return a word, or a part of it: ``cutoffs[thorough]``. Raises ValueError for an unknown word."""
    try:
        return Formatter().get_field(name, (), words)[0]
    except (KeyError, IndexError) as error:
        raise ValueError(f"there is no word {name}") from error


def _members(members: Sequence[Any] | str, words: Words, lists: Quantities) -> Sequence[Any]:
    if not isinstance(members, str):
        return members
    if members in words:
        return words[members]
    return [keys[0] if len(keys) == 1 else keys for name, *keys in map(_keys_of, lists) if name == members]


def _true(flag: str, quantities: Quantities) -> bool:
    return bool(np.nan_to_num(value_of(evaluate(flag, quantities))))


def filled(text: str, words: Words) -> str:
    """Return a text with its words filled in. Raises ValueError for an unknown word."""
    try:
        return text.format_map(words)
    except KeyError as error:
        raise ValueError(f"there is no word {error} for the text: {text}") from None


class Claim(Settings):
    """A claim of a publication, and the inequalities that decide it."""

    name: str
    section: str = Field(description="the place of the claim in the publication")
    claim: str = Field(description="the claim, in our words")
    computed: str = Field(description="the computed quantities, and when the claim holds")
    not_testable_if: str = ""
    """a quantity; if it is not 0, the claim cannot be tested"""
    decided_by: str = ""
    """the free property of a synthetic campaign that decides the claim, and its effect"""
    holds: list[Inequalities]

    def finding(
        self, quantities: Quantities, words: Words, lists: Quantities, *, printed: bool = False
    ) -> Finding:
        """Return the finding: the claim, decided on the numbers of a campaign or on ``printed`` numbers.

        ``lists`` is as in `Inequalities.comparisons`.
        """
        if self.not_testable_if and _true(self.not_testable_if, quantities):
            quantities = {}
        comparisons = [
            one for each in self.holds for one in each.comparisons(quantities, words, lists, printed)
        ]
        section, claim, computed, decided_by = (
            filled(text, words) for text in (self.section, self.claim, self.computed, self.decided_by)
        )
        return Finding(self.name, section, claim, computed, comparisons, decided_by)

    @property
    def thresholds(self) -> list[tuple[str, str, str]]:
        """Return the thresholds (``≥ 0.25``), each with its origin and the numbers that contradict the claim.

        The origin is the paper's words, or the reason for a threshold of ours.
        """
        return [
            (
                bound,
                f"the paper: {each.theirs}" if each.theirs else f"ours: {each.ours}" if each.ours else "",
                each.because,
            )
            for each in self.holds
            if not each.by_construction
            for bound in dict.fromkeys(each.thresholds)
        ]


def stacked(tables: Sequence[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """Return the rows of all tables in these columns; without tables, return an empty table."""
    if not tables:
        return pd.DataFrame(columns=columns)
    return pd.concat([table[list(columns)] for table in tables], ignore_index=True)


def rows_of(table: pd.DataFrame, /, **values: object) -> pd.DataFrame:
    """Return the rows of a table with these values in the named columns."""
    return table[(table[list(values)] == list(values.values())).all(axis=1)]


def means_over(
    sample: Sample,
    table: pd.DataFrame,
    name: str,
    keys: Sequence[str],
    *,
    value: str = "value",
    member: str = "topic",
) -> dict[str, Quantity]:
    """Estimate means over the members of a sample, one for each combination of the values of ``keys``.

    The names of these quantities are ``name`` with the values as keys. ``table`` has a row for each member (in the
    column ``member``) and combination, with the column ``value``.
    """
    wide = table.pivot(index=member, columns=list(keys), values=value).reindex(sample.members)
    return {
        named(name, *key): sample.estimate(mean_of(column.to_numpy(float)))
        for key, (_, column) in zip(wide.columns.to_frame().to_numpy(), wide.items(), strict=True)
    }


def facts(table: pd.DataFrame, name: str, keys: Sequence[str], value: str) -> dict[str, float]:
    """Return the values of a column as quantities without intervals: ``name`` with the values of ``keys``."""
    rows = table[[*keys, value]].itertuples(index=False, name=None)
    return {named(name, *key): float(number) for *key, number in rows}


def repeated(results: Results, size: int | None) -> pd.DataFrame:
    """Count repetition in the first ``size`` results of each list (None: all), over all topics.

    The columns are run, topics, results, overlapping (results that share text with an earlier result) and same_document
    (results whose document has an earlier result).
    """
    totals = {str(run): np.zeros(4, dtype=int) for run in results.runs}
    for each in results.lists():
        first = each.article[:size]
        repeats = overlapping(each)[:size].sum(), len(first) - len(np.unique(first))
        totals[each.run] += (1, len(first), *repeats)
    rows = [(run, *total) for run, total in totals.items()]
    return pd.DataFrame(rows, columns=["run", "topics", "results", "overlapping", "same_document"])
