import math
import shutil

import numpy as np
import pandas as pd
import pytest

from focuseval.api import score
from focuseval.errors import InputError
from focuseval.formats.assessments import FORMATS, read_assessments
from focuseval.formats.assessments_tsv import write_assessments_tsv
from focuseval.formats.checking import check, recognise
from focuseval.formats.qrels_fol import write_qrels_fol
from focuseval.formats.raw import notes_on
from focuseval.model.judgements import TOO_SMALL

INEX2002 = """<?xml version="1.0"?>
<assessments topic="31">
  <file file="an/1995/a1004">
    <path path="/article[1]" relevance="3" coverage="L"/>
    <path path="/article[1]/bdy[1]" relevance="3" coverage="E"/>
    <path path="/article[1]/bdy[1]/sec[1]" relevance="1" coverage="S"/>
    <path path="/article[1]/bdy[1]/sec[2]" relevance="0" coverage="N"/>
    <path path="/article[1]/bdy[1]/sec[3]" relevance="U" coverage="U"/>
  </file>
</assessments>
"""
INEX2003 = """<?xml version="1.0"?>
<!DOCTYPE assessments SYSTEM "../../assessments.dtd">
<assessments pool='12' topic='91'>
\t\t<file file='an/1995/a1004'>
\t\t\t<path path='/article[1]' exhaustiveness='2' specificity='1' inferred='true'/>
\t\t\t<path path='/article[1]/bdy[1]' exhaustiveness='0' specificity='0' inpool='true'/>
\t\t\t<path path='/article[1]/bdy[1]/sec[1]'/>
\t\t\t<path path='/article[1]/bdy[1]/sec[2]' exhaustiveness='U' specificity='U'/>
\t\t</file>
</assessments>"""
INEX2005 = """<?xml version="1.0"?>
<!DOCTYPE assessments SYSTEM "../assessments.dtd">
<assessments pool="170" topic="203" version="2">

<!-- Topic definition -->
<inex_topic topic_id="203" query_type="CO+S" ct_no="3"><title>a file</title><description/></inex_topic>

 <file collection="ieee" name="an/1995/a1004">
   <best-entry-point path="/article[1]/bdy[1]/p[1]/text()[1].4"/>
   <passage start="/article[1]/bdy[1]/p[1]/text()[1].0" end="/article[1]/bdy[1]/p[1]/text()[1].30" size="31"/>
   <!-- Ignored assessment -->
   <element path="/article[1]" exhaustivity="1" size="1000" rsize="31"/>
   <element path="/article[1]/bdy[1]/p[1]" exhaustivity="2" size="31" rsize="31"/>
   <element path="/article[1]/bdy[1]/p[1]/it[1]" exhaustivity="?" size="4" rsize="3"/>
   <element path="/article[1]/bdy[1]/p[1]/ref[1]" exhaustivity="?" size="0" rsize="0"/>
 </file>
 <file collection="ieee" name="an/1995/a1005">
 </file>
</assessments>
"""
TSV = "topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/a[1]\t2\t0.25\n1\td\t/a[1]/b[1]\t?\t1.0\n2\t\t\t0\t0.0\n"
FOL = "7 Q0 d1 50 300 100 10:20 200:30\r\n7 Q0 d2 0 80\r\n8\tQ0  d1 0 300\r\n"


def rows(frame: pd.DataFrame, *columns: str) -> list[tuple]:
    return list(frame[list(columns)].itertuples(index=False, name=None))


def test_inex_2002(file):
    read = read_assessments(file(INEX2002))
    assert read.scale == "inex2002"
    assert read.topics == ["31"]
    assert rows(read.elements, "topic", "document", "path", "exhaustivity", "specificity", "line") == [
        ("31", "an/1995/a1004", "/article[1]", 3, 1, 4),
        ("31", "an/1995/a1004", "/article[1]/bdy[1]", 3, 3, 5),
        ("31", "an/1995/a1004", "/article[1]/bdy[1]/sec[1]", 1, 2, 6),
        ("31", "an/1995/a1004", "/article[1]/bdy[1]/sec[2]", 0, 0, 7),
    ]
    assert read.passages is None and read.xpath_passages is None and read.documents is None
    assert np.isnan(read.elements["size"]).all()


def test_inex_2003_and_attributes_left_out(file):
    read = read_assessments(file(INEX2003))
    assert read.scale == "inex2003"
    assert rows(read.elements, "topic", "path", "exhaustivity", "specificity") == [
        ("91", "/article[1]", 2, 1),
        ("91", "/article[1]/bdy[1]", 0, 0),
    ]


