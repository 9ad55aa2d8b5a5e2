"""Which document is meant by an unknown name."""

import pytest

from focuseval.campaign.collection_read import collection_of_texts
from focuseval.campaign.resolve import document_meant, meant_among
from focuseval.errors import SHOWN

NAMES = [
    "guide/start.md",
    "guide/install.md",
    "caf\u00e9.md",
    "an/a1004",
    "an/a1005",
    "one/index.md",
    "two/index.md",
]


def test_text_documents_among_documents_of_xml_are_told_to_be_left_out() -> None:
    collection = collection_of_texts(dict.fromkeys(["a", "an/a1004"], "text"))
    assert document_meant("b.md", collection).startswith("beside XML no text documents are read: ")
    assert document_meant("a.md", collection) == "did you mean 'a'? "
    assert document_meant("b.pdf", collection) == ""


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("guide/instal.md", "did you mean 'guide/install.md'? "),
        ("Guide/Start.md", "did you mean 'guide/start.md'? "),
        ("start", "did you mean 'guide/start.md'? "),
        ("docs\\start.html", "did you mean 'guide/start.md'? "),
        ("cafe\u0301.md", "the collection has it with its letters in another Unicode form"),
        ("cafe.md", "did you mean 'caf\u00e9.md'? "),
        ("an/a1006", ""),  # another document, not another name of one
        ("index.md", ""),  # of two
        ("something else", ""),
    ],
)
def test_a_name_that_is_meant(document: str, told: str) -> None:
    found = meant_among(document, NAMES)
    assert found.startswith(told) and bool(found) == bool(told)


def test_as_many_are_looked_for_as_messages_show() -> None:
    collection = collection_of_texts(dict.fromkeys(NAMES, "text"))
    found = [document_meant(f"guide/start{'s' * i}.md", collection) for i in range(1, SHOWN + 3)]
    assert all(found[:2]) and found[SHOWN:] == ["", ""]
    assert document_meant("guide/starts.md", collection) == found[0]
    assert document_meant("start.md", collection_of_texts({"other.md": "text"})) == ""  # it has its own


def test_names_that_are_known_without_folders_are_all_found_and_asked_after_alike() -> None:
    collection = collection_of_texts({f"g/{i}.md": "text" for i in range(SHOWN + 5)} | {"a.md": "text"})
    for i in range(SHOWN + 5):
        assert document_meant(f"/kb/g/{i}.md", collection) == f"did you mean 'g/{i}.md', without '/kb/'? "
    assert document_meant("g/a.md", collection) == "did you mean 'a.md', without 'g/'? "
