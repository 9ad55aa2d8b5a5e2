"""Gold, runs and texts in memory give the same results and messages as files, to the byte."""

import json
import random
import re
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import pytrec_eval

import focuseval
from focuseval.api import read_campaign, score, score_campaign
from focuseval.campaign.notices import IRRELEVANT, OUTSIDE
from focuseval.cli import COMMANDS
from focuseval.errors import InputError, InputWarning
from focuseval.formats import memory
from focuseval.formats.parsed import OVERLAPPING
from focuseval.formats.readers import read_assessments, read_runs
from focuseval.model.results import Ranking
from tests.affected import affected
from tests.folders import write_files

MEASURES = ["char_recall", "char_precision@3", "AiP", "MAP", "P(relevant=touches)@2"]


FRAMES_OF_TOOLS = {
    "ir_measures": ("query_id", "doc_id", "relevance", "query_id", "doc_id", "score"),
    "PyTerrier": ("qid", "docno", "label", "qid", "docno", "score"),
    "ranx": ("q_id", "doc_id", "score", "q_id", "doc_id", "score"),
}


@pytest.mark.parametrize("tool", FRAMES_OF_TOOLS)
def test_frames_of_other_tools_are_read_as_they_are(tool):
    names = FRAMES_OF_TOOLS[tool]
    judged = pd.DataFrame([("1", "a", 1), ("1", "b", 0), ("2", "a", 2)], columns=names[:3])
    results = pd.DataFrame([("1", "b", 9.5), ("1", "a", 10.5), ("2", "c", 1.0)], columns=names[3:])
    with pytest.warns(InputWarning) as caught:
        scores = score("RR", per_topic=True, gold=judged, runs={"r": results})
    assert scores["value"].tolist() == [1.0, 0.0, 0.5]  # by hand: a is first of topic 1 by its score
    messages = [str(one.message) for one in caught]
    keys = ("topic", "document", "grade")
    *first, last = (f"column {name!r} is read as {key}" for name, key in zip(names, keys, strict=False))
    read_as = f"{', '.join(first)} and {last}"
    assert f"gold: {read_as}; if this is wrong, rename the columns" in messages
    if tool == "PyTerrier":  # results of PyTerrier also have numbers of documents, ranks from 0 and queries
        results = results.assign(docid=[7, 8, 9], rank=[1, 0, 0], query="what")
        with pytest.warns(
            InputWarning, match="run r: column 'qid' is read as topic and column 'docno' is read as document;"
        ):
            again = score("RR", per_topic=True, gold=judged, runs={"r": results})
        pd.testing.assert_frame_equal(scores, again)


def test_unread_columns_are_reported_in_gold_and_refused_in_runs_without_ranks():
    gold = [{"topic": "q", "document": "a", "start": 0, "end": 9, "label": "person", "query": "who"}]
    run = [{**gold[0], "similarity": share, "rank": 1, "end": end} for share, end in ((0.1, 3), (0.9, 6))]
    with pytest.warns(InputWarning) as caught:
        assert score("char_recall@1", gold=gold, runs={"r": run})["value"].tolist() == [1 / 3]
    assert [str(one.message) for one in caught] == [
        'gold: the key "label" is ignored; this key is not part of gold'
    ]
    unranked = [{key: value for key, value in row.items() if key != "rank"} for row in run]
    problem = 'run r, row 1: the key "similarity" is unknown; did you mean "score"'
    with pytest.raises(InputError, match=re.escape(problem)):
        score("char_recall@1", gold=gold, runs={"r": pd.DataFrame(unranked)})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"start": 0, "end": 3, "relevance": 0}, 'the key "relevance" is unknown; did you mean "grade"?'),
        ({"start": 0, "end": 3, "Grade": 2}, 'the key "Grade" is unknown; did you mean "grade"?'),
        ({"start": 0, "end": 3, "aspect": "cost"}, 'the key "aspect" is unknown; did you mean "aspects"?'),
        ({"start": 0, "end": 3, "group_id": 7}, 'the key "group_id" is unknown; did you mean "group"?'),
        ({"path": "/article[1]"}, 'the key "path" is unknown; give "start" and "end", or leave the key out'),
        ({"grade": 1, "page": 3}, 'the key "page" is unknown; give "start" and "end", or leave the key out'),
    ],
)
def test_keys_that_resemble_others_get_a_suggestion(row, message, tmp_path):
    first, second = {"topic": "q", "document": "a"}, {"topic": "p", "document": "a", **row}
    first |= {key: row[key] for key in ("start", "end", "grade") if key in row}
    run = {"r": [{"topic": "q", "document": "a", "start": 0, "end": 3}]}
    (file := tmp_path / "gold.jsonl").write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    (table := tmp_path / "gold.csv").write_text(pd.DataFrame([first, second]).to_csv(index=False))
    for gold, place in (
        ({"gold": [first, second]}, "gold, row 1"),
        ({"gold": pd.DataFrame([first, second])}, "gold, row 1"),
        ({"assessments": file}, f"{file}, line 2"),
        ({"assessments": table}, f"{table}, line 3"),
    ):
        with pytest.raises(InputError, match=re.escape(f"{place}: {message}")):
            score("P@1", runs=run, **gold)


