"""Retrieval against literal implementations: counts of words in an element's own text, formulas as loops."""

import math
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import Stemmer

from focuseval.errors import InputError
from focuseval_papers.retrieval.search import retrieve_all, without_overlap
from focuseval_papers.retrieval.systems import (
    KINDS_OF_ELEMENTS,
    STOP_WORDS,
    SYSTEMS,
    WEIGHTINGS,
    WORD,
    System,
    index_terms,
    number_texts,
    population,
    systems_for,
    terms_of_texts,
)
from tests.papers.synthetic.parsed import collection_of

WORDS = ["lion", "lions", "Tiger", "bear", "the", "of", "running", "runs", "x1", "café", "a"]
PARAMETERS = {
    "robertson": {"k1": 1.2, "b": 0.75},
    "lucene": {"k1": 0.9, "b": 0.4},
    "bm25+": {"k1": 1.2, "b": 0.75, "delta": 1.0},
    "bm25l": {"k1": 2.0, "b": 0.3, "delta": 0.5},
    "dirichlet": {"mu": 7.0},
    "jelinek-mercer": {"weight": 0.3},
    "tf-idf": {},
    "log-tf-idf": {},
    "pivoted": {"slope": 0.2},
}
TAGS_OF = {
    "article": ["article"],
    "section": ["sec"],
    "paragraph": ["p"],
    "article-section": ["article", "sec"],
    "article-paragraph": ["article", "p"],
    "section-paragraph": ["sec", "p"],
    "all": ["article", "sec", "p", "it"],
}


def build_index(texts, collection, **tags):
    """Build the index from one part per document in reverse order, which must not change it."""
    terms = terms_of_texts([number_texts([text]) for text in reversed(texts)], collection)
    return index_terms(terms, collection, **tags)


def retrieve(index, collection, queries, system, size=1500):
    """Return the run of one system."""
    return retrieve_all(index, collection, queries, [system], size=size).drop(columns="run")


def random_documents(rng):
    def words():
        separators = rng.choice([" ", ", ", "-", "\n"], 8)
        chosen = rng.choice(WORDS, int(rng.integers(0, 6)))
        return "".join(word + sep for word, sep in zip(chosen, separators, strict=False)).strip(" ")

    def element(tag):
        inside = {"article": "sec", "sec": "p", "p": "it"}
        body = words()
        for _ in range(int(rng.integers(0, 4)) if tag in inside else 0):
            # No space around some children, so that words run across their borders.
            body += rng.choice(["", " "]) + element(inside[tag]) + rng.choice(["", " "]) + words()
        return f"<{tag}>{body}</{tag}>"

    return {f"d{number}": element("article") for number in range(int(rng.integers(1, 5)))}


def term(word):
    word = word.lower()
    return None if word in STOP_WORDS else Stemmer.Stemmer("english").stemWord(word)


def literal_terms(collection, texts, row):
    """Return the terms of an element: the document's words that begin in it."""
    name = collection.names[int(collection.document_of(np.array([row]))[0])]
    words = WORD.findall(texts[name])[collection.start[row] : collection.end[row]]
    return [t for t in map(term, words) if t is not None]


def literal_scores(collection, texts, title, system):
    """Return the score of every element with a word of the title, with the formulas written out."""
    query = Counter(t for t in map(term, WORD.findall(title)) if t is not None)
    tags = TAGS_OF[system.elements]
    rows = [row for row in range(len(collection)) if collection.tags[collection.tag[row]] in tags]
    terms = {row: literal_terms(collection, texts, row) for row in rows}
    terms = {row: words_in for row, words_in in terms.items() if words_in}
    everything = [t for words in texts.values() for t in map(term, WORD.findall(words)) if t is not None]
    query = Counter({t: many for t, many in query.items() if t in everything})
    N = len(terms)
    L = sum(len(words_in) for words_in in terms.values()) / N if N else 0
    scores = {}
    for row, words_in in terms.items():
        if not set(words_in) & set(query):
            continue
        length = len(words_in)
        score = 0.0
        for t, many in query.items():
            tf = words_in.count(t)
            n = sum(t in other for other in terms.values())
            p = everything.count(t) / len(everything)
            score += many * literal_gain(system, tf, length, L, N, n, p)
        if system.weighting in ("dirichlet", "jelinek-mercer"):
            score += system.prior * math.log(length)
        else:
            score *= (1 + math.log(length)) ** system.prior
        scores[row] = score
    return scores


