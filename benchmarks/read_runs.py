"""Reading text runs and JSON lines of a million lines: seconds here, and of peers on the same file.

    python benchmarks/read_runs.py [LINES]

The run is as INEX runs are: 1,500 results a topic, over 12,107 documents and some 15,000 paths. ``pandas.read_csv``
only splits lines and reads numbers; ``pytrec_eval.parse_run`` knows documents only; ``json.loads`` only makes objects.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytrec_eval
from measuring import Measured, in_turn, record

from focuseval.formats.readers import read_runs


def write_run(path: Path, lines: int, form: str) -> Path:
    """A seeded run with XPaths, or with offsets and lengths, or of whole documents, or chunks as JSON lines."""
    place = np.random.default_rng(2006).integers(0, 15000, lines).tolist()
    with open(path, "w", encoding="utf-8") as out:
        for i in range(lines):
            document = (i // 1500 * 31 + i % 1500 * 7) % 12107  # once in a topic
            rank = i % 1500 + 1
            topic, name = i // 1500 + 1, f"an/{1990 + document % 12}/a{document:05d}"
            score = f"{1000 / (rank + 0.37):.6f}"
            if form == "JSON lines":
                chunk = {"topic": str(topic), "document": name, "start": place[i], "end": place[i] + 500}
                out.write(json.dumps({**chunk, "score": float(score)}) + "\n")
                continue
            sec, p = divmod(place[i], 600)
            tail = {
                "XPaths": f" /article[1]/bdy[1]/sec[{sec + 1}]/p[{p + 1}]",
                "offsets": f" {place[i]} {document}",
            }
            out.write(f"{topic} Q0 {name} {rank} {score} run{tail.get(form, '')}\n")
    return path


def _parse_run(path: Path) -> object:
    with open(path, encoding="utf-8") as lines:
        return pytrec_eval.parse_run(lines)


def _json(path: Path) -> object:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main() -> None:
    """Measure each form of run."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for form in ("XPaths", "offsets", "documents"):
            path = write_run(Path(folder) / f"{form}.run", lines, form)
            tabs = path.with_suffix(".tabs")
            tabs.write_bytes(path.read_bytes().replace(b" ", b"\t"))
            odd = path.with_suffix(".odd")
            odd.write_bytes(path.read_bytes() + b"1 Q0 d 1 nan run /a\n")
            works = {
                "ours": lambda path=path: read_runs(path),
                "tabs": lambda tabs=tabs: read_runs(tabs),
                "bad": lambda odd=odd: read_runs(odd, lenient=True),
                "pandas": lambda path=path: pd.read_csv(path, sep=" ", header=None),
            }
            if form == "documents":
                works["pytrec_eval"] = lambda path=path: _parse_run(path)
            spent = in_turn(works)
            ours, pandas = spent["ours"], spent["pandas"]
            work, clock = f"{lines:,} lines with {form}", (ours.clock, "s by the clock")
            rows.append(Measured(work, *clock, pandas.clock, "pandas.read_csv", "ratio >= 0.3"))
            rows.append(
                Measured(
                    "their CPU time", ours.cpu, "s of CPU", pandas.cpu, "pandas.read_csv", "ratio >= 0.4"
                )
            )
            if form == "documents":
                rows.append(Measured(work, *clock, spent["pytrec_eval"].clock, "pytrec_eval.parse_run"))
            tabs, bad = spent["tabs"].clock, spent["bad"].clock
            rows.append(Measured("the same with tabs", tabs, "s by the clock", ours.clock, "with blanks"))
            rows.append(
                Measured(
                    "the same with one bad line",
                    bad,
                    "s by the clock",
                    ours.clock,
                    "without it",
                    "ratio >= 0.667",
                )
            )
        path = write_run(Path(folder) / "chunks.jsonl", lines, "JSON lines")
        spent = in_turn({"ours": lambda: read_runs(path), "json": lambda: _json(path)})
        ours, peer = spent["ours"], spent["json"]
        work, speed = f"{lines:,} chunks as JSON lines", lines / ours.clock / 1e6
        rows.append(Measured(work, ours.clock, "s by the clock", peer.clock, "json.loads", "ratio >= 4"))
        rows.append(Measured("their CPU time", ours.cpu, "s of CPU", peer.cpu, "json.loads"))
        rows.append(Measured("their speed", speed, "million lines a second", bound="ours >= 1"))
    record("read_runs", rows)


if __name__ == "__main__":
    main()
