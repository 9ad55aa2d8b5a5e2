"""Evidence Inference 2.0 (DeYoung et al. 2020): reports of clinical trials, with passages that physicians marked.

The repository jayded/evidence-inference has reports as XML (``annotations/xml_files/PMC….nxml``) and as plain text
(``annotations/txt_files/PMC….txt``). Prompts (``prompts_merged.csv``) ask about an outcome of a report. Annotators
(``v2_annotations.csv``) mark the passage of the plain text that answers the prompt, and others verify it.

- A topic is a concept, described by one or more words (`CONCEPTS`). An outcome belongs to the topic if it contains one
  of the words. The passages that answer prompts about such outcomes are relevant, unless the verifier rejected them.
- Plain text and XML have the same text, with different white space. The plain text has additional headings. A passage
  is located in the XML by its characters without white space. If these characters occur several times, the n-th
  occurrence in the plain text becomes the n-th occurrence in the XML.
- The exhaustivity of an element is 2 if several annotators marked any text in it, and 1 if only one annotator did.
"""

import csv
import re
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from focuseval.errors import InputError, InputWarning
from focuseval.files import read_bytes, write_atomically
from focuseval.formats.xml_elements import COLUMNS, parse_document
from focuseval.model.arrays import Ints, sums_before
from focuseval.model.intervals import merge
from focuseval_papers.workflow.inex_files import assessments_file, in_form_of_2005, qrels_line, topics_file

MAKES = ("collection.zip", "topics.xml", "assessments/", "qrels.fol.txt")

#: the words that describe each topic, in lower case; the first one is the title
CONCEPTS = (
    ("pain",),
    ("blood pressure",),
    ("survival",),
    ("quality of life",),
    ("adverse events", "adverse effects", "side effects"),
    ("body weight", "weight loss", "weight gain"),
    ("cholesterol",),
    ("mortality", "death"),
    ("hba1c", "glycated"),
    ("depression", "depressive"),
    ("heart rate",),
    ("nausea", "vomiting"),
    ("glucose", "glycaemia", "glycemia"),
    ("triglyceride",),
    ("bmi", "body mass index"),
    ("sleep",),
    ("anxiety",),
    ("infection",),
    ("stay", "hospitalisation", "hospitalization"),
    ("satisfaction",),
    ("bleeding", "haemorrhage", "hemorrhage", "blood loss"),
    ("cost",),
    ("insulin",),
    ("fatigue",),
    ("fracture", "bone"),
    ("pregnancy", "birth"),
    ("oxygen", "saturation"),
    ("muscle", "strength"),
    ("cognitive", "memory"),
    ("response rate", "objective response"),
    ("symptom",),
    ("recurrence", "relapse"),
    ("fev1", "lung", "pulmonary"),
    ("iron", "ferritin", "hemoglobin", "haemoglobin"),
    ("tumor", "tumour", "progression"),
    ("duration of surgery", "operation time", "operative time"),
    ("wound", "healing"),
    ("vitamin", "25 oh d"),
    ("physical activity", "walking", "exercise"),
)

#: the number of the first topic
FIRST = 9001

_DECLARATION = "<?xml version='1.0' encoding='UTF-8'?>\n"


class Report(NamedTuple):
    """A report: columns with the offsets and parents of its elements, the elements' paths, and the text."""

    columns: dict[str, Ints]
    paths: list[str]
    text: str


