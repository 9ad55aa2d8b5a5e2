"""The declaration of a measure, and the parsing and formatting of its name.

A measure has three steps. Each step is a pure function of the previous step's result and of parameters:

``prepare(topic, *, …)``
    the topic's base (such as a recall-base or ideal gains), or None if nothing is relevant
``trace(base, results, *, …)``
    the trace of a list: numbers along its ranks, such as a curve or gains
``value(trace)``
    the value of the whole list; ``at(trace, cutoffs)`` of a `Cutoff` returns the values at cut-offs

A measure that is a ratio of counts has a ``pool``. Its ``value`` returns the four numbers `COUNTS`, and its ``at``
returns four numbers for each cut-off. ``pool`` computes the measure from the counts of one topic, or from sums over
topics.

The keyword-only arguments of a step are the parameters that it uses. `focuseval.scoring.score` runs a step once for all
measures that share it.
"""

import inspect
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from focuseval.errors import InputError, listed, meant, nearest
from focuseval.files import is_utf8
from focuseval.model.alternatives import best_values
from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Words
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList, Results
from focuseval.numerals import real


def _either_way(name: str, cutoff: str = "") -> str:
    """Return a hint that names two variants of a measure: one that counts results, and one that counts documents."""
    return f"'{name}(relevant=touches){cutoff}' (for results) or '{name}{cutoff}' (for documents)"


#: suggestions for other tools' names, in lower case without punctuation; "" if focuseval has no such measure
_HERE = {
    **dict.fromkeys(("hit", "hits", "hitrate"), _either_way("Success", "@5")),
    **dict.fromkeys(("precision", "prec"), f"'char_precision' (for text), {_either_way('P', '@5')}"),
    "recall": f"'char_recall' (for text), {_either_way('Recall', '@5')}",
    **dict.fromkeys(("map", "averageprecision"), _either_way("AP")),
    **dict.fromkeys(("mrr", "meanreciprocalrank", "reciprocalrank", "reciprank"), _either_way("RR")),
    **dict.fromkeys(
        ("f1", "fscore", "fmeasure"), "'char_F1' or 'word_F1' (for text) or 'span_F1' (for whole spans)"
    ),
    **dict.fromkeys(
        ("srecall", "irec", "strec", "subtopicrecall", "aspectrecall"), "'StRecall' (for aspects)"
    ),
    **dict.fromkeys(("umeasure", "timebiasedgain"), "'U' or 'TBG'"),
    "contextprecision": "'AP(relevant=touches)' (for results) or 'char_precision' (for text), which need gold",
    "contextrecall": "'char_recall' (for text) or 'gold_coverage' (for whole spans), which need gold",
    **dict.fromkeys(("tokeniou", "jaccard"), "'IoU' (for characters)"),
    **dict.fromkeys(("dcg", "infap"), ""),
}

#: maps names of measures in ranx, ir_measures and trec_eval to the names in focuseval
_SAME = {
    **dict.fromkeys(("map", "map_cut"), "AP"),
    **dict.fromkeys(("MRR", "mrr", "recip_rank"), "RR"),
    **dict.fromkeys(("hit_rate", "HitRate", "success"), "Success"),
    **dict.fromkeys(("ndcg", "NDCG", "ndcg_cut"), "nDCG"),
    **{"r_precision": "Rprec", "RPrec": "Rprec", "rbp": "RBP", "err": "ERR"},
    **{"num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet"},
}
#: matches trec_eval's names with a cut-off, such as ``P_10`` and ``ndcg_cut.10``
_WITH_CUTOFF = re.compile(r"(P|recall|map_cut|ndcg_cut|success)[_.]([0-9]+)")


def translate_name(name: str, cutoff: str | None) -> tuple[str, str | None]:
    """Translate another program's name of a measure into focuseval's name and cut-off.

    All other names are returned unchanged.
    """
    if cutoff is None and (match := _WITH_CUTOFF.fullmatch(name)):
        name, cutoff = match.groups()
        return {**_SAME, "recall": "Recall"}.get(name, name), cutoff
    if name == "R" and cutoff is not None:  # Without a cut-off, R is Sakai's R-measure, not recall.
        return "Recall", cutoff
    return _SAME.get(name, name), cutoff


