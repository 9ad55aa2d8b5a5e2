"""Which document is meant by an unknown name."""

from focuseval.campaign.collection_read import collection_of_texts
from focuseval.campaign.resolve import document_meant
from focuseval.errors import SHOWN

NAMES = ["guide/start.md", "guide/install.md"]


def test_as_many_are_looked_for_as_messages_show() -> None:
    collection = collection_of_texts(dict.fromkeys(NAMES, "text"))
    found = [document_meant(f"guide/start{'s' * i}.md", collection) for i in range(1, SHOWN + 3)]
    assert all(found[:2]) and found[SHOWN:] == ["", ""]
    assert document_meant("guide/starts.md", collection) == found[0]
    assert document_meant("start.md", collection_of_texts({"other.md": "text"})) == ""  # it has its own