def write(files: Path, out: Path) -> None:
    """Convert Evidence Inference to a collection, topics, judgements of elements and relevant passages.

    Annotations whose passage is not in the XML are left out with a warning. Raises InputError if a table has missing
    columns or malformed numbers.
    """
    folder = files / "annotations"
    reports = {path.stem: path for path in sorted((folder / "xml_files").glob("*.nxml"))}
    with zipfile.ZipFile(out / "collection.zip", "w") as archive:
        for path in reports.values():
            archive.writestr(zipfile.ZipInfo(path.name), read_bytes(path))
    write_topics(out / "topics.xml")
    annotations = read_annotations(folder / "v2_annotations.csv")
    by_report = dict(list(annotations[annotations["document"].isin(reports)].groupby("document")))
    topics = topics_of_prompts(folder / "prompts_merged.csv")
    judged: dict[int, list[pd.DataFrame]] = {topic: [] for topic in range(FIRST, FIRST + len(CONCEPTS))}
    qrels: dict[int, list[str]] = {topic: [] for topic in judged}
    for document in sorted(by_report, key=lambda name: (len(name), name)):
        report = read_report(reports[document])
        plain = read_bytes(folder / "txt_files" / f"{document}.txt").decode("utf-8")
        spans_of_report = placed(by_report[document], plain, report.text)
        accepted = spans_of_report[spans_of_report["accepted"]]
        by_topic = accepted.assign(topic=accepted["prompt"].map(topics)).explode("topic")
        for topic, passages in by_topic.dropna(subset="topic").groupby("topic", sort=False):
            judged[topic].append(_elements(document, report, passages))
            spans = list(zip(*(side.tolist() for side in _merged(passages)), strict=True))
            qrels[topic].append(qrels_line(str(topic), document, len(report.text), spans))
    (out / "assessments").mkdir()
    for topic, tables in judged.items():
        if tables:
            with write_atomically(out / "assessments" / f"{topic}.xml") as written:
                form = in_form_of_2005("evidence-inference")
                written.write(_DECLARATION + assessments_file(str(topic), pd.concat(tables), form))
    with write_atomically(out / "qrels.fol.txt") as written:
        written.writelines(line for lines in qrels.values() for line in lines)


def write_topics(path: Path) -> None:
    """Write the file of topics, with a topic for each of the `CONCEPTS`."""
    topics = [
        (
            {"id": str(FIRST + number), "ct_no": str(number + 1)},
            {
                "title": words[0],
                "description": f"Find what the trials report about {' or '.join(words)}.",
                "narrative": "Relevant text states a result for an outcome that names one of: "
                f"{', '.join(words)}.",
            },
        )
        for number, words in enumerate(CONCEPTS)
    ]
    with write_atomically(path) as out:
        out.write(_DECLARATION + topics_file(topics))


def _table(path: Path, columns: Mapping[str, type]) -> pd.DataFrame:
    """Return ``columns`` of a table, converted to their types.

    Raises InputError if a column is missing, or if a cell is not a whole number although its type is int.
    """
    text = read_bytes(path).decode("utf-8-sig")
    table = csv.DictReader(text.splitlines(keepends=True))
    if missing := set(columns) - set(table.fieldnames or ()):
        message = f"the table has no column {', '.join(sorted(missing))}"
        raise InputError.of(str(path), message, "expected the table as it was published", where="line 1")
    rows = []
    for row in table:
        for name, kind in columns.items():
            if kind is int and not re.fullmatch(r"-?\d+", row[name] or ""):
                message, where = f"the column {name} has {row[name]!r}", f"line {table.line_num}"
                raise InputError.of(str(path), message, "expected a whole number", where=where)
        rows.append([kind(row[name]) for name, kind in columns.items()])
    return pd.DataFrame(rows, columns=list(columns))


def read_annotations(path: Path) -> pd.DataFrame:
    """Return the annotations in ``v2_annotations.csv``, which mark passages of the plain text.

    The columns are document, prompt, annotator, start, end and accepted (by the verifier).
    """
    whole = ("PMCID", "PromptID", "UserID", "Evidence Start", "Evidence End")
    table = _table(path, dict.fromkeys(whole, int) | {"Valid Reasoning": str})
    table.columns = pd.Index(["document", "prompt", "annotator", "start", "end", "accepted"])
    accepted = table["accepted"].isin(["True", "1"])
    return table.assign(document="PMC" + table["document"].astype(str), accepted=accepted)


def topics_of_prompts(path: Path) -> dict[int, list[int]]:
    """Return the topics of each prompt in ``prompts_merged.csv``.

    A topic is included if one of its words occurs in the prompt's outcome. Prompts without topics are left out.
    """
    by_prompt: dict[int, list[int]] = {}
    for prompt, outcome in _table(path, {"PromptID": int, "Outcome": str}).itertuples(index=False):
        folded = " ".join(re.findall("[a-z0-9]+", outcome.lower()))
        topics = [n for n, words in enumerate(CONCEPTS, FIRST) if any(word in folded for word in words)]
        if topics:
            by_prompt.setdefault(prompt, topics)
    return by_prompt


