import csv
import warnings
from pathlib import Path

import pytest

from focuseval.errors import InputError, InputWarning
from focuseval.formats.inex import read_topics
from focuseval.formats.readers import read_assessments
from focuseval_papers.importers import evidence_inference
from focuseval_papers.workflow.configuration import read_campaign_file
from focuseval_papers.workflow.sources import provide, read_sources
from tests.folders import write_files
from tests.papers import materials
from tests.papers.public import shared
from tests.snapshots import check

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared/data/evidence-inference"

PROMPTS = ["PromptID", "PMCID", "Outcome", "Intervention", "Comparator"]
ANNOTATIONS = [
    "UserID", "PromptID", "PMCID", "Valid Label", "Valid Reasoning", "Label", "Annotations", "Label Code",
    "In Abstract", "Evidence Start", "Evidence End",
]  # fmt: skip

XML = "<article><p>No <b>pain</b>, no gain.</p>\n<p>No pain.</p><p>Glycated: 7&#8201;%.</p></article>"
PLAIN = "TITLE:\nNo pain, no gain.\n\nNo pain.\n\nGlycated: 7 %."


def table(path, columns, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as out:
        written = csv.DictWriter(out, columns, restval="")
        written.writeheader()
        written.writerows(rows)


def marked(prompt, user, text, number=0, valid=True):
    """Return an annotation of the occurrence ``number`` of ``text`` in the plain text."""
    start = -1
    for _ in range(number + 1):
        start = PLAIN.find(text, start + 1)
    assert start >= 0
    end = start + len(text)
    return {
        "UserID": user, "PromptID": prompt, "PMCID": 7, "Valid Reasoning": valid, "Evidence Start": start,
        "Evidence End": end,
    }  # fmt: skip


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "in/annotations"
    write_files(folder, {"xml_files/PMC7.nxml": XML, "txt_files/PMC7.txt": PLAIN})
    outcomes = {1: "Pain (VAS)", 2: "HbA1c", 3: "height"}
    table(
        folder / "prompts_merged.csv",
        PROMPTS,
        [{"PromptID": prompt, "PMCID": 7, "Outcome": outcome} for prompt, outcome in outcomes.items()],
    )
    return tmp_path / "in"


def written(files, annotations):
    table(files / "annotations/v2_annotations.csv", ANNOTATIONS, annotations)
    out = files.parent / f"out{len(list(files.parent.iterdir()))}"
    out.mkdir()
    evidence_inference.write(files, out)
    (out / "topics.xml").unlink()  # another test compares the topics of the published data
    return out


def test_passages_are_found_in_the_xml(files):
    """White space is ignored; the number chooses among places; exhaustivity counts annotators."""
    annotations = [
        *(marked(2, 0, "7 %"), marked(3, 0, "gain"), marked(1, 0, "gain", valid=False)),
        marked(1, 0, "No pain", number=1),
    ]
    of_one = [marked(1, 0, "No pain"), marked(1, 0, "pain, no"), marked(1, 3, "gain")]
    texts = [materials.files_text(written(files, annotations))]
    texts.append(materials.files_text(written(files, [*of_one, marked(1, 5, "No pain", number=1)])))
    with pytest.warns(
        InputWarning, match=r"PMC7: .* annotator 0 marked for prompt 1 is left out, .*0 to 11 "
    ):
        texts.append(
            materials.files_text(written(files, [marked(1, 0, "TITLE:\nNo p"), marked(1, 0, "gain")]))
        )
    check("\n".join(texts), Path(__file__).with_name("snapshots") / "evidence-inference.txt")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Evidence Start": "x"}, "line 2: the column Evidence Start has 'x'; expected a whole number"),
        (None, "line 1: the table has no column Evidence Start; expected the table as it was published"),
    ],
)
def test_tables_that_cannot_be(files, change, message):
    path = files / "annotations/v2_annotations.csv"
    if change is None:
        table(path, [name for name in ANNOTATIONS if name != "Evidence Start"], [])
    else:
        table(path, ANNOTATIONS, [marked(1, 0, "gain") | change])
    (files.parent / "out").mkdir()
    with pytest.raises(InputError, match=message):
        evidence_inference.write(files, files.parent / "out")


# the published data


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    shared(SHARED.name)
    folder = tmp_path_factory.mktemp("imported")
    path = ROOT / "config/campaigns/evidence-inference.yaml"
    table = read_campaign_file(path).sources
    provide("evidence-inference", read_sources(str(path.parent / table)), folder / "in", SHARED.parent)
    (folder / "out").mkdir()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evidence_inference.write(folder / "in", folder / "out")
    return folder / "out", [str(one.message) for one in caught]


def test_one_passage_of_the_published_data_has_no_place(imported):
    [warning] = imported[1]
    assert warning.startswith(
        "PMC5807625: the passage that annotator 0 marked for prompt 12628 is left out, because characters 17305 "
    )
    with open(imported[0].parent / "in/annotations/v2_annotations.csv", encoding="utf-8", newline="") as rows:
        assert len(list(csv.DictReader(rows))) == 4876


def test_topics_equal_those_of_the_earlier_program(imported):
    assert read_topics(imported[0] / "topics.xml").equals(read_topics(SHARED / "topics.xml"))


#: The only difference: a sentence of this report stands in a paragraph and in the caption behind it. The plain text has
#: both, too, and what was marked is the first; the files that were made before have the second.
TWICE = ("9038", "PMC3691658")


def test_passages_equal_those_of_the_earlier_program_except_one(imported):
    imported_now, before = (
        (folder / "qrels.fol.txt").read_text().splitlines() for folder in (imported[0], SHARED)
    )
    assert len(imported_now) == len(before) == 767
    [(ours, theirs)] = [pair for pair in zip(imported_now, before, strict=True) if pair[0] != pair[1]]
    assert ours == "9038 Q0 PMC3691658 248 42747 2285 2285:106 15202:142"
    assert theirs == "9038 Q0 PMC3691658 248 42747 2285 2285:106 15831:142"


def test_assessments_equal_those_of_the_earlier_program(imported):
    def judgements(folder):
        frame = read_assessments(folder / "assessments").elements
        columns = ["topic", "document", "path", "exhaustivity", "specificity"]
        return set(frame[columns].astype(object).itertuples(index=False, name=None))

    imported_now, before = judgements(imported[0]), judgements(SHARED)
    assert len(before) == 6731
    assert {row[:2] for row in imported_now ^ before} == {TWICE}
    section = "/article[1]/body[1]/sec[3]/sec[1]"
    assert {row[2] for row in imported_now - before} == {f"{section}/p[1]"}
    assert {row[2] for row in before - imported_now} == {
        f"{section}/fig[1]", f"{section}/fig[1]/caption[1]", f"{section}/fig[1]/caption[1]/p[1]",
    }  # fmt: skip
