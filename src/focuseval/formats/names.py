"""Names as numbers: dictionary-encoded strings."""

from typing import cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.model.arrays import Ints

#: a column of names, as Arrow has it
NAMES = pa.dictionary(pa.int32(), pa.large_string())


def encoded(texts: pa.Array, *, neighbours_alike: bool = False) -> pa.Array:
    """The texts of an array of strings as `NAMES`; where most are that of the line before, few are looked up."""
    if not neighbours_alike:
        return texts.cast(NAMES.value_type).dictionary_encode()
    stretches = pc.run_end_encode(texts)
    names = stretches.values.cast(NAMES.value_type).dictionary_encode()
    lengths = np.diff(np.asarray(stretches.run_ends), prepend=np.int32(0))
    return pa.DictionaryArray.from_arrays(np.repeat(np.asarray(names.indices), lengths), names.dictionary)


def numbered(column: pa.ChunkedArray) -> pd.Categorical:
    """A column of names as a categorical one: they are numbered as they appear."""
    one = column.combine_chunks() if column.type == NAMES else encoded(column.combine_chunks())
    return categorical(np.asarray(one.indices), one.dictionary)


def named(column: pd.Series) -> pd.Categorical:
    """Names as a categorical column, numbered as they appear."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return cast(pd.Categorical, column.array)
    codes, names = pd.factorize(column.to_numpy(object))
    return categorical(codes, pa.array(names, NAMES.value_type))


def codes_of(column: pd.Series) -> Ints:
    """The numbers of the names in a categorical column; pandas' own way to them copies them."""
    return cast(pd.Categorical, column.array).codes


def missing(count: int) -> pd.Categorical:
    """A categorical column of so many missing names."""
    return categorical(np.full(count, -1, dtype=np.int8), pa.array([], NAMES.value_type))


def categorical(codes: Ints, names: pa.Array) -> pd.Categorical:
    """A categorical column of these codes; -1 is a missing name."""
    return pd.Categorical.from_codes(codes, pd.Index(names.to_pandas(), dtype="str"), validate=False)


def documents_of(names: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Names of documents without the extension of XML files, as `focuseval.formats.parsed.document_name` gives them."""
    has = pc.or_(pc.ends_with(names, "xml"), pc.ends_with(names, "XML"))
    if not pc.any(has).as_py():
        return names
    return pc.replace_substring_regex(names, r"\.[nN]?(xml|XML)\z", "")


def without_extensions(column: pd.Categorical) -> tuple[pd.Categorical, pa.Array]:
    """A column of documents, named without the extension of XML files, and the names that had it."""
    given = pa.array(column.categories, NAMES.value_type)
    documents = documents_of(given)
    extended = given.filter(pc.not_equal(documents, given))
    if not len(extended):
        return column, extended
    of = documents.dictionary_encode()
    return categorical(_recoded(np.asarray(of.indices), column), of.dictionary), extended


def has_blank(names: pa.ChunkedArray) -> bool:
    """Whether a name has no character, or white space only."""
    blank = pc.or_(pc.equal(pc.binary_length(names), 0), pc.utf8_is_space(names))
    return bool(pc.any(blank).as_py())


def behind(first: pd.Index, column: pd.Series) -> pd.Series:
    """A categorical column whose categories are the ``first`` ones, which are distinct, and behind them its others."""
    wanted, names = (pa.array(some, NAMES.value_type) for some in (first, column.cat.categories))
    place = pc.index_in(names, value_set=wanted)
    others = names.filter(place.is_null())
    number = place.fill_null(-1).to_numpy()
    number = np.where(number >= 0, number, np.cumsum(number < 0, dtype=np.int32) + np.int32(len(wanted) - 1))
    both = pa.concat_arrays([wanted, others])
    return pd.Series(categorical(_recoded(number, column.array), both), column.index)


def _recoded(numbers: Ints, column: pd.Categorical) -> Ints:
    """The codes of a column by other numbers; -1, a missing name, stays."""
    return np.append(numbers, np.int32(-1))[column.codes]
