"""Names as numbers: categorical columns of distinct names, millions of them perhaps, none of which is an object."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.model.arrays import Bools, Ints, release, release_all
from focuseval.model.parallel import cores, in_threads

#: a column of names, as Arrow has it
NAMES = pa.dictionary(pa.int32(), pa.large_string())

#: names that are numbered by their codes, if they differ
_MANY = 1 << 20
#: names of an array that tell whether arrays differ
_SAMPLE = 1 << 14

#: the first bytes of a word, so many, by their number
_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
#: an odd number, without a pattern in its bits
_MIXING = np.uint64(0x9E3779B97F4A7C15)


def encoded(texts: pa.Array, *, neighbours_alike: bool = False) -> pa.Array:
    """The texts of an array of strings as `NAMES`; where most are that of the line before, few are looked up."""
    if not neighbours_alike:
        return texts.cast(NAMES.value_type).dictionary_encode()
    stretches = pc.run_end_encode(texts)
    names = stretches.values.cast(NAMES.value_type).dictionary_encode()
    lengths = np.diff(np.asarray(stretches.run_ends), prepend=np.int32(0))
    return pa.DictionaryArray.from_arrays(np.repeat(np.asarray(names.indices), lengths), names.dictionary)


def encoded_unless_distinct(texts: pa.Array) -> pa.Array:
    """The same; the texts as they are, where few of them stand there twice."""
    texts = texts.cast(NAMES.value_type)
    return texts if _differ([texts[:_SAMPLE]]) else texts.dictionary_encode()


def alike(tables: Sequence[pa.Table], column: str) -> Sequence[pa.Table]:
    """The tables, a column of which is encoded in all of them or in none."""
    given = [table.column(column) for table in tables]
    if len({names.type for names in given}) < 2:
        return tables
    at = tables[0].schema.get_field_index(column)
    return [
        table if names.type == NAMES else table.set_column(at, column, encoded(names.combine_chunks()))
        for table, names in zip(tables, given, strict=True)
    ]


def numbered(column: pa.ChunkedArray) -> pd.Categorical:
    """A column of names as a categorical one: they are numbered as they appear."""
    one = column.combine_chunks() if column.type == NAMES else encoded(column.combine_chunks())
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


def documents_in(column: pa.ChunkedArray) -> tuple[pd.api.extensions.ExtensionArray, int]:
    """Documents named without the extension of XML files, and how many names had it; of strings a column of strings."""
    if column.type == NAMES or documents_of(column) is not column:
        return without_extensions(numbered(column))
    return _index(column.combine_chunks()).array, 0


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

    It is categorical already, or one of strings.
    """
    given = [frame[column].array for frame in frames]
    known = [first, *(getattr(names, "categories", names) for names in given)]
    names, (_, *numbers) = union([pa.array(some, NAMES.value_type) for some in known])
    dtype = _categories(names)
    for frame, old, number in zip(frames, given, numbers, strict=True):
        frame[column] = _of(_recoded(number, old) if isinstance(old, pd.Categorical) else number, dtype)
    del given, known, numbers, old
    release()


def union(known: Sequence[pa.Array]) -> tuple[pa.Array, list[Ints]]:
    """The names of several arrays as they appear first, and the number of each array's.

    Of millions that differ no table is made, for none would fit into a processor's cache: their codes are sorted.
    """
    if sum(map(len, known)) < _MANY or not _differ([names[:_SAMPLE] for names in known[:8]]):
        return _union(known)
    release_all()
    first = _first_places(known)
    release_all()
    new = first == np.arange(len(first), dtype=np.int32)
    numbers = (np.cumsum(new, dtype=np.int32) - np.int32(1))[first]
    return _chosen(known, new), np.split(numbers, np.cumsum([len(names) for names in known])[:-1])


