"""Objects of LangChain, LlamaIndex and Haystack as frames of chunks."""

import json
from types import SimpleNamespace as Object

import pandas as pd
import pytest

import focuseval
from focuseval.chunks.frameworks import (
    from_chonkie,
    from_haystack,
    from_langchain,
    from_llama_index,
    set_offsets,
)
from focuseval.errors import InputError, InputWarning

TEXT = "One two three. Four five six.\n\nOne two three. Seven.\n"
TEXTS = {"a.md": TEXT, "b.md": "Nothing here."}


def langchain(text, start=None, source="a.md"):
    metadata = {} if source is None else {"source": source}
    return Object(
        page_content=text, metadata=metadata if start is None else {**metadata, "start_index": start}
    )


def llama_index(text, start=None, source="a.md", score=0.5):
    end = None if start is None else start + len(text)
    metadata = {} if source is None else {"file_name": source}
    node = Object(text=text, metadata=metadata, start_char_idx=start, end_char_idx=end, ref_doc_id="b.md")
    return Object(node=node, score=score)


def haystack(text, start=None, source="a.md"):
    meta = {"source_id": "b.md"} | ({} if source is None else {"file_path": source})
    return Object(content=text, meta=meta if start is None else {**meta, "split_idx_start": start})


def chonkie(text, start=None, source="a.md"):
    end = None if start is None else start + len(text)
    metadata = {} if source is None else {"filename": source}
    return Object(text=text, metadata=metadata, start_index=start, end_index=end, token_count=3)


FRAMEWORKS = [
    (from_chonkie, chonkie),
    (from_langchain, langchain),
    (from_llama_index, llama_index),
    (from_haystack, haystack),
]
NAMES = {
    from_chonkie: "filename",
    from_langchain: "source",
    from_llama_index: "file_name",
    from_haystack: "file_path",
}
each = pytest.mark.parametrize(
    ("read", "make"), FRAMEWORKS, ids=["chonkie", "langchain", "llama_index", "haystack"]
)


@each
def test_retrieved_objects_are_a_run(read, make):
    retrieved = {"q1": [make("One two three.", 31), make("Seven.")], 2: [make("Nothing here.", 0, "b.md")]}
    frame = read(retrieved, documents=TEXTS)
    assert [metadata[name] for metadata, name in zip(frame["metadata"], 3 * [NAMES[read]], strict=True)] == [
        "a.md",
        "a.md",
        "b.md",
    ]
    assert frame.drop(columns="metadata").to_dict("list") == {
        "topic": ["q1", "q1", "2"],
        "document": ["a.md", "a.md", "b.md"],
        "start": [31, 46, 0],
        "end": [45, 52, 13],
        "rank": [1, 2, 1],
        "text": ["One two three.", "Seven.", "Nothing here."],
    }
    gold = [
        {"topic": "q1", "document": "a.md", "start": 46, "end": 52},
        {"topic": "2", "document": "b.md", "start": 0, "end": 7},
    ]
    scores = focuseval.score(
        ["RR(relevant=touches)"], gold=gold, runs={"mine": frame}, texts=TEXTS, per_topic=True
    )
    assert dict(zip(scores["topic"], scores["value"], strict=True)) == {"q1": 0.5, "2": 1.0, "all": 0.75}


@each
def test_offsets_that_contradict_the_text_are_reported_and_corrected(read, make):
    with pytest.warns(
        InputWarning,
        match=r"topic q, result 1: .*the text is not at its offsets.*; the text was located at 15 to 29 instead",
    ):
        frame = read({"q": [make("Four five six.", 12)]}, documents=TEXTS)
    assert frame[["start", "end"]].to_numpy().tolist() == [[15, 29]]


@each
def test_repeated_chunks_in_order_are_located_at_their_own_places(read, make):
    texts = ["One two three.", "Four five six.", "One two three.", "Seven."]
    frame = read([make(text) for text in texts], documents=TEXTS)
    assert frame.columns.tolist() == ["document", "start", "end", "text", "metadata"]
    assert frame["start"].tolist() == [0, 15, 31, 46]


