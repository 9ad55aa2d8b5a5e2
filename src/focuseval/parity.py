"""The numbers of INEX's own program, to the last digit, in its own layout.

`inex_eval` (version 3.1) scored the Ad Hoc track of INEX 2009 and 2010. Its conventions differ from the
library's measures in a few places (`docs/measures-inex2006.md` says where and why); here they are kept, so
that its output and this one can be compared with `diff`. Sums are taken in the program's order, and numbers
are written as Java writes them.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.arrays import Floats, Ints
from focuseval.elements import Collection
from focuseval.errors import InputError, Problem
from focuseval.judgements import Highlights, Topic
from focuseval.measures import best_in_context, relevant_in_context, t2i
from focuseval.measures.generalised import ArticleRanking
from focuseval.results import UNRESOLVED_SIZE, ResultList, Results
from focuseval.rules import overlapping, resuming, second

TASKS = ("thorough", "focused", "relevant-in-context", "t2i", "best-in-context")

#: irrelevant characters after which a reader stops (t2i)
TOLERANCE = 300

_RECALL_SLOTS = (0, 1, 5, 10)
_ARTICLE_RANKS = (1, 2, 3, 5, 10, 25, 50)


class Refused(Exception):
    """A run that the program does not score; the text is what it prints instead."""


@dataclass
class Report:
    """What the program prints of one topic: whole numbers, numbers, and a curve of interpolated precision."""

    counts: dict[str, int]
    numbers: dict[str, float]
    curve: Floats


def inex_eval(
    task: str,
    qrels: Path | str,
    run: Path | str,
    *,
    per_topic: bool = False,
    beta: float = 0.25,
    n: int = 500,
) -> str:
    """What inex_eval prints for a run in FOL columns.

    ``beta`` weighs recall in F (Relevant in Context); ``n`` is the distance of Best in Context. The file
    stands in the output as ``run`` is written. Raises InputError for files that are not FOL qrels or runs.
    """
    topics, lists, name = read(Path(qrels), Path(run))
    try:
        for check in _CHECKS[task]:
            pass
        refuse(task, lists, str(run), topics)
    except Refused as refusal:
        return f"{refusal}\n"
    raise NotImplementedError
