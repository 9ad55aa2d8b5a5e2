"""Offsets of texts: against all ways to place chunks, and against the places where they were cut."""

import itertools
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import focuseval
from focuseval.chunks.locating import locate_in, longest_prefix
from focuseval.errors import InputError
from focuseval.formats.same_text import NORMALISATIONS, Match, is_same
from tests.folders import write_files

BLANK = [" ", "\n", "\t", "\u2028", "\u3000"]
repetitive = st.text("ab", max_size=12)


def all_places(text, chunk):
    return [at for at in range(len(text)) if chunk and text.startswith(chunk, at)]


def decided(text, chunks):
    """Return the place of each chunk that is the same in all ways to place the chunks in order; else -1."""
    present = [i for i, chunk in enumerate(chunks) if all_places(text, chunk)]
    ways = [
        way
        for way in itertools.product(*(all_places(text, chunks[i]) for i in present))
        if all(a < b for a, b in itertools.pairwise(way))
    ]
    if not ways:
        ways = list(itertools.product(*(all_places(text, chunks[i]) for i in present)))
    starts = [-1] * len(chunks)
    for i, places in zip(present, map(set, zip(*ways, strict=True)), strict=True):
        starts[i] = places.pop() if len(places) == 1 else -1
    return starts


@settings(max_examples=100)
@given(repetitive, st.lists(st.text("ab", max_size=4), max_size=4))
def test_a_chunk_is_located_if_all_placements_agree(text, chunks):
    locations = locate_in(text, chunks)
    assert [f.start for f in locations] == decided(text, chunks)
    assert all(
        text[f.start : f.end] == chunk for f, chunk in zip(locations, chunks, strict=True) if not f.reason
    )
    assert all((f.start < 0) == bool(f.reason) for f in locations)


@settings(max_examples=100)
@given(repetitive, st.lists(st.text("ab", max_size=4), max_size=4))
def test_without_an_order_only_one_occurrence_decides(text, chunks):
    places = [all_places(text, chunk) for chunk in chunks]
    expected = [p[0] if len(p) == 1 else -1 for p in places]
    assert [f.start for f in locate_in(text, chunks, in_order=False)] == expected


@settings(max_examples=100)
@given(st.data())
def test_long_chunks_are_found_by_their_blocks_at_any_place(data):
    words = st.sampled_from(["the quick brown fox ", "lorem ipsum ", "x", "yz", "0123456789" * 4])
    text = "".join(data.draw(st.lists(words, min_size=10, max_size=40)))
    start = data.draw(st.integers(0, len(text) - 1))
    chunk = text[start : data.draw(st.integers(start + 1, len(text)))]
    places = all_places(text, chunk)
    [location] = locate_in(text, [chunk], in_order=False)
    assert start in places
    assert location.start == (start if len(places) == 1 else -1)
    if len(places) > 1:
        first = ", ".join(map(str, places[:3])) + (", …" if len(places) > 3 else "")
        message = f"the text occurs {len(places)} times (at {first}), so its place is unclear"
        assert location.reason == message


@settings(max_examples=100)
@given(st.text(st.sampled_from(["a", "b", "ü", "𝄞", *BLANK]), max_size=30), st.data())
def test_chunks_are_located_where_they_were_cut_unless_it_is_ambiguous(text, data):
    starts = sorted(data.draw(st.sets(st.integers(0, max(len(text) - 1, 0)), max_size=5)))
    spans = [(s, data.draw(st.integers(s + 1, len(text)))) for s in starts if s < len(text)]
    locations = locate_in(text, [text[a:b] for a, b in spans])
    for place, span in zip(locations, spans, strict=True):
        assert place[:2] == span or "occurs" in place.reason
    located = [place.start for place in locations if not place.reason]
    assert located == sorted(set(located))


