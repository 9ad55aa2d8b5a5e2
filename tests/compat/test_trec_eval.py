"""trec_eval's rules and its output: against pytrec_eval, and against a literal second implementation of its rules."""

import json
import math
import random

import numpy as np
import pytest
import pytrec_eval

import focuseval
from focuseval.cli import main
from focuseval.compat.trec_eval import measures_of
from focuseval.errors import InputError

RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TREC_MEASURES = (
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "Rprec",
    "bpref",
    "recip_rank",
    "P",
    "recall",
    "ndcg",
    "ndcg_cut",
)
TREC_MEASURES += ("map_cut", "success")
#: our names by those of trec_eval, in the order of its output
NAMES = {"num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet", "map": "AP", "Rprec": "Rprec"}
NAMES |= {"bpref": "bpref", "recip_rank": "RR"}
for theirs, ours in (("P", "P"), ("recall", "Recall")):
    NAMES |= {f"{theirs}_{k}": f"{ours}@{k}" for k in RANKS}
NAMES |= (
    {"ndcg": "nDCG"}
    | {f"ndcg_cut_{k}": f"nDCG@{k}" for k in RANKS}
    | {f"map_cut_{k}": f"AP@{k}" for k in RANKS}
)
NAMES |= {f"success_{k}": f"Success@{k}" for k in (1, 5, 10)}


def campaign(seed, topics, runs, results):
    """Return qrels and runs: grades from -2 to 3, one topic without a positive grade, tied scores, missing topics."""
    draw = random.Random(seed)
    names = [f"{draw.choice('abXY-.é')}{i}" for i in range(results * 3 // 2)]
    qrels = {
        str(t): {
            d: draw.choice([-2, -1, 0, 0, 0, 0, 1, 1, 2, 3])
            for d in draw.sample(names, draw.choice([9, 99, 400]))
        }
        | {draw.choice(names): draw.choice([0, 1])}
        for t in range(1, topics + 1)
    }
    qrels["7"] = dict.fromkeys(names[:20], 0)

    def score():
        return round(draw.gauss(0, 1), draw.choice([0, 1, 2])) + draw.choice([0, 1e-9])

    runs_drawn = {
        f"r{k}": {t: {d: score() for d in draw.sample(names, results)} for t in qrels if draw.random() < 0.9}
        for k in range(runs)
    }
    return qrels, runs_drawn


def literal(judged, retrieved):
    """Compute the values of trec_eval for one topic by its rules."""
    ranked = sorted(retrieved, key=lambda d: (float(np.float32(retrieved[d])), d.encode()), reverse=True)
    grades = [judged.get(d, -1) for d in ranked]
    R, N = sum(g > 0 for g in judged.values()), sum(g == 0 for g in judged.values())
    hits = [i for i, grade in enumerate(grades, 1) if grade > 0]
    ideal = sorted((g for g in judged.values() if g > 0), reverse=True)

    def ap(k):
        return sum(n / i for n, i in enumerate(hits, 1) if i <= k) / R if R else 0.0

    def dcg(gains, k):
        return sum(g / math.log2(i + 1) for i, g in enumerate(gains, 1) if g > 0 and i <= k)

    def ndcg(k):
        return dcg(grades, k) / dcg(ideal, k) if R else 0.0

    preferred = [min(grades[: i - 1].count(0), R) for i in hits]
    values = {
        "num_ret": len(grades),
        "num_rel": R,
        "num_rel_ret": len(hits),
        "map": ap(math.inf),
        "ndcg": ndcg(math.inf),
    }
    values |= {
        "Rprec": sum(i <= R for i in hits) / R if R else 0.0,
        "recip_rank": 1 / hits[0] if hits else 0.0,
    }
    values["bpref"] = sum(1 - n / min(N, R) if n else 1 for n in preferred) / R if R else 0.0
    for k in RANKS:
        top = sum(i <= k for i in hits)
        values |= {
            f"P_{k}": top / k,
            f"recall_{k}": top / R if R else 0.0,
            f"ndcg_cut_{k}": ndcg(k),
            f"map_cut_{k}": ap(k),
        }
    return values | {f"success_{k}": float(any(i <= k for i in hits)) for k in (1, 5, 10)}


def lines(name, topic, value):
    return f"{name:<22}\t{topic}\t" + (f"{value:.0f}\n" if name.startswith("num") else f"{value:6.4f}\n")


def output(qrels, values, *, complete):
    """Yield trec_eval's lines for each topic of a run, then for all; with ``-c`` missing topics count too."""
    for topic in sorted(values):
        yield from (lines(name, topic, values[topic][name]) for name in NAMES)
    for name in NAMES:
        total = 0.0
        for topic in sorted(values):
            total += values[topic][name]
        if name == "num_rel" and complete:
            total = sum(grade > 0 for judged in qrels.values() for grade in judged.values())
        yield lines(name, "all", total if name[:3] == "num" else total / len(qrels if complete else values))


def write(folder, qrels, runs):
    """Write files whose lines are in random order and whose ranks have no meaning."""
    draw = random.Random(1)
    (folder / "qrels").write_text(
        "".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items())
    )
    for name, run in runs.items():
        rows = [
            f"{t} Q0 {d} {draw.randrange(9)} {s!r} {name}\n" for t, of in run.items() for d, s in of.items()
        ]
        draw.shuffle(rows)
        (folder / f"{name}.run").write_text("".join(rows))


@pytest.mark.filterwarnings("ignore::focuseval.errors.InputWarning")
def test_every_topic_is_that_of_pytrec_eval_to_the_last_digit(tmp_path):
    qrels, runs = campaign(1, 16, 3, 1000)
    write(tmp_path, qrels, runs)
    files = {"assessments": tmp_path / "qrels", "runs": [tmp_path / f"{name}.run" for name in runs]}
    turned = {name: {t: dict(reversed(of.items())) for t, of in run.items()} for name, run in runs.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_MEASURES))
    expected = {name: evaluator.evaluate(run) for name, run in runs.items()}
    for inputs in ({"gold": qrels, "runs": runs}, {"gold": qrels, "runs": turned}, files):
        scores = focuseval.score(list(NAMES.values()), rules="trec_eval", per_topic=True, **inputs)
        scores_of_runs = focuseval.to_dict(scores)
        for name, topics in expected.items():
            assert scores_of_runs[name].keys() - {"all"} == topics.keys() and "7" in topics
            for topic, values in topics.items():
                assert {t: scores_of_runs[name][topic][ours] for t, ours in NAMES.items()} == values, (
                    name,
                    topic,
                )


