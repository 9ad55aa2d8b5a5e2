"""Claims of a publication, written as inequalities of named quantities, and the verdict on each claim.

    gain[INEX 2003o, generalised] < gain[INEX 2002, generalised] / 10

A quantity is a name, which may be followed by keys in brackets. Keys may contain any text. In ``lowest(…)``,
``highest(…)`` and ``mean(…)``, the key ``*`` stands for all keys. ``+ - * /`` and ``abs(…)`` are computed in every
resample (`focuseval_papers.publication.estimates`). A difference therefore has its own interval.

One rule applies to the numbers of a campaign and to printed numbers. A number that is computed from a sample of runs or
topics is an `Estimate`, which has a 95 % interval. The bound of a comparison is its right side, or 0 if the comparison
is decided by a difference. A comparison

- *holds* if the whole interval is on the right side of the bound;
- is *contradicted* if the whole interval is on the wrong side, and the paper states or implies the bound;
- *fails our threshold* if the whole interval is on the wrong side of a threshold that we chose, and the paper's words
  do not exclude the values of the interval;
- is *undecided* if the interval contains the bound;
- holds *by construction* if a theorem, or a setting of the campaign's generator, guarantees that it is true.

The *parts* of a claim are its comparisons. The claim holds if all its parts hold. If the paper is ambiguous, each
interpretation is a *reading*, and comparisons belong to readings. The claim then holds, or is contradicted, only if it
has this verdict under every reading. Otherwise, its verdict depends on the reading.

A synthetic campaign may be generated several times (*draws*) with different seeds. The claim then gets the verdict on
more than half of the draws. It is undecided without such a majority, or if some draws support it and others oppose it.

A number of a campaign that is not an estimate has no interval, and is compared with the bound directly. A printed
number without a known interval cannot decide a claim. Its comparison is *true of the printed number*, or *not true of
the printed number*.
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
from focuseval.report.tables import number
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

#: a sample of the size that `Inequality.needed` returns decides the claim with this probability
POWER = 0.8

#: words that predict a verdict on a larger sample, as in "and the claim would hold"
WOULD = {HOLDS: "would hold", CONTRADICTED: "would be contradicted", BEYOND: "would fail our threshold"}

#: if the parts of a claim have different verdicts, the claim gets the verdict that comes first here
_DECISIVE = (CONTRADICTED, NOT_TESTABLE, BEYOND, UNDECIDED, NOT_TRUE, TRUE, HOLDS, BY_CONSTRUCTION)

#: the verdicts that support a claim, and the verdicts that oppose it
_FOR, _AGAINST = {HOLDS, BY_CONSTRUCTION}, {CONTRADICTED, BEYOND}

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    "≥": operator.ge,
    "≤": operator.le,
}


@dataclass(frozen=True)
class Inequality:
    """A comparison of two numbers, on which a claim of a paper depends; a missing number is NaN."""

    what: str  #: the compared quantities, in words
    left: Quantity
    relation: str  #: one of >, <, ≥ and ≤
    right: Quantity
    by_construction: str = ""  #: why the comparison cannot fail; empty if it can
    n: int = 0  #: the number of runs or topics behind exact numbers; 0 for estimates, or if unknown
    ours: str = ""  #: why we chose the threshold; empty if the paper states it
    excluded: Quantity | None = None  #: a weaker bound that the paper implies, if we chose the threshold
    printed: bool = False  #: whether the numbers are printed in the paper
    reading: str = ""  #: the interpretation of the paper to which the comparison applies; empty for all

    @cached_property
    def rests_on(self) -> Estimate | None:
        """Return the estimate whose interval decides the comparison, or None if both sides are plain numbers.

        This is the left side if the right side is a plain number, and otherwise the difference between the sides.
        """
        deciding = difference(self.left, self.right) if isinstance(self.right, Estimate) else self.left
        return deciding if isinstance(deciding, Estimate) else None

    def state(self, tests: int = 1) -> str:
        """Return the verdict on this comparison alone, such as "holds" or "undecided".

        ``tests`` is the number of comparisons that could contradict the claim. If there are many, some intervals
        oppose the claim by chance. A comparison is therefore contradicted only if its whole interval at the level
        1 - 0.05 / ``tests`` opposes the claim.
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
            limits, wide = deciding.interval, deciding.interval_at(1 - (1 - LEVEL) / tests)
            bound = 0.0 if isinstance(self.right, Estimate) else right
            if math.isnan(limits[0]):
                return NOT_TESTABLE
        if all(relation(limit, bound) for limit in limits):
            return HOLDS
        if any(relation(limit, bound) for limit in wide):
            return UNDECIDED
        if not self.ours or self.excluded is None:
            return BEYOND if self.ours else CONTRADICTED
        theirs = replace(self, right=self.excluded, ours="", excluded=None).state(tests)
        return CONTRADICTED if theirs == CONTRADICTED else BEYOND

    def needed(self, tests: int = 1) -> tuple[bool, float]:
        """Return whether the comparison is true of its numbers, and how large a sample would decide it.

        A sample of this size decides with probability `POWER`, if the estimate does not change. The size is
        ``n (h (z_a + z_b) / (z_a d))²``. Here n is the present size of the sample, and h is half the width of the
        interval. The distance of the estimate from the bound is d. The normal quantiles for the interval's level and
        for `POWER` are z_a and z_b. The size is NaN without an interval, and infinite if d is 0. ``tests`` is
        explained in `state`.
        """
        from scipy import special

        deciding, right = self.rests_on, value_of(self.right)
        true = _RELATIONS[self.relation](value_of(self.left), right)
        if deciding is None:
            return true, math.nan
        level = LEVEL if true else 1 - (1 - LEVEL) / tests
        low, high = deciding.interval_at(level)
        distance = abs(deciding.value - (0.0 if isinstance(self.right, Estimate) else right))
        z_a, z_b = special.ndtri([(1 + level) / 2, POWER])
        wide = (high - low) / 2 * (1 + z_b / z_a)
        return true, deciding.n * (wide / distance) ** 2 if distance else math.inf


