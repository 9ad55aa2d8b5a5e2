"""Exact, fast evaluation of focused retrieval: nested and overlapping parts of documents.

The public names are loaded when they are used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from focuseval.adapters.ir_datasets import from_ir_datasets
    from focuseval.api import Campaign, compare, read_campaign, score, score_campaign
    from focuseval.auditing.public import audit
    from focuseval.auditing.simulating import simulate
    from focuseval.chunks.frameworks import from_haystack, from_langchain, from_llama_index, from_traces
    from focuseval.chunks.located import locate
    from focuseval.errors import InputError, InputWarning, Problem
    from focuseval.measures import MEASURES
    from focuseval.scoring.shapes import to_dict
    from focuseval.viewer.viewing import view

    __version__: str

__all__ = [
    "MEASURES",
    "Campaign",
    "InputError",
    "InputWarning",
    "Problem",
    "audit",
    "compare",
    "from_haystack",
    "from_ir_datasets",
    "from_langchain",
    "from_llama_index",
    "from_traces",
    "locate",
    "read_campaign",
    "score",
    "score_campaign",
    "simulate",
    "to_dict",
    "view",
]

#: the modules that the public names are in
_MODULES = {
    **dict.fromkeys(("Campaign", "compare", "read_campaign", "score", "score_campaign"), "focuseval.api"),
    **dict.fromkeys(("InputError", "InputWarning", "Problem"), "focuseval.errors"),
    **dict.fromkeys(
        ("from_haystack", "from_langchain", "from_llama_index", "from_traces"), "focuseval.chunks.frameworks"
    ),
    "from_ir_datasets": "focuseval.adapters.ir_datasets",
    "audit": "focuseval.auditing.public",
    "simulate": "focuseval.auditing.simulating",
    "locate": "focuseval.chunks.located",
    "MEASURES": "focuseval.measures",
    "to_dict": "focuseval.scoring.shapes",
    "view": "focuseval.viewer.viewing",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("focuseval")
    except PackageNotFoundError:
        return "unknown (not installed as a package)"
