"""Names that users write: scales, units and tasks.

Only what messages need is imported, so that the command line starts quickly.
"""

from focuseval.errors import InputError, meant

#: scales of (exhaustivity, specificity), and of documents (grades); `docs/formats.md` says what each value means
SCALES = ("inex2002", "inex2003", "inex2005", "highlights", "grades")

#: what text is counted in
UNITS = ("characters", "words", "bytes")

#: parts of source code that gold, and results in them, may be taken as
GRAINS = ("file", "class", "function", "block", "line")

THOROUGH = "thorough"
FOCUSED = "focused"
FETCH_AND_BROWSE = "fetch-and-browse"
RELEVANT_IN_CONTEXT = "relevant-in-context"
T2I = "t2i"  #: Relevant in Context with tolerance to irrelevance
BEST_IN_CONTEXT = "best-in-context"

#: the tasks of INEX's Ad Hoc track by INEX's names
TASKS = (THOROUGH, FOCUSED, FETCH_AND_BROWSE, RELEVANT_IN_CONTEXT, T2I, BEST_IN_CONTEXT)

#: other names of them, without case, blanks and punctuation: INEX 2005's, and the letters of INEX's program
_SPELLINGS = {
    "t": THOROUGH,
    "f": FOCUSED,
    "focussed": FOCUSED,
    "fetchbrowse": FETCH_AND_BROWSE,
    "r": RELEVANT_IN_CONTEXT,
    "ric": RELEVANT_IN_CONTEXT,
    "i": T2I,
    "b": BEST_IN_CONTEXT,
    "bic": BEST_IN_CONTEXT,
}
_SPELLINGS |= {"".join(filter(str.isalnum, task)): task for task in TASKS}


def task_named(text: str, tasks: tuple[str, ...] = TASKS) -> str:
    """The task that is meant: ``Relevant in Context``, ``RelevantInContext`` and ``r`` are one.

    Raises InputError if it is none of ``tasks``.
    """
    task = _SPELLINGS.get("".join(filter(str.isalnum, text.casefold())))
    if task not in tasks:
        expected = f"{meant(text, tasks)}expected one of {', '.join(tasks)}"
        raise InputError.of("task", repr(text), expected)
    return task
