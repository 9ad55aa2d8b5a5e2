"""CL-SciSumm 2020, Task 1A: for each citance (a sentence that cites a paper) the paper's sentences that it refers to.

A topic is a gold file, one annotator's of one paper; a document is a citance, by its number as handed out; a unit is a
sentence, whose place is its number in the paper. Gold rows join the citances handed out by citing paper and the letters
and digits of their text, since their numbers may differ; those of runs go by number. An id counts once in a row. A
run's answers to citances that an annotator left out or marked NA are not counted. The views:

- ``asked``: without gold rows of citances that were never handed out;
- ``rows-na``: with all answers of runs;
- ``chars``: in characters of the paper's sentences;
- ``as-scored``: as the official program has gold and runs (`_as_scored`).

Files are read as ISO 8859-1: ids, numbers and letters survive, whatever they are in.
"""

import csv
import io
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from lxml import etree

from focuseval.errors import InputError, InputWarning, Problem

MAKES = (
    *("gold.jsonl", "runs/", "asked/gold.jsonl", "rows-na/runs/", "chars/gold.jsonl", "chars/runs/"),
    *("as-scored/gold.jsonl", "as-scored/runs/"),
)

_PLACE = ["topic", "document", "start", "end"]

#: a row of a file, by the names of its columns
_Row = dict[str, str]


def write(files: Path, out: Path) -> None:
    """Make gold and runs, and those of the views. Raises InputError for a run's citance without a number."""
    data = files / "data"
    tables = {path.stem: _rows(path) for path in sorted((data / "Test-Set-2018-Gold/Task1").glob("*.csv"))}
    topics = pd.DataFrame([(topic, topic.split("_")[0]) for topic in tables], columns=["topic", "paper"])
    papers = {paper: data / "Test-Set-2018" / paper for paper in topics["paper"].unique()}
    asked = {paper: _rows(path / f"annotation/{paper}.csv") for paper, path in papers.items()}
    places = [
        place for paper, path in papers.items() for place in _sentences(path / f"Reference_XML/{paper}.xml")
    ]
    sentences = pd.DataFrame(places, columns=["paper", "id", "start", "end"])
    judged = [(topic, *of) for topic, paper in topics.to_numpy() for of in _gold(tables[topic], asked[paper])]
    gold = pd.DataFrame(judged, columns=["topic", "document", "id", "asked"]).merge(topics)
    keys = [(topic, *of) for topic, table in tables.items() for of in _as_scored(table)]
    scored = pd.DataFrame(keys, columns=["topic", "key", "name", "again"])
    _tell(tables, gold, scored)
    _write(_by_number(gold), out / "gold.jsonl")
    _write(_by_number(gold[gold["asked"]]), out / "asked/gold.jsonl")
    _write(gold.merge(sentences), out / "chars/gold.jsonl")
    _write(_by_name(scored), out / "as-scored/gold.jsonl")
    for runs, paths in _different(files / "CLSciSumm_2020_Evaluation"):
        of_papers = {path.name.split(".")[0]: (path, _rows(path)) for path in paths}
        found = [(paper, *of) for paper, (path, table) in of_papers.items() for of in _answers(table, path)]
        answers = pd.DataFrame(found, columns=["paper", "document", "id"]).merge(topics)
        counted = answers.merge(gold[["topic", "document"]].drop_duplicates())
        names = [(paper, *of) for paper, (_, table) in of_papers.items() for of in _as_scored(table)]
        named = pd.DataFrame(names, columns=["paper", "key", "name", "again"]).merge(topics)
        named = named.merge(scored[["topic", "key", "name"]], how="left", indicator="right")
        for view, lines in (
            ("", _by_number(counted)),
            ("rows-na", _by_number(answers)),
            ("chars", counted.merge(sentences)),
            ("as-scored", _by_name(named[(named["again"] == 0) | (named["right"] == "left_only")])),
        ):
            for run in runs:
                _write(lines.assign(run=run), out / view / f"runs/{run}.jsonl")


def _different(folder: Path) -> Iterator[tuple[list[str], list[Path]]]:
    """The names ``TEAM/RUN`` of runs with the same files, and the files of the first."""
    same: dict[tuple[bytes, ...], list[Path]] = {}
    for run in sorted(folder.glob("*/setup/*")):
        files = sorted(run.glob("input/res/Task1/*.csv"))
        same.setdefault(tuple(path.read_bytes() for path in files), []).append(run)
    for runs in same.values():
        names = [run.relative_to(folder).as_posix().replace("/setup/", "/") for run in runs]
        yield names, sorted(runs[0].glob("input/res/Task1/*.csv"))


def _rows(path: Path) -> list[_Row]:
    """The rows of a file with as many fields as its header has names."""
    header, *rows = csv.reader(io.StringIO(path.read_bytes().decode("iso-8859-1")))
    found = [dict(zip(header, row, strict=True)) for row in rows if len(row) == len(header)]
    for row in found:
        row |= {name: row[name].replace(".xml", "") for name in ("Reference Article", "Citing Article")}
    return found


