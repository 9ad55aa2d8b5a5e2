"""Predecessors of EPRUM, as far as later papers define them: PRUM, ERR.units and T2I.rank.

PRUM (Piwowarski, Gallinari & Dupret) and the expected ratio of relevant units (Piwowarski & Gallinari)
are reconstructed from Ali et al. (2008), Section 2, and tolerance to irrelevance (de Vries, Kazai &
Lalmas) from Piwowarski & Dupret (2006), Section 6. docs/measures.md says what was filled in.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from focuseval.measures.declaration import Cutoff, Measure, Parameter
from focuseval.measures.eprum import (
    PARAMETERS,
    RECALL_LEVELS,
    Base,
    Consulted,
    PerRecall,
    base_of,
    consult,
    distribution_at,
    ideal_idealism,
    mixtures,
    recalls,
)
from focuseval.measures.navigation import places_of_results
from focuseval.model.arrays import Bools, Floats
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList
from focuseval.quantisation import QUANTISATIONS
from focuseval.recallbase import full


@dataclass(frozen=True, eq=False)
class Viewing(Consulted):
    """A consulted list, and PRUM's precision on it."""

    @cached_property
    def precision(self) -> list[Floats]:
        """PRUM of each level at recall 1, 2 … as far as the list can lead; beyond that it is 0."""
        if len(self.found.times) == 0:
            return [np.zeros(0)] * len(self.base.sizes)
        consulted, barren = self._ranks_below(), self._barren_below()
        reached = distribution_at(self.found, self.base.sizes, self.found.ranks)
        result: list[Floats] = []
        for i, (begin, length) in enumerate(zip(reached.begin, reached.length, strict=True)):
            if i and begin == reached.begin[i - 1]:
                result.append(result[-1])
                continue
            part = slice(begin, begin + length)
            changing, every, without = (np.cumsum(m.value[part])[:-1] for m in (*consulted, barren))
            achieved = np.cumsum(reached.value[part][::-1])[::-1][1:]
            result.append(achieved * (changing - without) / every)
        return result

    def _ranks_below(self) -> tuple[PerRecall, PerRecall]:
        """By f, the sum of P(F_(k-1) = f) over the ranks k that change anything, and over all ranks."""
        times = self.found.times
        changing = np.append(np.ones(len(times) - 1), 0.0)
        every = np.diff(times, append=self.found.ranks).astype(float)
        counted = []
        for weight, before_first in ((changing, 1), (every, times[0])):
            mixed = mixtures(self.found, self.base.sizes, weight)
            mixed.value[np.unique(mixed.begin)] += before_first
            counted.append(mixed)
        return counted[0], counted[1]

    def _barren_below(self) -> PerRecall:
        """By f, the sum over ranks k that change anything of P(F_(k-1) = f, nothing is discovered at k).

        An element that rank k may lead to was seen before, or is still not seen after: the factor
        ``unseen_k + seen_(k-1) z``. Others keep their factors, so that this is a product as well.
        """
        from focuseval.measures import poisson_binomial

        found = self.found
        on = found.first + 1 < found.last
        element = np.concatenate([found.element, found.element[on]])
        first = np.concatenate([found.first, found.first[on] + 1])
        last = np.concatenate([found.first + 1, found.last[on]])
        p = np.concatenate([found.before, found.seen[on]])
        q = np.concatenate([found.unseen, found.unseen[on]])
        weight = np.ones(len(found.times))
        return PerRecall(*poisson_binomial.mixtures(self.base.sizes, element, first, last, p, q, weight))


def prum_prepare(
    topic: Topic, *, navigation: str, quantisation: str, ideal: str, ranks: str, **settings: Any
) -> Base | None:
    """The ideal elements with their idealism, or None if there are none."""
    rows, idealism = ideal_idealism(topic, quantisation, ideal)
    return base_of(topic, rows, idealism, navigation, **settings) if len(rows) else None


def prum_trace(base: Base, results: ResultList, *, ranks: str, **others: Any) -> Viewing:
    """How a run's list leads to the ideal elements of a topic."""
    return Viewing(base, consult(base, results, ranks))


def prum_value(run: Viewing, cutoff: float | None) -> float:
    """P(a consulted rank shows a new ideal element | the user wants r of them), at one recall or averaged.

    Of the ranks that a user consults who wants r ideal elements, the expected share that leads to a
    new one; times the probability that the list leads to r. In [0, 1], higher is better.
    """
    base = run.base
    if cutoff is None:
        means = [precision.sum() / size for precision, size in zip(run.precision, base.sizes, strict=True)]
        return float(base.weight @ np.array(means))
    wanted = recalls(base, cutoff)
    found = [p[r - 1] if r <= len(p) else 0.0 for p, r in zip(run.precision, wanted, strict=True)]
    return float(base.weight @ np.array(found))


