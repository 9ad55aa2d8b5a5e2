"""The page as a file: its contents and size; only its own script can run."""

import base64
import hashlib
import json
import re
import warnings
import zlib

import pytest

import focuseval
from focuseval.cli import main
from focuseval.errors import InputError
from focuseval.viewer.contents import ViewSettings, contents
from focuseval.viewer.page import LARGEST, page, save
from focuseval.viewer.queries import queries_of, queries_of_campaign

from ..report.test_page import Page
from .campaigns import EMPTY, HOSTILE, hostile_campaign, random_campaign, view_of, write_xml


def unpacked(text):
    return json.loads(zlib.decompress(base64.b64decode(text)))


def blocks_of(text):
    """Return the data of a page by name."""
    blocks = re.findall(r'<script type="text/plain" id="([a-z0-9]+)">([A-Za-z0-9+/=]*)</script>', text)
    return {name: unpacked(packed) for name, packed in blocks}


@pytest.mark.filterwarnings("error")
def test_gold_without_content_is_reported_or_omitted_of_some_measures():
    runs = {name: {"q": {"d": 1.0}, "r": {"d": 1.0}} for name in "ab"}
    arguments = {"gold": {"q": {"d": 1}, "r": {"d": 1}}, "runs": runs, "measures": ["P(rel=2)@5", "AP"]}
    view = view_of(arguments, resamples=10)
    assert [one["name"] for one in view.contents.core["asked"]] == ["AP"]
    assert view.contents.core["unit"] == "documents" and view.contents.core["topics"][0]["gold"] == 1
    remedy = "check the judgements and the measure's parameters, or leave the measure out"
    assert view.notes == [f"P(rel=2)@5 was not scored: no topic has relevant content; {remedy}"]
    graded = {"gold": {"q": {"d": 0}}, "runs": {"run": {"q": {"d": 1.0}}}, "measures": ["AP"]}
    with pytest.raises(InputError, match="^measure AP: no topic has relevant content; check the judgements"):
        view_of(graded)


def test_the_page_holds_all_data_of_its_campaign():
    view = view_of(random_campaign(1), resamples=50)
    blocks = blocks_of(view.to_html())
    assert (
        view.to_html() == view_of(random_campaign(1), resamples=50).to_html()
    )  # the page does not depend on the time
    assert blocks["core"]["runs"] == ["run 0", "run 1", "run 2"] and blocks["core"]["folder"] is None
    assert [blocks[f"t{t}"] for t in range(6)] == json.loads(json.dumps(view.contents.topics))
    texts = random_campaign(1)["texts"]
    names = view.contents.collection.names[view.contents.documents]
    assert {name: blocks[f"d{i}"]["text"] for i, name in enumerate(names)} == texts
    without = blocks_of(view_of({**random_campaign(1), "texts": None}, resamples=50).to_html())
    assert blocks["core"]["known"] and not without["core"]["known"]
    assert without["t0"]["lists"][0]["size"] and not any(name.startswith("d") for name in without)


@pytest.mark.parametrize("loads", [False, True])
def test_only_the_script_of_the_page_may_run_and_nothing_is_fetched(loads):
    contents = view_of(hostile_campaign(), resamples=50).contents
    text = page(contents, EMPTY if loads else LARGEST, "beside" if loads else None).html
    elements = Page(text).elements
    scripts = [attributes for tag, attributes in elements if tag == "script"]
    assert [one for one in scripts if one.get("type") != "text/plain"] == [{}]
    assert not any("src" in attributes or "onerror" in attributes for _, attributes in elements)
    tags = "html head meta title style body a header div h1 nav ol form main p noscript footer details summary dl dt dd span ul script table thead tbody tr th td"
    assert {tag for tag, _ in elements} == set(tags.split())
    (policy,) = (str(a["content"]) for _, a in elements if "http-equiv" in a)
    hashes = {
        kind: f"'sha256-{base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()}'"
        for kind, data in re.findall(r"<(script|style)>(.*?)</\1>", text, re.DOTALL)
    }
    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src {hashes['script']}" + (" 'strict-dynamic'" if loads else ""),
        f"style-src {hashes['style']}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_hostile_text_is_in_the_page_as_data_and_as_an_escaped_title_only():
    campaign = hostile_campaign()
    text = view_of(campaign, resamples=50).to_html()
    assert HOSTILE not in text and "<img" not in text
    core, topic, document = (blocks_of(text)[name] for name in ("core", "t0", "d0"))
    assert (
        core["title"] == core["topics"][0]["name"] == core["topics"][0]["query"] == core["runs"][0] == HOSTILE
    )
    assert topic["documents"] == [f"{HOSTILE}.md"]
    assert document["text"] == next(iter(campaign["texts"].values()))


