"""Table 1 and the worked examples of Piwowarski & Dupret (2006), Sections 2-5, recomputed."""

import numpy as np
import pandas as pd

from focuseval.measures.eprum import Discovery, PerRecall, discover, inverse_length, search_length
from focuseval.measures.navigation import Links, reach_of_steps
from focuseval.model.arrays import Floats

#: Section 4, Figure 3: P(rank ~> element) of ranks 1 (c), 2 (d), 3 (a) and elements a, b
KEY_EXAMPLE = np.array([[0.4, 0.4], [0.6, 0.4], [1.0, 0.0]])

#: Section 5: the list (a, b, c) and the ideal elements b, c
IDEAL_LIST = np.array([[0.9, 0.9], [1.0, 0.0], [0.0, 1.0]])

#: Section 2: five documents, of which the first and the fourth are relevant; a third is not retrieved
CLASSICAL = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]], dtype=float)

#: Figure 1, Section 3.2: the ideal elements, the element that each rank points to, and what the user reaches from there
SESSION_IDEAL = ("b", "f", "g", "h")
SESSION = (("a", "a"), ("b", "b"), ("c", "c f"), ("d", "d f i"), ("e", "e g h"))

#: F_1 … F_5 of that session as printed; the last one stands as "F_4 = 4" there
SESSION_PRINTED = (0, 1, 2, 2, 4)

#: the sizes and probabilities of the normal law's table; None: evenly spread between 0 and 1
LAW_SIZES = (10, 20, 50, 100)
LAW_PROBABILITIES = {"1/2": 0.5, "0.1": 0.1, "0.01": 0.01, "spread over (0, 1)": None}

#: Figure 2: the share of users that step from x, y, z to x, y, z
STEPS = np.array([[0.0, 0.5, 0.3], [0.0, 0.0, 0.8], [0.0, 0.12, 0.0]])

#: Table 1: the rank at which a and at which b is first seen (0: never), and the printed share of users
SCENARIOS = {
    (1, 1): 16.0, (1, 2): 9.6, (1, 0): 14.4, (2, 1): 14.4, (2, 2): 8.64,
    (2, 0): 12.96, (3, 1): 9.6, (3, 2): 5.76, (3, 0): 8.64,
}  # fmt: skip

#: Table 1: the printed A/ML of each of these columns, by recall; thirds to three digits
ACHIEVEMENTS = {1: "1 1 1 1 0.5 0.5 1 0.5 0.333", 2: "1 0.5 0 0.5 0.5 0 0.333 0.333 0"}


def discovery(probability: Floats) -> Discovery:
    """The discovery of T ideal elements along K ranks with the given P(k ~> x), (K, T)."""
    ranks, count = probability.shape
    result, ideal = np.nonzero(probability)
    return discover(np.arange(1, ranks + 1), Links(result, ideal, probability[result, ideal]), ranks, count)


def _at(numbers: PerRecall, recall: int) -> float:
    return float(numbers.at(np.array([recall]))[0])


def session() -> pd.DataFrame:
    """The user session of Figure 1, step by step.

    Columns rank, points_to, reaches (elements), ideal (those of them), discovered (those not seen before), F (ideal
    elements discovered by then, as scoring counts them), printed.
    """
    reached = [set(reaches.split()) for _, reaches in SESSION]
    found = discovery(np.array([[name in seen for name in SESSION_IDEAL] for seen in reached], dtype=float))
    rows = []
    for rank, ((consulted, reaches), printed) in enumerate(
        zip(SESSION, SESSION_PRINTED, strict=True), start=1
    ):
        new = [SESSION_IDEAL[x] for x in found.element[found.rank == rank]]
        ideal = [name for name in reaches.split() if name in SESSION_IDEAL]
        count = int(found.rise[found.rank <= rank].sum())
        rows.append((rank, consulted, reaches, " ".join(ideal), " ".join(new), count, printed))
    names = ["rank", "points_to", "reaches", "ideal", "discovered", "F", "printed"]
    return pd.DataFrame(rows, columns=names)


