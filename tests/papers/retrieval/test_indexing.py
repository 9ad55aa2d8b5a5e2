"""The index of a collection's text: made part by part, and words sorted by their terms."""

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError
from focuseval_papers.retrieval.indexing import build_index, index_texts, invert, number_texts
from focuseval_papers.retrieval.search import retrieve_all
from focuseval_papers.retrieval.systems import SYSTEMS
from tests.papers.retrieval.test_search import random_documents
from tests.papers.synthetic.parsed import collection_of


def test_parts_and_threads_change_no_result() -> None:
    rng = np.random.default_rng(8)
    documents = {f"{part}{name}": xml for part in "abc" for name, xml in random_documents(rng).items()}
    collection, texts = collection_of(documents)
    queries = pd.DataFrame({"topic": ["1", "2", "3"], "title": ["lions running", "tiger x1", "café bear"]})
    whole = retrieve_all(build_index(texts, collection), collection, queries, SYSTEMS)
    assert whole["topic"].nunique() == 3
    parts = [number_texts([text]) for text in reversed(texts)]
    in_parts = retrieve_all(index_texts(parts, collection), collection, queries, SYSTEMS, threads=3)
    pd.testing.assert_frame_equal(in_parts, whole)


def test_a_part_whose_text_is_too_long_is_refused() -> None:
    collection, _ = collection_of({"d1": "<a>lion bear</a>", "d2": "<a>tiger</a>"})
    with pytest.raises(InputError, match="3 words of text, but 1"):
        index_texts([number_texts([("d2", "a b c"), ("d1", "lion bear")])], collection)


def test_words_are_sorted_by_term_as_a_stable_sort_does_it() -> None:
    rng = np.random.default_rng(9)
    for _ in range(20):
        terms = int(rng.integers(1, 5))
        occurring = rng.integers(-1, terms, int(rng.integers(0, 50))).astype(np.int32)
        first = np.zeros(terms + 1, dtype=np.int64)
        position = np.full(len(occurring), -1, dtype=np.int32)
        before = np.append(occurring, np.int32(-1))
        invert(before, first, position)
        kept = occurring >= 0
        indexed = occurring[kept]
        assert first.tolist() == [int((indexed < number).sum()) for number in range(terms + 1)]
        assert position[: len(indexed)].tolist() == np.argsort(indexed, kind="stable").tolist()
        assert before.tolist() == [int(kept[:at].sum()) for at in range(len(occurring) + 1)]
