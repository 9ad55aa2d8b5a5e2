"""The formats of runs and of assessments. A new one is a module with its declaration, named here."""

from focuseval.formats import assessments_tsv, chunks, genomics, inex, qrels_fol, trec
from focuseval.formats.format import Format
from focuseval.model.registry import Registry

_GROUP = "focuseval.formats"

#: by name; where a line may be of several, those named first have it; behind them those of installed packages
RUNS = Registry((inex.RUN, trec.RUN, chunks.RUN, genomics.RUN), _GROUP, Format, lambda one: not one.scales)
ASSESSMENTS = Registry(
    (
        *(inex.INEX2002, inex.INEX2003, inex.INEX2005, qrels_fol.FORMAT, trec.QRELS),
        *(assessments_tsv.FORMAT, chunks.GOLD, genomics.GOLD),
    ),
    _GROUP,
    Format,
    lambda one: bool(one.scales),
)


def formats() -> tuple[Format, ...]:
    """All of them, in the order in which files are recognised."""
    return (*ASSESSMENTS.values(), *RUNS.values())
