"""The campaign that ships with the audit: its variety, and the known breaches that it finds."""

from itertools import pairwise, product
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest

import focuseval
from focuseval.auditing.public import embedded
from focuseval.transformations.lists import alone

ROOT = Path(__file__).parents[2]

#: measures and transformations that rarely break what is expected of them
BROKEN = [
    ("span_F1@0.5", "fewer-topics"),
    ("contained_F1@0.5", "fewer-topics"),
    ("word_F1(average=micro)", "fewer-topics"),
    ("iP@0", "children"),
    ("iP@0.1", "children"),
    ("char_precision@2", "swapped"),
    ("char_precision@3", "swapped"),
    ("char_precision@5", "swapped"),
    ("char_precision@10", "swapped"),
    ("span_F1@0.5", "larger"),
    ("contained_F1@0.5", "relevant"),
    ("word_F1", "irrelevant(document=relevant)"),
    ("T2I", "irrelevant(document=relevant)"),
    ("MAP", "irrelevant(document=relevant)"),
]


@pytest.fixture(scope="module")
def findings():
    measures, transformations = (list(dict.fromkeys(names)) for names in zip(*BROKEN, strict=True))
    return focuseval.audit(measures, transformations=transformations).set_index(["measure", "transformation"])


@pytest.mark.parametrize("pair", BROKEN, ids="-".join)
def test_rare_breaches_are_found(findings, pair):
    finding = findings.loc[pair]
    assert finding["verdict"] == "breaks" and 0 < finding["broken"] <= finding["tried"]
    assert finding["example"]


def test_properties_that_hold_were_tried(findings):
    """Lists that change only in their ties once counted as breaches of PASSAGE."""
    verdicts = focuseval.audit(["MAP", "PASSAGE"], transformations=["irrelevant", "swapped"])
    assert verdicts["verdict"].tolist() == ["not broken"] * 4
    tried = verdicts.groupby("transformation")["tried"].min()
    assert tried["irrelevant"] > 400 and tried["swapped"] > 20  # few lists have results that may be swapped


def test_the_embedded_campaign_is_generated_from_its_seeds():
    script = run_path(str(ROOT / "benchmarks/audit_campaign.py"))
    assert (ROOT / "src/focuseval/auditing/campaign.json").read_text() == script["text"](
        *script["campaign"]()
    )


def test_what_measures_stumble_over_meets_in_it():
    topics, results = embedded()
    words = topics[0].collection.words
    texts = words.texts(np.arange(len(topics[0].collection.names)))
    overlap = touch = cut = 0
    for topic in topics:
        spans = sorted(zip(topic.spans.document, topic.spans.start, topic.spans.end, strict=True))
        overlap += any(a[0] == b[0] and b[1] < a[2] for a, b in pairwise(spans))
        touch += any(a[0] == b[0] and b[1] == a[2] for a, b in product(spans, spans))
        cut += any(start and texts[d][start - 1 : start + 1].isalpha() for d, start, _ in spans)
    assert min(overlap, touch, cut) > 5
    barren = [topic.name for topic in topics if not len(topic.element)]
    assert len(barren) == 3 and set(barren) <= set(results.topics[results.topic])
    assert np.count_nonzero(~alone(results)) > 100
