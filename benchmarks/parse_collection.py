"""Element tables from XML: bytes of XML per second of CPU, and the ratio to bare lxml in the same run.

python benchmarks/parse_collection.py ../shared/data/evidence-inference/collection.tar.gz
"""

import argparse
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

from lxml import etree
from measuring import Measured, in_turn, record

from focuseval.campaign.collection_read import document_texts
from focuseval.formats.documents import read_documents
from focuseval.formats.xml_elements import parse_document, parse_documents
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.store import load_collection


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", type=Path)
    source = parser.parse_args().collection
    documents = list(read_documents(source))
    megabytes = sum(len(document.xml) for document in documents) / 1e6
    named = [d._replace(xml=d.xml.replace(b"<p>", b"<p>&nbsp;")) for d in documents]
    recoded = [d._replace(xml=b"<?xml version='1.0' encoding='windows-1252'?>" + d.xml) for d in documents]
    parse_documents(documents[:1], parse_document)
    print(f"{source}: {len(documents)} documents, {megabytes:.1f} MB of XML")
    with tempfile.TemporaryDirectory() as folder:
        works: dict[str, Callable[[], object]] = {
            "reading the archive": lambda: [None for _ in read_documents(source)],
            "bare lxml.etree.parse": lambda: [etree.parse(io.BytesIO(d.xml)) and None for d in documents],
            "parse_documents": lambda: parse_documents(documents, parse_document),
            "... with an HTML entity in each": lambda: parse_documents(named, parse_document),
            "... in another encoding": lambda: parse_documents(recoded, parse_document),
            "build_collection (read, parse, write)": lambda: build_collection(source, folder),
            "load_collection": lambda: load_collection(folder),
            "document_texts": lambda: [None for _ in document_texts(source)],
        }
        spent = {name: one.cpu for name, one in in_turn(works).items()}
    bare = spent.pop("bare lxml.etree.parse")
    bounds = {"parse_documents": "ratio >= 0.15", "build_collection (read, parse, write)": "ratio >= 0.1"}
    record(
        "parse_collection",
        [
            Measured(name, seconds, "s of CPU", bare, "bare lxml.etree.parse", bounds.get(name, ""))
            for name, seconds in spent.items()
        ],
    )


if __name__ == "__main__":
    main()
