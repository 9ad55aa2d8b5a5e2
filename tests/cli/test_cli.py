"""The command line as a user meets it: what it prints, and what it says of bad input."""

import contextlib
import json
import os
import pty
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import focuseval
from focuseval.cli import main
from focuseval.errors import InputError, Problem

QRELS = "topic\tdocument\tpath\texhaustivity\tspecificity\n1\ta1\t/article[1]/sec[1]\t3\t3\n1\ta1\t/article[1]\t3\t1\n"
RUN = "1 Q0 a1 1 9 mine /article[1]/sec[1]\n1 Q0 a1 2 8 mine /article[1]\n"
NAME = "inex2003(variant=o,quantisation=generalised)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "xml").mkdir()
    (tmp_path / "xml" / "a1.xml").write_text("<article><sec>0123456789</sec><p>abcde</p></article>")
    (tmp_path / "qrels.tsv").write_text(QRELS)
    (tmp_path / "mine.run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(*more: str, run: str = "mine.run") -> int:
    return main(["score", "--collection", "xml", "--assessments", "qrels.tsv", "--run", run, *more])


def test_tsv_csv_and_json_hold_the_same_numbers(folder: Path, capsys) -> None:
    # o: the section is all that is specific; with the article behind it, recall rises to
    # (1 + 5/15) / (1 + 5/15) and precision falls to (10 + 5/3) / 15.
    assert score("--measure", NAME, "--measure", "precall") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "run\ttopic\tmeasure\tvalue"
    run, topic, measure, value = lines[1].split("\t")
    assert (run, topic, measure) == ("mine", "all", NAME)
    # recall 1 / (4/3) = 0.75 with precision 1, then 1 with 35/45
    assert float(value) == pytest.approx((75 * 1 + 25 * (10 + 5 / 3) / 15) / 100, abs=1e-15)
    assert value == repr(float(value))
    assert lines[2] == "mine\tall\tprecall\t1.0"
    assert score("--measure", NAME, "--format", "csv") == 0
    assert capsys.readouterr().out.splitlines()[1] == f'mine,all,"{NAME}",{value}'
    assert score("--measure", NAME, "--format", "json", "--per-topic") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["topic"] for row in rows] == ["1", "all"]
    assert rows[1] == {"run": "mine", "topic": "all", "measure": NAME, "value": float(value)}


def test_the_ways_out_of_a_quantisation_that_the_scale_does_not_have(folder: Path, capsys) -> None:
    for measure, wanted in (
        ("nxCG@1", "choose a measure for inex2003, such as precall or inex2003 ("),
        ("EPRUM", "choose a measure for inex2003, such as precall or inex2003 ("),
        ("SR@1", "choose quantisation=strict or quantisation=generalised ("),
    ):
        assert score("--measure", measure) == 1
        told = capsys.readouterr().err
        assert "quantisation gen on the scale inex2003; it is defined on inex2005 and highlights" in told
        assert wanted in told
        assert "only of a table, whose values may be of another scale: then name it, --scale" in told
    for measure in ("precall", "inex2003", "SR(quantisation=generalised)@1", "SR(quantisation=strict)@1"):
        assert score("--measure", measure) == 0
    (folder / "qrels.tsv").write_text(QRELS.replace("\t3\t3", "\t2\t1").replace("\t3\t1", "\t1\t1"))
    assert score("--measure", "nxCG@1") == 1
    assert score("--measure", "nxCG@1", "--scale", "inex2005") == 0


def test_overlapping_gold_spans_are_told(folder: Path, capsys) -> None:
    spans = [{"topic": "1", "document": "a", "start": s, "end": s + 5} for s in (0, 3, 20)]
    (folder / "gold.jsonl").write_text("".join(json.dumps(span) + "\n" for span in spans))
    (folder / "run.jsonl").write_text(json.dumps({**spans[0], "score": 1.0}) + "\n")
    assert (
        main(["score", "--assessments", "gold.jsonl", "--run", "run.jsonl", "--measure", "char_recall"]) == 0
    )
    told = capsys.readouterr()
    assert "gold.jsonl: 1 passage overlapping an earlier one" in told.err
    assert float(told.out.splitlines()[1].split("\t")[3]) == 5 / 13


def test_what_was_read_otherwise_than_it_stands_there_is_told(folder: Path, capsys) -> None:
    (folder / "fol").write_text(
        "1 Q0 a.xml 5 9 0 0:5 7:0\n1 Q0 a.xml 5 9 0 0:5\n2 Q0 b 9 9 0 0:9\n3 Q0 b 0 9\n"
    )
    (folder / "run").write_text("1 Q0 a 1 3 me 0 4\n2 Q0 b 1 3 me 0 9\n1 Q0 a 2 2 me 4 1\n")
    measures = ("--measure", "AiP", "--measure", "char_recall")
    assert main(["score", "--assessments", "fol", "--run", "run", *measures]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[1].split("\t")[3] == "1.0"
    assert told.err.splitlines() == [
        "focuseval: fol: 1 judgement given twice; read once",
        "focuseval: fol: 1 passage without a character; worth nothing",
        "focuseval: fol: 1 document name ending in .xml or .nxml; read without the ending",
        "focuseval: run: 1 topic with results in several places of the file; those of a topic are read as one list",
        "focuseval: AiP, char_recall: no relevant content, left out of the mean: 3",
    ]


@pytest.mark.parametrize("name", ["focussed", "Focused", "f"])
def test_tasks_have_the_names_that_inex_gave_them(folder: Path, capsys, name: str) -> None:
    assert score("--measure", "MAP", "--task", name) == 1
    assert "line 2: the result overlaps one before it" in capsys.readouterr().err


def test_results_that_break_rules_are_told_by_file_and_line(folder: Path, capsys) -> None:
    (folder / "runs").mkdir()
    (folder / "runs" / "first.run").write_text(RUN.splitlines()[0].replace("mine", "first") + "\n")
    (folder / "runs" / "second.run").write_text(RUN)
    assert score("--measure", "MAP", "--task", "focused", run="runs") == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.split(";")[0] for line in told] == [
        "runs/second.run, topic 1, line 2: the result overlaps one before it"
    ]


