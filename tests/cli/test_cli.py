"""The command line: its output, and its messages about bad input."""

import contextlib
import json
import os
import pty
import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import focuseval
from focuseval.cli import COMMANDS, main
from focuseval.errors import Problem
from tests.folders import write_files

QRELS = "topic\tdocument\tpath\texhaustivity\tspecificity\n1\ta1\t/article[1]/sec[1]\t3\t3\n1\ta1\t/article[1]\t3\t1\n"
RUN = "1 Q0 a1 1 9 mine /article[1]/sec[1]\n1 Q0 a1 2 8 mine /article[1]\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    document = "<article><sec>0123456789</sec><p>abcde</p></article>"
    write_files(tmp_path, {"xml/a1.xml": document, "qrels.tsv": QRELS, "mine.run": RUN})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(*more, run="mine.run"):
    return main(["score", "--collection", "xml", "--assessments", "qrels.tsv", "--run", run, *more])


def test_messages_of_the_command_line_are_warnings_in_python(folder, capsys):
    inputs = {"collection": "xml", "assessments": "qrels.tsv", "runs": "mine.run", "lenient": True}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        focuseval.score(["precall"], **inputs)
    # an element judged twice and a topic without results; then a score that rises, a repeated result, no number,
    # an unknown document and an unassessed topic
    (folder / "qrels.tsv").write_text(f"{QRELS}1\ta1\t/article[1]\t3\t1\n2\ta1\t/article[1]\t3\t3\n")
    results = ["1 Q0 a1 3 99 mine /article[1]/p[1]", "1 Q0 a1 4 7 mine /article[1]",
               "1 Q0 a1 5 nan mine /article[1]", "1 Q0 b 6 5 mine /article[1]",
               "9 Q0 a1 1 9 mine /article[1]"]  # fmt: skip
    (folder / "mine.run").write_text(RUN + "\n".join(results) + "\n")
    with pytest.warns(focuseval.InputWarning) as warned:
        focuseval.score(["precall"], **inputs)
    assert score("--measure", "precall", "--lenient") == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"focuseval: {warning.message}" for warning in warned] and len(lines) >= 7
    assert warned[0].filename == __file__


def test_measures_lists_every_measure_with_its_paper(capsys):
    from focuseval.measures import MEASURES

    assert main(["measures"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for measure in MEASURES.values():
        assert measure.name in out and measure.paper in out
        for parameter in measure.parameters:
            assert f"{parameter.name}=" in out


INPUTS = "--collection xml --assessments qrels.tsv --run mine.run --measure precall"


def in_shell(command):
    """Run a command line in the shell, with Python's default buffering of output."""
    typed = command.replace("focuseval", f"{shlex.quote(sys.executable)} -m focuseval")
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(["sh", "-c", typed], capture_output=True, text=True, env=settings)


def test_a_closed_output_is_reported(folder):
    done = in_shell(f"focuseval score {INPUTS} >&-")
    assert done.returncode == 2
    assert (
        done.stderr == "standard output: the stream is closed; leave it open, or write to a file (--output)\n"
    )


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("check mine.run", 2),
        ("measures", 2),
        ("init example", 2),
        ("simulate --list", 2),
        (f"compare mine.run {INPUTS.replace('--run mine.run', '')}", 2),
        (f"gate --baseline mine.run {INPUTS}", 2),
        (f"audit {INPUTS}", 2),
        ("locate mine.run --documents xml", 2),
    ],
)
def test_no_command_prints_to_a_closed_output(folder, monkeypatch, capsys, command, status):
    monkeypatch.setattr(sys, "stdout", None)  # as in Python without standard output
    assert main(command.split()) == status
    stderr = capsys.readouterr().err
    assert (
        stderr.startswith("standard output: the stream is closed; leave it open") and stderr.count("\n") == 1
    )
    assert not (folder / "example").exists()


def test_a_file_is_written_without_an_open_output(folder, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["score", *INPUTS.split(), "--output", "scores.tsv"]) == 0
    assert len((folder / "scores.tsv").read_text().splitlines()) == 2


def test_an_interrupted_command_prints_no_traceback(folder, monkeypatch, capsys):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("focuseval.scoring.runs.read_judged", stopped)
    assert main(["score", *INPUTS.split(), "--output", "scores.tsv"]) == 130
    assert capsys.readouterr().err == "" and not (folder / "scores.tsv").exists()


