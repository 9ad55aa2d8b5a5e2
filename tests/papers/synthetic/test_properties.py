"""Synthetic campaigns have the properties that they declare."""

import re
from pathlib import Path

import pytest

from focuseval_papers.publication.paper import NAMES as PAPERS
from focuseval_papers.publication.paper import load
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.workflow.configuration import read_campaign_file

ROOT = Path(__file__).parents[3]
CAMPAIGNS = ROOT / "config/campaigns"
NAMES = ("concept-space", "concept-space-2002", "concept-space-2005", "concept-space-2006")


@pytest.mark.parametrize("name", NAMES)
def test_declared_numbers_are_those_of_the_settings(name):
    campaign = read_campaign_file(CAMPAIGNS / f"{name}.yaml")
    assert campaign.concept_space and campaign.baselines
    chosen = settings(**campaign.concept_space)
    expected = {
        "topics": [chosen.topics],
        "articles": [chosen.articles],
        "relevant articles per topic": [chosen.relevant_articles],
        "systems": [campaign.baselines.systems, campaign.baselines.results],
    }
    if structure := campaign.structured_topics:
        expected["CAS topics"] = [structure.topics]
        expected["topics with a castitle"] = [len(structure.castitles or ())]
        expected["systems of the CAS tasks"] = [
            campaign.baselines.structured_systems,
            campaign.baselines.systems,
        ]
    for key, numbers in expected.items():
        value = campaign.properties[key].partition(":")[0].replace(",", "")
        assert [int(number) for number in re.findall(r"\d+", value)] == numbers, key


def test_properties_that_decide_claims_are_declared_as_different_from_papers():
    files = [read_campaign_file(CAMPAIGNS / f"{name}.yaml") for name in NAMES]
    ours = {
        key
        for campaign in files
        for key, value in campaign.properties.items()
        if "free" in value or "calibrated to" in value
    }
    decided = [
        claim.decided_by.partition(":")[0]
        for paper in map(load, PAPERS)
        for claim in paper.declared.findings
        if claim.decided_by
    ]
    assert decided and set(decided) <= ours
