r"""Expected output in files, whose changes people read: pages, and transcripts of commands and Python.

With ``REWRITE=1`` in the environment the files are written anew. A transcript (``snapshots/*.transcript`` next to its test)
consists of scenarios, each in a folder of its own:

    == title                             begins a scenario; files before the first are in every one
    @ name                               a file, with its lines after ``| ``, or bytes in Python's notation after ``\ ``
    + name                               more lines of a file
    $ score --run a.run ...              a command of focuseval, of the test, or cat and mkdir of the shell
    >>> focuseval.score(...)             Python; its value, error or warnings are printed
    > text                               a line of the standard output
    ! text                               a line of the standard error
    = 1                                  the exit status, where it is not 0
    anything else                        the reason for this output
"""

import ast
import os
import re
import shlex
import sys
import warnings
from pathlib import Path

import pytest

from focuseval.cli import main
from focuseval.errors import InputError

REWRITE = bool(os.environ.get("REWRITE"))
_PRINTED = (">", "!", "=")
_FOR_PROGRAMS = {"tsv", "csv", "json"}


def assert_rounded(text):
    """Assert that a text for people has no number with all its digits."""
    assert re.findall(r".{0,40}\d\.\d{7}.{0,20}", text) == []


def check(text, file):
    """Assert that a text is that of the file."""
    if REWRITE:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def scenarios(beside):
    """Return the scenarios of the files next to a test, as parameters."""
    files = sorted(Path(beside).with_name("snapshots").glob("*.transcript"))
    titles = [
        (file, title) for file in files for title in re.findall(r"^== (.*)", file.read_text("utf-8"), re.M)
    ]
    assert len(set(titles)) == len(titles), "two scenarios of one file have the same title"
    return [pytest.param(file, title, id=f"{file.stem}: {title}") for file, title in titles]


def play(file, title, folder, capsys, **own):
    """Play a scenario in a folder, the working directory, and assert that its output is that of the file.

    ``own`` are commands of the test by name. Their arguments are the words after it; ``key=value`` is a keyword.
    """
    text = file.read_text(encoding="utf-8")
    before, *parts = re.split(r"^(?=== )", text, flags=re.M)
    [expected] = [part for part in parts if part.startswith(f"== {title}\n")]
    names = {}
    _played(before, folder, capsys, own, names)
    now = _played(expected, folder, capsys, own, names)
    if REWRITE:
        file.write_text(text.replace(expected, now), encoding="utf-8")
    else:
        assert expected == now


def _played(script, folder, capsys, own, names):
    """Return the script with the present output of its commands; ``names`` are those of its Python."""
    lines = []
    for line in script.removesuffix("\n").split("\n"):
        mark, _, rest = line.partition(" ")
        if mark in ("@", "+"):
            (to := folder / rest).parent.mkdir(parents=True, exist_ok=True)
            to.open("ab" if mark == "+" else "wb").close()
        elif mark in ("|", "\\"):
            with open(to, "ab") as out:
                out.write(f"{rest}\n".encode() if mark == "|" else ast.literal_eval(f'b"""{rest}"""'))
        lines += [line] if mark not in _PRINTED else []
        if mark == "$":
            lines += _printed(shlex.split(rest), folder, capsys, own)
        elif mark == ">>>":
            lines += _of_python(rest, names, capsys)
    return "\n".join(lines) + "\n"


def _of_python(line, names, capsys):
    """Return the output of a line of Python, as in a session."""
    capsys.readouterr()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(compile(f"{line}\n", "transcript", "single"), names)
        except InputError as error:
            print(error, file=sys.stderr)
    for warning in caught:
        print(warning.message, file=sys.stderr)
    return _marked(*capsys.readouterr())


def _marked(out, err):
    """Return the lines of the standard output and error with their marks."""
    printed = ((">", out), ("!", err))
    return [
        f"{mark} {line}" for mark, text in printed if text for line in text.removesuffix("\n").split("\n")
    ]


def _printed(words, folder, capsys, own):
    """Return the output of a command, and its exit status."""
    capsys.readouterr()
    status = 0
    match words:
        case [name, *rest] if name in own:
            options = dict(word.split("=", 1) for word in rest if "=" in word)
            status = own[name](*(word for word in rest if "=" not in word), **options)
        case ["cat", *names]:
            print("".join((folder / name).read_text(encoding="utf-8") for name in names), end="")
        case ["mkdir", *names]:
            for name in names:
                (folder / name).mkdir()
        case _:
            try:
                status = main(words)
            except SystemExit as ended:
                status = ended.code
    out, err = capsys.readouterr()
    err = re.sub(r"^usage: .*?(?=^focuseval)", "", err, flags=re.M | re.S)  # another one in each Python
    assert "Traceback" not in err
    if words[0] not in {"score", "cat"} and not _FOR_PROGRAMS & set(words):
        assert_rounded(out)
    assert_rounded(err)
    return [*_marked(out, err), *([f"= {status}"] if status else [])]
