"""CL-SciSumm 2020, Task 1A: find the sentences of a paper to which a citance (a citing sentence) refers.

A topic is a gold file, which has the judgements of one annotator for one paper. A document is a citance. Its name is
its number in the files that the organisers handed out. The unit is a sentence, with its number in the paper. Gold may
number citances differently. Gold rows are therefore matched to citances by the citing paper, and by the letters and
digits of the text. Rows of runs are matched by number. A sentence that a row lists twice counts once. Answers to
citances that an annotator left out or marked NA are ignored. If several runs have equal files, only the first run is
written. The views are

- ``asked``: the gold leaves out citances that were never handed out;
- ``rows-na``: the runs keep their answers to all citances;
- ``chars``: the unit is a character of the paper's sentences;
- ``as-scored``: gold and runs are read as by the official program (`_as_scored`).

Files are read as ISO 8859-1. If a file has another encoding, its ids, numbers and ASCII letters are still right.
"""

import csv
import io
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd
from lxml import etree

from focuseval.errors import InputError, InputWarning, counted
from focuseval_papers.workflow.inex_files import write_lines

MAKES = (
    "gold.jsonl", "runs/", "asked/gold.jsonl", "rows-na/runs/", "chars/gold.jsonl", "chars/runs/",
    "as-scored/gold.jsonl", "as-scored/runs/",
)  # fmt: skip

_PAPERS = ["Reference Article", "Citing Article"]


def write(files: Path, out: Path) -> None:
    """Convert CL-SciSumm's published files to gold and runs, for the campaign and each of its views.

    Raises InputError if a run has a malformed number of a citance (a citing sentence).
    """
    data = files / "data"
    rows = _rows((path.stem, path) for path in sorted((data / "Test-Set-2018-Gold/Task1").glob("*.csv")))
    rows = rows.rename(columns={"label": "topic"}).assign(paper=rows["label"].str.split("_").str[0])
    topics = rows[["topic", "paper"]].drop_duplicates()
    papers = {paper: data / "Test-Set-2018" / paper for paper in topics["paper"].unique()}
    handed_out = _rows((paper, path / f"annotation/{paper}.csv") for paper, path in papers.items())
    places = [one for name, path in papers.items() for one in _sentences(path / f"Reference_XML/{name}.xml")]
    sentences = pd.DataFrame(places, columns=["paper", "id", "start", "end"])
    gold, scored = _gold(rows, handed_out), _as_scored(rows, "topic")
    _warn_of_differences(rows, gold, scored)
    _write(_by_number(gold), out / "gold.jsonl")
    _write(_by_number(gold[gold["asked"]]), out / "asked/gold.jsonl")
    _write(gold.merge(sentences), out / "chars/gold.jsonl")
    _write(_by_name(scored), out / "as-scored/gold.jsonl")
    copies = []
    for (run, *same), paths in _distinct_runs(files / "CLSciSumm_2020_Evaluation"):
        copies += same
        table = _rows((path.name.split(".")[0], path) for path in paths).rename(columns={"label": "paper"})
        answers = _answers(table).merge(topics)
        judged = answers.merge(gold[["topic", "document"]].drop_duplicates())
        with_topics = _as_scored(table, "paper").merge(topics)
        with_topics = with_topics.merge(scored[["topic", "key", "name"]], how="left", indicator="right")
        for view, lines in (
            ("", _by_number(judged)),
            ("rows-na", _by_number(answers)),
            ("chars", judged.merge(sentences)),
            (
                "as-scored",
                _by_name(with_topics[(with_topics["again"] == 0) | (with_topics["right"] == "left_only")]),
            ),
        ):
            _write(lines.assign(run=run), out / view / "runs" / f"{run.replace('/', '-')}.jsonl")
    message = f"{counted(len(copies), 'run')} not written, because another run has the same files: {', '.join(copies)}"
    warnings.warn(InputWarning(message), stacklevel=2)


def _distinct_runs(folder: Path) -> Iterator[tuple[list[str], list[Path]]]:
    """Group runs with equal files; yield their names ``TEAM/RUN``, and the files of the first run."""
    same: dict[tuple[bytes, ...], list[Path]] = {}
    for run in sorted(folder.glob("*/setup/*")):
        files = sorted(run.glob("input/res/Task1/*.csv"))
        same.setdefault(tuple(path.read_bytes() for path in files), []).append(run)
    for runs in same.values():
        names = [run.relative_to(folder).as_posix().replace("/setup/", "/") for run in runs]
        yield names, sorted(runs[0].glob("input/res/Task1/*.csv"))


def _rows(paths: Iterable[tuple[str, Path]]) -> pd.DataFrame:
    """Return the rows of CSV files, without rows that have too few or too many fields.

    ``paths`` contains pairs (label, path). Further columns are label, path and row (the row's number among the returned
    rows of its file).
    """
    rows = []
    for label, path in paths:
        header, *lines = csv.reader(io.StringIO(path.read_bytes().decode("iso-8859-1")))
        whole = (dict(zip(header, line, strict=True)) for line in lines if len(line) == len(header))
        rows += [{"label": label, "path": path, "row": number, **row} for number, row in enumerate(whole, 1)]
    table = pd.DataFrame(rows)
    return table.assign(**{name: table[name].str.replace(".xml", "") for name in _PAPERS})


