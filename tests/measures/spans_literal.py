"""Measures of text, words and spans, and those of TREC Genomics, once more: character by character, as they are told.

Nothing here uses the library. Spans are (document, start, end); documents are texts.
"""

import re

Span = tuple[int, int, int]


def characters(span: Span) -> list[tuple[int, int]]:
    document, start, end = span
    return [(document, i) for i in range(start, end)]


def words(texts: list[str], spans: list[Span]) -> set[tuple[int, int]]:
    """Document and number of each word of which some span has a character."""
    found = set()
    for document, text in enumerate(texts):
        mine = {i for span in spans for d, i in characters(span) if d == document}
        for number, word in enumerate(re.finditer(r"\S+", text)):
            if mine & set(range(*word.span())):
                found.add((document, number))
    return found


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def f1(p: float, r: float) -> float:
    return ratio(2 * p * r, p + r)


def read_characters(returned: list[Span], budget: int) -> list[Span]:
    """What is read until so many characters were read, one after another."""
    read = []
    for document, start, end in returned:
        stop = start
        while stop < end and budget:
            stop, budget = stop + 1, budget - 1
        read.append((document, start, stop))
    return read


def read_words(texts: list[str], returned: list[Span], budget: int) -> list[Span]:
    """What is read until so many words were read, one after another; a result that fits is read with its blanks."""
    read = []
    for document, start, end in returned:
        bounds = [word.span() for word in re.finditer(r"\S+", texts[document])]
        mine = [(a, b) for a, b in bounds if set(range(a, b)) & set(range(start, end))]
        if not budget:
            end = start
        elif len(mine) > budget:
            end = mine[budget - 1][1]
        budget = max(budget - len(mine), 0)
        read.append((document, start, end))
    return read


def text_scores(gold: list[Span], returned: list[Span]) -> dict[str, float]:
    """Precision, recall, F1 and IoU, once, summed and as Chroma has it."""
    relevant = {c for span in gold for c in characters(span)}
    seen = {c for span in returned for c in characters(span)}
    size = sum(len(characters(span)) for span in returned)
    hits = sum(c in relevant for span in returned for c in characters(span))
    p, r = ratio(len(seen & relevant), len(seen)), len(seen & relevant) / len(relevant)
    return {
        "char_precision": p,
        "char_recall": r,
        "char_F1": f1(p, r),
        "IoU": len(seen & relevant) / len(seen | relevant),
        "char_precision(counting=summed)": ratio(hits, size),
        "char_recall(counting=summed)": hits / len(relevant),
        "char_F1(counting=summed)": f1(ratio(hits, size), hits / len(relevant)),
        "IoU(counting=summed)": hits / (size + len(relevant) - hits),
        "IoU(counting=chroma)": len(seen & relevant) / (size + len(relevant - seen)),
    }


def word_scores(texts: list[str], gold: list[Span], returned: list[Span]) -> dict[str, float]:
    relevant, seen = words(texts, gold), words(texts, returned)
    p, r = ratio(len(seen & relevant), len(seen)), ratio(len(seen & relevant), len(relevant))
    return {"word_precision": p, "word_recall": r, "word_F1": f1(p, r)}


def span_counts(gold: list[Span], returned: list[Span], t: float) -> dict[str, tuple[int, int, int, int]]:
    """(right, returned, found, relevant) of the measures of spans."""
    sets = [set(characters(span)) for span in returned]
    golds = [set(characters(span)) for span in gold]
    pairs = []
    for i, mine in enumerate(sets):
        for j, wanted in enumerate(golds):
            if mine & wanted:
                pairs.append((len(mine & wanted) / len(mine | wanted), i, j))
    used_i, used_j = set(), set()
    for overlap, i, j in sorted(pairs, reverse=True):
        if overlap >= t and i not in used_i and j not in used_j:
            used_i.add(i)
            used_j.add(j)
    inside = [
        (i, j)
        for i, mine in enumerate(sets)
        for j, wanted in enumerate(golds)
        if mine and len(mine & wanted) / len(mine) >= t
    ]
    everything = set().union(*sets) if sets else set()
    covered = [wanted for wanted in golds if len(wanted & everything) / len(wanted) >= t]
    touched = [wanted for wanted in golds if wanted & everything]
    touching = [mine for mine in sets if any(mine & wanted for wanted in golds)]
    n, m = len(returned), len(gold)
    return {
        "span_F1": (len(used_i), n, len(used_j), m),
        "contained_F1": (len({i for i, _ in inside}), n, len({j for _, j in inside}), m),
        "gold_coverage": (len(touching), n, len(covered), m),
        "any_overlap": (len(touching), n, len(touched), m),
        "over_prediction": (len(touching), n, len(touched), m),
    }


def span_number(name: str, counts: tuple[float, ...]) -> float:
    right, returned, found, relevant = counts
    if name.startswith("over_prediction"):
        return ratio(returned, relevant)
    if name.startswith(("gold_coverage", "any_overlap")):
        return ratio(found, relevant)
    return f1(ratio(right, returned), ratio(found, relevant))


def genomics(gold: list[tuple[Span, list[str]]], ranked: list[tuple[int, Span]]) -> dict[str, float]:
    """The four measures; ``ranked`` has ranks with passages."""
    ranked = sorted(ranked, key=lambda one: (one[0], one[1][0], one[1][1], one[1][2] - one[1][1]))
    spans = [span for _, span in ranked]
    with_gold = {document for (document, _, _), _ in gold}
    documents = list(dict.fromkeys(document for document, _, _ in spans))
    precisions = [
        sum(d in with_gold for d in documents[: i + 1]) / (i + 1)
        for i, d in enumerate(documents)
        if d in with_gold
    ]
    found = {"DOCUMENT": sum(precisions) / len(with_gold)}

    met: set[Span] = set()
    relevant = read = hits = 0
    total = 0.0
    aspects: set[str] = set()
    aspect_total, aspect_hits, ranks = 0.0, 0, 0
    for span in spans:
        read += len(characters(span))
        first = next(((g, names) for g, names in gold if set(characters(g)) & set(characters(span))), None)
        if first is None:
            ranks += 1
            continue
        passage, names = first
        relevant += len(set(characters(passage)) & set(characters(span)))
        hits += 1
        total += relevant / read
        met.add(passage)
        new = set(names) - aspects
        if new:
            aspect_hits, ranks = aspect_hits + 1, ranks + 1
            aspect_total += len(new) * aspect_hits / ranks
        aspects |= new
    found["PASSAGE"] = total / (hits + len({g for g, _ in gold} - met))
    found["ASPECT"] = aspect_total / len({name for _, names in gold for name in names})

    wanted = {c for g, _ in gold for c in characters(g)}
    seen: set[tuple[int, int]] = set()
    good = charged = 0
    total = 0.0
    for span in spans:
        for character in characters(span):
            if character not in wanted:
                charged += 1
            elif character not in seen:
                seen.add(character)
                good, charged = good + 1, charged + 1
                total += good / charged
    found["PASSAGE2"] = total / len(wanted)
    return found
