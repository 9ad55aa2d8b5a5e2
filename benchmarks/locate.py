"""Locating chunks: 1 million characters and 10,000 overlapping chunks, in order, in any order, and in bad cases.

    python benchmarks/locate.py

The peer is ``str.find`` of every chunk, which tells neither whether a text is there twice nor where to.
"""

import numpy as np
from measuring import Measured, in_turn, record

from focuseval.chunks.locating import locate_in

CHARACTERS, CHUNKS = 1_000_000, 10_000


def main() -> None:
    rng = np.random.default_rng(15)
    words = ["".join(rng.choice(list("etaoinshrdlu"), size)) for size in rng.integers(1, 9, 20_000)]
    text = " ".join(rng.choice(words, CHARACTERS // 4))[:CHARACTERS]
    letters = [place for place in range(CHARACTERS - 800) if text[place] != " "]
    starts = np.sort(rng.choice(letters, CHUNKS, replace=False))
    sizes = rng.integers(100, 800, CHUNKS)
    chunks = [text[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    same = ["a" * (i % 50 + 3) for i in range(CHUNKS)]
    works = {
        "str.find": lambda: [text.find(chunk) for chunk in chunks],
        "in order": lambda: locate_in(text, chunks),
        "in order, without white space": lambda: locate_in(text, chunks, normalise="spaces"),
        "in any order": lambda: locate_in(text, chunks, in_order=False),
        "one letter, in order": lambda: locate_in("a" * CHARACTERS, same),
        "one letter, in any order": lambda: locate_in("a" * CHARACTERS, same, in_order=False),
        "every tenth, none of which is in the text": lambda: locate_in(
            text, [chunk[:-1] + "#" for chunk in chunks[::10]]
        ),
    }
    spent = {name: one.cpu for name, one in in_turn(works, 3).items()}
    peer = spent.pop("str.find")
    rows = [
        Measured(f"{CHUNKS:,} chunks, {name}", took, "s of CPU", peer, "str.find of each chunk", "ours <= 1")
        for name, took in spent.items()
    ]
    record("locate", rows)


if __name__ == "__main__":
    main()