def test_inex_2005(file):
    path = file(INEX2005)
    read = read_assessments(path)
    assert read.scale == "inex2005"
    assert rows(read.elements, "path", "exhaustivity", "specificity", "size", "line") == [
        ("/article[1]", 1, 0.031, 1000, 12),
        ("/article[1]/bdy[1]/p[1]", 2, 1, 31, 13),
        ("/article[1]/bdy[1]/p[1]/it[1]", TOO_SMALL, 0.75, 4, 14),
        ("/article[1]/bdy[1]/p[1]/ref[1]", TOO_SMALL, 0, 0, 15),
    ]
    point = "/article[1]/bdy[1]/p[1]/text()[1]"
    assert rows(read.xpath_passages, "topic", "document", "start", "end", "size", "source", "line") == [
        ("203", "an/1995/a1004", f"{point}.0", f"{point}.30", 31, str(path), 10)
    ]
    assert rows(read.entry_points, "topic", "document", "offset", "path") == [
        ("203", "an/1995/a1004", -1, f"{point}.4")
    ]
    assert read.source == str(path)


def test_first_form_of_2005_has_specificities(file):
    content = '<assessments topic="1"><file name="d"><element path="/a" exhaustivity="2" specificity="0.25"/></file></assessments>'
    read = read_assessments(file(content))
    assert rows(read.elements, "path", "exhaustivity", "specificity") == [("/a[1]", 2, 0.25)]
    assert math.isnan(read.elements["size"][0])


def test_highlights_need_no_exhaustivity(file):
    content = (
        '<assessments topic="1"><file name="d"><element path="/a" size="4" rsize="2"/></file></assessments>'
    )
    read = read_assessments(file(content), scale="highlights")
    assert (read.scale, rows(read.elements, "exhaustivity", "specificity")) == ("highlights", [(2, 0.5)])
    with pytest.raises(InputError, match=r"exhaustivity is missing; expected \?, 0, 1 or 2"):
        read_assessments(file(content))


def test_fol(file):
    read = read_assessments(file(FOL))
    assert read.scale == "highlights"
    assert read.topics == ["7", "8"]
    assert rows(read.passages, "topic", "document", "start", "end", "line") == [
        ("7", "d1", 10, 30, 1),
        ("7", "d1", 200, 230, 1),
    ]
    assert rows(read.documents, "topic", "document", "size", "relevant_size", "line") == [
        ("7", "d1", 300, 50, 1),
        ("7", "d2", 80, 0, 2),
        ("8", "d1", 300, 0, 3),
    ]
    assert rows(read.entry_points, "topic", "document", "offset", "path") == [("7", "d1", 100, None)]
    assert read.elements.empty


def test_passages_are_sorted_and_may_touch(file):
    read = read_assessments(file("7 Q0 d 30 30 0 10:20 0:10\n"))
    assert rows(read.passages, "start", "end") == [(0, 10), (10, 30)]


def test_table(file):
    read = read_assessments(file(TSV))
    assert read.scale == "inex2005"
    assert read.topics == ["1", "2"]
    assert rows(read.elements, "topic", "document", "path", "exhaustivity", "specificity", "line") == [
        ("1", "d", "/a[1]", 2, 0.25, 2),
        ("1", "d", "/a[1]/b[1]", TOO_SMALL, 1, 3),
    ]


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ("3\t3", "inex2003"),
        ("1\t1", "inex2003"),
        ("1\t1.0", "inex2005"),
        ("?\t1", "inex2005"),
        ("1\t1e-3", "inex2005"),
    ],
)
def test_scale_of_a_table(file, values, scale):
    assert (
        read_assessments(
            file(f"topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/a\t{values}\n")
        ).scale
        == scale
    )


@pytest.mark.parametrize("scale", ["inex2002", "inex2003", "inex2005"])
def test_scale_can_be_given(file, scale):
    path = file("topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/a\t1\t1\n1\td\t/b\tU\tU\n")
    read = read_assessments(path, scale=scale)
    assert read.scale == scale


def test_names_and_paths_are_normalised(file):
    content = INEX2003.replace("a1004'", "a1004.xml'").replace("/article[1]/bdy[1]'", "/x:article/bdy'")
    read = read_assessments(file(content))
    assert set(read.elements["document"]) == {"an/1995/a1004"}
    assert list(read.elements["path"]) == ["/article[1]", "/article[1]/bdy[1]"]


