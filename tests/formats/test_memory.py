"""Gold, runs and texts in memory: the same as of files, to the byte, with the same messages."""

import random
import re
import warnings
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import pytrec_eval

import focuseval
from focuseval.api import read_campaign, score, score_campaign
from focuseval.campaign.notices import IRRELEVANT, OUTSIDE
from focuseval.cli import COMMANDS
from focuseval.errors import InputError
from focuseval.formats import memory
from focuseval.formats.parsed import OVERLAPPING
from focuseval.formats.readers import Ranking, read_assessments, read_runs
from focuseval.model.results import Results
from tests.folders import write_files
from tests.measures.test_classical import random_qrels, write_trec
from tests.told import told

MEASURES = ["char_recall", "char_precision@3", "AiP", "MAP", "P(relevant=touches)@2"]


class Stream:
    """An object that has nothing but an Arrow stream, as polars' and DuckDB's tables have one."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def large(table: pa.Table) -> pa.Table:
    """A table with the types that polars has for text."""
    texts = [field.name for field in table.schema if pa.types.is_string(field.type)]
    return table.cast(
        pa.schema([(f.name, pa.string_view() if f.name in texts else f.type) for f in table.schema])
    )


#: the ways to give a table, from a list of dictionaries
WAYS = {
    "frame": pd.DataFrame,
    "categories": lambda rows: pd.DataFrame(rows).astype({"topic": "category", "document": "category"}),
    "floats": lambda rows: pd.DataFrame(rows).astype({"start": float, "end": float}),
    "nullable": lambda rows: pd.DataFrame(rows).convert_dtypes(),
    "small integers": lambda rows: pd.DataFrame(rows).astype({"start": np.uint16, "end": np.int32}),
    "odd index": lambda rows: pd.DataFrame(rows).set_index(pd.Index([7] * len(rows))),
    "arrow": pa.Table.from_pylist,
    "stream": lambda rows: Stream(large(pa.Table.from_pylist(rows))),
    "objects": lambda rows: pd.DataFrame(rows, dtype=object),
    "list": list,
}
#: ways in which a bad value stands as it was given
AS_GIVEN = ("frame", "objects", "list")


def random_rows(draw: random.Random, count: int, scored: bool) -> list[dict[str, Any]]:
    rows = []
    for i in range(count):
        start = draw.randrange(50)
        row = {"topic": draw.choice(["b", "a", "ü"]), "document": draw.choice(["y.md", "x"]), "text": "t" * i}
        rows.append(
            {
                **row,
                "start": start,
                "end": start + draw.randrange(1, 30),
                **({"score": -i / 7} if scored else {}),
            }
        )
    return rows


def columns_of(results: Results) -> list[str]:
    names = ("runs", "topics", "run", "topic", "rank", "document", "element", "start", "end", "score")
    return [repr(np.asarray(getattr(results, name)).tolist()) for name in names]  # NaN is NaN


@pytest.mark.parametrize("way", [way for way in WAYS if way != "objects"])
@pytest.mark.parametrize("scored", [True, False])
def test_tables_and_files_are_the_same(way: str, scored: bool, tmp_path: Path, monkeypatch) -> None:
    draw = random.Random(way)
    gold, run = random_rows(draw, 20, False), random_rows(draw, 40, scored)
    given = {"gold": WAYS[way](gold), "runs": {"mine": WAYS[way](run)}}
    files = {
        **dict(
            zip(
                ("assessments", "runs"),
                write_files(tmp_path, {"gold.jsonl": gold, "mine.jsonl": run}),
                strict=True,
            )
        ),
        "run_format": "chunks",
    }
    from_files = read_campaign(**files)
    with monkeypatch.context() as patched:  # columns, never rows
        patched.setattr("focuseval.formats.chunks.one_by_one", None)
        in_memory = read_campaign(**given)
    assert columns_of(in_memory.results) == columns_of(from_files.results)
    theirs = score_campaign(from_files, MEASURES).per_topic
    ours = score_campaign(in_memory, MEASURES).per_topic
    pd.testing.assert_frame_equal(ours, theirs, check_exact=True)
    assert [note.partition(": ")[2].replace("table", "file") for note in in_memory.notes] == [
        note.partition(": ")[2] for note in from_files.notes
    ]
    raw, of_file = memory.read_gold(given["gold"]), read_assessments(files["assessments"])
    assert raw.passages.drop(columns=["source", "line"]).equals(
        of_file.passages.drop(columns=["source", "line"])
    )
    assert raw.passages["line"].tolist() == [line - 1 for line in of_file.passages["line"]]
    assert (raw.topics, raw.remarks) == (of_file.topics, of_file.remarks)


SPAN = {"topic": "q", "document": "d", "start": 0, "end": 9}


@pytest.mark.parametrize("way", [*WAYS, "file"])
def test_a_span_that_is_judged_0_is_never_gold(way: str, tmp_path: Path) -> None:
    """Nor one below 0, as in TREC qrels; it makes its document one that was judged."""
    run = [SPAN | {"document": name, "score": score} for name, score in (("d", 3), ("e", 2), ("f", 1))]
    relevant, *others = (
        SPAN | {"document": "f", "grade": 2},
        SPAN | {"grade": 0},
        SPAN | {"grade": -1, "end": 3},
    )
    rows = [relevant, *others, SPAN | {"topic": "nothing", "grade": 0}]
    if way == "file":
        read = read_campaign(assessments=write_files(tmp_path, {"gold": rows}), runs={"a": run})
    else:
        read = read_campaign(gold=WAYS[way](rows), runs={"a": run})
    scores = score_campaign(read, ["char_recall", "char_precision", "P(relevant=touches)@2", "span_F1@0.5"])
    found = {name: value for _, topic, name, value in scores.table(per_topic=True) if topic == "q"}
    assert found == pytest.approx(
        {"char_recall": 1, "char_precision": 1 / 3, "P(relevant=touches)@2": 0, "span_F1@0.5": 0.5}
    )
    assert (told(scores.notices, OUTSIDE), told(scores.notices, IRRELEVANT)["char_recall"]) == (
        {"a": 1},
        "nothing",
    )  # only e
    assert [note.partition(": ")[2] for note in read.notes] == [
        "3 passages with a grade of 0 or below; judged, not relevant"
    ]


#: a bad row of gold, or of a run; of others see `SPAN`
BAD: dict[str, dict[str, Any]] = {
    "no topic": {"topic": None},
    "blank topic": {"topic": "  "},
    "topic all": {"topic": "all"},
    "NUL": {"document": "a\0b"},
    "half a pair": {"document": "a\ud800"},
    "number as text": {"start": "0"},
    "truth": {"start": True},
    "fraction": {"start": 0.5},
    "negative": {"start": -1},
    "too large": {"end": 10**15},
    "empty": {"start": 9},
    "no end": {"end": None},
    "not a name": {"document": 1.5},
}
BAD_OF_RUNS: dict[str, dict[str, Any]] = {
    "score of text": {"score": "1"},
    "infinite score": {"score": float("inf")},
    "no score": {"score": None},
    "rising score": {"score": 9.0},
    "no rank": {"rank": None},
    "negative rank": {"rank": -1},
    "rank of half": {"rank": 1.5},
}


#: what pandas does not hold in a column of text
IMPOSSIBLE = [("half a pair", "frame")]


def problems(read: Callable[..., object], *given: object) -> list[str]:
    """What is told, with the numbers of rows as those of lines."""
    with pytest.raises(InputError) as error:
        read(*given)
    told = [f"{problem.where}: {problem.found}; {problem.expected}" for problem in error.value.problems]
    return [re.sub(r"row (\d+)", lambda found: f"line {int(found[1]) + 1}", text) for text in told]


@pytest.mark.parametrize(
    ("case", "way"), [pair for pair in product([*BAD, *BAD_OF_RUNS], AS_GIVEN) if pair not in IMPOSSIBLE]
)
def test_bad_rows_are_told_as_of_files(case: str, way: str, tmp_path: Path) -> None:
    bad = {**BAD, **BAD_OF_RUNS}[case]
    extra = {"rank": 1} if "rank" in bad else {"score": 1.0}
    for of_run in (False, True) if case in BAD else (True,):
        good = {**SPAN, **extra} if of_run else SPAN
        rows = [good, {**good, **bad}, {**good, "start": 3}]
        kept = [{k: v for k, v in row.items() if v is not None} for row in rows]
        path = write_files(tmp_path, {"mine": kept})[0]
        given = WAYS[way](rows)
        if not of_run:
            told = problems(memory.read_gold, given)
            of_file = problems(partial(read_assessments, format="chunks"), path)
        elif case == "topic all":  # of a run it is a topic that is not assessed
            assert len(memory.read_runs({"mine": given}, Ranking())[0][0].frame) == 3
            continue
        else:
            told = problems(memory.read_runs, {"mine": given}, Ranking())
            of_file = problems(partial(read_runs, format="chunks"), path)
            [run], rejected = memory.read_runs({"mine": given}, Ranking(), lenient=True)
            assert len(rejected) == 1 and str(rejected[0]).startswith("run mine, row 1: ")
            assert run.frame["line"].tolist() == [0, 2]
        assert told == of_file


@pytest.mark.parametrize("way", ["list", "frame", "arrow"])
def test_aspects_and_topics_without_gold(way: str, tmp_path: Path) -> None:
    span = {
        "topic": "q",
        "document": "d",
        "start": 0,
        "end": 9,
        "aspects": ("x", "y") if way == "list" else ["x", "y"],
    }
    rows = [span, {**span, "start": 3, "aspects": ["z"]}, {"topic": "r"}]
    raw = memory.read_gold(WAYS[way](rows))
    of_file = read_assessments(write_files(tmp_path, {"gold.jsonl": rows}))
    assert (
        raw.topics == of_file.topics == ["q", "r"]
        and raw.remarks == of_file.remarks
        and raw.remarks[OVERLAPPING] == 1
    )
    assert raw.passages["aspects"].tolist() == of_file.passages["aspects"].tolist() == ["x|y", "z"]
    assert raw.passages["start"].tolist() == [0, 3]


def test_equal_scores_of_a_dictionary_are_ordered_as_by_trec_eval() -> None:
    """Whatever the order of the dictionary; scores are equal in single precision, and a dictionary's never rise."""
    names = {"AP": "map", "nDCG@5": "ndcg_cut_5", "RR": "recip_rank", "P@5": "P_5", "Recall@10": "recall_10"}
    evaluated = {"map", "ndcg_cut.5", "recip_rank", "P.5", "recall.10"}
    values = [0.5, 0.5 + 1e-9, 0.25, 0, -0.0, 1e39, 1e40, -1e-50, 7]
    for seed in range(6):
        draw = random.Random(seed)
        qrels, run = random_qrels(draw, 3)
        renamed = dict(zip((f"d{i}" for i in range(60)), [*"aAzé\uffff\U00010000", *range(54)], strict=True))
        qrels = {t: {str(renamed[d]): g for d, g in judged.items()} for t, judged in qrels.items()}
        run = {t: {str(renamed[d]): float(draw.choice(values)) for d in found} for t, found in run.items()}
        theirs = pytrec_eval.RelevanceEvaluator(qrels, evaluated).evaluate(run)
        turned = {t: dict(draw.sample([*found.items()], len(found))) for t, found in run.items()}
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = score([*names], gold=qrels, runs={"me": run, "turned": turned}, per_topic=True)
        assert not any("rise" in str(one.message) for one in told)
        for ours in focuseval.to_dict(found).values():
            for topic in qrels:
                wanted = {name: theirs[topic][to] for name, to in names.items()}
                assert ours[topic] == pytest.approx(wanted, abs=1e-12)


