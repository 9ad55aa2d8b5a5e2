"""EPRUM: expected precision-recall with user modelling.

A user consults a list rank by rank, and navigates from each rank to ideal elements. F_k is the number of ideal elements
that the user has seen after rank k. Precision at recall r is the number of ranks that the ideal list needs for r ideal
elements, divided by the number that the evaluated list needs (Piwowarski & Dupret 2006). See docs/measures.md.

The module also has EPRUM's predecessors as later papers define them. PRUM (Piwowarski, Gallinari & Dupret) and the
expected ratio of relevant units (Piwowarski & Gallinari) are reconstructed from Ali et al. (2008), Section 2. Tolerance
to irrelevance (de Vries, Kazai & Lalmas) is reconstructed from Piwowarski & Dupret (2006), Section 6.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce

import numpy as np

from focuseval.errors import InputError
from focuseval.measures.curves import RECALL_LEVELS, TOLERANCE, ArticleRanking
from focuseval.measures.curves import average_precision as average_of_articles
from focuseval.measures.curves import precision_at as precision_of_articles
from focuseval.measures.declaration import (
    LEVEL,
    POINTED_LEVEL,
    RANK,
    Cutoff,
    Measure,
    Parameter,
    Value,
    any_text,
    select_parameters,
)
from focuseval.measures.navigation import (
    NAVIGATION,
    Links,
    Places,
    places_of_elements,
    places_of_results,
    read_columns,
    refuse,
    resolve,
)
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.measures.recall_base import IDEAL_METHODS, full, ideal_elements
from focuseval.model.arrays import Bools, Floats, Ints, changes, divided
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class Discovery:
    """The probability that a user has seen each ideal element by each rank of a list.

    Only the changes of these probabilities are stored, in the order of ranks. The probability of an element is 0 before
    its first change, and constant between changes.
    """

    ranks: int  #: number of ranks in the list
    count: int  #: number of ideal elements
    rank: Ints  #: rank of each change, from 1, non-decreasing
    element: Ints  #: index of the ideal element whose probability changes
    before: Floats  #: probability of the element before each change
    rise: Floats  #: increase of the probability at each change
    seen: Floats  #: probability of the element after each change
    unseen: Floats  #: 1 - ``seen``, stored because a subtraction would lose small values

    @cached_property
    def opens(self) -> Bools:
        """A mask of the changes that are the first at their rank."""
        return np.diff(self.rank, prepend=0) > 0

    @cached_property
    def times(self) -> Ints:
        """The distinct ranks at which probabilities change."""
        return self.rank[self.opens]

    @cached_property
    def first(self) -> Ints:
        """For each change, the index of its rank in `times`."""
        return np.cumsum(self.opens) - 1


def discover(rank: Ints, links: Links, ranks: int, count: int) -> Discovery:
    """Compute the probability that a user has seen each of ``count`` ideal elements by each rank (Eq. 1).

    ``rank`` is the rank of each result, and ``ranks`` is the number of ranks.
    """
    from focuseval.measures import poisson_binomial

    at = rank[links.result]
    order = np.argsort(at * count + links.ideal, kind="stable")
    changes = poisson_binomial.discover(at[order], links.ideal[order], links.probability[order], count)
    return Discovery(ranks, count, *changes)


def inverse_length(discovery: Discovery, sizes: Ints, distribution: str = "exact") -> Floats:
    """Return E[A / ML], the expected inverse search length, for each satisfaction level (row) and number r (column).

    ML is the first rank by which the user has seen r = 0, 1 … ideal elements. A is 1 if there is such a rank, else 0
    (Eq. 5). At level i, the first ``sizes[i]`` elements are ideal; values for a larger r are 0. Values are in [0, 1].
    """
    from focuseval.measures import poisson_binomial

    # The sum of P(ML = k) / k over all ranks k becomes a sum over `times`, because F_k changes only there.
    weight = 1 / discovery.times
    weight[:-1] -= 1 / discovery.times[1:]
    return poisson_binomial.at_least(mixtures(discovery, sizes, weight, distribution))


def mixtures(discovery: Discovery, sizes: Ints, weight: Floats, distribution: str = "exact") -> Floats:
    """Return, for each satisfaction level (row), the sum of ``weight`` times P(F_k = f) over the ranks k in `times`.

    F_k is the number of ideal elements that the user has seen by rank k. The columns are f = 0, 1 …
    """
    from focuseval.measures import poisson_binomial

    changes = (discovery.element, discovery.first, discovery.seen, discovery.unseen)
    mix = poisson_binomial.mix_normal if distribution == "normal" else poisson_binomial.mix
    return mix(sizes, *changes, weight[np.newaxis])[0]


def search_length(discovery: Discovery, sizes: Ints) -> Floats:
    """Return E[ML*], the expected ideal search length, for each satisfaction level (row) and number r (column).

    ML* is the number of ranks that the ideal list needs for r = 0, 1 … ideal elements (Eq. 4). Raises ValueError if the
    list leads to an ideal element with a probability below 1.
    """
    from focuseval.measures import poisson_binomial

    certain = np.zeros(discovery.count, dtype=bool)
    certain[discovery.element[discovery.unseen == 0]] = True
    if not certain.all():
        raise ValueError("the ideal list reaches some ideal elements with a probability below 1")
    mixed = mixtures(discovery, sizes, np.append(np.diff(discovery.times), 0).astype(float))
    mixed[:, 0] += discovery.times[0]
    return poisson_binomial.below(mixed)


@dataclass(frozen=True, eq=False)
class Base:
    """The ideal elements of a topic in order of decreasing idealism, and its satisfaction levels.

    For users of level i, the first ``sizes[i]`` elements are ideal. ``weight[i]`` is the share of these users.
    """

    ideal: Places
    idealism: Floats  #: idealism of each element, decreasing from 1
    sizes: Ints  #: number of ideal elements at each level, increasing
    weight: Floats  #: share of the users at each level
    links: Callable[[Places], Links]  #: returns the links from results to the ideal elements
    length: Floats | None  #: the `ideal_lengths`; None if E[ML*] = r for every r

    @property
    def first_level(self) -> Ints:
        """For each element, the first level at which it is ideal."""
        return np.searchsorted(self.sizes, np.arange(len(self.idealism)), side="right")

    @cached_property
    def ideal_lengths(self) -> Floats:
        """The expected ideal search length E[ML*] for each satisfaction level (row) and number r (column).

        ML* is the number of ranks that the ideal list needs for r = 0, 1 … ideal elements.
        """
        if self.length is not None:
            return self.length
        return np.broadcast_to(np.arange(len(self.idealism) + 1.0), (len(self.sizes), len(self.idealism) + 1))

    def at_levels(self, levels: Floats, *factors: Floats) -> Floats:
        """Return the product of ``factors`` at each level of recall, averaged over users.

        Each factor has a row for each satisfaction level, and a column for each number of ideal elements.
        """
        index = np.arange(len(self.sizes)), recalls(levels, self.sizes)
        products = reduce(np.multiply, [numbers[index] for numbers in factors])
        return np.array([self.weight @ product for product in products])


def recalls(levels: Floats, sizes: Ints) -> Ints:
    """Return how many ideal elements each level of recall (row) requires, for each total in ``sizes`` (column).

    The number is the level times the total, rounded up, and at least 1. A product that exceeds an integer only through
    rounding errors counts as this integer.
    """
    return np.maximum(np.ceil(np.outer(levels, sizes) - TOLERANCE), 1).astype(np.int64)


def satisfaction_levels(idealism: Floats) -> tuple[Ints, Floats]:
    """Return the number of ideal elements at each satisfaction level, and the share of its users.

    The levels s_1 > s_2 > … are the distinct values of ``idealism``, which is decreasing and positive. The share of
    level i is (s_i - s_(i+1)) / s_1, where the last level is followed by 0 (Section 3.1).
    """
    ends = np.append(np.flatnonzero(np.diff(idealism)), len(idealism) - 1)
    levels = idealism[ends] / idealism[0]
    return ends + 1, levels - np.append(levels[1:], 0.0)


def ranks_of(results: ResultList, ranks: str) -> Ints:
    """Return the rank of each result, from 1 without gaps.

    If ``ranks`` is "results", each result has its own rank. If it is "sets", consecutive results of one document and
    equal rank share a rank. If it is "articles", consecutive results of one document share a rank.
    """
    if ranks == "results":
        return np.arange(1, len(results) + 1)
    columns = (results.document, results.rank) if ranks == "sets" else (results.document,)
    return np.cumsum(changes(*columns))


def consult(base: Base, results: ResultList, ranks: str) -> Discovery:
    """Compute the probability that a user of the list has seen each ideal element by each rank.

    A repeated result takes a rank, but leads to no element.
    """
    rank = ranks_of(results, ranks)
    links = base.links(places_of_results(results))
    new = ~results.repeats[links.result]
    links = Links(links.result[new], links.ideal[new], links.probability[new])
    return discover(rank, links, int(rank[-1]) if len(rank) else 0, len(base.idealism))


def _documents_needed(document: Ints, sizes: Ints) -> Floats:
    """Return the smallest number of documents with r ideal elements, for each satisfaction level (row) and r."""
    value = np.zeros((len(sizes), sizes[-1] + 1))
    for i, size in enumerate(sizes):
        held = np.sort(np.unique(document[:size], return_counts=True)[1])[::-1]
        value[i, 1 : size + 1] = np.repeat(np.arange(1, len(held) + 1), held)
    return value


def _read_ideal_list(topic: Topic, file: str) -> tuple[Ints, Ints]:
    """Read a topic's ideal list from a TSV file, and return the ranks and the rows of its elements.

    The columns are topic, rank, document and path.
    """
    frame = read_columns(file, ("topic", "rank", "document", "path"), "ideal_list")
    wrong = ~frame["rank"].str.fullmatch(r"0*[1-9][0-9]{0,8}").to_numpy(dtype=bool)
    refuse(file, (wrong, "the rank is " + frame["rank"].map(repr), "expected 1, 2, 3, ..."))
    rows = resolve(file, frame, "document", "path", topic.collection)
    lines = np.flatnonzero((frame["topic"] == topic.name).to_numpy())
    rank = frame["rank"].to_numpy()[lines].astype(np.int64)
    return rank, rows[lines]


def _ideal_ranks(base: Base, links: Links) -> Ints:
    """Return the rank of each ideal element in the ideal list.

    Elements are sorted by decreasing idealism, start, end, and the total probability of outgoing and incoming links.
    Ties are sorted by these properties of all ideal elements of the document. The order of remaining ties has no
    effect, so the names of documents do not matter.
    """
    place, count = base.ideal, len(base.ideal)
    going = [np.bincount(end, links.probability, count).round(12) for end in (links.result, links.ideal)]
    keys = np.stack([-base.idealism, place.start, place.end, *going], axis=1).tolist()
    document = place.document.tolist()
    inside: dict[int, list[list[float]]] = {}
    for one, key in zip(document, keys, strict=True):
        inside.setdefault(one, []).append(key)
    order = sorted(range(count), key=lambda i: (keys[i], inside[document[i]]))
    return np.argsort(order) + 1


def _ideal_length(topic: Topic, base: Base, ranks: str, file: str) -> Floats | None:
    """Return E[ML*] of the ideal list (see `search_length`), or None if E[ML*] = r for every number r of elements.

    The ideal list is read from ``file``. Without a file, it consists of the ideal elements by decreasing idealism.
    """
    if not file and ranks != "results":
        return _documents_needed(base.ideal.document, base.sizes)
    if file:
        rank, rows = _read_ideal_list(topic, file)
        links = base.links(places_of_elements(topic.collection, rows))
    else:
        links = base.links(base.ideal)
        if np.array_equal(links.result, links.ideal) and (links.probability == 1).all():
            return None  # Each rank of the ideal list leads to its own element and to no other.
        rank = _ideal_ranks(base, links)
    discovery = discover(rank, links, int(rank.max(initial=0)), len(base.ideal))
    try:
        return search_length(discovery, base.sizes)
    except ValueError as error:
        source, remedy = (
            file or "EPRUM",
            "give an ideal_list that reaches every ideal element with probability 1",
        )
        raise InputError.of(source, str(error), remedy, where=f"topic {topic.name}") from None


def base_of(
    topic: Topic, rows: Ints, idealism: Floats, navigation: str, settings: Mapping[str, Value]
) -> Base | None:
    """Return a `Base` with the ideal elements ``rows`` and no search lengths, or None if ``rows`` is empty."""
    if len(rows) == 0:
        return None
    order = np.argsort(-idealism, kind="stable")
    rows, idealism = rows[order], idealism[order] / idealism[order[0]]
    sizes, weight = satisfaction_levels(idealism)
    places = places_of_elements(topic.collection, rows)

    model = NAVIGATION[navigation]
    needed = select_parameters(model, settings)

    def links(results: Places) -> Links:
        return model(topic.collection, results, places, **needed)

    # This call without results reports unmet requirements of the model before runs are read.
    links(places_of_elements(topic.collection, rows[:0]))
    return Base(places, idealism, sizes, weight, links, None)


def prepare_ideal(
    topic: Topic, *, navigation: str, quantisation: str, ideal: str, theta: float, tolerance: float, file: str
) -> Base | None:
    """Return the ideal elements of a topic without ideal search lengths, or None if there are no ideal elements.

    The idealism of an element is its quantised score divided by the highest score of an ideal element of the topic.
    """
    rows, score = full(topic, quantisation)
    chosen = ideal_elements(topic, quantisation, ideal)
    idealism = score[chosen] / QUANTISATIONS[quantisation].maximum
    settings: dict[str, Value] = {"theta": theta, "tolerance": tolerance, "file": file}
    return base_of(topic, rows[chosen], idealism, navigation, settings)


def prepare(
    topic: Topic,
    *,
    navigation: str,
    quantisation: str,
    ideal: str,
    theta: float,
    tolerance: float,
    file: str,
    ranks: str,
    ideal_list: str,
) -> Base | None:
    """Return the ideal elements of a topic with ideal search lengths E[ML*], or None if there are no ideal elements.

    Raises InputError if the requirements of the navigation model or of the ideal list are not met.
    """
    base = prepare_ideal(
        topic,
        navigation=navigation,
        quantisation=quantisation,
        ideal=ideal,
        theta=theta,
        tolerance=tolerance,
        file=file,
    )
    return None if base is None else replace(base, length=_ideal_length(topic, base, ranks, ideal_list))


@dataclass(frozen=True, eq=False)
class Consulted:
    """The ideal elements of a topic, and the probability that a user of a list has seen each of them by each rank."""

    base: Base
    found: Discovery
    distribution: str = "exact"

    @cached_property
    def inverse_length(self) -> Floats:
        """The expected inverse search length E[A / ML] for each satisfaction level (row) and number r (column).

        ML is the first rank by which the user has seen r ideal elements. A is 1 if there is such a rank, else 0.
        """
        return inverse_length(self.found, self.base.sizes, self.distribution)

    @cached_property
    def viewing_precision(self) -> Floats:
        """PRUM (see `prum_at_levels`) for each satisfaction level (row) and number r (column) of ideal elements.

        It is 0 if the list cannot lead to r elements.
        """
        from focuseval.measures import poisson_binomial

        discovery = self.found
        # Each rank that may show an element becomes two steps: "nothing new", and the rank itself. In the first step,
        # the element was seen before or stays unseen: its factor is ``unseen_k + seen_(k-1) z``.
        time = np.concatenate([2 * discovery.first, 2 * discovery.first + 1])
        order = np.argsort(time, kind="stable")
        element = np.tile(discovery.element, 2)[order]
        p, q = np.append(discovery.before, discovery.seen)[order], np.tile(discovery.unseen, 2)[order]
        weights = np.zeros((3, 2 * len(discovery.times)))
        fruitful, consulted, reached = weights
        fruitful[::2], fruitful[1:-1:2] = -1.0, 1.0
        consulted[1::2] = np.diff(discovery.times, append=discovery.ranks)
        reached[-1:] = 1.0
        fruitful, consulted, reached = poisson_binomial.mix(
            self.base.sizes, element, time[order], p, q, weights
        )
        fruitful[:, 0] += 1.0  # Before any rank that may show an element, the user has seen none.
        consulted[:, 0] += discovery.times[:1].sum()
        new, consultations = poisson_binomial.below(fruitful), poisson_binomial.below(consulted)
        return poisson_binomial.at_least(reached) * divided(new, consultations)


def trace(base: Base, results: ResultList, *, ranks: str, distribution: str) -> Consulted:
    """Compute the probability that a user of the list has seen each ideal element of a topic by each rank."""
    return Consulted(base, consult(base, results, ranks), distribution)


def precision_at_levels(run: Consulted, levels: Floats) -> Floats:
    """Return Precision@l, ``E[ML*] E[A / ML]``, for each level of recall l, averaged over users.

    For t ideal elements, the user wants r = ceil(l t) of them. The ideal list needs ML* ranks for r elements, and the
    evaluated list needs ML ranks. A is 1 if the evaluated list leads to r elements, else 0. Precision is at least 0,
    and 1 for an ideal list without navigation. Higher is better. Source: Piwowarski & Dupret (2006), Sections 2, 3.1
    and 5.
    """
    return run.base.at_levels(levels, run.base.ideal_lengths, run.inverse_length)


def average_precision(run: Consulted) -> float:
    """Return the mean of Precision@(r/t) over r = 1 … t for t ideal elements, averaged over users.

    It is at least 0, and 1 for the ideal list. Higher is better. Source: Piwowarski & Dupret (2006), Section 5.
    """
    from focuseval.measures import poisson_binomial

    base, discovery = run.base, run.found
    if base.length is None and run.distribution == "exact":
        # E[ML*] = r for every r, so the sum of r P(F_k >= r) is E[F_k (F_k + 1) / 2]: no distribution is needed.
        total = poisson_binomial.triangular_gain(
            len(base.sizes),
            base.first_level,
            discovery.element,
            discovery.before,
            discovery.rise,
            1 / discovery.rank,
        )
    else:
        total = (run.inverse_length * base.ideal_lengths).sum(axis=1)
    return float(base.weight @ (total / base.sizes))


def precision_at_ranks(run: Consulted, ranks: Ints) -> Floats:
    """Return Precision@k for each rank k: the sum over f of P(F_k = f) E[ML*_f], divided by k.

    F_k is the number of ideal elements that the user has seen by rank k; after the end of the list, it is constant. The
    ideal list needs ML*_f ranks for f elements. Precision@k is at least 0, and higher is better. Its derivation is in
    docs/measures.md.
    """
    base, discovery = run.base, run.found
    if base.length is None:
        early = [discovery.rank <= rank for rank in ranks]
        return np.array([base.idealism[discovery.element[e]] @ discovery.rise[e] for e in early]) / ranks
    now = [discovery.times == discovery.times[discovery.times <= rank].max(initial=0) for rank in ranks]
    # For each rank, the distribution of F_k at each satisfaction level (Eq. 7).
    laws = [mixtures(discovery, base.sizes, here.astype(float)) for here in now]
    return np.array([base.weight @ (law * base.length).sum(axis=1) for law in laws]) / ranks


#: all parameters of EPRUM; each of its predecessors has some of them
PARAMETERS = (
    Parameter(
        "navigation",
        "length-ratio",
        "how users navigate from a result",
        choices=tuple(NAVIGATION),
        element_choices=("standard", "table", "clicks"),
    ),
    Parameter(
        "quantisation",
        "gen",
        "how exhaustivity and specificity become one score",
        choices=tuple(QUANTISATIONS),
    ),
    Parameter("ideal", "paper", "how ideal elements are chosen", choices=tuple(IDEAL_METHODS)),
    Parameter("theta", 0.01, "decay of probability per unit of text (navigation=distance)", low=0.0),
    Parameter(
        "tolerance",
        300.0,
        "units of text after which a user gives up (navigation=tolerance-to-irrelevance)",
        low=0.0,
    ),
    Parameter(
        "file", "", "path of the table (navigation=table) or of the log (navigation=clicks)", reader=any_text
    ),
    Parameter(
        "ranks",
        "results",
        "what forms a rank. results: one result; sets: adjacent results of one article with equal ranks; "
        "articles: all adjacent results of one article",
        choices=("results", "sets", "articles"),
        tie_choices=("sets",),
    ),
    Parameter(
        "ideal_list", "", "path of a file of ideal lists; without it, focuseval builds them", reader=any_text
    ),
    Parameter(
        "distribution",
        "exact",
        "distribution of the number of ideal elements seen",
        choices=("exact", "normal"),
    ),
)


EPRUM = Measure(
    name="EPRUM",
    summary="expected precision-recall with user modelling; @0.5: at a recall level; @10: at a rank",
    paper="Piwowarski & Dupret 2006",
    prepare=prepare,
    trace=trace,
    value=average_precision,
    parameters=PARAMETERS,
    cutoffs=(
        Cutoff(RANK, "rank", precision_at_ranks),
        Cutoff(POINTED_LEVEL, "recall", precision_at_levels, tuple(RECALL_LEVELS)),
    ),
    needs=frozenset({"judgements", "tree"}),
    bounds=(0.0, float("inf")),
    claims=frozenset({"tail"}),
)


def prum_trace(base: Base, results: ResultList, *, ranks: str) -> Consulted:
    """Compute the probability that a user of the list has seen each ideal element by each rank, for PRUM."""
    return Consulted(base, consult(base, results, ranks))


def prum_average(run: Consulted) -> float:
    """Return the mean of PRUM over r = 1 … t for t ideal elements, averaged over users.

    It is in [0, 1], and higher is better.
    """
    return float(run.base.weight @ (run.viewing_precision[:, 1:].sum(axis=1) / run.base.sizes))


def prum_at_levels(run: Consulted, levels: Floats) -> Floats:
    """Return PRUM at each level of recall. It is in [0, 1], and higher is better.

    PRUM is the probability that a consulted rank shows a new ideal element to a user who wants r of them. It is the
    product of two numbers: the expected share of the consulted ranks that show a new ideal element, and the probability
    that the list leads to r ideal elements.
    """
    return run.base.at_levels(levels, run.viewing_precision)


def units_prepare(
    topic: Topic, *, navigation: str, quantisation: str, theta: float, tolerance: float, file: str
) -> Base | None:
    """Return all relevant elements of a topic, including nested ones, or None if there are none.

    The idealism of an element is its score divided by the highest score of the topic.
    """
    rows, score = full(topic, quantisation)
    worth = score / QUANTISATIONS[quantisation].maximum
    return base_of(topic, rows, worth, navigation, {"theta": theta, "tolerance": tolerance, "file": file})


def units_at_ranks(run: Consulted, ranks: Ints) -> Floats:
    """Return the expected share of the relevant elements that the user has seen by each rank k.

    The share is ``Σ P(x relevant) P(x seen by k) / Σ P(x relevant)``, summed over the elements x. It is in [0, 1], and
    higher is better.
    """
    discovery, worth = run.found, run.base.idealism
    early = [discovery.rank <= rank for rank in ranks]
    return np.array([worth[discovery.element[e]] @ discovery.rise[e] / worth.sum() for e in early])


def units_of_all(run: Consulted) -> float:
    """Return the expected share of the relevant elements that the user has seen after the whole list.

    It is in [0, 1], and higher is better.
    """
    return float(units_at_ranks(run, np.array([run.found.ranks]))[0])


def t2i_prepare(topic: Topic, *, quantisation: str, ideal: str, tolerance: float) -> Base | None:
    """Return the ideal elements of a topic, linked by tolerance to irrelevance (T2I), or None if there are none."""
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
    """Return the ranking of the results, which score 1 if an ideal element starts within the user's tolerance.

    A repeated result scores 0. Another result scores even if an earlier one led to its ideal element. Average precision
    can therefore exceed 1, as Piwowarski & Dupret (2006) note in Section 6.
    """
    hit = np.zeros(len(results), dtype=bool)
    hit[base.links(places_of_results(results)).result] = True
    hit &= ~results.repeats
    return ArticleRanking(hit.astype(float), hit, len(base.idealism))


def _select(*names: str) -> tuple[Parameter, ...]:
    return tuple(parameter for parameter in PARAMETERS if parameter.name in names)


PRUM = Measure(
    name="PRUM",
    summary="precision-recall with user modelling (reconstructed), averaged over recall; @x: at recall x",
    paper="Piwowarski, Gallinari & Dupret 2007, as described in Ali et al. 2008, Section 2",
    prepare=prepare_ideal,
    trace=prum_trace,
    value=prum_average,
    parameters=_select("navigation", "quantisation", "ideal", "theta", "tolerance", "file", "ranks"),
    cutoffs=(Cutoff(LEVEL, "recall", prum_at_levels, tuple(RECALL_LEVELS)),),
    needs=frozenset({"judgements", "tree"}),
)

UNITS = Measure(
    name="ERR.units",
    summary="expected ratio of relevant units: share of relevant elements seen (reconstructed); @k: after k ranks",
    paper="Piwowarski & Gallinari 2003, as described in Ali et al. 2008, Section 2",
    prepare=units_prepare,
    trace=prum_trace,
    value=units_of_all,
    parameters=_select("navigation", "quantisation", "theta", "tolerance", "file", "ranks"),
    cutoffs=(Cutoff(RANK, "rank", units_at_ranks),),
    needs=frozenset({"judgements"}),
    claims=frozenset({"tail"}),
)

T2I_RANK = Measure(
    name="T2I.rank",
    summary="tolerance to irrelevance (reconstructed): average precision of hits, which soon lead to relevant text; "
    "@k: share of hits among the first k results",
    paper="de Vries, Kazai & Lalmas 2004, as described in Piwowarski & Dupret 2006, Section 6",
    prepare=t2i_prepare,
    trace=t2i_trace,
    value=average_of_articles,
    parameters=_select("quantisation", "ideal", "tolerance"),
    cutoffs=(Cutoff(RANK, "rank", precision_of_articles),),
    needs=frozenset({"judgements", "tree"}),
    claims=frozenset({"tail"}),
    bounds=(0.0, float("inf")),
)

MEASURES = (EPRUM, PRUM, UNITS, T2I_RANK)
