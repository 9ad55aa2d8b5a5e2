"""BioASQ: the importer, and the program's numbers against a literal implementation on random snippets."""

import json
import os
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError, InputWarning
from focuseval_papers.importers import bioasq
from focuseval_papers.publication.paper import load
from focuseval_papers.workflow.sources import provide, read_sources
from tests.papers import materials
from tests.papers.public import ROOT, SHARED, material
from tests.snapshots import check

CAMPAIGN = "bioasq-12b-snippets"
GOLD_ADDRESS, OTHER_ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/{}", "https://pubmed.ncbi.nlm.nih.gov/{}/"

#: known means of the corrected measures ap_once, f1_once and aip_once
CORRECTED = {
    "batch_1/mibi_rag_abstract": (0.0209, 0.0398, 0.0199),
    "batch_1/mibi_rag_snippets": (0.0209, 0.0398, 0.0199),
    "batch_3/mibi_rag_3": (0.0702, 0.1640, 0.1003),
    "batch_3/mibi_rag_4": (0.0992, 0.2019, 0.1386),
    "batch_3/mibi_rag_5": (0.0700, 0.1460, 0.0887),
    "batch_3/mibi_rag_abstract": (0.0991, 0.2018, 0.1385),
    "batch_4/mibi_rag_4": (0.0824, 0.0914, 0.0644),
    "batch_4/mibi_rag_abstract": (0.0824, 0.0914, 0.0644),
    "batch_4/mibi_rag_snippets": (0.0803, 0.0902, 0.0608),
}


def test_the_numbers_of_the_program_and_the_corrected_ones(tmp_path):
    sources = read_sources(f"{ROOT}/config/sources/{CAMPAIGN}.csv")
    try:
        provide(CAMPAIGN, sources, tmp_path / "sources", Path(os.environ.get("FOCUSEVAL_DATA") or SHARED))
    except InputError as error:
        reason = str(error).partition("\n")[0]
        pytest.skip(f"the gold of {CAMPAIGN} is for who has registered: {reason}")
    frames = load("bioasq2024").analyse(
        material(load("bioasq2024"), CAMPAIGN, tmp_path / "sources", tmp_path)
    )
    means = frames["means"]
    printed = means.dropna(subset="printed")
    assert len(printed) == 45 and printed["difference"].abs().max() <= 0.51e-4
    ours = means.pivot(index="run", columns="measure", values="reproduced")
    for run, corrected in CORRECTED.items():
        values = ours.loc[run, ["ap_once", "f1_once", "aip_once"]]
        assert values.tolist() == pytest.approx(corrected, abs=0.51e-4), run
    agreement = frames["agreement"].set_index(["group", "measure"])
    for measure in ("MAP as documented", "ap_once", "aip_once", "f1_once"):
        assert agreement.at[("batch_3", measure), "swapped"] == 3
    highest = means.set_index(["measure", "run"]).loc["MAP", "highest_topic"]
    assert max(highest.filter(like="batch_3")) == pytest.approx(1.31, abs=0.0051)
    assert max(highest.filter(like="batch_4")) == pytest.approx(1.86, abs=0.0051)


# ------------------------------------------------------------- the program, literally
# A snippet is (address, section, first character, last character).


def shared(one, other):
    """Count the characters that two snippets share; the end is inclusive."""
    if one[1] != other[1]:
        return 0
    return len({*range(one[2], one[3] + 1)} & {*range(other[2], other[3] + 1)})


def size(snippets):
    return sum(end - start + 1 for _, _, start, end in snippets)


def literal_joined(snippets):
    """Join snippets like the program: after a join it goes on at the second snippet; it makes two passes."""
    joined_snippets = list(snippets)
    for _ in range(2):
        i = 0
        while i < len(joined_snippets):
            j = 0
            while j < len(joined_snippets):
                if (
                    i != j
                    and joined_snippets[i][0] == joined_snippets[j][0]
                    and shared(joined_snippets[i], joined_snippets[j])
                ):
                    address, section, start, end = joined_snippets[i]
                    joined_snippets[i] = (
                        address,
                        section,
                        min(start, joined_snippets[j][2]),
                        max(end, joined_snippets[j][3]),
                    )
                    del joined_snippets[j]
                    j = 0
                j += 1
            i += 1
    return joined_snippets


def last(address):
    return [part for part in address.split("/") if part][-1]


def literal_values(gold, run):
    """Return the program's values for a question, and the values that its documentation describes."""
    gold, run = literal_joined(gold), literal_joined(run)
    common = sum(shared(one, other) for one in run for other in gold if last(one[0]) == last(other[0]))
    precision, recall = common / max(size(run), 1), common / size(gold)
    values = {"P": precision, "R": recall, "F1": 0.0, "MAP": 0.0, "MAP as documented": 0.0}
    if common:
        values["F1"] = 2 * precision * recall / (precision + recall)
    for rank in range(1, len(run) + 1):
        shared_so_far = sum(shared(one, other) for one in run[:rank] for other in gold if one[0] == other[0])
        share = shared_so_far / size(run[:rank]) / min(10, len(gold))
        met = [other for other in gold if run[rank - 1][0] == other[0]]
        values["MAP"] += share * bool(met)
        values["MAP as documented"] += share * any(shared(run[rank - 1], other) for other in met)
    return values


# ------------------------------------------------------------------------ made files


def snippet(address, section, start, end):
    sections = {"beginSection": section, "endSection": section}
    return {"document": address, **sections, "offsetInBeginSection": start, "offsetInEndSection": end}


def write_questions(path, questions):
    path.parent.mkdir(parents=True, exist_ok=True)
    listed = [
        {"id": name, "snippets": [snippet(*of) for of in snippets]} for name, snippets in questions.items()
    ]
    path.write_text(json.dumps({"questions": listed}), encoding="utf-8")


