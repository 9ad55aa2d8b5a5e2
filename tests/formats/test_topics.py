import pytest

from focuseval.errors import InputError
from focuseval.formats.inex import TOPIC_COLUMNS, read_topics

TOPIC_2003 = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE inex_topic SYSTEM "topic.dtd">
<inex_topic topic_id="91" query_type="CO" ct_no="11">
  <title>Internet
    traffic</title>
  <description>What <b>is</b> it<!-- what? --> about?</description>
  <narrative/>
  <keywords>internet, web</keywords>
</inex_topic>"""
TOPIC_2002 = """<INEX-Topic topic-id="31" query-type="CAS" ct-no="3">
<Title><te>article</te> <cw>computational biology</cw></Title><Keywords>genes</Keywords></INEX-Topic>"""
TOPICS_2009 = """<inex-topic-file><topic id="2009001" ct_no="186"><title>Nobel prize</title>
<castitle>//article[about(., Nobel &amp; prize)]</castitle><phrasetitle>"Nobel prize"</phrasetitle></topic>
<topic id="2009002" ct_no="187"><title>best movie</title></topic></inex-topic-file>"""


def test_topics_of_all_years(file):
    paths = [file(TOPIC_2003, "91.xml"), file(TOPIC_2002, "31.xml"), file(TOPICS_2009, "2009.xml")]
    topics = read_topics(paths)
    assert tuple(topics.columns) == TOPIC_COLUMNS
    assert topics.to_numpy().tolist() == [
        ["91", "CO", "Internet traffic", "", "What is it about?", "", "internet, web"],
        ["31", "CAS", "article computational biology", "", "", "", "genes"],
        ["2009001", "", "Nobel prize", "//article[about(., Nobel & prize)]", "", "", ""],
        ["2009002", "", "best movie", "", "", "", ""],
    ]
    assert list(read_topics(paths[0].parent)["topic"]) == ["2009001", "2009002", "31", "91"]


@pytest.mark.parametrize(
    ("content", "line", "found", "remedy"),
    [
        ("<inex-topic-file>\n<topic><title>x</title></topic></inex-topic-file>", 2, "without a name", "topic_id or id"),
        (TOPICS_2009.replace("2009002", "2009001"), 3, "topic 2009001 again, after", "keep one"),
        (TOPIC_2003.replace("traffic", "&eacute;"), 5, "unknown entity 'eacute'", "write the character"),
        (TOPIC_2003[:100], 3, "not well-formed", "cut off"),
        (TOPIC_2003[:150], 4, "Premature end", "cut off"),
    ],
)  # fmt: skip
def test_broken(file, content, line, found, remedy):
    path = file(content, "topics.xml")
    with pytest.raises(InputError) as error:
        read_topics(path)
    (problem,) = error.value.problems
    assert (problem.source, problem.where) == (str(path), f"line {line}")
    assert found in problem.found
    assert remedy in problem.expected


def test_no_topics(file):
    with pytest.raises(InputError, match="no topics; expected <inex_topic>"):
        read_topics(file("<article/>"))


def test_evidence_inference(shared):
    topics = read_topics(shared("evidence-inference/topics.xml"))
    assert len(topics) == 39
    assert topics["title"][0] == "pain"
    assert topics["narrative"].str.startswith("Relevant text states").all()
