"""Functions that read YAML files, and explain problems and changes of the configuration."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any

from focuseval.errors import InputError, Problem, extra, listed

with extra("workflow"):
    import yaml


#: the name of a measure is recognised if YAML splits it into at most this number of parts
_MOST_PARTS = 20


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, which also refuses repeated keys, and names of measures split at commas."""

    def compose_sequence_node(self, anchor: Any) -> yaml.SequenceNode:
        node = super().compose_sequence_node(anchor)
        _refuse_split(node, node.value)
        return node

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        first: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                name = (key.tag, key.value)
                if name in first:
                    found = f"the key {key.value!r} occurs twice"
                    note = f"expected every key once (the first is on line {first[name]})"
                    raise yaml.MarkedYAMLError(None, None, found, key.start_mark, note)
                first[name] = key.start_mark.line + 1
        _refuse_split(node, [part for pair in node.value for part in pair if part.value != ""])
        return node


def _refuse_split(node: yaml.CollectionNode, parts: Sequence[yaml.Node]) -> None:
    """Refuse unquoted names of measures inside brackets or braces if YAML splits the names at commas."""
    for number, part in enumerate(parts if node.flow_style else ()):
        some = parts[number : number + _MOST_PARTS]
        plain = takewhile(lambda other: isinstance(other, yaml.ScalarNode) and not other.style, some)
        for whole in accumulate((other.value for other in plain), "{},{}".format):
            if whole.count("(") <= whole.count(")"):
                break
        else:
            continue
        if whole != part.value:
            found = f"{part.value!r} ends at a comma, which separates the parts of a list"
            raise yaml.MarkedYAMLError(None, None, found, part.start_mark, f"quote it: {whole!r}")


def read_yaml(path: Path) -> Any:
    """Read a YAML file. Raises InputError if the file is unreadable, or is not YAML that `_Loader` accepts."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except OSError as error:
        found = f"the file cannot be read ({error.strerror})"
        raise InputError.of(str(path), found, "give a YAML file") from None
    except RecursionError:
        raise InputError.of(str(path), "the YAML is nested too deeply", "expected fewer levels") from None
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1} is {error.object[error.start]:#04x}, which is not UTF-8"
        raise InputError.of(str(path), found, "save the file as UTF-8") from None
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark else ""
        found = f"the YAML cannot be read ({str(getattr(error, 'problem', None) or error)[:200]})"
        if "'\\t'" in found:
            expected = "indent with spaces: YAML does not allow tabs"
        elif "cannot start any token" in found or not isinstance(error, yaml.YAMLError):
            expected = "if the value is text, put it in quotes"
        else:
            expected = getattr(error, "note", None) or "expected valid YAML"
        raise InputError.of(str(path), found, expected, where=where) from None


def typed_as_yaml(config: Any, typed: Any) -> Any:
    """Parse as YAML the values of a configuration that come from ``--config``; Snakemake passes some as text.

    ``typed`` is the part of ``config`` that comes from ``--config``.
    """
    if isinstance(config, Mapping) and isinstance(typed, Mapping):
        return {
            key: typed_as_yaml(value, typed[key]) if key in typed else value for key, value in config.items()
        }
    if isinstance(config, list) and isinstance(typed, list):
        return [typed_as_yaml(value, value) for value in config]
    if not isinstance(typed, str):
        return config
    try:
        return yaml.load(typed, _Loader)
    except yaml.YAMLError:
        return config


def differences(first: Any, second: Any, key: str = "") -> list[str]:
    """Return the keys whose values differ between two configurations, such as ``findings.resamples``."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        keys = dict.fromkeys([*first, *second])
        nested = (differences(first.get(k), second.get(k), f"{key}.{k}".strip(".")) for k in keys)
        return [changed_key for changed_keys in nested for changed_key in changed_keys]
    return [] if first == second else [key]


#: maximum length of a displayed value, in characters
_LONG = 60

