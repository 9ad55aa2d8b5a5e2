"""The retrieval systems that stand in for a campaign's participants: a table of settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from focuseval.model.vocabulary import FETCH_AND_BROWSE, FOCUSED, RELEVANT_IN_CONTEXT, THOROUGH, task_named

#: kinds of elements a system may rank, by the kinds that they are put together from
KINDS_OF_ELEMENTS = {
    "article": ("article",),
    "section": ("section",),
    "paragraph": ("paragraph",),
    "article-section": ("article", "section"),
    "article-paragraph": ("article", "paragraph"),
    "section-paragraph": ("section", "paragraph"),
    "all": ("all",),
}


@dataclass(frozen=True)
class System:
    """One retrieval system."""

    name: str
    weighting: str  #: a name in `focuseval_papers.retrieval.weighting.WEIGHTINGS`
    parameters: Mapping[str, float] = field(default_factory=dict)  #: of the weighting
    elements: str = "all"  #: what it ranks, one of `KINDS_OF_ELEMENTS`
    prior: float = 0.0  #: exponent of the length prior; 0 for none
    #: keep, or remove nested results, enclosing results, or all that overlap a better one (best)
    overlap: str = "keep"
    grouped: bool = False  #: results of one article stand together, articles by their best result


_MODELS: dict[str, tuple[str, dict[str, float]]] = {
    "bm25": ("robertson", {"k1": 1.2, "b": 0.75}),
    "bm25-long": ("robertson", {"k1": 2.0, "b": 0.3}),
    "lucene": ("lucene", {"k1": 1.2, "b": 0.75}),
    "lucene-flat": ("lucene", {"k1": 0.9, "b": 0.4}),
    "bm25plus": ("bm25+", {"k1": 1.2, "b": 0.75, "delta": 1.0}),
    "bm25l": ("bm25l", {"k1": 1.2, "b": 0.75, "delta": 0.5}),
    "bm25l-full": ("bm25l", {"k1": 2.0, "b": 1.0, "delta": 0.5}),
    "dirichlet-100": ("dirichlet", {"mu": 100.0}),
    "dirichlet-500": ("dirichlet", {"mu": 500.0}),
    "dirichlet-2500": ("dirichlet", {"mu": 2500.0}),
    "jm-1": ("jelinek-mercer", {"weight": 0.1}),
    "jm-5": ("jelinek-mercer", {"weight": 0.5}),
    "jm-8": ("jelinek-mercer", {"weight": 0.8}),
    "tfidf": ("tf-idf", {}),
    "logtfidf": ("log-tf-idf", {}),
    "pivoted": ("pivoted", {"slope": 0.2}),
}

# model, elements, exponent of the length prior, overlap; in turn, so that the first few are as varied as all.
# A quarter return no text twice; for the others what they rank decides how much they do (docs/campaigns.md).
_TABLE = """
bm25            all                0  keep
bm25-long       section            0  enclosing
lucene          article-section    1  keep
lucene-flat     section-paragraph  0  keep
bm25plus        all                1  nested
bm25l           article-paragraph  0  keep
bm25l-full      all                0  best
dirichlet-100   paragraph          0  keep
dirichlet-500   article            0  keep
dirichlet-2500  all                1  keep
jm-1            section            0  keep
jm-5            section-paragraph  1  keep
jm-8            all                0  keep
tfidf           article-section    0  keep
logtfidf        section-paragraph  0  keep
pivoted         article-paragraph  1  keep
bm25            section-paragraph  1  keep
bm25-long       all                0  keep
lucene          all                2  keep
lucene-flat     article            0  keep
bm25plus        article-paragraph  0  keep
bm25l           section            1  keep
bm25l-full      section-paragraph  0  keep
dirichlet-100   article-section    0  keep
dirichlet-500   all                1  keep
dirichlet-2500  section            0  best
jm-1            all                1  keep
jm-5            article-paragraph  0  keep
jm-8            article-section    1  keep
tfidf           all                0  keep
logtfidf        all                0  keep
pivoted         section            0  keep
bm25            article-section    0  keep
bm25-long       paragraph          0  keep
lucene          section-paragraph  2  keep
lucene-flat     all                0  keep
bm25plus        section            0  keep
bm25l           all                0  keep
bm25l-full      article-section    1  enclosing
dirichlet-100   all                0  keep
dirichlet-500   section-paragraph  1  keep
dirichlet-2500  article-paragraph  0  keep
jm-1            paragraph          1  keep
jm-5            all                2  keep
jm-8            section            0  keep
tfidf           section-paragraph  0  nested
logtfidf        article-section    0  keep
pivoted         all                1  best
bm25            article            0  keep
bm25-long       article-section    1  keep
lucene          section            0  keep
bm25plus        all                2  keep
bm25l           article-paragraph  2  keep
dirichlet-500   all                0  keep
jm-1            section-paragraph  0  keep
dirichlet-100   section            0  keep
tfidf           paragraph          0  keep
jm-5            article-paragraph  1  keep
logtfidf        all                1  keep
pivoted         article            0  keep
"""


def _system(line: str) -> System:
    model, elements, prior, overlap = line.split()
    weighting, parameters = _MODELS[model]
    long = "" if prior == "0" else f".long{prior}"
    name = f"{model}.{elements}{long}" + ("" if overlap == "keep" else f".{overlap}")
    return System(name, weighting, parameters, elements, float(prior), overlap)


#: sixty systems: no two rank the same elements by the same scores
SYSTEMS: tuple[System, ...] = tuple(_system(line) for line in _TABLE.strip().splitlines())

#: the runs as the table has them
AS_DECLARED = "as-declared"

#: the kinds of runs that can be made: of no task, and those that tasks ask for
KINDS = (AS_DECLARED, THOROUGH, FOCUSED, FETCH_AND_BROWSE, RELEVANT_IN_CONTEXT)


def systems_for(kind: str, systems: Sequence[System] = SYSTEMS) -> list[System]:
    """The systems as they would take part in a task; ``kind`` is one of `KINDS`, or another name of a task.

    ``as-declared``: unchanged. ``thorough``: overlap kept. ``focused``: systems that keep overlap remove
    whatever overlaps a better result instead. ``fetch-and-browse`` and ``relevant-in-context``: as focused,
    grouped by article. Raises InputError for any other kind.
    """
    if kind == AS_DECLARED:
        return list(systems)
    task = task_named(kind, KINDS)
    if task == THOROUGH:
        return [replace(system, overlap="keep", grouped=False) for system in systems]
    grouped = task != FOCUSED
    return [
        replace(system, overlap="best" if system.overlap == "keep" else system.overlap, grouped=grouped)
        for system in systems
    ]