def _sentences(path: Path) -> Iterator[tuple[str, int, int, int]]:
    """Yield the paper, number, start and end of each sentence; offsets count the characters of all sentences."""
    end = 0
    for sentence in etree.parse(path).iter("S"):
        start, end = end, end + len("".join(sentence.itertext()))
        yield path.stem, int(sentence.get("sid")), start, end


def _gold(rows: pd.DataFrame, handed_out: pd.DataFrame) -> pd.DataFrame:
    """Return the corrected gold, with a row for each sentence.

    The columns are topic, paper, document, asked (whether the citance was handed out) and id (the sentence's number).
    """
    citances = handed_out.rename(columns={"label": "paper", "Citance Number": "number"})
    citances = citances.assign(text=_letters(citances)).drop_duplicates(
        ["paper", "Citing Article", "text"], keep="last"
    )
    gold = rows[rows["Reference Text"].str.replace("[^A-Za-z]", "", regex=True) != "NA"]
    gold = gold.assign(text=_letters(gold)).merge(
        citances[["paper", "Citing Article", "text", "number"]], how="left"
    )
    of_text = gold["Reference Text"].str.findall(r'\bsid *= *"(\d+)')
    ids = gold["Reference Offset"].str.findall(r"\d+")
    number = gold["number"].fillna("not handed out " + gold["Citance Number"])
    gold = gold.assign(
        document=number, asked=gold["number"].notna(), id=ids.where(ids.str.len() > 0, of_text)
    )
    return gold[["topic", "paper", "document", "asked", "id"]].explode("id").dropna().astype({"id": int})


def _letters(rows: pd.DataFrame) -> pd.Series:
    return rows["Citation Text"].str.lower().str.replace("[^a-z0-9]", "", regex=True)


def _answers(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the answers in the rows of a run.

    The columns are paper, document (the citance's number, which runs write as ``2`` or ``2.0``) and id (the sentence's
    number). Raises InputError for any other number of a citance.
    """
    number = rows["Citance Number"].str.extract(r"^\s*(\d+)(?:\.0)?\s*\Z")[0]
    for row in rows[number.isna()].itertuples():
        error = f"the value is {rows.at[row.Index, 'Citance Number']!r}"
        raise InputError.of(str(row.path), error, "expected a number", where=f"row {row.row}, Citance Number")
    answers = rows.assign(document=number, id=rows["Reference Offset"].str.findall(r"\d+")).explode("id")
    answers = answers[["paper", "row", "document", "id"]].dropna().astype({"id": int})
    return answers.drop_duplicates().drop(columns="row")


def _by_number(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(start=table["id"], end=table["id"] + 1)


def _as_scored(rows: pd.DataFrame, group: str) -> pd.DataFrame:
    """Return gold or answers as the official program reads them, with a row for each name of a sentence.

    The columns are ``group`` (topic or paper), key (cited and citing paper), name and again (how often the row has
    listed the name before). The key does not identify a citance. Of the rows with one key, the program reads only the
    last readable one. If a row repeats a wrong name, the program counts each repetition.
    """
    key = rows["Reference Article"] + " " + rows["Citing Article"]
    last = rows.assign(key=key)[rows["Reference Text"].map(_readable)].drop_duplicates(
        [group, "key"], keep="last"
    )
    names = last["Reference Offset"].str.replace(r"^\[|\]\Z", "", regex=True).str.split(",")
    table = last.assign(name=names)[[group, "key", "name"]].explode("name")
    table["name"] = table["name"].str.strip().str.replace(r"^['\"]|['\"]\Z", "", regex=True)
    return table.assign(again=table.groupby([group, "key", "name"]).cumcount())


def _readable(text: str) -> bool:
    """Return whether the official program can read a cell: as repaired XML, it has sentences, all with text."""
    marked = text.replace("&amp;", "&").replace("&", "&amp;")
    root = etree.fromstring(f"<root>{marked}</root>", etree.XMLParser(recover=True, resolve_entities=False))
    sentences = root.findall("S")
    return text != "NA" and bool(sentences) and all(sentence.text for sentence in sentences)


def _by_name(table: pd.DataFrame) -> pd.DataFrame:
    """Add the columns document, start and end, which locate each name of a sentence.

    A number is located at the sentence with this number. Any other name, or a repeated number, gets its own document.
    """
    number = table["name"].str.fullmatch("0|[1-9][0-9]{0,8}") & (table["again"] == 0)
    other = table["key"] + " " + table["name"] + " " + table["again"].astype(str)
    start = table["name"].where(number, "0").astype(int)
    return table.assign(document=table["key"].where(number, other), start=start, end=start + 1)


def _warn_of_differences(rows: pd.DataFrame, gold: pd.DataFrame, scored: pd.DataFrame) -> None:
    read = rows[rows["Reference Text"] != "NA"]
    overwritten = int(read.duplicated(["topic", *_PAPERS]).sum())
    one = gold[["topic", "document", "asked"]].drop_duplicates()
    message = (
        f"the official program overwrites {overwritten} of {len(read)} gold rows by later rows of a citing paper, and "
        f"reads {len(scored[['topic', 'key']].drop_duplicates())} of the others (as-scored); the corrected gold has "
        f"{len(one)} rows; citances of {int((~one['asked']).sum())} rows were never handed out (not in asked)"
    )
    warnings.warn(InputWarning(message), stacklevel=3)


def _write(table: pd.DataFrame, path: Path) -> None:
    columns = [name for name in ("run", "topic", "document", "start", "end") if name in table]
    write_lines(table[columns].sort_values("topic", kind="stable"), path)
