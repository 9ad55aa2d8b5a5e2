"""Structured titles that are read, and titles that are refused with the expected form."""

import pytest

from focuseval.errors import InputError
from focuseval_papers.retrieval.search import Castitle, Clause, parse_castitle


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("//sec[about(., a  b)]", Castitle(("sec",), "a b")),
        ("//article[about(., x)]", Castitle(("article",), "x")),
        (
            "//article[about(.//abs, nested text)]//sec[about(., measures)]",
            Castitle(("sec",), "measures", (Clause(("abs",), "nested text"),)),
        ),
        (
            " // article [ about( .//( abs | kwd ), a) and about(., b) ] //(sec|ss1|ss2)[about(.,c) and about(., d)] ",
            Castitle(("sec", "ss1", "ss2"), "c d", (Clause(("abs", "kwd"), "a"), Clause((), "b"))),
        ),
        ("//article//*[about(., 'x y' -z +w)]", Castitle((), "'x y' -z +w")),
    ],
)
def test_values_that_are_read(text, read):
    assert parse_castitle(text, "topics.xml") == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "words alone",
        "//sec",
        "//article[about(., a)]//sec",
        "//article[about(., a) or about(., b)]//sec[about(., c)]",
        "//article[.//yr > 2000]//sec[about(., c)]",
        "//article[about(.//fm//au, a)]//sec[about(., c)]",
        "//sec[about(.//p, a)]",
        "//article//bdy[about(., a)]//sec[about(., b)]",
        "//article[about(., a)]//sec[about(., b)",
    ],
)
def test_texts_that_are_refused(text):
    with pytest.raises(InputError) as error:
        parse_castitle(text, "topics.xml", "topic 7")
    (problem,) = error.value.problems
    assert (problem.source, problem.where) == ("topics.xml", "topic 7")
    assert repr(text) in problem.found and "//TARGET[about(., words)]" in problem.expected
