"""Outcomes of gold passages: by hand, and against a second implementation on sets of characters."""

from collections import Counter
from itertools import product

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import focuseval
from focuseval import InputError
from focuseval.scoring.failures import KINDS


def row(document, start, end, topic="q", **more):
    return {"topic": topic, "document": document, "start": start, "end": end, **more}


GOLD = [row("a", 0, 10), row("a", 20, 30), row("a", 40, 50), row("b", 0, 5), row("c", 0, 5), row("a", 0, 10)]
RUN = [row("a", 0, 15), row("a", 25, 35), row("b", 5, 20), row("a", 44, 50), row("a", 38, 46)]


def test_each_kind_by_hand():
    failures = focuseval.failures("char_recall@3", gold=GOLD, runs={"r": RUN})
    assert failures[["document", "start", "kind", "rank", "share"]].values.tolist() == [
        ["a", 0, "found", 1, 1.0],
        ["a", 20, "cut", 2, 0.5],
        ["a", 40, "too low", 4, 0.0],
        ["b", 0, "other chunks", 0, 0.0],
        ["c", 0, "no document", 0, 0.0],
    ]
    # the budget allows 15 characters of the first result and one of the second
    on_budget = focuseval.failures("char_recall@16c", gold=GOLD, runs={"r": RUN})
    assert on_budget["kind"].tolist()[:3] == ["found", "cut", "too low"] and on_budget["share"][1] == 0.1
    at_four = focuseval.failures("char_recall@4", gold=GOLD, runs={"r": RUN})
    assert at_four.loc[2, ["kind", "share"]].tolist() == ["too low", 0.6]
    assert focuseval.failures("char_recall", gold=GOLD, runs={"r": RUN})["kind"][2] == "found"


def test_notices_are_those_of_scoring():
    with pytest.warns(focuseval.InputWarning, match="not assessed") as caught:
        focuseval.failures("char_recall@3", gold=GOLD, runs={"r": [*RUN, row("a", 0, 5, topic="other")]})
    with pytest.warns(focuseval.InputWarning) as expected:
        focuseval.score("char_recall@3", gold=GOLD, runs={"r": [*RUN, row("a", 0, 5, topic="other")]})
    assert [str(one.message) for one in caught] == [str(one.message) for one in expected]


def literal(gold, run, k):
    """Count the kinds of a topic's passages by characters, for the choice of alternatives with the fewest failures."""

    def characters(rows):
        return {(one["document"], at) for one in rows for at in range(one["start"], one["end"])}

    def kind(one):
        own, now, ever = characters([one]), characters(run[:k]), characters(run)
        if own <= now:
            return "found"
        if own & now and not own <= ever:
            return "cut"
        if own & ever:
            return "too low"
        return "other chunks" if any(other["document"] == one["document"] for other in run) else "no document"

    alone = [one for one in gold if "group" not in one]
    groups = {}
    for one in gold:
        if "group" in one:
            groups.setdefault(one["group"], []).append(one)
    counts = []
    for choice in product(*groups.values()):
        items = {(one["document"], one["start"], one["end"]): kind(one) for one in [*alone, *choice]}
        counts.append(Counter(items.values()))
    return min(counts, key=lambda of: sum(of.values()) - of["found"])


PLACES = st.tuples(st.sampled_from("ab"), st.integers(0, 8), st.integers(1, 5))


@settings(max_examples=40)
@given(
    st.lists(st.tuples(PLACES, st.sampled_from(["", "", "g", "h"])), min_size=1, max_size=6),
    st.lists(PLACES, min_size=1, max_size=6),
    st.integers(1, 4),
)
@example([(("a", 0, 2), "g"), (("a", 1, 1), ""), (("a", 1, 1), "g")], [("a", 0, 1)], 1)
@pytest.mark.filterwarnings("ignore::focuseval.InputWarning")
def test_kinds_as_of_sets_of_characters(gold, run, k):
    judged = [
        row(d, start, start + size, **({"group": group} if group else {})) for (d, start, size), group in gold
    ]
    results = [row(d, start, start + size) for d, start, size in run]
    expected = literal(judged, results, k)
    failures = focuseval.failures(f"char_recall@{k}", gold=judged, runs={"r": results})
    failed = Counter({kind: count for kind, count in expected.items() if kind != "found"})
    assert len(failures[failures["kind"] != "found"]) == sum(failed.values())
    if not any(group for _, group in gold):  # among choices with equally few failures, any may be taken
        assert Counter(failures["kind"]) == expected


@pytest.mark.filterwarnings("ignore::focuseval.InputWarning")
def test_compare_and_view_count_the_listed_failures():
    gold = [*GOLD, row("a", 0, 5, "p"), row("c", 3, 9, "p", group="x"), row("b", 0, 5, "p", group="x")]
    runs = {"r": RUN, "s": [row("d", 0, 3, "p"), row("b", 0, 3, "p"), row("b", 3, 9, "p")]}
    inputs = {"gold": gold, "runs": runs}
    listed = focuseval.failures("char_recall@2", **inputs)
    counts = (
        listed.groupby(["run", "kind"]).size().unstack(fill_value=0).reindex(columns=[*KINDS], fill_value=0)
    )
    compared = focuseval.compare(["char_recall@2", "AiP"], **inputs)
    table = compared.failures.set_index("run")
    pd.testing.assert_frame_equal(table[[*KINDS]], counts, check_names=False)
    assert table["passages"].tolist() == [7, 7]  # q has five passages; p has one, and one of two alternatives
    assert (
        "in the part of each list that char_recall@2 reads (the first 2 results). found: the whole passage was read. cut:"
        in " ".join(str(compared).split())
    )
    page = focuseval.view(["char_recall@2", "AiP"], **inputs)
    assert page.contents.core["failures"]["2 results"] == counts.to_numpy().tolist()
    graded = [{"topic": "q", "document": "a", "grade": 1}, {"topic": "p", "document": "a", "grade": 1}]
    of_documents = focuseval.compare("RR", gold=graded, runs={"r": RUN, "s": runs["s"]})
    assert of_documents.failures.empty and "no document" not in str(of_documents)
    with pytest.raises(InputError, match="the gold has no passages; give gold passages"):
        focuseval.failures("RR", gold=graded, runs={"r": RUN})
