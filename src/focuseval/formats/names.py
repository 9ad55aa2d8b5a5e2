"""Names as numbers: categorical columns of distinct names, millions of them perhaps, none of which is an object."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.model.arrays import Ints, release
from focuseval.model.parallel import cores, in_threads

#: a column of names, as Arrow has it
NAMES = pa.dictionary(pa.int32(), pa.large_string())

#: names of which each so many are numbered in eight parts
_MANY = 1 << 20
#: and how many of an array tell whether arrays differ
_SAMPLE = 1 << 14


def encoded(texts: pa.Array, *, neighbours_alike: bool = False) -> pa.Array:
    """The texts of an array of strings as `NAMES`; where most are that of the line before, few are looked up."""
    if not neighbours_alike:
        return texts.cast(NAMES.value_type).dictionary_encode()
    stretches = pc.run_end_encode(texts)
    names = stretches.values.cast(NAMES.value_type).dictionary_encode()
    lengths = np.diff(np.asarray(stretches.run_ends), prepend=np.int32(0))
    return pa.DictionaryArray.from_arrays(np.repeat(np.asarray(names.indices), lengths), names.dictionary)


def numbered(column: pa.ChunkedArray) -> pd.Categorical:
    """A column of type `NAMES` as a categorical one: names are numbered as they appear."""
    one = column.combine_chunks()
    return _of(np.asarray(one.indices), _categories(one.dictionary))


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
    """Give a categorical column of several frames the same categories: ``first``, then others as they appear."""
    given = [first, *(frame[column].cat.categories for frame in frames)]
    names, (_, *numbers) = union([pa.array(names, NAMES.value_type) for names in given])
    dtype = _categories(names)
    for frame, number in zip(frames, numbers, strict=True):
        frame[column] = _of(_recoded(number, frame[column].array), dtype)
    del given, numbers
    release()


def union(known: Sequence[pa.Array]) -> tuple[pa.Array, list[Ints]]:
    """The names of several arrays, each of distinct ones, as they appear first; and the number of each array's.

    Many that differ are numbered in parts, so that the table of each fits into a processor's cache.
    """
    parts = 8 * (sum(map(len, known)) // _MANY)
    if not parts or not _differ([names[:_SAMPLE] for names in known[:8]]):
        return _union(known)
    release()
    rows_of = list(in_threads(partial(_parts, count=parts), known, cores()))
    numbers: list[Ints] = [np.empty(len(names), dtype=np.int32) for names in known]

    def number(rows: Sequence[Ints]) -> tuple[int, list[Ints]]:
        """How many names there are in a part, and the numbers of each array's."""
        names, found = _union([names.take(pa.array(those)) for names, those in zip(known, rows, strict=True)])
        return len(names), found

    begin = 0
    rows = list(zip(*rows_of, strict=True))
    for those, (count, found) in zip(rows, in_threads(number, rows, cores()), strict=True):
        for of, at, numbered_in_part in zip(numbers, those, found, strict=True):
            of[at] = numbered_in_part + np.int32(begin)
        begin += count
    place = np.full(begin, -1, dtype=np.int32)  # of each name among all, as they appear
    appeared = []
    begin = 0
    for names, of in zip(known, numbers, strict=True):
        new = place[of] < 0
        appeared.append(names.filter(pa.array(new)))
        place[of[new]] = np.arange(begin, begin + len(appeared[-1]))
        begin += len(appeared[-1])
        of[:] = place[of]
    return pa.concat_arrays(appeared), numbers


def _union(known: Sequence[pa.Array]) -> tuple[pa.Array, list[Ints]]:
    places = [pa.DictionaryArray.from_arrays(np.arange(len(names), dtype=np.int32), names) for names in known]
    found = pa.chunked_array(places, NAMES).unify_dictionaries().chunks
    return found[0].dictionary, [np.asarray(chunk.indices) for chunk in found]


def _differ(some: Sequence[pa.Array]) -> bool:
    """Whether few names stand in several of some arrays."""
    return 4 * len(_union(some)[0]) > 3 * sum(map(len, some))


def _parts(names: pa.Array, count: int) -> list[Ints]:
    """The places of names in so many parts, by their last bytes, which differ the most."""
    _, ends_of_all, text_of_all = names.buffers()
    ends = np.frombuffer(ends_of_all, np.int64)[names.offset : names.offset + len(names) + 1]
    text = np.frombuffer(text_of_all, np.uint8)
    part = np.zeros(len(names), dtype=np.int16)
    for k in range(1, 4):
        long_enough = np.flatnonzero(np.diff(ends) >= k)
        part[long_enough] += text[ends[long_enough + 1] - k] * np.int16(2 * k - 1)
    part %= count
    order = np.argsort(part, kind="stable").astype(np.int32)
    return np.split(order, np.cumsum(np.bincount(part, minlength=count))[:-1])


def _categories(names: pa.Array) -> pd.CategoricalDtype:
    """Distinct names as categories; pandas would find out once more that they are distinct."""
    return pd.CategoricalDtype._from_fastpath(pd.Index(names.to_pandas(), dtype="str"))


def _of(codes: Ints, dtype: pd.CategoricalDtype) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, dtype=dtype, validate=False)


def _recoded(numbers: Ints, column: pd.Categorical) -> Ints:
    """The codes of a column by other numbers; -1, a missing name, stays."""
    return np.append(numbers, np.int32(-1))[column.codes]
