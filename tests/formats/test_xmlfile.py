"""Untrusted XML: the reader opens no other file, and nothing grows without bound."""

import resource

import pytest

from focuseval.errors import InputError
from focuseval.formats.inex import local_name, stream, text_of


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'<!DOCTYPE a [<!ENTITY x "' + b"x" * 100_000 + b'">]>\n<a>\n<b>' + b"&x;" * 20_000 + b"</b></a>", "amplification"),
        (b"<a>" * 3000, "depth"),
        (b"<a>\n<b>" + b"x" * 11_000_000 + b"</b></a>", "limit exceeded"),
    ],
    ids=["quadratic blow-up", "deep nesting", "endless text"],
)  # fmt: skip
def test_files_that_grow_without_bound_are_refused(file, content, reason):
    with pytest.raises(InputError, match=f"exceeds a limit of the parser .*{reason}"):
        list(stream(file(content), ("a", "b")))


@pytest.mark.parametrize("use", ["<b>&x;</b>", '<b c="&x;"/>', "<b/>%x;"])
@pytest.mark.parametrize("kind", ["SYSTEM '{}'", "PUBLIC 'p' '{}'"])
def test_external_entity_is_refused(file, use, kind):
    secret = file("SECRET", "secret.txt")
    percent = "%" if "%" in use else ""
    inside = "%x;" if percent else ""
    declared = f"<!ENTITY {percent} x {kind.format(secret.as_uri())}>{inside}"
    path = file(f"<!DOCTYPE a [{declared}]>\n<a>\n{use.replace('%x;', '&y;')}</a>", "xxe.xml")
    seen = []
    with pytest.raises(InputError) as error:
        for event, element in stream(path, ("a", "b")):
            seen.append(text_of(element) + str(dict(element.attrib)) if event == "end" else "")
    assert "the external entity &x; is not read" in str(error.value)
    assert f"{path}, line " in str(error.value)
    assert "replace the entity with its text" in str(error.value)
    assert "SECRET" not in str(error.value) + "".join(seen)


def test_nothing_is_included(file):
    file("SECRET", "secret.txt")
    content = '<a xmlns:x="http://www.w3.org/2001/XInclude">\n<x:include href="secret.txt" parse="text"/></a>'
    assert [text_of(element) for event, element in stream(file(content), ("a",)) if event == "end"] == [""]


def test_harmless_parts_of_xml_are_accepted(file):
    content = (
        '<?xml version="1.0" encoding="iso-8859-1"?>\n<!DOCTYPE a SYSTEM "elsewhere.dtd" [<!ENTITY e "<i>é</i>">]>\n'
        '<a xmlns="urn:x"><b c="&amp;&#233;">  one\n<!-- no --> &e;<?no no?> two </b></a>'
    ).encode("latin-1")
    elements = [
        (e, local_name(x), dict(x.attrib), text_of(x)) for e, x in stream(file(content), ("b",)) if e == "end"
    ]
    assert elements == [("end", "b", {"c": "&é"}, "one é two")]


def test_utf_16(file):
    content = '<?xml version="1.0" encoding="utf-16"?><a><b>é</b></a>'.encode("utf-16")
    assert [text_of(x) for e, x in stream(file(content), ("b",)) if e == "end"] == ["é"]


def test_memory_does_not_grow_with_the_file(file):
    path = file(b"<a>" + b"<t>" + b"<b><c>some text</c></b>" * 150_000 + b"</t></a>")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count = sum(1 for _ in stream(path, ("a", "t", "b")))
    assert count == 2 * 150_002
    # The tree of such a file takes more than 60 MB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"absent.*cannot be read"):
        list(stream(tmp_path / "absent", ("a",)))
