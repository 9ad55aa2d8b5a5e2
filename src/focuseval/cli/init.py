"""``focuseval init``: write a small example for all commands."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

#: the folder to which the example is written by default
FOLDER = "focuseval-example"


def add(commands: Any) -> None:
    """Declare the command ``focuseval init``."""
    init = commands.add_parser(
        "init",
        help="write a small example for trying the other commands",
        description="Write documents, gold, three runs and a configuration of the workflow to FOLDER. Existing files "
        "are never overwritten.",
        epilog="example: focuseval init garden",
    )
    init.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=Path(FOLDER),
        help=f"folder to write to, created if missing (default: {FOLDER})",
    )
    init.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Write the example campaign, and print the next step. Raises InputError if any of its files exists."""
    from importlib.resources import files

    from focuseval.errors import InputError

    example = dict(_files(files("focuseval") / "example", Path()))
    existing = [name for name in example if (options.folder / name).exists()]
    if existing or (options.folder.exists() and not options.folder.is_dir()):
        found = f"the folder already contains {existing[0]}" if existing else "this is a file, not a folder"
        expected = "choose another folder, because existing files are never overwritten"
        raise InputError.of(str(options.folder), found, expected)
    for name, content in example.items():
        path = options.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as out:
            is_campaign = path.suffix == ".yaml"
            out.write(content.replace("$folder", _quoted(options.folder)) if is_campaign else content)
    for name in example:
        print(options.folder / name)
    print(f"Next: cd {options.folder} and read README.md.")
    return 0


def _files(folder: "Traversable", place: Path) -> "list[tuple[str, str]]":
    """Return the path and the text of each file in a folder of the package."""
    files = []
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        inside = place / one.name
        files += _files(one, inside) if one.is_dir() else [(inside.as_posix(), one.read_text("utf-8"))]
    return files


def _quoted(folder: Path) -> str:
    """Return the absolute path of a folder as a YAML string."""
    import json

    return json.dumps(str(folder.resolve()), ensure_ascii=False)
