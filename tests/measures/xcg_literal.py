"""The XCG measures as their equations say, with sets of characters and exact fractions."""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate


def exact(number):
    """Return the exact number, such as 1/3 for its nearest float, so that sums reach levels exactly."""
    return Fraction(float(number)).limit_denominator(10**6)


def scores_of(topic, quantisation):
    """Return the scores of Eq. 1 to 3 above 0 of judged elements; `?` is an exhaustivity of -1."""
    scores = {}
    for row, e, s in zip(topic.element, topic.exhaustivity, topic.specificity, strict=True):
        small, e = e == -1, max(float(e), 0.0)
        score = {
            "strict": 1.0 if e == 2 and s == 1 else 0.0,
            "gen": e * s,
            "genLifted": (e + 1) * s if e > 0 or small else 0.0,
            "specificity": s if e > 0 or small else 0.0,
        }[quantisation]
        scores[int(row)] = exact(score)
    return {row: score for row, score in scores.items() if score > 0}


def above(node):
    """Return the element and its ancestors, from the root down."""
    return [node] if node.parent is None else [*above(node.parent), node]


def descendants(node):
    return [d for child in node.children for d in [child, *descendants(child)]]


def preference(method, node, scores):
    size = node.end - node.start
    return {
        "paper": scores[node.row],
        "deepest": Fraction(len(above(node))),
        "density": scores[node.row] / size if size else Fraction(0),
        "article": Fraction(-len(above(node))),
    }[method]


def ideal_of(nodes, scores, method="paper"):
    """Return the ideal elements of Section 2: path by path, then without contained elements."""
    kept = set()
    for leaf in nodes:
        if leaf.row in scores and not any(d.row in scores for d in descendants(leaf)):
            path = [n for n in above(leaf) if n.row in scores]
            best = path[0]
            for node in path[1:]:
                if preference(method, node, scores) > preference(method, best, scores):
                    best = node
            kept.add(best.row)
    return {row for row in kept if not any(n.row in kept for n in above(nodes[row])[:-1])}


def focussed_gains(nodes, scores, ideal, results, alpha, own_text, capped=True):
    """Return the gains of Eq. 7 to 9, result by result; -1 is no element."""
    returned = set()
    seen = set()

    def quant(c):
        return scores.get(c.row, Fraction(0))

    def rv(c):
        if any(n.row in returned for n in above(c)) or (c.text and c.text <= seen):
            return (1 - alpha) * quant(c)
        if not c.text & seen:
            return quant(c)
        parts = sum((rv(child) * len(child.text) for child in c.children), Fraction(0))
        if own_text == "share":
            parts += quant(c) * len(c.own - seen) + (1 - alpha) * quant(c) * len(c.own & seen)
        return alpha * parts / len(c.text) + (1 - alpha) * quant(c)

    gains = []
    for row in results:
        if row < 0:
            gains.append(Fraction(0))
            continue
        c = nodes[row]
        gain = rv(c)
        holder = next((n for n in above(c) if n.row in ideal), None)
        if holder is not None and capped:
            held_gains = [
                g for g, r in zip(gains, results, strict=False) if r >= 0 and holder in above(nodes[r])
            ]
            gain = max(min(gain, quant(holder) - sum(held_gains)), Fraction(0))
        gains.append(gain)
        returned.add(row)
        seen |= c.text
    return gains


def plain_gains(scores, results):
    """Return the gains of Eq. 10; a repeated element gains 0."""
    return [
        scores.get(row, Fraction(0)) if row not in results[:i] else Fraction(0)
        for i, row in enumerate(results)
    ]


@dataclass
class Literal:
    """The measures of Sections 3.1, 3.3 and 3.4, from gains and ideal gains."""

    gain: list[Fraction]
    ideal: list[Fraction]

    def __post_init__(self):
        self.ideal = sorted(self.ideal, reverse=True)
        self._xcg = [Fraction(0), *accumulate(self.gain)]
        self._xci = [Fraction(0), *accumulate(self.ideal)]

    def xcg(self, i):
        return self._xcg[min(i, len(self.gain))]

    def xci(self, i):
        return self._xci[min(i, len(self.ideal))]

    @property
    def divisor(self):
        return max(len(self.ideal), sum(g > 0 for g in self.gain))

    @staticmethod
    def rank_of(cumulated, expected):
        """Return the rank at which the polyline through (0, 0), (1, G1), (2, G2) ... first reaches a gain."""
        rank = bisect_left(cumulated, expected)
        if rank == len(cumulated):
            return None
        before, after = cumulated[rank - 1], cumulated[rank]
        return rank - 1 + (expected - before) / (after - before)

    def ep(self, level):
        expected = level * self.xci(len(self.ideal))
        run, best = self.rank_of(self._xcg, expected), self.rank_of(self._xci, expected)
        return Fraction(0) if run is None or best is None else best / run

    def nxcg(self, i):
        return self.xcg(i) / self.xci(i)

    def value(self, name):
        measure, _, at = name.partition("@")
        ranks = [j for j, g in enumerate(self.gain, start=1) if g > 0]
        if measure == "nxCG":
            return self.nxcg(int(at))
        if measure == "MAnxCG":
            return sum((self.nxcg(j) for j in range(1, int(at) + 1)), Fraction(0)) / int(at)
        if measure == "ep":
            return self.ep(Fraction(at))
        if measure == "iMAep":
            return sum((self.ep(Fraction(k, 100)) for k in range(1, 101)), Fraction(0)) / 100
        if measure == "MAep":
            total = self.xci(len(self.ideal))
            best = [self.rank_of(self._xci, min(self.xcg(j), total)) for j in ranks]
            return sum((b / j for b, j in zip(best, ranks, strict=True) if b), Fraction(0)) / self.divisor
        if measure == "Q":
            precisions = [(self.xcg(j) + n) / (self.xci(j) + j) for n, j in enumerate(ranks, start=1)]
            return sum(precisions, Fraction(0)) / self.divisor
        if measure == "R":
            r = len(self.ideal)
            return (self.xcg(r) + sum(j <= r for j in ranks)) / (self.xci(r) + r)
        raise AssertionError(name)