def measure_meant(name: str, names: Iterable[str]) -> str:
    """Return a suggestion for a measure's name that is misspelt or from another tool; "" if there is none.

    The name may include a rank, as in ``ndcg_cut_10`` and ``recall_at_5``.
    """
    bare = re.sub(r"(_cut|_at)?[_.]([0-9]+|k)$", "", name)
    here = _HERE.get(re.sub(r"[\W_]", "", bare).casefold())
    if here is None:
        return meant(bare, names)
    return f"did you mean {here}? " if here else ""


Value = str | float

Base = TypeVar("Base")
Trace = TypeVar("Trace")

#: ways to average over topics: the mean of the topics' values, or the value of their summed counts
MACRO, MICRO = AVERAGES = ("macro", "micro")

#: the remark on measures with the average `MICRO`
POOLED = "counts are added up over topics, so that the value is not a mean"

_AVERAGED = "macro: mean over topics; micro: computed from the summed counts of all topics"

#: the four counts of a list: right results, all results, gold found, and all gold
COUNTS = ("right", "returned", "found", "relevant")

#: choices for topics without gold: count them, score them 1 if nothing was returned, or leave them out
COUNTED, PERFECT, LEFT_OUT = "counted", "perfect", "left-out"

#: properties that a measure can claim; they must hold for all parameters and cut-offs
CLAIMS = {
    "ties": "the order of tied results does not change the value",
    "split": "splitting a passage into consecutive results does not change the value",
    "tail": "appending results from documents without relevant content to the list does not change the value",
}

#: maximum of parameters without a declared maximum; larger than any text, and with a finite square
LARGEST = 1e9

#: maximum rank of a cut-off; no run is longer
LARGEST_RANK = 10**6


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure: one of ``choices``, a number in ``[low, high]``, or a text that ``reader`` accepts."""

    name: str
    default: Value
    summary: str
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = LARGEST
    #: choices that require results to be elements
    element_choices: tuple[str, ...] = ()
    #: choices that require highlighted text as gold
    highlight_choices: tuple[str, ...] = ()
    #: choices with which results of equal rank are read together
    tie_choices: tuple[str, ...] = ()
    #: choices that count documents instead of results
    document_choices: tuple[str, ...] = ()
    #: choices that let values exceed the upper bound
    unbounded_choices: tuple[str, ...] = ()
    #: converts text to a value, such as the file with this name; the second argument is the text's source, for messages
    reader: Callable[[str, str], str] | None = None
    hint: str = ""  #: explains in a message why other choices are rejected

    def in_words(self) -> str:
        """Return the default, the possible values and the summary, as a description for a terminal."""
        values = "|".join(self.choices) or ("text" if self.reader else f"{self.low:g} to {self.high:g}")
        return f"{self.name}={format_value(self.default)}  ({values}) {self.summary}"

    def read(self, text: str, source: str) -> Value:
        """Convert a text to a value of the parameter.

        Raises InputError for invalid text. The message names the ``source`` of the text.
        """
        if self.reader is not None:
            return self.reader(text, source)
        if self.choices:
            if text in self.choices:
                return text
            # Users may write a choice in its long form, such as ``generalised`` for ``gen``.
            short = [choice for choice in self.choices if text.startswith(choice)]
            expected = f"{meant(short[-1] if short else text, self.choices)}expected one of {', '.join(self.choices)}"
            expected += f" ({self.hint})" if self.hint else ""
            raise InputError.of(source, f"the parameter {self.name!r} is {text!r}", expected)
        try:
            number = real(text)
        except ValueError:
            number = math.nan
        if not self.low <= number <= self.high:
            expected = f"expected a number from {format_value(self.low)} to {format_value(self.high)}"
            raise InputError.of(source, f"the parameter {self.name!r} is {text!r}", expected)
        return number


@dataclass(frozen=True)
class CutoffKind:
    """A kind of cut-off, such as a rank or a budget.

    A cut-off is the text after the ``@`` in a measure's name.
    """

    name: str  #: the name of the kind in messages and tables
    form: str  #: the text that follows ``@`` in lists of measures
    expected: str  #: describes in messages which texts are accepted
    #: converts a text to a number, or to None if the text is no cut-off of this kind
    read: Callable[[str], float | None]
    write: Callable[[Any], str]  #: converts a number to the text that `read` accepts


def _read_rank(text: str) -> int | None:
    number = int(text) if re.fullmatch(r"0*[1-9][0-9]{0,8}", text) else None
    return number if number is not None and number <= LARGEST_RANK else None


def _read_level(text: str) -> float | None:
    try:
        number = real(text)
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def format_value(value: Value) -> str:
    """Format a parameter's value so that it can be parsed again, such as ``gen``, ``1`` or ``0.25``."""
    if isinstance(value, str):
        return value
    short = f"{value:.15g}"
    return short if float(short) == value else repr(float(value))