def normal_law() -> pd.DataFrame:
    """How far the normal law is off from the exact one (Section 5): P(F >= f) of n uncertain elements.

    Columns n, p, f (where the difference is largest), exact, normal, difference.
    """
    from focuseval.measures.poisson_binomial import normal_at_least, pmf  # compiled: slow to import

    rows = []
    for name, probability in LAW_PROBABILITIES.items():
        for n in LAW_SIZES:
            p = np.full(n, probability) if probability else (np.arange(n) + 0.5) / n
            exact = np.cumsum(pmf(p, 1 - p)[::-1])[::-1]
            at_once, one = np.zeros(n, dtype=np.int64), np.ones(1)
            normal = normal_at_least(np.array([n]), at_once, np.arange(n), p, 1 - p, one)[0]
            f = int(np.argmax(np.abs(normal - exact).round(12)))  # of some that are the same, the first
            rows.append((n, name, f, exact[f], normal[f], normal[f] - exact[f]))
    return pd.DataFrame(rows, columns=["n", "p", "f", "exact", "normal", "difference"])


def scenario_share(first_seen: tuple[int, ...], probability: Floats = KEY_EXAMPLE) -> float:
    """The share of users who first see each element at the given rank (0: never)."""
    share = 1.0
    for element, rank in enumerate(first_seen):
        missed = probability[: rank - 1 if rank else None, element]
        share *= float(np.prod(1 - missed)) * (float(probability[rank - 1, element]) if rank else 1.0)
    return share


def achievement(first_seen: tuple[int, ...], recall: int) -> float:
    """A / ML of users who first see each element at the given rank (0: never)."""
    ranks = sorted(rank for rank in first_seen if rank)
    return 1 / ranks[recall - 1] if recall <= len(ranks) else 0.0


def _reach_of_figure_2() -> Floats:
    """(3, 3) P(u ~> v) among x, y, z, estimated from the steps of 100 openings of each."""
    source, target = np.nonzero(STEPS)
    times = np.rint(STEPS[source, target] * 100).astype(int)
    reach = reach_of_steps(np.repeat([0, 1, 2], 100), np.repeat(source, times), np.repeat(target, times))
    result = np.zeros((3, 3))
    result[reach.source, reach.target] = reach.probability
    return result