def test_problems_of_a_file_that_are_alike_are_counted_and_all_are_written_on_request(
    folder: Path, capsys
) -> None:
    (folder / "runs").mkdir()
    for name in ("one", "two"):
        lines = [f"1 Q0 a1 {i} {30 - i} {name} /article[1]" for i in range(1, 13)]
        (folder / "runs" / f"{name}.run").write_text("\n".join(lines) + "\n")
    assert score("--measure", "MAP", "--task", "focused", "--problems", "all.txt", run="runs") == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 4
    assert told[0].startswith("runs/one.run, topic 1, line 2: the result overlaps")
    assert told[1].startswith("runs/one.run: 11 problems in all, alike: topic 1, line 2, line 3, ")
    assert told[1].endswith(" and 1 more; all are in --problems FILE (of focuseval score, check and locate)")
    listed = (folder / "all.txt").read_text().splitlines()
    assert len(listed) == 22 and listed[10].startswith("runs/one.run, topic 1, line 12: the result overlaps")
    assert score("--measure", "MAP", "--problems", "all.txt", run="runs") == 0
    assert (folder / "all.txt").read_text() == ""


def test_check_shows_what_is_alike_once_and_writes_all_on_request(folder: Path, capsys) -> None:
    """Lines none of which is right: that there is none that is, is no problem of its own."""
    (folder / "bad.run").write_text("".join(f"1 Q0 a1 {i} x{i} mine /article[1]\n" for i in range(1, 13)))
    assert main(["check", "bad.run", "qrels.tsv", "--problems", "all.txt"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith("12 problems") and len(told) == 1 + 2 + 1
    assert told[1] == "  bad.run, line 1: the score is 'x1'; expected a finite number"
    assert told[2].startswith(
        "  bad.run: 12 problems in all, alike ('x1', 'x2', 'x3', 'x4', 'x5' and 7 more): line 1, "
    )
    assert len((folder / "all.txt").read_text().splitlines()) == 12
    assert main(["check", "qrels.tsv", "--problems", "not/there.txt"]) == 1
    assert "--problems: the folder not is not there; make it first" in capsys.readouterr().err


def test_many_bad_files_are_counted(folder: Path, capsys) -> None:
    for i in range(12):
        (folder / "xml" / f"b{i:02}.xml").write_text("<article>")
    assert main(["check", "xml"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 12 and told[10].startswith("  xml/b09.xml")
    assert (
        told[11]
        == "  12 problems in all, of 12 files; the first 10 are shown, all are in --problems FILE (of focuseval score, check and locate)"
    )


def test_a_folder_of_runs_is_all_of_its_runs(folder: Path, capsys) -> None:
    (folder / "runs").mkdir()
    for name in ("one", "two"):
        (folder / "runs" / f"{name}.run").write_text(RUN.replace("mine", name))
    assert score("--measure", "precall", run="runs") == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["one", "two"]


def test_output_appears_complete_with_rejected_lines_beside_it(folder: Path, capsys) -> None:
    (folder / "mine.run").write_text(RUN + "1 Q0 a1 3 nan mine /article[1]\n")
    assert score("--measure", "precall", "--output", "out.tsv") == 1
    assert "mine.run, line 3" in capsys.readouterr().err
    assert not (folder / "out.tsv").exists()
    assert score("--measure", "precall", "--output", "out.tsv", "--lenient") == 0
    assert (folder / "out.tsv").read_text().splitlines()[1] == "mine\tall\tprecall\t1.0"
    assert "mine.run, line 3" in (folder / "out.tsv.rejected").read_text()
    (folder / "mine.run").write_text(RUN)
    assert score("--measure", "precall", "--output", "out.tsv", "--lenient") == 0
    assert not (folder / "out.tsv.rejected").exists()  # they were those of another output


BAD = {
    "an external entity": (
        "xml/a1.xml",
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]>\n<article>&x;</article>',
        "a1.xml",
    ),
    "entities that expand without end": (
        "xml/a1.xml",
        b"<!DOCTYPE a [<!ENTITY a0 'ha'>"
        + b"".join(f"<!ENTITY a{i} '{f'&a{i - 1};' * 10}'>".encode() for i in range(1, 12))
        + b"]><article>&a11;</article>",
        "a1.xml",
    ),
    "an unknown entity": ("xml/a1.xml", b"<article>\n&nosuch;</article>", "nosuch"),
    "a cut document": ("xml/a1.xml", b"<article><sec>0123", "a1.xml"),
    "a wrong encoding": (
        "xml/a1.xml",
        b'<?xml version="1.0" encoding="utf-8"?><article>\xff\xfe</article>',
        "a1.xml",
    ),
    "a path that is not in the document": (
        "mine.run",
        b"1 Q0 a1 1 9 mine /article[1]/sec[7]\n",
        "mine.run, line 1",
    ),
    "an unknown document": ("mine.run", b"1 Q0 a7 1 9 mine /article[1]\n", "mine.run, line 1"),
    "an empty run": ("mine.run", b"", "mine.run"),
    "a score that is no number": ("mine.run", b"1 Q0 a1 1 NaN mine /article[1]\n", "mine.run, line 1"),
    "a run in a wrong encoding": ("mine.run", b"1 Q0 \xff\xfe 1 9 mine /article[1]\n", "mine.run"),
    "too few columns": ("mine.run", b"1 Q0 a1\n", "mine.run"),
    "a judgement out of range": (
        "qrels.tsv",
        QRELS.replace("\t3\t1\n", "\t7\t1\n").encode(),
        "qrels.tsv, line 3",
    ),
    "a missing column": ("qrels.tsv", b"topic\tdocument\tpath\texhaustivity\n", "qrels.tsv"),
    "empty assessments": ("qrels.tsv", b"", "qrels.tsv"),
    "a judged path that is not there": (
        "qrels.tsv",
        QRELS.replace("sec[1]", "sec[9]").encode(),
        "qrels.tsv, line 2",
    ),
}


@pytest.mark.parametrize(("file", "content", "told"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_told_with_its_place_and_without_a_traceback(
    folder: Path, capsys, file: str, content: bytes, told: str
) -> None:
    (folder / file).write_bytes(content)
    before = sorted(p.name for p in folder.rglob("*"))
    assert score("--measure", "precall") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert "Traceback" not in err and "root:" not in err
    assert all("; " in line for line in err.splitlines()), "every line says what to do"
    assert sorted(p.name for p in folder.rglob("*")) == before


def test_a_cut_archive(folder: Path, capsys) -> None:
    import tarfile

    with tarfile.open("xml.tar.gz", "w:gz") as archive:
        archive.add("xml/a1.xml", "a1.xml")
    whole = Path("xml.tar.gz").read_bytes()
    Path("xml.tar.gz").write_bytes(whole[: len(whole) // 2])
    assert main(["score", "--collection", "xml.tar.gz", "--assessments", "qrels.tsv", "--run", "mine.run",
                 "--measure", "precall"]) == 1  # fmt: skip
    assert "xml.tar.gz" in capsys.readouterr().err


def test_what_is_missing_or_left_out_is_said(folder: Path, capsys) -> None:
    (folder / "mine.run").write_text(RUN + "1 Q0 a1 3 7 mine /article[1]\n9 Q0 a1 1 9 mine /article[1]\n")
    (folder / "qrels.tsv").write_text(QRELS + "2\ta1\t/article[1]\t3\t3\n")
    assert score("--measure", "precall") == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1].endswith("\t0.5")
    assert "1 assessed topic missing: 2" in err
    assert "1 topic not assessed, left out: 9" in err
    assert "1 result returned a second time" in err


LOSSES = {
    "a topic that is missing": (
        "qrels.tsv",
        "2\ta1\t/article[1]\t3\t3\n",
        "run mine: 1 assessed topic missing: 2",
    ),
    "a topic that is not assessed": (
        "mine.run",
        "9 Q0 a1 1 9 mine /article[1]\n",
        "run mine: 1 topic not assessed",
    ),
    "a repeated result": (
        "mine.run",
        "1 Q0 a1 3 7 mine /article[1]\n",
        "run mine: 1 result returned a second time",
    ),
    "a repeated judgement": (
        "qrels.tsv",
        "1\ta1\t/article[1]\t3\t1\n",
        "qrels.tsv: 1 judgement given twice",
    ),
    "scores that rise": (
        "mine.run",
        "1 Q0 a1 3 99 mine /article[1]/p[1]\n",
        "run mine: 1 topic in which scores rise down the ranking",
    ),
    "a bad line": (
        "mine.run",
        "1 Q0 a1 3 nan mine /article[1]\n",
        "left out: mine.run, line 3: the score is 'nan'",
    ),
    "a lost result": (
        "mine.run",
        "1 Q0 b 3 7 mine /article[1]\n",
        "run mine: 1 result not in the collection",
    ),
}


@pytest.mark.parametrize(("file", "line", "told"), LOSSES.values(), ids=LOSSES.keys())
def test_whatever_is_told_on_the_command_line_is_a_warning_in_python(
    folder: Path, capsys, file, line, told
) -> None:
    inputs = {"collection": "xml", "assessments": "qrels.tsv", "runs": "mine.run", "lenient": True}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        focuseval.score(["precall"], **inputs)
    with open(folder / file, "a") as more:
        more.write(line)
    with pytest.warns(focuseval.InputWarning) as warned:
        focuseval.score(["precall"], **inputs)
    assert score("--measure", "precall", "--lenient") == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"focuseval: {warning.message}" for warning in warned]
    assert warned[0].filename == __file__
    assert any(line.startswith(f"focuseval: {told}") for line in lines)


def test_passages_without_a_character_are_told(folder: Path, capsys) -> None:
    (folder / "mine.run").write_text("1 Q0 a1 1 9 mine 0 5\n1 Q0 a1 2 8 mine 5 0\n")
    (folder / "qrels.tsv").write_text("1 Q0 a1 5 15 0 0:5\n")
    assert score("--measure", "AiP") == 0
    assert "run mine: 1 passage without a character, worth nothing" in capsys.readouterr().err


def test_ranks_that_were_passed_over_are_told(folder: Path, capsys) -> None:
    (folder / "mine.run").write_text("1 Q0 a1 2 9 mine 0 5\n1 Q0 a1 1 8 mine 5 5\n")
    (folder / "qrels.tsv").write_text("1 Q0 a1 5 15 0 0:5\n")
    assert score("--measure", "AiP") == 0
    assert "run mine: ranks fall within a topic; the order of lines was followed" in capsys.readouterr().err
    assert score("--measure", "AiP", "--rank-by", "rank") == 0
    assert "ranks fall" not in capsys.readouterr().err


@pytest.mark.parametrize("lenient", [(), ("--lenient",)])
def test_no_topic_in_common_is_an_error(folder: Path, capsys, lenient) -> None:
    (folder / "mine.run").write_text(RUN.replace("1 Q0", "Q Q0"))
    assert score("--measure", "precall", *lenient) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "mine.run: none of its topics is assessed: Q; expected some of 1\n")
    with pytest.raises(InputError, match="none of its topics is assessed: Q"):
        focuseval.score(["precall"], assessments="qrels.tsv", runs="mine.run")


def test_measures_that_can_be_computed_are_scored_beside_one_that_cannot(folder: Path, capsys) -> None:
    asked = ("--measure", "precall", "--measure", "AiP", "--measure", "MAiP", "--problems", "all.txt")
    assert score(*asked) == 1
    out, err = capsys.readouterr()
    assert [line.split("\t")[2:] for line in out.splitlines()[1:]] == [["precall", "1.0"]]
    [told] = err.splitlines()
    assert told.startswith(
        "focuseval: not scored: AiP, MAiP: not computable from these inputs; it needs highlighted"
    )
    assert len((folder / "all.txt").read_text().splitlines()) == 2
    with pytest.warns(focuseval.InputWarning, match="not scored: AiP: "):
        table = focuseval.score(
            ["precall", "AiP"], collection="xml", assessments="qrels.tsv", runs="mine.run"
        )
    assert table["measure"].tolist() == ["precall"]
    assert score("--measure", "AiP") == 1
    assert capsys.readouterr().out == ""


def test_the_way_out_of_ranks_that_are_all_the_same(folder: Path, capsys) -> None:
    (folder / "mine.run").write_text(RUN.replace("2 8", "1 8"))
    assert score("--measure", "precall") == 1
    assert (
        "mine.run, line 1: all results of topic 1 have the rank 1; as scores differ"
        in capsys.readouterr().err
    )
    assert main(["check", "mine.run"]) == 1
    assert "all results of topic 1 have the rank 1" in capsys.readouterr().out
    values = {}
    for by in ("score", "order", "rank"):
        assert score("--measure", "precall", "--rank-by", by) == 0
        values[by] = float(capsys.readouterr().out.splitlines()[1].split("\t")[3])
        inputs = {"collection": "xml", "assessments": "qrels.tsv", "runs": "mine.run", "rank_by": by}
        assert focuseval.score(["precall"], **inputs)["value"].tolist() == [values[by]]
    assert values["score"] == values["order"] == 1.0 > values["rank"]


def test_options_that_are_missing_are_named(folder: Path, capsys) -> None:
    assert main(["score", "--assessments", "qrels.tsv"]) == 1
    assert "--run, --measure" in capsys.readouterr().err
    assert main(["score", "--like", "inex_eval", "--assessments", "qrels.tsv", "--run", "mine.run"]) == 1
    assert "--task" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "behind"),
    [
        (["score", "--run", "", "--measure", "AP"], "--run"),
        (["gate", "--run="], "--run"),
        (["compare", "mine.run", ""], "mine.run"),
        (["check", ""], "focuseval check"),
    ],
)
def test_an_empty_path_is_not_the_working_directory(
    folder: Path, capsys, command: list[str], behind: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2
    told = f"error: an empty argument behind {behind}; is a variable of the shell not set?\n"
    assert capsys.readouterr().err.endswith(told)


def test_check_says_what_files_are(folder: Path, capsys) -> None:
    assert main(["check", "qrels.tsv", "mine.run"]) == 0
    assert "no problems" in capsys.readouterr().out
    (folder / "bad.run").write_text(RUN + "1 Q0 a1 x y mine /article[1]\n")
    assert main(["check", "bad.run"]) == 1
    assert "line 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("second", "status", "counted"),
    [
        ("1 Q0 a1 2 8 m 3 0", 0, "no problems, 1 warning"),  # no character
        ("1 Q0 a1 2 8 m 0 3", 0, "no problems, 1 warning"),  # again
        ("1 Q0 a2 0 8 m 0 3", 0, "no problems, 1 warning"),  # its rank falls
        ("1 Q0 a1 2 8 m X X", 1, "1 problem"),
    ],
)
def test_check_ends_as_score_does(folder: Path, capsys, second: str, status: int, counted: str) -> None:
    (folder / "fol.qrels").write_text("1 Q0 a1 5 15 0 0:5 7:0\n1 Q0 a2 0 100\n")
    (folder / "own.run").write_text(f"1 Q0 a1 1 9 m 0 3\n{second}\n")
    inputs = ["--assessments", "fol.qrels", "--run", "own.run"]
    assert main(["score", *inputs, "--measure", "char_recall"]) == status
    assert main(["check", *inputs]) == status
    capsys.readouterr()
    assert main(["check", "fol.qrels", "own.run"]) == status
    told = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert told[0].endswith(", no problems, 1 warning") and told[1].endswith(f": 2, {counted}")


def test_check_looks_at_every_argument(folder: Path, capsys) -> None:
    (folder / "empty").mkdir()
    (folder / "nothing.jsonl").write_text("")
    assert main(["check", "empty", "nothing.jsonl", "x" * 300, "nope", "mine.run"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    told = [line for line in out.splitlines() if not line.startswith(" ")]
    assert [line.partition(": ")[0] for line in told] == [
        *("empty", "nothing.jsonl", "x" * 300, "nope", "mine.run")
    ]
    assert "directory without files; give a directory that has some" in out
    assert told[-1].endswith("no problems")


def test_measures_lists_every_measure_with_its_paper(capsys) -> None:
    from focuseval.measures import MEASURES

    assert main(["measures"]) == 0
    out = capsys.readouterr().out
    for measure in MEASURES.values():
        assert measure.name in out and measure.paper in out
        for parameter in measure.parameters:
            assert f"{parameter.name}=" in out


def test_measures_lists_those_that_are_named(capsys) -> None:
    assert main(["measures", "AiP", "char_recall@5", "AiP"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.partition("[")[0] for line in told if not line.startswith(" ")] == ["AiP", "char_recall"]
    assert main(["measures", "AiP", "char_recal"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and "unknown measure 'char_recal'; did you mean 'char_recall'?" in err


def test_an_evalj_file_gives_measures_and_pools(folder: Path, capsys) -> None:
    for topic in ("1", "2"):
        (folder / f"q{topic}.xml").write_text(
            f'<assessments pool="10{topic}" topic="{topic}"><file collection="c" name="a1">'
            '<element path="/article[1]/sec[1]" exhaustivity="2" size="10" rsize="10"/></file></assessments>'
        )
    (folder / "inex2005.prop").write_text(
        "TASK: CO.Focussed\nMETRICS: ep/gr\nALPHA: 1.0\nOVERLAP: on\nQUANT_FUNCTIONS: gen\nPOOLS: 101\n"
        "ASSESSMENTS_DIR: q*.xml\nSUBMISSIONRUNS_DIR: mine.run\n"
    )
    assert main(["score", "--collection", "xml", "--prop", "inex2005.prop", "--per-topic"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()[1:]]
    assert {row[1] for row in rows} == {"1", "all"}
    assert rows[0][2:] == ["MAep(quantisation=gen,alpha=1,overlap=on)", "1.0"]
    assert main(["score", "--collection", "xml", "--prop", "inex2005.prop", "--task", "SVCAS"]) == 1
    assert "--task is one of CO.Focussed" in capsys.readouterr().err


def test_pools_are_kept_as_from_python(folder: Path, capsys) -> None:
    for topic in ("1", "2"):
        (folder / f"q{topic}.xml").write_text(
            f'<assessments pool="10{topic}" topic="{topic}"><file collection="c" name="a1">'
            '<element path="/article[1]/sec[1]" exhaustivity="2" size="10" rsize="10"/></file></assessments>'
        )
    asked = ["score", "--collection", "xml", "--assessments", "q1.xml", "--assessments", "q2.xml"]
    asked += ["--run", "mine.run", "--measure", "MAep(quantisation=gen)", "--per-topic"]
    for more, topics in (((), {"1", "2", "all"}), (("--pool", "101"), {"1", "all"})):
        assert main([*asked, *more]) == 0
        assert {line.split("\t")[1] for line in capsys.readouterr().out.splitlines()[1:]} == topics
    assert main([*asked, "--pool", "7"]) == 1
    assert "no pool 7" in capsys.readouterr().err


def test_the_specificity_of_coverage_is_as_from_python(folder: Path, capsys) -> None:
    (folder / "q.xml").write_text(
        '<assessments topic="1"><file file="a1"><path path="/article[1]" relevance="3" coverage="L"/>'
        '<path path="/article[1]/sec[1]" relevance="3" coverage="E"/></file></assessments>'
    )
    asked = ["score", "--collection", "xml", "--assessments", "q.xml", "--run", "mine.run"]
    asked += ["--measure", "inex2003(variant=o)"]
    values = []
    for coverage in ((0, 1, 2, 3), (0, 3, 2, 3)):
        assert main([*asked, "--coverage", *map(str, coverage)]) == 0
        values.append(float(capsys.readouterr().out.splitlines()[1].split("\t")[3]))
        there = focuseval.score(
            ["inex2003(variant=o)"],
            assessments="q.xml",
            runs="mine.run",
            collection="xml",
            coverage=coverage,
        )
        assert there["value"].tolist()[-1] == values[-1]
    assert values[0] != values[1]
    for wrong in ("-1", "4", "nan"):
        assert main([*asked, "--coverage", "0", wrong, "2", "3"]) == 1
        assert "expected four numbers from 0 to 3" in capsys.readouterr().err


def test_the_module_runs_as_a_program() -> None:
    found = subprocess.run([sys.executable, "-m", "focuseval", "measures"], capture_output=True, text=True)
    assert found.returncode == 0 and "precall" in found.stdout


def test_documents_that_are_assessed_and_not_relevant_are_judged(folder: Path, capsys) -> None:
    (folder / "fol.qrels").write_text("1 Q0 a1 5 15 0 0:5\n1 Q0 a2 0 100\n")
    (folder / "whole.run").write_text("1 Q0 a1 1 3 w\n1 Q0 a2 2 2 w\n1 Q0 a3 3 1 w\n")
    assert main(["score", "--assessments", "fol.qrels", "--run", "whole.run", "--measure", "MAP"]) == 0
    told = capsys.readouterr().err
    assert (
        "run w: 1 of 3 results in documents without judgements for their topic, counted as not relevant\n"
        in told
    )
    (folder / "whole.run").write_text("1 Q0 docs/a1 1 3 w\n1 Q0 docs/a2 2 2 w\n")
    assert main(["score", "--assessments", "fol.qrels", "--run", "whole.run", "--measure", "MAP"]) == 0
    assert (
        "run w: 2 of 2 results in documents without judgements for their topic: are documents named"
        in capsys.readouterr().err
    )


def test_a_run_that_is_called_otherwise_than_its_file_does_is_told(folder: Path, capsys) -> None:
    (folder / "other.run").write_text(RUN)
    assert score("--run", "other.run", "--measure", NAME) == 0
    captured = capsys.readouterr()
    assert {line.split("\t")[0] for line in captured.out.splitlines()[1:]} == {"mine", "other"}
    for name in ("mine", "other"):
        told = f"run {name}: other files have runs named 'mine', too; this one is called after its file\n"
        assert told in captured.err


INPUTS = "--collection xml --assessments qrels.tsv --run mine.run --measure precall"


def in_shell(command: str) -> subprocess.CompletedProcess[str]:
    """What the shell makes of a command line, with output buffered as Python does by itself."""
    typed = command.replace("focuseval", f"{shlex.quote(sys.executable)} -m focuseval")
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(["sh", "-c", typed], capture_output=True, text=True, env=settings)


def test_a_closed_output_is_told(folder: Path) -> None:
    done = in_shell(f"focuseval score {INPUTS} >&-")
    assert done.returncode == 1
    assert done.stderr == "standard output: it is closed; leave it open, or name a file (--output)\n"


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("check mine.run", 1),
        ("measures", 1),
        ("init example", 1),
        ("simulate --list", 1),
        (f"compare mine.run {INPUTS.replace('--run mine.run', '')}", 1),
        (f"gate --baseline mine.run {INPUTS}", 2),
        (f"audit {INPUTS}", 2),
        ("locate mine.run --documents xml", 2),
    ],
)
def test_no_command_prints_where_nothing_is(folder: Path, monkeypatch, capsys, command, status) -> None:
    monkeypatch.setattr(sys, "stdout", None)  # as Python has it then
    assert main(command.split()) == status
    told = capsys.readouterr().err
    assert told.startswith("standard output: it is closed; leave it open") and told.count("\n") == 1
    assert not (folder / "example").exists()


def test_a_file_is_written_where_nothing_can_be_printed(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["score", *INPUTS.split(), "--output", "scores.tsv"]) == 0
    assert len((folder / "scores.tsv").read_text().splitlines()) == 2


def test_who_stops_a_command_sees_no_traceback(folder: Path, monkeypatch, capsys) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("focuseval.scoring.runs.read_judged", stopped)
    assert main(["score", *INPUTS.split(), "--output", "scores.tsv"]) == 130
    assert capsys.readouterr().err == "" and not (folder / "scores.tsv").exists()


def test_what_is_open_gets_the_results_by_its_name(folder: Path) -> None:
    (folder / "mine.run").write_text(RUN + "1 Q0 a1 3 nan mine /article[1]\n")
    asked = f"focuseval score {INPUTS} --lenient"
    named, plain = in_shell(f"{asked} --output /dev/fd/3 3>&1 | cat"), in_shell(asked)
    assert named.stdout == plain.stdout and named.stdout.startswith("run\ttopic\t")
    assert (
        named.stderr == plain.stderr and "line 3" in named.stderr
    )  # there is nothing beside it to list them in


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("command", ["check mine.run", "--version", "score --help"])
@pytest.mark.parametrize("buffered", ["", "PYTHONUNBUFFERED=1 "])
def test_an_output_that_takes_nothing_is_told(folder: Path, command: str, buffered: str) -> None:
    done = in_shell(f"{buffered}focuseval {command} > /dev/full")
    assert (done.returncode, done.stderr) == (1, "focuseval: No space left on device\n")


def test_who_reads_no_further_hears_nothing(folder: Path) -> None:
    (folder / "bad.run").write_text("1 Q0 a1\n")
    done = in_shell("{ focuseval check bad.run; echo $? > status; } | true")
    assert (done.stderr, (folder / "status").read_text()) == ("", "1\n")
    assert in_shell("PYTHONUNBUFFERED=1 focuseval --version | true").stderr == ""


def test_what_is_told_beside_scores_does_not_get_among_them(folder: Path) -> None:
    (folder / "mine.run").write_text(RUN + "1 Q0 a1 3 7 mine /article[1]\n")
    assert "a second time" in in_shell(f"focuseval score {INPUTS}").stderr
    assert in_shell(f"focuseval score {INPUTS} 2>&-").stdout.splitlines()[0] == "run\ttopic\tmeasure\tvalue"


def test_a_measure_that_is_asked_for_twice_is_one(folder: Path, capsys) -> None:
    assert score("--measure", "precall", "--measure", "precall") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--size", "0"), "size: 0; expected 1 or more results"),
        (("--output", "xml"), "--output: xml is a folder; give the name of a file"),
        (("--output", "not/there.tsv"), "--output: the folder not is not there; make it first"),
    ],
)
def test_values_that_make_no_sense_are_refused(folder: Path, capsys, options, message) -> None:
    assert score("--measure", "precall", *options) == 1
    assert message in capsys.readouterr().err
    assert not (folder / "not").exists()


def test_a_unit_needs_a_collection(folder: Path, capsys) -> None:
    asked = ["score", "--assessments", "qrels.tsv", "--run", "mine.run", "--measure", "precall"]
    assert main([*asked, "--unit", "words"]) == 1
    assert "unit: words; give a collection" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"measures": ""}, r"measures: ''; expected names"),
        ({"measures": []}, r"measures: \[\]; expected names"),
        ({"average_over": "foo"}, "average_over: 'foo'; expected one of assessed, run"),
        ({"unit": "foo"}, "unit: 'foo'; expected one of characters"),
    ],
)
def test_the_library_refuses_what_the_command_line_cannot_say(folder: Path, changed, message) -> None:
    asked = {"measures": ["precall"], "assessments": "qrels.tsv", "runs": "mine.run", **changed}
    with pytest.raises(InputError, match=message):
        focuseval.score(asked.pop("measures"), **asked)