def literal_gain(system, tf, length, L, N, n, p):
    o = dict(system.parameters)
    match system.weighting:
        case "robertson":
            idf = max(0.0, math.log((N - n + 0.5) / (n + 0.5)))
            return idf * tf * (o["k1"] + 1) / (tf + o["k1"] * (1 - o["b"] + o["b"] * length / L))
        case "lucene":
            idf = math.log(1 + (N - n + 0.5) / (n + 0.5))
            return idf * tf / (tf + o["k1"] * (1 - o["b"] + o["b"] * length / L))
        case "bm25+" if tf:
            norm = o["k1"] * (1 - o["b"] + o["b"] * length / L)
            return math.log((N + 1) / n) * (o["delta"] + tf * (o["k1"] + 1) / (tf + norm))
        case "bm25l" if tf:
            c = tf / (1 - o["b"] + o["b"] * length / L)
            gain = (o["k1"] + 1) * (c + o["delta"]) / (o["k1"] + c + o["delta"])
            return math.log((N + 1) / (n + 0.5)) * gain
        case "dirichlet":
            return math.log((tf + o["mu"] * p) / (length + o["mu"])) - math.log(p)
        case "jelinek-mercer":
            return math.log((1 - o["weight"]) * tf / length + o["weight"] * p) - math.log(o["weight"] * p)
        case "tf-idf" if tf:
            return tf * math.log((N + 1) / n)
        case "log-tf-idf" if tf:
            return (1 + math.log(tf)) * math.log((N + 1) / n) / math.sqrt(length)
        case "pivoted" if tf:
            slope = o["slope"]
            return (1 + math.log(1 + math.log(tf))) / (1 - slope + slope * length / L) * math.log((N + 1) / n)
    return 0.0


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_scores_equal_the_literal_formulas(weighting):
    rng = np.random.default_rng(list(WEIGHTINGS).index(weighting))
    compared = 0
    for _ in range(9):
        documents = random_documents(rng)
        collection, texts = collection_of(documents)
        index = build_index(texts, collection, sections=["sec"], paragraphs=["p"])
        title = " ".join(rng.choice([*WORDS, "unheard"], 4))
        system = System(
            "s",
            weighting,
            PARAMETERS[weighting],
            str(rng.choice(list(KINDS_OF_ELEMENTS))),
            float(rng.choice([0, 1, 2])),
        )
        run = retrieve(index, collection, pd.DataFrame({"topic": ["1"], "title": [title]}), system)
        expected = literal_scores(collection, dict(texts), title, system)
        scores = dict(zip(run["node"], run["score"], strict=True))
        assert scores == pytest.approx(expected, rel=2**-24)  # single precision
        order = sorted(scores, key=lambda row: (-scores[row], row))
        assert run["node"].tolist() == order
        assert run["rank"].tolist() == list(range(1, len(run) + 1))
        assert (run["document"] == collection.document_of(run["node"].to_numpy())).all()
        compared += len(scores)
    assert compared > 35


def test_lists_are_cut_and_topics_without_indexed_words_are_absent():
    documents = {f"d{n}": f"<article><p>lion {'bear ' * n}</p></article>" for n in range(9)}
    collection, texts = collection_of(documents)
    index = build_index(texts, collection)
    queries = pd.DataFrame({"topic": ["7", "3", "5"], "title": ["lion", "the unicorn", "bear"]})
    run = retrieve_all(index, collection, queries, [System("b", "tf-idf"), System("a", "tf-idf")], size=5)
    expected = [(name, topic) for name in "ba" for topic in "75" for _ in range(5)]
    assert list(zip(run["run"], run["topic"], strict=True)) == expected
    nothing = retrieve(index, collection, queries[1:2], System("s", "tf-idf"))
    assert nothing.columns.tolist() == ["topic", "rank", "document", "node", "score"]
    assert len(nothing) == 0