def test_ambiguous_columns_are_not_read():
    gold = [{"topic": "q", "doc_id": "a", "passage_id": "p", "relevance": 1}]
    with pytest.raises(InputError, match=r'no column "document", only topic, doc_id, passage_id, relevance;'):
        score("RR", gold=gold, runs={"r": [{"topic": "q", "document": "a"}]})


class Stream:
    """An object with nothing but an Arrow stream, like the tables of polars and DuckDB."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def large(table):
    """Return a table with polars' types for text."""
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
#: forms of input that keep a bad value unchanged
UNCHANGED = ("frame", "objects", "list")


def random_rows(draw, count, scored):
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


def lines(path, rows):
    (written,) = write_files(path.parent, {path.name: rows})
    return written


def columns_of(results):
    names = ("runs", "topics", "run", "topic", "rank", "document", "element", "start", "end", "score")
    return [repr(np.asarray(getattr(results, name)).tolist()) for name in names]  # as text, NaN equals NaN


@pytest.mark.parametrize("way", [way for way in WAYS if way != "objects"])
@pytest.mark.parametrize("scored", [True, False])
def test_tables_and_files_are_the_same(way, scored, tmp_path, monkeypatch):
    draw = random.Random(way)
    gold, run = random_rows(draw, 20, False), random_rows(draw, 40, scored)
    inputs = {"gold": WAYS[way](gold), "runs": {"mine": WAYS[way](run)}}
    files = {
        "assessments": lines(tmp_path / "gold.jsonl", gold),
        "runs": lines(tmp_path / "mine.jsonl", run),
        "run_format": "chunks",
    }
    from_files = read_campaign(**files)
    with monkeypatch.context() as patched:  # the reader uses columns, never rows
        patched.setattr("focuseval.formats.chunks.one_by_one", None)
        in_memory = read_campaign(**inputs)
    assert columns_of(in_memory.results) == columns_of(from_files.results)
    theirs = score_campaign(from_files, MEASURES).per_topic
    ours = score_campaign(in_memory, MEASURES).per_topic
    pd.testing.assert_frame_equal(ours, theirs, check_exact=True)
    assert [note.partition(": ")[2].replace("table", "file") for note in in_memory.notes] == [
        note.partition(": ")[2] for note in from_files.notes
    ]
    raw, of_file = memory.read_gold(inputs["gold"]), read_assessments(files["assessments"])
    assert raw.passages.drop(columns=["source", "line"]).equals(
        of_file.passages.drop(columns=["source", "line"])
    )
    assert raw.passages["line"].tolist() == [line - 1 for line in of_file.passages["line"]]
    assert (raw.topics, raw.deviations) == (of_file.topics, of_file.deviations)


SPAN = {"topic": "q", "document": "d", "start": 0, "end": 9}