def test_an_open_file_gets_the_results_by_its_name(folder):
    (folder / "mine.run").write_text(RUN + "1 Q0 a1 3 nan mine /article[1]\n")
    command = f"focuseval score {INPUTS} --lenient"
    by_name, plain = in_shell(f"{command} --output /dev/fd/3 3>&1 | cat"), in_shell(command)
    assert by_name.stdout == plain.stdout and by_name.stdout.startswith("run\ttopic\t")
    assert (
        by_name.stderr == plain.stderr and "line 3" in by_name.stderr
    )  # a pipe has no folder in which a file could list them


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "command",
    ["focuseval check mine.run", "PYTHONUNBUFFERED=1 focuseval --version", "focuseval score --help"],
)
def test_a_full_output_is_reported(folder, command):
    done = in_shell(f"{command} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "focuseval: No space left on device\n")


def test_who_reads_no_further_hears_nothing(folder):
    (folder / "bad.run").write_text("1 Q0 a1\n")
    done = in_shell("{ focuseval check bad.run; echo $? > status; } | true")
    assert (done.stderr, (folder / "status").read_text()) == ("", "1\n")
    assert in_shell("PYTHONUNBUFFERED=1 focuseval --version | true").stderr == ""


def test_notices_are_not_printed_among_scores(folder):
    (folder / "mine.run").write_text(RUN + "1 Q0 a1 3 7 mine /article[1]\n")
    assert "repeats an earlier result" in in_shell(f"focuseval score {INPUTS}").stderr
    assert in_shell(f"focuseval score {INPUTS} 2>&-").stdout.splitlines()[0] == "run\ttopic\tmeasure\tvalue"


def test_no_name_of_a_file_and_no_argument_ends_in_a_traceback(folder, capsys):
    """Names and arguments are any bytes, including invalid UTF-8."""
    bad = os.fsdecode(b"\xff")
    (folder / "texts").mkdir()
    (folder / "odd").mkdir()
    try:
        (folder / f"odd/{bad}.run").write_text(RUN)
    except OSError:
        pytest.skip("this file system takes only names in UTF-8")
    (folder / f"{bad}.tsv").write_text(QRELS)
    (folder / f"texts/{bad}.md").write_text("# Title\n")
    (folder / "gold.jsonl").write_text('{"topic": "1", "document": "a", "start": 0, "end": 9}\n')
    (folder / f"{bad}.jsonl").write_text((folder / "gold.jsonl").read_text())
    files = ["score", "--assessments", "qrels.tsv", "--run", "mine.run", "--measure", "precall"]
    for status, message, arguments in (
        (2, "\\udcff.tsv: the file name is not UTF-8; rename", [*files, "--assessments", f"{bad}.tsv"]),
        (2, "odd/\\udcff.run: the file name is not UTF-8; rename", [*files, "--run", "odd"]),
        (2, "texts/\\udcff.md: the file name is not UTF-8; rename", [*files, "--collection", "texts"]),
        (2, "\\udcff.jsonl: the file name is not UTF-8; rename", ["score", "--assessments", "gold.jsonl", "--run", f"{bad}.jsonl", "--run-format", "chunks", "--measure", "char_recall"]),
        (2, "measure: the name is 'F\\udcff'; expected NAME", [*files, "--measure", f"F{bad}"]),
        (2, "(file=\\udcff)'; expected NAME", [*files, "--measure", f"EPRUM(file={bad})"]),
        (1, "\\udcff.tsv: assessments table, 1 problem", ["check", f"{bad}.tsv"]),
        (1, "odd/\\udcff.run: the file name is not UTF-8; rename", ["check", "odd"]),
        (1, "\\udcff: not recognised, 1 problem", ["check", f"missing{bad}"]),
        (0, "", [*files, "--output", f"{bad}.out"]),
    ):  # fmt: skip
        assert main(arguments) == status
        printed = "".join(capsys.readouterr())
        assert message in printed


def test_scores_are_the_same_bytes_whatever_the_locale(folder):
    (folder / "mine.run").write_text(RUN.replace("mine", "größte"), encoding="utf-8")
    arguments = ["score", "--assessments", "qrels.tsv", "--run", "mine.run", "--measure", "precall"]
    command = [sys.executable, "-m", "focuseval", *arguments]
    done = subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("utf-8").splitlines()[1].startswith("größte\tall\tprecall\t")


def test_the_home_folder_is_expanded_if_the_shell_does_not(folder, capsys, monkeypatch):
    """The shell does not expand ~ after ``=`` and in quotes; a ~ before an unknown user stays."""
    monkeypatch.setenv("HOME", str(folder))
    assert main(["check", "~/qrels.tsv", "--run=~/mine.run"]) == 0
    assert main(["check", "--run=~nobody-of-this-name/mine.run"]) == 1
    assert "~nobody-of-this-name/mine.run" in capsys.readouterr().out


NAMES = "\x1b]0;title\x07\x1b[31mred\x9b\r\u202e"
SEEN = r"\x1b]0;title\x07\x1b[31mred\x9b\r\u202e"


def on_a_terminal(arguments):
    """Return what a command writes to a terminal."""
    terminal, other = pty.openpty()
    subprocess.run([sys.executable, "-m", "focuseval", *arguments], stdout=other, stderr=other, timeout=60)
    os.close(other)
    written = b""
    with contextlib.suppress(OSError):  # the writers have closed the terminal
        while part := os.read(terminal, 1 << 16):
            written += part
    os.close(terminal)
    return written.decode()


def test_scores_are_a_table_on_a_terminal_and_values_between_tabs_in_a_pipe(folder, capsys):
    command = ["score", *INPUTS.split(), "--measure", "MAP"]
    lines = on_a_terminal(command).splitlines()
    assert main(command) == 0
    (_, *head), *values = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert head == ["topic", "measure", "value"]
    assert lines[0].split() == ["run", *(measure for _, _, measure, _ in values)]
    assert lines[1].split() == ["mine", *(f"{float(value):.4f}" for *_, value in values)]
    for form, run in (
        ("tsv", "mine\t"),
        ("csv", "mine,"),
        ("json", '"mine"'),
        ("markdown", "| mine |"),
        ("latex", "mine &"),
    ):
        assert main([*command, "--format", form]) == 0 and run in capsys.readouterr().out


def test_escape_sequences_in_names_are_shown_and_not_obeyed(folder, capsys):
    gold = [
        {"topic": "1", "document": "a", "start": 0, "end": 9},
        {"topic": NAMES, "document": "a", "start": 0, "end": 9},
    ]
    (folder / "gold.jsonl").write_text("".join(json.dumps(span) + "\n" for span in gold))
    (folder / "run.jsonl").write_text(json.dumps({**gold[0], "score": 1, "run": NAMES}) + "\n")
    inputs = "--assessments gold.jsonl --run run.jsonl --measure char_recall --per-topic"
    command = ["score", *inputs.split()]
    written = on_a_terminal(command)
    assert written.count(SEEN) >= 4 and not set("\x1b\x07\x9b\u202e") & set(written)
    assert main(command) == 0
    to_file = capsys.readouterr()
    assert NAMES in to_file.out and NAMES not in to_file.err  # output for programs is unchanged
    assert SEEN in to_file.err
    assert SEEN in str(Problem("gold", "", NAMES, "")) and NAMES not in str(Problem("gold", "", NAMES, ""))


@pytest.mark.parametrize("megabytes", [60, 200])
def test_without_memory_there_is_a_message_and_no_traceback(folder, megabytes):
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({megabytes << 20},) * 2)"
    command = ["score", *INPUTS.replace("precall", "MAP").split()]
    code = f"{limit}; import sys; from focuseval.cli import main; sys.exit(main({command!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "focuseval: not enough memory; use smaller inputs" in done.stderr


