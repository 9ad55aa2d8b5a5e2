import math

import numpy as np
import pandas as pd
import pytest

from focuseval_papers.importers.chroma_chunking import DATA, chunks, questions
from focuseval_papers.publication.claims import CONTRADICTED, HOLDS
from focuseval_papers.publication.paper import Context
from focuseval_papers.smith2024.numbers import (
    CORRECTED,
    COUNTED,
    PAPER,
    PLACED,
    REPRODUCED,
    both,
    by_topic,
    chunkings,
    distances,
    of_chunkings,
    overlap,
    printed_and_computed,
)
from focuseval_papers.workflow import schema
from tests.papers.materials import campaign, printed, spec_of, unknown, verdicts
from tests.papers.public import shared

PRINTED = printed("smith2024")["smith2024"]


def chunking(*spans):
    """Return a chunking of one document: the bounds of chunks, and where a search finds them."""
    table = pd.DataFrame(spans, columns=["start", "end", "found_start", "found_end"])
    about = {"chunking": "TokenText 200/0", "splitter": "TokenText", "size": 200, "overlap": 0}
    return table.assign(**about, document="a", tokens=table["end"] - table["start"])


def test_the_three_forms_by_hand():
    gold = pd.DataFrame([("q", "a", 10, 20)], columns=["topic", "document", "start", "end"])
    # the second chunk is the gold, the first and third touch it; the search finds the second at the fourth's place
    table = chunking((0, 10, 0, 10), (10, 20, 30, 40), (20, 30, 20, 30), (30, 40, 30, 40))
    values = by_topic(gold, table)
    assert values[REPRODUCED].loc["q"].tolist() == [0.0]  # two chunks touch the gold, and none overlaps it
    assert values[PLACED].loc["q"].tolist() == [pytest.approx(100 * 10 / 30)]
    assert values[CORRECTED].loc["q"].tolist() == [100.0]


def test_a_row_for_each_chunking():
    gold = pd.DataFrame([("q", "a", 10, 20), ("r", "a", 0, 5)], columns=["topic", "document", "start", "end"])
    table = chunking((0, 10, 0, 10), (10, 20, 10, 20), (20, 2000, 30, 2010))
    [row] = chunkings(by_topic(gold, table), table, 100, 0).to_dict("records")
    assert (row["chunks"], row["elsewhere"], row["elsewhere_long"]) == (3, 1, 1)
    assert row["mean_size"] == pytest.approx(2000 / 3)
    assert (row[CORRECTED], row[f"{CORRECTED}_sd"]) == (75.0, 25.0)  # the mean and deviation of 100 and 50
    assert np.isnan([row["low"], row["high"]]).all()  # two topics are too few for an interval
    more = pd.concat([gold, *(gold.assign(topic=gold["topic"] + str(n)) for n in range(4))])
    [row] = chunkings(by_topic(more, table), table, 100, 0).to_dict("records")
    assert 50 <= row["low"] < 75 < row["high"] <= 100


def test_a_table_keeps_the_rows_that_cannot_be_made_here():
    gold = pd.DataFrame([("q", "a", 10, 20)], columns=["topic", "document", "start", "end"])
    table = chunking((10, 20, 10, 20))
    computed = chunkings(by_topic(gold, table), table, 100, 0)
    first = printed_and_computed(PRINTED, computed, 1)
    assert len(first) == 13
    assert first["chunking"].tolist()[-1] == "LLM (GPT4o)"
    assert first[REPRODUCED].notna().sum() == 1
    assert distances(first)["mean"] == pytest.approx(100 - 21.0)
    assert math.isnan(distances(first[first["chunking"] == "Kamradt"])["mean"])
    assert both(PRINTED, computed)[["table_1", "table_2"]].to_numpy().tolist() == [[21.0, 19.1]]


def test_overlap_is_counted_once_or_added_up():
    rows = []
    for once, added in COUNTED.values():
        for topic, value in (("q", 0.5), ("r", 1.0)):
            rows.append(("runs", "A 1/0, bm25", topic, spec_of(once).name, value))
            rows.append(("runs", "A 1/0, bm25", topic, spec_of(added).name, value * 1.5))
    scores = pd.DataFrame(rows, columns=["runs", "run", "topic", "name", "value"])
    rows_of_overlap = overlap(scores)
    assert rows_of_overlap["measure"].tolist() == list(COUNTED)
    assert set(rows_of_overlap["chunking"]) == {"A 1/0"} and set(rows_of_overlap["system"]) == {"bm25"}
    assert rows_of_overlap[["once", "added_up", "largest", "above_1"]].drop_duplicates().values.tolist() == [
        [0.75, 1.125, 1.5, 1]
    ]


# the published data


@pytest.fixture(scope="module")
def analysis():
    pytest.importorskip("tiktoken")
    pytest.importorskip("langchain_text_splitters")
    from focuseval.formats.tokenizers import cl100k

    data = shared("chroma-chunking")
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (data / DATA / "corpora").glob("*.md")}
    spans = [
        (str(number), f"{text}.md", start, end)
        for number, (_, references, text) in enumerate(questions(data / DATA / "questions_df.csv"), 1)
        for start, end, _ in references
    ]
    gold = pd.DataFrame(spans, columns=["topic", "document", "start", "end"])
    table = chunks(texts, cl100k(data / "cl100k_base.tiktoken"))
    assert list(table) == schema.CHUNKS.names
    return of_chunkings(gold, table, PRINTED, 100, 0)


def test_table_1_comes_out_to_the_last_digit(analysis):
    rows = analysis["table1"].dropna(subset=[REPRODUCED])
    assert len(rows) == 8
    assert rows[REPRODUCED].round(1).tolist() == rows["printed"].tolist()
    assert rows[f"{REPRODUCED}_sd"].round(1).tolist() == rows["printed_sd"].tolist()


def test_mean_sizes_of_table_1_are_cut_off(analysis):
    rows = analysis["table1"].dropna(subset=["printed_mean_size", "mean_size"])
    assert (
        rows["mean_size"].astype(int).tolist() == rows["printed_mean_size"].tolist() == [661, 312, 276, 137]
    )


def test_no_row_of_table_2_comes_out(analysis):
    rows = analysis["table2"].dropna(subset=[REPRODUCED])
    assert len(rows) == 6
    assert (rows[REPRODUCED].round(1) != rows["printed"]).all()


def test_the_program_misplaces_chunks(analysis):
    row = analysis["chunkings"].set_index("chunking").loc["TokenText 200/0"]
    assert (row["chunks"], row["elsewhere"]) == (1644, 276)
    assert (round(row[REPRODUCED], 2), round(row[CORRECTED], 2)) == (20.98, 21.47)


def test_verdicts(analysis):
    context = Context(campaign(scale="highlights"), PAPER.settings())
    assert unknown(PAPER, analysis, context) == set()
    assert verdicts(PAPER, analysis, context) == {
        "table-1-follows-from-the-data": HOLDS,
        "table-2-follows-from-the-data": CONTRADICTED,
        "the-tables-agree": CONTRADICTED,
        "as-many-queries": CONTRADICTED,
        "first-occurrence-is-the-place": CONTRADICTED,
        "recursive-above-tokentext": HOLDS,
        "smaller-chunks-hold-less-else": HOLDS,
        "overlap-costs": HOLDS,
    }
