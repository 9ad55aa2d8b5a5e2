"""Changes that say nothing about a system change no score of any measure on random campaigns.

`CHANGES` are the changes; `EXCLUDED` and `EXCEPTIONS` say for which measures they are not tried, and why. A call that
scores by all measures takes no longer than one by a few, so all are asked in every example.
"""

import contextlib
import io
import json
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import focuseval
from focuseval import MEASURES
from focuseval.campaign.saved_scores import load_scores
from focuseval.cli import main

#: a cut-off of each kind
CUTOFFS = {
    "rank": "@3",
    "level": "@0.3",
    "share": "@0.5",
    "characters": "@9c",
    "words": "@3w",
    "tokens": "@4t",
}

#: measures and kinds of cut-offs whose needs no example meets
EXCLUDED = {
    "BEP": "needs best entry points, which assessments of INEX have alone: tests/measures/test_inex2006.py",
    "lines": "needs source code, whose offsets are lines: tests/campaign/test_on_code.py",
}

_FILE_ORDER = (
    "passages of gold that tie are taken in the order of the file, as by the program that it reproduces"
)
_REST = "behind a list come all other elements of the collection in random order, and a larger one has more of them"
#: by change: the measures whose scores may change, and why
EXCEPTIONS = {
    "order of rows": dict.fromkeys(("PASSAGE", "ASPECT", "span_F1", "IoU_mAP"), _FILE_ORDER),
    "gold in several files": dict.fromkeys(("PASSAGE", "ASPECT", "span_F1", "IoU_mAP"), _FILE_ORDER),
    "a second campaign": dict.fromkeys(("precall", "inex2003"), _REST),
    "results that tie": dict.fromkeys(
        (name for name, measure in MEASURES.items() if measure.reads_ties), "reads tied results together"
    ),
}

ASKED = [
    measure.name + at
    for measure in MEASURES.values()
    if measure.name not in EXCLUDED
    for at in ([""] if measure.value is not None else [])
    + [CUTOFFS[one.kind.name] for one in measure.cutoffs if one.kind.name not in EXCLUDED]
]

#: a document of ten elements
TEXT = "# Soil\n\nSand and clay.\n\n## Water\n\nRain sinks in.\n\nIt stays.\n\n## Worms\n\nThey dig, eat and turn.\n"

#: the number of examples of each change on each kind of campaign
EXAMPLES = 4

Row = dict[str, Any]


