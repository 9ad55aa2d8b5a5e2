"""Element tables against a literal second implementation: lxml's tree, recursion and Python strings."""

import re
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lxml import etree

from focuseval.errors import InputError
from focuseval.formats import xml_elements
from focuseval.formats.xml_elements import (
    COLUMNS,
    MAX_DEPTH,
    Document,
    parse_document,
    parse_documents,
)

SAFE = {"no_network": True, "load_dtd": False, "resolve_entities": "internal", "huge_tree": False}


def literal(root):
    """Return the rows (in the order of COLUMNS, with names of tags) and the text of a tree, by definition."""
    rows = []
    text = ""

    def visit(element, parent, depth):
        nonlocal text
        node = len(rows)
        name = etree.QName(element).localname
        twins = [e for e in element.itersiblings("*", preceding=True) if etree.QName(e).localname == name]
        rows.append([parent, -1, depth, name, len(twins) + 1, len(text), -1])
        text += element.text or ""
        for child in element:
            if isinstance(child.tag, str):
                visit(child, node, depth + 1)
            text += child.tail or ""
        rows[node][1], rows[node][6] = len(rows), len(text)

    visit(root, -1, 0)
    pieces = [0, *sorted(meeting(rows, text)), len(text)]
    words = [
        start + match.start()
        for start, end in pairwise(pieces)
        for match in re.finditer(r"\w+", text[start:end])
    ]
    return [
        (
            *row,
            sum(word < row[5] for word in words),
            sum(word < row[6] for word in words),
            len(text[: row[5]].encode()),
            len(text[: row[6]].encode()),
        )
        for row in rows
    ], text


def meeting(rows, text):
    """Return the points between siblings whose parent has no text of its own except white space."""
    meeting_points = set()
    for row, (*_, begin, end) in enumerate(rows):
        children = [child for child in rows if child[0] == row]
        ends = [begin, *(child[6] for child in children)]
        begins = [*(child[5] for child in children), end]
        if not any(text[low:high].strip() for low, high in zip(ends, begins, strict=True)):
            meeting_points.update(begins[1:-1])
    return meeting_points


def rows_and_text(parsed):
    tag = COLUMNS.index("tag")
    rows = [[*row] for row in parsed.rows.tolist()]
    for row in rows:
        row[tag] = parsed.tags[row[tag]]
    return [tuple(row) for row in rows], parsed.text.decode()


CHARACTERS = [
    *"ab7_ \n.,'\"&<>éß中\u00a0\u0301\u200d\u0660\u1e9e\U0001f600\U00020000",
    "\r",
    "\r\n",
    "aé",
    "]]",
]
text = st.lists(st.sampled_from(CHARACTERS), max_size=6).map("".join)
names = st.sampled_from(["a", "b", "sec", "p:a", "q:é", "x-1", "ab", "q:p2"])


def escaped(content):
    return content.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def in_references(content):
    return "".join(f"&#{ord(c)};" if i % 2 else f"&#x{ord(c):04X};" for i, c in enumerate(content))


pieces = st.one_of(
    text.map(escaped).map(lambda piece: piece.replace(">", "&gt;") if "]" in piece else piece),
    text.map(in_references),
    text.map(lambda content: f"<![CDATA[{content.replace(']]>', '')}]]>"),
    text.map(lambda content: f"<!--{content.replace('-', '')}<&b;>'-->"),
    text.map(lambda content: f"<?pi {content}<a>&c; >?>"),
    st.sampled_from(["&amp;", "&lt;", "&gt;", "&apos;", "&quot;", "&amp;lt;"]),
)
attributes = st.lists(
    text.map(lambda v: escaped(v).replace('"', "&quot;").replace("'", "&apos;")), max_size=2
).map(lambda values: "".join(f' k{i}{" = " if i else "="}"{v}>/"' for i, v in enumerate(values)))


@st.composite
def element(draw, content):
    name, inside, drawn_attributes = (
        draw(names),
        "".join(draw(st.lists(content, max_size=5))),
        draw(attributes),
    )
    if not inside and draw(st.booleans()):
        return f"<{name}{drawn_attributes}{draw(st.sampled_from(['', ' ', chr(10)]))}/>"
    return f"<{name}{drawn_attributes}>{inside}</{name}{draw(st.sampled_from(['', ' ']))}>"


