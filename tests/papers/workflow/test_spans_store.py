"""Gold spans, words and counts on their way through a campaign's artefacts."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval import score
from focuseval.api import read_campaign, score_campaign
from focuseval.campaign.saved_scores import load_scores, origin_of, save_scores
from focuseval.campaign.settings import Inputs
from focuseval.errors import InputError
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.declaration import COUNTS
from focuseval.model.results import Results
from focuseval.scoring.refusals import refusals
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import load_collection, load_topics
from tests.campaign.alike import plain_topic
from tests.folders import write_files
from tests.papers.materials import leave, scored
from tests.passages import topic_of

TEXTS = {"a.txt": "One small step for\nman, one giant leap.", "b.md": "# Leap\n\nfor  mankind"}
GOLD = [
    {"topic": "q1", "document": "a.txt", "start": 4, "end": 14, "aspects": ["step"]},
    {"topic": "q1", "document": "a.txt", "start": 10, "end": 18},
    {"topic": "q2", "document": "b.md", "start": 8, "end": 9},
    {"topic": "q3"},
]
RUN = [
    {"topic": "q1", "document": "a.txt", "start": 0, "end": 9, "rank": 1},
    {"topic": "q3", "document": "b.md", "start": 0, "end": 6, "rank": 1},
]
NAMES = [
    "word_precision(average=micro)",
    "word_recall(average=micro)",
    "word_F1",
    "span_F1@0.5",
    "char_recall@6c",
]
NO_TEXTS = r"the inputs have no texts of documents; give the documents \(documents=\)"


@pytest.fixture
def folder(tmp_path):
    write_files(tmp_path / "docs", TEXTS)
    write_files(tmp_path, {"gold.jsonl": GOLD, "run.jsonl": RUN})
    return tmp_path


def files(folder):
    return {"assessments": folder / "gold.jsonl", "runs": folder / "run.jsonl", "collection": folder / "docs"}


def test_spans_survive_and_scores_are_the_same(folder):
    campaign = read_campaign(**files(folder))
    scores = score_campaign(campaign, NAMES)
    build_collection(folder / "docs", folder / "collection")
    collection = load_collection(folder / "collection")
    leave(campaign.topics, {"submitted": campaign.results}, collection, folder)
    again = load_topics(folder / "assessments/all", collection)
    assert [plain_topic(topic) for topic in again] == [plain_topic(topic) for topic in campaign.topics]
    runs = RunSet("submitted")
    table, _ = scored(folder, runs, NAMES, texts=folder / "docs")
    schema.write(table, schema.SCORES, folder / "scores.parquet")
    table = schema.read(folder / "scores.parquet", schema.SCORES).to_pandas()
    keys = ["run", "topic", "name"]
    one, two = (
        scored_rows[[*keys, "value", *COUNTS]]
        .astype(dict.fromkeys(keys, str))
        .sort_values(keys, ignore_index=True)
        for scored_rows in (table, scores.per_topic)
    )
    pd.testing.assert_frame_equal(one, two)
    with pytest.raises(InputError, match=NO_TEXTS):
        scored(folder, runs, NAMES)


def test_counts_by_hand(folder):
    """Words: q1 has small, step, for; the run One, small. q2 has `for`, which the run lacks; q3 nothing, for which it
    has `#`, `Leap`... of which characters 0 to 6 touch both.
    """
    values = score(NAMES, per_topic=True, **files(folder)).set_index(["topic", "measure"])["value"]
    assert values["all", "word_precision(average=micro)"] == 1 / 4
    assert values["all", "word_recall(average=micro)"] == 1 / 4
    assert values["q1", "word_F1"] == pytest.approx(2 / 5)
    assert values["q2", "word_F1"] == values["q3", "word_F1"] == 0
    assert values["all", "word_F1"] == pytest.approx(2 / 15)
    assert values["q1", "char_recall@6c"] == 2 / 14
    # Pooled counts are not the mean, and the relevant spans of a missing topic count.
    assert values["all", "span_F1@0.5"] == 0


def test_means_of_saved_counts(folder):
    campaign = read_campaign(**files(folder))
    scores = score_campaign(campaign, NAMES[:1])
    mean = scores.means()
    assert mean[list(COUNTS)].to_numpy().tolist() == [[1, 4, 1, 4]] and mean["value"].item() == 1 / 4
    origin = origin_of(campaign.topics[0].scale, Inputs(assessments=[folder / "gold.jsonl"]))
    save_scores(scores.per_topic, origin, folder / "s")
    table, _ = load_scores(folder / "s")
    assert table["returned"].tolist() == scores.per_topic["returned"].tolist() == [2, 0, 2]


@pytest.mark.parametrize("unit", ["words", "bytes"])
def test_words_and_budgets_count_from_characters(unit):
    topic = topic_of([20], [(0, 2, 9)])
    topic = replace(topic, collection=replace(topic.collection, unit=unit))
    zero = np.zeros(1, dtype=np.int64)
    results = Results(pd.Index(["r"]), pd.Index(["t"]), *[zero] * 6, end=zero + 5, score=zero * 0.0)
    for name in ("word_F1", "char_recall@5c", "char_recall@5w"):
        [refused] = refusals([topic], results, parse_specs(name, MEASURES), {})
        assert "the inputs have no offsets in characters; use" in str(refused.problems[0])
    assert not refusals([topic], results, parse_specs("char_recall", MEASURES), {})


def test_without_documents_words_are_refused_by_name(folder):
    inputs = {name: path for name, path in files(folder).items() if name != "collection"}
    for name in ("word_F1", "char_recall@5w"):
        with pytest.raises(InputError, match=NO_TEXTS):
            score([name], **inputs)
    assert len(score(["char_recall@5c", "span_F1@0.5"], **inputs)) == 2
