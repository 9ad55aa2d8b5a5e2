"""Parity mode against the output of INEX's program, byte for byte."""

import math
from pathlib import Path

import numpy as np
import pytest

from focuseval.cli import main
from focuseval.compat.inex_eval import TASKS, evaluate, inex_eval, java
from tests import inex_eval_literal

HANDMADE = Path(__file__).parents[1] / "data" / "inex_eval"
OFFICIAL = Path(__file__).parents[3] / "shared" / "data" / "inex2009-official"
TASK = {name[0]: name for name in TASKS if name != "t2i"} | {"i": "t2i"}


def printed(folder):
    return sorted(path.name for path in (folder / "official").glob("*.txt"))


def value(text, name, topic="all"):
    """One number of an output."""
    [number] = [line.split()[2] for line in text.splitlines() if line.split()[:2] == [name, topic]]
    return float(number)


@pytest.mark.parametrize("output", printed(HANDMADE))
def test_handmade_case(output, monkeypatch):
    monkeypatch.chdir(HANDMADE)
    name, task, _ = output.split(".")
    actual = inex_eval(TASK[task], "tiny.qrels", f"{name}.run", per_topic=True)
    assert actual == Path("official", output).read_text()


def test_all_outputs_of_the_handmade_case_are_compared():
    assert len(printed(HANDMADE)) == 7


def test_official_outputs(monkeypatch):
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
        actual = inex_eval(TASK[task], "qrels.fol.txt", f"{name}.run", per_topic=True)
        assert actual == Path("official", output).read_text(), output


def test_without_topics_the_means_remain(monkeypatch):
    monkeypatch.chdir(HANDMADE)
    lines = Path("official", "tiny.r.txt").read_text().splitlines()
    means = [line for line in lines if line.startswith(("<", "num_q")) or "\tall\t" in line]
    assert inex_eval("relevant-in-context", "tiny.qrels", "tiny.run").splitlines() == means


def test_beta_and_n(monkeypatch):
    """gP[1] of topic 2009069: P = 1087/1500, R = 1, F1 = 2174/2587; its entry point is 100 characters away."""
    monkeypatch.chdir(HANDMADE)
    text = inex_eval("relevant-in-context", "tiny.qrels", "tiny.run", per_topic=True, beta=1)
    [value] = [line.split()[2] for line in text.splitlines() if line.startswith("gP[1]\t\t2009069")]
    assert float(value) == pytest.approx(2174 / 2587)
    text = inex_eval("best-in-context", "tiny.qrels", "tiny_bic.run", per_topic=True, n=200)
    assert "gP[1]\t\t2009069\t0.5\n" in text


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def test_refusals_name_the_first_bad_line(tmp_path):
    qrels = write(tmp_path / "qrels", ["1 Q0 a 5 20 0 0:5", "2 Q0 b 5 20 0 0:5"])
    run = write(
        tmp_path / "run",
        [
            "1 Q0 a 1 3 me 0 4",
            "1 Q0 c 2 2 me 0 9",
            "2 Q0 b 1 3 me 0 4",
            "2 Q0 b 2 2 me 3 4",
        ],
    )
    overlap = f"ERROR *** ({run}) passage overlaps with previously retrieved passages in topic 2\t"
    assert inex_eval("focused", qrels, run) == overlap + "article id: b\tin line: 4\n"
    assert inex_eval("t2i", qrels, run) == overlap + "article id: b\tin line: 4\n"
    assert inex_eval("best-in-context", qrels, run) == (
        f"ERROR *** ({run}) multiple results from single article in topic 2\tarticle id: b\tin line: 4\n"
    )
    assert inex_eval("thorough", qrels, run).startswith("<eval")


def test_topics_that_are_not_assessed_are_left_out(tmp_path):
    qrels = write(tmp_path / "qrels", ["1 Q0 a 5 20 0 0:5", "1 Q0 b 0 30"])
    run = write(tmp_path / "run", ["7 Q0 a 1 3 me 0 4", "7 Q0 a 2 2 me 0 4", "1 Q0 a 1 3 me 0 4"])
    assert "num_q\t\tall\t1\nnum_ret\t\tall\t1\n" in inex_eval("focused", qrels, run)


