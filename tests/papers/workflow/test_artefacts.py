"""From the files of a campaign to its assessments, runs and element tables, and the notices on them."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from focuseval.campaign.assembly import assemble
from focuseval.campaign.notices import REJECTED, SIZES, Notice, notes, of_problems
from focuseval.campaign.settings import Inputs
from focuseval.errors import InputError, Problem
from focuseval.report.notices import of_consequence, of_files
from focuseval_papers.workflow.artefacts import (
    add_notices,
    read_assessments,
    read_runs,
    reading_of,
    topics_kept,
)
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.notices import COLUMNS, read_notices, write_notices
from focuseval_papers.workflow.store import (
    load_collection,
    load_results,
    load_topics,
    write_results,
    write_topics,
)
from tests.campaign.alike import plain_results, plain_topic
from tests.folders import write_files
from tests.papers import materials
from tests.snapshots import check

SNAPSHOTS = Path(__file__).parent / "snapshots"

TSV = "topic\tdocument\tpath\texhaustivity\tspecificity\n"
RUN = "1 Q0 an/a1.xml 1 9 r /article[1]/sec[1]\n1 Q0 an/a2.xml 2 8 r /article[1]\n"


@pytest.fixture
def folder(tmp_path):
    """Write documents, one of which is no XML, with assessments and runs, some of them of a task."""
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
    build_collection(tmp_path / "documents", tmp_path / "collection", lenient=True)
    return tmp_path


@pytest.fixture
def collection(folder):
    return load_collection(folder / "collection")


campaign = partial(materials.campaign, collection="c", assessments="a", runs="r")


def test_settings_of_a_campaign_decide_how_its_files_are_read():
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
    # options for input in memory, for source code, and for the command line and Python only
    unconfigurable = {"gold", "documents", "texts", "rules", "grain", "tokenizer", "documents_as", *own}
    assert set(changed) == set(Inputs.__dataclass_fields__) - unconfigurable
    assert reading_of(campaign()) == Inputs(pools=[], **own)
    assert reading_of(campaign(**{**changed, "coverage": list(changed["coverage"])})) == Inputs(
        **own, **changed
    )


def test_assessments_and_runs_are_those_of_the_files(folder, collection):
    mine = campaign(lenient=True, size=1)
    for of, q, name, r in (("all", "q.tsv", "submitted", "runs"), ("SSCAS", "t.tsv", "SSCAS", "own")):
        topics, of_topics = read_assessments(mine, of, folder / q, collection)
        results, of_runs = read_runs(mine, name, folder / r, collection)
        assert isinstance(of_topics[0], list) and isinstance(of_runs, list)
        write_topics(topics, folder / "assessments" / of)
        write_results(results, collection, folder / f"left/{name}.parquet")
        read = assemble(replace(reading_of(mine), assessments=folder / q, collection=collection), folder / r)
        loaded = load_topics(folder / "assessments" / of, collection)
        assert [plain_topic(t) for t in loaded] == [plain_topic(t) for t in topics]
        assert [plain_topic(t) for t in loaded] == [plain_topic(t) for t in read.topics]
        stored = load_results(folder / f"left/{name}.parquet", collection)
        assert plain_results(stored) == plain_results(read.results)
        assert max(map(len, stored.lists())) == 1
    assert sorted(path.name for path in (folder / "assessments").iterdir()) == ["SSCAS", "all"]


TOPICS = "".join(
    f'<topic id="{t}" query_type="{of}"><title>x</title></topic>' for t, of in (("1", "CO"), ("2", "CAS"))
)


def test_a_query_type_without_topics_or_assessments_or_results_is_refused(folder, collection):
    (folder / "topics.xml").write_text(f"<inex-topic-file>{TOPICS}</inex-topic-file>")
    assert topics_kept(campaign(), folder / "nowhere") is None
    assert topics_kept(campaign(topics="t", query_type="CO"), None) is None
    assert topics_kept(campaign(topics="t", query_type="CO"), folder / "topics.xml") == ["1"]
    for query_type, refused, message in (
        ("XYZ", topics_kept, r"topics.xml: no topic has the query_type 'XYZ'; expected one of CAS, CO$"),
        (
            "co",
            topics_kept,
            r"no topic has the query_type 'co'; did you mean 'CO'\? expected one of",
        ),
        (
            "CAS",
            lambda mine, _: read_runs(mine, "submitted", folder / "runs", collection, ["2"]),
            r"runs: the runs have no result for a topic of the query_type; expected results for 2",
        ),
        (
            "CAS",
            lambda mine, _: read_assessments(mine, "all", folder / "q.tsv", collection, kept=["2"]),
            r"q.tsv: no assessed topic has the query_type 'CAS'; expected assessments of 2",
        ),
    ):
        with pytest.raises(InputError, match=message):
            refused(campaign(lenient=True, topics="t", query_type=query_type), folder / "topics.xml")


def test_topics_of_another_query_type_are_left_out_of_submitted_files_only(folder, collection):
    mine = campaign(lenient=True, topics="t", query_type="CAS")
    topics, notices = read_assessments(mine, "all", folder / "t.tsv", collection, kept=["2"])
    assert [topic.name for topic in topics] == ["2"]
    assert [str(notice) for of in notices for notice in of if "query_type" in str(notice)]
    topics, notices = read_assessments(mine, "SSCAS", folder / "t.tsv", collection, kept=["2"])
    assert [topic.name for topic in topics] == ["1", "2"]
    results, _ = read_runs(mine, "submitted", folder / "own", collection, ["2"])
    assert list(results.topics[results.topic]) == ["2"]
    results, _ = read_runs(mine, "SSCAS", folder / "own", collection, ["2"])
    assert list(results.topics[results.topic]) == ["1", "2"]


def notices_and_report(path, folder):
    """Return the notices of a table, and the report's text about them."""
    rows = read_notices([path]).itertuples(index=False, name=None)
    lines = [" | ".join(row) for row in rows]
    reported = of_files(read_notices([path])).to_csv(index=False, sep="\t")
    return "\n".join([*lines, "--- reported", reported]).replace(str(folder), "FOLDER")