def test_directory_is_one_campaign(file):
    file(INEX2005.replace("203", "204"), "assessments/b/204.xml")
    file(INEX2005, "assessments/a/203.xml")
    file("<!ELEMENT assessments ANY>", "assessments/assessments.dtd")
    directory = file("", "assessments/.hidden").parent
    read = read_assessments(directory)
    assert read.topics == ["203", "204"]
    assert len(read.elements) == 8
    assert list(read.elements["source"].cat.categories) == [
        str(directory / name) for name in ("a/203.xml", "b/204.xml")
    ]
    assert read.source == str(directory)


def test_same_judgement_twice_is_read_once(file):
    one = file(INEX2003, "pool-1.xml")
    two = file(INEX2003, "pool-2.xml")
    read = read_assessments([one, two])
    assert (len(read.elements), read.repeated, read.topics) == (2, 2, ["91"])
    fol = read_assessments(file(FOL + FOL))
    assert (len(fol.documents), len(fol.passages), fol.repeated) == (3, 2, 3)


def test_empty_passages_are_read_and_told(file):
    """Published qrels have such passages; one inside another is no overlap, and one alone is no judgement."""
    path = file("7 Q0 d1 50 300 100 10:20 15:0 200:30 300:0\n7 Q0 d2 0 80 5 5:0\n")
    read = read_assessments(path)
    assert rows(read.passages, "document", "start", "end") == [("d1", 10, 30), ("d1", 200, 230)]
    assert rows(read.documents, "document", "size", "relevant_size") == [("d1", 300, 50), ("d2", 80, 0)]
    assert rows(read.entry_points, "document", "offset") == [("d1", 100)]
    assert read.empty == 3
    assert notes_on(read) == [f"{path}: 3 passages without a character; worth nothing"]
    _, (warning,) = check(path)
    assert warning.found == "warning: 3 passages without a character"


def test_names_with_the_extension_of_xml_files_are_told(file):
    path = file("7 Q0 d1.xml 0 300\n8 Q0 d1.xml 0 300\n8 Q0 d2.XML 0 9\n8 Q0 d3 0 9\n")
    read = read_assessments(path)
    assert list(read.documents["document"].cat.categories) == ["d1", "d2", "d3"]
    assert notes_on(read) == [f"{path}: 2 document names ending in .xml or .nxml; read without the ending"]


def test_lines_that_say_the_same_are_counted(file):
    read = read_assessments(file(FOL + "7 Q0 d1 50 300 100 200:30 10:20\n"))
    assert rows(read.documents, "topic", "document", "times") == [
        ("7", "d1", 2),
        ("7", "d2", 1),
        ("8", "d1", 1),
    ]


@pytest.mark.parametrize("again", ["7 Q0 d1 50 300 99 10:20 200:30", "7 Q0 d1 50 300 100 10:25 200:25"])
def test_lines_of_one_size_that_contradict_each_other(file, again):
    with pytest.raises(InputError, match="keep one of the two judgements"):
        read_assessments(file(f"{FOL}{again}\n"))


def test_contradictions_name_both_places(file):
    one = file(INEX2003, "pool-1.xml")
    two = file(INEX2003.replace("exhaustiveness='2'", "exhaustiveness='3'"), "pool-2.xml")
    with pytest.raises(InputError) as error:
        read_assessments([one, two])
    (problem,) = error.value.problems
    assert (problem.source, problem.where) == (str(two), "line 5")
    assert f"{one}, line 5" in problem.found
    assert "keep one" in problem.expected


def xml(judgement: str, root: str = '<assessments topic="1">', document: str = '<file file="d">') -> str:
    return f"{root}\n{document}\n{judgement}</file></assessments>"


