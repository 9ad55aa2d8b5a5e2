"""The inputs of a campaign, and the settings for reading them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from numbers import Real
from os import PathLike
from typing import Any, Self, TypedDict

from focuseval.arguments import FLAG, Accepted, names, of_type, one_of, optional, read_arguments, whole_number
from focuseval.campaign.notices import Notice
from focuseval.errors import GIVE_DOCUMENTS, InputError, Sentence, meant
from focuseval.formats.memory import are_files
from focuseval.model.elements import Collection
from focuseval.model.results import TREC_EVAL, Ranking
from focuseval.model.vocabulary import GRAINS, KINDS

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

#: run files, or runs in memory by name
Runs = Paths | Mapping[str, Any]


class InputSettings(TypedDict, total=False):
    """The assessments, the documents, and the settings with which they and the runs are read.

    ``gold``
        gold files, folders, or a list of files and folders. Gold in memory is a pandas frame, an object with an Arrow
        stream (polars, DuckDB), or a list of dictionaries. Gold passages have the columns topic, document, start and
        end. Graded documents have the columns topic, document and grade, or are ``{topic: {document: grade}}``.
    ``assessments``
        another name for gold in files.
    ``documents``
        a folder, a ``.tar.gz`` or ``.zip`` file, a git revision ``REPOSITORY@REVISION``, a `Collection`, or a
        dictionary ``{document: text}``. A folder or archive contains XML, or source code, or plain text, Markdown and
        HTML. Without documents, only measures that need no text can be scored.
    ``collection``, ``texts``
        older names for documents: ``texts`` for a dictionary, and ``collection`` for all other forms.
    ``documents_as``
        how to read a folder or archive that contains source code and other files: ``"code"`` for source code, or
        ``"text"`` for text and XML. By default, the kind of most files decides.
    ``assessment_format``, ``run_format``
        the names of the files' formats (docs/formats.md). By default, formats are recognised.
    ``scale``
        the scale of the assessments: ``inex2002``, ``inex2003``, ``inex2005``, ``highlights`` or ``grades``. By
        default, the scale is recognised.
    ``coverage``
        the specificity values for the coverage N, L, S and E, respectively, in INEX 2002; by default (0, 1, 2, 3).
    ``unit``
        the unit of text: ``characters`` (default), ``words``, ``bytes`` or, for source code, ``lines``. Without
        documents, offsets can have any other unit, such as ``seconds``, ``sentences`` or ``pages``.
    ``tokenizer``
        the tokenizer that counts tokens for budgets such as ``@4000t``. This is the name of an encoding of tiktoken
        (``"cl100k_base"``), a file (``cl100k_base.tiktoken`` or ``tokenizer.json``), an object of tiktoken or
        tokenizers, or a function that returns the tokens of a text.
    ``size``
        the maximum number of results for a topic that are scored. Further results are left out and reported. By
        default, INEX submissions have a limit of 1500, and other runs have none.
    ``pools``
        the assessment pools whose topics are scored. By default, all topics are scored.
    ``grain``
        the unit of source code to which gold and results are mapped: ``file``, ``class``, ``function``, ``block`` or
        ``line``. By default, gold and results keep their extent (docs/code.md).
    ``exclude``
        patterns for the paths of source files to leave out, such as ``tests/**``.
    ``rank_by``
        how the results for a topic are ordered: ``"score"``, ``"order"`` (file order), ``"rank"`` or ``"trec_eval"``.
        ``"trec_eval"`` sorts by descending score in single precision, and equal scores by descending document name. The
        default depends on the format (docs/formats.md).
    ``rules``
        ``"trec_eval"`` to follow trec_eval: results are ordered as by ``rank_by="trec_eval"``, topics without relevant
        content score 0, and means are over the topics of the run. With ``average_over="assessed"``, means are over all
        assessed topics, as with trec_eval's option ``-c``.
    ``equal_scores_tie``
        whether results with equal scores share a rank.
    ``ids``
        how to find offsets if results or graded documents name pieces of documents: a pattern with the groups document,
        start and end, or a file of JSON lines with the keys id, start and end (docs/formats.md).
    ``lenient``
        whether scoring continues in spite of problems, which are reported. Unusable lines are then left out, and
        results that break the rules of the task are scored.

    Files may be compressed by gzip. ``-`` is standard input.
    """

    assessments: Paths | None
    gold: Any
    documents: Collection | str | PathLike[str] | Mapping[str, str] | None
    collection: Collection | str | PathLike[str] | None
    texts: Mapping[str, str] | None
    documents_as: str | None
    assessment_format: str | None
    run_format: str | None
    scale: str | None
    coverage: tuple[float, float, float, float]
    unit: str
    tokenizer: Any
    size: int | None
    pools: Sequence[str]
    grain: str | None
    exclude: Sequence[str]
    rank_by: str | None
    rules: str | None
    equal_scores_tie: bool
    ids: str | None
    lenient: bool


#: maps command-line options to their different names in Python
_OPTIONS = {"topics": "average_over"}


def _read_coverage(coverage: Any) -> tuple[float, ...]:
    numbers = tuple(coverage) if isinstance(coverage, Iterable) else ()
    if len(numbers) != 4 or not all(isinstance(one, Real) and 0 <= float(one) <= 3 for one in numbers):
        raise ValueError
    return numbers


def _joined(coverage: Any) -> str:
    several = isinstance(coverage, Iterable) and not isinstance(coverage, str)
    return " ".join(map(str, coverage)) if several else repr(coverage)


_NAME = optional(of_type(str, "a name"))
_ARGUMENTS = {
    "lenient": FLAG,
    "equal_scores_tie": FLAG,
    "assessment_format": _NAME,
    "run_format": _NAME,
    "scale": _NAME,
    "rank_by": _NAME,
    "unit": of_type(str, "a name"),
    "size": optional(whole_number(1)),
    "coverage": Accepted(_read_coverage, "four numbers from 0 to 3, for N, L, S and E", _joined),
    "grain": optional(one_of(GRAINS)),
    "documents_as": optional(one_of(KINDS)),
    "rules": optional(one_of((TREC_EVAL,))),
    "ids": optional(of_type(str | PathLike, "a pattern or a file")),
    "pools": names("the number of a pool, or a list of numbers"),
    "exclude": names("a pattern such as 'tests/**', or a list of patterns"),
    "collection": optional(
        of_type(str | PathLike | Collection, "a folder or archive; pass texts in memory as documents=")
    ),
    "texts": optional(
        of_type(Mapping, 'a dictionary of document names and texts, such as {"guide.md": "…"}')
    ),
}


@dataclass(frozen=True)
class Inputs:
    """The gold, the documents, and the settings with which they and the runs are read.

    `InputSettings` describes the fields. Gold in files is in ``assessments``, and gold in memory in ``gold``. Texts in
    memory are in ``texts``, and all other documents in ``collection``.
    """

    assessments: Paths | None = None
    gold: Any = None
    collection: Collection | str | PathLike[str] | None = None
    texts: Mapping[str, str] | None = None
    documents_as: str | None = None
    assessment_format: str | None = None
    run_format: str | None = None
    scale: str | None = None
    coverage: tuple[float, float, float, float] = (0, 1, 2, 3)
    unit: str = "characters"
    tokenizer: Any = None
    size: int | None = None
    pools: Sequence[str] = ()
    grain: str | None = None
    exclude: Sequence[str] = ()
    rank_by: str | None = None
    rules: str | None = None
    equal_scores_tie: bool = False
    ids: str | None = None
    lenient: bool = False

    def __post_init__(self) -> None:
        read_arguments(self, _ARGUMENTS)
        if self.rules is not None:
            if self.rank_by not in (None, TREC_EVAL):
                expected = f"leave rank_by out, because rules={self.rules} sets the order"
                raise InputError.of("rank_by", f"the value is {self.rank_by!r}", expected)
            object.__setattr__(self, "rank_by", TREC_EVAL)
        if self.gold is not None and (self.assessment_format, self.scale) != (None, None):
            found = "assessment_format and scale apply only to files"
            raise InputError.of("gold", found, "leave them out for gold in memory")
        if self.collection is not None and self.texts is not None:
            raise InputError.of("collection and texts", "both are given", "give only one of the two")
        if self.documents_as is not None and self.collection is None:
            expected = Sentence(GIVE_DOCUMENTS, ", or leave the option out")
            raise InputError.of("documents_as", "there are no documents to read", expected)

    @property
    def judged(self) -> bool:
        """Whether gold is given."""
        return self.assessments is not None or self.gold is not None

    @property
    def for_some_measures(self) -> list[str]:
        """The names of options that the user has set and that some measures ignore."""
        options = {"equal_scores_tie": self.equal_scores_tie, "tokenizer": self.tokenizer is not None}
        return [name for name, is_given in options.items() if is_given]

    @property
    def ranking(self) -> Ranking:
        """The rule that orders the results of each topic."""
        return Ranking(self.rank_by, self.equal_scores_tie)

    @classmethod
    def of(cls, function: Callable[..., Any], arguments: Mapping[str, Any]) -> Self:
        """Create inputs from the arguments of a public function. Raises TypeError for an unknown argument."""
        check_names(function, arguments)
        return cls(**in_fields(arguments))


@dataclass
class Placed:
    """Inputs and runs in which every source-code location is replaced by spans."""

    inputs: Inputs
    runs: Runs | None
    notices: list[Notice] = field(default_factory=list)
    in_files: dict[str, str] = field(default_factory=dict)  #: the name of the run in each file


def in_fields(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Rename arguments to fields of `Inputs`. Raises InputError if gold or documents are given twice."""
    fields = dict(arguments)
    gold, documents = fields.get("gold"), fields.pop("documents", None)
    if gold is not None and fields.get("assessments") is not None:
        raise InputError.of("assessments and gold", "both are given", "give only one of the two")
    if are_files(gold):
        fields["assessments"] = fields.pop("gold")
    if documents is not None:
        if (fields.get("collection"), fields.get("texts")) != (None, None):
            raise InputError.of("documents, collection and texts", "several are given", "give documents only")
        fields["texts" if isinstance(documents, Mapping) else "collection"] = documents
    return fields


def check_names(function: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
    """Raise TypeError for an argument that neither the function nor `InputSettings` has."""
    own = [one.name for one in signature(function).parameters.values() if one.kind is not one.VAR_KEYWORD]
    options = [*own, *InputSettings.__annotations__]
    for name in arguments:
        if name not in options:
            hint = meant(_OPTIONS.get(name, name), options)
            raise TypeError(
                f"{function.__name__}() has no argument {name!r}; {hint}expected one of {', '.join(options)}"
            )