trees = st.recursive(element(pieces), lambda below: element(st.one_of(below, pieces)), max_leaves=25)
prologues = st.sampled_from(
    [
        "",
        "<?xml version='1.0' encoding='UTF-8'?>\r\n",
        "\ufeff<!-- <a> & -->",
        '<!DOCTYPE r PUBLIC "-//X//DTD Y" "http://no.such.host.invalid/>.dtd">\n<?p <q>?>',
    ]
)
documents = st.builds(
    lambda prologue, inside, epilogue: (
        f"{prologue}<r xmlns:p='u:1' xmlns:q=\"u:2\">{inside}</r>{epilogue}"
    ).encode(),
    prologues,
    st.lists(st.one_of(trees, pieces), max_size=4).map("".join),
    st.sampled_from(["", "\n", "<!-- </r> -->\n<?end?>"]),
)


@settings(max_examples=100)
@given(documents)
def test_elements_are_those_of_the_literal_definition(xml):
    expected = literal(etree.fromstring(xml, etree.XMLParser(**SAFE)))
    assert rows_and_text(xml_elements._by_expat(xml, "x", 1000)) == expected  # from the original bytes
    assert (
        rows_and_text(xml_elements._by_expat(xml_elements._plain(xml, "x"), "x", 1000)) == expected
    )  # from the bytes that libxml2 writes
    assert rows_and_text(parse_document(xml, "x")) == expected


@settings(max_examples=130)
@given(documents, st.data())
def test_damaged_documents_are_read_as_libxml2_reads_them_or_refused(xml, data):
    damaged = bytearray(xml)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        piece = data.draw(
            st.sampled_from([b"<", b">", b"&", b'"', b"]]>", b"<!--", b"\0", b"\xff", b"/", b"", b"&nbsp;"])
        )
        damaged[at : at + data.draw(st.integers(0, 3))] = piece
        if not damaged:
            return
    xml = bytes(damaged)
    parser = etree.XMLParser(**SAFE)
    try:
        expected = literal(etree.fromstring(xml, parser))
    except etree.XMLSyntaxError:
        # A namespace that is no URI is an error to libxml2 alone: the document may be well-formed.
        assume(all(entry.type_name != "WAR_NS_URI" for entry in parser.error_log))
        expected = None
    try:
        with patch.object(xml_elements, "html5", {}):  # libxml2 does not know HTML's entities
            actual = rows_and_text(parse_document(xml, "x"))
    except InputError:
        actual = None
    assert actual == expected


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.", "1", ".0", "2.0", "10", "1.a", "x", "", "1.0 "])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_versions_are_those_that_libxml2_takes(version, mark):
    xml = mark + f"<?xml version='{version}' encoding='UTF-8'?><r>x</r>".encode()
    try:
        expected = literal(etree.fromstring(xml, etree.XMLParser(**SAFE)))
    except etree.XMLSyntaxError:
        with pytest.raises(InputError):
            parse_document(xml, "x")
    else:
        assert rows_and_text(parse_document(xml, "x")) == expected


def text_of(xml):
    return parse_document(xml.encode() if isinstance(xml, str) else xml, "x").text.decode()


def test_text_is_all_character_data_with_its_white_space():
    xml = "<a> x<b>y</b>\r\n<!-- no --><?no no?><![CDATA[<&]]>&#228;\r&amp;&#13;</a>"
    assert text_of(xml) == " xy\n<&ä\n&\r"


def test_a_word_belongs_to_the_element_that_holds_its_first_character():
    parsed = parse_document(b"<a>on<b>e tw</b><c>o</c> thr<!-- -->ee<d>.4</d></a>", "x")
    rows = {
        parsed.tags[row["tag"]]: row
        for row in (dict(zip(COLUMNS, r, strict=True)) for r in parsed.rows.tolist())
    }
    count = {tag: row["word_end"] - row["word_start"] for tag, row in rows.items()}
    assert count == {"a": 4, "b": 1, "c": 0, "d": 1}  # one, two, three, 4


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        ("<sec><title>Methods</title><p>We grew</p></sec>", 3),
        ("<table><tr><td>12</td><td>34</td></tr><tr><td>5</td><td/><td>6</td></tr></table>", 4),
        ("<list><item><p>one</p></item><item><p>two</p></item></list>", 2),
        ("<a><!-- no text --><b>one</b><?no text?><b>two</b></a>", 2),
        ("<p>un<b>believ</b>able</p>", 1),
        ("<p>un<b><i>believ</i></b>able</p>", 1),
        ("<p>see <i>Nat. Methods</i><b>16</b></p>", 3),
        ("<p><i>un</i>believ<i>able</i></p>", 1),
    ],
)
def test_elements_that_meet_without_text_of_their_parent_end_words(xml, words):
    assert parse_document(xml.encode(), "x").rows[0, COLUMNS.index("word_end")] == words


