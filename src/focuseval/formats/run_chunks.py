"""Retrieved chunks as JSON lines: `focuseval.formats.chunks` says how they look."""

from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import Option, Problem, Sentence
from focuseval.files import without_gz
from focuseval.formats.chunk_columns import RETRIEVED
from focuseval.formats.chunks import MARKS_OF_RUNS, RETRIEVED_CHUNKS
from focuseval.formats.format import Format
from focuseval.formats.names import codes_of
from focuseval.formats.parsed import NotInBlocks, RawRun, Refused, rows_of
from focuseval.formats.ranking import Ranking, ranked_run


def read(path: Path, ranking: Ranking, rejected: list[Problem], rows: int | None) -> Iterator[RawRun]:
    """Read one run, in blocks of about so many rows.

    The order is that of ranks, or of the file if there are none; then scores, if any, must not rise, unless the ranking
    says what orders results.

    Lines that cannot be read become problems in ``rejected``; the others are the run.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    name = without_gz(path).stem
    first: list[bool] = []
    for frame, refused in RETRIEVED.read_file(path, rows):
        has = [bool(frame["score"].notna().any()), bool((frame["rank"] >= 0).any())]
        if (first := first or has) != has:
            raise NotInBlocks
        yield ranked(frame, refused, ranking, rejected, name=name, source=str(path))


FORMAT = Format(
    "chunks", (RETRIEVED_CHUNKS,), read, has_keys=lambda keys: not {*MARKS_OF_RUNS}.isdisjoint(keys)
)


def ranked(
    frame: pd.DataFrame,
    refused: list[tuple[int, Refused]],
    ranking: Ranking,
    rejected: list[Problem],
    *,
    name: str,
    source: str,
    place: str = "line",
) -> RawRun:
    """The run of these chunks, of this name if they say none; a ``place`` is what their numbers count.

    Raises InputError as `read` does.
    """
    uneven = _uneven(frame)
    if uneven:
        frame = frame[~frame["line"].isin(uneven)].reset_index(drop=True)
    is_ranked = bool((frame["rank"] >= 0).any())
    rising = {} if is_ranked or ranking.by else _rising(frame, place)
    if rising:
        frame = frame[~frame["line"].isin(rising)].reset_index(drop=True)
    everything = sorted([*refused, *uneven.items(), *rising.items()], key=itemgetter(0))
    rejected.extend(Problem(source, f"{place} {number}", *why.args) for number, why in everything)
    if not is_ranked:
        frame = frame.drop(columns="rank")
    return ranked_run(frame, ranking, rejected, source, place=place, name=name)


def _uneven(frame: pd.DataFrame) -> dict[int, Refused]:
    """By line: chunks without the rank, or without the score, that others have."""
    found = {}
    for key, given in (("score", frame["score"].notna()), ("rank", frame["rank"] >= 0)):
        if given.any():
            lacking = Refused(f'"{key}" is missing', f'give every chunk a "{key}", or none')
            found.update(dict.fromkeys(frame["line"][~given].tolist(), lacking))
    return found


def _rising(frame: pd.DataFrame, place: str) -> dict[int, Refused]:
    """By line: chunks whose score is above that of the last one of their topic."""
    found: dict[int, Refused] = {}
    topics, scores = codes_of(frame["topic"]), frame["score"].to_numpy()
    order = np.argsort(topics, kind="stable")
    topics, scores = topics[order], scores[order]
    if not ((scores[1:] > scores[:-1]) & (topics[1:] == topics[:-1])).any():
        return found
    last: dict[int, tuple[float, int]] = {}  # of each topic: a score, and its line
    for topic, score, line in rows_of(frame, "topic", "score", "line"):
        before, at = last.get(topic, (score, line))
        if score > before:
            found[line] = Refused(
                f"the score rises from {before:g} in {place} {at} to {score:g}",
                Sentence(
                    'sort each topic by falling score, or give every chunk a "rank", or say what orders them: falling '
                    "scores (",
                    Option("rank_by", "score"),
                    "), or the lines where smaller is better, as of distances (",
                    Option("rank_by", "order"),
                    ")",
                ),
            )
        else:
            last[topic] = score, line
    return found