QRELS = ["1 Q0 a 29 50 9 2:2 8:16 35:11", "1 Q0 b 100 100 0 0:100"]


@pytest.mark.parametrize("place", ["-1 -1", "X X", "-1 18"])
@pytest.mark.parametrize(
    ("task", "mean", "expected", "ret_size"),
    [
        # without a place in a, only b is read: precision 1 up to recall 100/129
        ("thorough", "MAiP", 78 / 101, 100),
        ("focused", "MAiP", 78 / 101 * 100 / 118, 118),
        # the reader starts at the top of a and reads all of it: 29 of 50
        ("t2i", "MAgP", (29 / 50 + (29 / 50 + 1) / 2) / 2, 118),
        ("relevant-in-context", "MAgP", (0 + 1 / 2) / 2, 118),
    ],
)
def test_what_is_not_found_in_a_relevant_article(tmp_path, place, task, mean, expected, ret_size):
    qrels = write(tmp_path / "qrels", QRELS)
    text = inex_eval(task, qrels, write(tmp_path / "run", [f"1 Q0 a 1 2 me {place}", "1 Q0 b 2 1 me 0 100"]))
    assert value(text, mean) == pytest.approx(expected, abs=1e-15)
    assert value(text, "ret_size") == ret_size
    assert (value(text, "num_ret"), value(text, "num_rel_ret")) == (2, 2)


@pytest.mark.parametrize(
    ("places", "ret_size"),
    [
        (["5 5", "-1 -1", "-1 -1"], 41),
        (["X X", "5 5", "-1 -1"], 41),
        (["5 0", "X X"], 18),
        (["-1 -1", "X X"], 36),
        (["5 5", "-1 -1"], 23),
    ],
)
def test_t2i_charges_unresolved_results_and_reads_none_of_them(tmp_path, places, ret_size):
    qrels = write(tmp_path / "qrels", QRELS)
    run = write(tmp_path / "run", [f"1 Q0 a 1 1 me {place}" for place in places])
    text = inex_eval("t2i", qrels, run)
    assert value(text, "ret_size") == ret_size
    assert value(text, "gP[1]") == 29 / 50
    resolved = sum(int(place.split()[1]) for place in places if place[0] == "5")
    assert value(inex_eval("thorough", qrels, run), "ret_size") == resolved


@pytest.mark.parametrize("length", [0, 3])
def test_t2i_reads_on_to_a_passage_beyond_the_end_of_the_article(tmp_path, length):
    """Article b has 100 relevant characters; 45 more precede the passage, which is read as well."""
    qrels = write(tmp_path / "qrels", [*QRELS, "1 Q0 c 100 100 0 0:100"])
    places = [f"b 145 {length}", "c 0 100", "d 0 9", "e 0 9", "f 0 9"]
    run = write(tmp_path / "run", [f"1 Q0 {place.replace(' ', ' 1 1 me ', 1)}" for place in places])
    text = inex_eval("t2i", qrels, run)
    assert value(text, "gP[5]") == pytest.approx((100 / (145 + length) + 1) / 5, abs=1e-15)
    assert value(text, "ret_size") == 127 + length


@pytest.mark.parametrize("task", ["thorough", "focused", "t2i", "relevant-in-context"])
def test_an_unknown_place_outside_relevant_articles_is_18_characters(tmp_path, task):
    qrels = write(tmp_path / "qrels", QRELS)
    run = write(tmp_path / "run", ["1 Q0 c 1 2 me -1 -1", "1 Q0 c 1 2 me X X", "1 Q0 b 2 1 me 0 100"])
    assert value(inex_eval(task, qrels, run), "ret_size") == 136


def test_an_empty_passage_of_the_qrels_is_worth_nothing(tmp_path):
    with_empty = [QRELS[0] + " 9:0 50:0", QRELS[1], "1 Q0 c 0 40", "1 Q0 d 0 40 3 3:0"]
    one, two = write(tmp_path / "one", with_empty), write(tmp_path / "two", [*QRELS, "1 Q0 c 0 40"])
    run = write(tmp_path / "run", ["1 Q0 d 1 3 me 0 9", "1 Q0 a 1 2 me 0 30", "1 Q0 b 2 1 me 0 100"])
    for task in TASKS:
        evaluation = evaluate(task, one, run, per_topic=True)
        assert evaluation.text == evaluate(task, two, run, per_topic=True).text
        expected = f"{one}: 3 passages have length 0; empty passages add nothing to the score"
        assert evaluation.notes == [expected]


