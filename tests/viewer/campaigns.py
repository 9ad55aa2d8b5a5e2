"""Campaigns for pages: random ones in memory, and one with hostile content in every field."""

import json

import numpy as np

import focuseval
from focuseval.viewer.page import render

#: text to display and never to run: ends of a script and of an attribute, an element with a script, a template
HOSTILE = '</script><script>document.title="ran"</script><img src=x onerror=document.title="ran">"\'`${1}&lt;\u2028\u202e'

#: bytes of a page without data
EMPTY = len(render({"title": "", "runs": [], "measures": {}, "signature": ""}, {}, loads=True).encode())

MEASURES = ["char_recall", "char_precision", "AiP", "char_recall(counting=summed)"]


def text_of(rng, length):
    """Return Markdown with headings, paragraphs and letters beyond 16 bits."""
    words = ["compost", "water", "𝔘nicode", "soil", "bed", "🌱", "heap", "naïve"]
    parts = ["# Heading 0\n\n"]
    while sum(map(len, parts)) < length:
        number = len(parts)
        parts.append(
            f"## Heading {number}\n\n" if number % 4 == 0 else " ".join(rng.choice(words, 25)) + ".\n\n"
        )
    return "".join(parts)


def random_campaign(seed, topics=6, results=12, runs=3):
    """Return arguments of `focuseval.view`: overlapping gold and nested, overlapping and repeated results."""
    rng = np.random.default_rng(seed)
    texts = {f"doc{i}.md": text_of(rng, 700) for i in range(4)}

    def span(most):
        name = f"doc{rng.integers(0, 4)}.md"
        start = int(rng.integers(0, len(texts[name]) - 1))
        return {
            "document": name,
            "start": start,
            "end": min(len(texts[name]), start + int(rng.integers(1, most))),
        }

    gold = [{"topic": f"t{t}", **span(150)} for t in range(topics) for _ in range(4)]
    lists = {
        f"run {r}": [{"topic": f"t{t}", **span(300)} for t in range(topics) for _ in range(results)]
        for r in range(runs)
    }
    for name in lists:
        lists[name].insert(results - 1, lists[name][0])  # a result that is returned twice
    return {"measures": MEASURES, "gold": gold, "runs": lists, "texts": texts}


def view_of(campaign, **settings):
    """Return the view of a campaign."""
    measures = campaign["measures"]
    return focuseval.view(measures, **{k: v for k, v in campaign.items() if k != "measures"}, **settings)


def hostile_campaign():
    """Return a campaign with hostile names of runs, topics and documents, texts, headings, queries and title."""
    document = f"{HOSTILE}.md"
    text = f"# {HOSTILE}\n\n{HOSTILE} and more.\n\n## {HOSTILE}\n\nThe end. {HOSTILE}\n"
    gold = [{"topic": topic, "document": document, "start": 5, "end": 60} for topic in (HOSTILE, "other")]
    ranked = [
        {"topic": topic, "document": document, "start": s, "end": s + 50}
        for topic in (HOSTILE, "other")
        for s in (0, 30)
    ]
    return {
        "measures": ["AiP", "char_recall"],
        "gold": gold,
        "runs": {HOSTILE: ranked, f"{HOSTILE} too": ranked[::-1]},
        "texts": {document: text},
        "title": HOSTILE,
        "queries": {HOSTILE: HOSTILE},
    }


def write_xml(folder):
    """Write a collection of nested elements with gold and a run; return collection, assessments and run."""
    collection = folder / "xml"
    collection.mkdir()
    sections = "".join(
        f"<sec><st>Part {i}</st><p>Alpha <it>beta</it> gamma {i}.</p><p>Delta {i}.</p></sec>"
        for i in range(1, 4)
    )
    (collection / "a.xml").write_text(f"<article><fm><atl>Nested</atl></fm><bdy>{sections}</bdy></article>")
    (folder / "gold.jsonl").write_text(
        json.dumps({"topic": "1", "document": "a", "start": 12, "end": 30, "query": "What?"}) + "\n"
    )
    paths = [
        "/article[1]/bdy[1]/sec[1]",
        "/article[1]/bdy[1]/sec[1]/p[1]",
        "/article[1]/bdy[1]",
        "/article[1]/bdy[1]/sec[2]/p[1]/it[1]",
    ]
    lines = [
        f"<result><file>a</file><path>{path}</path><rank>{i}</rank></result>"
        for i, path in enumerate(paths, 1)
    ]
    (folder / "nested.xml").write_text(
        '<inex-submission participant-id="1" run-id="nested" task="Thorough" query="automatic">'
        f'<topic topic-id="1">{"".join(lines)}</topic></inex-submission>'
    )
    return collection, folder / "gold.jsonl", folder / "nested.xml"
