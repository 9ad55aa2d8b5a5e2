"""Topics and results of files read together or alone: both have the same values and notices."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from focuseval.api import score
from focuseval.campaign.assembly import Campaign, assemble, assemble_results, assemble_topics
from focuseval.campaign.collection_read import collection_from_source
from focuseval.campaign.notices import REJECTED, Notice, lines, problems_in
from focuseval.campaign.settings import Inputs
from focuseval.errors import InputError
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from tests.campaign.alike import plain_results, plain_topic
from tests.folders import write_files

XML = {
    "an/a1.xml": "<article>ab<sec>cde<it>fg</it>h</sec><sec/>ij<p>klm</p></article>",  # 13 characters
    "an/a2.xml": "<article><p>xyz</p></article>",
}
RUN = "1 Q0 an/a1 1 9 r /article[1]/sec[1]\n1 Q0 an/a2 2 8 r /article[1]\n"


def coverage(topic, coverage):
    path = f'<path path="/article[1]/sec[1]" relevance="3" coverage="{coverage}"/>'
    return f'<assessments topic="{topic}"><file file="an/a1">{path}</file></assessments>'


def of_2005(topic, pool, path="/article[1]"):
    element = f'<element path="{path}" exhaustivity="2" size="3" rsize="3"/>'
    return (
        f'<assessments pool="{pool}" topic="{topic}"><file collection="c" name="an/a2">{element}</file>'
        "</assessments>"
    )


@dataclass(frozen=True)
class Case:
    """The files of a campaign, its reading options, and the expected topics, notes and rejected lines."""

    assessments: Mapping[str, str]
    runs: Mapping[str, str] = field(default_factory=lambda: {"r": RUN})
    collection: Mapping[str, str] = field(default_factory=lambda: XML)
    reading: Mapping[str, Any] = field(default_factory=dict)
    topics: tuple[str, ...] = ("1",)
    notes: tuple[str, ...] = ()  #: a part of each note, in order
    rejected: tuple[str, ...] = ()


CASES = {
    "coverage": Case(
        {"q/1.xml": coverage("1", "L"), "q/2.xml": coverage("2", "E")},
        reading={"coverage": (0, 1.5, 2, 3), "scale": "inex2002"},
        topics=("1", "2"),
    ),
    "pools": Case(
        {"q/1.xml": of_2005("1", "101"), "q/2.xml": of_2005("2", "102")},
        reading={"pools": ["102"]},
        topics=("2",),
    ),
    "formats": Case(
        {"q": "topic\tdocument\tpath\texhaustivity\tspecificity\n1\tan/a1\t/article[1]/sec[1]\t3\t3\n"},
        reading={"assessment_format": "tsv", "run_format": "trec", "scale": "inex2003"},
    ),
    "notes": Case(
        {"q": "1 Q0 an/a1.xml 4 13 3 3:4\n"},
        {  # in r scores that rise, in s ranks fall
            "r": "1 Q0 an/a1.xml 1 8 r /article[1]/sec[1]\n1 Q0 an/a2.xml 2 9 r /article[1]\n",
            "s": "1 Q0 an/a1 2 9 s 0 4\n1 Q0 an/a2 1 1 s 0 3\n",
        },
        notes=(
            "the ending is ignored",
            "the ending is ignored",
            "ranks decrease",
            "higher scores than the results before",
        ),
    ),
    "texts": Case(
        {"q": "1 Q0 guide.md 4 12 0 0:4\n"},
        {"r": "1 Q0 guide.md 1 9 r 0 4\n1 Q0 guide.md 2 8 r 5 3\n"},
        {"guide.md": "# Go\nHere.\n\n"},
    ),
    "sizes": Case(
        {"q": "1 Q0 an/a1 4 13 3 3:4\n"},
        {"r": RUN + RUN.replace("1 Q0", "2 Q0"), "s": RUN.replace(" r ", " s ")},
        reading={"size": 1},
        notes=(
            "runs: 3 results of 2 runs (r, s) on 2 topics are left out, because only the first 1 of each topic count (size= ",
        ),
    ),
    "lenient": Case(
        {"q/1.xml": of_2005("1", "1"), "q/2.xml": of_2005("2", "2", "/article[1]/none[1]")},
        {"r": RUN + "1 Q0 an/a1\n", "s": "1 Q0 an/a9 1 9 s /article[1]\n"},
        reading={"lenient": True},
        topics=("1", "2"),
        rejected=("'/article[1]/none[1]' is not in document 'an/a2'", "line 3"),
    ),
}


@dataclass(frozen=True)
class Read:
    """The same files, read together and one at a time."""

    together: Campaign
    collection: Collection
    topics: list[Topic]
    results: Results
    notices: list[Notice]


def assembled(judged, runs, collection, **reading):
    return assemble(Inputs(assessments=judged, collection=collection, **reading), runs)


def read(case, folder):
    judged, runs = write_files(folder, case.assessments), write_files(folder, case.runs)
    write_files(folder / "documents", case.collection)
    reading = Inputs(**case.reading)
    collection = collection_from_source(folder / "documents", reading.unit)
    topics, of_topics = assemble_topics(judged, collection, reading)
    results, of_results = assemble_results(runs, collection, reading)
    together = assembled(judged, runs, folder / "documents", **case.reading)
    return Read(together, collection, topics, results, of_topics + of_results)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_files_read_together_or_alone_give_the_same_topics_and_results(case, tmp_path):
    campaign_read = read(case, tmp_path)
    assert tuple(topic.name for topic in campaign_read.topics) == case.topics
    assert len(campaign_read.results) > 0
    rejected = problems_in(campaign_read.notices, REJECTED)
    notes = [one for one in campaign_read.notices if one.problem not in rejected]
    for messages, expected in ((lines(notes), case.notes), (list(map(str, rejected)), case.rejected)):
        assert len(messages) == len(expected), messages
        for text, part in zip(messages, expected, strict=True):
            assert part in text
    assert (
        campaign_read.together.notes == replace(campaign_read.together, notices=campaign_read.notices).notes
    )
    assert sorted(map(str, campaign_read.together.rejected)) == sorted(map(str, rejected))
    paths = [[tmp_path / name for name in names] for names in (case.assessments, case.runs)]
    of_collection = assembled(*paths, campaign_read.collection, **case.reading)
    for campaign in (campaign_read.together, of_collection):
        assert [plain_topic(topic) for topic in campaign.topics] == [
            plain_topic(t) for t in campaign_read.topics
        ]
        assert plain_results(campaign.results) == plain_results(campaign_read.results)


def test_topics_have_their_coverage(tmp_path):
    topics = read(CASES["coverage"], tmp_path).topics
    assert {topic.coverage for topic in topics} == {(0, 1.5, 2, 3)}
    assert [topic.specificity.tolist() for topic in topics] == [[1], [3]]


def test_texts_are_documents_with_sections(tmp_path):
    campaign = read(CASES["texts"], tmp_path)
    (topic,) = campaign.topics
    assert topic.highlights is not None and topic.highlights.end.tolist() == [4]
    paths = [campaign.collection.path(int(row)) for row in topic.element]
    assert paths == ["/document[1]", "/document[1]/section[1]", "/document[1]/section[1]/title[1]"]


def test_lists_are_cut_at_the_size(tmp_path):
    assert read(CASES["sizes"], tmp_path).results.rank.tolist() == [1, 1, 1]


@pytest.mark.parametrize("form", ["columns", "lines", "memory", "inex"])
def test_only_inex_submissions_are_cut_by_default(form, tmp_path):
    names = [f"d{rank}" for rank in range(1, 2002)]
    columns = [f"1 Q0 {name} {rank} {-rank} r\n" for rank, name in enumerate(names, 1)]
    lines = [f'{{"topic": "1", "document": "{name}", "start": 0, "end": 9, "run": "r"}}\n' for name in names]
    inside = "".join(f"<result><file>{name}</file></result>" for name in names)
    inex = f'<inex-submission run-id="r"><topic topic-id="1">{inside}</topic></inex-submission>'
    texts = {"columns": "".join(columns), "lines": "".join(lines), "inex": inex}
    runs = {"r": {"1": {name: -rank for rank, name in enumerate(names)}}}
    if form in texts:
        runs = write_files(tmp_path, {"r": texts[form]})
    template = "runs: {} of 1 run (r) on 1 topic {} left out, because only the first {} of each topic count (size= sets this limit; "
    for size, value, notes in (
        (None, float(form != "inex"), [("501 results", "are", "1,500")] if form == "inex" else []),
        (2001, 1.0, []),
        (2000, 0.0, [("1 result", "is", "2,000")]),
    ):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            scores = score("Recall@3000", gold={"1": {names[-1]: 1, "d1x": 0}}, runs=runs, size=size)
        assert scores["value"].tolist() == [value]
        of_cuts = [str(one.message) for one in warned if str(one.message).startswith("runs: ")]
        assert [
            text.startswith(template.format(*note)) for text, note in zip(of_cuts, notes, strict=True)
        ] == [True] * len(notes)


def test_places_outside_the_collection_are_refused_together(tmp_path):
    case = CASES["lenient"]
    judged = write_files(tmp_path, case.assessments)
    runs = write_files(tmp_path, {"s": case.runs["s"]})
    write_files(tmp_path / "documents", XML)
    with pytest.raises(InputError) as error:
        assembled(judged, runs, tmp_path / "documents")
    assert [problem.source for problem in error.value.problems] == [
        str(tmp_path / "q/2.xml"),
        str(tmp_path / "s"),
    ]
    collection = collection_from_source(tmp_path / "documents")
    for path, way in ((judged, assemble_topics), (runs, assemble_results)):
        with pytest.raises(InputError) as error:
            way(path, collection, Inputs())
        assert len(error.value.problems) == 1


def test_omitted_documents_are_reported_with_other_notices(tmp_path):
    judged, runs = ([path] for path in write_files(tmp_path, {"q": "1 Q0 an/a1 4 13 3 3:4\n", "r": RUN}))
    write_files(tmp_path / "documents", {**XML, "an/a3.xml": "<article><p></article>"})
    with pytest.raises(InputError, match="a3"):
        assembled(judged, runs, tmp_path / "documents")
    campaign = assembled(judged, runs, tmp_path / "documents", lenient=True)
    assert [problem.source for problem in campaign.rejected] != []
    assert all("a3" in str(problem) for problem in campaign.rejected)
    assert len(campaign.topics) == 1 and len(campaign.results) == 2