def literal_overlap(row, last, overlap, size):
    """Return the remaining places, with elements as sets of rows."""
    inside = [set(range(r, e)) for r, e in zip(row, last, strict=True)]
    if overlap == "best":
        taken = []
        for place, mine in enumerate(inside):
            if all(not mine & inside[other] for other in taken) and len(taken) < size:
                taken.append(place)
        return taken
    ranks = range(min(size, len(row)))
    if overlap == "nested":
        return [p for p in ranks if not any(inside[p] < inside[q] for q in ranks)]
    if overlap == "enclosing":
        return [p for p in ranks if not any(inside[p] > inside[q] for q in ranks)]
    return list(ranks)


@pytest.mark.parametrize("overlap", ["keep", "nested", "enclosing", "best"])
def test_overlap_is_treated_as_defined(overlap):
    rng = np.random.default_rng(5)
    for _ in range(20):
        collection, _ = collection_of(random_documents(rng))
        row = rng.permutation(len(collection))[: int(rng.integers(0, len(collection) + 1))]
        size = int(rng.integers(1, 12))
        places = without_overlap(row, collection.last[row], overlap, size)
        assert places.tolist() == literal_overlap(row.tolist(), collection.last[row].tolist(), overlap, size)


@pytest.mark.parametrize("overlap", ["keep", "nested", "enclosing", "best"])
@pytest.mark.parametrize("size", [1, 7, 40])
def test_a_short_list_is_what_its_overlap_leaves_of_the_whole_ranking(overlap, size):
    rng = np.random.default_rng(17)
    many = {f"e{i}{name}": xml for i in range(8) for name, xml in random_documents(rng).items()}
    collection, texts = collection_of(many)
    index = build_index(texts, collection)
    queries = pd.DataFrame({"topic": ["1", "2"], "title": ["lion unicorn", "the lion"]})
    whole = retrieve(index, collection, queries, System("s", "tf-idf"), size=len(collection))
    assert whole["score"].duplicated().any()
    short = retrieve(index, collection, queries, System("s", "tf-idf", overlap=overlap), size=size)
    for topic, ranking in whole.groupby("topic", observed=True):
        row = ranking["node"].to_numpy()
        left = literal_overlap(row.tolist(), collection.last[row].tolist(), overlap, size)
        kept = short[short["topic"] == topic]
        assert kept["node"].tolist() == row[left].tolist()
        assert kept["score"].tolist() == ranking["score"].to_numpy()[left].tolist()


def test_tasks_ask_for_the_runs_they_are_about():
    rng = np.random.default_rng(11)
    collection, texts = collection_of(
        {f"e{i}{name}": xml for i in range(6) for name, xml in random_documents(rng).items()}
    )
    index = build_index(texts, collection, sections=["sec"], paragraphs=["p"])
    queries = pd.DataFrame({"topic": ["1", "2"], "title": ["lion tiger", "running bears"]})
    for task in ("thorough", "focused", "fetch-and-browse"):
        runs = retrieve_all(index, collection, queries, systems_for(task))
        assert runs["run"].nunique() == len(SYSTEMS)
        overlapping = 0
        for _, results in runs.groupby(["run", "topic"], observed=True):
            node = np.sort(results["node"].to_numpy())
            overlapping += bool((collection.last[node[:-1]] > node[1:]).any())
            if task == "fetch-and-browse":
                document = results["document"].to_numpy()
                changes = np.flatnonzero(np.diff(document)) + 1
                opened = document[np.concatenate([[0], changes])]
                assert len(set(opened)) == len(opened)
                best = results.groupby("document", sort=False)["score"].max()
                assert (np.diff(best.loc[opened]) <= 1e-12).all()
            else:
                assert (np.diff(results["score"]) <= 0).all()
        assert (overlapping > 0) == (task == "thorough")


