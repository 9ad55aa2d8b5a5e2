"""TREC Genomics (2007): the program's output to its last digit, and measures on rewritten lists."""

import numpy as np
import pandas as pd
import pytest

from focuseval_papers.genomics2007.numbers import MEAN, MEASURES, PAPER, VARIANTS
from focuseval_papers.publication.claims import (
    BY_CONSTRUCTION,
    HOLDS,
    UNDECIDED,
)
from focuseval_papers.publication.estimates import Estimate, value_of
from focuseval_papers.publication.paper import Context
from focuseval_papers.workflow.configuration import read_campaign_file
from tests.papers import materials
from tests.papers.importers.test_trec_genomics import published
from tests.papers.public import ROOT, material, seen_by_papers, shared

PRINTED = materials.printed("genomics2007", "genomics2007_variants")
CAMPAIGN = read_campaign_file(ROOT / "config/campaigns/trec-genomics-2007.yaml")
CONTEXT = Context(seen_by_papers(CAMPAIGN), PAPER.settings())

#: document 1 has a passage of ten characters with two aspects, document 2 has one of four with one aspect
GOLD = "200\t1\t10\t10\tA|B\n200\t2\t0\t4\tB\n"
#: results: eight characters, four of them relevant; twelve irrelevant ones; the relevant four of document 2
LISTS = {
    "mixed": "200 1 1 3 6 8 x\n200 3 2 2 0 12 x\n200 2 3 1 0 4 x\n",
    "other": "200 3 1 3 0 12 x\n200 2 2 1 0 4 x\n",
}


def of_list(scores, column, run="mixed"):
    part = scores[scores["run"] == run]
    return dict(zip(part["measure"], part[column], strict=True))


@pytest.fixture(scope="module")
def analysis(tmp_path_factory):
    folder = tmp_path_factory.mktemp("genomics2007")
    files = published(folder / "files", GOLD, LISTS)
    return PAPER.analyse(material(PAPER, CAMPAIGN.name, files, folder))


def test_measures_by_hand(analysis):
    values = of_list(analysis["measures"], "corrected")
    relevant = [4, 8]  # relevant characters so far, of 8 and of 24
    assert values["DOCUMENT"] == pytest.approx((1 + 2 / 3) / 2)
    assert values["PASSAGE"] == pytest.approx((relevant[0] / 8 + relevant[1] / 24) / 2)
    characters = [n / (4 + n) for n in range(1, 5)] + [n / (16 + n) for n in range(5, 9)]
    assert values["PASSAGE2"] == pytest.approx(sum(characters) / 14)
    assert values["ASPECT"] == pytest.approx(2 * 1 / 2)
    document = of_list(analysis["measures"], "reproduced")
    assert set(document.values()) == {values["DOCUMENT"]}
    assert analysis["measures"][["printed", "largest_deviation"]].isna().all(axis=None)


def test_rewritten_lists_by_hand(analysis):
    by_variant = {name: part for name, part in analysis["variants"].groupby("variant")}
    assert by_variant.keys() == VARIANTS.keys()
    # four others, four relevant, six others twice, two relevant, two relevant
    halved = of_list(by_variant["halved"], "reproduced")
    assert halved["PASSAGE"] == pytest.approx((4 / 8 + 6 / 22 + 8 / 24) / 3)
    assert halved["PASSAGE2"] == pytest.approx(of_list(analysis["measures"], "corrected")["PASSAGE2"])
    # the four relevant characters follow each relevant result once more
    again = of_list(by_variant["relevant-twice"], "reproduced")
    assert again["PASSAGE"] == pytest.approx((4 / 8 + 8 / 12 + 12 / 28 + 16 / 32) / 4)
    assert again["PASSAGE2"] == pytest.approx(of_list(analysis["measures"], "corrected")["PASSAGE2"])
    # the twelve irrelevant characters are repeated
    other = of_list(by_variant["irrelevant-twice"], "reproduced")
    assert other["PASSAGE"] == pytest.approx((4 / 8 + 8 / 36) / 2)
    characters = [n / (4 + n) for n in range(1, 5)] + [n / (28 + n) for n in range(5, 9)]
    assert other["PASSAGE2"] == pytest.approx(sum(characters) / 14)
    change = of_list(by_variant["irrelevant-twice"], "change")["PASSAGE2"]
    submitted = of_list(by_variant["irrelevant-twice"], "submitted")["PASSAGE2"]
    assert change == pytest.approx(other["PASSAGE2"] / submitted - 1)


def test_analysis_and_verdicts_are_as_they_were(analysis, tmp_path):
    materials.check_publication(PAPER, analysis, CONTEXT, tmp_path)


def test_changes_are_those_of_means_over_the_topics_that_are_drawn():
    rng = np.random.default_rng(2)
    key = pd.MultiIndex.from_product(
        [list(VARIANTS), ["a", "b"], MEASURES, list("1234")], names=["variant", "run", "measure", "topic"]
    ).to_frame(index=False)
    before = pd.Series(rng.random(2 * 4 * 4), name="submitted")
    table = key.assign(submitted=np.tile(before, len(VARIANTS)), value=rng.random(len(key)))
    lines = key[["run", "measure"]].drop_duplicates().assign(printed=0.5, largest_deviation=0.0, topics=4)
    estimates = PAPER.quantities({"measures": lines, "variants_by_topic": table}, CONTEXT)
    part = table.query("variant == 'halved' and run == 'b' and measure == 'PASSAGE'")
    mine = estimates["change[halved, PASSAGE, b]"]
    assert value_of(mine) == pytest.approx(part["value"].mean() / part["submitted"].mean() - 1)
    assert isinstance(mine, Estimate) and (mine.n, mine.over) == (4, "topics")
    assert value_of(estimates["mean[PASSAGE, b]"]) == pytest.approx(part["submitted"].mean())


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trec-genomics-2007")
    return PAPER.analyse(material(PAPER, CAMPAIGN.name, shared(CAMPAIGN.name), folder))


def test_every_value_of_the_program_to_eight_digits(real):
    topics = real["topics"]
    assert len(topics) == 5 * 4 * 36 == topics["printed"].notna().sum()
    assert [f"{value:.8f}" for value in topics["reproduced"]] == [
        f"{value:.8f}" for value in topics["printed"]
    ]
    measures = real["measures"]
    assert len(measures) == 20 == (PRINTED["genomics2007"]["topic"] == MEAN).sum()
    np.testing.assert_allclose(measures["reproduced"], measures["printed"], rtol=0, atol=5.1e-9)
    passage2 = measures.loc[measures["measure"] == "PASSAGE2", "corrected"].sort_values()
    np.testing.assert_allclose(passage2, [0.0094, 0.0328, 0.0333, 0.0578, 0.0639], rtol=0, atol=5e-5)


def test_every_mean_of_the_program_on_rewritten_lists(real):
    variants = real["variants"]
    assert len(variants) == 60
    np.testing.assert_allclose(variants["reproduced"], variants["printed"], rtol=0, atol=1.1e-8)


def test_findings_on_the_lists(real):
    verdict_of = materials.verdicts(PAPER, real, CONTEXT)
    assert len(verdict_of) == 10
    by_construction = {"cutting-leaves-passage2", "relevant-text-again-is-free"}
    assert {verdict_of.pop(name) for name in by_construction} == {BY_CONSTRUCTION}
    # another list has the highest score, but 36 topics cannot decide
    assert verdict_of.pop("the-best-list-is-another") == UNDECIDED
    assert set(verdict_of.values()) == {HOLDS}
