"""Files of TREC Genomics are unchanged except for the encoding of names and the names of runs."""

from pathlib import Path

import pytest

from focuseval.errors import InputError
from focuseval_papers.importers import trec_genomics
from tests.folders import write_files
from tests.papers.materials import files_text
from tests.papers.public import shared
from tests.snapshots import check

GOLD = "200\t1\t10\t20\tKRÜPPEL|B\n200\t2\t0\t5\tA\n"
LISTS = {"one-1": "200 1 1 2.5 10 20 same\n200 2 2 1 0 9 same\n", "two": "200 1 1 2.5 15 5 same\n"}


def published(folder, gold=GOLD, lists=LISTS):
    """Write files in the layout of the repository."""
    files = {"gold-standard-07.txt": gold, **{f"Data/{name}.txt": text for name, text in lists.items()}}
    write_files(folder, {name: text.encode("latin-1") for name, text in files.items()})
    return folder


def test_gold_is_utf8_and_runs_are_named_after_their_files(tmp_path):
    trec_genomics.write(published(tmp_path / "in"), tmp_path / "out")
    check(files_text(tmp_path / "out"), Path(__file__).with_name("snapshots") / "trec-genomics.txt")


def test_unexpected_lines_and_folders_are_reported(tmp_path):
    short = published(tmp_path / "short", lists={"one": "200 1 1 2.5 10 20 a\n\n200 1 2 2.5\n"})
    with pytest.raises(
        InputError, match=r"one\.txt, line 3: the line has 4 columns; expected topic, document"
    ):
        trec_genomics.write(short, tmp_path / "out")
    with pytest.raises(InputError, match="the folder has no lists of passages"):
        trec_genomics.write(published(tmp_path / "none", lists={}), tmp_path / "out")
    (tmp_path / "none/gold-standard-07.txt").unlink()
    with pytest.raises(InputError, match="gold-standard-07"):
        trec_genomics.write(tmp_path / "none", tmp_path / "out")


def test_the_published_data(tmp_path):
    trec_genomics.write(shared("trec-genomics-2007"), tmp_path)
    gold = [line.split("\t") for line in (tmp_path / "gold.txt").read_text(encoding="utf-8").splitlines()]
    assert (len(gold), len({line[0] for line in gold})) == (4492, 36)
    assert any("KRüPPEL" in line[4] for line in gold)
    lists = sorted((tmp_path / "runs").iterdir())
    assert len(lists) == 5
    for path in lists:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) == 36000 and {line.split()[6] for line in lines} == {path.stem}
