"""Finding elements by path: three million (document, path) pairs in a collection of eight million elements.

python benchmarks/resolve_paths.py ../shared/data/evidence-inference/collection.tar.gz
"""

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.campaign.collection_read import collection_from_source
from focuseval.model.elements import Collection

ELEMENTS, PAIRS, DISTINCT = 8_000_000, 3_000_000, 900_000


def several(collection: Collection, copies: int) -> Collection:
    """A collection several times over, under other document names."""
    base = np.repeat(np.arange(copies, dtype=np.int32) * len(collection), len(collection))
    tiled = {c: np.tile(getattr(collection, c), copies) for c in ("depth", "tag", "position", "start", "end")}
    roots = [collection.first[:-1] + copy * len(collection) for copy in range(copies)]
    return Collection(
        names=pd.Index(
            [f"{copy}/{name}" for copy in range(copies) for name in collection.names], dtype=object
        ),
        first=np.concatenate([*roots, [copies * len(collection)]]),
        parent=np.where(
            np.tile(collection.parent, copies) >= 0, np.tile(collection.parent, copies) + base, -1
        ),
        last=np.tile(collection.last, copies) + base,
        tags=collection.tags,
        **tiled,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", type=Path)
    one = collection_from_source(parser.parse_args().collection)
    many = several(one, -(-ELEMENTS // len(one)))
    rng = np.random.default_rng(1)
    rows = rng.choice(len(many), DISTINCT, replace=False)[rng.integers(0, DISTINCT, PAIRS)]
    path_of = {row: one.path(int(row)) for row in np.unique(rows % len(one))}
    paths = [path_of[row] for row in (rows % len(one)).tolist()]
    documents = many.document_of(rows)
    for name, column in {"list": paths, "categorical": pd.Series(paths, dtype="category")}.items():
        started = time.process_time()
        found = many.resolve(documents, column)
        seconds = time.process_time() - started
        assert (found == rows).all()
        print(
            f"{len(many):,} elements, {len(set(paths)):,} paths, {PAIRS:,} pairs as {name}: {seconds:.2f} s of CPU"
        )


if __name__ == "__main__":
    main()