def test_scores_that_contradict_the_ranks_are_told(folder: Path, capsys) -> None:
    (folder / "rising.run").write_text(RUN.replace("2 8", "2 10") + RUN.replace("1 Q0", "2 Q0"))
    assert score("--measure", "precall", run="rising.run") == 0
    assert (
        "run mine: 1 topic in which scores rise down the ranking; ranks were followed"
        in capsys.readouterr().err
    )
    assert score("--measure", "precall") == 0
    assert "rise" not in capsys.readouterr().err
    (folder / "offsets.run").write_text("1 Q0 a1 2 9 b 0 5\n1 Q0 a1 1 10 b 5 5\n")
    assert score("--measure", "MAP", run="offsets.run") == 0  # their ranks fall: the lines are the ranking
    told = capsys.readouterr().err
    assert "the order of lines was followed, not ranks" in told
    assert "scores rise down the ranking; the order of lines was followed, not scores" in told
    assert "ranks were followed" not in told


def test_no_name_of_a_file_and_no_argument_ends_in_a_traceback(folder: Path, capsys) -> None:
    """Names of files and arguments are bytes: those that are not UTF-8 are told, as far as they can be."""
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
    for status, told, arguments in (
        (1, "\\udcff.tsv: a name that is not UTF-8; rename", [*files, "--assessments", f"{bad}.tsv"]),
        (1, "odd/\\udcff.run: a name that is not UTF-8; rename", [*files, "--run", "odd"]),
        (1, "texts/\\udcff.md: a name that is not UTF-8; rename", [*files, "--collection", "texts"]),
        (1, "\\udcff.jsonl: a name that is not UTF-8; rename", ["score", "--assessments", "gold.jsonl", "--run", f"{bad}.jsonl", "--run-format", "chunks", "--measure", "char_recall"]),
        (1, "measure: 'F\\udcff'; expected NAME", [*files, "--measure", f"F{bad}"]),
        (1, "(file=\\udcff)'; expected NAME", [*files, "--measure", f"EPRUM(file={bad})"]),
        (1, "\\udcff.tsv: assessments table, 1 problem", ["check", f"{bad}.tsv"]),
        (1, "odd/\\udcff.run: a name that is not UTF-8; rename", ["check", "odd"]),
        (1, "\\udcff: not recognised, 1 problem", ["check", f"missing{bad}"]),
        (0, "", [*files, "--output", f"{bad}.out"]),
    ):  # fmt: skip
        assert main(arguments) == status
        printed = "".join(capsys.readouterr())
        assert told in printed