def units_prepare(
    topic: Topic, *, navigation: str, quantisation: str, ranks: str, **settings: Any
) -> Base | None:
    """All relevant elements, nested ones as well, with P(relevant); None if there are none."""
    rows, score = full(topic, quantisation)
    if len(rows) == 0:
        return None
    return base_of(topic, rows, score / QUANTISATIONS[quantisation].maximum, navigation, **settings)


def units_value(run: Consulted, cutoff: float | None) -> float:
    """Expected number of relevant elements seen by rank k, over that of a user who sees the whole collection.

    The sum over relevant elements x of P(x relevant) P(x in S_k), over the sum of P(x relevant); the
    whole list without a cut-off. In [0, 1], higher is better.
    """
    early = run.found.rank <= (run.found.ranks if cutoff is None else cutoff)
    worth = run.base.idealism
    return float(worth[run.found.element[early]] @ run.found.rise[early] / worth.sum())


def units_trace(base: Base, results: ResultList, *, ranks: str, **others: Any) -> Consulted:
    """How a run's list leads to the relevant elements of a topic."""
    return Consulted(base, consult(base, results, ranks))


@dataclass(frozen=True, eq=False)
class Hits:
    """Which results of a list lead to relevant text, and how many ideal elements there are."""

    hit: Bools  #: (K,)
    count: int


def t2i_prepare(topic: Topic, *, quantisation: str, ideal: str, tolerance: float) -> Base | None:
    """The ideal elements, or None if there are none."""
    rows, idealism = ideal_idealism(topic, quantisation, ideal)
    if len(rows) == 0:
        return None
    return base_of(topic, rows, idealism, "tolerance-to-irrelevance", tolerance=tolerance)


def t2i_trace(base: Base, results: ResultList, **settings: Any) -> Hits:
    """A result is a hit if an ideal element begins before the user's tolerance is used up."""
    hit = np.zeros(len(results), dtype=bool)
    hit[base.links(places_of_results(results)).result] = True
    return Hits(hit & ~results.repeats, len(base.idealism))


def t2i_value(run: Hits, cutoff: float | None) -> float:
    """Average precision of the hits over the number of ideal elements, or their share of the first k results.

    A hit counts even if an earlier one led to the same ideal element: not bounded by 1 (Section 6 of
    Piwowarski & Dupret 2006 names this inconsistency). Higher is better.
    """
    if cutoff is not None:
        return float(run.hit[: int(cutoff)].sum() / cutoff)
    ranks = np.flatnonzero(run.hit) + 1
    return float((np.arange(1, len(ranks) + 1) / ranks).sum() / run.count)


def _those(*names: str) -> tuple[Parameter, ...]:
    return tuple(parameter for parameter in PARAMETERS if parameter.name in names)


PRUM = Measure(
    name="PRUM",
    summary="precision-recall with user modelling (reconstructed), average precision; @x: at recall x",
    paper="Piwowarski, Gallinari & Dupret 2007, after Ali et al. 2008, Section 2",
    prepare=prum_prepare,
    trace=prum_trace,
    value=prum_value,
    parameters=_those("navigation", "quantisation", "ideal", "theta", "tolerance", "file", "ranks"),
    cutoff=Cutoff("level", "recall", curve=RECALL_LEVELS),
    needs=frozenset({"judgements", "tree"}),
)

UNITS = Measure(
    name="ERR.units",
    summary="expected ratio of relevant units seen (reconstructed); @k: by rank k",
    paper="Piwowarski & Gallinari 2003, after Ali et al. 2008, Section 2",
    prepare=units_prepare,
    trace=units_trace,
    value=units_value,
    parameters=_those("navigation", "quantisation", "theta", "tolerance", "file", "ranks"),
    cutoff=Cutoff("rank", "rank"),
    needs=frozenset({"judgements"}),
)

T2I_RANK = Measure(
    name="T2I.rank",
    summary="tolerance to irrelevance (reconstructed), average precision of entry points; @k: at rank k",
    paper="de Vries, Kazai & Lalmas 2004, after Piwowarski & Dupret 2006, Section 6",
    prepare=t2i_prepare,
    trace=t2i_trace,
    value=t2i_value,
    parameters=_those("quantisation", "ideal", "tolerance"),
    cutoff=Cutoff("rank", "rank"),
    needs=frozenset({"judgements", "tree"}),
    bounds=(0.0, float("inf")),
)

MEASURES = (PRUM, UNITS, T2I_RANK)
