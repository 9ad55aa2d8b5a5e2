"""The sources of a campaign: published files, which the campaign declares with address, size and checksum.

Sources are downloaded into a cache that all checkouts share, or read from a folder. A file with another size or
checksum is refused, except for a declared reduced version in a folder.

An importer converts the sources into the campaign's input files. It is a module of `focuseval_papers.importers` with

- ``MAKES``, the names of the files that it makes; the name of a folder ends in a slash;
- ``write(files, out)``, which makes these files in the folder ``out`` from the sources in the folder ``files``. The
  function raises InputError for sources that it cannot read.

In a campaign with an importer, keys such as `collection` name files that the importer makes.
"""

import csv
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Protocol, cast
from urllib.parse import quote, urlsplit

from focuseval.errors import SHOWN, InputError, Problem, counted, extra
from focuseval.files import read_bytes, replacing_several, unreadable
from focuseval_papers.workflow.settings import Distinct, Settings, refused, validated

with extra("workflow"):
    from pydantic import AfterValidator, Field, TypeAdapter, WrapValidator, model_validator


#: template of the address of a file in a GitHub repository
_RAW = "https://raw.githubusercontent.com/{repository}/{commit}/{file}"

#: number of retries of a failed download, and number of parallel downloads
_RETRIES, _AT_ONCE = 3, 8


def _below(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or parts[0] == "/" or ".." in parts or "\\" in path:
        raise ValueError("a path outside the folder")
    return path


class Source(Settings):
    """A file that others published: its path in the folder of sources, its size, its checksum and its address."""

    path: Annotated[str, AfterValidator(_below)]
    """a path in the folder of the campaign's sources, such as data/a.csv"""
    bytes: int = Field(ge=0, description="the size of the file in bytes, an integer")
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="the SHA-256 checksum, 64 hexadecimal digits")
    repository: str | None = Field(default=None, pattern="^[^/]+/[^/]+$")
    """a GitHub repository, as owner/name"""
    commit: str | None = Field(default=None, pattern="^[0-9a-f]{40}$")
    """a commit of the repository, 40 hexadecimal digits"""
    file: str | None = Field(default=None, description="the path in the repository; by default, `path`")
    url: str | None = Field(default=None, pattern="^https?://")
    """the file's address, instead of `repository` and `commit`"""
    registration: str | None = Field(default=None, pattern="^https?://")
    """the address of the page where you register for the file, instead of the other addresses; focuseval never
    fetches such a file"""
    reduced_sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    """the SHA-256 checksum of a reduced version of the file, which your data folder may contain instead"""

    @property
    def name(self) -> str:
        """Return the path, which is unique among the sources of a campaign."""
        return self.path

    @property
    def address(self) -> str:
        """Return the address of the file, or of the page where users register for it."""
        if self.registration:
            return f"{self.registration}, after registration"
        file = quote(self.file or self.path)
        return self.url or _RAW.format(repository=self.repository, commit=self.commit, file=file)

    @model_validator(mode="after")
    def _of_one_origin(self) -> "Source":
        in_repository = [self.repository is not None, self.commit is not None]
        others = (self.url is not None) + (self.registration is not None)
        if any(in_repository) or others > 1 if others else not all(in_repository):
            expected = "expected `repository` and `commit`, or `url`, or `registration`"
            raise refused([Problem("", "", f"{self.path!r} needs exactly one address", expected)])
        return self


class _Table(Settings):
    sources: Distinct[Source]


def _list_or_table(named: Any, handler: Any) -> Any:
    """Validate a list of sources; return a path unchanged."""
    return named if isinstance(named, str) else TypeAdapter(Distinct[Source]).validate_python(named)


#: a list of sources, or the path to a table of sources
Sources = Annotated[
    list[Source] | Annotated[str, Field(description="the path of a CSV table")], WrapValidator(_list_or_table)
]


def read_sources(named: str | Sequence[Source | Mapping[str, Any]]) -> list[Source]:
    """Return the sources of a campaign from a list, or from a table at a path."""
    if isinstance(named, str):
        return read_table(Path(named))
    return [Source.model_validate(one) for one in named]


