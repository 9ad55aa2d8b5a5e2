"""Exact, fast evaluation of focused retrieval: nested and overlapping parts of documents.

Public names are loaded on first use, so that importing the package is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from focuseval.adapters.ir_datasets import from_ir_datasets
    from focuseval.api import (
        Campaign,
        compare,
        failures,
        read_campaign,
        register,
        score,
        score_campaign,
        to_dict,
    )
    from focuseval.auditing.public import audit, simulate
    from focuseval.chunks.frameworks import (
        from_chonkie,
        from_haystack,
        from_langchain,
        from_llama_index,
        from_traces,
        set_offsets,
    )
    from focuseval.chunks.locating import locate
    from focuseval.comparing.chunkings import Ceilings, ceiling
    from focuseval.comparing.compare import Comparison
    from focuseval.comparing.gate import Verdict, gate
    from focuseval.errors import InputError, InputWarning, Problem
    from focuseval.formats.parsed import Format
    from focuseval.measures import MEASURES, Cutoff, Measure, Parameter
    from focuseval.scoring.examining import Checked, check
    from focuseval.viewer.page import View
    from focuseval.viewer.viewing import view

    __version__: str

#: the public names that each module defines
_PUBLIC = {
    "adapters.ir_datasets": ("from_ir_datasets",),
    "api": (
        "Campaign",
        "compare",
        "failures",
        "read_campaign",
        "register",
        "score",
        "score_campaign",
        "to_dict",
    ),
    "auditing.public": ("audit", "simulate"),
    "comparing.chunkings": ("Ceilings", "ceiling"),
    "chunks.frameworks": (
        "from_chonkie", "from_haystack", "from_langchain", "from_llama_index", "from_traces",
        "set_offsets",
    ),
    "chunks.locating": ("locate",),
    "comparing.compare": ("Comparison",),
    "comparing.gate": ("Verdict", "gate"),
    "errors": ("InputError", "InputWarning", "Problem"),
    "formats.parsed": ("Format",),
    "measures": ("MEASURES", "Cutoff", "Measure", "Parameter"),
    "scoring.examining": ("Checked", "check"),
    "viewer.page": ("View",),
    "viewer.viewing": ("view",),
}  # fmt: skip
_MODULES = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = [
    "MEASURES",
    "Campaign",
    "Ceilings",
    "Checked",
    "Comparison",
    "Cutoff",
    "Format",
    "InputError",
    "InputWarning",
    "Measure",
    "Parameter",
    "Problem",
    "Verdict",
    "View",
    "audit",
    "ceiling",
    "check",
    "compare",
    "failures",
    "from_chonkie",
    "from_haystack",
    "from_ir_datasets",
    "from_langchain",
    "from_llama_index",
    "from_traces",
    "gate",
    "locate",
    "read_campaign",
    "register",
    "score",
    "score_campaign",
    "set_offsets",
    "simulate",
    "to_dict",
    "view",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"focuseval.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("focuseval")
    except PackageNotFoundError:
        return "unknown (not installed as a package)"
