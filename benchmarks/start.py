"""Starting: CPU seconds of `focuseval --help`, and of the score of a small file beside the import of pandas.

python benchmarks/start.py
"""

import sys
from pathlib import Path

from measuring import Measured, least, record

import focuseval

EXAMPLE = Path(focuseval.__file__).parent / "example"


def main() -> None:
    """Measure both."""
    command = [sys.executable, "-m", "focuseval"]
    score = [
        "--gold",
        str(EXAMPLE / "gold.jsonl"),
        "--run",
        str(EXAMPLE / "runs"),
        "--measure",
        "char_recall",
    ]
    helped, scored = least([*command, "--help"]), least([*command, "score", *score])
    pandas = least([sys.executable, "-c", "import pandas"])
    rows = [
        Measured("focuseval --help", helped.seconds, "s of CPU", bound="ours <= 0.15"),
        Measured(
            "score of a small file",
            scored.seconds,
            "s of CPU",
            pandas.seconds,
            "import pandas",
            "ratio >= 0.6",
        ),
    ]
    record("start", rows)


if __name__ == "__main__":
    main()
