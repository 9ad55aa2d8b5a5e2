"""Retrieval of chunks: the systems rank the chunks of a chunking as if each were a document."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from focuseval.campaign.collection_read import assemble
from focuseval.model.arrays import Ints
from focuseval_papers.retrieval.indexing import WORD, index_texts, number_texts
from focuseval_papers.retrieval.search import retrieve_all
from focuseval_papers.retrieval.systems import SYSTEMS

#: the systems that rank whole documents, without a preference for long ones
CHUNK_SYSTEMS = tuple(one for one in SYSTEMS if one.elements == "article" and one.prior == 0)


def retrieve_chunks(texts: Sequence[str], topics: pd.DataFrame, *, size: int) -> pd.DataFrame:
    """The runs of `CHUNK_SYSTEMS` over chunks: columns run, topic, rank, chunk (its place in ``texts``), score.

    ``topics`` has the columns topic and title. Ranks count from 1, equal scores are in the order of the chunks.
    """
    count = len(texts)
    names = [f"{number:0{len(str(count))}}" for number in range(count)]
    words = np.array([len(WORD.findall(text)) for text in texts], dtype=np.int32)
    zeros, ones = np.zeros(count, dtype=np.int32), np.ones(count, dtype=np.int32)
    columns: dict[str, Ints] = {
        "parent": zeros - 1,
        "last": ones,
        "depth": zeros,
        "tag": zeros,
        "position": ones,
        "word_start": zeros,
        "word_end": words,
    }
    collection = assemble(names, ones.astype(np.int64), columns, ["chunk"], "words")
    index = index_texts([number_texts(zip(names, texts, strict=True))], collection)
    found = retrieve_all(index, collection, topics, CHUNK_SYSTEMS, size=size)
    return found.rename(columns={"document": "chunk"})[["run", "topic", "rank", "chunk", "score"]]