@pytest.mark.parametrize("complete", [False, True])
def test_the_output_is_that_of_literal_rules(complete, tmp_path, capsys):
    qrels, runs = campaign(2, 9, 2, 400)
    write(tmp_path, qrels, runs)
    options = [part for name in reversed(TREC_MEASURES) for part in ("--measure", name)]
    for name, run in runs.items():
        values = {topic: literal(qrels[topic], of) for topic, of in run.items()}
        command = ["score", "--like", "trec_eval", "-q", *options, "--assessments", str(tmp_path / "qrels")]
        assert main([*command, str(tmp_path / f"{name}.run"), *(["-c"] if complete else [])]) == 0
        assert capsys.readouterr().out == "".join(output(qrels, values, complete=complete))


def command_on(folder):
    return f"score --like trec_eval --assessments {folder}/qrels {folder}/run".split()


def test_a_small_list_by_hand(tmp_path, capsys):
    """The scores of b, c and d are equal in single precision, so names decide: d, c, b; ranks have no effect.

    The second topic has nothing relevant, and the third is missing.
    """
    (tmp_path / "qrels").write_text("10 0 b 1\n10 0 d 0\n10 0 x 2\n9 0 a 0\n11 0 a 1\n11 0 b 1\n")
    (tmp_path / "run").write_text(
        "9 Q0 a 1 3 r\n10 Q0 b 1 2 r\n10 Q0 c 9 2 r\n10 Q0 d 2 2.00000001 r\n8 Q0 a 1 1 r\n"
    )
    command = command_on(tmp_path)
    options = ["--measure", "P.5,2", "--measure", "AP", "--measure", "num_rel", "--measure", "bpref"]
    assert main([*command, *options, "-q"]) == 0
    assert capsys.readouterr().out == (
        "num_rel               \t10\t2\nmap                   \t10\t0.1667\nbpref                 \t10\t0.0000\n"
        "P_2                   \t10\t0.0000\nP_5                   \t10\t0.2000\n"
        "num_rel               \t9\t0\nmap                   \t9\t0.0000\nbpref                 \t9\t0.0000\n"
        "P_2                   \t9\t0.0000\nP_5                   \t9\t0.0000\n"
        "num_rel               \tall\t2\nmap                   \tall\t0.0833\nbpref                 \tall\t0.0000\n"
        "P_2                   \tall\t0.0000\nP_5                   \tall\t0.1000\n"
    )
    assert main([*command, *options, "-c"]) == 0
    assert "num_rel               \tall\t4\nmap                   \tall\t0.0556\n" in capsys.readouterr().out
    # with -q -c, version 10.0 prints the third topic, version 9.0 does not
    assert main([*command, "--measure", "map", "--measure", "num_rel", "-q", "-c"]) == 0
    of_9 = capsys.readouterr().out.splitlines()
    command[2] = "trec_eval-10.0"
    assert main([*command, "--measure", "map", "--measure", "num_rel", "-q", "-c"]) == 0
    of_10 = capsys.readouterr().out.splitlines()
    assert of_10 == [
        *of_9[:2],
        "num_rel               \t11\t2",
        "map                   \t11\t0.0000",
        *of_9[2:],
    ]
    assert main([*command, "--measure", "map", "-q"]) == 0
    assert "\t11\t" not in (plain := capsys.readouterr().out)
    # version 10.0 skips comments; 9.0 refuses them, or takes four words for a judgement
    for name, comment in (("qrels", "# judged by A"), ("run", "# of two systems")):
        (tmp_path / name).write_text(f"{comment}\n{(tmp_path / name).read_text()}")
    assert main([*command, "--measure", "map", "-q"]) == 0
    assert capsys.readouterr().out == plain
    command[2] = "trec_eval"
    assert main([*command, "--measure", "map", "-q"]) == 2
    assert (
        "run: 1 line begins with #; remove the comments, which trec_eval 9.0 does not skip"
        in capsys.readouterr().err
    )
    ours = ["score", "--rules", "trec_eval", "--assessments", str(tmp_path / "qrels"), str(tmp_path / "run")]
    for topics, mean in (([], 1 / 12), (["--topics", "assessed"], 1 / 18)):
        assert main([*ours, *topics, "--measure", "map", "--format", "json"]) == 0
        [row] = json.loads(capsys.readouterr().out)
        assert (row["measure"], row["value"]) == ("map", pytest.approx(mean, abs=1e-15))


