"""The paper's worked examples (Sections 2 to 5) and Table 1, recomputed."""

import numpy as np
import pandas as pd

from focuseval.measures.eprum import Discovery, discover, inverse_length, search_length
from focuseval.measures.navigation import Links, reach_of_steps
from focuseval.model.arrays import Floats
from focuseval.report.parts import Analysis
from focuseval_papers.publication.claims import named
from focuseval_papers.publication.declaration import Declaration
from focuseval_papers.publication.estimates import Quantity
from focuseval_papers.publication.examples import recomputed_as_text

#: Section 4 and Figure 3: probabilities that a user reaches a or b (columns) from the results c, d and a (rows)
KEY_EXAMPLE = np.array([[0.4, 0.4], [0.6, 0.4], [1.0, 0.0]])

#: Section 5: probabilities that a user reaches the ideal elements b or c (columns) from the results a, b and c (rows)
IDEAL_LIST = np.array([[0.9, 0.9], [1.0, 0.0], [0.0, 1.0]])

#: Section 2: ranks (rows) at which a list contains the relevant documents (columns); the third document is missing
CLASSICAL = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]], dtype=float)

#: Figure 1 (Section 3.2): the ideal elements, and each result with the elements that the user reaches from it
SESSION_IDEAL = ("b", "f", "g", "h")
SESSION = (("a", "a"), ("b", "b"), ("c", "c f"), ("d", "d f i"), ("e", "e g h"))

#: printed values F_1 … F_5 of the session in Figure 1; the paper prints the last one as "F_4 = 4"
SESSION_PRINTED = (0, 1, 2, 2, 4)

#: numbers of elements, and their probabilities, in tests of the normal law (None: evenly spread over (0, 1))
LAW_SIZES = (10, 20, 50, 100)
LAW_PROBABILITIES = {"1/2": 0.5, "0.1": 0.1, "0.01": 0.01, "spread over (0, 1)": None}

#: Figure 2: shares of users who step from the elements x, y and z (rows) to x, y and z (columns)
STEPS = np.array([[0.0, 0.5, 0.3], [0.0, 0.0, 0.8], [0.0, 0.12, 0.0]])

#: the columns of Table 1: the ranks at which a and b are first seen (0: never)
SCENARIOS = ((1, 1), (1, 2), (1, 0), (2, 1), (2, 2), (2, 0), (3, 1), (3, 2), (3, 0))


def discovery(probability: Floats) -> Discovery:
    """Return how a user discovers ideal elements along a list.

    ``probability`` is the probability of reaching each ideal element (column) from each rank (row).
    """
    ranks, count = probability.shape
    result, ideal = np.nonzero(probability)
    return discover(np.arange(1, ranks + 1), Links(result, ideal, probability[result, ideal]), ranks, count)


def session() -> pd.DataFrame:
    """Return the user session of Figure 1, rank by rank, with our F next to the printed F.

    F is the number of ideal elements discovered so far. The column points_to is the element in the list.
    """
    reached = [set(reaches.split()) for _, reaches in SESSION]
    steps = discovery(np.array([[name in seen for name in SESSION_IDEAL] for seen in reached], dtype=float))
    rows = []
    for rank, ((consulted, reaches), printed) in enumerate(
        zip(SESSION, SESSION_PRINTED, strict=True), start=1
    ):
        new = [SESSION_IDEAL[x] for x in steps.element[steps.rank == rank]]
        ideal = [name for name in reaches.split() if name in SESSION_IDEAL]
        count = int(steps.rise[steps.rank <= rank].sum())
        rows.append((rank, consulted, reaches, " ".join(ideal), " ".join(new), count, printed))
    names = ["rank", "points_to", "reaches", "ideal", "discovered", "F", "printed"]
    return pd.DataFrame(rows, columns=names)


def normal_law() -> pd.DataFrame:
    """Compare the normal law of F, which Section 5 uses, with the exact law.

    F is the number of discovered elements out of n. The column f is the number at which P(F >= f) differs most between
    the laws.
    """
    # imported only here: compiled code is slow to import
    from focuseval.measures.poisson_binomial import at_least, mix_normal, pmf

    rows = []
    for name, probability in LAW_PROBABILITIES.items():
        for n in LAW_SIZES:
            p = np.full(n, probability) if probability else (np.arange(n) + 0.5) / n
            exact = at_least(pmf(p, 1 - p))
            at_once, one = np.zeros(n, dtype=np.int64), np.ones((1, 1))
            normal = at_least(mix_normal(np.array([n]), np.arange(n), at_once, p, 1 - p, one)[0, 0])
            # rounding makes f the lowest of several numbers with equal differences
            f = int(np.argmax(np.abs(normal - exact).round(12)))
            rows.append((n, name, f, exact[f], normal[f], normal[f] - exact[f]))
    return pd.DataFrame(rows, columns=["n", "p", "f", "exact", "normal", "difference"])


