"""Assessments in every format that is known: files, several files, or a directory of them."""

from collections.abc import Iterable
from pathlib import Path

from focuseval.errors import InputError, Problem, check_known
from focuseval.formats import assessments_tsv
from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.detect import format_of, recognised
from focuseval.formats.format import Format
from focuseval.formats.inex import INEX2003, UNMARKED
from focuseval.formats.parsed import RawAssessments, files_of
from focuseval.formats.table import ASSESSMENTS

__all__ = ["RawAssessments", "read_assessments", "scale_of"]


def read_assessments(
    paths: str | Path | Iterable[str | Path], *, format: str | None = None, scale: str | None = None
) -> RawAssessments:
    """Read the assessments of one campaign from a file, several files, or a directory of files.

    ``format`` is one of `table.ASSESSMENTS`, recognised from the content of each file if it is not given.
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
    read_as = _format_of(files, format)
    if scale is None:
        scale = _scale_of(read_as, files)
    elif scale not in read_as.scales:
        expected = f"expected one of {', '.join(read_as.scales)}"
        found = f"{read_as.name} assessments do not have the scale {scale!r}"
        raise InputError(Problem(str(files[0]), "", found, expected))
    into = Assessed()
    for file in files:
        try:
            read_as.read(file, into, scale)
        except InputError as error:
            into.problems.extend(error.problems)
    return into.columns(scale)


def scale_of(paths: str | Path | Iterable[str | Path], format: str | None = None) -> str:
    """The scale that `read_assessments` reads the files on if it is given none; one of ``vocabulary.SCALES``.

    Raises InputError for files that are no assessments of one format.
    """
    files = files_of(paths)
    return _scale_of(_format_of(files, format), files)


def _scale_of(format: Format, files: list[Path]) -> str:
    return max(map(assessments_tsv.scale_of, files)) if format is assessments_tsv.FORMAT else format.scales[0]


def _format_of(files: list[Path], name: str | None) -> Format:
    """The format of this name, or the one of all files; those without judgements go with the others."""
    if name is not None:
        check_known("assessment format", name, ASSESSMENTS)
        return ASSESSMENTS[name]
    formats: dict[Format | None, Path] = {}
    problems = []
    for file in files:
        try:
            kind = recognised(file, ASSESSMENTS, "assessments", "assessments")
        except InputError as error:
            problems.extend(error.problems)
            continue
        if kind != UNMARKED:
            formats.setdefault(format_of(kind), file)
    if len(formats) > 1:
        told = ", ".join(f"{format.name} ({file})" for format, file in formats.items() if format)
        problems.append(
            Problem(str(files[0].parent), "", f"several formats: {told}", "give the files of one format")
        )
    if problems:
        raise InputError(problems)
    return next(iter(formats), None) or INEX2003