def read_report(path: Path) -> Report:
    """Read the text and the elements of a report from its XML file."""
    parsed = parse_document(read_bytes(path), str(path))
    columns = dict(zip(COLUMNS, parsed.rows.T.astype(np.int64), strict=True))
    paths: list[str] = []
    steps = zip(*(columns[name].tolist() for name in ("parent", "tag", "position")), strict=True)
    for parent, tag, position in steps:
        paths.append(f"{paths[parent] if paths else ''}/{parsed.tags[tag]}[{position}]")
    return Report(columns, paths, parsed.text.decode("utf-8"))


def placed(annotations: pd.DataFrame, plain: str, text: str) -> pd.DataFrame:
    """Move the annotations of a report from the ``plain`` text to the XML's ``text``.

    Annotations whose passage is not in the XML are left out with a warning.
    """
    solid, places = _without_space(text)
    solid_plain, places_plain = _without_space(plain)
    spans: dict[int, tuple[int, int]] = {}
    for row in annotations.itertuples():
        passage = "".join(plain[row.start : row.end].split())
        occurrences = _occurrences(solid, passage)
        if not occurrences:
            message = (
                f"{row.document}: the passage that annotator {row.annotator} marked for prompt {row.prompt} is "
                f"left out, because characters {row.start} to {row.end} of the plain text are not in the XML"
            )
            warnings.warn(InputWarning(message), stacklevel=2)
            continue
        number = 0
        if len(occurrences) > 1:
            begin = int(np.searchsorted(places_plain, row.start))
            number = min(_occurrences(solid_plain, passage).index(begin), len(occurrences) - 1)
        first = occurrences[number]
        spans[row.Index] = int(places[first]), int(places[first + len(passage) - 1]) + 1
    sides = pd.DataFrame(spans.values(), index=list(spans), columns=["start", "end"])
    return annotations.drop(columns=["start", "end"]).join(sides, how="inner")


#: the code points of the characters that `str.split` treats as white space
_SPACE = [code for code in range(0x3001) if chr(code).isspace()]


def _without_space(text: str) -> tuple[str, Ints]:
    """Return a text without white space, and the original position of each remaining character."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    return "".join(text.split()), np.flatnonzero(~np.isin(codes, _SPACE))


def _occurrences(text: str, passage: str) -> list[int]:
    """Return the starts of all occurrences of a passage, which may overlap; an empty passage has none."""
    occurrences = []
    at = text.find(passage) if passage else -1
    while at >= 0:
        occurrences.append(at)
        at = text.find(passage, at + 1)
    return occurrences


def _merged(passages: pd.DataFrame) -> tuple[Ints, Ints]:
    """Return the starts and the ends of the passages after overlapping ones are merged."""
    start, end = (passages[side].to_numpy(np.int64) for side in ("start", "end"))
    _, start, end = merge(np.zeros_like(start), start, end)
    return start, end


def _relevant_sizes(report: Report, passages: pd.DataFrame) -> Ints:
    """Return for each element the number of its characters that are inside a passage."""
    start, end = _merged(passages)
    size = len(report.text) + 1
    marked = np.cumsum(np.bincount(start, minlength=size) - np.bincount(end, minlength=size))
    before = sums_before(marked)
    return before[report.columns["end"]] - before[report.columns["start"]]


def _elements(document: str, report: Report, passages: pd.DataFrame) -> pd.DataFrame:
    """Return judgements of the elements that contain relevant text, in the format of INEX 2005."""
    relevant = _relevant_sizes(report, passages)
    marked = [_relevant_sizes(report, group) > 0 for _, group in passages.groupby("annotator")]
    row = np.flatnonzero(relevant)
    columns = {
        "document": document,
        "path": [report.paths[one] for one in row],
        "exhaustivity": np.minimum(np.sum(marked, axis=0), 2)[row],
        "size": (report.columns["end"] - report.columns["start"])[row],
        "rsize": relevant[row],
    }
    return pd.DataFrame(columns)