@each
def test_chunks_without_a_place_are_reported(read, make):
    with pytest.raises(InputError, match=r"topic q, result 1: in document 'a.md', the text occurs 2 times"):
        read({"q": [make("One two three.")]}, documents=TEXTS)
    with pytest.warns(
        InputWarning, match="(?s)1 of 2 results was not located and is left out; .*no text matches"
    ):
        frame = read({"q": [make("Eight."), make("Seven.")]}, documents=TEXTS, lenient=True)
    assert frame["rank"].tolist() == [2] and frame.index.tolist() == [1]
    with pytest.warns(InputWarning, match="1 of 3 chunks was not located"):
        frame = read(
            [make("Four five six."), make("Eight."), make("Seven.", 46)], documents=TEXTS, lenient=True
        )
    assert frame.index.tolist() == [0, 2] and frame["metadata"].iloc[1][NAMES[read]] == "a.md"
    with pytest.raises(InputError, match=r"topic q, result 1: the chunk has no .*give documents="):
        read({"q": [make("Seven.")]})
    with pytest.raises(InputError, match="chunk 0: the chunk has no text"):
        read([make(None)])
    with pytest.raises(
        InputError,
        match="chunk 0: the chunk is a dict without '.*'; expected an object of .*, or a dictionary of one",
    ):
        read([{"text": "Seven."}])
    with pytest.raises(InputError, match="there are no chunks; give at least one chunk"):
        read({"q": []})


def plain(item):
    """Return an object as the dictionary to which it is serialised."""
    return {key: plain(value) for key, value in vars(item).items()} if isinstance(item, Object) else item


@each
def test_dictionaries_from_json_are_read_as_the_objects(read, make):
    retrieved = {
        "q1": [make("One two three.", 31), make("Seven.")],
        "q2": [(make("Nothing here.", 0, "b.md"), 0.5)],
    }
    written = {
        "q1": [plain(item) for item in retrieved["q1"]],
        "q2": [[plain(item), score] for item, score in retrieved["q2"]],
    }
    pd.testing.assert_frame_equal(read(written, documents=TEXTS), read(retrieved, documents=TEXTS))
    with pytest.raises(InputError, match="chunk 0: the chunk is a list; expected"):
        read([[]])


def test_dictionaries_name_the_document_they_are_of():
    node = {"text": "Nothing here.", "metadata": {}, "relationships": {"1": {"node_id": "b.md"}}}
    assert from_llama_index([{"node": node, "score": 1.0}], documents=TEXTS)["document"].tolist() == ["b.md"]
    flat = {
        "content": "Nothing here.",
        "file_path": "b.md",
        "split_idx_start": 0,
        "score": 0.5,
    }  # metadata are on the same level
    for source in ("file_path", "source_id"):
        frame = from_haystack([{source if key == "file_path" else key: value for key, value in flat.items()}])
        assert frame.to_dict("list") == {
            "document": ["b.md"],
            "start": [0],
            "end": [13],
            "text": ["Nothing here."],
            "metadata": [{source: "b.md", "split_idx_start": 0, "score": 0.5}],
        }


OFFSETS = {
    from_chonkie: lambda item: (item.start_index, item.end_index),
    from_langchain: lambda item: (item.metadata.get("start_index"), item.metadata.get("end_index")),
    from_llama_index: lambda item: (item.node.start_char_idx, item.node.end_char_idx),
    from_haystack: lambda item: (item.meta.get("split_idx_start"), item.meta.get("split_idx_end")),
}


@each
def test_offsets_are_written_into_the_objects_of_a_framework(read, make):
    texts = ["One two three.", "Four  five six.", "No such text.", "One two three.", "Seven."]
    chunks = [make(text, None if text != "Seven." else 3) for text in texts]
    with pytest.warns(InputWarning) as warned:
        assert set_offsets(chunks, TEXTS, normalise="spaces") == [2]
    messages = "\n".join(str(one.message) for one in warned)
    assert "1 of 5 chunks was not located" in messages
    assert "the text is not at its offsets, 3 to 9" in messages
    places = [(0, 14), (15, 29), (None, None), (31, 45), (46, 52)]
    keeps_ends = read in (
        from_langchain,
        from_haystack,
    )  # these set an end only if the text does not determine it
    expected = [
        (a, b if text == "Four  five six." else None) if keeps_ends else (a, b)
        for (a, b), text in zip(places, texts, strict=True)
    ]
    assert [OFFSETS[read](item) for item in chunks] == expected
    again = read([chunk for i, chunk in enumerate(chunks) if i != 2], documents=TEXTS)
    assert list(zip(again["start"], again["end"], strict=True)) == [
        place for place in places if place[0] is not None
    ]
    written = [plain(make("Seven."))]
    assert set_offsets(written, TEXTS) == [] and set_offsets([(make("Seven."), 0.5)], TEXTS) == []
    with pytest.raises(
        InputError, match="expected at least one object of LangChain, LlamaIndex, Haystack or chonkie"
    ):
        set_offsets([{"document": "a.md", "text": "Seven."}], TEXTS)


