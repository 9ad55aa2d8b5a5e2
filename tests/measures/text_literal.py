"""A second implementation of the measures of passages, character by character and without the library.

Spans are (document, start, end); documents are texts. The functions in `TWINS` draw parameters and return the values of
measures on a random case, by name.
"""

import math
import re
from collections import defaultdict
from itertools import product

from tests.passages import Case, text_of


def characters(span):
    document, start, end = span
    return [(document, i) for i in range(start, end)]


def words(texts, spans):
    """Return document and number of each word that shares a character with a span."""
    numbered_words = set()
    for document, text in enumerate(texts):
        mine = {i for span in spans for d, i in characters(span) if d == document}
        for number, word in enumerate(re.finditer(r"\S+", text)):
            if mine & set(range(*word.span())):
                numbered_words.add((document, number))
    return numbered_words


def ratio(part, whole):
    return part / whole if whole else 0.0


def f1(p, r):
    return ratio(2 * p * r, p + r)


def read_characters(returned, budget):
    """Return the parts of spans that a reader sees within a number of characters."""
    read = []
    for document, start, end in returned:
        stop = start
        while stop < end and budget:
            stop, budget = stop + 1, budget - 1
        read.append((document, start, stop))
    return read


def read_words(texts, returned, budget):
    """Return the parts of spans that a reader sees within a number of words; a span that fits keeps its blanks."""
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


def text_scores(gold, returned):
    """Return precision, recall, F1 and IoU: counted once, summed, and as in Chroma."""
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


def word_scores(texts, gold, returned):
    relevant, seen = words(texts, gold), words(texts, returned)
    p, r = ratio(len(seen & relevant), len(seen)), ratio(len(seen & relevant), len(relevant))
    return {"word_precision": p, "word_recall": r, "word_F1": f1(p, r)}


def span_counts(gold, returned, t):
    """Return (right, returned, found, relevant) for the measures of spans."""
    sets = [set(characters(span)) for span in returned]
    golds = [set(characters(span)) for span in gold]
    pairs = []
    for i, mine in enumerate(sets):
        for j, expected in enumerate(golds):
            if mine & expected:
                pairs.append((len(mine & expected) / len(mine | expected), i, j))
    used_i, used_j = set(), set()
    for overlap, i, j in sorted(pairs, reverse=True):
        if overlap >= t and i not in used_i and j not in used_j:
            used_i.add(i)
            used_j.add(j)
    inside = [
        (i, j)
        for i, mine in enumerate(sets)
        for j, expected in enumerate(golds)
        if mine and len(mine & expected) / len(mine) >= t
    ]
    everything = set().union(*sets) if sets else set()
    covered = [expected for expected in golds if len(expected & everything) / len(expected) >= t]
    touched = [expected for expected in golds if expected & everything]
    touching = [mine for mine in sets if any(mine & expected for expected in golds)]
    n, m = len(returned), len(gold)
    return {
        "span_F1": (len(used_i), n, len(used_j), m),
        "contained_F1": (len({i for i, _ in inside}), n, len({j for _, j in inside}), m),
        "gold_coverage": (len(touching), n, len(covered), m),
        "any_overlap": (len(touching), n, len(touched), m),
        "over_prediction": (len(touching), n, len(touched), m),
    }


def span_number(name, counts):
    right, returned, covered, relevant = counts
    if name.startswith("over_prediction"):
        return ratio(returned, relevant)
    if name.startswith(("gold_coverage", "any_overlap")):
        return ratio(covered, relevant)
    return f1(ratio(right, returned), ratio(covered, relevant))


def genomics(gold, ranked):
    """Return the four measures of TREC Genomics; ``ranked`` has pairs of rank and passage."""
    ranked = sorted(ranked, key=lambda one: (one[0], one[1][0], one[1][1], one[1][2] - one[1][1]))
    spans = [span for _, span in ranked]
    with_gold = {document for (document, _, _), _ in gold}
    documents = list(dict.fromkeys(document for document, _, _ in spans))
    precisions = [
        sum(d in with_gold for d in documents[: i + 1]) / (i + 1)
        for i, d in enumerate(documents)
        if d in with_gold
    ]
    scores = {"DOCUMENT": sum(precisions) / len(with_gold)}

    met = set()
    relevant = read = hits = 0
    total = 0.0
    aspects = set()
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
    scores["PASSAGE"] = total / (hits + len({g for g, _ in gold} - met))
    scores["ASPECT"] = aspect_total / len({name for _, names in gold for name in names})

    expected = {c for g, _ in gold for c in characters(g)}
    seen = set()
    good = charged = 0
    total = 0.0
    for span in spans:
        for character in characters(span):
            if character not in expected:
                charged += 1
            elif character not in seen:
                seen.add(character)
                good, charged = good + 1, charged + 1
                total += good / charged
    scores["PASSAGE2"] = total / len(expected)
    return scores