# content, line, what is found, what to do
BROKEN = {
    "2002 coverage": (xml('<path path="/a" relevance="1" coverage="X"/>'), 3, "coverage is 'X'", "N, L, S or E"),
    "2002 no coverage": (xml('<path path="/a" relevance="1"/>'), 3, "coverage is missing", "N, L, S or E"),
    "2002 relevance": (xml('<path path="/a" relevance="4" coverage="E"/>'), 3, "relevance is '4'", "0, 1, 2, 3"),
    "2002 zero": (xml('<path path="/a" relevance="0" coverage="E"/>'), 3, "only one of them is zero", "both"),
    "2003 grade": (xml('<path path="/a" exhaustiveness="4" specificity="1"/>'), 3, "exhaustiveness is '4'", "0, 1, 2, 3 or U"),
    "2003 one left out": (xml('<path path="/a" exhaustiveness="3"/>'), 3, "specificity is 'U'", "0, 1, 2, 3"),
    "2003 zero": (xml('<path path="/a" exhaustiveness="0" specificity="1"/>'), 3, "only one of them is zero", "both"),
    "2003 no path": (xml('<path exhaustiveness="3" specificity="1"/>'), 3, "the path is missing", "/article[1]"),
    "2003 odd path": (xml('<path path="//sec" exhaustiveness="3" specificity="1"/>'), 3, "the path is '//sec'", "/article[1]"),
    "2003 no topic": (xml('<path path="/a" exhaustiveness="3" specificity="1"/>', root="<assessments>"), 1, "the topic is missing", "a name"),
    "2003 no document": (xml('<path path="/a" exhaustiveness="3" specificity="1"/>', document="<file>"), 2, "the document is missing", "a name"),
    "2003 contradiction": (xml('<path path="/a" exhaustiveness="3" specificity="1"/>\n<path path="/a[1]" exhaustiveness="2" specificity="1"/>'), 4, "line 3", "keep one"),
    "2005 exhaustivity": (xml('<element path="/a" exhaustivity="3" size="4" rsize="2"/>'), 3, "exhaustivity is '3'", "?, 0, 1 or 2"),
    "2005 rsize": (xml('<element path="/a" exhaustivity="2" size="4" rsize="5"/>'), 3, "rsize 5 is above size 4", "at most"),
    "2005 negative": (xml('<element path="/a" exhaustivity="2" size="-4" rsize="-5"/>'), 3, "size is '-4'", "at least 0"),
    "2005 no size": (xml('<element path="/a" exhaustivity="2" rsize="5"/>'), 3, "size is missing", "a whole number"),
    "2005 specificity": (xml('<element path="/a" exhaustivity="2" specificity="1.5"/>'), 3, "specificity is 1.5", "0 to 1"),
    "2005 passage": (xml('<passage start="/a[1]"/>'), 3, "the end of the passage is missing", "expected"),
    "fol columns": ("1 Q0 d 5 10 0 0:5\n1 Q0 d2 5\n", 2, "4 columns", "rsize doclen"),
    "fol sum": ("1 Q0 d 5 10 0 0:4\n", 1, "hold 4 characters, but rsize is 5", "same number"),
    "fol rsize": ("1 Q0 d 11 10 0 0:11\n", 1, "rsize 11 is above doclen 10", "at most"),
    "fol outside": ("1 Q0 d 5 10 0 6:5\n", 1, "ends at 11, after doclen 10", "of the document"),
    "fol overlap": ("1 Q0 d 8 10 0 0:5 4:3\n", 1, "overlap", "disjoint"),
    "fol empty outside": ("1 Q0 d 5 10 0 0:5 11:0\n", 1, "ends at 11, after doclen 10", "of the document"),
    "fol empty sum": ("1 Q0 d 5 10 0 5:0\n", 1, "hold 0 characters, but rsize is 5", "same number"),
    "fol zero": ("1 Q0 d 0 10 0 0:5\n", 1, "rsize is 0, but 2 columns follow", "none"),
    "fol none": ("1 Q0 d 5 10\n", 1, "hold 0 characters, but rsize is 5", "same number"),
    "fol passage": ("1 Q0 d 5 10 0 0:5 x\n", 1, "a passage is 'x'", "offset:length"),
    "fol length": ("1 Q0 d 5 10 0 0:5 7:-1\n", 1, "length of a passage is '-1'", "at least 0"),
    "fol entry point": ("1 Q0 d 5 10 11 0:5\n", 1, "best entry point is 11", "in the document"),
    "fol number": ("1 Q0 d five 10 0 0:5\n", 1, "rsize is 'five'", "a whole number"),
    "fol huge": ("1 Q0 d 5 99999999999999999999 0 0:5\n", 1, "doclen is", "a whole number"),
    "fol encoding": (b"1 Q0 d\xe9 5 10 0 0:5\n", 1, "0xe9, which is not UTF-8", "save the file as UTF-8"),
    "fol contradiction": ("1 Q0 d 5 10 0 0:5\n1 Q0 d 0 10\n", 2, "line 1", "keep one"),
    "trec columns": ("1 0 d 1\n1 0 d 1 2 3\n", 2, "6 columns", "topic iteration document grade"),
    "trec grade": ("1 0 d 1\n1 0 e 0.5\n", 2, "the grade is '0.5'", "a whole number"),
    "trec contradiction": ("1 0 d 1\n1 0 d 2\n", 2, "line 1", "keep one"),
    "trec topic": ("all 0 d 1\n", 1, "the topic is 'all'", "another name"),
    "table columns": (TSV + "1\td\t/a[1]/c[1]\t1\n", 5, "4 columns", "expected 5"),
    "table header": (TSV.replace("specificity", "spec"), 1, "the header is", "specificity"),
    "table value": (TSV + "1\td\t/a[1]/c[1]\tx\t1\n", 5, "exhaustivity is 'x'", "a finite number"),
    "table NaN": (TSV + "1\td\t/a[1]/c[1]\t1\tnan\n", 5, "specificity is 'nan'", "a finite number"),
    "table range": (TSV + "1\td\t/a[1]/c[1]\t3\t1\n", 5, "exhaustivity 3", "the scale inex2005 has"),
    "table nowhere": (TSV + "1\t\t\t1\t1\n", 5, "without document", "both"),
    "table no path": (TSV + "1\td\t\t1\t1\n", 5, "the path is ''", "/article[1]"),
    "table 0-3": ("topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/a\t0\t3\n", 2, "only one of them is zero", "both"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_broken(case, file):
    content, line, found, remedy = BROKEN[case]
    path = file(content, "broken")
    with pytest.raises(InputError) as error:
        read_assessments(path)
    problem = error.value.problems[0]
    assert problem.source == str(path)
    assert problem.where == f"line {line}"
    assert found in problem.found
    assert remedy in problem.expected


def test_all_problems_of_all_files_at_once(file):
    one = file(
        xml(
            '<path path="/a" exhaustiveness="4" specificity="1"/>\n<path path="/b" exhaustiveness="0" specificity="1"/>'
        ),
        "one",
    )
    two = file(INEX2003[:-40], "two")
    with pytest.raises(InputError) as error:
        read_assessments([one, two])
    assert [(p.source, p.where) for p in error.value.problems] == [
        (str(one), "line 3"),
        (str(one), "line 4"),
        (str(two), "line 8"),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "inex2004"}, "expected one of inex2002, inex2003, inex2005, fol, trec, tsv"),
        (
            {"scale": "highlights"},
            "inex2003 assessments do not have the scale 'highlights'; expected one of inex2003",
        ),
    ],
)
def test_options_that_do_not_fit(file, options, message):
    with pytest.raises(InputError) as error:
        read_assessments(file(INEX2003), **options)
    assert message in str(error.value)