@each
def test_chunks_without_a_name_are_looked_for_in_all_documents(read, make):
    if read in (from_chonkie, from_langchain):
        frame = read([make("Nothing", 0, None), make("Seven.", None, None)], documents=TEXTS)
        assert frame["document"].tolist() == ["b.md", "a.md"] and frame["start"].tolist() == [0, 46]
    with pytest.raises(InputError, match="the metadata has no .*|has no .*give documents|start"):
        read([make("Seven.", None, None)])


@each
def test_chunks_of_a_framework_are_a_chunking(read, make):
    gold = [{"topic": "q", "document": "a.md", "start": 15, "end": 29}]
    chunks = [make("One two three.", 0), make("Four five six.", 15)]
    comparison = focuseval.ceiling({"mine": chunks}, gold=gold, texts=TEXTS, at=["1"])
    assert comparison.records[-1]["recall@1"] == 1 and comparison.records[-1]["chunks"] == 2


@each
def test_places_that_a_search_for_the_first_occurrence_gave_are_mended(read, make):
    texts = ["One two three.", "Four five six.", "One two three.", "Seven."]
    chunks = [make(text, TEXT.find(text)) for text in texts]
    with pytest.warns(
        InputWarning,
        match="chunk 2: .*do not follow the previous chunk.*; the text was located at 31 to 45 instead",
    ):
        frame = read(chunks, documents=TEXTS)
    assert frame["start"].tolist() == [0, 15, 31, 46]


def test_without_texts_possible_offsets_are_trusted():
    frame = from_langchain({"q": [(langchain("Seven.", 46), 0.3)]})
    assert frame[["start", "end"]].to_numpy().tolist() == [[46, 52]]
    node = llama_index("Seven.", 46)
    assert from_llama_index([node.node])["end"].tolist() == [52]
    node.node.end_char_idx = 50
    with pytest.raises(InputError, match="start is 46 and end is 50, but the text has 6 characters"):
        from_llama_index([node])


def test_names_of_documents(tmp_path):
    assert from_llama_index([llama_index("x", 0, None)])["document"].tolist() == ["b.md"]
    assert from_haystack([haystack("x", 0, None)])["document"].tolist() == ["b.md"]
    with pytest.raises(InputError, match="the metadata has no 'source'; set name="):
        from_langchain([langchain("x", 0, None)])
    (tmp_path / "a.md").write_text(TEXT)
    chunks_of_folder = [langchain("Seven.", 46, "/data/a.md")]
    frame = from_langchain(
        chunks_of_folder, documents=tmp_path, name=lambda metadata: metadata["source"].rpartition("/")[2]
    )
    assert frame["document"].tolist() == ["a.md"]
    for documents in (tmp_path, TEXTS):
        with pytest.raises(
            InputError,
            match=r"document '/data/a.md' is unknown; did you mean 'a.md', without '/.*'\? .*; set name=",
        ):
            from_langchain(chunks_of_folder, documents=documents)