@dataclass(frozen=True)
class Finding:
    """A claim of a paper, and the comparisons of numbers that decide whether it holds."""

    name: str
    section: str
    claim: str  #: the claim, in our words
    computed: str  #: the computed quantities, and the condition under which the claim holds
    comparisons: Sequence[Inequality]
    #: the arbitrary choice in a synthetic campaign that decides the claim; empty if there is none
    decided_by: str = ""
    drawn: Sequence[str] = ()  #: the verdict on each further draw of a synthetic campaign

    def parts(self, reading: str) -> list[Inequality]:
        """Return the comparisons that decide the claim under one reading (interpretation) of the paper."""
        return [each for each in self.comparisons if each.reading in ("", reading)]

    def many(self, reading: str) -> int:
        """Count the comparisons that could contradict the claim under one reading of the paper; return at least 1."""
        return max(1, sum(not each.by_construction for each in self.parts(reading)))

    @property
    def states(self) -> list[str]:
        """Return the verdict on each comparison of the claim."""
        return [each.state(self.many(each.reading)) for each in self.comparisons]

    @cached_property
    def readings(self) -> dict[str, str]:
        """Return the verdict on the claim under each reading of the paper; an unambiguous paper has the key ``""``.

        If comparisons have different verdicts, the first in this order counts: contradicted, not testable, fails our
        threshold, undecided, not true, true, holds, by construction.
        """
        names = dict.fromkeys(each.reading for each in self.comparisons if each.reading) or {"": None}
        states = {name: [each.state(self.many(name)) for each in self.parts(name)] for name in names}
        return {
            name: next((state for state in _DECISIVE if state in state_of_reading), NOT_TESTABLE)
            for name, state_of_reading in states.items()
        }

    @property
    def verdict(self) -> str:
        """Return the verdict on the claim, from its verdicts on all draws of a synthetic campaign (`over_draws`)."""
        return over_draws(self.here, self.drawn)

    @property
    def here(self) -> str:
        """Return the verdict without further draws, or `DEPENDS` if readings of the paper lead to different verdicts.

        If all readings support the claim, the weakest verdict counts. If any reading is not testable, the claim is not.
        """
        states = set(self.readings.values())
        if NOT_TESTABLE in states:
            return NOT_TESTABLE
        alike = len(states) == 1 or states <= {TRUE, HOLDS, BY_CONSTRUCTION}
        return next(state for state in _DECISIVE if state in states) if alike else DEPENDS

    @property
    def needed(self) -> str:
        """Describe how large a sample would decide an undecided claim; ``""`` for other claims."""
        if {self.verdict, self.here} != {UNDECIDED}:
            return ""
        needs = []
        for name in self.readings:
            waiting = [each for each in self.parts(name) if each.state(self.many(name)) == UNDECIDED]
            candidates = [(*each.needed(self.many(name)), each) for each in waiting]
            false = [each for each in candidates if not each[0]]
            true, count, one = (min if false else max)(false or candidates, key=lambda each: each[1])
            state = HOLDS if true else BEYOND if one.ours else CONTRADICTED
            rests = one.rests_on
            if rests is not None:
                many = f"no number of {rests.over}, because the number is at the bound"
                if math.isfinite(count):
                    many = f"about {_two_digits(count)} {rests.over} instead of {rests.n}, and the claim {WOULD[state]}"
                needs.append(f"{f'{name}: ' if name else ''}{many} ({one.what})")
        return "; ".join(needs)


