"""Spoilt files for every reader, for a given CPU time each: `python benchmarks/fuzz.py --seconds 60 --seed 1`.

Prints inputs tried, inputs taken and every kind of failure with its input; ends with 1 if there is one. The
inputs follow from the seed. `--long` tries files of a megabyte of every hostile piece instead.
"""

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import hostile


def long(name: str, folder: Path) -> tuple[int, int, list[tuple[str, bytes]]]:
    """As `hostile.fuzz`, on the long files."""
    reader, good = hostile.readers()[name]
    place = folder / "named"
    place.mkdir()
    secret = str(hostile.secret_pipe(folder)).encode()
    tried = taken = 0
    failures: dict[str, bytes] = {}
    for data in (data for one in good[:4] for data in hostile.long_files(one)):
        tried += 1
        try:
            taken += hostile.try_one(reader, data.replace(b"SECRET", secret), place)
        except Exception as error:
            failures.setdefault(f"{type(error).__name__}: {str(error)[:200]}", data)
    return tried, taken, list(failures.items())


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--long", action="store_true")
    options.add_argument("readers", nargs="*", default=None)
    given = options.parse_args()
    failed = all_tried = 0
    for name in given.readers or hostile.readers():
        begin = time.process_time()
        with TemporaryDirectory() as folder:
            if given.long:
                tried, taken, failures = long(name, Path(folder))
            else:
                tried, taken, failures = hostile.fuzz(name, given.seconds, 10**9, given.seed, Path(folder))
        failed += len(failures)
        all_tried += tried
        print(
            f"{name:20} {tried:8} tried {taken:8} taken {time.process_time() - begin:7.1f} s of CPU",
            flush=True,
        )
        for message, data in failures:
            print(f"    {message}\n    {data[:200]!r} ({len(data)} bytes)")
    print(f"{all_tried} inputs, {failed} kinds of failure")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