@pytest.mark.parametrize("way", [*WAYS, "file"])
def test_a_span_judged_0_or_less_is_not_gold_and_its_document_is_judged(way, tmp_path):
    run = [SPAN | {"document": name, "score": score} for name, score in (("d", 3), ("e", 2), ("f", 1))]
    relevant, *irrelevant = (
        SPAN | {"document": "f", "grade": 2},
        SPAN | {"grade": 0},
        SPAN | {"grade": -1, "end": 3},
    )
    rows = [relevant, *irrelevant, SPAN | {"topic": "nothing", "grade": 0}]
    if way == "file":
        read = read_campaign(assessments=lines(tmp_path / "gold", rows), runs={"a": run})
    else:
        read = read_campaign(gold=WAYS[way](rows), runs={"a": run})
    scores = score_campaign(read, ["char_recall", "char_precision", "P(relevant=touches)@2", "span_F1@0.5"])
    values_of_q = {name: value for _, topic, name, value in scores.table(per_topic=True) if topic == "q"}
    assert values_of_q == pytest.approx(
        {"char_recall": 1, "char_precision": 1 / 3, "P(relevant=touches)@2": 0, "span_F1@0.5": 0.5}
    )
    assert (affected(scores.notices, OUTSIDE), affected(scores.notices, IRRELEVANT)["char_recall"]) == (
        {"a": 1},
        "nothing",
    )  # only document e was not judged
    assert [note.partition(": ")[2] for note in read.notes] == [
        "3 passages have a grade of 0 or below; such passages count as judged but not relevant"
    ]


#: a bad value for each kind of problem in a row of gold or of a run
BAD = {
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
BAD_OF_RUNS = {
    "score of text": {"score": "1"},
    "infinite score": {"score": float("inf")},
    "no score": {"score": None},
    "rising score": {"score": 9.0},
    "no rank": {"rank": None},
    "negative rank": {"rank": -1},
    "rank of half": {"rank": 1.5},
}


#: values that a column of text in pandas cannot hold
IMPOSSIBLE = [("half a pair", "frame")]


def problems(call):
    with pytest.raises(InputError) as error:
        call()
    return [(problem.where, problem.found, problem.expected) for problem in error.value.problems]


def as_in_a_file(problems):
    """Return problems with line numbers in place of row numbers."""
    words = {f"row {i}": f"line {i + 1}" for i in range(9)}
    return [tuple(replaced(text, words) for text in problem) for problem in problems]


def replaced(text, words):
    for old, new in words.items():
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("case", "way"), [pair for pair in product([*BAD, *BAD_OF_RUNS], UNCHANGED) if pair not in IMPOSSIBLE]
)
def test_bad_rows_are_reported_like_lines_of_files(case, way, tmp_path):
    bad = {**BAD, **BAD_OF_RUNS}[case]
    extra = {"rank": 1} if "rank" in bad else {"score": 1.0}
    for of_run in (False, True) if case in BAD else (True,):
        good = {**SPAN, **extra} if of_run else SPAN
        rows = [good, {**good, **bad}, {**good, "start": 3}]
        path = lines(tmp_path / "mine", [{k: v for k, v in row.items() if v is not None} for row in rows])
        value = WAYS[way](rows)
        if not of_run:
            refusals = problems(lambda value=value: memory.read_gold(value))
            assert refusals[0][0] == "row 1"
            of_file = problems(lambda path=path: read_assessments(path, format="chunks"))
        elif case == "topic all":  # in a run, this is a topic that is not assessed
            assert len(memory.read_runs({"mine": value}, Ranking())[0][0].frame) == 3
            continue
        else:
            refusals = problems(lambda value=value: memory.read_runs({"mine": value}, Ranking()))
            of_file = problems(lambda path=path: read_runs(path, format="chunks"))
            [run], rejected = memory.read_runs({"mine": value}, Ranking(), lenient=True)
            assert len(rejected) == 1 and str(rejected[0]).startswith("run mine, row 1: ")
            assert run.frame["line"].tolist() == [0, 2]
        assert as_in_a_file(refusals) == of_file


@pytest.mark.parametrize("mark", [{"score": 1.5}, {"rank": 1}])
def test_gold_may_be_a_list_of_results_whether_runs_are_or_not(mark):
    ranked = [{**SPAN, **mark}]
    for gold, runs in (
        ([SPAN], {"a": ranked}),
        ([SPAN], {"a": [SPAN]}),
        (ranked, {"a": [SPAN], "b": ranked}),
        (ranked, {"a": {SPAN["topic"]: {SPAN["document"]: 1.0}}}),
    ):
        assert score(["MAP"], gold=gold, runs=runs)["value"].tolist() == [1.0] * len(runs)


