"""Names of several arrays numbered together, millions of them perhaps, none of which is an object."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.model.arrays import Bools, Ints, changes, release
from focuseval.model.parallel import cores, in_threads

#: a column of names, as Arrow has it
NAMES = pa.dictionary(pa.int32(), pa.large_string())

#: names that are numbered by their codes, if they differ
_MANY = 1 << 20
#: names of an array that tell whether arrays differ
SAMPLE = 1 << 14

#: bytes of a name that its code is made of, at most
_LONGEST = 1 << 8
#: the first bytes of a word, so many, by their number
_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
#: an odd number, without a pattern in its bits
_MIXING = np.uint64(0x9E3779B97F4A7C15)


def union(known: Sequence[pa.Array]) -> tuple[pa.Array, list[Ints]]:
    """The names of several arrays as they appear first, and the number of each array's.

    Of millions that differ no table is made, for none would fit into a processor's cache: their codes are sorted.
    """
    if sum(map(len, known)) < _MANY or not differ([names[:SAMPLE] for names in known[:8]]):
        return _union(known)
    release()
    first = first_places(known)
    release()
    new = first == np.arange(len(first), dtype=np.int32)
    numbers = (np.cumsum(new, dtype=np.int32) - np.int32(1))[first]
    return _chosen(known, new), np.split(numbers, np.cumsum([len(names) for names in known])[:-1])


def first_places(known: Sequence[pa.Array]) -> Ints:
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
        others = pc.not_equal(names, those.take(pa.array(place[first[later + begin]])))
        return later[np.asarray(others)] + begin, names.filter(others)

    places, names = zip(*in_threads(unlike, range(len(known)), cores()), strict=True)
    others = np.concatenate(places)  # wherever one of these names stands is among them
    alike = np.asarray(pa.concat_arrays(names).dictionary_encode().indices)
    first[others] = others[np.unique(alike, return_index=True)[1][alike]]
    return first


def _chosen(known: Sequence[pa.Array], rows: Bools) -> pa.Array:
    """Some rows of several arrays; not by Arrow, which would hold all of them twice."""
    ends = np.zeros(np.count_nonzero(rows) + 1, dtype=np.int64)
    text = np.empty(sum(len(_parts(names)[1]) for names in known), dtype=np.uint8)
    count = begin = 0
    for names in known:
        bounds, some = _parts(names.filter(pa.array(rows[begin : begin + len(names)])))
        text[ends[count] : ends[count] + len(some)] = some
        ends[count + 1 : count + len(bounds)] = bounds[1:] + ends[count]
        count, begin = count + len(bounds) - 1, begin + len(names)
    return pa.LargeStringArray.from_buffers(count, pa.py_buffer(ends), pa.py_buffer(text[: ends[-1]]))


def _parts(names: pa.Array) -> tuple[Ints, np.ndarray]:
    """(N + 1,) where each name begins in the bytes of all, and these."""
    _, ends_of_all, text_of_all = names.buffers()
    if not len(names):  # there may be no buffers
        return np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.uint8)
    ends = np.frombuffer(ends_of_all, np.int64)[names.offset : names.offset + len(names) + 1]
    text = np.frombuffer(text_of_all, np.uint8) if text_of_all else np.empty(0, dtype=np.uint8)
    return ends - ends[0], text[ends[0] : ends[-1]]


def _union(known: Sequence[pa.Array]) -> tuple[pa.Array, list[Ints]]:
    given = [known[0][:0], *known]  # one alone would stay as it is
    places = [pa.DictionaryArray.from_arrays(np.arange(len(names), dtype=np.int32), names) for names in given]
    _, *found = pa.chunked_array(places, NAMES).unify_dictionaries().chunks
    return found[0].dictionary, [np.asarray(chunk.indices) for chunk in found]


def differ(some: Sequence[pa.Array]) -> bool:
    """Whether few names of some arrays stand there twice: so few that a table of them is slower than sorting is."""
    return len(_union(some)[0]) > 0.85 * sum(map(len, some))


def _codes(names: pa.Array) -> np.ndarray:
    """(N,) 64 bits of each name, of which the upper ones are those of another name by chance only."""
    ends, text = _parts(names)
    text = np.append(text, np.zeros(8, dtype=np.uint8))
    words = np.ndarray(len(text) - 7, "<u8", text, strides=(1,))  # of eight bytes, beginning with every byte
    at, left = ends[:-1], np.diff(ends)
    codes = left.astype(np.uint64)
    left = np.minimum(left, _LONGEST)
    rows: Ints | slice = slice(None)
    while len(at):
        word = words[at] if (left >= 8).all() else words[at] & _BYTES[np.minimum(left, 8)]
        codes[rows] = (codes[rows] ^ word) * _MIXING
        codes[rows] ^= codes[rows] >> np.uint64(32)
        longer = left > 8
        if not longer.all():
            rows = np.arange(len(codes))[rows][longer]
            at, left = at[longer], left[longer]
        at, left = at + 8, left - 8
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
    opens = changes(codes)
    first = np.empty(len(codes), dtype=np.int32)
    first[order] = np.repeat(order[opens], np.diff(np.flatnonzero(np.append(opens, True))))
    return first
