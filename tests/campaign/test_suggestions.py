"""Suggestions for unknown names of documents and for tags in other case."""

import pytest

import focuseval
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


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/Article[1]/p[1]", "did you mean 'article' instead of 'Article'?"),
        ("/article[1]/P[2]", "did you mean 'p' instead of 'P'?"),
        ("//p[1]", "expected a path of the document, from its root and without //"),
        ("/article[1]/p[3]", "'a'; expected a path of the document$"),
    ],
)
def test_a_tag_in_other_case_gets_a_suggestion(path, expected, tmp_path):
    (tmp_path / "xml").mkdir()
    (tmp_path / "xml/a.xml").write_text("<article><p>one</p><p>two</p></article>", encoding="utf-8")
    (tmp_path / "run").write_text(f"1 Q0 a 1 9 r {path}\n", encoding="utf-8")
    gold = [{"topic": "1", "document": "a", "start": 0, "end": 3}]
    with pytest.raises(focuseval.InputError, match=expected):
        focuseval.score("AiP", gold=gold, runs=tmp_path / "run", collection=tmp_path / "xml")
