"""Identifiers that name pieces of documents: qrels and runs of pieces are gold passages and chunks."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import focuseval
from focuseval.errors import InputError, InputWarning

PATTERN = r"(?P<document>.+)-(?P<start>\d+)-(?P<end>\d+)"


def spelled(pieces):
    return [f"{document}-{start}-{end}" for document, start, end in pieces]


@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize("in_memory", [False, True])
def test_pieces_score_like_chunks_with_offsets_however_they_are_named(table, in_memory, tmp_path):
    rng = np.random.default_rng([table, in_memory])
    starts = rng.integers(0, 200, 60)
    pieces = list(dict.fromkeys((f"d-{at % 3}", int(at), int(at) + 40) for at in starts))
    names = [f"{d}#{n}" for n, (d, *_) in enumerate(pieces)] if table else spelled(pieces)
    ids = PATTERN
    if table:
        ids = str(tmp_path / "pieces.jsonl")
        rows = [
            {"docid": name, "start_char": start, "end_char": end, "segment": "…"}
            for name, (_, start, end) in zip(names, pieces, strict=True)
        ]
        Path(ids).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judged = rng.permutation(len(pieces))[:15].tolist()
    grade = dict(zip(judged, rng.integers(0, 4, 15).tolist(), strict=True))
    retrieved = rng.permutation(len(pieces))[:20].tolist()
    if in_memory:
        gold = {"gold": {"q": {names[i]: of for i, of in grade.items()}}}
        runs = {"r": {"q": {names[i]: 20 - rank for rank, i in enumerate(retrieved)}}}
    else:
        (tmp_path / "qrels").write_text("".join(f"q 0 {names[i]} {of}\n" for i, of in grade.items()))
        lines = [f"q Q0 {names[i]} {rank} {20 - rank} r\n" for rank, i in enumerate(retrieved, 1)]
        (tmp_path / "run").write_text("".join(lines))
        gold, runs = {"assessments": tmp_path / "qrels"}, tmp_path / "run"

    def rows_of(of):
        return pd.DataFrame([pieces[i] for i in of], columns=["document", "start", "end"]).assign(topic="q")

    measures = ["char_recall", "AiP", "span_F1@0.5", "nDCG(relevant=touches)", "P(relevant=touches,rel=2)@5"]
    with pytest.warns(InputWarning, match="grade of 0"):
        with_ids = focuseval.score(measures, runs=runs, ids=ids, **gold)
        plain = focuseval.score(
            measures,
            gold=rows_of(judged).assign(grade=[grade[i] for i in judged]),
            runs={"r": rows_of(retrieved)},
        )
    pd.testing.assert_series_equal(with_ids["value"], plain["value"])
    assert with_ids["value"].between(0, 1).all() and (with_ids["value"] > 0).any()


def test_a_rewritten_table_of_the_same_size_and_date_is_read_again(tmp_path):
    """Half of the gold is in the piece, then all of it."""
    table = tmp_path / "pieces.jsonl"

    def score(start, end, ids):
        rows = [{"id": "p1", "document": "a", "start": 10, "end": 20}]
        rows.append({"id": "p2", "document": "a", "start": start, "end": end})
        table.write_text("".join(json.dumps(row) + "\n" for row in rows))
        os.utime(table, ns=(0, 0))
        scores = focuseval.score(
            "char_recall", gold={"q": {"p1": 1}}, runs={"r": {"q": {"p2": 2.0}}}, ids=ids
        )
        return float(scores.value[0])

    for ids in (str(table), table):
        assert [score(15, 25, ids), score(10, 20, ids), score(15, 25, ids)] == [0.5, 1.0, 0.5]


def test_a_pattern_may_leave_groups_out():
    pattern = r"(?P<document>[^-]+)(?:-(?P<start>\d+)-(?P<end>\d+))?"
    with pytest.raises(InputError, match="the identifier 'a' is unknown"):
        focuseval.score("char_recall", gold={"q": {"a-0-9": 1}}, runs={"r": {"q": {"a": 1.0}}}, ids=pattern)
