"""Public functions besides `score` and `compare`: values, display, and registration."""

import subprocess
import sys
from dataclasses import replace

import pandas as pd
import pytest

import focuseval
from focuseval.cli import main
from focuseval.errors import InputError
from tests.packages import installed_package

TOPICS = [f"q{i}" for i in range(8)]
GOLD = [{"topic": topic, "document": "d", "start": 0, "end": 10} for topic in TOPICS]
BEST = {"best": GOLD}
POOR = {"poor": [{**one, "start": 5, "end": 15} for one in GOLD]}
CHUNKS = [{"document": "d", "start": start, "end": start + 10} for start in range(0, 40, 10)]


def test_a_gate_in_python_reports_like_the_command(tmp_path, capsys):
    verdict = focuseval.gate("char_recall", runs=POOR, baseline=BEST, gold=GOLD)
    assert verdict.worse and verdict.found == {"char_recall": "worse"}
    assert len(verdict.topics["char_recall"]) == 8 and verdict.to_frame()["verdict"].tolist() == ["worse"]
    assert not focuseval.gate("char_recall", runs=BEST, baseline=POOR, gold=GOLD, test="randomisation").worse
    assert repr(verdict).startswith("poor against best: worse") and "<table>" in verdict._repr_html_()
    for name, rows in {"gold": GOLD, **BEST, **POOR}.items():
        more = {} if name == "gold" else {"score": 1}
        pd.DataFrame(rows).assign(**more).to_json(tmp_path / f"{name}.jsonl", orient="records", lines=True)
    files = {name: tmp_path / f"{name}.jsonl" for name in ("gold", "best", "poor")}
    both = {"runs": files["poor"], "baseline": files["best"]}
    of_files = focuseval.gate("char_recall", **both, assessments=files["gold"])
    for gold in (files["gold"], [str(files["gold"])]):
        assert focuseval.gate("char_recall", **both, gold=gold).to_text() == of_files.to_text()
    inputs = ["--assessments", str(files["gold"]), "--measure", "char_recall"]
    assert main(["gate", "--baseline", str(files["best"]), "--run", str(files["poor"]), *inputs]) == 1
    assert capsys.readouterr().out == of_files.to_text()
    saved = tmp_path / "best.parquet"
    assert main(["score", *inputs, "--run", str(files["best"]), "--save", str(saved)]) == 0
    for run in (files["poor"], POOR):
        kept = focuseval.gate("char_recall", runs=run, baseline=saved, assessments=str(files["gold"]))
        assert kept.found == verdict.found


def test_limits_of_chunks_in_memory():
    chunks = {"ten": pd.DataFrame(CHUNKS), "again": [*CHUNKS, CHUNKS[0]]}
    ceilings = focuseval.ceiling(chunks, at=["1", "5c"], gold=GOLD, texts={"d": "x" * 40})
    assert ceilings.to_frame()["recall@5c"].tolist() == [0.5, 0.5]
    assert len(ceilings.to_frame(per_topic=True)) == 2 * 9
    assert ceilings.notes == [
        "again: 1 of 5 chunks repeats an earlier chunk (same document, start and end) and is ignored; the first is in row 4"
    ]
    assert "best recall at 1 chunk" in repr(ceilings) and ceilings._repr_html_().count("<table>") == 1


def test_problems_of_inputs_in_memory_and_in_files(tmp_path):
    assert focuseval.check(runs=BEST, gold=GOLD).ok
    texts = {"d": "x" * 8}
    examination = focuseval.check(runs=BEST, gold=GOLD, texts=texts, measures=["char_recall", "AiPP"])
    assert not examination.ok and len(examination.to_frame()) == len(set(examination.problems))
    assert {"did you mean 'AiP'?" in str(problem) for problem in examination.problems} == {True, False}
    assert "together: " in repr(examination) and examination._repr_html_().startswith("<pre>Gold: ")
    (tmp_path / "gold.jsonl").write_text('{"topic": "1", "document": "a", "start": 9, "end": 7}\n')
    alone = focuseval.check(tmp_path / "gold.jsonl")
    assert [problem.where for problem in alone.problems] == ["line 1"]
    for name in ("assessments", "gold"):
        assert focuseval.check(**{name: tmp_path / "gold.jsonl"}).problems == alone.problems


