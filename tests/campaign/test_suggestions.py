"""Suggestions for unknown names of documents."""

from focuseval.campaign.collection_read import collection_of_texts
from focuseval.campaign.resolve import document_meant
from focuseval.errors import SHOWN

NAMES = ["guide/start.md", "guide/install.md"]


def test_only_as_many_suggestions_are_sought_as_messages_show():
    collection = collection_of_texts(dict.fromkeys(NAMES, "text"))
    suggestions = [document_meant(f"guide/start{'s' * i}.md", collection) for i in range(1, SHOWN + 3)]
    assert all(suggestions[:2]) and suggestions[SHOWN:] == ["", ""]
    assert document_meant("guide/starts.md", collection) == suggestions[0]
    assert (
        document_meant("start.md", collection_of_texts({"other.md": "text"})) == ""
    )  # each collection has its own suggestions


def test_in_a_large_collection_names_with_another_suffix_or_folder_are_suggested(monkeypatch):
    monkeypatch.setattr("focuseval.campaign.resolve.FEW", 1)
    collection = collection_of_texts({"start.md": "text", "stop.md": "text"})
    suggestions = [document_meant(name, collection) for name in ("start", "docs/stop.md", "starts.md")]
    assert suggestions == ["did you mean 'start.md'? ", "did you mean 'stop.md', without 'docs/'? ", ""]
