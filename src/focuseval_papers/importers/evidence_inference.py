"""Evidence Inference 2.0 (DeYoung et al. 2020): trial reports, and passages in which physicians found a result.

The repository jayded/evidence-inference has reports as XML (``annotations/xml_files/PMC….nxml``) and as plain text
(``annotations/txt_files/PMC….txt``). Prompts (``prompts_merged.csv``) ask for an outcome of a report; annotators
(``v2_annotations.csv``) mark the passage of the plain text that answers, and others verify it.

- A topic is a concept that outcomes name in one of several words (`CONCEPTS`); the passages of all prompts about such
  an outcome are relevant to it, unless the verifier rejected the reasoning.
- The plain text is the XML's, in its order, with other white space and with headings: a passage is found in the XML
  by its characters without white space. Where these stand more than once, they do so equally often in both, and
  the passage's place among them decides.
- Exhaustivity is 2 where two annotators marked text of an element, be it the same or not, 1 where only one did.
"""

import csv
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from focuseval.errors import InputError, InputWarning, Problem
from focuseval.files import read_bytes, write_atomically
from focuseval.formats.xml_elements import COLUMNS, parse_document
from focuseval.model.arrays import Ints, ranges, sums_before
from focuseval.model.intervals import merge
from focuseval_papers.workflow.inex_files import assessments_file, in_form_of_2005, qrels_line, topics_file

MAKES = ("collection.zip", "topics.xml", "assessments/", "qrels.fol.txt")

#: the concepts: words, one of which an outcome contains (lower case, letters and digits); the first is the title
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


class Annotation(NamedTuple):
    """A passage of the plain text of a report that an annotator marked, start to end."""

    document: str
    prompt: str
    annotator: int
    start: int
    end: int
    accepted: bool  #: whether the verifier accepted that it gives the answer


class Passages(NamedTuple):
    """Passages of one report: by whom each was marked, and where it stands in the XML's text."""

    annotator: Ints
    start: Ints
    end: Ints


class Report(NamedTuple):
    """The elements and the text of a report's XML."""

    columns: dict[str, Ints]
    paths: list[str]
    text: str


def write(files: Path, out: Path) -> None:
    """Make the collection, the topics, the judgements of elements and the passages.

    Annotations whose passage is not in the XML are left out, and told. Raises InputError for tables that
    cannot be used.
    """
    folder = files / "annotations"
    reports = {path.stem: path for path in sorted((folder / "xml_files").glob("*.nxml"))}
    with zipfile.ZipFile(out / "collection.zip", "w") as archive:
        for path in reports.values():
            archive.writestr(zipfile.ZipInfo(path.name), read_bytes(path))
    write_topics(out / "topics.xml")
    annotations = read_annotations(folder / "v2_annotations.csv")
    topics = topics_of_prompts(folder / "prompts_merged.csv")
    by_report: dict[str, list[Annotation]] = {}
    for annotation in annotations:
        if annotation.document in reports:
            by_report.setdefault(annotation.document, []).append(annotation)
    judged: dict[int, list[pd.DataFrame]] = {topic: [] for topic in range(FIRST, FIRST + len(CONCEPTS))}
    qrels: dict[int, list[str]] = {topic: [] for topic in judged}
    for document in sorted(by_report, key=lambda name: (len(name), name)):
        report = read_report(reports[document])
        plain = read_bytes(folder / "txt_files" / f"{document}.txt").decode("utf-8")
        found = placed(by_report[document], plain, report.text)
        marked: dict[int, list[tuple[int, int, int]]] = {}
        for annotation, start, end in found:
            for topic in topics.get(annotation.prompt, ()) if annotation.accepted else ():
                marked.setdefault(topic, []).append((annotation.annotator, start, end))
        for topic, rows in marked.items():
            passages = Passages(*np.array(rows, dtype=np.int64).T)
            judged[topic].append(_elements(document, report, passages))
            _, *merged = merge(np.zeros_like(passages.start), passages.start, passages.end)
            spans = list(zip(*(side.tolist() for side in merged), strict=True))
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
    """Write a topic for each concept."""
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


def _rows(path: Path, columns: Mapping[str, type]) -> Iterator[dict[str, str]]:
    """The rows of a table, their columns checked."""
    text = read_bytes(path).decode("utf-8-sig")
    table = csv.DictReader(text.splitlines(keepends=True))
    if missing := set(columns) - set(table.fieldnames or ()):
        found = f"no column {', '.join(sorted(missing))}"
        raise InputError(Problem(str(path), "line 1", found, "expected the table as it was published"))
    for row in table:
        for name, kind in columns.items():
            if kind is int and not re.fullmatch(r"-?\d+", row[name] or ""):
                found = f"{row[name]!r} under {name}"
                raise InputError(
                    Problem(str(path), f"line {table.line_num}", found, "expected a whole number")
                )
        yield row