def test_combining_marks_end_words_as_in_python():
    parsed = parse_document("<a>e\u0301t\u00e9</a>".encode(), "x")
    row = dict(zip(COLUMNS, parsed.rows[0].tolist(), strict=True))
    assert (row["end"], row["word_end"], row["byte_end"]) == (4, len(re.findall(r"\w+", "e\u0301té")), 6)


def test_many_tags_and_many_siblings():
    inside = "".join(f"<t{i % 700}/>" for i in range(5000))
    parsed = parse_document(f"<a>{inside}</a>".encode(), "x")
    assert parsed.tags == ["a", *(f"t{i}" for i in range(700))]
    assert parsed.rows[1:, COLUMNS.index("position")].tolist() == [i // 700 + 1 for i in range(5000)]


def test_html_entities_get_their_characters_unless_the_document_defines_them():
    assert text_of("<a>&eacute;&nbsp;&amp;&lt;&Sum;</a>") == "é\u00a0&<∑"
    assert text_of('<!DOCTYPE a SYSTEM "no.dtd"><a b="&nbsp;">1&nbsp;2</a>') == "1\u00a02"
    assert text_of('<!DOCTYPE a [<!ENTITY nbsp "own">]><a>&nbsp;</a>') == "own"
    assert text_of("<a><![CDATA[&nbsp;]]><!-- &nope; --><?p &nope;?>&nbsp;</a>") == "&nbsp;\u00a0"
    assert text_of("<a>&nbsp;</a>".encode("utf-16")) == "\u00a0"
    for encoding, letter in (("iso-8859-1", "é"), ("windows-1252", "€"), ("koi8-r", "Ж")):
        xml = f"<?xml version='1.0' encoding='{encoding.upper()}'?><a b='&eacute;'>{letter}&eacute;</a>"
        assert text_of(xml.encode(encoding)) == f"{letter}é"


def test_entities_that_the_document_defines_are_resolved():
    xml = b'<!DOCTYPE a [<!ENTITY e "x<b>y</b>"><!ENTITY f "&e;&e;">]><a>&f;<b/></a>'
    parsed = parse_document(xml, "x")
    assert parsed.text == b"xyxy"
    assert parsed.rows[:, COLUMNS.index("position")].tolist() == [1, 1, 2, 3]


def test_quadratic_blowup():
    xml = f'<!DOCTYPE a [<!ENTITY l "{"ha" * 50_000}">]><a>{"&l;" * 5000}</a>'
    with pytest.raises(InputError, match="exceeds a limit .*mplification"):
        text_of(xml)


def test_the_deepest_documents_are_read():
    assert len(parse_document(b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH, "x").rows) == MAX_DEPTH


@pytest.mark.parametrize("piece", [b"<!--", b"<![CDATA[", b"<?", b"&", b"<!ENTITY", b"<a ", b"]]>", b"&#"])
def test_repeated_pieces_do_not_take_for_ever(piece):
    with pytest.raises(InputError):
        parse_document(b"<a>" + piece * 200_000, "x")


def test_documents_one_after_another():
    documents_to_parse = [
        Document("1", "1.xml", b"<a><b>x</b></a>", "c.zip", 9),
        Document("2", "2.xml", b"<a>", "c.zip", 9),
        Document("3", "3.xml", b"<c><a/><b/></c>", "c.zip", 9),
    ]
    parsed = parse_documents(documents_to_parse, parse_document)
    assert parsed.names == ["1", "3"]
    assert parsed.elements.tolist() == [2, 3]
    assert [problem.source for problem in parsed.problems] == ["2.xml"]
    assert np.array(parsed.tags)[parsed.columns["tag"]].tolist() == ["a", "b", "c", "a", "b"]
    assert parsed.columns["parent"].tolist() == [-1, 0, -1, 0, 0]
    assert parse_documents([], parse_document).columns["tag"].tolist() == []
