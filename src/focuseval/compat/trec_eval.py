"""The output of trec_eval (9.0 and 10.0), with its names and layout, for the measures that focuseval has.

Scores must be computed over all assessed topics, with ``rules="trec_eval"``
(`focuseval.campaign.settings.InputSettings`). They must include the measure `RETURNED`.
"""

import re
from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.errors import InputError
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.model.judgements import ALL

#: the measure that counts the documents returned for a topic; 0 for a topic that is missing in the run
RETURNED = "NumRet"

_RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)

#: trec_eval's measures, in the order of its output: the name in focuseval, and trec_eval's default cut-offs
_NAMES: dict[str, tuple[str, tuple[int, ...]]] = {
    **{"num_ret": (RETURNED, ()), "num_rel": ("NumRel", ()), "num_rel_ret": ("NumRelRet", ())},
    **{"map": ("AP", ()), "Rprec": ("Rprec", ()), "bpref": ("bpref", ()), "recip_rank": ("RR", ())},
    **{"P": ("P", _RANKS), "recall": ("Recall", _RANKS), "ndcg": ("nDCG", ()), "ndcg_cut": ("nDCG", _RANKS)},
    **{"map_cut": ("AP", _RANKS), "success": ("Success", (1, 5, 10))},
}
#: the default measures of trec_eval that focuseval has
DEFAULT = ("num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "bpref", "recip_rank", "P")
#: the default measures of trec_eval that focuseval does not have
NOT_HERE = "runid, num_q, gm_map and iprec_at_recall"

#: matches trec_eval's names of measures with cut-offs, such as ``P``, ``P.5,10`` and ``ndcg_cut_10``
_CUT = re.compile(
    rf"({'|'.join(name for name, (_, ranks) in _NAMES.items() if ranks)})([._][0-9]+(,[0-9]+)*)?"
)


def measures_of(requested: Sequence[str]) -> dict[str, Spec]:
    """Return the requested measures by trec_eval's names, in the order of trec_eval's output.

    ``requested`` contains names from trec_eval's option ``-m`` or focuseval's own names. ``P.5,10`` has two cut-offs.
    ``P`` has trec_eval's default cut-offs. Raises InputError for measures that trec_eval does not have.
    """
    specs: dict[str, Spec] = {}
    for text in requested:
        cut = _CUT.fullmatch(text)
        names = [text]
        if cut is not None:
            ranks = re.findall(r"\d+", cut[2] or "") or _NAMES[cut[1]][1]
            names = [f"{cut[1]}_{rank}" for rank in ranks]
        specs |= {_trec_name(spec): spec for name in names for spec in parse_specs(name, MEASURES)}
    order = list(_NAMES)
    by_place = {
        name: (order.index(re.sub(r"_\d+$", "", name)), spec.cutoff or 0) for name, spec in specs.items()
    }
    return {name: specs[name] for name in sorted(specs, key=by_place.__getitem__)}


def _trec_name(spec: Spec) -> str:
    """Return trec_eval's name of a measure. Raises InputError if trec_eval does not have the measure."""
    for name, (measure, ranks) in _NAMES.items():
        plain = spec.name.partition("@")[0] == measure  # trec_eval's names have no parameters
        if plain and bool(ranks) == (spec.cutoff is not None):
            return name if spec.cutoff is None else f"{name}_{spec.cutoff:.0f}"
    found, expected = "the measure is not in trec_eval 9.0 or 10.0", f"expected one of {', '.join(_NAMES)}"
    raise InputError.of(f"measure {spec.asked}", found, expected)


def printed(
    scores: pd.DataFrame,
    measures: Mapping[str, Spec],
    *,
    per_topic: bool = False,
    complete: bool = False,
    missing: bool = False,
) -> str:
    """Return trec_eval's output for one run.

    ``scores`` contains the run's rows of `focuseval.scoring.score.Scores.per_topic`. ``per_topic`` means ``-q``, and
    ``complete`` means ``-c``. If ``missing`` is true, the output includes topics that are missing from the run. Version
    10.0 prints these topics with ``-q -c``.
    """
    table = scores.astype({"topic": str, "name": str}).pivot(index="topic", columns="name", values="value")
    table = table.sort_index()
    returned = table[table[RETURNED] > 0]
    over = table if complete else returned
    sums = over.cumsum().iloc[-1]  # trec_eval adds topic by topic; NumPy's sum does not
    rows = [*(table if missing else returned).iterrows()] if per_topic else []
    return "".join(
        f"{name:<22}\t{topic}\t{_number(row[spec.name], spec, number)}\n"
        for topic, row, number in [*((*row, 1) for row in rows), (ALL, sums, len(over))]
        for name, spec in measures.items()
    )


def _number(value: float, spec: Spec, topics: int) -> str:
    """Format a sum over ``topics`` topics as trec_eval does: counts as sums, and other values as means."""
    return f"{value:.0f}" if spec.pooled else f"{value / topics:6.4f}"
