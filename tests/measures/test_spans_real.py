"""Measures of words, spans and TREC Genomics on the data that their authors published, and their own numbers."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from focuseval.api import compare, read_campaign, score_campaign
from focuseval_papers.importers.acl_verbatim import BENCHMARK, EXTRACTED, SYSTEMS

DATA = Path(__file__).parents[3] / "shared" / "data"
ACL, GENOMICS = DATA / "acl-verbatim", DATA / "trec-genomics-2007"
GOLD_EXTRACTION = ACL / EXTRACTED

#: our measures by the columns of the published table
COLUMNS = {
    "word_p": "word_precision(average=micro)",
    "word_r": "word_recall(average=micro)",
    "word_f1": "word_F1(average=micro)",
    "iou_f1_0.5": "span_F1@0.5",
    "containment_f1_1.0": "contained_F1@1.0",
    "goldcov_0.8": "gold_coverage@0.8",
    "any_overlap": "any_overlap",
    "overpred": "over_prediction",
}

#: means over the 36 topics of the five lists, added up from what the track's program prints for each
PRINTED = {
    "DOCUMENT": (0.10857158, 0.15876452, 0.15561754, 0.20132516, 0.20690795),
    "PASSAGE": (0.01696307, 0.04520225, 0.04339176, 0.06482101, 0.06366208),
    "PASSAGE2": (0.00941357, 0.03327903, 0.03279986, 0.05783347, 0.06385675),
    "ASPECT": (0.02439127, 0.06160579, 0.06560819, 0.12082958, 0.14868002),
}


def place_of(text, chunk):
    """Return the place of gold in its chunk: exact, else ignoring case, else also ignoring white space."""
    for part, whole in ((text, chunk), (text.lower(), chunk.lower())):
        if (start := whole.find(part)) >= 0:
            return start, start + len(part)
    match = re.search(r"\s+".join(map(re.escape, text.split())), chunk, re.IGNORECASE)
    return match.span()


@pytest.fixture(scope="module")
def verbatim(tmp_path_factory):
    """Return ACL-Verbatim as a campaign: a chunk is a document, a query a topic."""
    if not ACL.exists():
        pytest.skip("the acl-verbatim data is not in ../shared")
    folder = tmp_path_factory.mktemp("verbatim")
    (folder / "chunks").mkdir()
    (folder / "runs").mkdir()
    topics, gold = {}, []
    for line in (ACL / BENCHMARK).read_text(encoding="utf-8").splitlines():
        query = json.loads(line)
        topic = topics[query["query"]] = f"q{len(topics) + 1}"
        gold.append({"topic": topic})
        for row in query["results"]:
            name = f"{row['document_id']}#{row['chunk_number']}.txt"
            (folder / "chunks" / name).write_text(row["chunk"], encoding="utf-8", newline="")
            for text in row["gold_extraction"]:
                start, end = place_of(text, row["chunk"])
                gold.append({"topic": topic, "document": name, "start": start, "end": end})
    (folder / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in gold))
    for system, file in SYSTEMS.items():
        text = (GOLD_EXTRACTION / file).read_text(encoding="utf-8")
        records = (
            json.loads(text)["records"] if file.endswith(".json") else map(json.loads, text.splitlines())
        )
        with open(folder / "runs" / f"{system}.jsonl", "w", encoding="utf-8") as out:
            for row in records:
                name = f"{row['paper_id']}#{row['chunk_index']}.txt"
                for span in row.get("predicted_spans", row.get("pred_spans")) or []:
                    place = {"start": span["start"], "end": span["end"]}
                    line = {"run": system, "topic": topics[row["query"]], "document": name, **place}
                    out.write(json.dumps(line) + "\n")
    return {
        "assessments": folder / "gold.jsonl",
        "runs": folder / "runs",
        "collection": folder / "chunks",
    }


def test_every_cell_of_the_published_table(verbatim):
    campaign = read_campaign(**verbatim)
    assert sum(len(topic.spans) for topic in campaign.topics if topic.spans is not None) == 78
    scores = score_campaign(campaign, list(COLUMNS.values()))
    values = {(run, measure): value for run, _, measure, value in scores.table()}
    cells = 0
    with open(GOLD_EXTRACTION / "summary.csv", encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            for column, measure in COLUMNS.items():
                assert values[row["model"], measure] == pytest.approx(float(row[column]), abs=1e-9)
                cells += 1
    assert cells == 80


def test_the_winner_is_not_separable_from_the_next_four(verbatim):
    winner = "ACL-Verbatim ModernBERT reranker"
    comparison = compare(["word_F1(average=micro)"], baseline=winner, **verbatim)
    best = comparison.systems.sort_values("mean", ascending=False).reset_index(drop=True)
    assert best.loc[0, "run"] == winner
    assert best.loc[0, ["mean", "low", "high"]].tolist() == pytest.approx([0.536, 0.345, 0.643], abs=0.001)
    next_four = comparison.pairs.set_index("run").loc[best.loc[1:4, "run"]]
    assert (next_four["high"] > 0).all() and (next_four["p"] > 0.05).all()


@pytest.fixture(scope="module")
def genomics():
    if not GENOMICS.exists():
        pytest.skip("the trec-genomics-2007 data is not in ../shared")
    runs = [GENOMICS / f"Data/output-york07-ga-0{number}.txt" for number in range(1, 6)]
    campaign = read_campaign(assessments=GENOMICS / "gold-standard-07.txt", runs=runs)
    assert sum(len(topic.spans) for topic in campaign.topics if topic.spans is not None) == 4492
    scores = score_campaign(campaign, list(PRINTED))
    return {(run, topic, name): value for run, topic, name, value in scores.table(per_topic=True)}


def test_means_are_those_of_the_program_of_the_track(genomics):
    for name, means in PRINTED.items():
        means_of_runs = [
            value for (_, topic, measure), value in genomics.items() if (topic, measure) == ("all", name)
        ]
        assert means_of_runs == pytest.approx(means, abs=1.1e-8)


def test_every_topic_is_that_of_the_track_s_program(genomics):
    """The program reads the gold in the encoding of the machine; it is Latin-1."""
    gold, run = GENOMICS / "gold-standard-07.txt", GENOMICS / "Data" / "output-york07-ga-05.txt"
    program = (
        "import builtins, functools, sys; sys.argv[1:] = sys.argv[2:]; plain = builtins.open;"
        "builtins.open = functools.partial(plain, encoding='latin-1');"
        f"exec(compile(plain({str(GENOMICS / 'trecgen2007_score.py')!r}).read(), 'program', 'exec'))"
    )
    output = subprocess.run(
        [sys.executable, "-c", program, "program", str(gold), str(run)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    compared = 0
    for line in output.splitlines()[1:]:
        _, measure, topic, number = (field.strip() for field in line.split("\t"))
        if topic != "MAP":  # the rows MAP repeat the mean of DOCUMENT
            assert genomics[run.stem, topic, measure] == pytest.approx(float(number), abs=5.1e-9)
            compared += 1
    assert compared == 4 * 36
