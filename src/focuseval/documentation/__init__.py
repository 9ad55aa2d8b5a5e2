"""The tables of `docs/`, written from what is declared and from what audits found."""

import re
from collections.abc import Callable, Sequence


def with_tables(text: str, name: str, table: Callable[[Sequence[str]], str]) -> str:
    """The text with a table between each pair of lines ``<!-- NAME: WORD ... -->`` and ``<!-- NAME: end -->``.

    ``table`` makes it of the words.
    """
    block = rf"(<!-- {name}: (?!end\b)(.*?) -->\n).*?(<!-- {name}: end -->)"
    return re.sub(block, lambda b: f"{b[1]}\n{table(b[2].split())}\n{b[3]}", text, flags=re.DOTALL)