# ------------------------------------------------------------------------------------------ corrected


def _gold(rows: Sequence[_Row], handed_out: Sequence[_Row]) -> Iterator[tuple[str, int, bool]]:
    """Document, sentence, and whether the citance was handed out, of the rows that are not NA.

    A row without a number in its offset has the sentences of its text.
    """
    numbers = {_citance(row): row["Citance Number"] for row in handed_out}
    for row in rows:
        if re.sub("[^A-Za-z]", "", row["Reference Text"]) != "NA":
            number = numbers.get(_citance(row))
            document = number or f"not handed out {row['Citance Number']}"
            ids = re.findall(r"\d+", row["Reference Offset"])
            for one in ids or re.findall(r'\bsid *= *"(\d+)', row["Reference Text"]):
                yield document, int(one), number is not None


def _citance(row: _Row) -> tuple[str, str]:
    return row["Citing Article"], re.sub("[^a-z0-9]", "", row["Citation Text"].lower())


def _answers(rows: Sequence[_Row], path: Path) -> Iterator[tuple[str, int]]:
    """Document and sentence of a run's rows; ``2.0`` is citance 2."""
    for place, row in enumerate(rows, start=1):
        number = re.fullmatch(r"\s*(\d+)(\.0)?\s*", found := row["Citance Number"])
        if number is None:
            where = f"row {place}, Citance Number"
            raise InputError(Problem(str(path), where, f"found {found!r}", "expected a number"))
        for one in sorted({int(one) for one in re.findall(r"\d+", row["Reference Offset"])}):
            yield number[1], one


def _by_number(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(start=table["id"], end=table["id"] + 1)


def _sentences(path: Path) -> Iterator[tuple[str, int, int, int]]:
    """Paper, sentence, start and end: where its characters would be if sentences stood one behind the other."""
    end = 0
    for of in etree.parse(path).iter("S"):
        start, end = end, end + len("".join(of.itertext()))
        yield path.stem, int(of.get("sid")), start, end


# ------------------------------------------------------------------------------------------- as scored


def _as_scored(rows: Sequence[_Row]) -> Iterator[tuple[str, str, int]]:
    """Key, name, and how often the same name stood before it, of what the official program compares.

    A key is a citing paper's: a later row that can be read overwrites an earlier one. Names are what stands between
    commas in the offset, without one bracket and one quotation mark at each end. A name again costs again if it is
    wrong.
    """
    kept = {_key(row): row["Reference Offset"] for row in rows if _readable(row["Reference Text"])}
    for key, offset in kept.items():
        parts = re.sub(r"^\[|\]\Z", "", offset).split(",")
        before: Counter[str] = Counter()
        for name in (re.sub(r"^['\"]|['\"]\Z", "", part.strip()) for part in parts):
            yield key, name, before[name]
            before[name] += 1


def _key(row: _Row) -> str:
    return f"{row['Reference Article']} {row['Citing Article']}"


def _readable(text: str) -> bool:
    """Whether a text is not NA and, repaired, has sentences, all of them with text."""
    marked = text.replace("&amp;", "&").replace("&", "&amp;")
    root = etree.fromstring(f"<root>{marked}</root>", etree.XMLParser(recover=True, resolve_entities=False))
    sentences = root.findall("S")
    return text != "NA" and bool(sentences) and all(sentence.text for sentence in sentences)


def _by_name(table: pd.DataFrame) -> pd.DataFrame:
    """Names that are numbers at their sentence; others, and those that stand there again, in documents of their own."""
    number = table["name"].str.fullmatch("0|[1-9][0-9]{0,8}") & (table["again"] == 0)
    other = table["key"] + " " + table["name"] + " " + table["again"].astype(str)
    start = table["name"].where(number, "0").astype(int)
    return table.assign(document=table["key"].where(number, other), start=start, end=start + 1)


# --------------------------------------------------------------------------------------------------


def _tell(tables: dict[str, list[_Row]], gold: pd.DataFrame, scored: pd.DataFrame) -> None:
    rows = [(topic, _key(row)) for topic, of in tables.items() for row in of if row["Reference Text"] != "NA"]
    read = len(scored[["topic", "key"]].drop_duplicates())
    one = gold[["topic", "document", "asked"]].drop_duplicates()
    told = (
        f"of {len(rows)} gold rows the official program overwrites {len(rows) - len({*rows})} by later ones of one "
        f"citing paper, and of the others reads {read} (as-scored); the corrected gold has {len(one)} rows, of which "
        f"{int((~one['asked']).sum())} are of citances that were never handed out (not in asked)"
    )
    warnings.warn(InputWarning(told), stacklevel=3)


def _write(table: pd.DataFrame, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = [*(["run"] if "run" in table else []), *_PLACE]
    table[columns].sort_values("topic", kind="stable").to_json(
        path, orient="records", lines=True, force_ascii=False
    )
