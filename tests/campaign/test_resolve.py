"""Assessments and runs on their collection: what resolves, what does not, and what is said of it."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign import resolve
from focuseval.campaign.resolve import _places, known_collection
from focuseval.formats.readers import read_assessments, read_runs


def test_elements_at_against_a_search_by_hand() -> None:
    from tests.trees import random_collection

    rng = np.random.default_rng(7)
    for _ in range(15):
        collection, _ = random_collection(rng, 3, 15)
        document = rng.integers(0, 3, 60)
        start, end = np.sort(rng.integers(0, collection.end.max() + 1, (2, 60)), axis=0)
        rows = rng.integers(0, len(collection), 60)  # of every other interval it is known that there is one
        document[::2], start[::2], end[::2] = (
            column[::2]
            for column in (collection.document_of(rows), collection.start[rows], collection.end[rows])
        )
        expected = []
        for d, s, e in zip(document, start, end, strict=True):
            same = (collection.document_of(np.arange(len(collection))) == d) & (collection.start == s)
            at = np.flatnonzero(same & (collection.end == e))
            expected.append(max(at, key=lambda row: collection.depth[row]) if len(at) and e > s else -1)
        assert collection.elements_at(document, start, end).tolist() == expected


def test_a_document_that_has_several_paths_has_them_all(tmp_path: Path) -> None:
    paths = ["/article[1]/bdy[1]/sec[2]", "/article[1]/fm[1]", "/article[1]/bdy[1]"]
    rows = "".join(f"1\td\t{path}\t2\t1\n1\te{place}\t{path}\t2\t1\n" for place, path in enumerate(paths))
    (tmp_path / "q.tsv").write_text(f"topic\tdocument\tpath\texhaustivity\tspecificity\n{rows}")
    (tmp_path / "r").write_text(
        "".join(f"1 Q0 x{place} {place} {-place} r\n" for place in range(1, 20))
    )  # without paths
    runs, _ = read_runs(tmp_path / "r")
    found = known_collection(read_assessments(tmp_path / "q.tsv", scale="inex2005"), runs)
    held = [[found.path(row) for row in range(*found.first[place : place + 2])] for place in range(4)]
    assert held[0] == ["/article[1]", "/article[1]/bdy[1]", "/article[1]/bdy[1]/sec[2]", "/article[1]/fm[1]"]
    assert held[1:] == [held[0][:3], ["/article[1]", "/article[1]/fm[1]"], held[0][:2]]
    assert found.last[:4].tolist() == [4, 3, 3, 4] and found.parent[:4].tolist() == [-1, 0, 1, 0]


@pytest.mark.parametrize("part", [2, resolve._PART])
def test_names_are_found_whichever_are_more_and_part_by_part(part: int, monkeypatch) -> None:
    monkeypatch.setattr(resolve, "_PART", part)
    names = pd.Index(["c", "a", "b"], dtype="str")
    for wanted, places in ((["b", "x"], [2, -1]), (["b", "x", "a", "y", "c"], [2, -1, 1, -1, 0]), ([], [])):
        for kind in ("str", object):
            assert _places(names, pd.Index(wanted, dtype=kind)).tolist() == places
            assert _places(names.astype(kind), pd.Index(wanted, dtype="str")).tolist() == places
    assert _places(names, names).tolist() == [0, 1, 2]