def test_scores_are_the_same_bytes_whatever_the_locale(folder: Path) -> None:
    (folder / "mine.run").write_text(RUN.replace("mine", "größte"), encoding="utf-8")
    arguments = ["score", "--assessments", "qrels.tsv", "--run", "mine.run", "--measure", "precall"]
    command = [sys.executable, "-m", "focuseval", *arguments]
    for encoding in ("ascii", "iso-8859-1"):
        done = subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": encoding})
        assert done.returncode == 0, done.stderr
        assert done.stdout.decode("utf-8").splitlines()[1].startswith("größte\tall\tprecall\t")


def test_rejected_lines_that_are_not_utf8_can_be_listed(folder: Path) -> None:
    (folder / "gold.jsonl").write_text('{"topic": "1", "document": "a", "start": 0, "end": 9}\n')
    line = '{"topic": "1", "document": "a%s", "start": 0, "end": 9, "score": 1}\n'
    (folder / "run.jsonl").write_text(line % "" + line % "\\ud800")
    arguments = ["score", "--assessments", "gold.jsonl", "--run", "run.jsonl", "--measure", "char_recall"]
    assert main([*arguments, "--lenient", "--output", "out.tsv"]) == 0
    assert '"document" is "a\\ud800"' in (folder / "out.tsv.rejected").read_text()
    with pytest.raises(InputError, match="run.jsonl, line 2"):
        focuseval.score(["char_recall"], assessments="gold.jsonl", runs="run.jsonl")