def read_table(path: Path) -> list[Source]:
    """Read sources from a CSV table, with the keys of a source as columns.

    An empty cell means a missing key. Raises InputError that lists all mistakes.
    """
    text = read_bytes(path).decode("utf-8", "replace")
    rows: list[dict[str, Any]] = [
        {key: int(cell) if key == "bytes" and cell.isdecimal() else cell or None for key, cell in row.items()}
        for row in csv.DictReader(text.splitlines(), restkey="further cells", restval="")
    ]
    if not rows:
        expected = "expected a line for each source"
        raise InputError.of(str(path), "the file has no lines below the heading", expected)
    try:
        return validated(_Table, {"sources": rows}, str(path)).sources
    except InputError as error:
        raise InputError([_by_line(problem) for problem in error.problems]) from None


def _by_line(problem: Problem) -> Problem:
    """Replace the key of a problem by a line of the table: ``sources.3.commit`` becomes ``line 4, commit``."""
    _, number, *column = problem.where.split(".")
    return replace(problem, where=", ".join([f"line {int(number) + 1}", *column]))


def provide(dataset: str, sources: Sequence[Source], out: Path, folder: Path | None = None) -> None:
    """Copy all sources of a data set into the folder ``out``, or none if any is missing.

    The sources are read from ``folder / dataset`` and its archives. Without ``folder``, they are downloaded into the
    user's cache. Raises InputError that lists the missing and differing files with their addresses.
    """
    with replacing_several(out) as unfinished:
        for source, content in (
            _from_cache(dataset, sources) if folder is None else _from_folder(sources, folder / dataset)
        ):
            (path := unfinished / source.path).parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


#: pairs of a source and the content of its file
Provided = Iterator[tuple[Source, bytes]]


def _content(path: Path) -> bytes:
    """Return the content of a file, without decompressing it."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None


def _differs(source: Source, content: bytes) -> str:
    """Describe how a file differs from a source; "" if it is the source or its reduced version."""
    checksum = sha256(content).hexdigest()
    if len(content) != source.bytes and checksum != source.reduced_sha256:
        return f"{len(content)} bytes instead of {source.bytes}"
    if checksum in {source.sha256, source.reduced_sha256}:
        return ""
    return f"the SHA-256 {checksum} instead of {source.sha256}"


def _from_folder(sources: Sequence[Source], folder: Path) -> Provided:
    """Yield the sources that a folder contains. Raises InputError at the end if sources are missing or differ."""
    wrong: list[Problem] = []
    missing: dict[tuple[str, str], list[Source]] = {}
    for source in sources:
        path = folder / source.path
        if not path.is_file():
            missing.setdefault((path.name, source.sha256), []).append(source)
        elif message := _differs(source, content := _content(path)):
            expected = f"replace it by the file of {source.address}"
            wrong.append(Problem(str(path), "", f"the file has {message}", expected))
        else:
            yield source, content
    sizes = {(name, same[0].bytes) for (name, _), same in missing.items()}
    for name, content in _archive_members(folder, sizes):
        for source in missing.pop((name, sha256(content).hexdigest()), []):
            yield source, content
    if absent := [source for same in missing.values() for source in same]:
        found = f"the folder and its archives do not contain {len(absent)} of {counted(len(sources), 'file')}"
        expected = f"put these files into the folder:\n{_lines_of(absent)}"
        wrong.append(Problem(str(folder), "", found, expected))
    if wrong:
        raise InputError(wrong)


def _archive_members(folder: Path, sizes: Set[tuple[str, int]]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each member of an archive below ``folder`` with a name and size in ``sizes``."""
    for path in sorted(folder.rglob("*")) if sizes else ():
        try:
            if path.name.endswith((".tar.gz", ".tgz", ".tar.xz", ".tar")):
                with tarfile.open(path) as archive:
                    for member in archive:
                        name = PurePosixPath(member.name).name
                        if (name, member.size) in sizes and (stream := archive.extractfile(member)):
                            yield name, stream.read()
            elif path.suffix == ".zip":
                with zipfile.ZipFile(path) as zipped:
                    for entry in zipped.infolist():
                        name = PurePosixPath(entry.filename).name
                        if (name, entry.file_size) in sizes:
                            yield name, zipped.read(entry)
        except (
            OSError,
            EOFError,
            LZMAError,
            tarfile.TarError,
            zipfile.BadZipFile,
            UnicodeDecodeError,
        ) as error:
            message = f"the file cannot be read as an archive ({error})"
            raise InputError.of(str(path), message, "replace it by a complete one") from error