@settings(max_examples=100)
@given(st.text(st.sampled_from(["a", "b", "𝄞", *BLANK]), max_size=20), st.data())
def test_white_space_may_differ_and_offsets_are_those_of_the_document(text, data):
    letters = "".join(text.split())
    chunks = data.draw(
        st.lists(st.text(st.sampled_from(["a", "b", "𝄞"]), min_size=1, max_size=4), max_size=3)
    )
    spaced = [data.draw(st.sampled_from(BLANK)).join(["", *chunk, ""]) for chunk in chunks]
    locations = locate_in(text, spaced, in_order=False, normalise="spaces")
    plain = locate_in(letters, chunks, in_order=False)
    to_the_letter = locate_in(text, spaced, in_order=False)
    for place, bare, chunk, exact in zip(locations, plain, chunks, to_the_letter, strict=True):
        if exact.start >= 0:
            assert place[:2] == exact[:2] and bool(place.doubt) == (bare.start < 0)
            continue
        assert (place.start < 0) == (bare.start < 0)
        if place.start >= 0:
            part = text[place.start : place.end]
            assert "".join(part.split()) == chunk and part == part.strip()
            assert len("".join(text[: place.start].split())) == bare.start


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(["a", "b", "e\u0301", "é", "-", "‐", " ", "\r\n", "“", '"', "ﬁ", "*"]), max_size=24
    ).map("".join),
    st.data(),
)
def test_located_text_passes_the_check_under_every_setting(text, data):
    starts = sorted(data.draw(st.sets(st.integers(0, max(len(text) - 1, 0)), max_size=4)))
    cut = [text[a : a + data.draw(st.integers(1, 8))] for a in starts if a < len(text)]
    swaps = data.draw(st.dictionaries(st.sampled_from("-‐“ ﬁ"), st.sampled_from(["", "-\n", '"', "  ", "f"])))
    chunks = ["".join(swaps.get(c, c) for c in chunk) if data.draw(st.booleans()) else chunk for chunk in cut]
    in_order, fuzzy = data.draw(st.booleans()), data.draw(st.sampled_from([1.0, 0.6]))
    lines = [{"document": "a", "text": chunk} for chunk in chunks]
    order = "lines" if in_order else "none"
    exact = locate_in(text, chunks, in_order=in_order)
    for normalise in NORMALISATIONS:
        settings = {"in_order": in_order, "normalise": normalise, "fuzzy": fuzzy}
        for before, now in zip(exact, locate_in(text, chunks, **settings), strict=True):
            assert before.start < 0 or now[:2] == before[:2]
        with warnings.catch_warnings(action="ignore"):
            located = focuseval.locate(
                lines, {"a": text}, order=order, normalise=normalise, fuzzy=fuzzy, lenient=True
            )
        for line in located:
            original = text[line["start"] : line["end"]]
            assert is_same(line["text"], original, Match.of_line(line)), (line, original)
        with warnings.catch_warnings(action="error"):
            assert focuseval.locate(located, {"a": text}, order="none") == located if located else True


@settings(max_examples=100)
@given(repetitive, repetitive)
def test_the_longest_beginning_that_occurs_in_the_text(text, chunk):
    size, place = longest_prefix(text, chunk)
    assert size == max(n for n in range(len(chunk) + 1) if chunk[:n] in text)
    assert text.startswith(chunk[:size], place)


def test_many_occurrences_are_not_all_counted():
    [location] = locate_in("a" * 1_000_000, ["aaa"])
    assert location.reason.startswith(
        "the text occurs more than 100 times (at 0, 1, 2, …), and the neighbouring chunks"
    )
    chunks = ["a" * (i % 50 + 3) for i in range(10_000)]
    assert {f.reason for f in locate_in("a" * 1_000_000, chunks)} == {location.reason}
    # There are as many chunks as places, so each is decided.
    assert [f.start for f in locate_in("a" * 1002, ["aaa"] * 1000)] == list(range(1000))


# The command line, and from Python


@pytest.fixture
def folder(tmp_path, monkeypatch):
    html = "<title>t</title><p>A &amp; B<script>no</script></p>"
    markdown = "\ufeffÜber uns\r\n\r\n# Ja\r\nJa. Nein. Ja."
    write_files(tmp_path, {"docs/a.md": markdown, "docs/more/b.html": html})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_program_of_the_documentation_for_results_whose_text_repeats(folder):
    chunks = [
        {"id": f"c{n}", "document": "a.md", "text": text} for n, text in enumerate(("Ja.", "Nein.", "Ja."))
    ]
    results = [("q1", "c2", 2.0), ("q1", "c0", 1.0), ("02", "c1", 1.0), ("02", "gone", 0.5)]
    run = [dict(zip(("topic", "id", "score"), result, strict=True)) for result in results]
    write_files(folder, {"chunks.jsonl": chunks, "run.jsonl": run})
    page = (Path(__file__).parents[2] / "docs" / "locate.md").read_text(encoding="utf-8")
    (program,) = [block for block in page.split("```python\n")[1:] if "validate=" in block]
    exec(program.partition("```")[0], {})
    located = [json.loads(line) for line in (folder / "located.jsonl").read_text().splitlines()]
    assert [(line["topic"], line["start"], line["end"]) for line in located] == [
        ("q1", 28, 31),
        ("q1", 18, 21),
        ("02", 22, 27),
        ("02", None, None),
    ]


def test_lists_and_frames():
    text = "Note. One. Note. Two."
    [one, two] = focuseval.locate(["Note.", "One."], {"a": text})
    assert one == {"document": "a", "text": "Note.", "start": 0, "end": 5} and two["start"] == 6
    frame = pd.DataFrame(
        {
            "document": "a",
            "text": ["One.", "Note.", "gone"],
            "start": [6.0, None, None],
            "end": [10.0, None, None],
        }
    )
    frame.index = [5, 6, 7]
    with pytest.raises(InputError, match="chunk 2: in document 'a', no text matches 'gone'"):
        focuseval.locate(frame, {"a": text})
    with pytest.warns(UserWarning, match="1 of 3 chunks was not located and is left out\nchunks, chunk 2"):
        located = focuseval.locate(frame, {"a": text}, lenient=True)
    assert located.index.tolist() == [5, 6] and located["start"].tolist() == [6, 11]
    assert located.dtypes[["start", "end"]].tolist() == ["int64", "int64"]
    with pytest.warns(UserWarning, match="the text is not at its offsets, -1 to -1"):
        focuseval.locate([{"document": "a", "text": "One.", "start": -1, "end": "x"}], {"a": text})
    table = pa.table({"id": [7, 8, 9], "document": ["a"] * 3, "text": ["One.", "gone", "Two."]})
    with pytest.warns(UserWarning, match="1 of 3 chunks was not located"):
        located = focuseval.locate(
            table, {"a": text}, lenient=True
        )  # read through its Arrow stream, like a frame of polars
    assert located.drop(columns="document").to_numpy().tolist() == [[7, "One.", 6, 10], [9, "Two.", 17, 21]]


