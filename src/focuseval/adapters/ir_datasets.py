"""Conversion of gold and runs from ir_datasets to frames that `focuseval.score` accepts."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from focuseval.errors import InputError, listed

_COLUMNS = {"query_id": "topic", "doc_id": "document", "relevance": "grade", "span_start": "start"}


def from_ir_datasets(name: str, found: Any = None) -> pd.DataFrame:
    """Return the gold of a data set, or a run on it, as a frame.

    ``name`` is the data set's name in ir_datasets. If ``found`` is given, it is the run: a list of named tuples, a
    frame, or a dictionary ``{topic: {doc_id: score}}``. The columns are topic, document, and either grade (gold) or
    score (a run). For data sets of passages, the frame also has the columns start and end.

    Offsets are in the data set's unit. In highwire and Natural Questions, offsets count bytes of pages. In MS MARCO v2,
    offsets count characters of documents. In TREC CAsT, offsets count characters of a document's text, which consists
    of its passages joined by line ends. In all other data sets, such as KILT, results are whole documents.

    ir_datasets downloads the data. Raises InputError for passages that are not in the data set.
    """
    import ir_datasets

    data = ir_datasets.load(name)
    if isinstance(found, Mapping):
        found = [(topic, *scored) for topic, scores in found.items() for scored in scores.items()]
        found = pd.DataFrame(found, columns=["topic", "document", "score"])
    rows = pd.DataFrame(data.qrels_iter() if found is None else found).rename(columns=_COLUMNS)
    if length := next((key for key in ("length", "span_len") if key in rows), None):
        rows["end"] = rows["start"] + rows[length]
    elif place := _PLACES.get(data.docs_cls().__name__):
        store, wanted = data.docs_store(), rows["document"].unique().tolist()
        places = {passage.doc_id: place(passage, store) for passage in store.get_many_iter(wanted)}
        if lost := [one for one in wanted if one not in places]:
            raise InputError.of(name, f"the data set has no {listed(lost, 3)}", "expected its documents")
        rows[["document", "start", "end"]] = [places[one] for one in rows["document"]]
    return rows[[key for key in ("topic", "document", "start", "end", "grade", "score") if key in rows]]


def _in_cast(passage: Any, store: Any) -> tuple[str, int, int]:
    """Return the document, start and end of a TREC CAsT passage, named ``DOCUMENT-NUMBER``."""
    document, _, number = passage.doc_id.rpartition("-")
    names = [f"{document}-{i}" for i in range(1, int(number) + 1)]
    sizes = {one.doc_id: len(getattr(one.text, "text", one.text)) for one in store.get_many_iter(names)}
    start = sum(sizes[name] + 1 for name in names[:-1])
    return document, start, start + sizes[names[-1]]


#: for each class of passages in ir_datasets, a function that returns a passage's document, start and end
_PLACES = {
    "NqPassageDoc": lambda one, _: (one.doc_id.rpartition("-")[0], one.start_byte, one.end_byte),
    "MsMarcoV2Passage": lambda one, _: (one.msmarco_document_id, one.spans[0][0], one.spans[-1][1]),
    "CastPassageDoc": _in_cast,
}