def over_draws(verdict: str, drawn: Sequence[str]) -> str:
    """Return the verdict that a claim has on more than half of a campaign's draws, or `UNDECIDED` without a majority.

    Without draws, return the campaign's own ``verdict``. If some verdicts on the draws or the campaign support the
    claim, and others oppose it, return `UNDECIDED`.
    """
    if not drawn:
        return verdict
    yes, no = ([each for each in (*drawn, verdict) if each in side] for side in (_FOR, _AGAINST))
    if yes and no:
        return UNDECIDED
    # If neither of the two supporting verdicts has a majority, but both together have one, the claim gets the weaker
    # verdict. The same applies to the two opposing verdicts.
    sides = {HOLDS: sum(each in _FOR for each in drawn), BEYOND: sum(each in _AGAINST for each in drawn)}
    counts = [*Counter(drawn).most_common(1), *sides.items()]
    return next((word for word, count in counts if 2 * count > len(drawn)), UNDECIDED)


def with_draws(findings: Iterable[Finding], tables: Sequence[pd.DataFrame]) -> list[Finding]:
    """Return findings to which their verdicts on further draws of the campaign are added.

    ``tables`` contains the `findings_table` of each draw.
    """
    verdicts = [dict(zip(table["finding"], table["verdict"], strict=True)) for table in tables]
    return [replace(each, drawn=tuple(draw[each.name] for draw in verdicts)) for each in findings]


def _two_digits(number: float) -> str:
    """Format a number, which is rounded upwards to a whole number with two significant digits."""
    unit = 10.0 ** max(0, math.floor(math.log10(max(number, 1))) - 1)
    return f"{math.ceil(number / unit) * unit:,.0f}"


#: `findings_table` has these columns for our numbers, and with the suffix ``_printed`` for printed numbers
_NUMBERS = ["left", "right", "state", "n", "over", "low", "high"]


