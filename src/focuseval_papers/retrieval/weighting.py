"""How systems score an element for a query: BM25 and its kin, language models, tf-idf.

Every function takes the ``Statistics`` of the elements of one topic and returns one score for each,
higher is better. Elements that hold no word of the query are not scored. With tf the occurrences of a
word in the element, l its length, L the mean length, N the number of elements a system ranks, n of
them with the word, and p the word's share of the collection; sums are over the words of the query,
each as often as it stands there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from focuseval.model.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Statistics:
    """What is counted for one query: C candidate elements, T words of the query."""

    tf: Floats  #: (T, C) occurrences of each word in each element
    length: Floats  #: (C,) words of each element, stop words left out
    query: Floats  #: (T,) occurrences of each word in the query
    share: Floats  #: (T,) occurrences in the collection, divided by the collection's length
    elements: int  #: elements of the kind that the system ranks
    holding: Ints  #: (T,) how many of them hold each word
    mean_length: float  #: their mean length


def robertson(s: Statistics, *, k1: float, b: float) -> Floats:
    """Σ max(0, ln((N - n + ½) / (n + ½))) · tf (k1 + 1) / (tf + k1 (1 - b + b l / L)).

    Robertson et al., Okapi at TREC-3, 1994.
    """
    idf = np.maximum(np.log((s.elements - s.holding + 0.5) / (s.holding + 0.5)), 0.0)
    return _sum(s.query * idf, s.tf * (k1 + 1) / (s.tf + _pivot(s, k1, b)))


def lucene(s: Statistics, *, k1: float, b: float) -> Floats:
    """Σ ln(1 + (N - n + ½) / (n + ½)) · tf / (tf + k1 (1 - b + b l / L)).

    Apache Lucene, BM25Similarity.
    """
    idf = np.log1p((s.elements - s.holding + 0.5) / (s.holding + 0.5))
    return _sum(s.query * idf, s.tf / (s.tf + _pivot(s, k1, b)))


def bm25_plus(s: Statistics, *, k1: float, b: float, delta: float) -> Floats:
    """Σ over tf > 0 of ln((N + 1) / n) · (δ + tf (k1 + 1) / (tf + k1 (1 - b + b l / L))).

    Lv and Zhai, CIKM 2011.
    """
    gain = np.where(s.tf > 0, delta + s.tf * (k1 + 1) / (s.tf + _pivot(s, k1, b)), 0.0)
    return _sum(s.query * _idf(s), gain)


def bm25_l(s: Statistics, *, k1: float, b: float, delta: float) -> Floats:
    """Σ over tf > 0 of ln((N + 1) / (n + ½)) · (k1 + 1)(c + δ) / (k1 + c + δ).

    c = tf / (1 - b + b l / L). Lv and Zhai, SIGIR 2011.
    """
    raised = s.tf / _pivot(s, 1.0, b) + delta
    gain = np.where(s.tf > 0, (k1 + 1) * raised / (k1 + raised), 0.0)
    return _sum(s.query * np.log((s.elements + 1) / (s.holding + 0.5)), gain)


def dirichlet(s: Statistics, *, mu: float) -> Floats:
    """Σ ln(1 + tf / (μ p)) + ln(μ / (l + μ)): likelihood over that under the collection.

    Zhai and Lafferty, TOIS 2004.
    """
    return _sum(s.query, np.log1p(s.tf / (mu * s.share[:, None]))) + s.query.sum() * np.log(
        mu / (s.length + mu)
    )


def jelinek_mercer(s: Statistics, *, weight: float) -> Floats:
    """Σ ln(1 + (1 - λ) tf / (λ l p)), with λ the weight of the collection.

    Zhai and Lafferty, TOIS 2004.
    """
    return _sum(s.query, np.log1p((1 - weight) / weight * s.tf / (s.length * s.share[:, None])))


def tf_idf(s: Statistics) -> Floats:
    """Σ tf · ln((N + 1) / n)."""
    return _sum(s.query * _idf(s), s.tf)


def log_tf_idf(s: Statistics) -> Floats:
    """Σ over tf > 0 of (1 + ln tf) · ln((N + 1) / n), divided by the square root of l."""
    return _sum(s.query * _idf(s), _log_tf(s)) / np.sqrt(s.length)


def pivoted(s: Statistics, *, slope: float) -> Floats:
    """Σ over tf > 0 of (1 + ln(1 + ln tf)) / (1 - σ + σ l / L) · ln((N + 1) / n).

    Singhal et al., SIGIR 1996.
    """
    gain = np.where(s.tf > 0, 1 + np.log(np.maximum(_log_tf(s), 1.0)), 0.0)
    return _sum(s.query * _idf(s), gain) / _pivot(s, 1.0, slope)


def _sum(weight: Floats, gain: Floats) -> Floats:
    """(C,) sum over words of weight (T,) times gain (T, C), word by word.

    Not a matrix product: its rounding depends on where an element stands, and equal elements must tie.
    """
    total = np.zeros(gain.shape[1])
    for word_weight, word_gain in zip(weight, gain, strict=True):
        total += word_weight * word_gain
    return total


def _pivot(s: Statistics, k1: float, b: float) -> Floats:
    """(C,) ``k1 (1 - b + b l / L)``."""
    return k1 * (1 - b + b * s.length / s.mean_length)


def _idf(s: Statistics) -> Floats:
    return np.log((s.elements + 1) / np.maximum(s.holding, 1))


def _log_tf(s: Statistics) -> Floats:
    return np.where(s.tf > 0, 1 + np.log(np.maximum(s.tf, 1)), 0.0)


WEIGHTINGS: dict[str, Callable[..., Floats]] = {
    "robertson": robertson,
    "lucene": lucene,
    "bm25+": bm25_plus,
    "bm25l": bm25_l,
    "dirichlet": dirichlet,
    "jelinek-mercer": jelinek_mercer,
    "tf-idf": tf_idf,
    "log-tf-idf": log_tf_idf,
    "pivoted": pivoted,
}

#: weightings whose scores are logarithms of probabilities
LOGARITHMIC = ("dirichlet", "jelinek-mercer")


def with_length_prior(scores: Floats, length: Floats, weighting: str, exponent: float) -> Floats:
    """Scores under the belief that an element is relevant in proportion to a power of its length.

    Logarithms of probabilities gain ``exponent · ln l``; other scores are multiplied by ``(1 + ln l)``
    to the power of the exponent. The exponent 0 changes nothing.
    """
    if exponent == 0:
        return scores
    if weighting in LOGARITHMIC:
        return scores + exponent * np.log(length)
    return scores * (1 + np.log(length)) ** exponent