#: a cut-off at a rank, which is an integer from 1
RANK = CutoffKind("rank", "rank", f"a rank from 1 to {LARGEST_RANK}", _read_rank, format_value)

#: a cut-off at a level of recall, which is a float in [0, 1]
LEVEL = CutoffKind("level", "level", "a level from 0 to 1", _read_level, format_value)

#: a cut-off at a level of recall for measures that also have cut-offs at ranks: ``@1.0`` is a level, ``@1`` a rank
POINTED_LEVEL = CutoffKind(
    "level",
    "level",
    "a level from 0.0 to 1.0, with a decimal point",
    lambda text: _read_level(text) if "." in text or _read_level(text) != 1 else None,
    lambda number: "1.0" if number == 1 else format_value(number),
)

#: a cut-off at a minimum share, which is a float in (0, 1]
SHARE = CutoffKind(
    "share", "share", "a share above 0 and at most 1", lambda text: _read_level(text) or None, format_value
)


def _budget(name: str, letter: str) -> CutoffKind:
    """Declare the reading budgets in one unit. For ``2000c``, ``name`` is "characters" and ``letter`` is "c"."""
    form = re.compile(rf"0*([1-9][0-9]{{0,8}}){letter}")

    def read(text: str) -> int | None:
        match = form.fullmatch(text)
        return None if match is None else int(match[1])

    return CutoffKind(
        name,
        f"2000{letter}",
        f"a budget of {name} (2000{letter})",
        read,
        lambda number: f"{number:.0f}{letter}",
    )


#: the kinds of reading budgets; a budget is an integer from 1
BUDGETS = CHARACTERS, WORDS, LINES, TOKENS = (
    *(_budget("characters", "c"), _budget("words", "w"), _budget("lines", "l"), _budget("tokens", "t")),
)


def start_and_cost(results: ResultList | Results, kind: CutoffKind, words: Words | None) -> tuple[Ints, Ints]:
    """Return the start of each result and its cost of reading, in the unit of the budget ``kind``.

    Budgets in words and tokens require ``words``. For tokens, starts are in characters, because each result is
    tokenised separately.
    """
    if kind is WORDS:
        assert words is not None  # Budgets of words require texts.
        start, end = words.touched(results.document, results.start, results.end)
        return start, end - start
    if kind is TOKENS:
        assert words is not None  # Budgets of tokens require texts.
        return results.start, words.tokens(results.document, results.start, results.end)
    return results.start, results.end - results.start


@dataclass(frozen=True)
class Cutoff(Generic[Trace]):
    """A kind of cut-off that a measure has, with the function that computes the measure's values at such cut-offs."""

    kind: CutoffKind
    summary: str
    #: returns the values of a trace at cut-offs, which are integers for ranks and budgets, else floats
    at: Callable[..., Floats]
    curve: tuple[float, ...] = ()  #: the cut-offs to which ``@curve`` expands
    needs: frozenset[str] = frozenset()  #: additional requirements of the measure at these cut-offs


#: a value that exceeds a bound by at most this amount is a rounding error
ROUNDING = 1e-9


class Drawn(NamedTuple):
    """The standard error of a mean over random orders of tied results, and the number of these orders."""

    orders: int  #: number of random orders
    standard_error: float  #: standard error of the mean value over these orders


