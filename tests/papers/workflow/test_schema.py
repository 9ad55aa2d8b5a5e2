"""Artefacts: they survive writing, equal rows are equal bytes, and no file is left incomplete."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from focuseval.campaign import tables as library
from focuseval.errors import InputError
from focuseval_papers.workflow import schema

ALL = {name: of for name, of in (vars(library) | vars(schema)).items() if isinstance(of, pa.Schema)}


def frame_of(expected, rows=5):
    rng = np.random.default_rng(0)
    columns = {
        pa.int32(): lambda: rng.integers(-1, 9, rows),
        pa.int64(): lambda: rng.integers(-1, 9, rows),
        pa.float64(): lambda: rng.random(rows),
        pa.bool_(): lambda: rng.random(rows) < 0.5,
        pa.string(): lambda: [f"é{i}" for i in range(rows)],
        pa.list_(pa.float64(), 4): lambda: rng.random((rows, 4)).tolist(),
        pa.list_(pa.int32()): lambda: [list(range(i)) for i in range(rows)],
        pa.list_(pa.int64()): lambda: [list(range(i)) for i in range(rows)],
    }
    text = columns[pa.string()]
    return pd.DataFrame({f.name: columns.get(f.type, text)() for f in expected})


@pytest.mark.parametrize("name", ALL)
def test_rows_are_read_as_written_and_the_same_rows_are_the_same_bytes(name, tmp_path):
    expected = ALL[name]
    frame = frame_of(expected)
    schema.write(frame, expected, tmp_path / "one")
    schema.write(frame[frame.columns[::-1]].assign(more=1), expected, tmp_path / "two")
    schema.write(schema.read(tmp_path / "one", expected), expected, tmp_path / "three")
    assert schema.read(tmp_path / "one", expected).to_pylist() == frame.to_dict("records")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert (tmp_path / "one").read_bytes() == (tmp_path / "three").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "three", "two"]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    frame = frame_of(schema.PASSAGES)
    schema.write(frame, schema.PASSAGES, tmp_path / "passages")
    before = (tmp_path / "passages").read_bytes()
    with pytest.raises((pa.ArrowException, ValueError)):
        schema.write(frame.assign(end=2**40), schema.PASSAGES, tmp_path / "passages")
    with pytest.raises(KeyError):
        schema.write(frame.drop(columns="end"), schema.PASSAGES, tmp_path / "passages")
    assert (tmp_path / "passages").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_other_files_than_the_artefact_are_reported(tmp_path):
    schema.write(frame_of(schema.PASSAGES), schema.PASSAGES, tmp_path / "passages")
    (tmp_path / "text").write_text("topic document start end")
    for path in ("passages", "text", "missing"):
        with pytest.raises(InputError, match=path):
            schema.read(tmp_path / path, schema.SCORES)
    with pytest.raises(InputError, match="missing: the file does not exist; run the workflow again"):
        schema.read(tmp_path / "missing", schema.SCORES)
