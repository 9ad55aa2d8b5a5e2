"""Text and tags as NumPy finds them, against expat's callbacks and by hand."""

import pytest
from hypothesis import event, given, settings

from focuseval.formats.xml_elements import _by_callbacks, _local_name
from focuseval.formats.xml_tags import split_at_tags
from tests.formats.test_xml_elements import documents


@pytest.mark.parametrize(
    ("xml", "text", "names"),
    [
        (b"<a>x<b/>y</a>", b"\x01x\x01\x02y\x02", [b"<a", b"<b"]),
        (b"\n<a\n k='/'><p:b k=\"1\" /></a >\n", b"\x01\x01\x02\x02", [b"<a", b"<p:b"]),
        (b"<a>1 &lt; 2 &#38;&#x2013;&amp;lt;</a>", b"\x011 < 2 &\xe2\x80\x93&lt;\x02", [b"<a"]),
        (
            b"<?xml version='1.0'?><!--<c>--><a><?p <d>?>x\r<!-- -->\ny\r\n&#13;</a>",
            b"\x01x\n\ny\n\r\x02",
            [b"<a"],
        ),
        (b"<!DOCTYPE a SYSTEM '>[<!--.dtd'><a>x</a><!-- > -->", b"\x01x\x02", [b"<a"]),
        (b"\xef\xbb\xbf<a>\xc3\xa9</a>", b"\x01\xc3\xa9\x02", [b"<a"]),
    ],
)
def test_text_has_a_mark_where_elements_begin_and_end(xml, text, names):
    assert split_at_tags(xml) == (text, names)


@pytest.mark.parametrize(
    "xml",
    [
        b"<a>x > y</a>",
        b"<a k='>'>x</a>",
        b"<a><![CDATA[x]]></a>",
        b"<!DOCTYPE a [<!ELEMENT a ANY>]><a>x</a>",
        b"<!DOCTYPE a SYSTEM 'a.dtd'><a>&own;</a>",
    ],
)
def test_other_documents_are_left_to_callbacks(xml):
    assert split_at_tags(xml) is None


@settings(max_examples=100)
@given(documents)
def test_text_and_names_are_those_of_the_callbacks(xml):
    parts = split_at_tags(xml)
    event(f"split: {parts is not None}")
    if parts is not None:
        text, names = _by_callbacks(xml, "x", 1000)
        assert parts[0] == text
        assert list(map(_local_name, parts[1])) == list(map(_local_name, names))
