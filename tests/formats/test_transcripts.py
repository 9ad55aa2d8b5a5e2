"""Values and messages of the readers of files, in transcripts."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from focuseval.campaign.collection_read import collection_from_source
from focuseval.errors import InputError
from focuseval.formats.checking import check
from focuseval.formats.code_places import Place, read_places
from focuseval.formats.inex import read_topics
from focuseval.formats.parsed import notes_on
from focuseval.formats.readers import read_assessments, read_runs
from focuseval.formats.source_code import TAGS, read_source
from focuseval.formats.text_documents import text_of
from focuseval.formats.xml_elements import parse_document
from tests.snapshots import play, scenarios

from .samples import FOLDER

FRAMES = ("elements", "passages", "xpath_passages", "entry_points", "documents", "grades", "irrelevant")


def rows(frame):
    """Yield the rows of a frame as text; - is a missing value."""
    for row in frame.drop(columns="source", errors="ignore").astype(object).itertuples(index=False):
        yield " ".join("-" if value is None or value != value else str(value) for value in row)


def tell(problems):
    assert all(problem.found for problem in problems)
    print(*problems, sep="\n", end="\n" if problems else "", file=sys.stderr)


def command(read):
    """Make a function a command of the transcripts, which prints all problems."""

    def problems_of(*files, **options):
        arguments = {
            name: {"True": True, "False": False}.get(value, value) for name, value in options.items()
        }
        try:
            read(files[0] if len(files) == 1 else [*files], **arguments)
        except InputError as error:
            assert all(problem.expected for problem in error.problems)
            tell(error.problems)

    return problems_of


@command
def runs(files, **options):
    """Print runs: name, participant, task, most results per topic, and each result that can be read."""
    try:
        readable, rejected = read_runs(files, **options)
    except InputError as error:
        readable, rejected = read_runs(files, **options, lenient=True)
        assert rejected == error.problems
    for run in readable:
        print(*filter(None, (run.name, run.participant, run.task, str(run.most or ""))))
        print(*rows(run.frame), sep="\n")
        tell(notes_on(run))
    tell(rejected)


@command
def ranks(files, **options):
    """Print the documents of runs with their ranks."""
    for run in read_runs(files, **options)[0]:
        ranked = zip(run.frame["document"], run.frame["rank"], strict=True)
        print(
            *(f"{document}{rank}" for document, rank in ranked),
            *(["by the order of the file"] if run.ranked_by_file else []),
        )
        tell(notes_on(run))


@command
def assessments(files, **options):
    """Print assessments: scale and topics, then rows by their kind."""
    read = read_assessments(files, **options)
    print(f"{read.scale}:", *read.topics)
    for name in FRAMES:
        if (frame := getattr(read, name)) is not None:
            print(*(f"{name}: {row}\n" for row in rows(frame)), sep="", end="")
    tell(notes_on(read))


@command
def topics(files):
    read = read_topics(files)
    print(*read.columns, sep=" | ")
    print(*(" | ".join(row).rstrip() for row in read.to_numpy().tolist()), sep="\n")


@command
def document(file):
    print(parse_document(Path(file).read_bytes(), file).text.decode())


@command
def places(file, topic=None, grain=None):
    """Print places in source code, each with its fields that are not the default; rows in memory give the same."""
    read = [*read_places(Path(file), file, topic, grain)]
    for place in read:
        values, defaults = vars(place), vars(Place(place.topic))
        more = (f"{name}={value!r}" for name, value in values.items() if value != defaults[name])
        print(place.topic, place, *more)
    if file.endswith(".jsonl"):
        rows = [json.loads(line) for line in Path(file).read_text().splitlines()]
        assert [*map(str, read_places(rows, file, topic, grain))] == [*map(str, read)]


@command
def units(files):
    """Print the classes, functions and blocks of source code."""
    for file in map(Path, files):
        source = read_source(file.read_bytes(), file.name)
        names = (f"{TAGS[kind]} {of}".strip() for kind, of in zip(source.kind, source.names, strict=True))
        print(f"{file}: {', '.join(names)}{', broken' if source.broken else ''}")


@command
def elements(file):
    """Print the text of every element of a document."""
    document, text = collection_from_source(Path(file)), text_of(Path(file))
    for row, (start, end) in enumerate(zip(document.start, document.end, strict=True)):
        print(f"{document.path(row)}: {text[start:end]!r}")


def kind(*files):
    """Print the kinds of files and all problems."""
    for file in files:
        description, problems = check(file)
        print(f"{file}: {description}")
        tell(problems)


COMMANDS = {
    "runs": runs, "ranks": ranks, "assessments": assessments, "topics": topics, "document": document,
    "places": places, "units": units, "elements": elements, "kind": kind,
}  # fmt: skip


@pytest.mark.parametrize(("file", "title"), scenarios(__file__))
def test_readers_read_and_tell_what_is_shown(file, title, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    play(file, title, tmp_path, capsys, **COMMANDS)