def test_no_topic_has_the_name_of_the_mean(folder: Path, capsys) -> None:
    (folder / "qrels.tsv").write_text(QRELS.replace("\n1\t", "\nall\t"))
    assert score("--measure", "precall", "--per-topic") == 1
    told = capsys.readouterr()
    assert "qrels.tsv, line 2: the topic is 'all'; expected another name: means stand under" in told.err
    assert not told.out
    assert main(["check", "qrels.tsv"]) == 1


@pytest.mark.parametrize("target", ["mine.run", "qrels.tsv"])
@pytest.mark.parametrize("option", ["--output", "--save", "--problems"])
def test_what_is_read_is_not_written_over(folder: Path, capsys, option: str, target: str) -> None:
    before = (folder / target).read_bytes()
    assert score("--measure", NAME, option, f"./{target}") == 1
    assert f"{option}: {target} is read here, too; give another file" in capsys.readouterr().err
    assert (folder / target).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "usage", "told"),
    [
        ("score --mesure=P --xyz x", "score", "--mesure=P --xyz x; did you mean --measure?\n"),
        ("score --metrcs P", "score", "--metrcs P; did you mean --measure?\n"),
        ("compare a b --qrels c", "compare", "--qrels c; did you mean --assessments?\n"),
        ("compare a b --save c", "compare", "--save c; did you mean --output?\n"),
        ("measures --more", "measures", "--more\n"),
        ("ceiling --asessments g --chunks c", "ceiling", "--asessments g; did you mean --assessments?\n"),
        ("locate --docs=d", "locate", "--docs=d; did you mean --documents?\n"),
    ],
)
def test_unknown_options_are_told_by_their_command(arguments: str, usage: str, told: str, capsys) -> None:
    with pytest.raises(SystemExit) as status:
        main(arguments.split())
    printed = capsys.readouterr().err
    assert status.value.code == 2 and printed.startswith(f"usage: focuseval {usage} [-h]")
    assert "[--documents" not in printed  # which is required
    assert printed.endswith(f"focuseval {usage}: error: unrecognized arguments: {told}")


