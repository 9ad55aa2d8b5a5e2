"""The formats of runs and of assessments. A new one is a module with its declaration, named here."""

from focuseval.formats import assessments_tsv, chunks, genomics, inex, qrels_fol, trec
from focuseval.formats.format import Format

#: by name; where a line may be of several, those named first have it
RUNS: dict[str, Format] = {one.name: one for one in (inex.RUN, trec.RUN, chunks.RUN, genomics.RUN)}
ASSESSMENTS: dict[str, Format] = {
    one.name: one
    for one in (
        *(inex.INEX2002, inex.INEX2003, inex.INEX2005, qrels_fol.FORMAT, trec.QRELS),
        *(assessments_tsv.FORMAT, chunks.GOLD, genomics.GOLD),
    )
}
#: all of them, in the order in which files are recognised
FORMATS = (*ASSESSMENTS.values(), *RUNS.values())