@pytest.mark.parametrize("way", ["list", "frame", "arrow"])
def test_aspects_and_topics_without_gold(way, tmp_path):
    span = {
        "topic": "q",
        "document": "d",
        "start": 0,
        "end": 9,
        "aspects": ("x", "y") if way == "list" else ["x", "y"],
    }
    rows = [span, {**span, "start": 3, "aspects": ["z"]}, {"topic": "r"}]
    raw = memory.read_gold(WAYS[way](rows))
    of_file = read_assessments(lines(tmp_path / "gold.jsonl", rows))
    assert (
        raw.topics == of_file.topics == ["q", "r"]
        and raw.deviations == of_file.deviations
        and raw.deviations[OVERLAPPING] == 1
    )
    assert raw.passages["aspects"].tolist() == of_file.passages["aspects"].tolist() == ["x|y", "z"]
    assert raw.passages["start"].tolist() == [0, 3]


def random_documents(draw):
    names = [f"d{i}" for i in range(30)]
    qrels = {t: {d: draw.choice([-1, 0, 1, 2]) for d in draw.sample(names, 12)} for t in ("q1", "q2", "q3")}
    run = {t: {d: draw.random() for d in draw.sample(names, 20)} for t in ("q3", "q1", "q2")}
    return qrels, run


def test_equal_scores_of_a_dictionary_are_ordered_as_by_trec_eval():
    """Scores are equal in single precision; the order of the dictionary does not matter."""
    names = {"AP": "map", "nDCG@5": "ndcg_cut_5", "RR": "recip_rank", "P@5": "P_5", "Recall@10": "recall_10"}
    evaluated = {"map", "ndcg_cut.5", "recip_rank", "P.5", "recall.10"}
    values = [0.5, 0.5 + 1e-9, 0.25, 0, -0.0, 1e39, 1e40, -1e-50, 7]
    for seed in range(6):
        draw = random.Random(seed)
        qrels, run = random_documents(draw)
        renamed = dict(zip((f"d{i}" for i in range(30)), [*"aAzé\uffff\U00010000", *range(24)], strict=True))
        qrels = {t: {str(renamed[d]): g for d, g in judged.items()} for t, judged in qrels.items()}
        run = {t: {str(renamed[d]): float(draw.choice(values)) for d in scores} for t, scores in run.items()}
        theirs = pytrec_eval.RelevanceEvaluator(qrels, evaluated).evaluate(run)
        turned = {t: dict(draw.sample([*scores.items()], len(scores))) for t, scores in run.items()}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scores = score([*names], gold=qrels, runs={"me": run, "turned": turned}, per_topic=True)
        assert not any("rise" in str(one.message) for one in caught)
        for ours in focuseval.to_dict(scores).values():
            for topic in qrels:
                expected = {name: theirs[topic][to] for name, to in names.items()}
                assert ours[topic] == pytest.approx(expected, abs=1e-12)


def test_files_frames_lists_and_dictionaries_of_documents_are_scored_alike(tmp_path):
    qrels, run = random_documents(random.Random(5))
    ranked = [(t, d, run[t][d]) for t in run for d in sorted(run[t], key=lambda d, t=t: -run[t][d])]
    judged = [(t, d, g) for t in qrels for d, g in qrels[t].items()]
    (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, d, g in judged))
    (tmp_path / "run").write_text("".join(f"{t} Q0 {d} {i} {s!r} me\n" for i, (t, d, s) in enumerate(ranked)))
    gold, results = (
        pd.DataFrame(rows, columns=["topic", "document", name])
        for name, rows in (("grade", judged), ("score", ranked))
    )
    tables = [
        score(["AP", "nDCG@5", "RR"], per_topic=True, **inputs).sort_values(["topic", "measure"])
        for inputs in (
            {"assessments": tmp_path / "qrels", "runs": tmp_path / "run"},
            {"gold": gold, "runs": {"me": results}},
            {"gold": gold.to_dict("records"), "runs": {"me": results.to_dict("records")}},
            {
                "gold": {t: {d: np.int64(g) for d, g in j.items()} for t, j in qrels.items()},
                "runs": {"me": run},
            },
        )
    ]
    for other in tables[1:]:
        pd.testing.assert_frame_equal(other, tables[0], check_exact=True, check_like=True)