def test_the_home_folder_is_known_where_the_shell_leaves_it(folder: Path, capsys, monkeypatch) -> None:
    """Behind ``=``, and quoted; of what is no path, a ~ that names nobody stays."""
    monkeypatch.setenv("HOME", str(folder))
    assert main(["check", "~/qrels.tsv", "--run=~/mine.run"]) == 0
    assert main(["check", "--run=~nobody-of-this-name/mine.run"]) == 1
    assert "~nobody-of-this-name/mine.run" in capsys.readouterr().out


NAMES = "\x1b]0;title\x07\x1b[31mred\x9b\r\u202e"
SEEN = r"\x1b]0;title\x07\x1b[31mred\x9b\r\u202e"


def on_a_terminal(arguments: list[str]) -> str:
    """What a command writes to a terminal."""
    terminal, other = pty.openpty()
    subprocess.run([sys.executable, "-m", "focuseval", *arguments], stdout=other, stderr=other, timeout=60)
    os.close(other)
    written = b""
    with contextlib.suppress(OSError):  # nobody writes there any more
        while part := os.read(terminal, 1 << 16):
            written += part
    os.close(terminal)
    return written.decode()


def test_escape_sequences_in_names_are_shown_and_not_obeyed(folder: Path, capsys) -> None:
    gold = [
        {"topic": "1", "document": "a", "start": 0, "end": 9},
        {"topic": NAMES, "document": "a", "start": 0, "end": 9},
    ]
    (folder / "gold.jsonl").write_text("".join(json.dumps(span) + "\n" for span in gold))
    (folder / "run.jsonl").write_text(json.dumps({**gold[0], "score": 1, "run": NAMES}) + "\n")
    command = [
        "score",
        "--assessments",
        "gold.jsonl",
        "--run",
        "run.jsonl",
        "--measure",
        "char_recall",
        "--per-topic",
    ]
    written = on_a_terminal(command)
    assert written.count(SEEN) >= 4 and not set("\x1b\x07\x9b\u202e") & set(written)
    assert main(command) == 0
    to_file = capsys.readouterr()
    assert NAMES in to_file.out and NAMES not in to_file.err  # what programs read is as it is
    assert SEEN in to_file.err
    assert SEEN in str(Problem("gold", "", NAMES, "")) and NAMES not in str(Problem("gold", "", NAMES, ""))


