"""Misspelt elements in INEX's files are problems with a line number; they are never ignored."""

import pytest

from focuseval.errors import InputError
from focuseval.formats.inex import read_topics
from focuseval.formats.readers import read_assessments, read_runs

ASSESSMENTS = """<assessments topic="1" pool="1">
<description>as exported</description>
<file collection="ieee" name="a">
<best-entry-point path="/article[1]"/>
<element path="/article[1]" exhaustivity="2" size="10" rsize="5"/>
<element path="/article[1]/p[1]" exhaustivity="1" size="5" rsize="5"/>
</file>
<file name="b">
</file>
</assessments>
"""
OLD = """<assessments topic="1">
<file file="a">
<path path="/article[1]" exhaustiveness="2" specificity="1"/>
<path path="/article[1]/p[1]" exhaustiveness="1" specificity="1"/>
</file>
</assessments>
"""
SUBMISSION = """<inex-submission participant-id="1" run-id="r" task="Focused">
<topic-fields title="yes"/>
<description>a run</description>
<collections><collection>ieee</collection></collections>
<topic topic-id="1">
<collections><collection>ieee</collection></collections>
<result><file>a</file><path>/article[1]</path><rank>1</rank></result>
<result><file>b</file><path>/article[1]</path><rank>2</rank></result>
</topic>
<topic topic-id="2">
<result><file>a</file><path>/article[1]</path><rank>1</rank></result>
</topic>
</inex-submission>
"""
TOPICS = """<inex-topic-file>
<topic id="1">
<title>one <b>bold</b></title>
<castitle>//a</castitle>
<phrasetitle>"one"</phrasetitle>
</topic>
<topic id="2">
<title>two</title>
</topic>
</inex-topic-file>
"""
READERS = {
    ASSESSMENTS: read_assessments,
    OLD: read_assessments,
    SUBMISSION: lambda path: read_runs(path)[0],
    TOPICS: read_topics,
}


@pytest.mark.parametrize(
    ("text", "line", "element", "wrong"),
    [
        (ASSESSMENTS, 6, "element", "elment"),
        (ASSESSMENTS, 5, "element", "Element"),
        (ASSESSMENTS, 4, "best-entry-point", "best-entry-pont"),
        (ASSESSMENTS, 8, "file", "flie"),
        (ASSESSMENTS, 2, "description", "descripton"),
        (OLD, 3, "path", "Path"),
        (OLD, 4, "path", "paht"),
        (SUBMISSION, 10, "topic", "tpic"),
        (SUBMISSION, 8, "result", "Result"),
        (SUBMISSION, 11, "result", "reslt"),
        (SUBMISSION, 4, "collections", "colections"),
        (TOPICS, 7, "topic", "tpic"),
        (TOPICS, 3, "title", "titel"),
        (TOPICS, 8, "title", "titl"),
        (TOPICS, 5, "phrasetitle", "phrase-title"),
    ],
)
def test_a_misspelt_element_is_a_problem(text, line, element, wrong, tmp_path):
    (tmp_path / "good").write_text(text)
    READERS[text](tmp_path / "good")
    lines = text.split("\n")
    end = next(at for at in range(line - 1, len(lines)) if f"</{element}>" in lines[at] or "/>" in lines[at])
    for at in {line - 1, end}:
        lines[at] = lines[at].replace(f"<{element}", f"<{wrong}").replace(f"</{element}>", f"</{wrong}>")
    (tmp_path / "bad").write_text("\n".join(lines))
    with pytest.raises(InputError) as refused:
        READERS[text](tmp_path / "bad")
    [problem] = [one for one in refused.value.problems if one.found.endswith(f"an unknown element <{wrong}>")]
    assert problem.where == f"line {line}"
    assert problem.expected.startswith(f"did you mean {element!r}? expected one of ")
