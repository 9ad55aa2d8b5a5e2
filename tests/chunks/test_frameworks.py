"""Objects of LangChain, LlamaIndex and Haystack as frames of chunks."""

import json
from types import SimpleNamespace as Object
from typing import Any

import pandas as pd
import pytest

import focuseval
from focuseval.chunks.frameworks import from_haystack, from_langchain, from_llama_index
from focuseval.errors import InputError

TEXT = "One two three. Four five six.\n\nOne two three. Seven.\n"
TEXTS = {"a.md": TEXT, "b.md": "Nothing here."}


def langchain(text: Any, start: int | None = None, source: str | None = "a.md") -> Object:
    metadata = {} if source is None else {"source": source}
    return Object(
        page_content=text, metadata=metadata if start is None else {**metadata, "start_index": start}
    )


def llama_index(
    text: Any, start: int | None = None, source: str | None = "a.md", score: float = 0.5
) -> Object:
    end = None if start is None else start + len(text)
    metadata = {} if source is None else {"file_name": source}
    node = Object(text=text, metadata=metadata, start_char_idx=start, end_char_idx=end, ref_doc_id="b.md")
    return Object(node=node, score=score)


def haystack(text: Any, start: int | None = None, source: str | None = "a.md") -> Object:
    meta = {"source_id": "b.md"} | ({} if source is None else {"file_path": source})
    return Object(content=text, meta=meta if start is None else {**meta, "split_idx_start": start})


FRAMEWORKS = [(from_langchain, langchain), (from_llama_index, llama_index), (from_haystack, haystack)]
each = pytest.mark.parametrize(("read", "make"), FRAMEWORKS, ids=["langchain", "llama_index", "haystack"])


@each
def test_what_was_retrieved_is_a_run(read, make) -> None:
    found = {"q1": [make("One two three.", 31), make("Seven.")], 2: [make("Nothing here.", 0, "b.md")]}
    frame = read(found, documents=TEXTS)
    assert frame.to_dict("list") == {
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


def plain(item: Any) -> Any:
    """An object as the dictionary that it writes itself as."""
    return {key: plain(value) for key, value in vars(item).items()} if isinstance(item, Object) else item


@each
def test_what_was_retrieved_is_scored_as_it_is(read, make, tmp_path) -> None:
    found = {"q1": [make("Seven.")], "q2": [], 3: [(make("Nothing here.", 0, "b.md"), 0.5)]}
    gold = [
        {"topic": "q1", "document": "a.md", "start": 46, "end": 52},
        {"topic": "3", "document": "b.md", "start": 0, "end": 26},
    ]
    (tmp_path / "a.md").write_text(TEXT)
    (tmp_path / "b.md").write_text(TEXTS["b.md"])
    written = {topic: [plain(item) for item in items] for topic, items in found.items() if topic != 3}
    gold[1]["end"] = 13
    for documents in ({"texts": TEXTS}, {"collection": tmp_path}):
        inputs = {"gold": gold, "runs": {"mine": found, "json": written}, **documents}
        scores = focuseval.score("char_recall", average_over="assessed", **inputs)
        assert scores["value"].tolist() == [1.0, 0.5]
        assert len(focuseval.read_campaign(**inputs).results) == 3
        assert focuseval.view("char_recall", **inputs).to_html()
    with pytest.raises(InputError, match="topic q1, result 1: no .*give documents="):
        focuseval.score("char_recall", gold=gold, runs={"mine": found})
    with pytest.raises(InputError, match="run mine: a dict"):
        focuseval.score("char_recall", gold=gold, runs={"mine": {"q1": [object()]}})


def test_traces_of_langchain_by_openinference_itself() -> None:
    instrumentation = pytest.importorskip("openinference.instrumentation.langchain")
    trace, export = (pytest.importorskip(f"opentelemetry.sdk.trace{part}") for part in ("", ".export"))
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    retrievers = pytest.importorskip("langchain_core.retrievers")
    documents = pytest.importorskip("langchain_core.documents")

    class Retriever(retrievers.BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list:
            return [documents.Document(page_content="Seven.", metadata={"source": "a.md"})]

    spans, provider = memory.InMemorySpanExporter(), trace.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(spans))
    instrumentor = instrumentation.LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        Retriever().invoke("what comes last?")
    finally:
        instrumentor.uninstrument()
    for found in (
        spans.get_finished_spans(),
        [json.loads(one.to_json()) for one in spans.get_finished_spans()],
    ):
        frame = focuseval.from_traces(found, documents=TEXTS)
        assert frame[["topic", "start", "end"]].to_numpy().tolist() == [["what comes last?", 46, 52]]


def test_langchain_itself() -> None:
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
