"""XML that must not be trusted: nothing is read from elsewhere, nothing grows without bound."""

import resource

import pytest

from focuseval.errors import InputError
from focuseval.formats.inex import local_name, stream, text_of


def laughs(use: bytes) -> bytes:
    entities = b"".join(b'<!ENTITY l%d "%s">' % (i, b"&l%d;" % (i - 1) * 10) for i in range(1, 10))
    return b'<!DOCTYPE a [<!ENTITY l0 "lol">' + entities + b"]>\n<a>\n" + use + b"</a>"


# content, line of the problem, what is found, what to do
BROKEN = {
    "cut between tags": (b'<a>\n<b c="1">\n', 3, "Premature end", "cut off"),
    "cut inside a tag": (b'<a>\n<b c="1', 2, "AttValue", "cut off"),
    "cut inside an end tag": (b"<a>\n<b></b", 2, "'>'", "cut off"),
    "empty": (b"", 1, "no element found", "well-formed"),
    "not XML": (b"hello", 1, "Start tag expected", "well-formed"),
    "two roots": (b"<a/>\n<a/>", 2, "Extra content", "well-formed"),
    "wrong nesting": (b"<a>\n<b></a></b>", 2, "mismatch", "correct the XML"),
    "not the declared encoding": (b'<?xml version="1.0" encoding="utf-8"?>\n<a>\n<b>\xe9</b></a>', 3, "Invalid bytes", "encoding"),
    "no such encoding": (b'<?xml version="1.0" encoding="foo-8"?>\n<a/>', 1, "Unsupported encoding", "encoding"),
    "NUL": (b"<a>\n<b>\0</b></a>", 2, "Invalid character", "encoding"),
    "unknown entity": (b"<a>\n<b>&nbsp;</b></a>", 2, "unknown entity 'nbsp'", "declare"),
    "unknown entity in an attribute": (b'<a>\n<b c="&nbsp;"/></a>', 2, "unknown entity 'nbsp'", "declare"),
    "entity of a DTD that is not read": (b'<!DOCTYPE a SYSTEM "a.dtd">\n<a>\n<b>&x;</b></a>', 3, "unknown entity 'x'", "declare"),
    "the same in an attribute": (b'<!DOCTYPE a SYSTEM "a.dtd">\n<a>\n<b c="&x;"/></a>', 3, "unknown entity 'x'", "declare"),
    "billion laughs": (laughs(b"<b>&l9;</b>"), 3, "amplification", "limits"),
    "billion laughs in an attribute": (laughs(b'<b c="&l9;"/>'), 3, "amplification", "limits"),
    "quadratic blow-up": (b'<!DOCTYPE a [<!ENTITY x "' + b"x" * 100_000 + b'">]>\n<a>\n<b>' + b"&x;" * 20_000 + b"</b></a>", 3, "amplification", "limits"),
    "entity loop": (b'<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]>\n<a>&x;</a>', 2, "loop", "write the text"),
    "deep nesting": (b"<a>" * 3000, 1, "depth", "nest less deeply"),
    "endless text": (b"<a>\n<b>" + b"x" * 11_000_000 + b"</b></a>", 2, "limit exceeded", "limits"),
}  # fmt: skip


def test_a_reference_to_no_character_is_not_a_matter_of_encoding(file):
    with pytest.raises(InputError, match="xmlChar value 55296; leave the reference out: it is no character"):
        list(stream(file("<a>\n<b c='&#xD800;'/></a>"), ("a", "b")))


@pytest.mark.parametrize("case", BROKEN)
def test_broken_file(case, file):
    content, line, found, remedy = BROKEN[case]
    path = file(content, "broken.xml")
    with pytest.raises(InputError) as error:
        for _ in stream(path, ("a", "b")):
            pass
    (problem,) = error.value.problems
    assert problem.source == str(path)
    assert problem.where == f"line {line}"
    assert found in problem.found
    assert remedy in problem.expected


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
    assert "external entity 'x'" in str(error.value)
    assert f"{path}, line " in str(error.value)
    assert "put the text into the file itself" in str(error.value)
    assert "SECRET" not in str(error.value) + "".join(seen)


def test_nothing_is_included(file):
    file("SECRET", "secret.txt")
    content = '<a xmlns:x="http://www.w3.org/2001/XInclude">\n<x:include href="secret.txt" parse="text"/></a>'
    assert [text_of(element) for event, element in stream(file(content), ("a",)) if event == "end"] == [""]


def test_what_may_be_there(file):
    content = (
        '<?xml version="1.0" encoding="iso-8859-1"?>\n<!DOCTYPE a SYSTEM "elsewhere.dtd" [<!ENTITY e "<i>é</i>">]>\n'
        '<a xmlns="urn:x"><b c="&amp;&#233;">  one\n<!-- no --> &e;<?no no?> two </b></a>'
    ).encode("latin-1")
    found = [
        (e, local_name(x), dict(x.attrib), text_of(x)) for e, x in stream(file(content), ("b",)) if e == "end"
    ]
    assert found == [("end", "b", {"c": "&é"}, "one é two")]


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