def _first_places(known: Sequence[pa.Array]) -> Ints:
    """(N,) where each of the N names of several arrays stands first among all."""
    first = _first_alike(np.concatenate(list(in_threads(_codes, known, cores()))))
    bounds = np.cumsum([0, *map(len, known)])
    stand_again = np.zeros(len(first), dtype=bool)
    stand_again[first[first != np.arange(len(first), dtype=np.int32)]] = True
    place = np.cumsum(stand_again, dtype=np.int32) - np.int32(1)  # among those
    those = _chosen(known, stand_again)

    def unlike(array: int) -> tuple[Ints, pa.Array]:
        """The places in an array of names whose codes are those of another name, and these names."""
        begin, end = bounds[array : array + 2]
        later = np.flatnonzero(first[begin:end] != np.arange(begin, end))
        names = known[array].take(pa.array(later))
        differ = pc.not_equal(names, those.take(pa.array(place[first[later + begin]])))
        return later[np.asarray(differ)] + begin, names.filter(differ)

    places, names = zip(*in_threads(unlike, range(len(known)), cores()), strict=True)
    others = np.concatenate(places)  # wherever one of these names stands is among them
    alike = np.asarray(pa.concat_arrays(names).dictionary_encode().indices)
    first[others] = others[np.unique(alike, return_index=True)[1][alike]]
    return first


def _chosen(known: Sequence[pa.Array], rows: Bools) -> pa.Array:
    """Some rows of several arrays; not by Arrow, which would hold all of them twice."""
    ends = np.zeros(np.count_nonzero(rows) + 1, dtype=np.int64)
    text = np.empty(sum(names.buffers()[2].size for names in known), dtype=np.uint8)
    count = begin = 0
    for names in known:
        chosen = names.filter(pa.array(rows[begin : begin + len(names)]))
        _, of_some, text_of_some = chosen.buffers()
        bounds = np.frombuffer(of_some, np.int64)[chosen.offset : chosen.offset + len(chosen) + 1]
        size = ends[count] + bounds[-1] - bounds[0]
        text[ends[count] : size] = np.frombuffer(text_of_some, np.uint8)[bounds[0] : bounds[-1]]
        ends[count + 1 : count + 1 + len(chosen)] = bounds[1:] + (ends[count] - bounds[0])
        count, begin = count + len(chosen), begin + len(names)
    return pa.LargeStringArray.from_buffers(count, pa.py_buffer(ends), pa.py_buffer(text[: ends[-1]]))


def _union(known: Sequence[pa.Array]) -> tuple[pa.Array, list[Ints]]:
    given = [known[0][:0], *known]  # one alone would stay as it is
    places = [pa.DictionaryArray.from_arrays(np.arange(len(names), dtype=np.int32), names) for names in given]
    _, *found = pa.chunked_array(places, NAMES).unify_dictionaries().chunks
    return found[0].dictionary, [np.asarray(chunk.indices) for chunk in found]


def _differ(some: Sequence[pa.Array]) -> bool:
    """Whether few names stand in several of some arrays."""
    return 4 * len(_union(some)[0]) > 3 * sum(map(len, some))


def _codes(names: pa.Array) -> np.ndarray:
    """(N,) 64 bits of each name, of which the upper ones are those of another name by chance only."""
    _, ends_of_all, text_of_all = names.buffers()
    ends = np.frombuffer(ends_of_all, np.int64)[names.offset : names.offset + len(names) + 1]
    text = np.append(np.frombuffer(text_of_all, np.uint8)[: ends[-1]], np.zeros(8, dtype=np.uint8))
    words = np.ndarray(len(text) - 7, "<u8", text, strides=(1,))  # of eight bytes, beginning with every byte
    at, left = ends[:-1], np.diff(ends)
    codes = left.astype(np.uint64)
    rows: Ints | slice = slice(None)
    while len(at):
        codes[rows] = (codes[rows] ^ words[at] & _BYTES[np.minimum(left, 8)]) * _MIXING
        codes[rows] ^= codes[rows] >> np.uint64(32)
        longer = left > 8
        if not longer.all():
            rows = np.arange(len(codes))[rows][longer]
        at, left = at[longer] + 8, left[longer] - 8
    return codes * _MIXING


def _first_alike(codes: np.ndarray) -> Ints:
    """(N,) the first of all whose codes have the same upper bits, as many as are not needed for numbers to N."""
    bits = np.uint64(len(codes).bit_length())
    codes >>= bits
    codes <<= bits
    codes |= np.arange(len(codes), dtype=np.uint64)
    codes.sort()  # quicker than an order of rows
    order = (codes & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int32)
    codes >>= bits
    opens = np.append(True, codes[1:] != codes[:-1])
    first = np.empty(len(codes), dtype=np.int32)
    first[order] = np.repeat(order[opens], np.diff(np.flatnonzero(np.append(opens, True))))
    return first


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
