"""Locating chunks: 1 million characters, 10,000 chunks that overlap, in order, without one, and in bad cases.

    PYTHONPATH=src python benchmarks/locate.py

The peer is ``str.find`` of every chunk, which tells neither whether a text is there twice nor where to.
"""

import time
from collections.abc import Callable

import numpy as np

from focuseval.chunks.locating import locate_in

CHARACTERS, CHUNKS = 1_000_000, 10_000


def seconds(call: Callable[[], object]) -> float:
    """The fastest of three."""
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


def main() -> None:
    rng = np.random.default_rng(15)
    words = ["".join(rng.choice(list("etaoinshrdlu"), size)) for size in rng.integers(1, 9, 20_000)]
    text = " ".join(rng.choice(words, CHARACTERS // 4))[:CHARACTERS]
    letters = [place for place in range(CHARACTERS - 800) if text[place] != " "]
    starts = np.sort(rng.choice(letters, CHUNKS, replace=False))
    sizes = rng.integers(100, 800, CHUNKS)
    chunks = [text[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    peer = seconds(lambda: [text.find(chunk) for chunk in chunks])
    print(f"str.find of each: {peer:.2f} s")
    same = ["a" * (i % 50 + 3) for i in range(CHUNKS)]
    cases = {
        "in order": lambda: locate_in(text, chunks),
        "in order, without white space": lambda: locate_in(text, chunks, ignore_spaces=True),
        "without an order": lambda: locate_in(text, chunks, in_order=False),
        "one letter, in order": lambda: locate_in("a" * CHARACTERS, same),
        "one letter, without an order": lambda: locate_in("a" * CHARACTERS, same, in_order=False),
        "1,000 that are not there": lambda: locate_in(text, [chunk[:-1] + "#" for chunk in chunks[::10]]),
    }
    for name, call in cases.items():
        took = seconds(call)
        print(f"{name}: {took:.2f} s, {took / peer:.2f} of it")


if __name__ == "__main__":
    main()