def read_annotations(path: Path) -> list[Annotation]:
    """The annotations of the table ``v2_annotations.csv``."""
    columns = {
        "PMCID": int,
        "PromptID": int,
        "UserID": int,
        "Evidence Start": int,
        "Evidence End": int,
        "Valid Reasoning": str,
    }
    return [
        Annotation(
            f"PMC{row['PMCID']}",
            row["PromptID"],
            int(row["UserID"]),
            int(row["Evidence Start"]),
            int(row["Evidence End"]),
            row["Valid Reasoning"] in ("True", "1"),
        )
        for row in _rows(path, columns)
    ]


def topics_of_prompts(path: Path) -> dict[str, list[int]]:
    """By prompt of the table ``prompts_merged.csv``, the topics whose words its outcome contains."""
    found: dict[str, list[int]] = {}
    for row in _rows(path, {"PromptID": int, "Outcome": str}):
        outcome = " ".join(re.findall("[a-z0-9]+", row["Outcome"].lower()))
        topics = [
            FIRST + number for number, words in enumerate(CONCEPTS) if any(word in outcome for word in words)
        ]
        if topics:
            found.setdefault(row["PromptID"], topics)
    return found


def read_report(path: Path) -> Report:
    """The elements of a report, with their paths, and its text."""
    parsed = parse_document(read_bytes(path), str(path))
    columns = dict(zip(COLUMNS, parsed.rows.T.astype(np.int64), strict=True))
    paths: list[str] = []
    steps = zip(*(columns[name].tolist() for name in ("parent", "tag", "position")), strict=True)
    for parent, tag, position in steps:
        paths.append(f"{paths[parent] if paths else ''}/{parsed.tags[tag]}[{position}]")
    return Report(columns, paths, parsed.text.decode("utf-8"))


def placed(annotations: list[Annotation], plain: str, text: str) -> Iterator[tuple[Annotation, int, int]]:
    """The annotations of a report with the places of their passages in the XML's text; those without are told."""
    solid, places = _without_space(text)
    solid_plain, places_plain = _without_space(plain)
    for annotation in annotations:
        wanted = "".join(plain[annotation.start : annotation.end].split())
        there = _occurrences(solid, wanted)
        if not there:
            warnings.warn(
                InputWarning(
                    f"{annotation.document}: the passage that annotator {annotation.annotator} marked for prompt "
                    f"{annotation.prompt} (characters {annotation.start} to {annotation.end} of the plain text) is "
                    "not in the XML, and left out"
                ),
                stacklevel=2,
            )
            continue
        number = 0
        if len(there) > 1:
            begin = int(np.searchsorted(places_plain, annotation.start))
            number = min(_occurrences(solid_plain, wanted).index(begin), len(there) - 1)
        first = there[number]
        yield annotation, int(places[first]), int(places[first + len(wanted) - 1]) + 1


def _without_space(text: str) -> tuple[str, Ints]:
    """A text without white space, and where each of its characters stood."""
    begin, end = (
        np.array([word.span() for word in re.finditer(r"\S+", text)], dtype=np.int64).reshape(-1, 2).T
    )
    return "".join(text.split()), ranges(end - begin, begin)


def _occurrences(text: str, wanted: str) -> list[int]:
    """Where a text stands in another, overlaps included; nowhere if it is empty."""
    found = []
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


def _held(report: Report, passages: Passages) -> Ints:
    """How many characters of each element are in one of the passages."""
    _, start, end = merge(np.zeros_like(passages.start), passages.start, passages.end)
    size = len(report.text) + 1
    marked = np.cumsum(np.bincount(start, minlength=size) - np.bincount(end, minlength=size))
    before = sums_before(marked)
    return before[report.columns["end"]] - before[report.columns["start"]]


def _elements(document: str, report: Report, passages: Passages) -> pd.DataFrame:
    """The judgements of a report's elements that hold relevant text, as INEX 2005 has them."""
    relevant = _held(report, passages)
    by = [
        _held(report, Passages(*(column[passages.annotator == one] for column in passages))) > 0
        for one in np.unique(passages.annotator)
    ]
    row = np.flatnonzero(relevant)
    columns = {
        "document": document,
        "path": [report.paths[one] for one in row],
        "exhaustivity": np.minimum(np.sum(by, axis=0), 2)[row],
        "size": (report.columns["end"] - report.columns["start"])[row],
        "rsize": relevant[row],
    }
    return pd.DataFrame(columns)
