"""Every numbered item of a paper is computed and shown where its declaration says, or a reason is given."""

from importlib import import_module

import pytest

from focuseval.papers.ali2008.numbered import NUMBERED as ALI
from focuseval.papers.numbered import Numbered, numbered_table
from focuseval.papers.paper import Context, Paper, load
from focuseval.papers.piwowarski2006.numbered import NUMBERED as PIWOWARSKI
from focuseval.present.items import Absent
from tests.papers import made


def items(kind: str, last: int) -> set[str]:
    return {f"{kind} {number}" for number in range(1, last + 1)}


OF_PAPERS = {
    "piwowarski2006": (PIWOWARSKI, items("Equation", 7) | items("Figure", 4) | {"Table 1", "Hypothesis 3.1"}),
    "ali2008": (
        ALI,
        items("Equation", 9)
        | items("Figure", 6)
        | items("Table", 3)
        | {"Example 4.2", "Example 4.4", "Example 5.1", "Example 6.1", "Theorem 4.3"}
        | {"Definition 3.1", "Definition 3.2", "Definition 3.3"},
    ),
}


def names_of(paper: Paper) -> set[str]:
    """The names of all tables and figures of a paper."""
    campaign = made.campaign(scale="highlights")
    examples = paper.examples.items if paper.examples else ()
    of_campaign = paper.items(Context(campaign, paper.settings()))
    return {f"examples/{item.name}" for item in examples} | {
        f"campaign/{item.name}" for item in of_campaign if not isinstance(item, Absent)
    }


@pytest.mark.parametrize("name", OF_PAPERS)
def test_nothing_is_missing_and_everything_is_where_it_is_said_to_be(name: str) -> None:
    listed, expected = OF_PAPERS[name]
    numbered = {one.item for one in listed}
    assert expected <= numbered
    assert all(item.startswith("Section") for item in numbered - expected)
    known = names_of(load(name))
    for one in listed:
        assert set(one.shown) <= known, one
        assert one.what and (one.by or one.why_not), one
        if one.by:
            module, _, function = one.by.rpartition(".")
            assert hasattr(import_module(module), function), one


def test_the_table_of_items() -> None:
    items = (
        Numbered("Equation 1", "a sum", "here.sum", ("examples/a", "campaign/b")),
        Numbered("Figure 1", "a tree", why_not="lost"),
    )
    assert numbered_table(items).astype(object).where(lambda t: t.notna(), None).to_numpy().tolist() == [
        ["Equation 1", "a sum", "here.sum", "examples/a campaign/b", None],
        ["Figure 1", "a tree", None, None, "lost"],
    ]
