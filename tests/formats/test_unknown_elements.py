"""Misspelt elements in INEX's files are problems with a line number; they are never ignored."""

import pytest

from focuseval.errors import InputError
from focuseval.formats.inex import read_topics
from focuseval.formats.readers import read_assessments, read_runs

from .samples import good

READERS = {"in": read_assessments, "su": read_runs, "to": read_topics}


@pytest.mark.parametrize(
    ("name", "line", "element", "wrong"),
    [
        ("inex2005.xml", 12, "element", "elment"),
        ("inex2005.xml", 13, "element", "Element"),
        ("inex2005.xml", 9, "best-entry-point", "best-entry-pont"),
        ("inex2005.xml", 17, "file", "flie"),
        ("inex2005.xml", 4, "description", "descripton"),
        ("inex2003.xml", 5, "path", "Path"),
        ("inex2003.xml", 6, "path", "paht"),
        ("submission.xml", 12, "topic", "tpic"),
        ("submission.xml", 9, "result", "Result"),
        ("submission.xml", 13, "result", "reslt"),
        ("submission.xml", 4, "collections", "colections"),
        ("topics2009.xml", 3, "topic", "tpic"),
        ("topics2009.xml", 1, "title", "titel"),
        ("topics2009.xml", 3, "title", "titl"),
        ("topics2009.xml", 2, "phrasetitle", "phrase-title"),
    ],
)
def test_a_misspelt_element_is_a_problem(name, line, element, wrong, file):
    lines, read = good(name).split("\n"), READERS[name[:2]]
    end = next(at for at in range(line - 1, len(lines)) if f"</{element}>" in lines[at] or "/>" in lines[at])
    for at in {line - 1, end}:
        lines[at] = lines[at].replace(f"<{element}", f"<{wrong}").replace(f"</{element}>", f"</{wrong}>")
    with pytest.raises(InputError) as refused:
        read(file("\n".join(lines)))
    [problem] = [one for one in refused.value.problems if one.found.startswith(f"<{wrong}> is unknown in <")]
    assert problem.where == f"line {line}"
    assert problem.expected.startswith(f"did you mean {element!r}? expected one of ")
