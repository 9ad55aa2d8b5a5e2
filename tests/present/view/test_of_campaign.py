"""The page of a campaign whose measures read the words of its documents."""

from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.batch import score_sets
from focuseval.campaign.runsets import RunSet
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.as_results import as_results
from focuseval.model.judgements import Highlights, Topic
from focuseval.present.view.of_campaign import campaign_contents, without_values
from tests.papers.made import collection_on_disk, leave


def test_measures_of_words_find_the_words_again(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    collection = collection_on_disk({"d": "<a><p>one two </p><p>three four</p></a>"}, folder)
    none = np.empty(0, dtype=np.int64)
    marked = Highlights(np.array([0]), np.array([4]), np.array([13]))
    topics = [
        Topic(name, "highlights", collection, none, none.astype(float), none.astype(float), marked)
        for name in ("t", "u")
    ]
    rows = [(run, name, 1, 0, node, np.nan) for run, node in (("a", 1), ("b", 2)) for name in ("t", "u")]
    columns = ["run", "topic", "rank", "document", "node", "score"]
    leave(
        topics, {"submitted": as_results(pd.DataFrame(rows, columns=columns), collection)}, collection, folder
    )
    runs, source = RunSet("all", "submitted"), tmp_path / "mine-documents"
    scores, _ = score_sets(
        "mine",
        folder,
        [(runs, ["word_F1"])],
        MEASURES,
        unit="characters",
        lenient=False,
        made=folder,
        texts=source,
    )
    given = {"title": "Mine", "unit": "characters", "collection": source, "queries": {}}
    specs = [*parse_specs("AP", MEASURES), *parse_specs("word_F1", MEASURES)]  # the first was not scored
    found = campaign_contents(folder, scores, runs, specs, **given)
    assert found is not None and list(found.core["measures"]) == ["word_F1"]
    values = found.core["measures"]["word_F1"]["values"]
    assert sorted(map(tuple, values)) == [(0.5, 0.5), (0.5, 0.5)]
    nothing = scores[scores["topic"] == "none"]
    assert campaign_contents(folder, nothing, runs, parse_specs("word_F1", MEASURES), **given) is None


def test_a_page_without_values_says_why_and_holds_no_markup_of_notes() -> None:
    page = without_values("Mine & yours", ["AP: no relevant content: <b>1</b>"])
    assert "<title>Mine &amp; yours</title>" in page and "No measure has a value" in page
    assert "<li>AP: no relevant content: &lt;b&gt;1&lt;/b&gt;</li>" in page
