"""Assessments in every format that is known: files, several files, or a directory of them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from focuseval.errors import InputError, Option, Problem, Sentence, check_known
from focuseval.formats import (
    assessments_chunks,
    assessments_genomics,
    assessments_tsv,
    qrels_fol,
    qrels_trec,
)
from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.assessments_inex import INEX2002, INEX2003, INEX2005
from focuseval.formats.detect import ASSESSMENTS, CHUNKING, RETRIEVED, UNMARKED, WITH_TOPIC, recognise
from focuseval.formats.parsed import RawAssessments, files_of

__all__ = ["FORMATS", "RawAssessments", "read_assessments", "scale_of"]


class _Format(Protocol):
    """A format of assessments: a module, or one of several that are read alike."""

    @property
    def SCALES(self) -> Sequence[str]:
        """The scales that it may have, its own first."""

    def read(self, path: Path, into: Assessed, scale: str) -> None:
        """Read one file."""


FORMATS: dict[str, _Format] = {
    "inex2002": INEX2002,
    "inex2003": INEX2003,
    "inex2005": INEX2005,
    "fol": qrels_fol,
    "trec": qrels_trec,
    "tsv": assessments_tsv,
    "chunks": assessments_chunks,
    "genomics": assessments_genomics,
}


def read_assessments(
    paths: str | Path | Iterable[str | Path], *, format: str | None = None, scale: str | None = None
) -> RawAssessments:
    """Read the assessments of one campaign from a file, several files, or a directory of files.

    ``format`` is one of `FORMATS`, recognised from the content of each file if it is not given.
    ``scale`` is one of ``vocabulary.SCALES``: it decides where a format serves more than one, the
    first scale of the format being its own.

    Raises
    ------
    InputError
        with all problems of all files; also if the files are of different formats, or if the format
        cannot have the scale.
    """
    files = files_of(paths)
    if not files:
        raise InputError(Problem("assessments", "", "no file given", "give at least one"))
    name = _format_of(files) if format is None else format
    check_known("assessment format", name, FORMATS)
    module = FORMATS[name]
    if scale is None:
        scale = _scale_of(name, files)
    elif scale not in module.SCALES:
        expected = f"expected one of {', '.join(module.SCALES)}"
        raise InputError(
            Problem(str(files[0]), "", f"{name} assessments do not have the scale {scale!r}", expected)
        )
    into = Assessed()
    for file in files:
        try:
            module.read(file, into, scale)
        except InputError as error:
            into.problems.extend(error.problems)
    return into.columns(scale)


def scale_of(paths: str | Path | Iterable[str | Path], format: str | None = None) -> str:
    """The scale that `read_assessments` reads the files on if it is given none; one of ``vocabulary.SCALES``.

    Raises InputError for files that are no assessments of one format.
    """
    files = files_of(paths)
    return _scale_of(_format_of(files) if format is None else format, files)


def _scale_of(format: str, files: list[Path]) -> str:
    if format == "tsv":
        return max(map(assessments_tsv.scale_of, files))
    scale: str = FORMATS[format].SCALES[0]
    return scale


def _format_of(files: list[Path]) -> str:
    """The one format of all files; those without judgements go with the others."""
    formats: dict[str, Path] = {}
    problems = []
    for file in files:
        try:
            kind = recognise(file)
        except InputError as error:
            problems.extend(error.problems)
            continue
        if kind == UNMARKED:
            continue
        if kind in ASSESSMENTS:
            formats.setdefault(ASSESSMENTS[kind], file)
        else:
            expected = f"give assessments only, or name their format ({', '.join(FORMATS)})"
            if kind == RETRIEVED:
                expected = Sentence(
                    "a line has a score, a rank or a run: if they are gold all the same, name their format: chunks (",
                    Option("assessment_format"),
                    ")",
                )
            if kind == CHUNKING:
                expected = WITH_TOPIC
            problems.append(Problem(str(file), "", f"{kind}, not assessments", expected))
    if len(formats) > 1:
        told = ", ".join(f"{name} ({file})" for name, file in formats.items())
        problems.append(
            Problem(str(files[0].parent), "", f"several formats: {told}", "give the files of one format")
        )
    if problems:
        raise InputError(problems)
    return next(iter(formats), ASSESSMENTS[UNMARKED])
