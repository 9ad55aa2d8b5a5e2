"""Names as numbers: categorical columns of distinct names, millions of them perhaps, none of which is an object."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.formats.union import NAMES, SAMPLE, differ, first_places, union
from focuseval.model.arrays import Ints, release


def encoded(texts: pa.Array, *, neighbours_alike: bool = False) -> pa.Array:
    """The texts of an array of strings as `NAMES`; where most are that of the line before, few are looked up."""
    if not neighbours_alike:
        return texts.cast(NAMES.value_type).dictionary_encode()
    stretches = pc.run_end_encode(texts)
    names = stretches.values.cast(NAMES.value_type).dictionary_encode()
    lengths = np.diff(np.asarray(stretches.run_ends), prepend=np.int32(0))
    return pa.DictionaryArray.from_arrays(np.repeat(np.asarray(names.indices), lengths), names.dictionary)


def encoded_unless_distinct(texts: pa.Array) -> pa.Array:
    """Documents as `NAMES`; as they are, where few stand there twice and none has the extension of XML files."""
    texts = texts.cast(NAMES.value_type)
    some = np.linspace(0, len(texts) - 1, SAMPLE, dtype=np.int64) if len(texts) > SAMPLE else None
    sample = texts if some is None else texts.take(pa.array(some))
    distinct = differ([sample]) and documents_of(texts) is texts
    return texts if distinct else texts.dictionary_encode()


def numbered(column: pa.ChunkedArray) -> pd.Categorical:
    """A column of names as a categorical one: they are numbered as they appear."""
    one = column.combine_chunks() if column.type == NAMES else encoded(column.combine_chunks())
    return _of(np.asarray(one.indices), _categories(one.dictionary))


def codes_of(column: pd.Series) -> Ints:
    """The numbers of the names in a categorical column; pandas' own way to them copies them."""
    return cast(pd.Categorical, column.array).codes


def with_numbered(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """The frame; the names of the column are numbered, if they are not yet."""
    names = frame[column].array
    if isinstance(names, pd.Categorical):
        return frame
    return frame.assign(**{column: numbered(pa.chunked_array([pa.array(names, NAMES.value_type)]))})


def missing(count: int) -> pd.Categorical:
    """A categorical column of so many missing names."""
    return _of(np.full(count, -1, dtype=np.int8), _categories(pa.array([], NAMES.value_type)))


def documents_of(names: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Names of documents without the extension of XML files, as `focuseval.formats.raw.document_name` gives them."""
    has = pc.or_(pc.ends_with(names, "xml"), pc.ends_with(names, "XML"))
    if not pc.any(has).as_py():
        return names
    return pc.replace_substring_regex(names, r"\.[nN]?(xml|XML)\z", "")


def without_extensions(column: pd.Categorical) -> tuple[pd.Categorical, int]:
    """A column of documents, named without the extension of XML files, and how many names had it."""
    given = pa.array(column.categories, NAMES.value_type)
    documents = documents_of(given)
    extended = pc.sum(pc.not_equal(documents, given)).as_py()
    if not extended:
        return column, 0
    of = documents.dictionary_encode()
    return _of(_recoded(np.asarray(of.indices), column), _categories(of.dictionary)), extended


def has_blank(names: pa.ChunkedArray) -> bool:
    """Whether a name has no character, or white space only."""
    blank = pc.or_(pc.equal(pc.binary_length(names), 0), pc.utf8_is_space(names))
    return bool(pc.any(blank).as_py())


def share_names(frames: Sequence[pd.DataFrame], column: str, first: Sequence[str] = ()) -> None:
    """Give a column of several frames the same categories: ``first``, then others as they appear.

    It is categorical already, or one of strings. Where there is nothing to share it stays as it is.
    """
    given = [frame[column].array for frame in frames]
    known = [first, *(getattr(names, "categories", names) for names in given)]
    alone = len(given) == 1 and isinstance(given[0], pd.Categorical) and not len(first)
    if alone or not any(map(len, known)):
        return
    names, (_, *numbers) = union([pa.array(some, NAMES.value_type) for some in known])
    dtype = _categories(names)
    for frame, old, number in zip(frames, given, numbers, strict=True):
        frame[column] = _of(_recoded(number, old) if isinstance(old, pd.Categorical) else number, dtype)
    del given, known, numbers, old
    release()


def share_known_names(frames: Sequence[pd.DataFrame], column: str, known: Sequence[str]) -> None:
    """Give a column of several frames the same categories: the known names, and others that have none any more.

    These are numbered in each frame by itself, for which no table of all is made.
    """
    wanted, count = pa.array(known, NAMES.value_type), len(known)
    numbers = []
    for frame in frames:
        names = frame[column].array
        numbered = isinstance(names, pd.Categorical)
        given = pa.array(names.categories if numbered else names, NAMES.value_type)
        own = np.arange(len(given), dtype=np.int32) if numbered else first_places([given])
        place = pc.index_in(given, value_set=wanted).fill_null(-1).to_numpy()
        number = np.where(place >= 0, place, own + np.int32(count))
        numbers.append(number[names.codes] if numbered else number)
        count += len(given)
    nameless = pa.repeat(pa.scalar("", NAMES.value_type), count - len(known))
    dtype = _categories(pa.concat_arrays([wanted, nameless]))
    for frame, number in zip(frames, numbers, strict=True):
        frame[column] = _of(number, dtype)


def _categories(names: pa.Array) -> pd.CategoricalDtype:
    """Distinct names as categories; pandas would find out once more that they are distinct."""
    return pd.CategoricalDtype._from_fastpath(_index(names))


def _index(names: pa.Array) -> pd.Index:
    return pd.Index(names.to_pandas(), dtype="str")


def _of(codes: Ints, dtype: pd.CategoricalDtype) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, dtype=dtype, validate=False)


def _recoded(numbers: Ints, column: pd.Categorical) -> Ints:
    """The codes of a column by other numbers; -1, a missing name, stays."""
    return np.append(numbers, np.int32(-1))[column.codes]
