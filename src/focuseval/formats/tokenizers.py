"""Load tokenizers by name or from a file, or create them from functions.

Libraries are imported only when they are needed. The extra ``chunking`` installs ``tiktoken``.
"""

from base64 import b64decode
from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focuseval.errors import InputError, described, extra
from focuseval.files import read_bytes
from focuseval.model.elements import Tokenizer
from focuseval.numerals import whole

if TYPE_CHECKING:
    from tiktoken import Encoding

#: matches the parts of a text that cl100k_base encodes separately
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)

_EXPECTED = (
    "expected the name of a tiktoken encoding (cl100k_base) or a file (cl100k_base.tiktoken, or tokenizer.json of the "
    "package tokenizers); in Python, also a function that returns the tokens of a text"
)


def tokenizer_of(tokenizer: Any) -> Tokenizer:
    """Create a tokenizer from a name, a file, an object of the package tiktoken or tokenizers, or a function.

    A function must return the list of tokens of a text. Raises InputError for other values, and for a name that is
    unknown or unavailable offline.
    """
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    if isinstance(tokenizer, str | PathLike):
        tokenizer = _loaded(str(tokenizer))
    if hasattr(tokenizer, "decode_with_offsets"):
        return _by_ends(partial(_ends_of_tiktoken, tokenizer))
    if hasattr(tokenizer, "encode") and hasattr(tokenizer, "token_to_id"):
        return _by_ends(
            lambda text: [end for _, end in tokenizer.encode(text, add_special_tokens=False).offsets]
        )
    if not callable(tokenizer):
        raise InputError.of("tokenizer", f"the value is {described(tokenizer)}", _EXPECTED)

    def count(text: str) -> int:
        return len(tokenizer(text))

    prefix = partial(_longest_prefix, count)
    return Tokenizer(count, prefix, lambda text: [prefix(text, n + 1) for n in range(count(text))])


def _by_ends(ends: Callable[[str], list[int]]) -> Tokenizer:
    """Create a tokenizer from a function that returns the end of each token in a text."""
    return Tokenizer(
        lambda text: len(ends(text)), lambda text, count: ends(text)[count - 1] if count else 0, ends
    )


def _ends_of_tiktoken(encoding: "Encoding", text: str) -> list[int]:
    """Return the end of each token in a text. If a character has several tokens, only the last one ends after it."""
    tokens = encoding.encode(text, disallowed_special=())
    return [*encoding.decode_with_offsets(tokens)[1][1:], *([len(text)] if tokens else [])]


def _longest_prefix(length: Callable[[str], int], text: str, count: int) -> int:
    """Return the length of the longest prefix of a text that has at most ``count`` tokens."""
    return bisect_right(range(len(text) + 1), count, key=lambda size: length(text[:size])) - 1


def _loaded(name: str) -> Any:
    """Load a tokenizer by its name or from its file."""
    path = Path(name)
    if path.suffix == ".tiktoken" and path.is_file():
        return cl100k(path)
    if path.suffix == ".json" and path.is_file():
        try:
            from tokenizers import Tokenizer as OfTokenizers
        except ModuleNotFoundError:
            expected = "install it with pip install tokenizers"
            raise InputError.of("tokenizer", f"{name} needs the package tokenizers", expected) from None
        return OfTokenizers.from_file(name)
    with extra("chunking"):
        import tiktoken
    try:
        is_encoding = name in tiktoken.list_encoding_names()
        return tiktoken.get_encoding(name) if is_encoding else tiktoken.encoding_for_model(name)
    except KeyError:
        raise InputError.of("tokenizer", f"the value is {name!r}", _EXPECTED) from None
    except OSError as error:
        found = f"{name} is not on this computer and cannot be downloaded ({type(error).__name__})"
        expected = "give the path of its file, such as cl100k_base.tiktoken"
        raise InputError.of("tokenizer", found, expected) from None


def cl100k(path: Path) -> "Encoding":
    """Load the encoding of tiktoken in the file ``cl100k_base.tiktoken``. Raises InputError for other files."""
    with extra("chunking"):
        from tiktoken import Encoding
    ranks = {}
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        try:
            token, rank = line.split()
            ranks[b64decode(token, validate=True)] = whole(rank.decode())
        except ValueError:
            expected = "expected a token in base 64, and its rank"
            raise InputError.of(
                str(path), "the line is not a token", expected, where=f"line {number}"
            ) from None
    return Encoding("cl100k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})