def test_formats_do_not_mix(file):
    with pytest.raises(
        InputError, match=r"several formats: inex2003 .*, inex2005 .*give the files of one format"
    ):
        read_assessments([file(INEX2003, "3"), file(INEX2005, "5")])
    with pytest.raises(
        InputError, match=r"inex topics, not assessments; give assessments only, or name their format"
    ):
        read_assessments([file(INEX2003, "3"), file('<inex_topic topic_id="1"/>', "t")])


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_there(file, format, tmp_path):
    with pytest.raises(InputError, match=r"no assessments|no element found|the header"):
        read_assessments(file(""), format=format)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="directory without files"):
        read_assessments(tmp_path / "empty", format=format)
    with pytest.raises(InputError, match="no such file"):
        read_assessments(tmp_path / "absent", format=format)
    with pytest.raises(InputError, match="no file given"):
        read_assessments([], format=format)


def same(one, other, *frames: str) -> bool:
    """Whether two assessments say the same, wherever they were read."""
    for name in frames:
        a, b = getattr(one, name), getattr(other, name)
        pd.testing.assert_frame_equal(
            a.drop(columns=["source", "line"]).astype({"topic": str, "document": str}),
            b.drop(columns=["source", "line"]).astype({"topic": str, "document": str}),
        )
    return (one.scale, one.topics) == (other.scale, other.topics)


@pytest.mark.parametrize("content", [TSV, INEX2002, INEX2003])
def test_table_round_trip(file, tmp_path, content):
    read = read_assessments(file(content))
    write_assessments_tsv(tmp_path / "out.tsv", read)
    again = read_assessments(tmp_path / "out.tsv", scale=read.scale)
    assert same(read, again, "elements")