def test_topics_alone_stay_as_they_are(folder):
    question = {"topic": "q2", "query": "does it run on Amiga"}
    lines = [{"topic": "q1", "document": "a.md", "text": "Nein."}, question]
    complete = [{**lines[0], "start": 22, "end": 27}, question]
    assert focuseval.locate(lines, "docs") == complete
    for empty in (None, float("nan"), pd.NA):
        frame = pd.DataFrame(lines, dtype=object).fillna({"document": empty, "text": empty})
        located = focuseval.locate(frame, "docs")
        assert located["start"].tolist() == [22, pd.NA] and located["query"].tolist()[1] == question["query"]
        run = [{**complete[0], "score": 1.0}]
        with pytest.warns(UserWarning, match="1 topic without relevant content is left out of the mean: q2"):
            scores = focuseval.score(["char_recall"], gold=located, runs={"a": run})
        assert scores["value"].tolist() == [1.0]
    with pytest.raises(InputError, match='chunk 1: "document" is missing; did you write "doc_id" instead?'):
        focuseval.locate([lines[0], {"topic": "q2", "doc_id": "a.md"}], "docs")


@settings(max_examples=100)
@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_a_text_is_located_whatever_its_typography(before, chunk, behind):
    [location] = locate_in(before + chunk + behind, [chunk], in_order=False, normalise="typography")
    if "occurs" not in location.reason and "no text" not in location.reason:
        assert len(before) <= location.start and location.end <= len(before) + len(chunk)


@pytest.mark.parametrize("seed", range(10))
def test_a_changed_text_is_located_where_most_of_it_occurs(seed):
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list("abcdefghij"), size=5)) for _ in range(200)]
    first = int(rng.integers(0, 180))
    copied = words[first : first + 20]
    copied[int(rng.integers(1, 19))] = "xyz"
    text = " ".join(words)
    [location] = locate_in(text, [" ".join(copied)], in_order=False, fuzzy=0.9)
    assert text[location.start : location.end] == " ".join(words[first : first + 20])
    assert location.share == pytest.approx(2 * (19 * 5 + 19) / (119 + 117))
    assert locate_in(text, [" ".join(copied)], in_order=False, fuzzy=0.98)[0].reason.startswith(
        "no text matches"
    )
    twice = f"{text}\n{text}"
    [unclear] = locate_in(twice, [" ".join(copied)], in_order=False, fuzzy=0.9)
    places = f"at {location.start}, {location.share:.2f} at {location.start + len(text) + 1})"
    assert unclear.start == -1 and places in unclear.reason


HYPHENATED = "The fil-\nter clogs “often” in dust. A cleaner costs 5–10 dollars.\nAll the money for well-\nknown brands.\n"


@pytest.mark.parametrize("mark", ["...", "…", " [...] ", " (…) ", ". . ."])
def test_a_snippet_with_an_ellipsis_is_two_passages_of_one_item(mark):
    gold = [{"topic": "q", "document": "a", "text": f"A cleaner costs{mark}well-known brands.", "grade": 2}]
    located = focuseval.locate(gold, {"a": HYPHENATED}, normalise="spaces")
    first, second = HYPHENATED.index("A cleaner"), HYPHENATED.index("well-\n")
    assert [(line["start"], line["end"], line["text"]) for line in located] == [
        (first, first + 15, "A cleaner costs"),
        (second, second + 19, "well-known brands."),
    ]
    assert {(line["group"], line["alternative"], line["grade"]) for line in located} == {
        ("chunk 0",) * 2 + (2,)
    }
    with warnings.catch_warnings(action="error"):
        scores = focuseval.score(
            ["char_recall", "Recall(relevant=covers)@1"],
            gold=pd.DataFrame(located),
            runs={"r": [{"topic": "q", "document": "a", "start": 0, "end": len(HYPHENATED)}]},
            texts={"a": HYPHENATED},
        )
    assert scores["value"].tolist() == [1.0, 1.0]
    with pytest.raises(
        InputError, match=f"write a line for each of {first} to {first + 15} and {second} to {second + 19}"
    ):
        focuseval.locate([{**gold[0], "score": 1}], {"a": HYPHENATED}, normalise="spaces")
