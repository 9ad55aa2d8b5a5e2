"""Predecessors of EPRUM, as far as later papers define them: PRUM, ERR.units and T2I.rank.

PRUM (Piwowarski, Gallinari & Dupret) and the expected ratio of relevant units (Piwowarski & Gallinari)
are reconstructed from Ali et al. (2008), Section 2, and tolerance to irrelevance (de Vries, Kazai &
Lalmas) from Piwowarski & Dupret (2006), Section 6. docs/measures.md says what was filled in.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from focuseval.measures.curves import RECALL_LEVELS
from focuseval.measures.declaration import LEVEL, RANK, Cutoff, Measure, Parameter
from focuseval.measures.eprum import (
    PARAMETERS,
    Base,
    Consulted,
    base_of,
    consult,
    prepare_ideal,
)
from focuseval.measures.generalised import ArticleRanking, average_precision, precision_at
from focuseval.measures.navigation import places_of_results
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.measures.recall_base import full
from focuseval.model.arrays import Floats, Ints, divided
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class Viewing(Consulted):
    """A consulted list, and PRUM's precision on it."""

    @cached_property
    def precision(self) -> Floats:
        """(L, T + 1) PRUM of each level at recall 1, 2 …; 0 beyond what the list can lead to.

        Of a rank k the user sees nothing new if each element that it may lead to was seen before, or is still
        not seen after: its factor is then ``unseen_k + seen_(k-1) z``. Others keep their factors, so that
        P(F_(k-1) = f, nothing new at k) is a product as well. Each rank that changes anything is made two
        times: that it shows nothing new, and after it.
        """
        from focuseval.measures import poisson_binomial

        found = self.found
        time = np.concatenate([2 * found.first, 2 * found.first + 1])
        order = np.argsort(time, kind="stable")
        element = np.concatenate([found.element, found.element])[order]
        p, q = (
            np.concatenate([found.before, found.seen])[order],
            np.concatenate([found.unseen, found.unseen])[order],
        )
        weights = np.zeros((3, 2 * len(found.times)))
        fruitful, consulted, reached = weights
        fruitful[::2], fruitful[1:-1:2] = -1.0, 1.0
        consulted[1::2] = np.diff(found.times, append=found.ranks)
        reached[-1:] = 1.0
        fruitful, consulted, reached = poisson_binomial.mix(
            self.base.sizes, element, time[order], p, q, weights
        )
        fruitful[:, 0] += 1.0  # before the first rank that changes anything
        consulted[:, 0] += found.times[:1].sum()
        new, asked = poisson_binomial.below(fruitful), poisson_binomial.below(consulted)
        return poisson_binomial.at_least(reached) * divided(new, asked)


def prum_trace(base: Base, results: ResultList, *, ranks: str) -> Viewing:
    """How a run's list leads to the ideal elements of a topic."""
    return Viewing(base, consult(base, results, ranks))


def prum_average(run: Viewing) -> float:
    """The mean of PRUM over recall r = 1 … t, over the users of all levels. In [0, 1], higher is better."""
    return float(run.base.weight @ (run.precision[:, 1:].sum(axis=1) / run.base.sizes))


def prum_at_levels(run: Viewing, levels: Floats) -> Floats:
    """(P,) P(a consulted rank shows a new ideal element | the user wants r of them) at recall levels.

    Of the ranks that a user consults who wants r ideal elements, the expected share that leads to a
    new one; times the probability that the list leads to r. In [0, 1], higher is better.
    """
    return run.base.at_levels(run.precision, levels)


def units_prepare(
    topic: Topic, *, navigation: str, quantisation: str, theta: float, tolerance: float, file: str
) -> Base | None:
    """All relevant elements, nested ones as well, with P(relevant); None if there are none."""
    rows, score = full(topic, quantisation)
    worth = score / QUANTISATIONS[quantisation].maximum
    return base_of(topic, rows, worth, navigation, {"theta": theta, "tolerance": tolerance, "file": file})


def units_at_ranks(run: Consulted, ranks: Ints) -> Floats:
    """(P,) relevant elements seen by rank k, over those that a user sees who explores the whole collection.

    The sum over relevant elements x of P(x relevant) P(x in S_k), over the sum of P(x relevant). In [0, 1],
    higher is better.
    """
    found, worth = run.found, run.base.idealism
    early = [found.rank <= rank for rank in ranks]
    return np.array([worth[found.element[e]] @ found.rise[e] / worth.sum() for e in early])


def units_of_all(run: Consulted) -> float:
    """The same of the whole list."""
    return float(units_at_ranks(run, np.array([run.found.ranks]))[0])


def t2i_prepare(topic: Topic, *, quantisation: str, ideal: str, tolerance: float) -> Base | None:
    """The ideal elements, or None if there are none."""
    return prepare_ideal(
        topic,
        navigation="tolerance-to-irrelevance",
        quantisation=quantisation,
        ideal=ideal,
        theta=0.0,
        tolerance=tolerance,
        file="",
    )


def t2i_trace(base: Base, results: ResultList) -> ArticleRanking:
    """The results, scored 1 if an ideal element begins before the user's tolerance is used up.

    Such a hit counts even if an earlier one led to the same ideal element: average precision is not bounded by 1
    (Section 6 of Piwowarski & Dupret 2006 names this inconsistency).
    """
    hit = np.zeros(len(results), dtype=bool)
    hit[base.links(places_of_results(results)).result] = True
    hit &= ~results.repeats
    return ArticleRanking(hit.astype(float), hit, len(base.idealism))


def _those(*names: str) -> tuple[Parameter, ...]:
    return tuple(parameter for parameter in PARAMETERS if parameter.name in names)


PRUM = Measure(
    name="PRUM",
    summary="precision-recall with user modelling (reconstructed), average precision; @x: at recall x",
    paper="Piwowarski, Gallinari & Dupret 2007, after Ali et al. 2008, Section 2",
    prepare=prepare_ideal,
    trace=prum_trace,
    value=prum_average,
    parameters=_those("navigation", "quantisation", "ideal", "theta", "tolerance", "file", "ranks"),
    cutoffs=(Cutoff(LEVEL, "recall", prum_at_levels, tuple(RECALL_LEVELS)),),
    needs=frozenset({"judgements", "tree"}),
)

UNITS = Measure(
    name="ERR.units",
    summary="expected ratio of relevant units seen (reconstructed); @k: by rank k",
    paper="Piwowarski & Gallinari 2003, after Ali et al. 2008, Section 2",
    prepare=units_prepare,
    trace=prum_trace,
    value=units_of_all,
    parameters=_those("navigation", "quantisation", "theta", "tolerance", "file", "ranks"),
    cutoffs=(Cutoff(RANK, "rank", units_at_ranks),),
    needs=frozenset({"judgements"}),
    claims=frozenset({"tail"}),
)

T2I_RANK = Measure(
    name="T2I.rank",
    summary="tolerance to irrelevance (reconstructed), average precision of entry points; @k: at rank k",
    paper="de Vries, Kazai & Lalmas 2004, after Piwowarski & Dupret 2006, Section 6",
    prepare=t2i_prepare,
    trace=t2i_trace,
    value=average_precision,
    parameters=_those("quantisation", "ideal", "tolerance"),
    cutoffs=(Cutoff(RANK, "rank", precision_at),),
    needs=frozenset({"judgements", "tree"}),
    claims=frozenset({"tail"}),
    bounds=(0.0, float("inf")),
)

MEASURES = (PRUM, UNITS, T2I_RANK)