def test_large_contents_are_in_a_folder_next_to_the_page_and_reported(tmp_path):
    view = view_of(random_campaign(4), resamples=50)
    whole = len(view.to_html().encode())
    parts = save(view.contents, tmp_path / "page.html", whole - 1200)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(text.encode()) <= whole - 1200
    inside = blocks_of(text)
    in_files = {}
    for file in (tmp_path / "page_files").iterdir():
        name, packed = re.fullmatch(
            r'focuseval\("([td]\d+)","([A-Za-z0-9+/=]*)"\)\n', file.read_text()
        ).groups()
        assert file.name == f"{name}.js"
        in_files[name] = unpacked(packed)
    assert parts.documents and not set(inside) & set(in_files)
    everything = blocks_of(view.to_html())
    assert {**inside, **in_files, "core": None} == {**everything, "core": None}
    assert inside["core"]["folder"] == "page_files"
    message = f"The texts of {len(parts.documents)} of 4 documents are in the folder page_files"
    assert any(note.startswith(message) for note in inside["core"]["notes"])

    smaller = save(view.contents, tmp_path / "page.html", EMPTY + 3_800)  # results are also in files
    assert smaller.topics and len((tmp_path / "page.html").read_bytes()) <= EMPTY + 3_800
    save(view.contents, tmp_path / "page.html")
    assert not list((tmp_path / "page_files").iterdir())  # no file of the earlier page is left
    (tmp_path / "alone").mkdir()
    save(view.contents, tmp_path / "alone/page.html", EMPTY + 3_800, alone=True)
    assert [path.name for path in (tmp_path / "alone").iterdir()] == ["page.html"]
    core = blocks_of((tmp_path / "alone/page.html").read_text(encoding="utf-8"))["core"]
    assert core["folder"] is None and "are left out." in core["notes"][0]


def test_texts_with_gold_come_first_then_texts_by_best_rank():
    texts = {f"{name}.md": f"Text of {name}, which is long enough." for name in "abcd"}
    gold = [{"topic": "1", "document": "d.md", "start": 0, "end": 4}]
    ranked = [{"topic": "1", "document": f"{name}.md", "start": 0, "end": 9} for name in ("c", "a", "b")]
    view = focuseval.view(["AiP"], gold=gold, runs={"r": ranked, "s": ranked[1:]}, texts=texts, resamples=10)
    names = view.contents.collection.names[view.contents.documents]
    assert list(names) == ["d.md", "a.md", "c.md", "b.md"]
    (topic,) = view.contents.topics
    assert [topic["documents"][i] for i in topic["lists"][0]["document"]] == ["c.md", "a.md", "b.md"]
    assert (
        [names[number] for number in topic["text"]] == topic["documents"] == ["a.md", "b.md", "c.md", "d.md"]
    )


def test_omitted_runs_and_results_are_reported():
    view = view_of(random_campaign(5), resamples=50, best=1, depth=5, baseline="run 0")
    core = view.contents.core
    assert core["runs"] == ["run 0", "run 2"]
    assert {len(one["rank"]) for topic in view.contents.topics for one in topic["lists"]} == {5}
    assert core["notes"][:2] == [
        "The page shows the best 2 of 3 runs by char_recall.",
        "The page shows the first 5 results of a list, and leaves out 86 of 146 results. Scores are for whole lists.",
    ]
    whole = view_of(random_campaign(5), resamples=50).contents.core
    for run in core["runs"]:  # scores are still those of whole lists
        at, before = core["runs"].index(run), whole["runs"].index(run)
        assert core["measures"]["AiP"]["values"][at] == whole["measures"]["AiP"]["values"][before]


def test_values_that_are_too_many_are_reported_and_missing():
    campaign = random_campaign(6)
    campaign_read = focuseval.read_campaign(**{key: campaign[key] for key in ("gold", "runs", "texts")})
    scores = focuseval.score_campaign(campaign_read, ["span_F1@0.5"])
    arguments = (
        campaign_read.topics,
        campaign_read.results,
        scores.per_topic,
        list(scores.specs.values()),
        None,
    )
    some, none = (contents(*arguments, ViewSettings(steps=steps)) for steps in (40, 0))
    values = some.topics[0]["lists"][0]["values"]["span_F1@0.5"]
    count = sum(value is not None for value in values)
    assert 0 < count < len(values) and values[count:] == [None] * (len(values) - count)
    message = (
        f"span_F1@0.5: the value after each result is shown only for the first {count} results of a list."
    )
    assert some.core["notes"] == [message]
    message = "Values after each result are not shown, because they take long to compute: span_F1@0.5."
    assert none.core["notes"] == [message] and none.topics[0]["lists"][0]["values"] == {}