def test_files_frames_lists_and_dictionaries_of_documents_are_scored_alike(tmp_path: Path) -> None:
    qrels, run = random_qrels(random.Random(5), 3)
    ranked = [(t, d, run[t][d]) for t in run for d in sorted(run[t], key=lambda d, t=t: -run[t][d])]
    judged = [(t, d, g) for t in qrels for d, g in qrels[t].items()]
    gold = pd.DataFrame(judged, columns=["topic", "document", "grade"])
    results = pd.DataFrame(ranked, columns=["topic", "document", "score"])
    numbers = {t: {d: np.int64(g) for d, g in of.items()} for t, of in qrels.items()}
    found = [
        score(["AP", "nDCG@5", "RR"], per_topic=True, **given).sort_values(["topic", "measure"])
        for given in (
            write_trec(tmp_path, qrels, run),
            {"gold": gold, "runs": {"me": results}},
            {"gold": gold.to_dict("records"), "runs": {"me": results.to_dict("records")}},
            {"gold": numbers, "runs": {"me": run}},
        )
    ]
    for other in found[1:]:
        pd.testing.assert_frame_equal(other, found[0], check_exact=True, check_like=True)


def test_the_docs_say_which_commands_are_functions() -> None:
    page = (Path(__file__).parents[2] / "docs/chunks.md").read_text(encoding="utf-8")
    assert "All commands but `init` and `measures` are functions of these names" in page
    assert {*COMMANDS} - {"init", "measures"} == {*COMMANDS} & {*focuseval.__all__}


def test_the_example_of_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "chunks.md").read_text(encoding="utf-8")
    [example] = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "dense" in block]
    found: dict[str, Any] = {}
    exec(example, found)
    scores = focuseval.to_dict(found["scores"])
    assert scores["bm25"]["all"]["char_recall"] == scores["dense"]["all"]["char_recall"] == 1
    assert (
        scores["bm25"]["all"]["RR(relevant=touches)"],
        scores["dense"]["all"]["RR(relevant=touches)"],
    ) == (1, 0.5)