def test_a_dictionary_names_topics_without_documents_and_ties_are_ordered_by_name():
    raw = memory.read_gold({"q1": {"a": 1}, 2: {}})
    assert raw.topics == ["q1", "2"]
    [run], _ = memory.read_runs({"me": {"q1": {"b": 1, "a": 2, "c": 1}}}, Ranking())
    assert run.frame["document"].tolist() == ["a", "c", "b"] and run.frame["rank"].tolist() == [1, 2, 3]
    [tied], _ = memory.read_runs({"me": {"q1": {"b": 1, "a": 2, "c": 1}}}, Ranking(None, True))
    assert tied.frame["rank"].tolist() == [1, 2, 2]
    [in_order], _ = memory.read_runs({"me": {"q1": {"b": 1, "a": 2}}}, Ranking("order"))
    assert in_order.frame["document"].tolist() == ["b", "a"]


def test_texts_are_the_collection_of_a_folder(tmp_path):
    texts = {"a.md": "# One\n\nText é here.\n\n## Two\n\nMore.\n", "sub/b.txt": "Plain.\n\nText.\n"}
    write_files(tmp_path, texts)
    gold = [{"topic": "q", "document": "a.md", "start": 7, "end": 20}]
    runs = {
        "me": [
            {"topic": "q", "document": "a.md", "start": 0, "end": 20},
            {**gold[0], "document": "sub/b.txt", "end": 8},
        ]
    }
    folder = read_campaign(gold=gold, runs=runs, documents=tmp_path)
    in_memory = read_campaign(gold=gold, runs=runs, documents=texts)
    mine, other = in_memory.topics[0].collection, folder.topics[0].collection
    for name in ("names", "first", "parent", "last", "depth", "tag", "tags", "position", "start", "end"):
        assert list(getattr(mine, name)) == list(getattr(other, name)), name
    scores = [score_campaign(c, ["T2I", "AiP"]).per_topic for c in (in_memory, folder)]
    pd.testing.assert_frame_equal(*scores, check_exact=True)


def test_the_docs_say_which_commands_are_functions():
    words = (Path(__file__).parents[2] / "docs/chunks.md").read_text(encoding="utf-8").split()
    assert "Every command except `init` and `measures` has a Python function of the same name." in " ".join(
        words
    )
    assert {*COMMANDS} - {"init", "measures"} == {*COMMANDS} & {*focuseval.__all__}


def test_the_example_of_the_docs():
    text = (Path(__file__).parents[2] / "docs" / "chunks.md").read_text(encoding="utf-8")
    [example] = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "dense" in block]
    namespace = {}
    exec(example, namespace)
    scores = focuseval.to_dict(namespace["scores"])
    assert scores["bm25"]["all"]["char_recall"] == scores["dense"]["all"]["char_recall"] == 1
    assert (
        scores["bm25"]["all"]["RR(relevant=touches)"],
        scores["dense"]["all"]["RR(relevant=touches)"],
    ) == (1, 0.5)


def test_a_frame_that_is_not_in_the_order_of_scores_is_reported_unlike_a_dictionary():
    rows = [{"topic": "q", "document": f"d{i}", "score": i / 8} for i in range(3)]
    gold = {"q": {"d0": 1}}
    frame = read_campaign(gold=gold, runs={"mine": pd.DataFrame(rows)}, rank_by="score")
    assert any("ranked by score, highest first" in note and "distances" in note for note in frame.notes)
    scores = {"q": {row["document"]: row["score"] for row in rows}}
    assert (
        read_campaign(gold=gold, runs={"mine": scores}).notes == []
    )  # the order of a dictionary has no meaning


def test_texts_in_memory_have_words(tmp_path):
    texts = {"a.md": "Hello big world.", "b.md": "Another, of more words.", "c.md": "A, b, c, d and e."}
    write_files(tmp_path / "docs", texts)
    gold = [{"topic": "q", "document": "a.md", "start": 6, "end": 15}]
    run = {"x": [{"topic": "q", "document": name, "start": 0, "end": 9, "score": 1} for name in texts]}
    names = ["word_recall", "word_precision", "span_F1@0.5"]
    from_files = score(names, gold=gold, runs=run, collection=tmp_path / "docs")
    for collection in (texts, dict(reversed(texts.items()))):
        pd.testing.assert_frame_equal(score(names, gold=gold, runs=run, texts=collection), from_files)
    assert 0 < from_files["value"].iloc[0] < 1
    assert from_files["value"].iloc[1] < 1
