"""Write the tables of README.md from what was measured: one for each file of `measured/`.

python benchmarks/write.py
"""

import csv
from pathlib import Path

from measuring import MEASURED

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- measured: written by write.py -->", "<!-- measured: end -->"


def table(path: Path) -> str:
    """The table of one file, under its name and command."""
    with open(path, encoding="utf-8", newline="") as rows:
        found = list(csv.DictReader(rows))
    lines = [
        f"### {path.stem.replace('_', ' ')}",
        f"`{found[0]['command']}` (load {found[0]['load']})",
        "",
        "| work | focuseval | unit | peer | | ratio | bound | kept |",
        "|---|---:|---|---:|---|---:|---|---|",
    ]
    columns = ("work", "ours", "unit", "peer", "against", "ratio", "bound", "met")
    lines += ["| " + " | ".join(row[name] for name in columns) + " |" for row in found]
    return "\n".join(lines)


def main() -> None:
    """Replace what stands between the marks."""
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    tables = "\n\n".join(map(table, sorted(MEASURED.glob("*.csv"))))
    README.write_text(f"{before}{BEGIN}\n{tables}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