def _rows(finding: Finding) -> Iterator[dict[str, object]]:
    """Yield a row of `findings_table` for each comparison of a finding; without comparisons, yield one row."""
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
    """Return a table of all comparisons of claims, with the verdicts on our numbers and on the printed numbers.

    ``printed`` has the findings for printed numbers, in the order of ``reproduced``, which has the findings for our
    numbers. These columns describe the claim, and repeat in all its rows:

    - finding, section, claim, computed, decided_by: the fields of `Finding`;
    - verdict, verdict_printed: the verdicts on our numbers and on the printed numbers;
    - readings: the verdict under each reading of the paper, if there are several;
    - needed: the text of `Finding.needed`;
    - here: the verdict on the campaign itself;
    - draws: how many further draws have each verdict, or ``""`` without draws.

    These columns describe the comparison:

    - reading: the reading of the paper to which the comparison belongs;
    - reason: why the comparison cannot fail, or ``""``;
    - comparison, relation: the compared numbers in words, and the sign between them;
    - interval_of: the number that has the interval: ``"left"``, ``"difference"`` (left minus right), or ``""``;
    - influential, without: the run or topic whose removal changes the number most, and the number after this removal;
    - ours: why we chose the threshold, or ``""``;
    - left, right: the compared numbers;
    - state: the verdict on the comparison;
    - n, over: the number of runs or topics, and the word "runs" or "topics";
    - low, high: the limits of the 95 % interval, or NaN.

    The columns from left to high are repeated for the printed numbers, with the suffix ``_printed``. They are NaN if
    the paper prints no number.
    """
    ours, on_print = (
        pd.DataFrame([row for each in findings for row in _rows(each)]) for findings in (reproduced, printed)
    )
    if len(ours) != len(on_print):
        raise ValueError(f"{len(ours)} comparisons here, {len(on_print)} on the printed numbers")
    if ours.empty:
        return ours
    ours.insert(6, "verdict_printed", on_print["verdict"])
    return ours.rename(columns={"name": "finding"}).join(on_print[_NUMBERS].add_suffix("_printed"))


#: numbers that claims compare, by name, such as ``{"runs": 56, "gain[INEX 2002, strict]": 0.01}``
Quantities = Mapping[str, Quantity]

#: values that replace names in braces in the texts of ``publication.yaml``, by name
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
    """Build the full name of a quantity from a name and keys: ``name[key, key]``."""
    return f"{name}[{', '.join(map(str, keys))}]" if keys else name


def _keys_of(quantity: str) -> tuple[str, ...]:
    """Split a quantity's full name, such as ``gain[INEX 2002, strict]``, into its name and its keys."""
    name, _, keys = quantity.removesuffix("]").partition("[")
    return (name, *keys.split(", ")) if keys else (name,)


def evaluate(expression: str, quantities: Quantities) -> Quantity:
    """Compute a formula of named quantities; the result is NaN if a quantity is missing.

    Raises ValueError for a malformed formula.
    """
    return _value(_parsed(expression), quantities)


def _parsed(text: str) -> ast.expr:
    """Parse the text of a formula or an inequality; raise ValueError for any other text."""
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
    """Compute a node of a formula's syntax tree; a quantity with a key ``*`` yields a number for each match."""
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
    """Return whether the name of a quantity, such as ``tau[a, b]``, matches a pattern, such as ``tau[a, *]``.

    A key ``*`` in the pattern matches any key. A pattern without keys matches quantities with any keys.
    """
    parts, keys = _keys_of(pattern), _keys_of(quantity)
    if len(parts) == 1:
        return parts[0] == keys[0]
    return len(keys) == len(parts) and all(key in ("*", own) for key, own in zip(parts, keys, strict=True))


def _sides(text: str) -> tuple[ast.expr, str, ast.expr]:
    """Split the text of an inequality into left side, relation and right side; raise ValueError for any other text."""
    match _parsed(text):
        case ast.Compare(left=left, ops=[relation], comparators=[right]) if type(relation) in _SIGNS:
            return left, _SIGNS[type(relation)], right
    raise ValueError(f"expected two sides with one of {' '.join(_SIGNS.values())} between them: {text}")