SWEEP = {
    f"sizes/size={size}_overlap={overlap}": [{**one, "end": end} for one in GOLD]
    for size, overlap, end in ((200, 0, 5), (1000, 0, 10), (400, 50, 8), (200, 50, 6), (400, 0, 7))
}


def test_a_sweep_has_means_by_its_settings_and_a_curve():
    inputs = {"gold": GOLD, "baseline": "best", "runs": {**BEST, **SWEEP}}
    compared = focuseval.compare(["char_recall", "AiP"], by=["size", "overlap"], **inputs)
    sweep = compared.sweep
    assert sweep.columns.tolist() == ["measure", "size", "overlap", "run", "mean", "low", "high"]
    of_recall = sweep[sweep["measure"] == "char_recall"]
    assert of_recall[["size", "overlap", "mean"]].to_numpy().tolist() == [
        [200, 0, 0.5],
        [200, 50, 0.6],
        [400, 0, 0.7],
        [400, 50, 0.8],
        [1000, 0, 1.0],
    ]
    assert "measure size overlap run mean" in " ".join(repr(compared).split())
    assert '<th class="number">size</th>' in compared._repr_html_()
    figure = compared.curve()
    assert [ax.get_title() for ax in figure.axes] == ["char_recall", "AiP"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "overlap 0",
        "overlap 50",
    ]
    settings = {run: {"model": run[-2:]} for run in SWEEP}
    assert focuseval.compare("AiP", by=settings, **inputs).sweep["model"].tolist() == [
        *("50", "50", "=0", "=0", "=0")
    ]


@pytest.mark.parametrize(
    ("run", "size"),
    [
        ("a-size=400-overlap=50", "400"),
        ("size=0.5.jsonl", "0.5"),
        ("size=-1", "-1"),
        ("chunks(size=400)", "400"),
        ("size=small_x", "small"),
        ("size=3b", "3b"),
        ("resize=400", None),
        ("size400", None),
    ],
)
def test_names_of_runs_say_settings(run, size):
    from focuseval.comparing.sweep import _setting_in

    assert _setting_in("size", run) == size


def test_a_measure_is_registered_once_under_its_name():
    mine = replace(focuseval.MEASURES["char_recall"], name="mine")
    try:
        focuseval.register(mine)
        focuseval.register(mine)  # as in a notebook whose cell runs again
        assert focuseval.score("mine", runs=BEST, gold=GOLD)["value"].tolist() == [1]
        with pytest.raises(focuseval.InputError, match="the name 'mine' is in use; choose another name"):
            focuseval.register(replace(mine, summary="another"))
    finally:
        focuseval.MEASURES.pop("mine", None)


def test_the_package_of_the_documentation_adds_a_measure_and_a_format(tmp_path):
    package = installed_package(tmp_path / "site")
    (tmp_path / "gold.jsonl").write_text('{"topic": "1", "document": "a", "start": 0, "end": 9}\n')
    (tmp_path / "answers.run").write_text("1 1 b 2 0 9 me\n1 2 a 1 0 9 me\n")
    command = ["score", "--assessments", "gold.jsonl", "--run", "answers.run", "--measure", "first_gold"]
    code = f"import sys; sys.path.insert(0, {str(package.parent)!r}); from focuseval.cli import main; sys.exit(main({command}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "run\ttopic\tmeasure\tvalue\nme\tall\tfirst_gold\t0.5\n", done.stderr
    (package / "first_gold.py").write_text("import there_is_no_such_module\n")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (
        "my_measures.first_gold:MEASURE cannot be used (No module named 'there_is_no_such_module'"
        in done.stderr
    )
    assert "the measure 'first_gold' is unknown" in done.stderr


def test_a_number_may_name_a_baseline_and_other_values_are_refused():
    run = POOR["poor"]
    comparison = focuseval.compare("char_recall", gold=GOLD, runs={7: run, 8: GOLD}, baseline=7)
    assert comparison.pairs["baseline"].tolist() == ["7"]
    for measures, runs in ((5, {"a": run}), ([None], {"a": run}), ("char_recall", None)):
        with pytest.raises(InputError):
            focuseval.score(measures, gold=GOLD, runs=runs)