def test_the_systems_differ():
    assert len(SYSTEMS) >= 48
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)
    scoring = {(s.weighting, *sorted(s.parameters.items()), s.elements, s.prior) for s in SYSTEMS}
    assert len(scoring) == len(SYSTEMS)
    assert {s.weighting for s in SYSTEMS} == set(WEIGHTINGS)
    assert {s.elements for s in SYSTEMS} == set(KINDS_OF_ELEMENTS)
    assert {s.overlap for s in SYSTEMS} == {"keep", "nested", "enclosing", "best"}
    assert {s.prior > 0 for s in SYSTEMS} == {True, False}
    assert systems_for("as-declared") == list(SYSTEMS)
    for task, name in (("focused", "focussed"), ("fetch-and-browse", "fetchbrowse")):
        assert systems_for(task) == systems_for(name)
    assert systems_for("relevant-in-context") == systems_for("fetch-and-browse")
    with pytest.raises(InputError, match="task"):
        systems_for("adhoc")


def test_a_population_by_elements_has_every_weighting_for_each_of_them():
    assert population(7) == list(SYSTEMS[:7])
    kinds = ["paragraph", "all"]
    systems = population(1000, kinds)
    weightings = {(s.weighting, *sorted(s.parameters.items())) for s in SYSTEMS}
    designs = [(s.elements, s.prior, (s.weighting, *sorted(s.parameters.items()))) for s in systems]
    assert len(systems) == len(set(designs)) == 2 * 4 * len(weightings)
    priors = [0, 1, 2, 0.5]
    assert set(designs) == {(kind, prior, way) for kind in kinds for prior in priors for way in weightings}
    assert list(dict.fromkeys(prior for _, prior, _ in designs)) == priors
    assert {s.overlap for s in systems} == {"keep"} and len({s.name for s in systems}) == len(systems)
    assert population(3, kinds) == systems[:3]


def test_texts_that_are_not_the_collections_are_refused():
    collection, texts = collection_of(
        {"d1": "<article>lion bear</article>", "d2": "<article>tiger</article>"}
    )
    with pytest.raises(InputError) as refused:
        build_index([("d1", "lion"), ("d3", "bear")], collection)
    assert [(p.source, p.found) for p in refused.value.problems] == [
        ("d3", "the document has a text, but no elements"),
        ("d2", "the document has elements, but no text"),
        ("d1", "the text has 1 words, but the elements have 2"),
    ]
    with pytest.raises(InputError, match="the text has 3 words, but the elements have 1"):
        build_index([("d2", "a b c"), ("d1", "lion bear")], collection)
    with pytest.raises(ValueError, match="in words"):
        build_index(texts, collection_of({"d1": "<article/>"}, unit="characters")[0])


LISTS = """
import numpy as np
from tests.papers.retrieval import test_search as literal
rng = np.random.default_rng(3)
many = {f"e{i}{name}": xml for i in range(60) for name, xml in literal.random_documents(rng).items()}
collection, texts = literal.collection_of(many)
index = literal.build_index(texts, collection, sections=["sec"], paragraphs=["p"])
queries = literal.pd.DataFrame({"topic": ["1", "2"], "title": ["lion unicorn x1", "the tiger of a café"]})
print(literal.retrieve_all(index, collection, queries, literal.SYSTEMS).to_csv())
"""


def test_lists_are_the_same_without_the_vectors_of_newer_processors():
    def lists(disabled):
        settings = {**os.environ, "NPY_DISABLE_CPU_FEATURES": disabled, "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-c", LISTS]
        return subprocess.run(command, env=settings, check=True, capture_output=True, text=True).stdout

    assert lists("") == lists("X86_V3 X86_V4 AVX512_ICL AVX512_SPR")