def test_csv_of_scores_has_no_formulas(folder: Path, capsys) -> None:
    (folder / "mine.run").write_text(RUN.replace(" mine ", " =1+1 "))
    assert score("--measure", "MAP", "--format", "csv") == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("'=1+1,all,MAP,")
    assert score("--measure", "MAP") == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("=1+1\tall\tMAP\t")


@pytest.mark.parametrize("megabytes", [60, 120, 200])
def test_without_memory_there_is_a_message_and_no_traceback(folder: Path, megabytes: int) -> None:
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({megabytes << 20},) * 2)"
    command = [
        "score",
        "--collection",
        "xml",
        "--assessments",
        "qrels.tsv",
        "--run",
        "mine.run",
        "--measure",
        "MAP",
    ]
    code = f"{limit}; import sys; from focuseval.cli import main; sys.exit(main({command!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "focuseval: not enough memory; give it more" in done.stderr


def test_what_has_no_end_and_what_takes_too_much_is_refused(folder: Path, capsys) -> None:
    assert score("--measure", "MAP", run="/dev/zero") == 1
    assert capsys.readouterr().err.startswith("/dev/zero: cannot be read (a device without an end); ")
    with pytest.raises(SystemExit):
        main(["compare", "a", "b", "--resamples", "100000000"])
    assert "argument --resamples: 100,000,000: expected 1,000,000 at most" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        (lambda: np.empty(1 << 57), " (Unable to allocate 1.00 EiB for an array"),
        (lambda: pa.allocate_buffer(1 << 50), " (malloc of size"),
        (lambda: _raise(OSError("Could not find")), None),
        (lambda: _raise(RuntimeError("can't start new thread")), ";"),
        (lambda: _raise(ImportError("libx.so: failed to map segment from shared object")), ";"),
    ],
)
def test_only_what_lacks_memory_is_told_so(
    folder: Path, capsys, monkeypatch, fails, told: str | None
) -> None:
    monkeypatch.setattr("focuseval.scoring.runs.score_runs", lambda *_, **__: fails())
    assert score("--measure", "MAP") == 1
    written = capsys.readouterr().err
    assert written.startswith(
        "focuseval: Could not find" if told is None else f"focuseval: not enough memory{told}"
    )


def _raise(error: Exception) -> None:
    raise error
