"""The columns of the Parquet files that the jobs of the workflow exchange."""

import pyarrow as pa

from focuseval.campaign.tables import (
    COUNTS,
    LEFT_OUT,
    NAME,
    TOLD,
    read,
    read_parts,
    write,
    write_parts,
)

__all__ = ["LEFT_OUT", "TOLD", "read", "read_parts", "write", "write_parts"]

#: one row per document, sorted by ``document``
DOCUMENTS = pa.schema(
    {
        "document": pa.int32(),  # number of the document, in the order of the names
        "name": pa.string(),  # path in the source, without suffix
        "shard": pa.int32(),  # number of the shard with the document's elements
        "elements": pa.int32(),
        "characters": pa.int32(),  # size of the document's text, in three units
        "words": pa.int32(),
        "bytes": pa.int32(),
    }
)

#: one row per element, sorted by (document, node); nodes and offsets count from the document's start
ELEMENTS = pa.schema(
    {
        "document": pa.int32(),
        "node": pa.int32(),  # number of the element in document order; the root is 0
        "parent": pa.int32(),  # node of the parent, -1 for the root
        "last": pa.int32(),  # first node after the element and its descendants
        "depth": pa.int32(),  # 0 for the root
        "tag": NAME,  # the element's name, without its namespace prefix
        "position": pa.int32(),  # position among the siblings of the same tag, counted from 1
        "start": pa.int32(),  # offset of the element in the document's text, in characters; "end" is exclusive
        "end": pa.int32(),
        "word_start": pa.int32(),
        "word_end": pa.int32(),
        "byte_start": pa.int32(),
        "byte_end": pa.int32(),
    }
)

#: one row per word of a collection's texts, in text order: the word's index term, or null for a stop word
TERMS = pa.schema({"term": NAME})

#: metadata of a collection whose documents are known only from assessments and runs
KNOWN = {"complete": "false"}

#: metadata key of the sums over elements that are not stored (`focuseval.model.elements.Unloaded`)
ELSEWHERE = "elsewhere"

#: one row per assessed topic, in the order of the assessments
TOPICS = pa.schema(
    {
        "topic": pa.string(),
        "scale": pa.string(),
        "coverage": pa.list_(pa.float64(), 4),  # the specificities that replace the coverages N, L, S and E
        "highlighted": pa.bool_(),  # true if assessed by highlighting, even if nothing was highlighted
        "spanned": pa.bool_(),  # whether relevant passages are listed separately (`SPANS`)
        "entered": pa.bool_(),  # whether best entry points were judged
        "assessed": pa.list_(pa.int32()),  # the assessed documents; null if the assessments do not list them
        "grade": pa.list_(pa.int64()),  # grades of the assessed documents; null if there are no grades
    }
)

#: one row per relevant element under a quantisation, sorted by (topic, document, node); ideal_METHOD is true for the
#: ideal elements of a method
RECALL_BASE = pa.schema(
    {
        "topic": NAME,
        "document": pa.int32(),
        "node": pa.int32(),
        "score": pa.float64(),
        **{f"ideal_{method}": pa.bool_() for method in ("paper", "deepest", "density", "article")},
    }
)

#: one row per judged element, sorted by (topic, document, node); all other elements are not relevant
JUDGEMENTS = pa.schema(
    {
        "topic": NAME,
        "document": pa.int32(),
        "node": pa.int32(),
        "exhaustivity": pa.float64(),
        "specificity": pa.float64(),
    }
)

#: one row per highlighted passage, sorted by (topic, document, start); passages are disjoint, and offsets are in the
#: campaign's unit
PASSAGES = pa.schema({"topic": NAME, "document": pa.int32(), "start": pa.int32(), "end": pa.int32()})

#: one row per relevant passage; topics and passages are in the order of the assessments, and passages may overlap
SPANS = pa.schema(
    {
        "topic": NAME,
        "document": pa.int32(),
        "start": pa.int32(),
        "end": pa.int32(),
        "aspects": NAME,  # names of the passage's aspects, separated by |
        "grade": pa.int64(),
        # number of the passage's group of interchangeable members; -1 if the passage is in no group
        "group": pa.int64(),
        # index of the group's member that contains the passage; -1 if the passage is a member by itself
        "member": pa.int64(),
    }
)

#: one row per best entry point; offsets are in the unit of the campaign
ENTRY_POINTS = pa.schema({"topic": NAME, "document": pa.int32(), "offset": pa.int32()})

#: one row per chunk of every chunking, sorted by (chunking, document, start)
CHUNKS = pa.schema(
    {
        "chunking": NAME,
        "splitter": NAME,
        "size": pa.int32(),  # the requested size of a chunk, in tokens
        "overlap": pa.int32(),
        "document": NAME,
        "start": pa.int32(),  # offset of the chunk in the document's text, in characters
        "end": pa.int32(),
        "found_start": pa.int32(),  # offset at which a search finds the chunk's text; it may differ from start
        "found_end": pa.int32(),
        "tokens": pa.int32(),
    }
)

#: one row per fact about a campaign with one of its run files, such as the number of documents
FACTS = pa.schema({"runs": NAME, "fact": NAME, "value": pa.float64()})

#: one row per result, sorted by (run, topic, rank); node is -1 for a passage, and score is NaN if it is missing
RESULTS = pa.schema(
    {
        "run": NAME,
        "topic": NAME,
        "rank": pa.int32(),
        "document": pa.int32(),
        "node": pa.int32(),
        "start": pa.int32(),
        "end": pa.int32(),
        "score": pa.float64(),
        "source": NAME,  # the path of the run's file; "" for generated runs
        "line": pa.int32(),  # line in the run's file, -1 for generated runs
    }
)

#: one row per score: the value of a measure for a run on a topic
SCORES = pa.schema(
    {
        "campaign": NAME,
        "runs": NAME,  # name of the run set
        "size": pa.int32(),  # number of results that were scored in each list, -1 for all
        "run": NAME,
        "topic": NAME,
        "measure": NAME,  # name of the measure, without parameters
        "parameters": NAME,  # all parameters as JSON, keys sorted
        "cutoff": pa.float64(),  # cut-off, NaN for none
        "name": NAME,  # measure, parameters and cut-off in the shortest unambiguous form
        "value": pa.float64(),
        **COUNTS,
    }
)
