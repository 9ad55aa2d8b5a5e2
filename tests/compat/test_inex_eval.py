"""Parity mode against what INEX's program printed, byte for byte."""

import math
from pathlib import Path

import numpy as np
import pytest

from focuseval.cli import main
from focuseval.compat.inex_eval import TASKS, evaluate, inex_eval, java
from tests import inex_eval_literal

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:tests.test_parity")  # what is told of files

HANDMADE = Path(__file__).parents[1] / "data" / "inex_eval"
OFFICIAL = Path(__file__).parents[3] / "shared" / "data" / "inex2009-official"
TASK = {name[0]: name for name in TASKS if name != "t2i"} | {"i": "t2i"}


def printed(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "official").glob("*.txt"))


def value(text: str, name: str, topic: str = "all") -> float:
    """One number of an output."""
    [number] = [line.split()[2] for line in text.splitlines() if line.split()[:2] == [name, topic]]
    return float(number)


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
    tasks = {
        "articles": "fitr",
        "entry-points": "b",
        "interleaved": "frt",
        "passages": "fitr",
        "sentences": "fitr",
    }
    for output in [f"{name}.{task}.txt" for name, of in tasks.items() for task in of]:
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


QRELS = ["1 Q0 a 29 50 9 2:2 8:16 35:11", "1 Q0 b 100 100 0 0:100"]


def random_files(rng: np.random.Generator, free: bool) -> tuple[list[str], list[str]]:
    """Qrels and a run of a few topics; with ``free`` results overlap and articles are interleaved."""
    qrels, run = [], []
    for topic in range(1, 4):
        lengths = rng.integers(1, 900, size=5)
        for article, length in enumerate(lengths[:4]):
            cuts = np.sort(
                rng.choice(length + 1, size=min(2 * rng.integers(0, 3), length // 2 * 2), replace=False)
            )
            pairs = list(zip(cuts[::2], cuts[1::2], strict=True)) if topic > 1 else []
            size = sum(end - start for start, end in pairs)
            passages = "".join(f" {start}:{end - start}" for start, end in pairs)
            line = f"{topic} Q0 d{article} {size} {length}" + (f" {cuts[0]}{passages}" if pairs else "")
            qrels += [line] * (1 + (rng.random() < 0.2))
        if rng.random() < 0.2:
            continue
        places = []
        for article in rng.permutation(5)[: rng.integers(1, 6)]:
            cuts = np.sort(
                rng.choice(lengths[article] + 1, size=min(4, lengths[article] // 2 * 2), replace=False)
            )
            held = [
                f"d{article} {start} {end - start}" for start, end in zip(cuts[::2], cuts[1::2], strict=True)
            ]
            held += [f"d{article} {lost}" for lost in ("X X", "-1 -1")[: rng.integers(0, 3)]]
            if rng.random() < 0.3:
                held.append(f"d{article} {lengths[article] + rng.integers(1, 99)} {rng.integers(0, 2) * 7}")
            places += [held[at] for at in rng.permutation(len(held))]
        if free:
            places += [f"d{rng.integers(5)} {rng.integers(400)} {rng.integers(400)}" for _ in range(4)]
            places = [places[at] for at in rng.permutation(len(places))]
        run += [
            f"{topic} Q0 {article} {rank} {-rank} me {offset} {length}"
            for rank, (article, offset, length) in enumerate((place.split() for place in places), 1)
        ]
    return qrels, run


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("task", ["thorough", "focused", "relevant-in-context", "t2i"])
def test_literally(tmp_path: Path, task: str, complete: bool) -> None:
    rng = np.random.default_rng(len(task) + complete)
    compared = 0
    for _ in range(10):
        qrels, run = random_files(rng, task == "thorough")
        if not run:
            continue
        files = write(tmp_path / "qrels", qrels), write(tmp_path / "run", run)
        text = inex_eval(task, *files, per_topic=True, complete=complete)
        expected = inex_eval_literal.scores(task, qrels, run, complete)
        assert value(text, "num_q") == len(expected)
        for topic, numbers in expected.items():
            for name, number in numbers.items():
                found = value(text, name, topic)
                assert found == pytest.approx(number, abs=1e-12, nan_ok=True), (name, topic, qrels, run)
                compared += 1
    assert compared > 120


def test_a_topic_in_two_places_is_read_as_one_and_told(tmp_path: Path) -> None:
    qrels = write(tmp_path / "qrels", [*QRELS, "2 Q0 a 10 50 0 0:10"])
    lines = ["1 Q0 b 2 1 me 0 50", "2 Q0 a 1 1 me 0 10", "1 Q0 b 1 1 me 50 50"]
    found = evaluate("f", qrels, write(tmp_path / "run", lines))
    together = evaluate("f", qrels, write(tmp_path / "sorted", sorted(lines)))
    assert found.text.splitlines()[1:] == together.text.splitlines()[1:]
    assert together.notes == []
    assert "run: 1 topic with results in several places of the file; those of a topic" in found.notes[0]
    assert "inex_eval begins such a topic anew" in found.notes[1]
    with pytest.warns(UserWarning) as told:
        inex_eval("f", qrels, str(tmp_path / "run"))
    assert [str(warning.message) for warning in told] == found.notes


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path / "qrels", QRELS)
    write(tmp_path / "run", ["1 Q0 a 1 2 me 0 10", "1 Q0 a 1 2 me 20 10", "1 Q0 b 2 1 me 0 100"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def like(*more: str, run: str = "run") -> int:
    return main(["score", "--like", "inex_eval", "--assessments", "qrels", "--run", run, *more])


@pytest.mark.parametrize(
    ("names", "task"),
    [
        (("T", "Thorough", "THOROUGH"), "thorough"),
        (("f", "focussed", "Focused", "FOCUSSED"), "focused"),
        (
            ("r", "RiC", "Relevant in Context", "RelevantInContext", "relevant_in_context"),
            "relevant-in-context",
        ),
        (("i", "T2I"), "t2i"),
    ],
)
def test_tasks_by_all_their_names(here: Path, capsys, names: tuple[str, ...], task: str) -> None:
    expected = inex_eval(task, "qrels", "run")
    for name in names:
        assert like("--task", name) == 0
        assert capsys.readouterr().out == expected


def test_the_run_is_named_as_it_was_typed(here: Path, capsys) -> None:
    assert like("--task", "t", run="./run") == 0
    assert capsys.readouterr().out.startswith('<eval run-id="me" file="./run">\n')
    (here / "runs").mkdir()
    (here / "run").rename(here / "runs" / "run")
    assert like("--task", "t", run="runs") == 0
    assert capsys.readouterr().out.startswith('<eval run-id="me" file="runs/run">\n')


def test_numbers_as_java_writes_them() -> None:
    written = [0.0, 1.0, 0.25, 0.001, 0.00099, 6.748910739192907e-4, 1e7, 12345678.0, 9999999.5, -0.0005]
    assert java(math.nan) == "NaN"
    assert [java(number) for number in written] == [
        *("0.0", "1.0", "0.25", "0.001", "9.9E-4", "6.748910739192907E-4"),
        *("1.0E7", "1.2345678E7", "9999999.5", "-5.0E-4"),
    ]
