"""The tables of `docs/`, written from what is declared and from what audits found."""

import re
from collections.abc import Callable, Sequence


def with_tables(text: str, name: str, table: Callable[[Sequence[str]], str | None]) -> str:
    """The text with a table between each pair of lines ``<!-- NAME: WORD ... -->`` and ``<!-- NAME: end -->``.

    ``table`` makes it of the words; where it makes None, what is there stays.
    """

    def made(block: re.Match[str]) -> str:
        found = table(block[2].split())
        return block[0] if found is None else f"{block[1]}\n{found}\n{block[3]}"

    block = rf"(<!-- {name}: (?!end\b)(.*?) -->\n).*?(<!-- {name}: end -->)"
    return re.sub(block, made, text, flags=re.DOTALL)
