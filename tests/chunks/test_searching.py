"""Texts without the name of their document, and texts with a header."""

import random

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import focuseval
from focuseval.chunks.searching import holders

TEXTS = {
    "a.md": "# Guide\n\nRun it now and see what happens. Common line here. The fil-\nter clogs.\n",
    "b.md": "Other things entirely are said. Common line here. Nothing of it is new.\n",
}


@settings(max_examples=100)
@given(
    st.dictionaries(st.sampled_from("pqrs"), st.text("ab c", max_size=90)),
    st.lists(st.text("ab c", min_size=1, max_size=70)),
    st.data(),
)
def test_holders_are_the_documents_that_have_a_text(documents, other_texts, data):
    cut = [
        text[data.draw(st.integers(0, 20)) :][: data.draw(st.integers(1, 70))] for text in documents.values()
    ]
    texts = [text for text in [*cut, *other_texts] if text]
    plain = {name: "".join(text.split()) for name, text in documents.items()}
    assert holders(texts, documents, "none") == {
        text: [name for name, document in documents.items() if text in document] for text in texts
    }
    assert holders(texts, documents, "spaces") == {
        text: [
            name
            for name, document in plain.items()
            if "".join(text.split()) and "".join(text.split()) in document
        ]
        for text in texts
    }


def test_texts_are_looked_for_in_all_documents(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    lines = [
        {"topic": "1", "text": "see what happens"},
        {"topic": "2", "text": "Nothing of it", "document": None},
    ]
    for documents in (TEXTS, tmp_path):
        located = focuseval.locate(lines, documents)
        assert [(line["document"], line["start"], line["end"]) for line in located] == [
            ("a.md", 24, 40),
            ("b.md", 50, 63),
        ]
    frame = focuseval.locate(pd.DataFrame(lines), TEXTS)
    assert frame["document"].tolist() == ["a.md", "b.md"]
    assert focuseval.locate(["Other things", "Run it"], TEXTS)[1]["document"] == "a.md"
    [line] = focuseval.locate([{"topic": "1", "text": "The filter clogs"}], TEXTS, normalise="hyphenation")
    assert (line["document"], line["normalise"]) == ("a.md", "hyphenation")
    [line] = focuseval.locate([{"topic": "1", "text": "Run it and see what happens."}], TEXTS, fuzzy=0.9)
    assert (line["document"], line["found"]) == ("a.md", "Run it now and see what happens.")
    first, second = focuseval.locate([{"topic": "1", "text": "Run it … what happens"}], TEXTS)
    assert (first["document"], second["document"], second["start"]) == ("a.md", "a.md", 28)


def test_many_documents_are_read_once():
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghij", k=draw.randint(2, 9))) for _ in range(2000)]
    texts = {f"d{i}": " ".join(draw.choices(words, k=400)) for i in range(200)}
    starts = {name: draw.randrange(len(text) - 200) for name, text in texts.items()}
    lines = [
        {"topic": name, "text": text[starts[name] :][: draw.choice([30, 60, 200])]}
        for name, text in texts.items()
    ]
    located = focuseval.locate(lines, texts)
    assert [(line["document"], line["start"]) for line in located] == list(starts.items())
