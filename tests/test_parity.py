"""Parity mode against what INEX's program printed, byte for byte."""

from pathlib import Path

import pytest

from focuseval.errors import InputError
from focuseval.parity import TASKS, inex_eval, java

HANDMADE = Path(__file__).parent / "data" / "inex_eval"
OFFICIAL = Path(__file__).parents[2] / "shared" / "data" / "inex2009-official"
TASK = {name[0]: name for name in TASKS if name != "t2i"} | {"i": "t2i"}


def printed(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "official").glob("*.txt"))


@pytest.mark.parametrize("output", printed(HANDMADE))
def test_handmade_case(output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HANDMADE)
    name, task, _ = output.split(".")
    found = inex_eval(TASK[task], "tiny.qrels", f"{name}.run", per_topic=True)
    assert found == Path("official", output).read_text()


def test_all_outputs_of_the_handmade_case_are_compared() -> None:
    assert len(printed(HANDMADE)) == 7


def test_official_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    if not OFFICIAL.exists():
        pytest.skip("../shared/data/inex2009-official is not there")
    monkeypatch.chdir(OFFICIAL)
    outputs = [name for name in printed(OFFICIAL) if not name.startswith("tiny")]
    assert len(outputs) == 16
    for output in outputs:
        name, task, _ = output.split(".")
        found = inex_eval(TASK[task], "qrels.fol.txt", f"{name}.run", per_topic=True)
        assert found == Path("official", output).read_text(), output


def test_without_topics_the_means_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HANDMADE)
    lines = Path("official", "tiny.r.txt").read_text().splitlines()
    means = [line for line in lines if line.startswith(("<", "num_q")) or "\tall\t" in line]
    assert inex_eval("relevant-in-context", "tiny.qrels", "tiny.run").splitlines() == means


def test_beta_and_n(monkeypatch: pytest.MonkeyPatch) -> None:
    """gP[1] of topic 2009069: P = 1087/1500, R = 1, so F1 = 2174/2587; a point 100 characters off."""
    monkeypatch.chdir(HANDMADE)
    text = inex_eval("relevant-in-context", "tiny.qrels", "tiny.run", per_topic=True, beta=1)
    [value] = [line.split()[2] for line in text.splitlines() if line.startswith("gP[1]\t\t2009069")]
    assert float(value) == pytest.approx(2174 / 2587)
    text = inex_eval("best-in-context", "tiny.qrels", "tiny_bic.run", per_topic=True, n=200)
    assert "gP[1]\t\t2009069\t0.5\n" in text


def write(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def test_refusals_name_the_first_bad_line(tmp_path: Path) -> None:
    qrels = write(tmp_path / "qrels", ["1 Q0 a 5 20 0 0:5", "2 Q0 b 5 20 0 0:5"])
    run = write(
        tmp_path / "run",
        [
            "1 Q0 a 1 3 me 0 4",
            "2 Q0 b 1 3 me 0 4",
            "2 Q0 b 2 2 me 3 4",
            "1 Q0 c 2 2 me 0 9",
            "1 Q0 a 3 1 me 5 4",
        ],
    )
    overlap = f"ERROR *** ({run}) passage overlaps with previously retrieved passages in topic 2\t"
    assert inex_eval("focused", qrels, run) == overlap + "article id: b\tin line: 3\n"
    assert inex_eval("t2i", qrels, run) == overlap + "article id: b\tin line: 3\n"
    assert inex_eval("best-in-context", qrels, run) == (
        f"ERROR *** ({run}) multiple results from single article in topic 2\tarticle id: b\tin line: 3\n"
    )
    assert inex_eval("thorough", qrels, run).startswith("<eval")


def test_bad_lines_are_all_named(tmp_path: Path) -> None:
    qrels = write(tmp_path / "qrels", ["1 Q0 a 5 20 0 0:5", "1 Q0 b 5 20 0 0:4", "1 Q0 b"])
    with pytest.raises(InputError) as error:
        inex_eval("focused", qrels, write(tmp_path / "run", []))
    assert [problem.where for problem in error.value.problems] == ["line 2", "line 3"]
    qrels = write(tmp_path / "qrels", ["1 Q0 a 5 20 0 0:5"])
    good = [f"1 Q0 a {rank} 3 me {10 * rank} 4" for rank in range(1, 5)]
    run = write(tmp_path / "run", ["1 Q0 a 1 3 me 0", *good, "1 Q0 a 1 3 me 0 -4", "1 Q0 a 1 3 me X"])
    with pytest.raises(InputError) as error:
        inex_eval("focused", qrels, run)
    assert [problem.where for problem in error.value.problems] == ["line 1", "line 6", "line 7"]


def test_topics_that_are_not_assessed_are_left_out(tmp_path: Path) -> None:
    qrels = write(tmp_path / "qrels", ["1 Q0 a 5 20 0 0:5", "1 Q0 b 0 30"])
    run = write(tmp_path / "run", ["7 Q0 a 1 3 me 0 4", "7 Q0 a 2 2 me 0 4", "1 Q0 a 1 3 me 0 4"])
    assert "num_q\t\tall\t1\nnum_ret\t\tall\t1\n" in inex_eval("focused", qrels, run)
    with pytest.raises(InputError, match="no topic that is assessed"):
        inex_eval("focused", qrels, write(tmp_path / "run", ["7 Q0 a 1 3 me 0 4"]))


def test_numbers_as_java_writes_them() -> None:
    written = [0.0, 1.0, 0.25, 0.001, 0.00099, 6.748910739192907e-4, 1e7, 12345678.0, 9999999.5, -0.0005]
    assert [java(number) for number in written] == [
        *("0.0", "1.0", "0.25", "0.001", "9.9E-4", "6.748910739192907E-4"),
        *("1.0E7", "1.2345678E7", "9999999.5", "-5.0E-4"),
    ]