@cache
def parameters_of(step: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the parameters that a step of a measure uses, which are its keyword-only arguments.

    Raises TypeError if the step accepts ``*args`` or ``**kwargs``, which would hide misspelt names.
    """
    arguments = inspect.signature(step).parameters.values()
    if any(a.kind in (a.VAR_POSITIONAL, a.VAR_KEYWORD) for a in arguments):
        raise TypeError(f"{step} takes any arguments: parameters must be named")
    return tuple(a.name for a in arguments if a.kind == a.KEYWORD_ONLY)


def select_parameters(step: Callable[..., Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Select those ``parameters`` that a step of a measure uses."""
    return {name: parameters[name] for name in parameters_of(step) if name in parameters}


def format_name(name: str, parameters: Sequence[Parameter], values: Mapping[str, Value]) -> str:
    """Return a measure's name with the parameters that are not defaults, such as ``nxCG(quantisation=strict)``."""
    changed = [f"{p.name}={format_value(values[p.name])}" for p in parameters if values[p.name] != p.default]
    return f"{name}({','.join(changed)})" if changed else name


class Call(NamedTuple):
    """A step of a measure, such as ``prepare``, with the values of its parameters.

    Equal calls share one result.
    """

    step: Callable[..., Any]
    parameters: tuple[tuple[str, Value], ...]

    @classmethod
    def of(cls, step: Callable[..., Any], parameters: Mapping[str, Value]) -> "Call":
        """Create a call of a step with those ``parameters`` that the step uses."""
        return cls(step, tuple(select_parameters(step, parameters).items()))

    def __call__(self, *before: Any) -> Any:
        """Call the step with the results of the previous steps."""
        return self.step(*before, **dict(self.parameters))


@dataclass(frozen=True)
class Measure(Generic[Base, Trace]):
    """The declaration of a measure, for the command line, the workflow and the report.

    A measure that is a ratio of counts (``pool``) also has the parameter ``average``. Raises TypeError if the
    declaration contradicts itself, for example if a step uses an undeclared parameter.
    """

    name: str
    summary: str
    paper: str
    prepare: Callable[..., Base | None]
    trace: Callable[..., Trace]
    value: Callable[[Trace], Any] | None = None  #: None if the measure requires a cut-off
    parameters: tuple[Parameter, ...] = ()
    #: the kinds of cut-offs that the measure has
    cutoffs: tuple[Cutoff[Trace], ...] = ()
    #: one of `AVERAGES`; with a ``pool``, the default of the parameter ``average``
    average: str = MACRO
    #: computes values from `COUNTS`, which are on the last axis; None if the steps return values
    pool: Callable[[Floats], Floats] | None = None
    #: requirements: "judgements", "highlights", "spans" (passages that may overlap), "aspects", "texts" (of documents,
    #: in characters), "characters" and "lines" (the unit), "tokenizer", "entry points", "tree" (nesting), "sizes",
    #: "elements" (as results), "articles" (with relevant content), "collection" (all elements of all documents)
    needs: frozenset[str] = field(default_factory=frozenset)
    #: returns the error (`Drawn`) of a value that is averaged over random orders of tied results, else None
    drawn: Callable[[Trace], Drawn | None] | None = None
    #: whether results of equal rank are read together
    reads_ties: bool = False
    #: notice on how values change if they are computed without a collection
    without_collection: str = ""
    #: name of the rule in `focuseval.measures.rules` that runs must obey; "" if there is none
    rule: str = ""
    bounds: tuple[float, float] = (0.0, 1.0)
    higher_is_better: bool = True
    #: the `CLAIMS` that hold for the measure
    claims: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        declared = {parameter.name for parameter in self.parameters}
        read_by_steps = {*parameters_of(self.prepare), *parameters_of(self.trace)}
        read_by_steps |= {name for cutoff in self.cutoffs for name in parameters_of(cutoff.at)} & declared
        if self.pool is not None:
            averaged = Parameter("average", self.average, _AVERAGED, AVERAGES)
            further = (p for p in self.parameters if p.name != averaged.name)
            object.__setattr__(self, "parameters", (averaged, *further))
            declared.discard(averaged.name)
        wrong = [
            (read_by_steps - declared, "named by a step and not declared"),
            (declared - read_by_steps, "declared and named by no step"),
            (self.claims - set(CLAIMS), f"none of the claims {', '.join(CLAIMS)}"),
            ({self.average} - set(AVERAGES), f"none of the averages {', '.join(AVERAGES)}"),
            ({self.average} & {MICRO} if self.pool is None else set(), "needs a pool"),
            (
                set()
                if self.higher_is_better
                else {PERFECT} & {c for p in self.parameters for c in p.choices},
                "not a choice if lower is better",
            ),
        ]
        problems = [f"{', '.join(sorted(names))}: {what}" for names, what in wrong if names]
        if self.value is None and not self.cutoffs:
            problems.append("neither a value nor a cut-off")
        if problems:
            raise TypeError(f"measure {self.name}: {'; '.join(problems)}")

    def bounds_of(self, values: Mapping[str, Value]) -> tuple[float, float]:
        """Return the lowest and the highest possible value of the measure with these parameters."""
        exceeds = any(values.get(p.name, p.default) in p.unbounded_choices for p in self.parameters)
        return self.bounds[0], float("inf") if exceeds else self.bounds[1]

    @property
    def range(self) -> str:
        """The bounds in words, such as ``0 to 1``, ``from 0``, or ``0 to 1; can exceed 1 with counting=summed``."""
        low, high = self.bounds
        bounds = f"from {low:g}" if high == float("inf") else f"{low:g} to {high:g}"
        exceeding = ", ".join(f"{p.name}={choice}" for p in self.parameters for choice in p.unbounded_choices)
        return f"{bounds}; can exceed {high:g} with {exceeding}" if exceeding else bounds

    def takes_passages(self, values: Mapping[str, Value]) -> bool:
        """Return whether the measure accepts results that are passages but not elements."""
        limited = any(values.get(p.name, p.default) in p.element_choices for p in self.parameters)
        return "elements" not in self.needs and not limited


#: a measure whose steps return values of any type
AnyMeasure = Measure[Any, Any]


def within_bounds(numbers: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """Set each number that exceeds a bound by at most `ROUNDING` to this bound."""
    bound = np.clip(numbers, low, high)
    return np.where(np.abs(numbers - bound) <= ROUNDING, bound, numbers)


@dataclass(frozen=True)
class Spec(Generic[Base, Trace]):
    """A measure with parameters and a cut-off, such as ``nxCG(quantisation=gen,alpha=1)@25``."""

    measure: Measure[Base, Trace]
    parameters: Mapping[str, Value]
    cutoff: float | None
    asked: str  #: the name as the user wrote it
    declared_cutoff: Cutoff[Trace] | None = None  #: the measure's declaration of this kind of cut-off

    @cached_property
    def needs(self) -> frozenset[str]:
        """The inputs that the measure requires with these parameters and this cut-off, such as "sizes"."""
        chosen = [(p, self.parameters[p.name]) for p in self.measure.parameters]
        needs = self.measure.needs | (
            frozenset() if self.declared_cutoff is None else self.declared_cutoff.needs
        )
        if any(value in p.highlight_choices for p, value in chosen):
            needs |= {"highlights", "spans"}
        if any(p.reader is not None and value for p, value in chosen):
            needs |= {"collection"}  # A file or an expression may refer to any element.
        return needs

    @cached_property
    def counts_documents(self) -> bool:
        """Whether the measure counts documents by default, because the user chose neither documents nor results."""
        return any(
            self.parameters[p.name] in p.document_choices and p.name not in self.asked
            for p in self.measure.parameters
        )

    @property
    def reads_ties(self) -> bool:
        """Whether the measure treats all results of equal rank as one step."""
        chosen = (self.parameters[p.name] in p.tie_choices for p in self.measure.parameters)
        return self.measure.reads_ties or any(chosen)

    @property
    def pooled(self) -> bool:
        """Whether counts are summed over topics before the value is computed."""
        return self.parameters.get("average") == MICRO

    @property
    def remarks(self) -> list[str]:
        """Remarks for tables and reports that help to interpret the values."""
        remarks = [POOLED] if self.pooled else []
        high = self.measure.bounds[1]
        if self.measure.bounds_of(self.parameters)[1] > high:
            remarks.append(f"text in several results counts each time, so that values can exceed {high:g}")
        return remarks

    def number_of(self, counts: Floats) -> Floats:
        """Return the values of a measure that is a ratio of the four `COUNTS` (last axis of ``counts``)."""
        assert self.measure.pool is not None
        numbers = self.within_bounds(self.measure.pool(counts))
        if self.parameters.get("without_gold") != PERFECT:
            return numbers
        return np.where((counts[..., 1] == 0) & (counts[..., 3] == 0), 1.0, numbers)

    def within_bounds(self, numbers: Floats) -> Floats:
        """Correct numbers that exceed the measure's bounds through rounding."""
        return within_bounds(numbers, *self.measure.bounds_of(self.parameters))

    @property
    def sign(self) -> int:
        """1 if higher values of the measure are better, -1 if lower values are better."""
        return 1 if self.measure.higher_is_better else -1

    @cached_property
    def name(self) -> str:
        """The shortest name, which includes only the parameters that differ from their defaults."""
        cutoff = "" if self.declared_cutoff is None else f"@{self.declared_cutoff.kind.write(self.cutoff)}"
        return format_name(self.measure.name, self.measure.parameters, self.parameters) + cutoff

    @property
    def label(self) -> str:
        """A readable name, such as ``inex2003@0.1 (variant s, quantisation generalised)``."""
        name, inside, cutoff = parts_of(self.name)
        parameters = inside and f" ({inside.replace('=', ' ').replace(',', ', ')})"
        return name + (f"@{cutoff}" if cutoff else "") + (parameters or "")

    @property
    def title(self) -> str:
        """A readable name with a summary, such as ``AiP: average interpolated precision``."""
        return f"{self.label}: {re.split('[:;]|, @', self.measure.summary)[0]}"

    @property
    def settings(self) -> str:
        """The values of all parameters, including defaults, as JSON with sorted keys."""
        return json.dumps(dict(self.parameters), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def prepare(self, topic: Topic) -> Base | None:
        """Return the base of a topic, such as its recall-base, or None if nothing is relevant."""
        return self.measure.prepare(topic, **select_parameters(self.measure.prepare, self.parameters))

    def trace(self, base: Base, results: ResultList) -> Trace:
        """Return the trace of a result list, such as a curve along its ranks."""
        return self.measure.trace(base, results, **select_parameters(self.measure.trace, self.parameters))

    def value(self, topic: Topic, results: ResultList) -> float | None:
        """Return the value of one result list, or None if nothing is relevant to its topic.

        If the gold contains alternatives, the choice with the best value counts (`focuseval.model.alternatives`).
        """

        def read(chosen: Topic) -> Floats:
            base = self.prepare(chosen)
            return np.array([[np.nan if base is None else self.read(self.trace(base, results))]])

        number = float(best_values(topic, read, np.array([self.sign]))[0, 0])
        return None if np.isnan(number) else number

    def read(self, trace: Trace) -> float:
        """Compute the value of a list from its trace, at the cut-off or for the whole list."""
        if self.declared_cutoff is not None:
            at = self.declared_cutoff.at
            value = at(trace, np.array([self.cutoff]), **select_parameters(at, self.parameters))[0]
        else:
            assert self.measure.value is not None  # The parser refuses names without a required cut-off.
            value = self.measure.value(trace)
        value = np.asarray(value)
        return float(self.within_bounds(value) if self.measure.pool is None else self.number_of(value))


def any_text(text: str, source: str) -> str:
    """Return the text unchanged: the ``reader`` of parameters that accept any text."""
    return text


def existing_file(text: str, source: str) -> str:
    """Return the path unchanged: the ``reader`` of parameters for files.

    Raises InputError if the file does not exist.
    """
    if not Path(text).is_file():
        expected = "expected an existing file without commas in its name"
        raise InputError.of(source, f"the file {text!r} does not exist", expected)
    return text


_SPEC = re.compile(r"\s*([^\s(@]+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S+))?\s*")


class Written(NamedTuple):
    """The parts of a measure's name: the measure, the text in parentheses, and the cut-off."""

    measure: str
    inside: str | None  #: the text in parentheses
    cutoff: str | None

    @property
    def uncut(self) -> str:
        """The measure's name without the cut-off, which is the same for all points of a curve."""
        return self.measure if self.inside is None else f"{self.measure}({self.inside})"


def parts_of(text: str, source: str = "measure") -> Written:
    """Split a measure's name into its parts, and translate the names of other programs.

    Raises InputError for invalid syntax.
    """
    parts = _SPEC.fullmatch(text) if isinstance(text, str) else None
    if parts is None or not is_utf8(text):
        expected = "expected NAME, NAME(parameter=value,...) or NAME(...)@cutoff"
        raise InputError.of(source, f"the name is {text!r}", expected)
    name, inside, cutoff = parts.groups()
    name, cutoff = translate_name(name, cutoff)
    return Written(name, inside, cutoff)


def read_parameters(
    name: str, parameters: Sequence[Parameter], inside: str | None, text: str, source: str
) -> dict[str, Value]:
    """Return the value of each parameter, from the text ``inside`` the parentheses or else from the default.

    Raises InputError for an unknown or repeated parameter and for an invalid value. Messages quote the whole ``text``.
    """
    values: dict[str, Value] = {p.name: p.default for p in parameters}
    declared = {p.name: p for p in parameters}
    set_here: set[str] = set()
    for setting in filter(None, (piece.strip() for piece in (inside or "").split(","))):
        key, _, value = (piece.strip() for piece in setting.partition("="))
        if key not in declared:
            one_of = "expected one of" if len(declared) > 1 else "expected"
            wanted = f"{one_of} {', '.join(declared)}" if declared else f"{name} has no parameters"
            wanted = meant(key, declared) + wanted
            raise InputError.of(source, f"the parameter {key!r} of {text!r} is unknown", wanted)
        if key in set_here:
            raise InputError.of(source, f"the parameter {key!r} occurs twice in {text!r}", "write it once")
        set_here.add(key)
        values[key] = declared[key].read(value, source)
    return values


def measure_named(name: str, measures: Mapping[str, AnyMeasure]) -> AnyMeasure:
    """Return the measure of this name.

    If there is none, raises InputError with the five most similar names.
    """
    if name not in measures:
        near = ", ".join(nearest(name, measures, 5))
        all_of_them = "to list all measures, run focuseval measures"
        expected = f"{measure_meant(name, measures)}expected a measure such as {near}; {all_of_them}"
        raise InputError.of("measure", f"the measure {name!r} is unknown", expected)
    return measures[name]


def parse_specs(text: str, measures: Mapping[str, AnyMeasure]) -> list[Spec[Any, Any]]:
    """Parse a measure's name into one spec or, for ``@curve``, into one spec for each point of the curve.

    Raises InputError for an unknown measure, parameter, value or cut-off. The message lists known names.
    """
    source = "measure"
    name, inside, depth = parts_of(text, source)
    measure = measure_named(name, measures)
    values = read_parameters(name, measure.parameters, inside, text, source)
    if not measure.higher_is_better and values.get("average") == MACRO and "without_gold" in values:
        values["without_gold"] = LEFT_OUT  # Without gold, 0 / 0 would count as 0, the best value.
    if depth is None:
        if measure.value is None:
            kinds = " or ".join(cutoff.kind.name.upper() for cutoff in measure.cutoffs)
            raise InputError.of(source, f"{text!r} needs a cut-off", f"write {text}@{kinds}")
        return [Spec(measure, values, None, text.strip())]
    if not measure.cutoffs:
        raise InputError.of(source, f"{name!r} does not take a cut-off", f"leave @{depth} out")
    if depth == "curve" and (drawn := next((cutoff for cutoff in measure.cutoffs if cutoff.curve), None)):
        stem = text[: text.rindex("@")].strip()
        return [Spec(measure, values, x, f"{stem}@{drawn.kind.write(x)}", drawn) for x in drawn.curve]
    for cutoff in measure.cutoffs:
        if (number := cutoff.kind.read(depth)) is not None:
            return [Spec(measure, values, number, text.strip(), cutoff)]
    wanted = listed([cutoff.kind.expected for cutoff in measure.cutoffs], last=" or ")
    if misplaced := re.fullmatch(r"([^(]+)(\(.*\))", depth):
        example = f", as in {name}{misplaced[2]}@{misplaced[1]}" if inside is None else ""
        wanted = f"all parameters before the @{example}"
    raise InputError.of(source, f"the cut-off of {name!r} is {depth!r}", f"expected {wanted}")
