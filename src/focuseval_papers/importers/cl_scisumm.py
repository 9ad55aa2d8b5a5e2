"""CL-SciSumm 2020, Task 1A: for each citance (a sentence that cites a paper), the sentences of the paper that it cites.

A topic is a gold file (one annotator's for one paper), a document is a citance with the number that the organisers gave
it, and the unit is a sentence with its number in the paper. Gold rows are matched to citances by citing paper and by
the letters and digits of the text, because their numbers may differ; rows of runs are matched by number. An id counts
once in a row. Answers to citances that an annotator left out or marked NA are ignored. Runs with the same files are
written once. The views are

- ``asked``: without gold rows that match no citance;
- ``rows-na``: with all answers of runs;
- ``chars``: in characters of the paper's sentences;
- ``as-scored``: as the official program has gold and runs (`_as_scored`).

Files are read as ISO 8859-1, which keeps ids, numbers and ASCII letters in any encoding.
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
    """Write gold and runs of the campaign and of its views. Raises InputError for a run's citance without a number."""
    data = files / "data"
    rows = _rows((path.stem, path) for path in sorted((data / "Test-Set-2018-Gold/Task1").glob("*.csv")))
    rows = rows.rename(columns={"of": "topic"}).assign(paper=rows["of"].str.split("_").str[0])
    topics = rows[["topic", "paper"]].drop_duplicates()
    papers = {paper: data / "Test-Set-2018" / paper for paper in topics["paper"].unique()}
    handed_out = _rows((paper, path / f"annotation/{paper}.csv") for paper, path in papers.items())
    places = [of for paper, path in papers.items() for of in _sentences(path / f"Reference_XML/{paper}.xml")]
    sentences = pd.DataFrame(places, columns=["paper", "id", "start", "end"])
    gold, scored = _gold(rows, handed_out), _as_scored(rows, "topic")
    _tell(rows, gold, scored)
    _write(_by_number(gold), out / "gold.jsonl")
    _write(_by_number(gold[gold["asked"]]), out / "asked/gold.jsonl")
    _write(gold.merge(sentences), out / "chars/gold.jsonl")
    _write(_by_name(scored), out / "as-scored/gold.jsonl")
    again = []
    for (run, *same), paths in _different(files / "CLSciSumm_2020_Evaluation"):
        again += same
        table = _rows((path.name.split(".")[0], path) for path in paths).rename(columns={"of": "paper"})
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
    message = f"{counted(len(again), 'run')} not written, because another run has the same files: {', '.join(again)}"
    warnings.warn(InputWarning(message), stacklevel=2)


def _different(folder: Path) -> Iterator[tuple[list[str], list[Path]]]:
    """Return the names ``TEAM/RUN`` of runs with the same files, with the files of the first of them."""
    same: dict[tuple[bytes, ...], list[Path]] = {}
    for run in sorted(folder.glob("*/setup/*")):
        files = sorted(run.glob("input/res/Task1/*.csv"))
        same.setdefault(tuple(path.read_bytes() for path in files), []).append(run)
    for runs in same.values():
        names = [run.relative_to(folder).as_posix().replace("/setup/", "/") for run in runs]
        yield names, sorted(runs[0].glob("input/res/Task1/*.csv"))


def _rows(paths: Iterable[tuple[str, Path]]) -> pd.DataFrame:
    """Return the rows of CSV files; rows with another number of fields than the heading are left out.

    ``paths`` has a name and a path for each file, which become the columns ``of`` and ``path``. The column ``row``
    numbers the rows of a file.
    """
    rows = []
    for of, path in paths:
        header, *lines = csv.reader(io.StringIO(path.read_bytes().decode("iso-8859-1")))
        whole = (dict(zip(header, line, strict=True)) for line in lines if len(line) == len(header))
        rows += [{"of": of, "path": path, "row": number, **row} for number, row in enumerate(whole, start=1)]
    table = pd.DataFrame(rows)
    return table.assign(**{name: table[name].str.replace(".xml", "") for name in _PAPERS})