@each
def test_retrieved_objects_are_scored_without_conversion(read, make, tmp_path):
    retrieved = {"q1": [make("Seven.")], "q2": [], 3: [(make("Nothing here.", 0, "b.md"), 0.5)]}
    gold = [
        {"topic": "q1", "document": "a.md", "start": 46, "end": 52},
        {"topic": "3", "document": "b.md", "start": 0, "end": 26},
    ]
    (tmp_path / "a.md").write_text(TEXT)
    (tmp_path / "b.md").write_text(TEXTS["b.md"])
    written = {topic: [plain(item) for item in items] for topic, items in retrieved.items() if topic != 3}
    gold[1]["end"] = 13
    for documents in ({"texts": TEXTS}, {"collection": tmp_path}):
        inputs = {"gold": gold, "runs": {"mine": retrieved, "json": written}, **documents}
        scores = focuseval.score("char_recall", average_over="assessed", **inputs)
        assert scores["value"].tolist() == [1.0, 0.5]
        assert len(focuseval.read_campaign(**inputs).results) == 3
        assert focuseval.view("char_recall", **inputs).to_html()
    with pytest.raises(InputError, match="topic q1, result 1: the chunk has no .*give documents="):
        focuseval.score("char_recall", gold=gold, runs={"mine": retrieved})
    with pytest.raises(InputError, match="run mine: the value is a dict"):
        focuseval.score("char_recall", gold=gold, runs={"mine": {"q1": [object()]}})


ATTRIBUTES = {
    "input.value": "q1",
    "session.id": "s",
    "retrieval.documents.1.document.content": "Seven.",
    "retrieval.documents.1.document.metadata": '{"source": "a.md"}',
    "retrieval.documents.0.document.content": "Four five six.",
    "retrieval.documents.0.document.id": "a.md",
    "retrieval.documents.0.document.metadata": '{"start_char_idx": 15, "end_char_idx": 29}',
}


def test_spans_of_traces():
    otlp = [{"key": key, "value": {"stringValue": value}} for key, value in ATTRIBUTES.items()]
    for attributes in (ATTRIBUTES, otlp):
        spans = [{"attributes": {}}, Object(attributes=attributes), {"attributes": attributes}]
        frame = focuseval.from_traces(spans[:2], documents=TEXTS)
        assert frame[["topic", "document", "start", "end"]].to_numpy().tolist() == [
            ["q1", "a.md", 15, 29],
            ["q1", "a.md", 46, 52],
        ]
        frame = focuseval.from_traces(
            spans, topic=lambda attributes_of_span: attributes_of_span["session.id"] + "1", documents=TEXTS
        )
        assert frame["topic"].tolist() == ["s1"] * 4 and frame["rank"].tolist() == [1, 2, 3, 4]
    with pytest.raises(
        InputError,
        match="OpenInference: a span has no attribute 'query'; set topic= to the attribute with the topic",
    ):
        focuseval.from_traces(spans, topic="query")
    with pytest.raises(InputError, match="there are no chunks; give at least one chunk"):
        focuseval.from_traces([{"attributes": {}}])


def test_traces_of_langchain_by_openinference_itself():
    instrumentation = pytest.importorskip("openinference.instrumentation.langchain")
    trace, export = (pytest.importorskip(f"opentelemetry.sdk.trace{part}") for part in ("", ".export"))
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    retrievers = pytest.importorskip("langchain_core.retrievers")
    documents = pytest.importorskip("langchain_core.documents")

    class Retriever(retrievers.BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [documents.Document(page_content="Seven.", metadata={"source": "a.md"})]

    spans, provider = memory.InMemorySpanExporter(), trace.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(spans))
    instrumentor = instrumentation.LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        Retriever().invoke("what comes last?")
    finally:
        instrumentor.uninstrument()
    for exported in (
        spans.get_finished_spans(),
        [json.loads(one.to_json()) for one in spans.get_finished_spans()],
    ):
        frame = focuseval.from_traces(exported, documents=TEXTS)
        assert frame[["topic", "start", "end"]].to_numpy().tolist() == [["what comes last?", 46, 52]]


def test_langchain_itself():
    documents = pytest.importorskip("langchain_core.documents")
    splitters = pytest.importorskip("langchain_text_splitters")
    splitter = splitters.RecursiveCharacterTextSplitter(chunk_size=20, chunk_overlap=5, add_start_index=True)
    chunks = splitter.split_documents([documents.Document(page_content=TEXT, metadata={"source": "a.md"})])
    frame = from_langchain(chunks, documents=TEXTS)
    assert [TEXT[start:end] for start, end in zip(frame["start"], frame["end"], strict=True)] == [
        chunk.page_content for chunk in chunks
    ]
    pd.testing.assert_frame_equal(from_langchain(chunks), frame)
    pd.testing.assert_frame_equal(from_langchain([chunk.model_dump() for chunk in chunks]), frame)
