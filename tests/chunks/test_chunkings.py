import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from focuseval.chunks.chunkings import SEPARATORS, recursive, token_windows
from focuseval.errors import InputError
from focuseval.formats.tokenizers import cl100k

tiktoken = pytest.importorskip("tiktoken")
pytest.importorskip("langchain_text_splitters")

SHARED = Path(__file__).parents[3] / "shared/data/chroma-chunking"
TEXTS = SHARED / "chunking_evaluation/evaluation_framework/general_evaluation_data/corpora"


@pytest.fixture(scope="module")
def bytewise():
    """A tokenizer with a token for each byte."""
    ranks = {bytes([value]): value for value in range(256)}
    return tiktoken.Encoding("bytes", pat_str=r"[\s\S]", mergeable_ranks=ranks, special_tokens={})


@pytest.fixture(scope="module")
def published():
    if not SHARED.is_dir():
        pytest.skip("../shared, which holds the tokenizer file, is absent")
    return cl100k(SHARED / "cl100k_base.tiktoken")


# a literal splitter: pieces with their places, merged like LangChain merges texts


def literal(text, tokens, size, overlap, separators=SEPARATORS, at=0):
    used = next(one for one in separators if one in text)
    rest = separators[separators.index(used) + 1 :]
    if used:
        cuts = [0, *(spans.start() for spans in re.finditer(re.escape(used), text)), len(text)]
    else:
        cuts = list(range(len(text) + 1))
    pieces = [(text[a:b], at + a) for a, b in pairwise(cuts) if b > a]
    spans, small = [], []
    for piece, start in pieces:
        if tokens(piece) < size:
            small.append((piece, start))
            continue
        spans += merged(small, tokens, size, overlap)
        small = []
        if rest:
            spans += literal(piece, tokens, size, overlap, rest, start)
        else:
            spans.append((start, start + len(piece)))
    return spans + merged(small, tokens, size, overlap)


def merged(pieces, tokens, size, overlap):
    spans = []
    held = []

    def put():
        text = "".join(piece for piece, _ in held)
        if text.strip():
            start = held[0][1] + len(text) - len(text.lstrip())
            spans.append((start, start + len(text.strip())))

    total = 0
    for piece in pieces:
        more = tokens(piece[0])
        if total + more > size and held:
            put()
            while total > overlap or (total + more > size and total > 0):
                total -= tokens(held.pop(0)[0])
        held.append(piece)
        total += more
    if held:
        put()
    return spans


def pairs(columns):
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("seed", range(30))
def test_chunks_of_the_recursive_splitter_are_where_they_were_cut(seed, bytewise):
    rng = np.random.default_rng(seed)
    # words repeat, so that the text alone does not show the place
    text = "".join(rng.choice(["ab ", "ab ", "c", ". ", "\n\n", "abc\n", "ä! "], 120))
    size = int(rng.integers(6, 30))
    overlap = int(rng.integers(0, size // 2))

    def tokens(part):
        return len(bytewise.encode(part))

    expected = literal(text, tokens, size, overlap)
    assert pairs(recursive(text, bytewise, size, overlap)) == expected


@pytest.mark.parametrize("size, overlap", [(4, 0), (5, 2), (100, 10)])
def test_windows_of_tokens(size, overlap, bytewise):
    text = "abcdefghijklm"
    spans, start = [], 0
    while True:
        spans.append((start, min(start + size, len(text))))
        if spans[-1][1] == len(text):
            break
        start += size - overlap
    assert pairs(token_windows(text, bytewise, size, overlap)) == spans
    assert pairs(token_windows("", bytewise, size, overlap)) == []


def test_windows_are_those_of_langchain(published):
    from langchain_text_splitters.base import Tokenizer, split_text_on_tokens

    text = (TEXTS / "chatlogs.md").read_text(encoding="utf-8")
    for size, overlap in ((200, 0), (250, 125)):
        tokenizer = Tokenizer(
            chunk_overlap=overlap, tokens_per_chunk=size, decode=published.decode, encode=published.encode
        )
        expected = split_text_on_tokens(text=text, tokenizer=tokenizer)
        assert [text[a:b] for a, b in pairs(token_windows(text, published, size, overlap))] == expected


def test_the_recursive_splitter_on_text_that_repeats_itself(published):
    text = (TEXTS / "finance.md").read_text(encoding="utf-8")[540_000:680_000]

    def tokens(part):
        return len(published.encode(part, disallowed_special=()))

    for size, overlap in ((250, 125), (250, 0)):
        assert pairs(recursive(text, published, size, overlap)) == literal(text, tokens, size, overlap)


def test_a_size_below_that_of_a_character_is_refused(bytewise):
    with pytest.raises(InputError, match="the positions of some chunks are unknown"):
        recursive("a ä b", bytewise, 2, 0)


def test_another_file_is_no_tokenizer(tmp_path):
    (tmp_path / "t").write_text("YQ== 0\nno token\n")
    with pytest.raises(
        InputError, match="t, line 2: the line is not a token; expected a token in base 64, and its rank"
    ):
        cl100k(tmp_path / "t")


def test_the_published_tokenizer(published):
    assert published.encode("hello world") == [15339, 1917]
    assert published.n_vocab == 100256