def _readable(expected: str, read: Callable[[str], Any]) -> AfterValidator:
    """Return a validator that refuses a text if ``read`` raises ValueError."""

    def checked(text: str) -> str:
        try:
            read(text)
        except ValueError as error:
            raise refused([Problem("", "", str(error), f"expected {expected}")]) from None
        return text

    return AfterValidator(checked)


#: an arithmetic expression of quantities, as text
Expression = Annotated[str, _readable("a number of quantities", lambda text: evaluate(text, {}))]
#: an inequality of two arithmetic expressions, as text
InequalityText = Annotated[
    str,
    _readable("an inequality of quantities", lambda text: [_value(side, {}) for side in _sides(text)[::2]]),
]


class Inequalities(Settings):
    """Inequalities in ``publication.yaml`` that decide a claim, each with a key that describes the compared numbers.

    If inequalities are repeated for lists (``for``), the texts may contain the loop's variables in braces.
    """

    over: dict[str, list[Any] | str] = Field(
        default={},
        alias="for",
        description="lists to go through, by the name of a member in braces, or the names of its parts (`a, b`); of a "
        "list that the code has, its name",
    )
    by_construction: str = Field(default="", description="why the inequalities cannot fail")
    by_construction_if: dict[str, str] = Field(default={})
    """by quantity: why the inequalities cannot fail if the quantity is not 0"""
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
        """Move inequalities to the key ``holds`` if the file has them next to the other keys."""
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
        """Yield the comparisons that the inequalities declare, for each combination of members of the lists in `over`.

        A value of `over` is a list, or the name of a word that is a list, or the name of quantities in ``lists`` whose
        keys are the members. ``printed`` says whether the paper prints the ``quantities``.
        """
        for loop in loops({names: _members(over, words, lists) for names, over in self.over.items()}, words):
            conditions = self.by_construction_if.items()
            why = [text for flag, text in conditions if _true(filled(flag, loop), quantities)]
            reason = " ".join(filter(None, [self.by_construction, *why]))
            n = value_of(evaluate(filled(self.n or "0", loop), quantities))
            excluded = (
                None if self.excludes is None else evaluate(filled(str(self.excludes), loop), quantities)
            )
            for what, inequality in self.holds.items():
                left, relation, right = _sides(filled(inequality, loop))
                sides = _value(left, quantities), relation, _value(right, quantities)
                of_threshold = (self.ours, excluded) if _has_threshold(inequality) else ("", None)
                yield Inequality(
                    *(filled(what, loop), *sides, reason, int(np.nan_to_num(n))),
                    *of_threshold,
                    printed=printed,
                    reading=filled(self.reading, loop),
                )


def _has_threshold(inequality: str) -> bool:
    """Return whether an inequality has a threshold: a factor, or a number other than 0 on one side."""

    def is_number(node: ast.expr) -> bool:
        return all(isinstance(part, ast.Constant | ast.operator | ast.BinOp) for part in ast.walk(node))

    left, _, right = _sides(inequality)
    factors = (
        part
        for side in (left, right)
        for node in ast.walk(side)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)
        for part in (node.left, node.right)
    )
    numbers = [value_of(_value(side, {})) for side in (left, right) if is_number(side)]
    return any(numbers) or any(map(is_number, factors))