def test_notices_on_a_terminal_are_wrapped_and_no_longer_than_the_answer(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(["init", "garden"])
    monkeypatch.chdir("garden")
    inputs = ["--gold", "gold.jsonl", "--run", "runs"]
    command = ["score", *inputs, "--measure", "IoU", "--measure", "char_recall@900c", "--measure", "nDCG"]
    capsys.readouterr()
    assert main([*command, "--format", "table"]) == 0
    table, notices = capsys.readouterr()
    whole = " ".join(notices.split())
    lines = on_a_terminal([*command, "--notices"]).splitlines()
    length = len(table.splitlines())
    assert [line.strip() for line in lines[:length]] == table.splitlines()
    assert " ".join(" ".join(lines[length:]).split()) == whole and max(map(len, lines)) <= 80 < len(notices)
    counted = on_a_terminal(command).splitlines()
    assert counted[:-1] == lines[: len(counted) - 1] and length < len(counted) - 1 <= 2 * length < len(lines)
    assert counted[-1] == "focuseval: --notices prints 1 more notice"
    # a measure that is not scored is always named
    one = ["score", *inputs[:3], "runs/sections.jsonl", "--measure", "nxCG@10", "--measure", "IoU"]
    assert "nxCG@10 was not scored" in on_a_terminal(one)
    output = on_a_terminal(["view", *inputs, "--measure", "IoU", "--output", "page.html"])
    assert output.splitlines() == ["page.html", "focuseval: --notices prints 1 notice"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_has_an_example_and_fits(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    help = capsys.readouterr().out
    assert re.search(rf"^ *(example: )?focuseval {command} \S", help, re.MULTILINE)
    assert max(map(len, help.splitlines())) <= 80
    if command == "score":
        assert re.findall(r"^(\w+):$", help, re.MULTILINE)[1:] == [
            "input",
            "gold",
            "ranking",
            "measures",
            "output",
        ]


@pytest.mark.parametrize("arguments", [["measures"], ["audit", "--measure", "AiP"], ["simulate", "--list"]])
def test_lists_and_cards_fit_a_terminal(arguments, capsys):
    assert main(arguments) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("fails", "message"),
    [
        (lambda: np.empty(1 << 57), " (Unable to allocate 1.00 EiB for an array"),
        (lambda: pa.allocate_buffer(1 << 50), " (malloc of size"),
        (lambda: _raise(OSError("Could not find")), None),
        (lambda: _raise(RuntimeError("can't start new thread")), ";"),
        (lambda: _raise(ImportError("libx.so: failed to map segment from shared object")), ";"),
    ],
)
def test_only_a_lack_of_memory_is_reported_as_one(folder, capsys, monkeypatch, fails, message):
    monkeypatch.setattr("focuseval.scoring.runs.score_runs", lambda *_, **__: fails())
    assert score("--measure", "MAP") == 2
    written = capsys.readouterr().err
    assert written.startswith(
        "focuseval: Could not find" if message is None else f"focuseval: not enough memory{message}"
    )


def _raise(error):
    raise error