def printed_and_recomputed() -> pd.DataFrame:
    """Every number of Table 1 and Sections 2-5, printed and recomputed.

    Columns: quantity (as in the table of published values where it is there), printed, recomputed,
    agrees (to the printed digits), note.
    """
    two = np.array([2])
    key = inverse_length(discovery(KEY_EXAMPLE), two)
    ideal = discovery(IDEAL_LIST)
    classical = inverse_length(discovery(CLASSICAL), np.array([3]))
    standard = inverse_length(discovery((KEY_EXAMPLE == 1).astype(float)), two)
    reach = _reach_of_figure_2()
    x, y, z = 0, 1, 2
    seen = 1 - np.cumprod(1 - KEY_EXAMPLE[:, 0])
    by_rank = np.cumprod(1 - IDEAL_LIST, axis=0)
    found_both = np.diff((1 - by_rank).prod(axis=1), prepend=0.0)
    in_sequence = STEPS[x, y] * STEPS[y, z] + STEPS[x, z] * STEPS[z, y]
    rows: list[tuple[str, str, float, str]] = [
        (f"Section 2 precision at recall {r}", text, r * _at(classical, r), "")
        for r, text in ((1, "1"), (2, "0.5"), (3, "0"))
    ]
    rows += [
        ("Section 3.2 P(k->x) of Figure 2", "1", reach[x, x], ""),
        ("Section 3.2 P(k->y) of Figure 2", "0.536", reach[x, y], ""),
        ("Section 3.2 P(k->z) of Figure 2", "0.7", reach[x, z], ""),
        ("Section 3.3 joint probability without the hypothesis", "0.436", in_sequence, ""),
        ("Section 3.3 joint probability with the hypothesis", "0.3752", reach[x, y] * reach[x, z], ""),
        ("Section 3.3 joint probability of direct steps", "0.15", STEPS[x, y] * STEPS[x, z], ""),
        ("Section 3.3 P(a seen) after rank 1", "0.4", seen[0], ""),
        ("Section 3.3 P(a seen) after rank 2", "0.76", seen[1], ""),
        ("Section 3.3 P(a seen) after rank 3", "1", seen[2], "printed with 0.9 for 0.6 in a product with 0"),
    ]
    rows += [
        (f"Table 1 share of users (%), a first seen at {a or 'no rank'}, b at {b or 'no rank'}", f"{share:g}",
         100 * scenario_share((a, b)), "")
        for (a, b), share in SCENARIOS.items()
    ]  # fmt: skip
    rows += [
        (f"Table 1 A/ML at recall {recall}, column {column}", text, achievement(scenario, recall), "")
        for recall, printed in ACHIEVEMENTS.items()
        for column, (scenario, text) in enumerate(zip(SCENARIOS, printed.split(), strict=True), start=1)
    ]
    rows += [
        ("Table 1 sum of the shares of users (%)", "100", 100 * sum(map(scenario_share, SCENARIOS)), ""),
        ("Table 1 expected achievement/ML at recall 1", "0.81", _at(key, 1), ""),
        ("Table 1 expected achievement/ML at recall 2", "0.37", _at(key, 2), ""),
        ("Section 4 precision at recall 1", "0.81", 1 * _at(key, 1), ""),
        ("Section 4 precision at recall 2", "0.74", 2 * _at(key, 2), "printed from the rounded 0.37"),
        ("Section 4 standard precision at recall 1", "0.333", 1 * _at(standard, 1), ""),
        ("Section 4 standard precision at recall 2", "0", 2 * _at(standard, 2), ""),
        ("Section 5 users (%) with both elements after rank 1", "81", 100 * found_both[0], ""),
        ("Section 5 users (%) with both elements at rank 2", "9", 100 * found_both[1], ""),
        ("Section 5 users (%) with both elements at rank 3", "10", 100 * found_both[2], ""),
        ("Section 5 expected search length of the list (a b c) at recall 2", "1.29",
         _at(search_length(ideal, two), 2), ""),
        ("Section 7 values of the correlation (45 runs, 29 topics)", "645", 45 * 29, "45 x 29 = 1305"),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["quantity", "printed", "recomputed", "note"])
    digits = [len(text.partition(".")[2]) for text in table["printed"]]
    half = 0.5 * 10.0 ** -np.array(digits)
    table["printed"] = table["printed"].astype(float)
    table["agrees"] = (table["printed"] - table["recomputed"]).abs() <= half + 1e-12
    return table[["quantity", "printed", "recomputed", "agrees", "note"]]


def _place(rank: int) -> str:
    return str(rank) if rank else "never"


def table1() -> pd.DataFrame:
    """Table 1, a row for each of its columns: where a and b are first seen, share of users, A/ML.

    Columns a_first_seen, b_first_seen (rank), share_%, printed_%, and A/ML_r and printed_r for recall 1
    and 2; the last row has the sum of the shares, and the expectations.
    """
    known = printed_and_recomputed().set_index("quantity")[["recomputed", "printed"]]

    def pair(quantity: str) -> tuple[float, float]:
        here, there = known.loc[quantity]
        return float(here), float(there)

    rows: list[tuple[str | float, ...]] = []
    for column, (a, b) in enumerate(SCENARIOS, start=1):
        share = f"Table 1 share of users (%), a first seen at {a or 'no rank'}, b at {b or 'no rank'}"
        achieved = [x for r in (1, 2) for x in pair(f"Table 1 A/ML at recall {r}, column {column}")]
        rows.append((_place(a), _place(b), *pair(share), *achieved))
    expected = [x for r in (1, 2) for x in pair(f"Table 1 expected achievement/ML at recall {r}")]
    rows.append(("all users", "", *pair("Table 1 sum of the shares of users (%)"), *expected))
    names = ["share_%", "printed_%", "A/ML_1", "printed_1", "A/ML_2", "printed_2"]
    return pd.DataFrame(rows, columns=["a_first_seen", "b_first_seen", *names])


def numbers() -> pd.DataFrame:
    """Every number of Sections 2-5 (and the count of Section 7), without the cells of Table 1."""
    table = printed_and_recomputed()
    cells = table["quantity"].str.match("Table 1 (share|A/ML)")
    table = table[~cells].reset_index(drop=True)
    return table.assign(
        printed=table["printed"].map("{:g}".format),
        recomputed=table["recomputed"].map("{:.6g}".format),
        agrees=table["agrees"].map({True: "yes", False: "no"}),
    )