def joined(case):
    """Return the characters of each gold passage; passages that touch are joined."""
    passages = []
    for document, at in sorted(case.relevant):
        if passages and (document, at - 1) in passages[-1]:
            passages[-1].add((document, at))
        else:
            passages.append({(document, at)})
    return passages


def items(case, gold):
    """Return the characters of each distinct gold passage, as judged or joined."""
    judged = dict.fromkeys(mark for mark in case.highlights if mark[2] > mark[1])
    return joined(case) if gold == "joined" else [set(characters(mark)) for mark in judged]


def first_finds_of(case, share, gold="judged"):
    """Return whether each result is relevant, how many passages it finds first, and the number of passages."""
    passages = items(case, gold)
    read = set()
    seen = set()
    relevant, first_finds = [], []
    for i in range(len(case.passages)):
        text = set(case.text(i))
        meets = {n for n, p in enumerate(passages) if p & text and len(p & text) >= share * len(p) - 1e-9}
        relevant.append(any(n not in read or (passages[n] & text) - seen for n in meets))
        first_finds.append(len(meets - read))
        read |= meets
        seen |= text
    return relevant, first_finds, len(passages)


def literal_average(case, rule, credit, precision, divisor, gold, k):
    """Return AP@k of passages that results touch or adjoin, or that share a document, from sets of characters."""
    passages = items(case, gold)
    read_before = set()
    read = []
    relevant, added = 0, 0.0
    for i, (document, start, end) in enumerate(case.passages[:k]):
        text = case.text(i)
        if rule != "in-document":
            adjoins = rule == "adjoins" and start is not None
            around = {(document, at) for at in range(start - 1, end + 1)} if adjoins else text
            meets = {n for n, passage in enumerate(passages) if passage & around}
        else:  # of a result that is nowhere its document is not known either
            meets = {
                n for n, p in enumerate(passages) if start is not None and document in {of for of, _ in p}
            }
        pieces = min(len(meets), 1) if credit == "every" else len(meets - read_before)
        read_before |= meets
        read += sorted(text)
        relevant += pieces > 0
        seen = read if credit == "every" else sorted(set(read))
        of_text = sum(one in case.relevant for one in seen) / max(len(seen), 1)
        added += pieces * (of_text if precision == "text" else relevant / (i + 1))
    return added / (min(k, len(passages)) if divisor == "at-most-k" else len(passages))


def runs_of(units):
    """Return the maximal half-open runs of units."""
    starts = sorted(u for u in units if u - 1 not in units)
    ends = sorted(u + 1 for u in units if u + 1 not in units)
    return list(zip(starts, ends, strict=True))


def merged(gold):
    units = defaultdict(set)
    for document, start, end in gold:
        units[document] |= set(range(start, end))
    return [(document, *run) for document in sorted(units) for run in runs_of(units[document])]


def average_precision(first_finds, total):
    hits, added = 0, 0.0
    for rank, pieces in enumerate(first_finds, 1):
        hits += pieces > 0
        added += pieces * hits / rank
    return added / total