def loops(over: Mapping[str, Sequence[Any] | str], words: Words) -> Iterator[dict[str, Any]]:
    """Yield ``words`` together with the loop variables, for every combination of the variables' values.

    ``over`` maps a variable to its values. Under a key ``a, b``, each value is a pair with a value for each variable.
    Instead of values, ``over`` may name a word that is a list, or a part of an outer variable, such as
    ``task[cutoffs]``.
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
    """Return the value of the word ``name``, or of a part of a word, such as ``cutoffs[thorough]``.

    Raises ValueError for an unknown word.
    """
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
    """Replace names in braces in a text by the values of the words with these names.

    Raises ValueError for an unknown word.
    """
    try:
        return text.format_map(words)
    except KeyError as error:
        raise ValueError(f"there is no word {error} for the text: {text}") from None


class Claim(Settings):
    """A claim of a publication in ``publication.yaml``, and the inequalities that decide whether it holds."""

    name: str
    section: str = Field(description="the place of the claim in the publication")
    claim: str = Field(description="the claim, in our words")
    computed: str = Field(description="the computed quantities, and when the claim holds")
    not_testable_if: str = ""
    """a quantity; if it is not 0, the claim cannot be tested"""
    decided_by: str = ""
    """the free property of a synthetic campaign that decides the claim, and its effect"""
    stated: dict[str, Expression] = Field(default={})
    """numbers that do not decide the claim, but that `computed` states, by their names in braces"""
    holds: list[Inequalities]

    def finding(
        self, quantities: Quantities, words: Words, lists: Quantities, *, printed: bool = False
    ) -> Finding:
        """Return the claim as a finding, with its comparisons of the numbers in ``quantities``.

        ``printed`` says whether the paper prints the quantities. Loops may run over the keys of quantities in
        ``lists``.
        """
        if self.not_testable_if and _true(self.not_testable_if, quantities):
            quantities = {}
        comparisons = [
            one for each in self.holds for one in each.comparisons(quantities, words, lists, printed)
        ]
        stated = {name: number(value_of(evaluate(text, quantities)), 1) for name, text in self.stated.items()}
        section, claim, computed, decided_by = (
            filled(text, {**words, **stated})
            for text in (self.section, self.claim, self.computed, self.decided_by)
        )
        return Finding(self.name, section, claim, computed, comparisons, decided_by)

    @property
    def thresholds(self) -> list[tuple[str, str, str]]:
        """Return texts for each threshold of the claim: the bound, its reason, and the contradicting numbers."""
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
    """Concatenate the rows of tables, with only the named ``columns``; without tables, the result is empty."""
    if not tables:
        return pd.DataFrame(columns=columns)
    return pd.concat([table[list(columns)] for table in tables], ignore_index=True)


def rows_of(table: pd.DataFrame, /, **values: object) -> pd.DataFrame:
    """Return the rows of a table whose columns have the values of the keyword arguments."""
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
    """Estimate the mean of numbers over a sample's members, for each combination of values in the columns ``keys``.

    Each quantity has the name ``name`` and these values as keys. ``member`` is the column of the members, and ``value``
    the column of the numbers.
    """
    wide = table.pivot(index=member, columns=list(keys), values=value).reindex(sample.members)
    return {
        named(name, *key): sample.estimate(mean_of(column.to_numpy(float)))
        for key, (_, column) in zip(wide.columns.to_frame().to_numpy(), wide.items(), strict=True)
    }


def facts(table: pd.DataFrame, name: str, keys: Sequence[str], value: str) -> dict[str, float]:
    """Return the numbers in the column ``value`` of a table as quantities without intervals, by name.

    Each quantity has the name ``name`` and the values in the columns ``keys`` as keys.
    """
    rows = table[[*keys, value]].itertuples(index=False, name=None)
    return {named(name, *key): float(number) for *key, number in rows}


def repeated(results: Results, size: int | None) -> pd.DataFrame:
    """Count, for each run, the results that repeat text or a document of an earlier result in their list.

    Only the first ``size`` results of a list count; None counts all. The columns are run, topics, results, overlapping
    and same_document. The last two count results that share text, or a document, with an earlier result.
    """
    totals = {str(run): np.zeros(4, dtype=int) for run in results.runs}
    for each in results.lists():
        first = each.article[:size]
        repeats = overlapping(each)[:size].sum(), len(first) - len(np.unique(first))
        totals[each.run] += (1, len(first), *repeats)
    rows = [(run, *total) for run, total in totals.items()]
    return pd.DataFrame(rows, columns=["run", "topics", "results", "overlapping", "same_document"])
