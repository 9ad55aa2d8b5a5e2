"""What several scripts read and write: JSON, and files by their names without the suffix."""

import json
from pathlib import Path

import pandas as pd


def read_json(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_json(content, path):
    Path(path).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def tables(paths, **how):
    return {Path(path).stem: pd.read_csv(path, **how) for path in paths}


def pictures(paths):
    return {Path(path).stem: Path(path).read_bytes() for path in paths}


def texts(paths):
    return {Path(path).stem: Path(path).read_text(encoding="utf-8") for path in paths}