def bins_average(gold, read, length, binned):
    def of(document, start, end):
        units = range(start, end) if binned == "whole" else [start]
        return list(dict.fromkeys((document, unit // length) for unit in units))

    relevant = {one for segment in gold for one in of(*segment)}
    listed = dict.fromkeys(one for segment in read for one in of(*segment))
    return average_precision([int(one in relevant) for one in listed], len(relevant))


def tolerant_average(gold, read, tolerance, windows):
    def meet(low, high, start, end):
        return low < end and start < high if windows == "half-open" else low <= end and start <= high

    segments, seen, hits = sorted(set(gold)), [], []
    for document, start, end in read:
        met = [
            (high - low, -low, high)
            for of, low, high in segments
            if of == document and meet(low, high, start, start + tolerance)
        ]
        is_seen = any(of == document and meet(low, high, start, end) for of, low, high in seen)
        if met and not is_seen:
            seen.append((document, start, max(max(met)[2], start + tolerance)))
        hits.append(int(bool(met) and not is_seen))
    return average_precision(hits, len(segments))


def maisp(gold, read):
    """Return MAiSP: the user watches each result from its start to its end, or the last end of a met segment."""
    unseen = defaultdict(set)
    for document, start, end in gold:
        unseen[document] |= set(range(start, end))
    total = sum(map(len, unseen.values()))
    watched, seen, moments = 0, 0, []
    for document, start, end in read:
        pieces = [set(range(*place)) & unseen[of] for of, *place in gold if of == document]
        met = [high for piece in pieces for low, high in runs_of(piece) if low < end and start < high]
        for unit in range(start, max([end, *met])):
            watched += 1
            if unit in unseen[document]:
                unseen[document].remove(unit)
                seen += 1
                moments.append((seen, watched))
    precision = []
    for level in range(1, 101):
        point = level * total / 100
        reached = [(units, at) for units, at in moments if units >= point - 1e-9]
        if reached:
            units, at = reached[0]
            precision.append(point / (at - (units - point)))
    highest = [max(precision[i:]) for i in range(len(precision))]
    return (1 + sum(highest)) / 101 if highest else 0.0


def read_once(gold, read, total, worth):
    seen, position, added = set(), 0, 0.0
    for document, start, end in read:
        for unit in range(start, end):
            if (document, unit) in gold - seen:
                added += worth(position)
            seen.add((document, unit))
            position += 1
    return added / total


def inst(relevant, T, ranks=0):
    """Return INST by its recursion over ``ranks`` ranks, else over 20,000 ranks and an integral for the rest."""
    weight, expected, added, total = 1.0, T, 0.0, 0.0
    for rank in range(1, (ranks or 20_000) + 1):
        hit = rank <= len(relevant) and relevant[rank - 1]
        added, total = added + weight * hit, total + weight
        expected -= hit
        weight *= ((rank + T + expected - 1) / (rank + T + expected)) ** 2
    return added / (total + (0 if ranks else weight * (rank + T + expected + 0.5)))


def map_of_moments(gold, read):
    """Return mAP of moments like the program of QVHighlights: threshold by threshold over results and gold."""
    added = 0.0
    for threshold in [x / 100 for x in range(50, 100, 5)]:
        matched, hits = set(), []
        for mine in map(set, map(characters, read)):
            by_overlap = sorted(
                (
                    (len(mine & set(characters(g))) / len(mine | set(characters(g))), i)
                    for i, g in enumerate(gold)
                ),
                reverse=True,
            )
            free = [i for overlap, i in by_overlap if overlap >= threshold - 1e-9 and i not in matched]
            matched |= set(free[:1])
            hits.append(bool(free))
        points = [(sum(hits[:k]) / len(gold), sum(hits[:k]) / k) for k in range(1, len(hits) + 1)]
        before = 0.0
        for recall in sorted({recall for recall, _ in points}):
            added += (recall - before) * max(precision for other, precision in points if other >= recall)
            before = recall
    return added / 10


def plagdet(gold, read):
    relevant, returned = (set().union(*map(characters, some)) for some in (gold, read))
    shares = [len(c & relevant) / len(c) if (c := set(characters(p))) else 0 for p in read]
    precision = sum(shares) / len(read) if read else 0
    recall = sum(len(set(characters(g)) & returned) / len(set(characters(g))) for g in gold) / len(gold)
    detections = [sum(bool(set(characters(g)) & set(characters(p))) for p in read) for g in gold]
    detected = [count for count in detections if count]
    granularity = sum(detected) / len(detected) if detected else 1
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    return [f1 / math.log2(1 + granularity), precision, recall, granularity]


def diversity(gold, read, alpha, beta, k):
    """Return the measures of `NAMES` at k, alpha and beta, set by set."""
    passages = {}
    for passage, names in gold:
        passages[passage] = passages.get(passage, set()) | names
    aspects = set().union(*passages.values())

    def worth(names, counts):
        return sum((1 - alpha) ** counts[name] for name in names)

    counts, met, gains, recall = dict.fromkeys(aspects, 0), set(), [], []
    for document, start, end in read:
        now = {p for p in passages if p[0] == document and set(range(start, end)) & set(range(p[1], p[2]))}
        names = set().union(*(passages[p] for p in now - met))
        met |= now
        gains.append(worth(names, counts))
        counts.update({name: counts[name] + 1 for name in names})
        recall.append(sum(count > 0 for count in counts.values()) / len(aspects))
    counts, left, ideal = dict.fromkeys(aspects, 0), sorted(passages, reverse=True), []
    while left:
        best = max(left, key=lambda p: worth(passages[p], counts))
        ideal.append(worth(passages[best], counts))
        counts.update({name: counts[name] + 1 for name in passages[best]})
        left.remove(best)

    def discounted(gains):
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))

    highest = sum((1 - alpha) ** (rank - 1) / rank for rank in range(1, k + 1))
    return {
        f"StRecall@{k}": recall[min(k, len(recall)) - 1] if recall else 0.0,
        f"alpha_nDCG(alpha={alpha})@{k}": discounted(gains) / discounted(ideal),
        f"ERR_IA(alpha={alpha})@{k}": sum(gain / rank for rank, gain in enumerate(gains[:k], 1))
        / len(aspects)
        / highest,
        f"NRBP(alpha={alpha},beta={beta})": (1 - (1 - alpha) * beta)
        / len(aspects)
        * sum(gain * beta**i for i, gain in enumerate(gains)),
    }


def articles(case):
    """Return the results of each article, in order of first results; each unknown document is separate."""
    results_of_articles = {}
    for i, (document, _, _) in enumerate(case.passages):
        results_of_articles.setdefault(("unknown", i) if document < 0 else document, []).append(i)
    return list(results_of_articles.values())


def document_of(case, results):
    return case.passages[results[0]][0]


def inside(characters, document):
    return {c for c in characters if c[0] == document and document >= 0}


def literal_generalised(scores, relevant, total, rank):
    """Return gP and gR at a rank, and AgP."""
    precision = [math.fsum(scores[: r + 1]) / (r + 1) for r in range(len(scores))]
    average = math.fsum(p for p, hit in zip(precision, relevant, strict=True) if hit) / total
    return math.fsum(scores[:rank]) / rank, sum(relevant[:rank]) / total, average


def reader(case, indices, tolerance):
    """Read one article character by character."""
    document = document_of(case, indices)
    relevant = inside(case.relevant, document)
    if not relevant:
        return 0.0
    good = 0
    bad = sum(18 for i in indices if case.passages[i][1] is None)
    returned = {c for i in indices for c in case.text(i) if c[1] >= 0}
    whole = [(document, i) for i in range(case.lengths[document])]
    for character in [c for c in whole if c in returned] + [c for c in whole if c not in returned]:
        if bad >= tolerance:
            break
        good, bad = (good + 1, bad) if character in relevant else (good, bad + 1)
    return good / (good + min(bad, tolerance))


# Values of measures by their names on a random case; parameters are drawn.


def gold_of(case):
    """Return the gold spans in the order of the file."""
    return [span for span in case.highlights if span[2] > span[1]]


def read_of(case):
    """Return the resolved results."""
    return [(d, start, end) for d, start, end in case.passages if start is not None and end is not None]


def text_twin(rng, case):
    """Return measures of text in characters and words: of the list, up to a rank, and on budgets."""
    rank, budget, words_read = (int(n) for n in rng.integers(1, [10, 60, 15]))
    gold, read, texts = gold_of(case), read_of(case), [text_of(i, n) for i, n in enumerate(case.lengths)]
    parts = {"": read, f"@{rank}": read[:rank], f"@{budget}c": read_characters(read, budget)}
    parts[f"@{words_read}w"] = read_words(texts, read, words_read)
    return {
        name + behind: value
        for behind, part in parts.items()
        for name, value in (
            text_scores(gold, part) | word_scores(texts, gold, part) | interpolated(case, part, behind)
        ).items()
    }


def interpolated(case, read, behind):
    """Return AiP, counted once and charged, which have no ranks, and iP at a level."""
    values = {}
    for charged in () if behind[1:].isdigit() else (False, True):
        seen = set()
        points, paid = [], 0
        for span in read:
            seen |= set(characters(span))
            paid += len(characters(span))
            good = len(seen & case.relevant)
            points.append((good / len(case.relevant), ratio(good, paid if charged else len(seen))))
        best = [max((p for r, p in points if 100 * r >= x - 1e-7), default=0.0) for x in range(101)]
        values["AiP(again=charged)" if charged else "AiP"] = math.fsum(best) / 101
        if not behind:
            again = "(again=charged)" if charged else ""
            values |= {f"iP{again}@{x / 100}": best[x] for x in (0, 10, 37, 100)}
    return values


def spans_twin(rng, case):
    """Return measures of whole spans, moments and cases."""
    gold, read = list(dict.fromkeys(gold_of(case))), read_of(case)
    t = float(rng.choice([0.01, 0.2, 1 / 3, 0.5, 0.8, 1.0]))
    expected = {
        name if name in ("any_overlap", "over_prediction") else f"{name}@{t!r}": span_number(name, counts)
        for name, counts in span_counts(gold, read, t).items()
    }
    k = int(rng.integers(1, 5))
    pairs = [(set(characters(one)), set(characters(other))) for one in read[:k] for other in gold]
    expected[f"IoU_R(t={t!r})@{k}"] = float(any(len(a & b) / len(a | b) >= t - 1e-9 for a, b in pairs))
    names = ("plagdet", "plagdet.precision", "plagdet.recall", "plagdet.granularity")
    return (
        expected
        | dict(zip(names, plagdet(gold, read), strict=True))
        | {"IoU_mAP": map_of_moments(gold, read)}
    )


def classical_twin(rng, case):
    """Return trec_eval's measures for gold passages that results touch or cover."""
    share, k = float(rng.choice([0.1, 0.5, 0.7, 1.0])), int(rng.integers(1, 8))
    expected = {}
    rules = (("relevant=touches", 0.0), (f"relevant=covers,share={share}", share))
    for (relevance, least), gold in product(rules, ("judged", "joined")):
        rule = f"{relevance},gold={gold}"
        relevant, first_finds, total = first_finds_of(case, least, gold)
        precision = [sum(relevant[:r]) / r for r in range(1, len(relevant) + 1)]
        first = relevant.index(True) + 1 if True in relevant else math.inf
        dcg = sum(1 / math.log2(r + 1) for r, n in enumerate(first_finds[:k], 1) if n)
        expected |= {
            f"P({rule})@{k}": sum(relevant[:k]) / k,
            f"Recall({rule})@{k}": sum(first_finds[:k]) / total,
            f"Success({rule})@{k}": float(first <= k),
            f"Success({rule},of=all)@{k}": float(sum(first_finds[:k]) == total),
            f"RR({rule})": 1 / first,
            f"RR({rule})@{k}": 1 / first if first <= k else 0.0,
            f"AP({rule})": sum(p * n for p, n in zip(precision, first_finds, strict=True)) / total,
            f"AP({rule})@{k}": sum(p * n for p, n in zip(precision[:k], first_finds, strict=False)) / total,
            f"nDCG({rule})@{k}": dcg / sum(1 / math.log2(r + 1) for r in range(1, min(k, total) + 1)),
        }
    settings = product(
        *(("touches", "adjoins", "in-document"), ("once", "every"), ("results", "text")),
        *(("all", "at-most-k"), ("judged", "joined")),
    )
    for rule, credit, precise, divisor, gold in settings:
        name = f"AP(relevant={rule},credit={credit},precision={precise},divisor={divisor},gold={gold})@{k}"
        expected[name] = literal_average(case, rule, credit, precise, divisor, gold, k)
    return expected


def segments_twin(rng, case):
    """Return measures of segments of recordings."""
    gold, read, units = gold_of(case), with_text(case), int(rng.integers(1, 12))
    return {
        **{
            f"bin_AP(length={units},binned={b})": bins_average(gold, read, units, b)
            for b in ("whole", "start")
        },
        **{
            f"tolerant_AP(tolerance={units},windows={w},gold={which})": tolerant_average(of, read, units, w)
            for w in ("half-open", "closed")
            for which, of in (("judged", gold), ("joined", merged(gold)))
        },
        "MAiSP": maisp(gold, read),
    }


def reading_twin(rng, case):
    """Return measures of readers who stop."""
    read, gold, size = read_of(case), set(case.relevant), len(case.relevant)
    length, rate, target = (
        float(rng.choice(some)) for some in ([7, 30.5, 200], [0.5, 0.8, 0.95], [1, 1.5, 4])
    )
    p = 2 ** (-1 / length)
    relevant, _, _ = first_finds_of(Case(case.lengths, case.highlights, {}, read), 0.0)
    expected = {
        f"U(L={length})": read_once(gold, read, size, lambda t: max(0, 1 - (t + 1) / length)),
        f"TBG(h={length})": read_once(gold, read, size, lambda t: p**t),
        f"char_RBP(h={length})": read_once(gold, read, 1, lambda t: (1 - p) * p**t),
        f"RBP(p={rate},relevant=touches)": sum((1 - rate) * rate**i for i, hit in enumerate(relevant) if hit),
    }
    return expected | (
        {f"INST(T={target},relevant=touches)": inst(relevant, target)} if rng.random() < 0.1 else {}
    )


def diversity_twin(rng, case):
    """Return measures of aspects of gold passages."""
    gold = gold_of(case)
    aspect_sets = [set(names.split("|")) for names in case.topic.spans.aspects]
    alpha, beta, k = (
        float(rng.choice([0.25, 0.5, 1])),
        float(rng.choice([0.25, 0.5])),
        int(rng.integers(1, 9)),
    )
    return diversity(list(zip(gold, aspect_sets, strict=True)), read_of(case), alpha, beta, k)


def context_twin(rng, case):
    """Return measures of articles and their relevant text."""
    beta, tolerance, n = (
        float(rng.choice([0.0, 0.25, 1.0, 2.0])),
        int(rng.integers(1, 40)),
        int(rng.integers(1, 40)),
    )
    marked, listed, rank = (
        {document for document, _ in case.relevant},
        articles(case),
        int(rng.integers(1, 8)),
    )
    relevant = [document_of(case, indices) in marked for indices in listed]
    f_scores, entries = [], []
    for indices in listed:
        document, start, _ = case.passages[indices[0]]
        returned = frozenset().union(*(case.text(i) for i in indices))
        expected = inside(case.relevant, document)
        common = len(expected & returned)
        p, r = (common / len(returned), common / len(expected)) if common else (0.0, 0.0)
        f_scores.append((1 + beta**2) * p * r / (beta**2 * p + r) if common else 0.0)
        hit = document in case.entry_point and start is not None
        entries.append(max(0.0, 1 - abs(start - case.entry_point[document]) / n) if hit else 0.0)
    tolerant = [reader(case, indices, tolerance) for indices in listed]
    of_relevant = [f for f, hit in zip(f_scores, relevant, strict=True) if hit]
    precision, recall, average = literal_generalised(f_scores, relevant, len(marked), rank)
    return {
        f"F(beta={beta})": sum(of_relevant) / len(of_relevant) if of_relevant else 0.0,
        f"F(beta={beta})@{rank}": f_scores[rank - 1] if rank <= len(f_scores) else 0.0,
        f"gP(beta={beta})@{rank}": precision,
        f"gR@{rank}": recall,
        f"AgP(beta={beta})": average,
        f"T2I(tolerance={tolerance})": literal_generalised(tolerant, relevant, len(marked), rank)[2],
        f"BEP(n={n})": literal_generalised(entries, relevant, len(marked), rank)[2],
        "MAP": literal_generalised(list(map(float, relevant)), relevant, len(marked), rank)[2],
    }


def with_text(case):
    """Return the results that have text."""
    return [span for span in read_of(case) if span[2] > span[1]]


#: the compared measures, and the list that they score
TWINS = {
    text_twin: read_of,
    spans_twin: read_of,
    classical_twin: lambda case: case.passages,
    segments_twin: with_text,
    reading_twin: read_of,
    diversity_twin: read_of,
    context_twin: lambda case: case.passages,
}
