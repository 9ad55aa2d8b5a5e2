"""Importers: from the files that others published to those that a campaign begins with.

An importer is a module of `focuseval_papers.importers`, named in `NAMES`, with

- ``MAKES``, the files that it makes, by name; the name of a folder ends in a slash;
- ``write(files, out)``, which makes them in the folder ``out`` from the sources of a campaign, which lie in the
  folder ``files`` under their paths. It raises InputError for what it cannot read.

A campaign that names an importer says with its keys (`collection`, `topics`, ...) which of them is what.
"""

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

#: the importers; adding one is its module and its name here
NAMES = (
    "acl_verbatim",
    "bioasq",
    "chroma_chunking",
    "cl_scisumm",
    "evidence_inference",
    "mediaeval",
    "mtrag",
    "swe_bench",
    "trec_genomics",
)


class Importer(Protocol):
    """What an importer offers."""

    MAKES: tuple[str, ...]

    def write(self, files: Path, out: Path) -> None:
        """Make the files of a campaign in the folder ``out`` from its sources in the folder ``files``."""


def load(name: str) -> Importer:
    """The importer of a name in `NAMES`."""
    return cast(Importer, import_module(f"focuseval_papers.importers.{name}"))
