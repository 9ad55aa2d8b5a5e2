"""Navigation models: the probability that a user who opens a result also sees an ideal element.

To add a model, write a function ``model(collection, results, ideal)`` and enter it in `NAVIGATION`. ``results`` and
``ideal`` are the `Places` of a list's results and of a topic's ideal elements. The function returns `Links`: all pairs
of a result and an ideal element with a positive probability. Its keyword-only arguments are parameters of measures:
``theta``, ``tolerance`` or ``file``. Source: Piwowarski & Dupret (2006), Sections 3.2, 3.3 and 7.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from focuseval.errors import GIVE_DOCUMENTS, InputError, Problem, Sentence, agreeing, counted, extra
from focuseval.files import kept_by_content, read_bytes
from focuseval.model.arrays import Bools, Floats, Ints, changes, divided, matches
from focuseval.model.elements import Collection
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class Places:
    """The places of results or of ideal elements: their documents, rows in the collection, and intervals.

    A passage that is not an element has the row -1.
    """

    document: Ints
    element: Ints
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.element)


@dataclass(frozen=True, eq=False)
class Links:
    """Pairs of a result and an ideal element, with the probability that the result leads to the element."""

    result: Ints
    ideal: Ints
    probability: Floats


Model = Callable[..., Links]


def places_of_elements(collection: Collection, rows: Ints) -> Places:
    """Return the places of the elements in these rows of a collection."""
    return Places(collection.document_of(rows), rows, collection.start[rows], collection.end[rows])


def places_of_results(results: ResultList) -> Places:
    """Return the places of the results of a list.

    Unresolved results are in document -1, which has no ideal element.
    """
    document = np.where(results.resolved, results.document, -1)
    element = np.where(results.resolved, results.element, -1)
    return Places(document, element, results.start, results.end)


def _positive(i: Ints, j: Ints, probability: Floats) -> Links:
    positive = probability > 0
    return Links(i[positive], j[positive], probability[positive])


def _check_positions(collection: Collection, model: str) -> None:
    if not collection.complete:
        message = f"navigation={model} needs the positions of elements in their documents"
        raise InputError.of("", message, Sentence(GIVE_DOCUMENTS, ", or use another navigation model"))


def standard(collection: Collection, results: Places, ideal: Places) -> Links:
    """Link each result with probability 1 to the ideal element that it equals, as in classical retrieval."""
    i, j = matches(results.element, ideal.element)
    return Links(i, j, np.ones(len(i)))


def length_ratio(collection: Collection, results: Places, ideal: Places) -> Links:
    """Link a result and an ideal element if one contains the other (Section 7).

    The probability is the smaller size divided by the larger size. The tree states which elements contain each other.
    For passages, their positions decide. Raises InputError if sizes are unknown.
    """
    if (ideal.end < 0).any():
        message = "navigation=length-ratio needs the sizes of elements"
        raise InputError.of("", message, Sentence(GIVE_DOCUMENTS, ", or use another navigation model"))
    i, j = matches(results.document, ideal.document)
    a, b = results.element[i], ideal.element[j]
    around = (results.start[i] <= ideal.start[j]) & (ideal.end[j] <= results.end[i])
    within = (ideal.start[j] <= results.start[i]) & (results.end[i] <= ideal.end[j])
    nested = np.where(a < 0, around | within, collection.contains(a, b) | collection.contains(b, a))
    i, j = i[nested], j[nested]
    sizes = results.end[i] - results.start[i], ideal.end[j] - ideal.start[j]
    ratio = divided(np.minimum(*sizes), np.maximum(*sizes))
    return _positive(i, j, np.where(results.element[i] == ideal.element[j], 1.0, ratio))


def distance(collection: Collection, results: Places, ideal: Places, *, theta: float) -> Links:
    """Link each result with all ideal elements of its document (end of Section 3.3).

    The probability is ``1 / (1 + exp(theta d))``, or 1 if the result is the ideal element. d is the size of the text
    between them, in the collection's unit, and 0 if they touch or overlap.
    """
    _check_positions(collection, "distance")
    i, j = matches(results.document, ideal.document)
    gap = np.maximum(ideal.start[j] - results.end[i], results.start[i] - ideal.end[j])
    with np.errstate(over="ignore"):
        near = 1 / (1 + np.exp(theta * np.maximum(gap, 0)))
    return _positive(i, j, np.where(results.element[i] == ideal.element[j], 1.0, near))


def tolerance_to_irrelevance(
    collection: Collection, results: Places, ideal: Places, *, tolerance: float
) -> Links:
    """Link each result with probability 1 to the first ideal element that its reader reaches (T2I).

    A user reads from the start of the result, possibly beyond its end. Reading stops at the start of an ideal element,
    or after more than ``tolerance`` units outside ideal elements. A result that is an ideal element leads to itself.
    """
    _check_positions(collection, "tolerance-to-irrelevance")
    stride = int(max(results.end.max(initial=0), ideal.end.max(initial=0))) + 1
    order = np.lexsort((ideal.element, ideal.end, ideal.document))
    ends = (ideal.document * stride + ideal.end)[order]
    met = np.searchsorted(ends, results.document * stride + np.maximum(results.start, 0), side="right")
    first = order[np.minimum(met, len(ends) - 1)]
    own, itself = matches(results.element, ideal.element)
    first[own] = itself
    reached = ideal.document[first] == results.document
    reached &= (ideal.end[first] > results.start) | (ideal.element[first] == results.element)
    reached &= ideal.start[first] - results.start <= tolerance
    i = np.flatnonzero(reached)
    return Links(i, first[i], np.ones(len(i)))


@dataclass(frozen=True, eq=False)
class Reach:
    """The probabilities that a user at one element (``source``) ever gets to another one (``target``).

    Pairs that are not listed have the probability 0.
    """

    source: Ints
    target: Ints
    probability: Floats


def _follow(reach: Reach, results: Places, ideal: Places) -> Links:
    """Link results to ideal elements with the probabilities in ``reach``.

    An element leads to itself with probability 1 unless ``reach`` contains another probability.
    """
    i, pair = matches(results.element, reach.source)
    at, j = matches(reach.target[pair], ideal.element)
    i, probability = i[at], reach.probability[pair[at]]
    own_i, own_j = matches(results.element, ideal.element)
    silent = ~np.isin(results.element[own_i], reach.source[reach.source == reach.target])
    return _positive(
        np.concatenate([i, own_i[silent]]),
        np.concatenate([j, own_j[silent]]),
        np.concatenate([probability, np.ones(int(silent.sum()))]),
    )


def table(collection: Collection, results: Places, ideal: Places, *, file: str) -> Links:
    """Link results and ideal elements with the probabilities in a file (`read_table`)."""
    return _follow(read_table(file, collection), results, ideal)


def clicks(collection: Collection, results: Places, ideal: Places, *, file: str) -> Links:
    """Link results and ideal elements with probabilities estimated from a click log (`read_clicks`)."""
    return _follow(read_clicks(file, collection), results, ideal)


NAVIGATION: dict[str, Model] = {
    "standard": standard,
    "length-ratio": length_ratio,
    "distance": distance,
    "tolerance-to-irrelevance": tolerance_to_irrelevance,
    "table": table,
    "clicks": clicks,
}


def read_columns(file: str, columns: tuple[str, ...], purpose: str) -> pd.DataFrame:
    """Read a tab-separated file with these columns as a table of texts.

    Raises InputError if no file is given, or if the file is invalid.
    """
    if not file:
        raise InputError.of(purpose, "no file is given", "add file=PATH to the parameters of the measure")
    expected = f"expected a TSV file with {', '.join(columns)}"
    try:
        lines = read_bytes(file).decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise InputError.of(file, str(error), expected) from None
    header = lines[0].split("\t")
    wrong = {
        "missing": [name for name in columns if name not in header],
        "repeated": [name for name in columns if header.count(name) > 1],
    }
    if any(wrong.values()):
        found = ", and ".join(
            agreeing(f"the {{column|columns}} {', '.join(names)} {{is|are}} {how}", len(names))
            for how, names in wrong.items()
            if names
        )
        raise InputError.of(file, found, expected, where="line 1")
    rows = [line.split("\t") for line in lines[1:]]
    problems = [
        Problem(
            file,
            f"line {number}",
            f"the line has {counted(len(row), 'column')}",
            f"expected {len(header)}, separated by tabs",
        )
        for number, row in enumerate(rows, start=2)
        if len(row) != len(header)
    ]
    if problems:
        raise InputError(problems)
    return pd.DataFrame(rows, columns=header, dtype=str)


def refuse(file: str, *checks: tuple[Bools, pd.Series | list[str], str]) -> None:
    """Raise InputError for all lines of a file that fail a check.

    A check is a mask of the lines that fail, a message for each line, and a description of what is expected. The header
    is line 1 of the file.
    """
    if problems := [
        Problem(file, f"line {at + 2}", found[at], expected)
        for wrong, found, expected in checks
        for at in np.flatnonzero(wrong)
    ]:
        raise InputError(problems)


def resolve(file: str, frame: pd.DataFrame, document: str, path: str, collection: Collection) -> Ints:
    """Find in the collection the element that each line of a table names, and return its row.

    ``document`` and ``path`` are the columns that name the element. Raises InputError that lists all missing elements.
    """
    rows = collection.resolve(collection.names.get_indexer(frame[document]), frame[path])
    found = "there is no element " + frame[path].map(repr) + " in document " + frame[document].map(repr)
    refuse(file, (rows < 0, found, "expected an element of the collection"))
    return rows


@kept_by_content
def read_table(file: str, collection: Collection) -> Reach:
    """Read navigation probabilities from a TSV file with the columns document, from, to, probability.

    ``from`` and ``to`` are XPaths in the document. If the target is in another document, an optional column
    ``to_document`` names it. Pairs must be distinct, and probabilities must be in [0, 1].
    """
    frame = read_columns(file, ("document", "from", "to", "probability"), "navigation=table")
    if "to_document" not in frame:
        frame["to_document"] = frame["document"]
    source = resolve(file, frame, "document", "from", collection)
    target = resolve(file, frame, "to_document", "to", collection)
    probability = pd.to_numeric(frame["probability"], errors="coerce").to_numpy(dtype=float)
    twice = pd.DataFrame({"source": source, "target": target}).duplicated().to_numpy()
    wrong = ~((probability >= 0) & (probability <= 1))
    pair = "the pair from " + frame["from"].map(repr) + " to " + frame["to"].map(repr)
    refuse(
        file,
        (wrong, "the probability is " + frame["probability"].map(repr), "expected a number from 0 to 1"),
        (twice, pair + " occurs twice", "give each pair once"),
    )
    return Reach(source, target, probability)


@kept_by_content
def read_clicks(file: str, collection: Collection) -> Reach:
    """Estimate navigation probabilities from a click log: a TSV file with the columns session, document, path.

    Each line is an element that a user opened, in order. The lines of a session are contiguous. The first element of a
    session is a result of the list.
    """
    frame = read_columns(file, ("session", "document", "path"), "navigation=clicks")
    rows = resolve(file, frame, "document", "path", collection)
    session = pd.factorize(frame["session"])[0]
    opens = np.flatnonzero(changes(session))
    again = np.zeros(len(rows), dtype=bool)
    again[opens] = pd.Series(session[opens]).duplicated()
    found = "session " + frame["session"] + " continues after another session"
    refuse(file, (again, found, "write the lines of a session one after another"))
    goes_on = np.append(session[1:] == session[:-1], False)
    at = np.flatnonzero(goes_on)
    return reach_of_steps(rows, rows[at], rows[at + 1])


def reach_of_steps(opened: Ints, source: Ints, target: Ints) -> Reach:
    """Estimate, from single steps, the probability that a user at one element ever gets to another element.

    ``opened`` lists an element each time it was opened. Each step leads from ``source`` to ``target``. Navigation is a
    Markov chain (Figure 2 of Piwowarski & Dupret 2006). A user at element u goes to v with the probability
    ``T[u, v] = steps from u to v / openings of u``, or stops. ``N = (I - T)^-1`` is the expected number of visits. The
    probability of ever getting from u to v is ``N[u, v] / N[v, v]``.
    """
    with extra("full"):
        from scipy.sparse import coo_array  # imported here, because only click logs need this module
        from scipy.sparse.csgraph import connected_components

    elements, index = np.unique(opened, return_inverse=True)
    n = len(elements)
    openings = np.bincount(index, minlength=n)
    u, v = np.searchsorted(elements, source), np.searchsorted(elements, target)
    # coo_array adds up repeated steps. Steps from an element to itself need no treatment: they have no effect on reach.
    step = coo_array((1 / openings[u], (u, v)), shape=(n, n)).tocsr()
    pieces, piece = connected_components(step, directed=True, connection="weak")
    members = np.split(np.argsort(piece, kind="stable"), np.cumsum(np.bincount(piece, minlength=pieces))[:-1])
    reach = []
    for inside in members:
        visits = np.linalg.inv(np.eye(len(inside)) - step[inside][:, inside].toarray())
        reached = np.clip(visits / np.diag(visits), 0.0, 1.0)
        np.fill_diagonal(reached, 1.0)
        a, b = np.nonzero(reached)
        reach.append((elements[inside[a]], elements[inside[b]], reached[a, b]))
    return Reach(*(np.concatenate(column) for column in zip(*reach, strict=True)))