#: matches Snakemake's message about changed parameters, which contains the old and the new values
_CHANGED = re.compile(r"Params have changed since last execution: .*? before: (.*?)(?=; Software|$)", re.S)


def reason_in_words(reason: str, files: Mapping[str, str] = MappingProxyType({})) -> str:
    """Shorten Snakemake's reason for running a job: name one file of each list, or the keys of changed settings.

    ``files`` maps keys of checksums to paths, which are named instead of the keys.
    """
    changed = _CHANGED.search(reason)
    others = reason.replace(changed[0], "") if changed else reason
    parts = (part.partition(": ") for part in others.split("; ") if part)
    sentences = [what + colon + listed(sorted(names.split(", ")), 1) for what, colon, names in parts]
    return "; ".join([*sentences, _changes(changed[1], files)] if changed else sentences)


def _values(text: str) -> list[Any]:
    """Parse values of parameters that Snakemake wrote. Raises the errors of `ast.literal_eval`."""
    return [] if text == "<nothing exclusive>" else [*ast.literal_eval(f"({text},)")]


def _changes(values: str, files: Mapping[str, str]) -> str:
    """Return a sentence that names the changed keys, or the changed value if there are no keys.

    ``values`` contains the old and the new values, as Snakemake writes them.
    """
    texts = values.strip().split(" now: ")
    # the separator of old and new values may also be part of a value, so every split is tried
    for place in range(1, len(texts)):
        try:
            old, new = (_values(" now: ".join(part)) for part in (texts[:place], texts[place:]))
            break
        except (SyntaxError, ValueError):
            continue
    else:
        return "Settings changed"
    changes: dict[str, None] = {}
    for value in new:
        if not isinstance(value, Mapping):
            text = repr(value)
            changes[f"a setting (now {text if len(text) <= _LONG else f'{text[:_LONG]}…'})"] = None
            continue
        alike = [one for one in old if isinstance(one, Mapping) and one.keys() & value.keys()]
        closest = max(alike, key=lambda one: len(one.keys() & value.keys()), default={})
        keys = differences(closest, value)
        changes |= dict.fromkeys(files.get(key) or repr(key) for key in keys)
    return f"Changed: {listed([*changes], 3)}" if changes else "Settings changed"


def in_its_file(
    problem: Problem, files: Sequence[str], typed: Mapping[str, Any] = MappingProxyType({})
) -> Problem:
    """Return a problem whose source is the file with the wrong key, instead of all files that were merged.

    Only problems with the source ``", ".join(files)`` change. ``typed`` (``--config``) takes precedence over files, and
    earlier files over later files.
    """
    if problem.source != ", ".join(files):
        return problem
    # for an unknown key at the top level, `where` is empty, and the message names the key
    key = problem.where or problem.found.removeprefix("the key ").removesuffix(" is unknown").strip("'")
    documents = {"--config": typed, **{file: read_yaml(Path(file)) for file in files}}
    depth = {source: _depth(document, key.split(".")) for source, document in documents.items()}
    deepest = max(depth, key=lambda source: depth[source])
    return replace(problem, source=deepest) if depth[deepest] else problem


def _depth(document: Any, steps: Sequence[str]) -> int:
    """Return how many of the ``steps`` to a key exist in a document."""
    for depth, step in enumerate(steps):
        if not isinstance(document, Mapping) or step not in document:
            return depth
        document = document[step]
    return len(steps)


def unusable(paths: Sequence[str]) -> str | None:
    """Return one message on all files that cannot be read as a configuration; None if all can be read."""
    messages = []
    for path in map(Path, paths):
        try:
            document = read_yaml(path)
        except InputError as error:
            messages.append(str(error))
            continue
        if not isinstance(document, dict):
            found = "the file is empty" if document is None else "the file has no keys"
            expected = "expected `campaigns:` and other keys (docs/own-campaign.md)"
            messages.append(str(Problem(str(path), "", found, expected)))
    return "\n".join(messages) or None