class Campaign(NamedTuple):
    """Gold and a run, on documents with texts or on passages only."""

    gold: list[Row]
    run: list[Row]
    texts: dict[str, str] | None

    def scores(self, **changed):
        """Return the values of every topic and their means, a column for each measure."""
        inputs = {"gold": self.gold, "runs": {"r": self.run}, "texts": self.texts, "tokenizer": str.split}
        inputs = {name: value for name, value in (inputs | changed).items() if value is not None}
        if self.texts is None:
            del inputs["tokenizer"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = focuseval.score(ASKED, per_topic=True, lenient=True, **inputs)
        return table.pivot(index="topic", columns="measure", values="value").sort_index()

    def renamed(self, name):
        """Return the same topics and documents under longer names."""
        gold, run = (
            [row | {"topic": name + row["topic"], "document": name + row["document"]} for row in rows]
            for rows in (self.gold, self.run)
        )
        texts = self.texts and {name + document: text for document, text in self.texts.items()}
        return Campaign(gold, run, texts)

    def write(self, folder):
        """Write the gold in two files and in one, the run, and the documents."""
        (folder / "parts").mkdir()
        for name, rows in {
            "gold.jsonl": self.gold,
            "parts/1.jsonl": self.gold[::2],
            "parts/2.jsonl": self.gold[1::2],
            "r.jsonl": self.run,
        }.items():
            if rows:
                (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        for document, text in (self.texts or {}).items():
            (folder / "documents").mkdir(exist_ok=True)
            (folder / "documents" / document).write_text(text)


@cache
def elements():
    gold = [{"topic": "q", "document": "a.md", "start": 0, "end": 4}]
    campaign = focuseval.read_campaign(gold=gold, runs={"r": gold}, texts={"a.md": TEXT})
    tree = campaign.topics[0].collection
    return sorted(set(zip(tree.start.tolist(), tree.end.tolist(), strict=True)))


@st.composite
def campaigns(draw, kind):
    """Draw topics with at least one gold passage, and ranked results for some of them."""
    texts = {"d0.md": TEXT, "d1.md": TEXT} if kind == "elements" else None
    passage = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda at: (at[0], sum(at)))
    element = st.sampled_from(elements()) if texts else passage
    gold = []
    run = []
    for topic in range(draw(st.integers(1, 3))):
        for rows, places, least in ((gold, passage, 1), (run, element, 0)):
            spans_drawn = draw(st.lists(st.tuples(st.integers(0, 1), places), min_size=least, max_size=5))
            for rank, (document, (start, end)) in enumerate(spans_drawn, 1):
                row = {"topic": f"q{topic}", "document": f"d{document}.md", "start": start, "end": end}
                more = {"aspects": draw(st.sampled_from([["x"], ["y"], ["x", "y"]]))}
                rows.append(row | (more if rows is gold else {"rank": rank}))
    assume(run)
    return Campaign(gold, run, texts)


def renamed(campaign, folder):
    other = campaign.renamed("t-")
    return other.scores(runs={"other": other.run}).rename(index=lambda topic: topic.removeprefix("t-"))


def reordered(campaign, folder):
    rng = np.random.default_rng(len(campaign.run))
    gold, run = ([rows[i] for i in rng.permutation(len(rows))] for rows in campaign[:2])
    return campaign._replace(gold=gold, run=run).scores()


def shifted(campaign, folder):
    gold, run = (
        [row | {"start": row["start"] + 300, "end": row["end"] + 300} for row in rows]
        for rows in campaign[:2]
    )
    return campaign._replace(gold=gold, run=run).scores()  # a shift by whole bins of 300 characters


def tied(campaign, folder):
    level = [
        {key: value for key, value in row.items() if key != "rank"} | {"score": 1} for row in campaign.run
    ]
    return campaign._replace(run=level).scores(equal_scores_tie=True)


def from_files(campaign, folder, gold="gold.jsonl"):
    campaign.write(folder)
    collection = folder / "documents" if campaign.texts else None
    return campaign.scores(
        gold=None, assessments=folder / gold, runs=folder / "r.jsonl", texts=None, collection=collection
    )


def saved(campaign, folder):
    campaign.write(folder)
    names = [
        name for name in campaign.scores() if "@4t" not in name
    ]  # the tokenizer of a command cannot be a function
    options = [part for name in names for part in ("--measure", name)]
    place = str(folder / "saved.parquet")
    words = ["score", "--gold", str(folder / "gold.jsonl"), "--run", str(folder / "r.jsonl"), "--lenient"]
    if campaign.texts:
        words += ["--collection", str(folder / "documents")]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as output:
        assert main([*words, *options, "--save", place]) == 0, output.getvalue()
    table, _ = load_scores(place)
    return table.astype({"topic": str, "name": str}).pivot(index="topic", columns="name", values="value")


CHANGES = {
    "other names of runs, topics and documents": renamed,
    "order of rows": reordered,
    "gold given twice": lambda one, folder: one._replace(gold=[*one.gold, *one.gold]).scores(),
    "frames": lambda one, folder: one.scores(gold=pd.DataFrame(one.gold), runs={"r": pd.DataFrame(one.run)}),
    "shifted offsets": shifted,
    "results that tie": tied,
    "files": from_files,
    "gold in several files": lambda one, folder: from_files(one, folder, "parts"),
    "saved scores": saved,
}


def same(actual, expected, change=""):
    """Assert that all common values are equal; saved scores have no means."""
    kept = [name for name in expected if name.partition("@")[0] not in EXCEPTIONS.get(change, {})]
    if change == "saved scores":
        kept, expected = [name for name in kept if "@4t" not in name], expected.drop("all")
    actual = actual.sort_index()[kept]
    pd.testing.assert_frame_equal(actual, expected[kept], rtol=1e-9, atol=1e-12, check_names=False)


def test_every_measure_is_tested_or_has_a_reason():
    texts = {"d0.md": TEXT}
    start, end = elements()[0]
    gold = [{"topic": "q", "document": "d0.md", "start": start, "end": end, "aspects": ["x"]}]
    assert sorted(Campaign(gold, gold, texts).scores()) == sorted(ASKED)
    excepted = {name for names in EXCEPTIONS.values() for name in names}
    assert excepted <= set(MEASURES)
    assert set(EXCEPTIONS) <= {*CHANGES, "a second campaign"}


@pytest.mark.parametrize(
    ("change", "kind"),
    # texts cannot be shifted: text before them would be another element
    [
        (c, kind)
        for c in CHANGES
        for kind in ("passages", "elements")
        if (c, kind) != ("shifted offsets", "elements")
    ],
)
def test_changes_without_meaning_change_no_score(change, kind):
    @settings(max_examples=EXAMPLES)
    @given(campaigns(kind))
    def hold(campaign):
        with tempfile.TemporaryDirectory() as folder:
            same(CHANGES[change](campaign, Path(folder)), campaign.scores(), change)

    hold()


@pytest.mark.parametrize("kind", ["passages", "elements"])
def test_a_second_campaign_changes_no_topic_of_the_first(kind):
    @settings(max_examples=EXAMPLES)
    @given(campaigns(kind), campaigns(kind))
    def hold(one, other):
        other = other.renamed("z")
        texts = one.texts and other.texts and one.texts | other.texts
        both = Campaign(one.gold + other.gold, one.run + other.run, texts).scores()
        expected = pd.concat([one.scores().drop("all"), other.scores().drop("all")])
        same(both.drop("all"), expected.sort_index(), "a second campaign")

    hold()


def test_ties_change_exactly_the_measures_that_declare_to_read_them(recwarn):
    title, paragraph, document = (0, 7), (8, 23), (0, 95)
    gold = [{"topic": "q", "document": "d0.md", "start": 8, "end": 23, "aspects": ["x"]}]
    places = [("d1.md", title), ("d0.md", title), ("d0.md", document), ("d0.md", paragraph)]
    run = [{"topic": "q", "document": name, "start": at[0], "end": at[1]} for name, at in places]
    reading = [name for name, one in MEASURES.items() if one.reads_ties]
    reading += ["EPRUM(ranks=sets)@2", "SR(trees=ranks)@2"]
    measures = [*reading, "EPRUM", "SR(trees=articles)@1", "AiP", "char_recall"]
    one = Campaign(
        gold, [row | {"rank": rank} for rank, row in enumerate(run, 1)], {"d0.md": TEXT, "d1.md": TEXT}
    )
    inputs = {"gold": one.gold, "texts": one.texts, "lenient": True}
    before = focuseval.score(measures, runs={"r": one.run}, **inputs)["value"]
    recwarn.clear()
    level = {"r": [row | {"score": 1} for row in run]}
    after = focuseval.score(measures, runs=level, equal_scores_tie=True, **inputs)["value"]
    assert [name for name, a, b in zip(measures, before, after, strict=True) if a != b] == reading
    remark = "EPRUM, SR(trees=articles)@1, AiP and char_recall: equal_scores_tie= has no effect, because the measure counts"
    assert sum(str(one.message).startswith(remark) for one in recwarn) == 1