def test_table_keeps_specificities_exactly(file, tmp_path):
    read = read_assessments(file(INEX2005.replace("31", "333").replace("1000", "999")))
    write_assessments_tsv(tmp_path / "out.tsv", read)
    again = read_assessments(tmp_path / "out.tsv")
    assert again.scale == "inex2005"
    assert list(again.elements["specificity"]) == list(read.elements["specificity"])


def test_qrels_round_trip(file, tmp_path):
    read = read_assessments(file(FOL))
    write_qrels_fol(tmp_path / "out", read)
    assert (tmp_path / "out").read_text() == "7 Q0 d1 50 300 100 10:20 200:30\n7 Q0 d2 0 80\n8 Q0 d1 0 300\n"
    assert same(read, read_assessments(tmp_path / "out"), "passages", "documents", "entry_points")


def test_writers_refuse_what_a_reader_could_not_read(file, tmp_path):
    read = read_assessments(file(INEX2003.replace("a1004", "a 10\t04")))
    with pytest.raises(InputError, match=r"the document 'an/1995/a 10 04'|cannot hold it"):
        write_assessments_tsv(tmp_path / "out", read_assessments(file(INEX2003.replace("a1004", "a&#9;4"))))
    with pytest.raises(InputError, match="without character offsets; FOL qrels need highlighted passages"):
        write_qrels_fol(tmp_path / "out", read)
    assert not (tmp_path / "out").exists()


def test_evidence_inference(shared, tmp_path):
    data = shared("evidence-inference")
    elements = read_assessments(data / "assessments")
    assert (elements.scale, len(elements.topics), len(elements.elements)) == ("inex2005", 39, 6731)
    assert elements.repeated == 0
    fol = read_assessments(data / "qrels.fol.txt")
    assert (fol.scale, fol.topics, len(fol.documents)) == ("highlights", elements.topics, 767)
    # The two forms say the same of whole documents.
    whole = elements.elements[elements.elements["path"] == "/article[1]"].copy()
    whole["relevant_size"] = (whole["specificity"] * whole["size"]).round().astype(int)
    left = whole[["topic", "document", "size", "relevant_size"]].astype(
        {"topic": str, "document": str, "size": int}
    )
    right = fol.documents[left.columns].astype({"topic": str, "document": str})
    pd.testing.assert_frame_equal(
        left.sort_values(["topic", "document"], ignore_index=True),
        right.sort_values(["topic", "document"], ignore_index=True),
    )
    write_qrels_fol(tmp_path / "out", fol)
    assert (tmp_path / "out").read_bytes() == (data / "qrels.fol.txt").read_bytes()


def test_inex_2009(shared, tmp_path):
    path = shared("inex2009-official/qrels.fol.txt")
    read = read_assessments(path)
    assert (len(read.topics), len(read.documents), len(read.passages)) == (24, 1688, 3056)
    write_qrels_fol(tmp_path / "out", read)
    assert (tmp_path / "out").read_bytes() == path.read_bytes()
    shutil.copy(shared("inex2009-official/tiny.qrels"), tmp_path / "tiny")
    assert len(read_assessments(tmp_path / "tiny").documents) == 11


def test_trec_qrels_are_read_as_they_are(tmp_path):
    path = tmp_path / "trec.qrels"
    path.write_text("2 0 d1.xml 0\n1 0 d1 3\n\n1\tQ0\td2 -1\n1 0 d1 3\n")
    assert recognise(path) == "trec qrels"
    found = read_assessments(path)
    assert (found.scale, found.topics, found.repeated, found.extended) == ("grades", ["2", "1"], 1, 1)
    columns = [found.grades[name].tolist() for name in ("topic", "document", "grade", "line")]
    assert columns == [["2", "1", "1"], ["d1", "d1", "d2"], [0, 3, -1], [1, 2, 4]]
    assert found.documents is None and found.passages is None and not len(found.elements)


def test_trec_qrels_name_documents_of_the_collection(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("Text.")
    (tmp_path / "qrels").write_text("1 0 a.txt 1\n1 0 b.txt 0\n")
    (tmp_path / "run").write_text("1 Q0 a.txt 1 1 me\n")
    files = {"assessments": tmp_path / "qrels", "runs": tmp_path / "run", "collection": tmp_path / "docs"}
    with pytest.raises(InputError, match="line 2: unknown document 'b.txt'"):
        score(["MAP"], **files)