def test_the_command_writes_the_page_of_files(tmp_path, capsys):
    collection, gold, run = write_xml(tmp_path)
    page_file = tmp_path / "page.html"
    inputs = (
        f"--assessments {gold} --run {run} --measure char_recall --title Nested --output {page_file}".split()
    )
    assert main(["view", *inputs]) == 2  # the sizes of elements are unknown
    assert "give the documents (--documents)" in capsys.readouterr().err
    assert main(["view", "--collection", str(collection), *inputs]) == 0
    assert capsys.readouterr().out == f"{page_file}\n"
    blocks = blocks_of(page_file.read_text(encoding="utf-8"))
    assert blocks["core"]["topics"][0]["query"] == "What?" and blocks["core"]["title"] == "Nested"
    listed = blocks["t0"]["lists"][0]
    paths = ["sec[1]", "sec[1]/p[1]", "", "sec[2]/p[1]/it[1]"]
    assert [blocks["t0"]["paths"][i] for i in listed["path"]] == [
        f"/article[1]/bdy[1]/{path}".rstrip("/") for path in paths
    ]
    again = [size - new for size, new in zip(listed["size"], listed["new"], strict=True)]
    assert (listed["found"], again) == ([18, 0, 0, 0], [0, 19, 33, 4])


def test_two_hundred_thousand_documents_make_a_page(tmp_path):
    with open(tmp_path / "qrels.txt", "w") as qrels, open(tmp_path / "r.run", "w") as run:
        for topic in range(200):
            qrels.write(f"{topic} 0 d{topic}-0 1\n")
            run.writelines(f"{topic} Q0 d{topic}-{i} {i + 1} {9999 - i} r\n" for i in range(1000))
    view = focuseval.view(["P@10"], assessments=tmp_path / "qrels.txt", runs=tmp_path / "r.run", depth=1000)
    assert len(view.to_html().encode()) < LARGEST
    assert view.contents.core["documents"] == 200_000


def test_in_a_notebook_the_view_is_an_isolated_frame():
    view = view_of(hostile_campaign(), resamples=50)
    frame = view._repr_html_()
    (tag, attributes), *rest = Page(frame).elements
    assert tag == "iframe" and not rest and attributes["sandbox"] == "allow-scripts"
    assert attributes["srcdoc"] == view.to_html(5_000_000)
    assert repr(view).startswith("View: 2 runs, 2 topics, 1 document")


def test_impossible_requests_are_reported(tmp_path, capsys):
    campaign = random_campaign(9, topics=2, runs=2)
    view = view_of(campaign, resamples=10)
    for what, message in (
        (
            lambda: view_of(campaign, baseline="run 9"),
            "no run is named 'run 9'.*expected one of run 0, run 1",
        ),
        (lambda: view_of(campaign, by="size"), "run run 0: the name of the run has no value of size"),
        (lambda: view_of(campaign, depth=0), "depth: the value is 0; expected a whole number of at least 1"),
        (lambda: view_of(campaign, best=0), "best: the value is 0; expected a whole number of at least 1"),
        (
            lambda: view.save(tmp_path / "new" / "p.html"),
            "^path: the folder '.*new' does not exist; create the folder first$",
        ),
        (lambda: view.save(tmp_path), "^path: .* is a folder; give the name of a file$"),
    ):
        with pytest.raises(InputError, match=message):
            what()
    assert not list(tmp_path.iterdir())
    assert main(["view", "--assessments", "x", "--run", "y", "--measure", "AiP"]) == 2
    assert "--output must be given" in capsys.readouterr().err


def test_queries_come_from_json_lines_or_from_topics(tmp_path):
    lines = [
        {"topic": "a", "query": "first"}, {"topic": "a", "query": "second"}, {"topic": 7, "query": "seven"},
        {"topic": "b"}, {"topic": "c", "query": 3}, {"query": "of none"},
    ]  # fmt: skip
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + "no JSON\n")
    assert queries_of(tmp_path / "gold.jsonl") == {"a": "first", "7": "seven"}
    assert queries_of(None) == {}
    (tmp_path / "topics.xml").write_text(
        '<inex_topic topic_id="1" query_type="CO"><title>of one</title></inex_topic>'
    )
    assert queries_of_campaign(tmp_path / "topics.xml", None) == {"1": "of one"}
    assert queries_of_campaign(None, tmp_path / "gold.jsonl") == {"a": "first", "7": "seven"}


def test_no_warning_is_left_over():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        view = view_of(random_campaign(3, topics=2, runs=2), resamples=10)
    assert any("an earlier result for the same topic" in note for note in view.contents.core["notes"])
