import gzip
import io
import tarfile
import zipfile

import pytest

from focuseval.errors import InputError
from focuseval.formats.checking import check, recognise

from .test_assessments import FOL, INEX2002, INEX2003, INEX2005, TSV
from .test_runs import DOCUMENTS, ELEMENTS, PASSAGES, SUBMISSION
from .test_topics import TOPIC_2002, TOPIC_2003, TOPICS_2009


def archive(kind: str, xml: bytes = b"<a>x</a>") -> bytes:
    """An archive of one document, without the time: tests are named by it."""
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as packed:
            packed.writestr(zipfile.ZipInfo("d/1.xml"), xml)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w") as packed:
        info = tarfile.TarInfo("d/1.xml")
        info.size = len(xml)
        packed.addfile(info, io.BytesIO(xml))
    return gzip.compress(out.getvalue(), mtime=0)


KINDS = {
    "inex2002 assessments": [INEX2002],
    "inex2003 assessments": [INEX2003],
    "inex assessments without judgements": ['<assessments topic="1"><file file="d"/></assessments>'],
    "inex2005 assessments": [INEX2005, '<assessments topic="1"><file name="d"/></assessments>'],
    "fol qrels": [FOL, "1 Q0 d 0 10\n"],
    "assessments table": [TSV],
    "inex submission": [
        SUBMISSION,
        "\ufeff" + SUBMISSION.partition("\n")[2],
        SUBMISSION[39:].encode("utf-16"),
    ],
    "trec run with XPaths": [
        ELEMENTS,
        ELEMENTS.replace(" ", "\t"),
        "\n" + ELEMENTS + "odd\n",
        b"\xff" + ELEMENTS.encode(),
    ],
    "trec run with offsets": [PASSAGES],
    "trec run of whole documents": [DOCUMENTS],
    "inex topics": [TOPIC_2002, TOPIC_2003, TOPICS_2009],
    "collection archive": [archive("zip"), archive("tar")],
    "XML document": ["<article><bdy>&nbsp;</bdy></article>", "<!-- topic document path --><a/>"],
}


@pytest.mark.parametrize(("kind", "content"), [(kind, content) for kind in KINDS for content in KINDS[kind]])
def test_recognised_by_content(file, kind, content):
    assert recognise(file(content, "anything.txt")) == kind


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "an empty file; give a file with something in it"),
        ("Dear all,\n", "text of 2 columns; expected a run"),
        ("Dear all,\n", "XML or JSON lines (one object on each line)"),
        ('[{"topic": "q", "document": "d", "start": 0, "end": 9}]\n', "a JSON array; give JSON lines"),
        ('[\n  {"topic": "q"}\n]\n', "a JSON array; give JSON lines"),
        (
            "1 0 d 1\n",
            'TREC qrels of whole documents; make FOL qrels of them with a line of awk: docs/formats.md, "TREC qrels"',
        ),
        (archive("zip")[:40], "no complete .tar.gz or .zip; unpack it, or get the archive again"),
        (archive("tar")[:20], "no complete .tar.gz or .zip; unpack it, or get the archive again"),
        ("<", "the file seems to be cut off"),
    ],
)
def test_not_recognised(file, content, message):
    path = file(content, "odd")
    with pytest.raises(InputError) as error:
        recognise(path)
    assert str(path) in str(error.value)
    assert message in str(error.value)
    assert check(path) == ("not recognised", error.value.problems)


@pytest.mark.parametrize(
    ("content", "description"),
    [
        (INEX2003, "inex2003 assessments; topics: 1, judgements: 2"),
        (FOL, "fol qrels; topics: 2, judgements: 3"),
        (TSV, "assessments table; topics: 2, judgements: 2"),
        (ELEMENTS, "trec run with XPaths; topics: 2, results: 3"),
        (TOPICS_2009, "inex topics; topics: 2"),
        (archive("zip"), "collection archive; documents: 1"),
        (archive("tar"), "collection archive; documents: 1"),
        ("<article>&nbsp;</article>", "XML document"),
    ],
)
def test_nothing_is_wrong(file, content, description):
    assert check(file(content)) == (description, [])


@pytest.mark.parametrize(
    ("content", "kind", "where", "found"),
    [
        (ELEMENTS.replace(" 2 8.5", " 1 8.5"), "trec run with XPaths", "line 1", "all results of topic 1 have the rank 1"),
        (ELEMENTS + "1 Q0 d 3 nan me /a\n", "trec run with XPaths", "line 4", "score is 'nan'"),
        (ELEMENTS + "1 Q0 a/d1 3 1 me /article[1]/p[2]\n", "trec run with XPaths", "line 4", "warning: a result of document a/d1 again"),
        (ELEMENTS + "1 Q0 a/d1 3 1 me //p\n", "trec run with XPaths", "line 4", "warning: the path is '//p'"),
        (PASSAGES.replace("X X", "0 0").replace("-1 18", "0 1"), "trec run with offsets", "line 2", "warning: a passage of document d2 without a character"),
        (PASSAGES.replace("X X", "0 9").replace("3 8 me -1 18", "1 8 me 0 1"), "trec run with offsets", "", "warning: ranks fall"),
        (PASSAGES.replace("X X", "0 9"), "trec run with offsets", "line 3", "warning: an unresolvable passage of document d2"),
        (FOL + "7 Q0 d2 0 80\n", "fol qrels", "", "warning: 1 judgements stand there twice"),
        (INEX2002.replace('"N"', '"E"'), "inex2002 assessments", "line 7", "only one of them is zero"),
        ("<article>\n&nothing;</article>", "XML document", "line 2", "nothing"),
        (archive("tar", b"<a>"), "collection archive", "", ""),
    ],
)  # fmt: skip
def test_something_is_wrong(file, content, kind, where, found):
    path = file(content)
    description, problems = check(path)
    assert description.startswith(kind)
    (problem,) = problems
    assert problem.source.startswith(str(path))
    if where:
        assert problem.where.startswith(where)
    assert found in problem.found
    assert problem.expected


def test_cut_archive(file):
    content = archive("tar", bytes(range(256)) * 1000)
    description, problems = check(file(content[: len(content) // 2]))
    assert (description, len(problems)) == ("collection archive", 1)


def test_directory(file):
    file(ELEMENTS, "folder/a")
    folder = file("1 0 d 1\n", "folder/b").parent
    description, problems = check(folder)
    assert description == "directory; files: 2"
    assert [problem.source for problem in problems] == [str(folder / "b")]


def test_shared_data(shared):
    for path in sorted(shared.glob("[ei]*/*")):
        if path.is_file() and path.suffix != ".gz":
            _, problems = check(path)
            assert all(problem.found.startswith("warning") for problem in problems), problems
