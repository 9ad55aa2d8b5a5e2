"""The formats of runs and of assessments. A new one is a module with its declaration, named here."""

from focuseval.formats import (
    assessments_chunks,
    assessments_genomics,
    assessments_tsv,
    qrels_fol,
    qrels_trec,
    run_chunks,
    run_genomics,
    run_inex,
    run_trec,
)
from focuseval.formats.assessments_inex import INEX2002, INEX2003, INEX2005
from focuseval.formats.format import Format

#: by name; where a line may be of several, those named first have it
RUNS: dict[str, Format] = {
    one.name: one for one in (run_inex.FORMAT, run_trec.FORMAT, run_chunks.FORMAT, run_genomics.FORMAT)
}
ASSESSMENTS: dict[str, Format] = {
    one.name: one
    for one in (
        *(INEX2002, INEX2003, INEX2005, qrels_fol.FORMAT, qrels_trec.FORMAT),
        *(assessments_tsv.FORMAT, assessments_chunks.FORMAT, assessments_genomics.FORMAT),
    )
}
#: all of them, in the order in which files are recognised
FORMATS = (*ASSESSMENTS.values(), *RUNS.values())
