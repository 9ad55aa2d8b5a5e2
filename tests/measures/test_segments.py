"""Measures of segments by hand, and the numbers of MediaEval 2014's program."""

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import focuseval
from focuseval.errors import InputError
from focuseval.measures import MEASURES, parse_specs
from tests.passages import list_of, topic_of

DATA = Path(__file__).parents[3] / "shared" / "data" / "mediaeval-2014-search"


def specs_of(*names):
    return [spec for name in names for spec in parse_specs(name, MEASURES)]


def test_text_that_is_returned_again_is_worth_nothing():
    """Two results in one of two gold segments: counted once, AP is (1 + 2/3) / 2; twice, it exceeds 1."""
    topic = topic_of([100, 100], [(0, 10, 20), (1, 0, 30)])
    results = list_of([(0, 0, 15), (0, 5, 25), (1, 0, 10), (1, 10, 20)])
    once, every, at, last = specs_of(
        "AP(relevant=touches,credit=once)",
        "AP(relevant=touches,credit=every)",
        "P(relevant=touches,credit=once)@2",
        "P(relevant=touches,credit=every)@2",
    )
    assert once.value(topic, results) == pytest.approx((1 + 2 / 3) / 2)
    assert every.value(topic, results) == 2.0
    assert (at.value(topic, results), last.value(topic, results)) == (0.5, 1.0)


def test_a_perfect_list_without_overlap_scores_1():
    topic = topic_of([100], [(0, 10, 20), (0, 40, 80)])
    results = list_of([(0, 40, 80), (0, 10, 20)])
    for spec in specs_of(
        "AP(relevant=touches,credit=once)",
        "P(relevant=touches,credit=once)@2",
        "tolerant_AP",
        "MAiSP",
        "MAiSP(watcher=sh_eval)",
    ):
        assert spec.value(topic, results) == pytest.approx(1.0), spec.name


def test_an_unresolved_result_finds_nothing_and_takes_its_place():
    topic = topic_of([100], [(0, 0, 20)])
    results = list_of([(-1, None, None), (0, 0, 20)])
    expected = {
        "AP(relevant=touches,credit=once)": 0.5,
        "AP(relevant=adjoins)": 0.5,
        "bin_AP": 0.5,
        "tolerant_AP": 0.5,
    }
    for spec in specs_of(*expected):
        assert spec.value(topic, results) == expected[spec.asked]


# -- the program of MediaEval 2014, on its own data


def seconds(minutes):
    """Return the seconds of a time written ``minutes.seconds``."""
    whole, _, rest = minutes.partition(".")
    return 60 * int(whole) + int(rest or 0)


#: our measures by the program's name and version: the last version, and that of the published numbers
ORIGINAL = {
    ("map", "6e84c84"): "AP(relevant=adjoins,credit=every,gold=joined)",
    ("P_5", "6e84c84"): "P(relevant=adjoins,credit=every)@5",
    ("P_20", "5f7b065"): "P(relevant=adjoins,credit=every)@20",
    ("map_bin", "5f7b065"): "bin_AP",
    ("P_10_bin", "5f7b065"): "bin_P@10",
    ("map_bin", "6e84c84"): "bin_AP(binned=start)",
    ("map_tol", "5f7b065"): "tolerant_AP(gold=joined)",
    ("P_10_tol", "5f7b065"): "tolerant_P(gold=joined)@10",
    ("map_tol", "6e84c84"): "tolerant_AP(windows=closed,gold=joined)",
    ("maisp", "5f7b065"): "MAiSP(watcher=sh_eval)",
    ("ap_once", ""): "AP(relevant=touches,credit=once,gold=joined)",
    ("aip_once", ""): "AiP",
    ("aip_charged", ""): "AiP(again=charged)",
    ("f1_once@10", ""): "char_F1@10",
    ("f1_once@all", ""): "char_F1",
    ("precision_once@10", ""): "char_precision@10",
    ("recall_once@100", ""): "char_recall@100",
}


@pytest.mark.skipif(not DATA.is_dir(), reason=f"NOT RUN: {DATA} is not there")
def test_every_value_of_the_program():
    """All topics of all runs that have values, to ten decimals."""
    number = defaultdict(lambda: len(number))
    gold = defaultdict(list)
    for line in (DATA / "test_data" / "me14sh_search_testSet.qrel").read_text().splitlines():
        topic, _, video, start, end, relevance = line.split()
        if relevance == "1":
            gold[topic].append((number[video], seconds(start), seconds(end)))
    expected = defaultdict(lambda: defaultdict(dict))
    with (DATA / "expected.csv").open() as stream:
        for row in csv.DictReader(stream):
            for (measure, version), name in ORIGINAL.items():
                if row["measure"] == measure and version in row["source"] and row["kind"] != "published":
                    expected[row["run"], row["topic"]][name][row["source"]] = float(row["value"])
    specs = specs_of(*ORIGINAL.values())
    topics = {topic: topic_of([1] * len(number), segments) for topic, segments in gold.items()}
    compared = 0
    for name in sorted({run for run, _ in expected if run.endswith("over.txt")}):
        lists = defaultdict(list)
        for line in (DATA / "test_data" / name).read_text().splitlines():
            topic, _, video, start, end, _, rank, *_ = line.split()
            lists[topic].append((int(rank), (number[video], seconds(start), seconds(end))))
        values = defaultdict(list)
        for topic, of_topic in topics.items():
            results = list_of([segment for _, segment in sorted(lists[topic])])
            for spec in specs:
                values[spec.name].append(spec.value(of_topic, results))
                for printed_value in expected[name, topic][spec.asked].values():
                    assert values[spec.name][-1] == pytest.approx(printed_value, abs=6e-11), (
                        name,
                        topic,
                        spec.name,
                    )
                    compared += 1
        for spec in specs:
            for printed_value in expected[name, "all"][spec.asked].values():
                assert np.mean(values[spec.name]) == pytest.approx(printed_value, abs=6e-11), (
                    name,
                    spec.name,
                )
        if name.startswith("galuskacova"):  # as published, CEUR-WS 1263
            printed = {
                "AP(relevant=adjoins,credit=every,gold=joined)": 4.3527,
                "bin_AP(binned=start)": 0.4150,
            }
            for measure, mean in printed.items():
                assert np.mean(values[measure]) == pytest.approx(mean, abs=5e-5)
    assert compared > 2500


def test_more_bins_than_any_recording_has_are_refused():
    """A result or gold ends at the largest offset; no memory is allocated for it."""
    short, long = ({"topic": "q", "document": "a", "start": 0, "end": end} for end in (10, 10**15 - 1))
    for gold, result in ((short, long), (long, short)):
        for measure in ("bin_AP", "bin_AP(length=7)@3", "bin_P@3"):
            with pytest.raises(InputError, match=r"bins of (7|300) units, more than 10,000,000"):
                focuseval.score(measure, gold=[gold], runs={"r": [result]})
        assert focuseval.score("bin_AP(binned=start)", gold=[gold], runs={"r": [result]}).value[0] == 1
