"""Recski et al. (2026): the published table to its last digit, and its gaps."""

import json
from itertools import product

import numpy as np
import pytest

from focuseval_papers.publication.claims import HOLDS, UNDECIDED
from focuseval_papers.publication.paper import Context
from focuseval_papers.recski2026.numbers import CLASSIFIER, PAPER, PUBLISHED
from focuseval_papers.workflow.configuration import read_campaign_file
from tests.papers import materials
from tests.papers.importers.test_acl_verbatim import published
from tests.papers.public import ROOT, material, seen_by_papers, shared

PRINTED = materials.printed("recski2026")["recski2026"]
CAMPAIGN = read_campaign_file(ROOT / "config/campaigns/acl-verbatim.yaml")
CONTEXT = Context(seen_by_papers(CAMPAIGN), PAPER.settings())

QUERIES = {
    "first": {("A", 1): ("one two three four five six seven", ["two three"]), ("B", 2): ("one two", [])},
    "second": {
        ("A", 1): ("one two three four five six seven", []),
        ("C", 3): ("alpha beta gamma", ["beta gamma"]),
    },
    "third": {("D", 4): ("x y z", [])},
}
#: of query 1, "two three" and a letter of "four", and both words of B; "alpha beta" of C; nothing of query 3
SPANS = {
    ("first", ("A", 1)): [(4, 15)],
    ("first", ("B", 2)): [(0, 7)],
    ("second", ("C", 3)): [(0, 10)],
}


@pytest.fixture(scope="module")
def analysis(tmp_path_factory):
    """Analyse systems that return the same spans, except for the first, which returns the gold spans."""
    folder = tmp_path_factory.mktemp("recski2026")
    files = published(folder / "files", QUERIES, SPANS)
    path = files / "artifacts/eval/gold_extraction/mistral-small-2603.json"
    document = json.loads(path.read_text())
    gold = {"first": [{"start": 4, "end": 13}], "second": [{"start": 6, "end": 16}]}
    for record in document["records"]:
        marked = (record["query"], record["paper_id"]) in {("first", "A"), ("second", "C")}
        record["predicted_spans"] = gold[record["query"]] if marked else []
    path.write_text(json.dumps(document))
    return PAPER.analyse(material(PAPER, CAMPAIGN.name, files, folder))


def test_counts_are_added_up_before_they_are_divided(analysis):
    """By hand: 3 of 7 returned words are gold (two three; beta), of 4 gold words."""
    table = analysis["extraction"].pivot(index="system", columns="measure", values="reproduced")
    assert table.loc["GLM-5"].to_dict() == pytest.approx(
        {
            "word_precision": 3 / 7,
            "word_recall": 3 / 4,
            "word_F1": 2 * (3 / 7) * (3 / 4) / (3 / 7 + 3 / 4),
            "span_F1@0.5": 2 / 5,  # IoU: 9 of 11 characters of the first gold span, 4 of 16 of the other
            "contained_F1@1": 0.0,
            "gold_coverage@0.8": 1 / 2,
            "any_overlap": 1.0,
            "over_prediction": 3 / 2,
        }
    )
    perfect = table.loc["Mistral Small 2603"]
    assert set(perfect) == {1.0}
    assert list(analysis["extraction"]["measure"][:8]) == list(PUBLISHED)
    assert list(analysis["extraction"]["system"].unique()) == list(PRINTED["system"].unique())


def test_intervals_resample_queries_with_their_counts(analysis):
    """Three queries have 27 draws: the interval of F1 is over all of them; the table has none."""
    counts = np.array([[2, 5, 2], [1, 2, 2], [0, 0, 0]])  # right, returned, relevant words by query
    drawn = np.array([counts[list(draw)].sum(axis=0) for draw in product(range(3), repeat=3)])
    f1 = np.divide(2 * drawn[:, 0], drawn[:, 1] + drawn[:, 2], out=np.zeros(27), where=drawn.sum(axis=1) > 0)
    row = analysis["extraction"].query("system == 'GLM-5' and measure == 'word_F1'").iloc[0]
    assert row["reproduced"] == pytest.approx(2 * 3 / (7 + 4))
    assert np.isnan([row["low"], row["high"]]).all()
    first = PAPER.quantities(analysis, CONTEXT)["F1[micro, GLM-5]"]
    assert first.interval == pytest.approx((f1.min(), f1.max()))


def test_every_system_is_compared_with_the_first(analysis):
    compared = analysis["compared"]
    assert compared["system"].iloc[0] == "Mistral Small 2603" and compared["rank"].tolist() == list(
        range(1, 11)
    )
    assert compared["difference"].iloc[1:].unique() == pytest.approx(1 - 6 / 11)
    behind = compared.iloc[1]
    assert (behind["wins"], behind["ties"], behind["losses"]) == (2, 1, 0)
    # Of the eight exchanges, four reach the whole difference: those that exchange both or neither query with gold.
    assert compared["p"].iloc[1:].to_numpy() == pytest.approx(1 / 2)
    assert (compared["p_adjusted"].iloc[1:] == 1).all() and np.isnan(compared["p"].iloc[0])


def test_averages_by_hand(analysis):
    averages = analysis["averages"].set_index("system")
    f1 = [2 * 2 / (5 + 2), 2 * 1 / (2 + 2)]
    row = averages.loc["GLM-5"]
    assert row["micro"] == pytest.approx(6 / 11)
    assert row["macro"] == pytest.approx(sum(f1) / 3)
    assert row["macro_with_gold"] == pytest.approx(sum(f1) / 2)
    assert row["where_relevant"] == pytest.approx(2 * 3 / (5 + 4))  # without the two words of B
    assert row["in_irrelevant_chunks"] == pytest.approx(2 / 7)
    assert averages.loc["Mistral Small 2603", "in_irrelevant_chunks"] == 0
    assert averages.loc["Mistral Small 2603", "micro_rank"] == 1 and row["micro_rank"] == 2


def test_analysis_and_verdicts_are_as_they_were(analysis, tmp_path):
    materials.check_publication(PAPER, analysis, CONTEXT, tmp_path)


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    folder = tmp_path_factory.mktemp("acl-verbatim")
    return PAPER.analyse(material(PAPER, CAMPAIGN.name, shared(CAMPAIGN.name), folder))


def test_all_80_cells_of_the_published_table(real):
    table = real["extraction"]
    assert len(table) == 80 and table.notna().all(axis=None)
    np.testing.assert_allclose(table["reproduced"], table["printed"], rtol=0, atol=1e-9)
    assert (table["low"] < table["reproduced"]).all() and (table["reproduced"] < table["high"]).all()


def test_numbers_missing_from_the_published_table(real):
    first = real["compared"].iloc[0]
    assert first["system"] == CLASSIFIER
    assert (first["low"], first["high"]) == pytest.approx((0.35, 0.64), abs=0.015)
    verdict_of = materials.verdicts(PAPER, real, CONTEXT)
    beyond = {
        "the-classifier-is-first",
        "first-under-the-mean-of-queries",
        "first-in-relevant-chunks",
        "paragraphs-give-recall-for-precision",  # of 20 queries, not for each of the three models
    }
    assert {name for name, verdict in verdict_of.items() if verdict != HOLDS} == beyond
    assert {verdict_of[name] for name in beyond} == {UNDECIDED}
