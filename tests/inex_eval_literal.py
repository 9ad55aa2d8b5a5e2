"""INEX's program once more, literally: line by line and character by character, for small files.

Written from what the program does (docs/coming-from.md), without anything of the library. Only for
runs that keep the rules of their task, with each topic in one place.
"""

import math

TOLERANCE = 300


def ratio(part, whole):
    return part / whole if whole else math.nan


def scores(task, qrels, run, complete):
    """By topic: num_ret, num_rel, num_rel_ret, ret_size, rel_size, rel_ret_size, and AiP or AgP."""
    relevant = {}
    length = {}
    num_rel = {}
    rel_size = {}
    for line in qrels:
        topic, _, article, size, whole, *rest = line.split()
        articles = relevant.setdefault(topic, {})
        num_rel[topic] = num_rel.get(topic, 0) + (int(size) > 0)
        rel_size[topic] = rel_size.get(topic, 0) + int(size)
        length.setdefault(topic, {})[article] = int(whole)
        if int(size) > 0:
            marked = articles.setdefault(article, set())
            for passage in rest[1:]:
                start, many = map(int, passage.split(":"))
                marked |= set(range(start, start + many))
    results = {}
    for line in run:
        topic, _, *result = line.split()
        if topic in relevant:
            results.setdefault(topic, []).append(result)
    topics = sorted(relevant) if complete else sorted(results)
    report = {}
    for topic in topics:
        of_topic = of_text if task in ("thorough", "focused") else of_articles
        judgements = relevant[topic], length[topic], num_rel[topic], rel_size[topic]
        values = of_topic(task, results.get(topic, []), *judgements)
        report[topic] = {**values, "num_rel": num_rel[topic], "rel_size": rel_size[topic]}
    return report


def interval(result):
    """Return the characters of a result; None if they are unknown."""
    offset, many = result[4], result[5]
    return None if offset in ("X", "-1") else range(int(offset), int(offset) + int(many))


def of_text(task, results, relevant, length, num_rel, rel_size):
    best = [0.0] * 101
    seen = {}
    retrieved = good = 0
    for result in results:
        article, text = result[0], interval(result)
        marked, read = relevant.get(article, set()), seen.setdefault(article, set())
        if text is None:
            retrieved += 0 if marked and task == "thorough" else 18
        else:
            new = set(text) - read if marked else set(text)
            retrieved += len(new)
            good += len(new & marked)
            read |= set(text)
        recall = ratio(good, rel_size)
        slot = 0 if math.isnan(recall) else math.floor(100 * recall)
        if retrieved:
            best[slot] = max(best[slot], good / retrieved)
    curve = [max(best[slot:]) for slot in range(101)]
    return {
        "num_ret": len(seen),
        "num_rel_ret": len(seen.keys() & relevant.keys()),
        "ret_size": retrieved,
        "rel_ret_size": good,
        "AiP": sum(curve) / 101,
    }


def of_articles(task, results, relevant, length, num_rel, rel_size):
    order = list(dict.fromkeys(result[0] for result in results))
    total = sum_of_precisions = 0.0
    retrieved = good = 0
    for rank, article in enumerate(order, 1):
        marked = relevant.get(article, set())
        returned = set()
        lost = 0
        last = length.get(article, 0)
        for result in results:
            if result[0] == article:
                text = interval(result)
                returned |= set(text or ())
                lost += text is None
                last = max(last, text.start if text is not None else 0)
        charged = len(returned) + 18 * lost
        retrieved += charged
        good += len(returned & marked)
        if task == "t2i":
            total += reading(marked, returned, last) if marked else 0.0
        elif returned & marked:
            precision, recall = len(returned & marked) / charged, len(returned & marked) / len(marked)
            total += (1 + 1 / 16) * precision * recall / (precision / 16 + recall)
        if marked:
            sum_of_precisions += total / rank
    return {
        "num_ret": len(order),
        "num_rel_ret": sum(article in relevant for article in order),
        "ret_size": retrieved,
        "rel_ret_size": good,
        "AgP": ratio(sum_of_precisions, num_rel),
    }


def reading(marked, returned, last):
    """A reader reads the returned text, then the rest, up to the 300th irrelevant character.

    The rest reaches to the end of the article, or to the start of a passage that begins beyond it.
    """
    good = bad = 0
    for character in [*sorted(returned), *(c for c in range(last) if c not in returned)]:
        if bad == TOLERANCE:
            break
        good += character in marked
        bad += character not in marked
    return good / (good + bad)