@pytest.mark.parametrize("task", ["focused", "relevant-in-context", "t2i"])
@pytest.mark.parametrize(("first", "then"), [("0 9", "5 0"), ("5 0", "0 9"), ("0 9", "0 0")])
def test_an_empty_result_inside_another_is_an_overlap(tmp_path, task, first, then):
    qrels = write(tmp_path / "qrels", QRELS)
    run = write(tmp_path / "run", [f"1 Q0 a 1 2 me {first}", f"1 Q0 a 2 1 me {then}"])
    assert inex_eval(task, qrels, run) == (
        f"ERROR *** ({run}) passage overlaps with previously retrieved passages in topic 1\t"
        "article id: a\tin line: 2\n"
    )
    apart = write(tmp_path / "apart", ["1 Q0 a 1 2 me 0 9", "1 Q0 a 2 1 me 9 0", "1 Q0 a 3 0 me 9 4"])
    before = write(tmp_path / "before", ["1 Q0 a 1 2 me 0 9", "1 Q0 a 2 1 me 12 0", "1 Q0 a 3 0 me 9 3"])
    assert evaluate(task, qrels, apart).refused
    assert not evaluate(task, qrels, before).refused


def test_a_repeated_line_of_the_qrels_counts_twice(tmp_path):
    qrels = write(tmp_path / "qrels", [*QRELS, QRELS[1]])
    run = write(tmp_path / "run", ["1 Q0 b 2 1 me 0 100"])
    thorough = evaluate("t", qrels, run)
    assert [value(thorough.text, n) for n in ("num_rel", "rel_size", "rel_ret_size")] == [3, 229, 100]
    assert value(thorough.text, "char_rec") == 100 / 229
    assert value(inex_eval("t2i", qrels, write(tmp_path / "run", ["1 Q0 b 2 1 me 0 100"])), "MAgP") == 1 / 3
    [note] = thorough.notes
    assert note.startswith(f"{qrels}: 1 line is repeated and counted twice")


def test_a_topic_without_relevant_text_counts(tmp_path):
    """The topic's recall is 0/0; its precision is 0, and so is its interpolated precision."""
    qrels = write(tmp_path / "qrels", [*QRELS, "2 Q0 a 0 50"])
    run = write(tmp_path / "run", ["1 Q0 b 2 1 me 0 100", "2 Q0 a 1 1 me 0 10"])
    for task in TASKS:
        evaluation = evaluate(task, qrels, run, per_topic=True)
        assert value(evaluation.text, "num_q") == 2
        assert "recall is NaN" in evaluation.notes[0] and evaluation.notes[0].endswith(
            "without relevant text (2)"
        )
        if task in ("thorough", "focused"):
            assert value(evaluation.text, "MAiP") == pytest.approx(78 / 101 / 2)
            assert math.isnan(value(evaluation.text, "char_rec")) and "art_rec\t\t2\tNaN\n" in evaluation.text
        else:
            assert "AgP\t\t2\tNaN\n" in evaluation.text and math.isnan(value(evaluation.text, "MAgP"))
            assert value(evaluation.text, "gP[1]") == 0.5 and math.isnan(value(evaluation.text, "gR[1]"))
    alone = write(tmp_path / "alone", ["1 Q0 b 2 1 me 0 100"])
    assert not math.isnan(value(inex_eval("r", qrels, alone), "MAgP"))
    assert math.isnan(value(inex_eval("r", qrels, alone, complete=True), "MAgP"))


