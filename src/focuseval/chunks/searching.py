"""The search for the documents that contain given texts.

Each document is read once, and divided into blocks of equal size. It is searched only for texts that contain one of its
blocks.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from focuseval.formats.same_text import Normalisation, Normalised

#: the maximum size of blocks in exact searches, and the size of blocks in approximate searches, in characters
_LONGEST, _NEAR = 32, 8

#: the number of documents that an approximate search examines for each text
_NEAREST = 5


def holders(
    texts: Iterable[str], documents: Mapping[str, str], normalise: Normalisation
) -> dict[str, list[str]]:
    """Return, for each text, the names of the documents that contain it, in the order of ``documents``."""
    compared = {text: Normalised.of(text, normalise).text for text in texts}
    blocks: dict[int, dict[str, list[str]]] = {}
    for text, wanted in compared.items():
        # wherever a text of 2 n - 1 or more characters occurs, a block of size n starts within its first n characters
        size = min(1 << ((len(wanted) + 1) // 2).bit_length() >> 1, _LONGEST)
        for at in range(size):
            blocks.setdefault(size, {}).setdefault(wanted[at : at + size], []).append(text)
    documents_of: dict[str, list[str]] = {text: [] for text in compared}
    for name, document, shared in _sharing(blocks, documents, normalise):
        for text in shared:
            if compared[text] in document:
                documents_of[text].append(name)
    return documents_of


def nearest(
    texts: Iterable[str], documents: Mapping[str, str], normalise: Normalisation
) -> dict[str, list[str]]:
    """Return, for each text, the names of the most similar documents, best first, at most `_NEAREST`."""
    blocks: dict[str, list[str]] = {}
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        counts[text] = Counter()
        wanted = Normalised.of(text, normalise).text
        for at in range(len(wanted) - _NEAR + 1):
            blocks.setdefault(wanted[at : at + _NEAR], []).append(text)
    for name, _, shared in _sharing({_NEAR: blocks}, documents, normalise):
        for text, count in shared.items():
            counts[text][name] = count
    return {text: [name for name, _ in of_text.most_common(_NEAREST)] for text, of_text in counts.items()}


def _sharing(
    blocks: Mapping[int, Mapping[str, list[str]]], documents: Mapping[str, str], normalise: Normalisation
) -> Iterator[tuple[str, str, Counter[str]]]:
    """Yield, for each document, its name, its normalised text, and the number of blocks that each text shares with it.

    ``blocks`` maps a size and a block of this size to the texts that contain the block.
    """
    for name, document in documents.items():
        text = Normalised.of(document, normalise).text
        shared: Counter[str] = Counter()
        for size, texts_with in blocks.items():
            for block in {text[at : at + size] for at in range(0, len(text), size)} & texts_with.keys():
                shared.update(texts_with[block])
        yield name, text, shared