def _sentences(path: Path) -> Iterator[tuple[str, int, int, int]]:
    """Yield the paper, number, start and end of each sentence; offsets are in the concatenation of all sentences."""
    end = 0
    for of in etree.parse(path).iter("S"):
        start, end = end, end + len("".join(of.itertext()))
        yield path.stem, int(of.get("sid")), start, end


def _gold(rows: pd.DataFrame, handed_out: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each sentence of the corrected gold: topic, paper, document, asked and id.

    The column asked says whether the citance was handed out. Rows that are NA are left out. If the offset of a row has
    no number, its sentences follow from its text.
    """
    asked = handed_out.rename(columns={"of": "paper", "Citance Number": "number"})
    asked = asked.assign(text=_letters(asked)).drop_duplicates(
        ["paper", "Citing Article", "text"], keep="last"
    )
    gold = rows[rows["Reference Text"].str.replace("[^A-Za-z]", "", regex=True) != "NA"]
    gold = gold.assign(text=_letters(gold)).merge(
        asked[["paper", "Citing Article", "text", "number"]], how="left"
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
    """Return the answers of a run: paper, document (the number of the citance; ``2.0`` is 2) and id of a sentence."""
    number = rows["Citance Number"].str.extract(r"^\s*(\d+)(?:\.0)?\s*\Z")[0]
    for row in rows[number.isna()].itertuples():
        found = f"found {rows.at[row.Index, 'Citance Number']!r}"
        raise InputError.of(str(row.path), found, "expected a number", where=f"row {row.row}, Citance Number")
    answers = rows.assign(document=number, id=rows["Reference Offset"].str.findall(r"\d+")).explode("id")
    answers = answers[["paper", "row", "document", "id"]].dropna().astype({"id": int})
    return answers.drop_duplicates().drop(columns="row")


def _by_number(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(start=table["id"], end=table["id"] + 1)


# ------------------------------------------------------------------------------------------- as scored


def _as_scored(rows: pd.DataFrame, of: str) -> pd.DataFrame:
    """Return the columns that the official program compares: topic, key, name, and the number of earlier equal names.

    The key is the citing paper, so a later readable row overwrites an earlier one. Names are the parts between commas
    in the offset, without one bracket and one quotation mark at each end. A wrong name counts as often as it is
    repeated.
    """
    key = rows["Reference Article"] + " " + rows["Citing Article"]
    last = rows.assign(key=key)[rows["Reference Text"].map(_readable)].drop_duplicates(
        [of, "key"], keep="last"
    )
    names = last["Reference Offset"].str.replace(r"^\[|\]\Z", "", regex=True).str.split(",")
    table = last.assign(name=names)[[of, "key", "name"]].explode("name")
    table["name"] = table["name"].str.strip().str.replace(r"^['\"]|['\"]\Z", "", regex=True)
    return table.assign(again=table.groupby([of, "key", "name"]).cumcount())


def _readable(text: str) -> bool:
    """Return whether a text is not NA and, after repairs, has sentences, all of them with text."""
    marked = text.replace("&amp;", "&").replace("&", "&amp;")
    root = etree.fromstring(f"<root>{marked}</root>", etree.XMLParser(recover=True, resolve_entities=False))
    sentences = root.findall("S")
    return text != "NA" and bool(sentences) and all(sentence.text for sentence in sentences)


def _by_name(table: pd.DataFrame) -> pd.DataFrame:
    """Locate numeric names at their sentence; a name that is not a number, or is repeated, gets its own document."""
    number = table["name"].str.fullmatch("0|[1-9][0-9]{0,8}") & (table["again"] == 0)
    other = table["key"] + " " + table["name"] + " " + table["again"].astype(str)
    start = table["name"].where(number, "0").astype(int)
    return table.assign(document=table["key"].where(number, other), start=start, end=start + 1)


def _tell(rows: pd.DataFrame, gold: pd.DataFrame, scored: pd.DataFrame) -> None:
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