def test_complete_is_the_mean_over_the_topics_of_the_qrels(tmp_path):
    qrels = write(tmp_path / "qrels", [*QRELS, "2 Q0 a 10 50 0 0:10"])
    run = write(tmp_path / "run", ["1 Q0 b 2 1 me 0 100"])
    for task in TASKS:
        name = "MAiP" if task in ("thorough", "focused") else "MAgP"
        own, all_topics = inex_eval(task, qrels, run), inex_eval(task, qrels, run, complete=True)
        assert (value(own, "num_q"), value(all_topics, "num_q")) == (1, 2)
        assert value(all_topics, name) == value(own, name) / 2 > 0
        assert (value(all_topics, "num_rel"), value(all_topics, "rel_size")) == (3, 139)
    text = inex_eval("r", qrels, run, complete=True, per_topic=True)
    assert "num_ret\t\t2\t0\nnum_rel\t\t2\t1\n" in text and "gP[50]\t\t2\t0.0\n" in text


def random_files(rng, free):
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
def test_literally(tmp_path, task, complete):
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
                printed_number = value(text, name, topic)
                assert printed_number == pytest.approx(number, abs=1e-12, nan_ok=True), (
                    name,
                    topic,
                    qrels,
                    run,
                )
                compared += 1
    assert compared > 120


def test_a_topic_in_two_places_is_read_as_one_and_reported(tmp_path):
    qrels = write(tmp_path / "qrels", [*QRELS, "2 Q0 a 10 50 0 0:10"])
    lines = ["1 Q0 b 2 1 me 0 50", "2 Q0 a 1 1 me 0 10", "1 Q0 b 1 1 me 50 50"]
    evaluation = evaluate("f", qrels, write(tmp_path / "run", lines))
    together = evaluate("f", qrels, write(tmp_path / "sorted", sorted(lines)))
    assert evaluation.text.splitlines()[1:] == together.text.splitlines()[1:]
    assert together.notes == []
    assert (
        "run: 1 topic has results in several parts of the file; the results of a topic" in evaluation.notes[0]
    )
    assert "inex_eval scores each of these parts as a new topic" in evaluation.notes[1]
    with pytest.warns(UserWarning) as caught:
        inex_eval("f", qrels, str(tmp_path / "run"))
    assert [str(warning.message) for warning in caught] == evaluation.notes


@pytest.fixture
def qrels_and_run(tmp_path, monkeypatch):
    write(tmp_path / "qrels", QRELS)
    write(tmp_path / "run", ["1 Q0 a 1 2 me 0 10", "1 Q0 a 1 2 me 20 10", "1 Q0 b 2 1 me 0 100"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def like(*more, run="run"):
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
def test_tasks_by_all_their_names(qrels_and_run, capsys, names, task):
    expected = inex_eval(task, "qrels", "run")
    for name in names:
        assert like("--task", name) == 0
        assert capsys.readouterr().out == expected


def test_the_run_is_named_as_it_was_typed(qrels_and_run, capsys):
    assert like("--task", "t", run="./run") == 0
    assert capsys.readouterr().out.startswith('<eval run-id="me" file="./run">\n')
    (qrels_and_run / "runs").mkdir()
    (qrels_and_run / "run").rename(qrels_and_run / "runs" / "run")
    assert like("--task", "t", run="runs") == 0
    assert capsys.readouterr().out.startswith('<eval run-id="me" file="runs/run">\n')


def test_a_refused_run_has_status_1_and_does_not_stop_the_others(qrels_and_run, capsys):
    write(qrels_and_run / "bad", ["1 Q0 a 1 2 me 0 10", "1 Q0 a 1 2 me 5 10"])
    assert like("--task", "f", "--run", "bad", "--output", "out") == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "rejects 1 of 2 runs" in captured.err
    first, second = inex_eval("f", "qrels", "run"), inex_eval("f", "qrels", "bad")
    assert second.startswith("ERROR ***") and (qrels_and_run / "out").read_text() == first + second
    assert like("--task", "t", run="bad") == 0


def test_numbers_as_java_writes_them():
    written = [0.0, 1.0, 0.25, 0.001, 0.00099, 6.748910739192907e-4, 1e7, 12345678.0, 9999999.5, -0.0005]
    assert java(math.nan) == "NaN"
    assert [java(number) for number in written] == [
        *("0.0", "1.0", "0.25", "0.001", "9.9E-4", "6.748910739192907E-4"),
        *("1.0E7", "1.2345678E7", "9999999.5", "-5.0E-4"),
    ]
