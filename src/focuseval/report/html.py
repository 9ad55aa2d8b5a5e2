"""Functions for HTML pages: templates that escape all text, and a content security policy."""

import base64
import hashlib
from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined


@cache
def templates(package: str = "focuseval.report") -> Environment:
    """Return a Jinja environment with the templates of a package and of the report, which escape inserted text."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("focuseval.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def policy(**allowed: str) -> str:
    """Return a content security policy that permits nothing but ``allowed``, such as ``style_src="'sha256-…'"``."""
    directives = {"default-src": "'none'"}
    directives |= {name.replace("_", "-"): source for name, source in allowed.items()}
    directives |= {"base-uri": "'none'", "form-action": "'none'"}
    return "; ".join(f"{name} {source}" for name, source in directives.items())


def digest(text: str) -> str:
    """Return the hash of a script or style that a content security policy can allow."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