def test_what_is_not_trec_eval_s_is_refused(tmp_path, capsys):
    for name in ("P(rel=2)@5", "Judged@5", "char_recall"):
        with pytest.raises(
            InputError, match=r"not in trec_eval 9.0 or 10.0; expected one of num_ret, .*success"
        ):
            measures_of([name])
    with pytest.raises(InputError, match="leave rank_by out, because rules=trec_eval sets the order"):
        focuseval.score("AP", gold={}, runs={}, rules="trec_eval", rank_by="order")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2 r\n1 Q0 a 2 1 r\n")
    command = command_on(tmp_path)
    assert main([*command, "--measure", "map"]) == 2
    assert (
        "run r: the run repeats documents of a topic, but trec_eval expects each document once; remove"
        in capsys.readouterr().err
    )
    assert main([*command, "--measure", "map", "--task", "thorough"]) == 2
    assert "the option has no effect with --like trec_eval" in capsys.readouterr().err
    (tmp_path / "run").write_text("1 Q0 a 1 2 r\n")
    assert main([*command, "--measure", "P@5"]) == 0
    assert capsys.readouterr().out == "P_5                   \tall\t0.2000\n"


def test_a_campaign_that_was_read_keeps_its_rules():
    inputs = {"gold": {"1": {"a": 1}, "2": {"a": 0}}, "runs": {"r": {"1": {"a": 1.0}, "2": {"a": 1.0}}}}
    read = focuseval.read_campaign(**inputs, rules="trec_eval")
    assert focuseval.score_campaign(read, "AP").means()["value"].tolist() == [0.5]
    assert focuseval.score_campaign(focuseval.read_campaign(**inputs), "AP").means()["value"].tolist() == [
        1.0
    ]
