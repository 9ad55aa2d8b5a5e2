"""Worked examples of publications: scores of result lists on small documents, and recomputed printed numbers."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from focuseval.formats.xml_elements import Document, parse_document, parse_documents
from focuseval.measures.declaration import AnyMeasure, parse_specs
from focuseval.model.elements import Collection, assemble
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score
from focuseval_papers.publication.claims import named
from focuseval_papers.publication.declaration import WorkedCase


def document(xml: str | bytes) -> Collection:
    """Parse an XML document, and return a collection that consists of this document."""
    content = xml if isinstance(xml, bytes) else xml.encode()
    one = Document("d", "document.xml", content, "document.xml", len(content))
    parsed = parse_documents([one], parse_document)
    return assemble(parsed.names, parsed.elements, parsed.columns, parsed.tags, "characters")


def scores_of_cases(
    cases: Mapping[str, WorkedCase], measures: Mapping[str, AnyMeasure]
) -> Iterator[tuple[str, float]]:
    """Score the result lists in worked cases; yield pairs of a name ``case[NAME, LIST, MEASURE]`` and a score."""
    for name, case in cases.items():
        collection, one = document(case.xml), np.zeros(1, dtype=np.int64)
        row = {path: int(collection.resolve(one, [path])[0]) for path in case.judged}
        e, s = np.array(list(case.judged.values()), dtype=float).T
        rows = np.array(list(row.values()))
        order = np.argsort(rows)
        start, end = np.array(case.highlighted, dtype=np.int64).reshape(-1, 2).T
        marked = Highlights(np.zeros_like(start), start, end) if len(start) else None
        topic = Topic("topic", case.scale, collection, rows[order], e[order], s[order], marked)
        specs = {
            spec.name: (label, spec)
            for label, text in case.measures.items()
            for spec in parse_specs(text, measures)
        }
        for list_name, paths in case.lists.items():
            element = collection.resolve(np.zeros(len(paths), dtype=np.int64), paths)
            same, rank = np.zeros(len(element), dtype=np.int64), np.arange(1, len(element) + 1)
            where = collection.start[element], collection.end[element], np.full(len(element), np.nan)
            run, topics = pd.Index([list_name]), pd.Index(["topic"])
            results = Results(run, topics, same, same, rank, same, element, *where)
            table = score([topic], results, [spec for _, spec in specs.values()]).per_topic
            for measure, value in zip(table["name"], table["value"], strict=True):
                yield named("case", name, list_name, specs[measure][0]), float(value)


def recomputed_as_text(numbers: pd.DataFrame, pattern: str) -> pd.DataFrame:
    """Format a table of `Declaration.recomputed` for readers, without the numbers whose names match ``pattern``.

    Printed numbers have the digits that the paper prints. Recomputed numbers have four significant digits.
    """
    table = numbers[~numbers["quantity"].str.match(pattern)].reset_index(drop=True)
    printed = [
        None if np.isnan(value) else f"{value:.{digits}f}"
        for value, digits in zip(table["printed"], table["decimals"], strict=True)
    ]
    return pd.DataFrame(
        {
            "quantity": table["quantity"],
            "printed": printed,
            "recomputed": table["computed"].map("{:.4g}".format),
            "agrees": table["agrees"].astype(object).map({True: "yes", False: "no"}),
            "note": table["why"].replace("", None),
        }
    )
