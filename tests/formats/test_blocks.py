"""A run in blocks equals the run as a whole, or is read as a whole; it has no other notices."""

import itertools
import json
import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import focuseval
from focuseval.errors import InputError
from focuseval.formats import lines
from focuseval.formats.parsed import NotInBlocks
from focuseval.formats.readers import read_blocks
from focuseval.model.results import Ranking
from focuseval.scoring import runs


def trec_line(topic, number, rank, score, columns):
    behind = {6: "", 7: f" /a[{number + 1}]", 8: f" {number} 10"}[columns]
    return f"q{topic} Q0 d{number} {rank} {score} me{behind}"


def json_line(topic, number, rank, score, columns):
    line = {"topic": f"q{topic}", "document": f"d{number}", "start": 0, "end": 5}
    ordered = {"rank": rank, "score": score}
    return json.dumps(
        line | {key: ordered[key] for key in ("rank", "score")[columns == 6 : 2 - (columns == 7)]}
    )


#: of each stretch of a file: topic, number of columns, number of lines, and whether all ranks are equal
STRETCHES = st.lists(
    st.tuples(st.integers(0, 25), st.sampled_from([6, 6, 6, 7, 8, 8]), st.integers(1, 6), st.sampled_from([False, False, True])),
    min_size=1,
    max_size=8,
)  # fmt: skip


def frames_of(path, form, by, rows):
    blocks = itertools.islice(read_blocks(path, Ranking(by), format=form, lenient=True, rows=rows), 1000)
    return [(run, list(map(str, problems))) for run, problems in blocks]


@settings(max_examples=100)
@given(STRETCHES, st.integers(1, 20), st.booleans(), st.sampled_from([None, None, "score", "order", "rank"]))
def test_blocks_are_the_whole(stretches, rows, in_json, by):
    write, number = json_line if in_json else trec_line, itertools.count()
    form = "chunks" if in_json else "trec"
    text = "".join(
        write(topic, n, 1 if tied else n + 1, 1000 - n, columns) + "\n"
        for topic, columns, count, tied in stretches
        for n in itertools.islice(number, count)
    )
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "run")
        path.write_text(text)
        patch.setattr(lines, "_PIECE", 200)
        patch.setattr(lines, "_SMALLEST", 64)
        try:
            parts = frames_of(path, form, by, rows)
        except NotInBlocks:
            return
        [(whole, problems)] = frames_of(path, form, by, None)  # an error would also be one of a block
    assert [one for _, of_block in parts for one in of_block] == problems
    columns = ["topic", "document", "rank", "score", "path", "start", "end", "line", "unresolvable"]
    frame = pd.concat([run.frame.astype({"topic": str, "document": str, "path": object}) for run, _ in parts])
    expected = whole.frame.astype({"topic": str, "document": str, "path": object})
    pd.testing.assert_frame_equal(
        frame[columns].reset_index(drop=True), expected[columns].reset_index(drop=True), check_dtype=False
    )


def test_stretches_of_different_columns_are_no_endless_loop(tmp_path, monkeypatch):
    """The first block of 8 columns is mostly of 6 and vice versa; most lines of the file have 8."""
    monkeypatch.setattr(lines, "_PIECE", 200)
    monkeypatch.setattr(lines, "_SMALLEST", 64)
    monkeypatch.setattr(runs, "_BLOCK", 10)
    stretches = [
        (1, 8, 3),
        (0, 6, 16),
        *((t, 8, 6) for t in range(2, 9)),
        *((t, 6, 6) for t in range(50, 54)),
    ]
    written = [
        trec_line(t, n, n + 1, 100 - n, columns) for t, columns, count in stretches for n in range(count)
    ]
    (tmp_path / "run").write_text("\n".join(written) + "\n")
    (tmp_path / "gold").write_text('{"topic": "q1", "document": "d0", "start": 0, "end": 20}\n')
    inputs = {"assessments": tmp_path / "gold", "runs": tmp_path / "run"}
    with pytest.raises(InputError) as refused:
        focuseval.score("char_recall", **inputs)
    assert len(refused.value.problems) == 40
    assert {problem.found for problem in refused.value.problems} == {"the line has 6 columns"}
    with pytest.warns(focuseval.InputWarning):
        assert focuseval.score("char_recall", **inputs, lenient=True).value[0] == 0.5


def test_a_topic_in_two_places_is_checked_when_complete(tmp_path, monkeypatch):
    """Its first part has one rank with two scores, which is an error in a complete topic only."""
    monkeypatch.setattr(lines, "_PIECE", 200)
    monkeypatch.setattr(runs, "_BLOCK", 10)
    first = ['{"topic":"q0","document":"a","start":0,"end":10,"rank":1,"score":9}',
             '{"topic":"q0","document":"a","start":20,"end":30,"rank":1,"score":8}']  # fmt: skip
    other_topics = [json_line(t, n, n + 1, 100 - n, 8) for t in range(1, 4) for n in range(15)]
    last = '{"topic":"q0","document":"a","start":40,"end":50,"rank":2,"score":7}'
    (tmp_path / "gold").write_text('{"topic":"q0","document":"a","start":0,"end":20}\n')
    for order in ([*first, *other_topics, last], [*first, last, *other_topics]):
        (tmp_path / "run").write_text("\n".join(order) + "\n")
        with pytest.warns(focuseval.InputWarning):
            scores = focuseval.score("char_recall", assessments=tmp_path / "gold", runs=tmp_path / "run")
        assert scores.value[0] == 0.5
    (tmp_path / "run").write_text("\n".join([*first, *other_topics]) + "\n")
    with pytest.raises(InputError, match="all results of topic q0 have rank 1"):
        focuseval.score("char_recall", assessments=tmp_path / "gold", runs=tmp_path / "run")
