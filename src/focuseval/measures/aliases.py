"""What measures are called in trec_eval, ranx, ir_measures and tools for chunks, and which are meant here."""

import re
from collections.abc import Iterable

from focuseval.errors import meant


def _of(name: str) -> str:
    """A measure that can count results or documents."""
    return f"'{name}(relevant=touches)' of results, or '{name}' of documents"


#: what is meant, by names without case and signs; nothing where there is no such measure here
_HERE = {
    **dict.fromkeys(("hit", "hits", "hitrate"), _of("Success")),
    **dict.fromkeys(("precision", "prec"), f"{_of('P')}, or 'char_precision' of text"),
    "recall": f"{_of('Recall')}, or 'char_recall' of text",
    **dict.fromkeys(("map", "averageprecision"), _of("AP")),
    **dict.fromkeys(("mrr", "meanreciprocalrank", "reciprocalrank", "reciprank"), _of("RR")),
    **dict.fromkeys(
        ("f1", "fscore", "fmeasure"), "'char_F1' or 'word_F1' of text, or 'span_F1' of whole spans"
    ),
    **dict.fromkeys(("srecall", "irec", "strec", "subtopicrecall", "aspectrecall"), "'StRecall' of aspects"),
    **dict.fromkeys(("umeasure", "timebiasedgain"), "'U' or 'TBG'"),
    "contextprecision": "'AP(relevant=touches)' of results, or 'char_precision' of text, by gold",
    "contextrecall": "'char_recall', or 'gold_coverage' of whole spans, by gold",
    **dict.fromkeys(("tokeniou", "jaccard"), "'IoU' of characters"),
    **dict.fromkeys(("dcg", "infap"), ""),
}

#: names elsewhere of measures of documents that are here, before a cut-off or without one: ranx, ir_measures, trec_eval
_SAME = {
    **dict.fromkeys(("map", "map_cut"), "AP"),
    **dict.fromkeys(("MRR", "mrr", "recip_rank"), "RR"),
    **dict.fromkeys(("hit_rate", "HitRate", "success"), "Success"),
    **dict.fromkeys(("ndcg", "NDCG", "ndcg_cut"), "nDCG"),
    **{"r_precision": "Rprec", "RPrec": "Rprec", "rbp": "RBP", "err": "ERR"},
    **{"num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet"},
}
#: trec_eval's names of cut-offs: ``P_10``, ``ndcg_cut.10``
_WITH_CUTOFF = re.compile(r"(P|recall|map_cut|ndcg_cut|success)[_.](\d+)")


def understood(name: str, cutoff: str | None) -> tuple[str, str | None]:
    """A measure and its cut-off by our names, where other programs have one for the same; others as they are."""
    if cutoff is None and (found := _WITH_CUTOFF.fullmatch(name)):
        name, cutoff = found.groups()
        return {**_SAME, "recall": "Recall"}.get(name, name), cutoff
    if name == "R" and cutoff is not None:  # without a cut-off it is Sakai's
        return "Recall", cutoff
    return _SAME.get(name, name), cutoff


def measure_meant(name: str, known: Iterable[str]) -> str:
    """A question which measure is meant by one that has another name elsewhere, or is misspelt; nothing if none is.

    A rank may stand in the name: ``ndcg_cut_10``, ``recall_at_5``.
    """
    bare = re.sub(r"(_cut|_at)?[_.](\d+|k)$", "", name)
    here = _HERE.get(re.sub(r"[\W_]", "", bare).casefold())
    if here is None:
        return meant(bare, known)
    return f"did you mean {here}? " if here else ""