def scenario_share(first_seen: tuple[int, ...]) -> float:
    """Return the share of users who first see each element at its rank in ``first_seen`` (0: never)."""
    share = 1.0
    for element, rank in enumerate(first_seen):
        missed = KEY_EXAMPLE[: rank - 1 if rank else None, element]
        share *= float(np.prod(1 - missed)) * (float(KEY_EXAMPLE[rank - 1, element]) if rank else 1.0)
    return share


def achievement(first_seen: tuple[int, ...], recall: int) -> float:
    """Return A/ML in Table 1: the achievement at a recall, divided by the shortest search length.

    ``first_seen`` lists the rank at which users first see each element (0: never).
    """
    ranks = sorted(rank for rank in first_seen if rank)
    return 1 / ranks[recall - 1] if recall <= len(ranks) else 0.0


def _reach_of_figure_2() -> Floats:
    """Return the probability of reaching x, y and z (columns) from x, y and z (rows) in Figure 2.

    The estimate uses the steps of 100 users who open each element.
    """
    source, target = np.nonzero(STEPS)
    times = np.rint(STEPS[source, target] * 100).astype(int)
    reach = reach_of_steps(np.repeat([0, 1, 2], 100), np.repeat(source, times), np.repeat(target, times))
    result = np.zeros((3, 3))
    result[reach.source, reach.target] = reach.probability
    return result


def quantities() -> dict[str, Quantity]:
    """Return the values of the paper's equations, by their names in the formulas of ``publication.yaml``."""
    elements, reach = "xyz", _reach_of_figure_2()
    lists = {"Section 2": CLASSICAL, "Figure 3": KEY_EXAMPLE, "standard": (KEY_EXAMPLE == 1).astype(float)}
    expected = {
        (name, recall): float(inverse_length(discovery(p), np.array([p.shape[1]]))[0, recall])
        for name, p in lists.items()
        for recall in range(1, p.shape[1] + 1)
    }
    seen = 1 - np.cumprod(1 - KEY_EXAMPLE[:, 0])
    both = np.diff((1 - np.cumprod(1 - IDEAL_LIST, axis=0)).prod(axis=1), prepend=0.0)
    return {
        **{named("step", elements[u], elements[v]): float(p) for (u, v), p in np.ndenumerate(STEPS)},
        **{named("reach", elements[u], elements[v]): float(p) for (u, v), p in np.ndenumerate(reach)},
        **{named("expected", *key): value for key, value in expected.items()},
        **{named("seen", rank): float(p) for rank, p in enumerate(seen, start=1)},
        **{named("both", rank): float(p) for rank, p in enumerate(both, start=1)},
        **{named("share", *ranks): scenario_share(ranks) for ranks in SCENARIOS},
        **{named("achieved", r, *ranks): achievement(ranks, r) for r in (1, 2) for ranks in SCENARIOS},
        "sum_of_shares": sum(map(scenario_share, SCENARIOS)),
        "search_length": float(search_length(discovery(IDEAL_LIST), np.array([2]))[0, 2]),
    }


def table1(numbers: pd.DataFrame) -> pd.DataFrame:
    """Return Table 1, transposed, with our values next to the printed values.

    The last row contains the sum of the shares, and the expected values of A/ML.
    """
    share = "Table 1 share of users (%), a first seen at {}, b at {}"
    achieved = "Table 1 A/ML at recall {}, column {}"
    rows = [
        (
            *(str(rank or "never") for rank in ranks),
            share.format(*(rank or "no rank" for rank in ranks)),
            *(achieved.format(recall, column) for recall in (1, 2)),
        )
        for column, ranks in enumerate(SCENARIOS, start=1)
    ]
    expected = "Table 1 expected achievement/ML at recall"
    rows.append(("all users", "", "Table 1 sum of the shares of users (%)", f"{expected} 1", f"{expected} 2"))
    table = pd.DataFrame(rows, columns=["a_first_seen", "b_first_seen", "%", "1", "2"])
    values = numbers.set_index("quantity")
    for column, name in (("share_%", "%"), ("A/ML_1", "1"), ("A/ML_2", "2")):
        table[column] = table[name].map(values["computed"])
        table[f"printed_{name}"] = table.pop(name).map(values["printed"])
    return table


def worked(declared: Declaration) -> Analysis:
    """Return the tables of the paper's worked examples, by name."""
    numbers = declared.recomputed(quantities())
    return {
        "session": session(),
        "table1": table1(numbers),
        "normal_law": normal_law(),
        "numbers": recomputed_as_text(numbers, "Table 1 (share|A/ML)"),  # `table1` has the other numbers
    }