def random_snippets(rng, most, address=GOLD_ADDRESS, longest=8):
    """Draw snippets of four documents; many overlap, or begin at or right after the end of another."""
    snippets = []
    for _ in range(int(rng.integers(0, most + 1))):
        start = int(rng.integers(0, 30))
        section = str(rng.choice(["abstract", "abstract", "title"]))
        snippets.append(
            (address.format(rng.integers(4)), section, start, start + int(rng.integers(1, longest + 1)))
        )
    return snippets


def write_batches(files, rng):
    """Write files of three batches; return the snippets of the gold and of each run by batch."""
    written = defaultdict(dict)
    for batch, address in (("1", OTHER_ADDRESS), ("3", GOLD_ADDRESS), ("4", GOLD_ADDRESS)):
        names = [f"q{i}" for i in range(25)]
        gold = {
            name: random_snippets(rng, 16, longest=30) or [(GOLD_ADDRESS.format(0), "title", 0, 5)]
            for name in names
        }
        write_questions(files / bioasq.GOLD.format(batch), gold)
        written[batch]["gold"] = gold
        for run in ("mibi_rag_3", "mibi_rag_abstract"):
            snippets = {name: random_snippets(rng, 10, address, 4) for name in names}
            write_questions(files / f"submissions/bioasq_task_12b_phase_a_batch_{batch}_{run}.json", snippets)
            written[batch][run] = snippets
    return written


def test_every_question_has_the_values_of_the_program(tmp_path):
    written = write_batches(tmp_path / "files", np.random.default_rng(0))
    frames = load("bioasq2024").analyse(
        material(load("bioasq2024"), CAMPAIGN, tmp_path / "files", tmp_path / "left")
    )
    values = frames["values"].set_index(["run", "topic", "measure"])["value"].sort_index()
    above, different = 0, 0
    for batch, of in written.items():
        for run in ("mibi_rag_3", "mibi_rag_abstract"):
            for question, gold in of["gold"].items():
                expected = literal_values(gold, of[run][question])
                ours = values[f"batch_{batch}/{run}", f"batch_{batch}/{question}"]
                assert ours[[*expected]].to_dict() == pytest.approx(expected, abs=1e-12), (batch, question)
                above += expected["MAP"] > 1
                different += expected["MAP"] > expected["MAP as documented"]
                if batch == "1":
                    assert expected["MAP"] == 0
    assert above and different > 20


@pytest.mark.parametrize("seed", range(6))
def test_snippets_are_joined_as_the_program_does(seed):
    snippets = random_snippets(np.random.default_rng(seed), 25)
    snippets = [of for of in snippets if of[1] == "title"]  # the sections were separated before
    table = pd.DataFrame(snippets, columns=["address", "section", "start", "end"]).assign(run="", topic="t")
    table = table.astype({"start": int, "end": int})
    rows = bioasq.joined(table)[["address", "start", "end"]].itertuples(index=False, name=None)
    assert [*rows] == [(of, start, end + 1) for of, _, start, end in literal_joined(snippets)]


def lines(path):
    read = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [(one["topic"], one["document"], one["start"], one["end"]) for one in read]


def test_views_by_hand(tmp_path):
    """The first two share character 9 if an end is inclusive; the third begins after it; a title is separate."""
    files, out, address = tmp_path / "files", tmp_path / "out", GOLD_ADDRESS.format(7)
    gold = [(address, "abstract", 5, 9), (address, "abstract", 9, 12), (address, "abstract", 13, 15)]
    write_questions(files / bioasq.GOLD.format(3), {"a": [*gold, (address, "title", 0, 6)]})
    other = OTHER_ADDRESS.format(7)
    write_questions(
        files / "submissions/bioasq_task_12b_phase_a_batch_3_r.json", {"a": [(other, "abstract", 5, 9)]}
    )
    bioasq.write(files, out)
    check(materials.files_text(out), Path(__file__).with_name("snapshots") / "bioasq.txt")


def test_unusable_snippets_are_refused_and_omitted_ones_reported(tmp_path):
    address = GOLD_ADDRESS.format(7)
    run = tmp_path / "submissions/bioasq_task_12b_phase_a_batch_3_r.json"
    write_questions(tmp_path / bioasq.GOLD.format(3), {"a": [(address, "title", 0, 6)]})
    whole = snippet(address, "title", 0, 6)
    run.parent.mkdir()
    for changed in ({"offsetInEndSection": "6"}, {"document": None}):
        run.write_text(json.dumps({"questions": [{"id": "a", "snippets": [whole, {**whole, **changed}]}]}))
        [key] = changed
        with pytest.raises(InputError, match=rf"batch_3_r\.json, question a, snippet 2, {key}: the value is"):
            bioasq.write(tmp_path, tmp_path / "out")
    odd = [{**whole, "endSection": "abstract"}, {**whole, "offsetInBeginSection": 9}]
    run.write_text(json.dumps({"questions": [{"id": "a", "snippets": [whole, *odd]}]}))
    message = r"inside a section \(1\); snippets that end before they begin are left out \(1\)"
    with pytest.warns(InputWarning, match=message):
        bioasq.write(tmp_path, tmp_path / "out")
    assert lines(tmp_path / "out/runs/batch_3-r.jsonl") == [
        ("batch_3/a", "7", 1_000_000, 1_000_006),
        ("batch_3/a", "7", 0, 6),
    ]


# ------------------------------------------------------------------- gold of its owner


def test_gold_is_for_who_has_registered():
    gold = [
        source.path for source in read_sources(f"{ROOT}/config/sources/{CAMPAIGN}.csv") if source.registration
    ]
    assert gold == [bioasq.GOLD.format(batch) for batch in (1, 3, 4)]
