"""A good file of each format, from the folder `good`."""

from pathlib import Path

FOLDER = Path(__file__).with_name("good")


def good(name):
    """Return the text of a file; that of TREC Genomics is in Latin-1."""
    return (FOLDER / name).read_bytes().decode("latin-1" if name == "genomics.txt" else "utf-8")


NAMES_OF_RUNS = (
    "elements.run",
    "passages.run",
    "documents.run",
    "submission.xml",
    "genomics.run",
    "chunks.jsonl",
    "unnamed.run",
    "msmarco.tsv",
    "results.csv",
    "scores.json",
)
NAMES_OF_ASSESSMENTS = (
    "inex2002.xml", "inex2003.xml", "inex2005.xml", "table.tsv", "fol.qrels", "trec.qrels", "genomics.txt",
    "gold.jsonl",
    "prels.txt", "beir.tsv", "pairs.tsv", "spans.csv", "judged.tsv", "grades.json", "llama-index.json",
    "squad.json", "kilt.jsonl", "chroma.csv",
)  # fmt: skip

RUNS = ELEMENTS, PASSAGES, DOCUMENTS, SUBMISSION, _, CHUNKS, *_ = [good(name) for name in NAMES_OF_RUNS]
ASSESSMENTS = _, INEX2003, INEX2005, _, FOL, *_ = [good(name) for name in NAMES_OF_ASSESSMENTS]
TOPICS = [good(f"topics{year}.xml") for year in (2002, 2009)]