def _from_cache(dataset: str, sources: Sequence[Source]) -> Provided:
    """Yield all sources, after downloading missing sources into the cache.

    Raises InputError at once if a source requires registration, and at the end if a source is missing.
    """
    if restricted := [source for source in sources if source.registration]:
        found = f"{len(restricted)} of {counted(len(sources), 'file')} can only be obtained by registration"
        others = [source for source in sources if not source.registration]
        how = f"register, and put all {len(sources)} into DIR/{dataset}, each under its path or in an archive"
        raise _missing_files(dataset, found, how, [*restricted, *others])
    cached, missing = _cached(dataset, {source.sha256: source for source in reversed(sources)}), []
    for source in sources:
        if isinstance(path := cached[source.sha256], Path):
            yield source, _content(path)
        else:
            missing.append(source)
    if missing:
        reasons = filter(None, (cached[source.sha256] for source in missing))
        found = f"{len(missing)} of {counted(len(sources), 'file')} could not be fetched "
        found += f"({next(reasons, 'no network')})"
        how = f"run again with a network, or put them into DIR/{dataset}, each under its path"
        raise _missing_files(dataset, found, how, missing)


def _missing_files(dataset: str, found: str, how: str, missing: Sequence[Source]) -> InputError:
    where = "where DIR is any folder; then set FOCUSEVAL_DATA=DIR or `data_folder: DIR`"
    return InputError(
        Problem(dataset, "sources", found, f"{how}, {where}. The files are:\n{_lines_of(missing)}")
    )


def _cached(dataset: str, first: Mapping[str, Source]) -> dict[str, Path | str]:
    """Download sources that the cache does not contain; return the path of each file by checksum.

    An unavailable source has a reason instead of a path, or "" if the reason is unknown.
    """
    from tqdm import tqdm

    with extra("workflow"):
        import pooch
        from requests.exceptions import ConnectionError, RequestException, Timeout

    pooch.get_logger().setLevel("WARNING")
    cache = Path(pooch.os_cache("focuseval"))
    of_cache = pooch.create(
        cache / dataset,
        base_url="",
        registry={source.path: f"sha256:{source.sha256}" for source in first.values()},
        urls={source.path: source.address for source in first.values()},
        retry_if_failed=_RETRIES,
    )
    offline = threading.Event()  # set when a server does not answer, so that no further download starts

    def fetch(source: Source) -> Path | str:
        if offline.is_set() and not (cache / dataset / source.path).is_file():
            return ""
        try:
            return Path(of_cache.fetch(source.path))
        except (ConnectionError, Timeout):
            offline.set()
            return f"no answer from {urlsplit(source.address).hostname}"
        except (RequestException, OSError, ValueError) as error:
            return str(error)

    total = sum(source.bytes for source in first.values())
    bar = tqdm(
        total=total, desc=f"fetching {dataset}", unit="B", unit_scale=True, file=sys.__stderr__, disable=None
    )
    cached = {}
    with ThreadPoolExecutor(_AT_ONCE) as pool, bar:
        for source, path in zip(first.values(), pool.map(fetch, first.values()), strict=True):
            cached[source.sha256] = path
            bar.update(source.bytes if isinstance(path, Path) else 0)
    return cached


def _lines_of(sources: Sequence[Source]) -> str:
    """List the paths and addresses of the first sources, one to a line, and count the remaining sources."""
    lines = [f"  {source.path}  from {source.address}" for source in sources[: 2 * SHOWN]]
    more = len(sources) - len(lines)
    return "\n".join([*lines, f"  and {counted(more, 'other')}"] if more else lines)


#: names of the importers: the modules of the package `focuseval_papers.importers`
NAMES = tuple(sorted(path.stem for path in (Path(__file__).parents[1] / "importers").glob("[a-z]*.py")))


class Importer(Protocol):
    """A module that converts the published files of a data set to the files of a campaign."""

    MAKES: tuple[str, ...]

    def write(self, files: Path, out: Path) -> None:
        """Write the files of a campaign into the folder ``out``, from its sources in the folder ``files``."""


def load(name: str) -> Importer:
    """Return the importer with this name, which is one of `NAMES`."""
    return cast(Importer, import_module(f"focuseval_papers.importers.{name}"))
