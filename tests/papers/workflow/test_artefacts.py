"""What a campaign leaves on disk: judgements and runs as they were read, facts, and all that is told of its files."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from focuseval.campaign.assembly import assemble
from focuseval.campaign.notices import Notice, notes
from focuseval.campaign.settings import Inputs
from focuseval.errors import InputError
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.elements import Collection
from focuseval.scoring.score import score
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.artefacts import (
    keeping_rules,
    reading_of,
    submitted,
    topics_kept,
    write_judgements,
    write_runs,
    write_told,
)
from focuseval_papers.workflow.campaign_size import facts
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.runsets import Ruled
from focuseval_papers.workflow.store import load_collection, load_results, load_topics
from tests.campaign.alike import plain_results, plain_topic
from tests.folders import write_files
from tests.papers import made
from tests.shown import check

SHOWN = Path(__file__).parent / "shown"

TSV = "topic\tdocument\tpath\texhaustivity\tspecificity\n"
RUN = "1 Q0 an/a1.xml 1 9 r /article[1]/sec[1]\n1 Q0 an/a2.xml 2 8 r /article[1]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents, one of them no XML; assessments and runs, also of a task."""
    files = {
        "documents/an/a1.xml": "<article>ab<sec>cde</sec></article>",
        "documents/an/a2.xml": "<article><p>xyz</p></article>",
        "documents/an/a3.xml": '<article id="1"><p>\t</article>',
        "q.tsv": TSV + "1\tan/a1\t/article[1]/sec[1]\t3\t3\n1\tan/a2\t/article[1]/p[9]\t3\t3\n",
        "t.tsv": TSV + "1\tan/a2\t/article[1]\t2\t1\n2\tan/a2\t/article[1]/p[1]\t1\t3\n",
        "runs/a": RUN,
        "runs/b": "1 Q0 an/a1 1 8 s /article[1]\n1 Q0 an/a1 2 9 s /article[1]/sec[1]\n",
        "own": "1 Q0 an/a1 1 9 t /article[1]\n2 Q0 an/a1\n2 Q0 an/a2 1 9 t /article[1]\n",
    }
    write_files(tmp_path, files)
    build_collection(tmp_path / "documents", tmp_path / "elements", lenient=True)
    return tmp_path


@pytest.fixture
def collection(folder: Path) -> Collection:
    return load_collection(folder / "elements")


campaign = partial(made.campaign, collection="c", assessments="a", runs="r")


def test_a_campaign_says_how_its_files_are_read() -> None:
    changed = {
        "assessment_format": "tsv",
        "run_format": "trec",
        "scale": "inex2002",
        "coverage": (0.0, 1.5, 2.0, 3.0),
        "unit": "words",
        "size": 10,
        "pools": ["7"],
        "rank_by": "order",
        "equal_scores_tie": True,
        "ids": "(?P<document>.+)-(?P<start>[0-9]+)-(?P<end>[0-9]+)",
        "lenient": True,
    }
    own = {"assessments": "a", "collection": "c", "exclude": []}
    elsewhere = {"gold", "texts", "rules", "grain", *own}  # and in memory, or of source code
    assert set(changed) == set(Inputs.__dataclass_fields__) - elsewhere
    assert reading_of(campaign()) == Inputs(pools=[], **own)
    assert reading_of(campaign(**{**changed, "coverage": list(changed["coverage"])})) == Inputs(
        **own, **changed
    )


def test_judgements_and_runs_are_those_of_the_files(folder: Path, collection: Collection) -> None:
    mine, told = campaign(lenient=True, size=1), list[list[Notice]]()
    judged = {"all": str(folder / "q.tsv"), "SSCAS": str(folder / "t.tsv")}
    topics = write_judgements(mine, judged, collection, folder / "judgements", told)
    runs = {"submitted": str(folder / "runs"), "SSCAS": str(folder / "own")}
    write_runs(
        submitted(mine, runs, collection, told), collection, topics["all"], folder / "left", folder / "facts"
    )
    assert sorted(path.name for path in (folder / "judgements").iterdir()) == ["SSCAS", "all"]
    assert sorted(path.name for path in (folder / "left").iterdir()) == ["SSCAS.parquet", "submitted.parquet"]
    assert len(told) == 4
    counted = schema.read(folder / "facts", schema.FACTS).to_pandas()
    for of, q, r in (("all", "q.tsv", "submitted"), ("SSCAS", "t.tsv", "SSCAS")):
        given = replace(reading_of(mine), assessments=folder / q, collection=collection)
        read = assemble(given, runs[r])
        loaded = load_topics(folder / "judgements" / of, collection)
        assert [plain_topic(t) for t in loaded] == [plain_topic(t) for t in topics[of]]
        assert [plain_topic(t) for t in loaded] == [plain_topic(t) for t in read.topics]
        results = load_results(folder / f"left/{r}.parquet", collection)
        assert plain_results(results) == plain_results(read.results)
        own = counted[counted["runs"] == r].set_index("fact")["value"]
        assert own.to_dict() == facts(collection, topics["all"], results)
    assert own["results per topic and run"] == 1


