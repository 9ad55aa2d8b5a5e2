"""The page of a campaign: its measures may read the words of documents, and its numbers are the report's."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.statistics.comparisons import overview
from focuseval.viewer.systems import system_columns
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_settings import ComparisonSettings
from focuseval_papers.workflow.notices import COLUMNS
from focuseval_papers.workflow.of_campaign import SHOWN, campaign_contents, notes_of, without_values
from focuseval_papers.workflow.runsets import RunSet
from tests.papers.materials import collection_on_disk, leave, results_of, scored
from tests.passages import topic_of
from tests.statistics.test_overview import FIRST, SECOND, request, table


def test_measures_of_words_find_the_words_again(tmp_path):
    folder = tmp_path / "mine"
    collection = collection_on_disk({"d": "<a><p>one two </p><p>three four</p></a>"}, folder)
    topics = [replace(topic_of([18], [(0, 4, 13)], name=name), collection=collection) for name in "tu"]
    returned = {(run, name): [node] for run, node in (("a", 1), ("b", 2)) for name in "tu"}
    results = results_of(returned, collection)
    leave(topics, {"submitted": results}, collection, folder)
    runs, source = RunSet("submitted"), tmp_path / "mine-documents"
    scores, _ = scored(folder, runs, ["word_F1"], texts=source)
    files = SimpleNamespace(
        collection=[str(folder / "collection/documents.parquet")],
        assessments=[str(folder / "assessments/all/topics.parquet")],
        runs=str(folder / "runs/submitted.parquet"),
    )
    settings = {"shown": replace(SHOWN, title="Mine"), "unit": "characters", "texts": source}
    specs = [*parse_specs("AP", MEASURES), *parse_specs("word_F1", MEASURES)]  # AP was not scored
    contents = campaign_contents(files, runs, scores, specs, **settings)
    assert contents is not None and list(contents.core["measures"]) == ["word_F1"]
    assert (
        contents.core["signature"].startswith("focuseval ") and " | word_F1 | " in contents.core["signature"]
    )
    values = contents.core["measures"]["word_F1"]["values"]
    assert sorted(map(tuple, values)) == [(0.5, 0.5), (0.5, 0.5)]
    nothing = scores[scores["topic"] == "none"]
    assert campaign_contents(files, runs, nothing, parse_specs("word_F1", MEASURES), **settings) is None

    again, _ = scored(folder, runs, ["char_recall"])
    specs = [
        *parse_specs("word_F1", MEASURES),
        *parse_specs("char_recall", MEASURES),
    ]  # without texts there are no words
    contents = campaign_contents(files, runs, again, specs, **{**settings, "texts": None})
    assert contents is not None and list(contents.core["measures"]) == ["char_recall"]


def test_a_page_without_values_has_reasons_and_no_markup():
    page = without_values("Mine & yours", ["AP: topics without relevant content: <b>1</b>"])
    assert "<title>Mine &amp; yours</title>" in page and "No measure has a value" in page
    assert "<li>AP: topics without relevant content: &lt;b&gt;1&lt;/b&gt;</li>" in page


def test_intervals_of_the_page_are_those_of_the_report():
    scores = table(3, 12)
    standard = ComparisonSettings(name="systems", measure=FIRST)
    report, _ = overview(scores, request(FIRST, SECOND, resamples=standard.resamples))
    specs = [spec for name in (FIRST, SECOND) for spec in parse_specs(name, MEASURES)]
    page = system_columns(scores, specs, sorted(scores["topic"].unique()), None, SHOWN.method)
    for row in report["measures"].to_dict("records"):
        columns, place = page["measures"][row["measure"]], page["runs"].index(row["run"])
        numbers = [columns[name][place] for name in ("mean", "low", "high")]
        assert numbers == pytest.approx([row["mean"], row["low"], row["high"]], abs=1e-6)


def test_runs_with_other_names_of_documents_are_reported():
    rows = [("runs", "strange", "a", 3, ""), ("runs", "refused", "AiP", 1, "no passages")]
    rows += [("runs", "irrelevant", "MAep", 2, "1, 2")]
    notices = pd.DataFrame([("note", "a.xml", "odd"), ("note", "", "all")], columns=COLUMNS)
    assert notes_of(notices, pd.DataFrame(rows, columns=schema.LEFT_OUT.names), ["AiP", "Q"]) == (
        [
            *("a.xml: odd", "all", "AiP: no passages"),
            "no result of a is in a document with judgements; do documents have the same names in the run and in the assessments?",
            "only in the report: Q",
        ],
        ["MAep: topics without relevant content: 1, 2"],
    )