def test_everything_is_reported_and_rejected_lines_are_listed(folder, collection):
    """Documents contain quotes, tabs and line ends; some files are unreadable."""
    mine = campaign(lenient=True)
    _, of_topics = read_assessments(mine, "all", folder / "q.tsv", collection)
    of_runs = [read_runs(mine, name, folder / name, collection)[1] for name in ("runs", "own")]
    problems = [Problem("a.jsonl", "line 2", "1 of 2 texts", "expected offsets")]
    path = folder / "runs/all.notices.csv"
    lines = write_notices([*of_topics, *of_runs, [], notes(["run r: odd: very"])], path, problems)
    text = "\n".join(["--- on the screen", *lines, notices_and_report(path, folder)])
    documents = folder / "documents"
    text += "=== documents\n" + notices_and_report(folder / "collection/notices.csv", folder)
    write_files(documents, {"b.md": "# b", "a.dtd": "", "NA.xml": '<a>"\t"&é;'})
    build_collection(documents, folder / "collection", lenient=True)
    text += "=== other documents\n" + notices_and_report(folder / "collection/notices.csv", folder)
    for name in ("b.md", "NA.xml", "an/a3.xml"):
        (documents / name).unlink()
    build_collection(documents, folder / "collection")
    text += "=== documents without faults\n" + notices_and_report(folder / "collection/notices.csv", folder)
    check(text.replace(str(folder), "FOLDER"), SNAPSHOTS / "notices.txt")


def test_notices_of_an_importer_come_before_those_on_its_files(folder):
    path, imported = folder / "collection/notices.csv", folder / "input"
    before = read_notices([path])
    assert add_notices(path, "") == [f"left out: {before['text'][0]}"]
    write_files(imported, {"notices.txt": "a.csv: odd: very\nb.csv: long\n"})
    lines = add_notices(path, imported)
    assert lines == ["a.csv: odd: very", "b.csv: long", f"left out: {before['text'][0]}"]
    table = read_notices([path])
    assert table[:2].values.tolist() == [["note", "a.csv", "odd: very"], ["note", "b.csv", "long"]]
    pd.testing.assert_frame_equal(table[2:].reset_index(drop=True), before)


def test_notices_of_several_files_are_read_once_and_unchanged(tmp_path):
    odd = ['he said "no"', "a,b", "tab\there", "NA", "é; 主題", " "]
    for name, texts in (("a", odd), ("b", odd[:2])):
        notices = notes([f"{name}.xml: {text}" for text in texts] + ["c.xml: of both"])
        write_notices([notices], tmp_path / f"{name}.csv")
    write_notices([], tmp_path / "none.csv")
    table = read_notices([tmp_path / f"{name}.csv" for name in ("none", "a", "b")])
    assert list(table) == COLUMNS and set(table["kind"]) == {"note"}
    assert table["text"].tolist() == [*odd, "of both", *odd[:2]]
    assert read_notices([]).empty and list(read_notices([tmp_path / "none.csv"])) == COLUMNS


def test_kinds_that_change_what_numbers_mean_are_kept_and_warn(tmp_path):
    sizes = Problem("203.xml", "", "the sizes of 66 of 119 elements differ greatly", "is it the collection?")
    gone = Problem("a.jsonl", "line 1", "there is no file 'x.py'", "did you mean 'y.py'?")
    lost = Notice("lost", "a", problem=gone, count=2, among=4)
    write_notices([[*of_problems(SIZES, [sizes]), lost, *notes(["b.xml: odd"])]], tmp_path / "a.csv")
    table = of_files(read_notices([tmp_path / "a.csv"]))
    assert table[["kind", "of", "number"]].values.tolist() == [
        ["note", "b.xml", 1],
        ["sizes", "203.xml", 1],
        ["lost", "run a", 1],
    ]
    assert of_consequence(table, 12) == [
        "the sizes of judged elements differ greatly from the collection; is this the collection that was assessed?",
        "results of 1 run are not in the source code and count as not relevant",
    ]
    assert add_notices(tmp_path / "a.csv", "")[1].startswith("203.xml: the sizes of 66 of 119 elements")


def test_all_rejected_lines_are_in_the_table_and_the_first_ones_are_reported(tmp_path):
    problems = [Problem("a.txt", f"line {n}", f"bad {chr(96 + n)}", "expected good") for n in range(1, 15)]
    path = tmp_path / "a.notices.csv"
    lines = write_notices([of_problems(REJECTED, problems)], path)
    assert read_notices([path])["text"].tolist() == [str(problem) for problem in problems]
    assert lines[:10] == [str(problem) for problem in problems[:10]]
    assert len(lines) == 11 and "14" in lines[10] and str(path) in lines[10]