TOPICS = "".join(
    f'<topic id="{t}" query_type="{of}"><title>x</title></topic>' for t, of in (("1", "CO"), ("2", "CAS"))
)


def test_a_query_type_without_topics_or_assessments_or_results_is_refused(
    folder: Path, collection: Collection
) -> None:
    (folder / "topics.xml").write_text(f"<inex-topic-file>{TOPICS}</inex-topic-file>")
    assert topics_kept(campaign(), "nowhere") is None
    runs, judged = {"submitted": str(folder / "runs")}, {"all": str(folder / "q.tsv")}
    for query_type, refused, told in (
        ("XYZ", topics_kept, r"topics.xml: no topic of the query_type 'XYZ'; the topics have CAS, CO$"),
        ("co", topics_kept, r"no topic of the query_type 'co'; did you mean 'CO'\? the topics have"),
        (
            "CAS",
            lambda mine, _: list(submitted(mine, runs, collection, [], ["2"])),
            r"runs: no result for a topic of the query_type; expected some for 2",
        ),
        (
            "CAS",
            lambda mine, _: write_judgements(mine, judged, collection, folder / "judged", [], kept=["2"]),
            r"q.tsv: no topic of the query_type 'CAS' is assessed; expected some of 2",
        ),
    ):
        with pytest.raises(InputError, match=told):
            refused(campaign(lenient=True, topics="t", query_type=query_type), folder / "topics.xml")


def told_of(notices: list[list[Notice]], folder: Path) -> str:
    """What is told, and what is listed as rejected."""
    write_told(notices, folder / "elements", folder / "told.parquet", folder / "rejected.txt")
    rows = schema.read(folder / "told.parquet", schema.TOLD).to_pylist()
    lines = [f"{row['kind']} | {row['source']} | {row['text']}" for row in rows]
    text = "\n".join([*lines, "--- rejected", (folder / "rejected.txt").read_text(encoding="utf-8"), ""])
    return text.replace(str(folder), "FOLDER")


def test_everything_is_told_and_rejected_lines_are_listed(folder: Path, collection: Collection) -> None:
    """Also of documents with quotes, tabs and line ends in them, and of files that are none."""
    mine, told = campaign(lenient=True), list[list[Notice]]()
    write_judgements(mine, {"all": str(folder / "q.tsv")}, collection, folder / "judgements", told)
    runs = {"submitted": str(folder / "runs"), "own": str(folder / "own")}
    list(submitted(mine, runs, collection, told))
    text = told_of([*told, [], notes(["run r: odd: very"])], folder)
    documents = folder / "documents"
    write_files(documents, {"b.md": "# b", "a.dtd": "", "NA.xml": '<a>"\t"&é;'})
    build_collection(documents, folder / "elements", lenient=True)
    text += "=== other documents\n" + told_of([], folder)
    for name in ("b.md", "NA.xml", "an/a3.xml"):
        (documents / name).unlink()
    build_collection(documents, folder / "elements")
    check(text + "=== documents without faults\n" + told_of([[], []], folder), SHOWN / "told.txt")


def test_a_campaign_without_runs_has_no_facts(collection: Collection, tmp_path: Path) -> None:
    write_runs([], collection, [], tmp_path / "left", tmp_path / "facts")
    assert schema.read(tmp_path / "facts", schema.FACTS).num_rows == 0
    assert list((tmp_path / "left").iterdir()) == []


def test_runs_are_held_to_their_tasks_rules_where_they_are_read_as_scoring_would(
    folder: Path, collection: Collection
) -> None:
    mine, told = campaign(lenient=True), list[list[Notice]]()
    [(name, results)] = submitted(mine, {"submitted": str(folder / "runs")}, collection, told)
    judged = write_judgements(mine, {"all": str(folder / "t.tsv")}, collection, folder / "judgements", told)

    def read(**changed: Any) -> list[tuple[str, Any]]:
        ruled = Ruled("submitted", "all", None, None, ("focused",))._replace(**changed)
        return list(keeping_rules([(name, results)], judged, [ruled]))

    with pytest.raises(InputError) as refused:
        read()
    assert "runs/b, topic 1, line 2: the result overlaps one before it" in str(refused.value)
    with pytest.raises(InputError) as refused_by_score:
        score(judged["all"], results, parse_specs("MAP", MEASURES), task="focused")
    assert refused.value.problems == refused_by_score.value.problems
    for kept in (
        {"size": 1},
        {"topics": ("2",)},
        {"runs": "other"},
        {"rules": ("best-in-context",), "size": 1},
    ):
        assert read(**kept) == [("submitted", results)]
