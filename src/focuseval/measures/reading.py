"""Measures for users who read a list from its beginning and may stop anywhere: after any result, or any unit of text.

Repeated text costs its length again and earns nothing. All values are in [0, 1], and higher is better.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from focuseval.errors import extra
from focuseval.measures import classical, focused
from focuseval.measures.classical import Wanted
from focuseval.measures.declaration import Measure, Parameter
from focuseval.measures.text import RelevantUnits
from focuseval.model.arrays import Floats, Ints
from focuseval.model.intervals import new_stretches
from focuseval.model.results import ResultList


def _stretches(gold: RelevantUnits, results: ResultList) -> tuple[Ints, Ints]:
    """Return the number of units that are read before each sequence of new gold, and the length of the sequence."""
    text = gold.text
    place = results.document, results.start, results.end
    item, start, length = new_stretches(text.document, text.start, text.end, *place)
    read = np.cumsum(results.size) - results.size
    return read[item] + start - results.start[item], length


def trace_u(gold: RelevantUnits, results: ResultList, *, L: float) -> float:
    """Return the U-measure, ``1/|gold| Σ max(0, 1 - pos / L)``. Sakai & Dou (2013).

    The sum is over the units of gold in the list, each at its first occurrence. pos is the number of units read up to
    and including the unit of gold.
    """
    before, length = _stretches(gold, results)
    counted = np.clip(np.floor(L) - before, 0, length)
    return float((counted * (1 - (2 * before + counted + 1) / (2 * L))).sum() / gold.total)


def _decayed(before: Ints, length: Ints, rate: float) -> Floats:
    """Return ``Σ exp(-rate t)`` over the units of each sequence.

    t is the number of units that are read before a unit.
    """
    return np.exp(-rate * before) * np.expm1(-rate * length) / np.expm1(-rate)


def trace_tbg(gold: RelevantUnits, results: ResultList, *, h: float) -> float:
    """Return time-biased gain, ``1/|gold| Σ exp(-t ln 2 / h)``. Smucker & Clarke (2012).

    The sum is over the units of gold in the list, each at its first occurrence. t is the number of units read before
    the unit of gold.
    """
    return float(_decayed(*_stretches(gold, results), np.log(2) / h).sum() / gold.total)


def trace_char_rbp(gold: RelevantUnits, results: ResultList, *, h: float) -> float:
    """Return rank-biased precision of text, ``(1 - p) Σ p^t`` with ``p = 2^(-1/h)``.

    The sum is over the units of gold in the list, each at its first occurrence. t is the number of units read before
    the unit of gold.
    """
    rate = np.log(2) / h
    return float(-np.expm1(-rate) * _decayed(*_stretches(gold, results), rate).sum())


def trace_rbp(wanted: Wanted, results: ResultList, *, p: float) -> float:
    """Return rank-biased precision, ``(1 - p) Σ p^(k-1)`` over the ranks k of relevant items. Moffat & Zobel (2008)."""
    ranks = np.flatnonzero(classical.trace(wanted, results).relevant)
    return float((1 - p) * (p**ranks).sum())


def trace_inst(wanted: Wanted, results: ResultList, *, T: float) -> float:
    """Return INST, ``Σ w(k) r(k) / Σ w(k)`` with ``w(1) = 1`` and ``w(k+1) = C(k) w(k)``.

    r(k) is 1 if item k is relevant, else 0. T is the number of relevant items that a user wants. After item k, the user
    still wants ``T_k = T - Σ_(j<=k) r(j)`` relevant items. The user goes on with the probability
    ``C(k) = ((k + T + T_k - 1) / (k + T + T_k))²``. Items after the last item n of the list are not relevant. Their
    weights add up to ``w(n+1) x² ζ(2, x)`` with ``x = n + T + T_n``. Source: Moffat, Bailey, Scholer & Thomas (2017).
    """
    with extra("full"):
        from scipy.special import zeta

    relevant = classical.trace(wanted, results).relevant
    wanting = np.arange(len(relevant) + 1) + 2 * T - np.append(0, np.cumsum(relevant))
    weight = np.append(1.0, np.cumprod(((wanting[1:] - 1) / wanting[1:]) ** 2))
    beyond = weight[-1] * wanting[-1] ** 2 * zeta(2, wanting[-1])
    return float(weight[:-1][relevant].sum() / (weight[:-1].sum() + beyond))


U: Measure[Any, float] = Measure(
    name="U",
    summary="U-measure: weighted share of gold text; the weight falls from 1 at the start to 0 after L units",
    paper="Sakai & Dou 2013",
    prepare=focused.prepare,
    trace=trace_u,
    value=float,
    parameters=(Parameter("L", 132000.0, "units of text after which gold is worth nothing", low=1.0),),
    needs=frozenset({"highlights"}),
    claims=frozenset({"split", "tail"}),
)
TBG = replace(
    U,
    name="TBG",
    summary="time-biased gain: expected share of the gold text that a user reads before stopping",
    paper="Smucker & Clarke 2012",
    trace=trace_tbg,
    parameters=(Parameter("h", 224.0, "units of text after which half of the users have stopped", low=1.0),),
)
CHAR_RBP = replace(
    TBG,
    name="char_RBP",
    summary="rank-biased precision of text: share of new gold in the text that users read before stopping",
    paper="Moffat & Zobel 2008, applied to units of text",
    trace=trace_char_rbp,
)
RBP = replace(
    U,
    name="RBP",
    summary="rank-biased precision: share of relevant items among those read by users who go on with probability p",
    paper="Moffat & Zobel 2008",
    prepare=classical.prepare,
    trace=trace_rbp,
    parameters=(
        *classical.P.parameters,
        Parameter("p", 0.8, "probability that a user goes on to the next item", high=1.0),
    ),
    needs=classical.P.needs,
    claims=frozenset({"tail"}),
)
INST = replace(
    RBP,
    name="INST",
    summary="share of relevant items among those read by users who want T relevant items",
    paper="Moffat, Bailey, Scholer & Thomas 2017; cwl_eval, INST",
    trace=trace_inst,
    parameters=(
        *classical.P.parameters,
        Parameter("T", 1.0, "number of relevant items that a user wants", low=1.0),
    ),
)

MEASURES = (RBP, INST, CHAR_RBP, TBG, U)
