"""From topics, results and scores to the numbers that tables, figures and findings show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd

from focuseval import recallbase
from focuseval.measures import xcg
from focuseval.measures.curves import RECALL_LEVELS
from focuseval.measures.declaration import Spec, given
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList, Results
from focuseval.papers.kazai2005.names import MEASURES, QUANTISATIONS, SETTING, parts_of

#: parameters of a measure: quantisation, alpha, overlap, own_text, ideal, fetch_browse
Parameters = Mapping[str, Any]

#: the rank up to which lists are turned around
TURNED = 25

#: differences up to this are rounding
ROUNDING = 1e-9


def settings_of(specs: Sequence[Spec]) -> list[Parameters]:
    """The distinct parameters of measures, in order."""
    return list({tuple(spec.parameters.items()): spec.parameters for spec in specs}.values())


def _columns(parameters: Parameters) -> dict[str, Any]:
    """A setting as columns of a table."""
    level = parameters["fetch_browse"]
    return dict(
        zip(
            SETTING,
            (parameters["quantisation"], parameters["overlap"], level if level != "off" else ""),
            strict=True,
        )
    )


def _base(topic: Topic, parameters: Parameters) -> xcg.RecallBase | None:
    return xcg.prepare(topic, **given(xcg.prepare, parameters))


def _trace(base: xcg.RecallBase, found: ResultList, parameters: Parameters) -> tuple[xcg.Curve, ...]:
    return xcg.trace(base, found, **given(xcg.trace, parameters))


def _bases(topics: Sequence[Topic], settings: Sequence[Parameters]) -> list[tuple[str, int, xcg.RecallBase]]:
    """Topic, number of the setting, and recall-base, where something is relevant."""
    made = [(topic.name, i, _base(topic, s)) for topic in topics for i, s in enumerate(settings)]
    return [(name, i, base) for name, i, base in made if base is not None]


def traced(
    topics: Sequence[Topic], results: Results, settings: Sequence[Parameters]
) -> Iterator[tuple[int, ResultList, tuple[xcg.Curve, ...]]]:
    """Number of the setting, result list and its curves, for every list of a topic with something relevant."""
    bases: dict[str, list[tuple[int, xcg.RecallBase]]] = {}
    for name, i, base in _bases(topics, settings):
        bases.setdefault(name, []).append((i, base))
    for found in results.lists():
        for i, base in bases.get(found.topic, ()):
            yield i, found, _trace(base, found, settings[i])


def curves(topics: Sequence[Topic], results: Results, specs: Sequence[Spec]) -> pd.DataFrame:
    """The graphs of every run under every setting of a task: means over topics.

    Columns quantisation, overlap, level, graph (``ep/gr`` or ``nxCG``), run, x (gain-recall or rank), value.
    A topic that a run lacks counts as 0; one without anything relevant is left out.
    """
    settings = settings_of(specs)
    ranks = np.array(xcg.NXCG_RANKS)
    graphs = {"ep/gr": RECALL_LEVELS, "nxCG": ranks}
    relevant = np.bincount([i for _, i, _ in _bases(topics, settings)], minlength=len(settings))
    place = {str(run): i for i, run in enumerate(results.runs)}
    sums = {graph: np.zeros((len(settings), len(place), len(x))) for graph, x in graphs.items()}
    for i, found, parts in traced(topics, results, settings):
        run = place[found.run]
        sums["ep/gr"][i, run] += np.mean([xcg.effort_precision(p, RECALL_LEVELS) for p in parts], axis=0)
        sums["nxCG"][i, run] += np.mean([xcg.nxcg(p, ranks) for p in parts], axis=0)
    tables = []
    for i, setting in enumerate(settings):
        for graph, x in graphs.items():
            if relevant[i]:
                values = (sums[graph][i] / relevant[i]).ravel()
                columns = {"run": np.repeat(list(place), len(x)), "x": np.tile(x, len(place))}
                tables.append(pd.DataFrame({**_columns(setting), "graph": graph, **columns, "value": values}))
    return pd.concat(tables, ignore_index=True)


def ideal_list(topic: Topic, parameters: Parameters) -> ResultList | None:
    """The ideal ranking of a topic as if a system had returned it; None if nothing is relevant."""
    base = _base(topic, parameters)
    if base is None:
        return None
    collection = topic.collection
    if parameters["fetch_browse"] == "article":
        row, score = base.element, base.score
    else:
        row, score = recallbase.full(topic, parameters["quantisation"])
        if parameters["overlap"] == "on":
            chosen = recallbase.ideal(collection, row, score, parameters["ideal"])
            row, score = row[chosen], score[chosen]
    row = row[np.argsort(-score, kind="stable")]
    rank = np.arange(1, len(row) + 1)
    document = collection.document_of(row)
    return ResultList("ideal", topic.name, rank, document, row, collection.start[row], collection.end[row])


def ideal_performance(topics: Sequence[Topic], specs: Sequence[Spec]) -> pd.DataFrame:
    """What the ideal ranking scores: columns quantisation, overlap, level, measure, topics, lowest, highest."""
    rows = []
    for parameters in settings_of(specs):
        lists = [(topic, ideal_list(topic, parameters)) for topic in topics]
        traces = [
            _trace(_base(topic, parameters), found, parameters)  # type: ignore[arg-type]
            for topic, found in lists
            if found is not None
        ]
        for spec in specs:
            if spec.parameters == parameters and traces:
                values = [spec.read(trace) for trace in traces]
                label = parts_of(spec.asked)[0]
                rows.append(
                    {
                        **_columns(parameters),
                        "measure": label,
                        "topics": len(values),
                        "lowest": min(values),
                        "highest": max(values),
                    }
                )
    return pd.DataFrame(rows, columns=[*SETTING, "measure", "topics", "lowest", "highest"])


def _turned(found: ResultList) -> ResultList:
    """The list with its first results the other way round."""
    first = min(TURNED, len(found))
    order = np.concatenate([np.arange(first)[::-1], np.arange(first, len(found))])
    columns = {name: getattr(found, name)[order] for name in ("document", "element", "start", "end")}
    return replace(found, line=None, **columns)


def turned_around(topics: Sequence[Topic], results: Results, specs: Sequence[Spec]) -> pd.DataFrame:
    """What becomes of nxCG[25] and MAnxCG[25] when the first 25 results of a list stand the other way round.

    For settings without overlap. Columns quantisation, measure, lists (with a gain there), changed (how
    many of them score differently).
    """
    settings = [p for p in settings_of(specs) if p["overlap"] == "off" and p["fetch_browse"] == "off"]
    bases = {(name, i): base for name, i, base in _bases(topics, settings)}
    rank = np.array([TURNED])
    changed = {(p["quantisation"], m): [0, 0] for p in settings for m in ("nxCG", "MAnxCG")}
    for i, found, before in traced(topics, results, settings):
        if before[0].gain[:TURNED].any():
            after = _trace(bases[found.topic, i], _turned(found), settings[i])
            for measure, value in (("nxCG", xcg.nxcg), ("MAnxCG", xcg.ma_nxcg)):
                count = changed[settings[i]["quantisation"], measure]
                count[0] += 1
                count[1] += abs(value(before[0], rank) - value(after[0], rank))[0] > ROUNDING
    return pd.DataFrame(
        [(q, f"{m}[{TURNED}]", *counts) for (q, m), counts in changed.items()],
        columns=["quantisation", "measure", "lists", "changed"],
    )


def example(topics: Sequence[Topic], results: Results, specs: Sequence[Spec], run: str) -> pd.DataFrame:
    """The gains of one list of a run beside the ideal ones, for Figure 1.

    Of the run's topics the one of which it finds most relative to the ideal, among the half with the most
    ideal elements. Columns run, topic, rank, xCG, xCI (which stays flat behind the ideal's end). The
    setting is that of generalised quantisation.
    """
    setting = next(p for p in settings_of(specs) if p["quantisation"] == "gen")
    found = [(r, c[0]) for _, r, c in traced(topics, results, [setting]) if r.run == run]
    least = np.median([len(curve.ideal) for _, curve in found])
    many = [(r, curve) for r, curve in found if len(curve.ideal) >= least]
    chosen, curve = max(many, key=lambda pair: min(pair[1].gain.sum() / pair[1].total, 1.0))
    rank = np.arange(1, max(len(chosen), len(curve.ideal)) + 1)
    return pd.DataFrame(
        {
            "run": run,
            "topic": chosen.topic,
            "rank": rank,
            "xCG": curve.cumulated[np.minimum(rank, len(curve.gain)) - 1],
            "xCI": curve.cumulated_ideal[np.minimum(rank, len(curve.ideal)) - 1],
        }
    )


def means(scores: pd.DataFrame) -> pd.DataFrame:
    """Columns task, quantisation, overlap, level, measure, run, value: means over topics of tidy scores."""
    mean = scores.groupby(["task", "measure", "run"], sort=False, observed=True)["value"].mean().reset_index()
    parts = {name: parts_of(str(name)) for name in mean["measure"].unique()}
    split = pd.DataFrame([parts[name] for name in mean["measure"]], columns=["measure", *SETTING])
    table = pd.concat([mean[["task"]], split[[*SETTING, "measure"]], mean[["run", "value"]]], axis=1)
    return table.astype({"task": object, "run": object})


def best_runs(mean: pd.DataFrame) -> pd.DataFrame:
    """The best run by MAep under every setting of every task, and its scores.

    Columns task, level, overlap, quantisation, best_run, MAep, iMAep, nxCG at the cut-offs; a measure that
    a task does not report is missing.
    """
    rows = []
    wanted = ["MAep", "iMAep", "nxCG[10]", "nxCG[25]", "nxCG[50]"]
    for (task, q, overlap, level), part in mean.groupby(["task", *SETTING], sort=False):
        columns = part.pivot(index="run", columns="measure", values="value")
        best = columns["MAep"].idxmax()
        rows.append(
            {
                **{"task": task, "level": level or None, "overlap": overlap, "quantisation": q},
                "best_run": best,
                **{name: columns[name].get(best) if name in columns else np.nan for name in wanted},
            }
        )
    return pd.DataFrame(rows)


def _tau(columns: pd.DataFrame, a: str, b: str) -> float:
    from focuseval.statistics.correlations import kendall

    if a not in columns or b not in columns or len(columns) < 2:
        return float("nan")
    return kendall(columns[a].to_numpy(), columns[b].to_numpy()).coefficient


def measure_correlations(mean: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau between the rankings of runs by two measures, for every task and quantisation.

    Columns task, quantisation, measure_a, measure_b, runs, kendall_tau (NaN where one scores all runs alike).
    """
    rows = []
    for (task, q), part in mean.groupby(["task", "quantisation"], sort=False):
        columns = part.pivot(index="run", columns="measure", values="value")
        rows += [(task, q, a, b, len(columns), _tau(columns, a, b)) for b, a in combinations(MEASURES, 2)]
    names = ["task", "quantisation", "measure_a", "measure_b", "runs", "kendall_tau"]
    return pd.DataFrame(rows, columns=names)


def quantisation_correlations(mean: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau between the rankings of runs under two quantisations, for every task and measure.

    Columns task, measure, quantisation_a, quantisation_b, kendall_tau.
    """
    rows = []
    for (task, measure), part in mean.groupby(["task", "measure"], sort=False):
        columns = part.pivot(index="run", columns="quantisation", values="value")
        rows += [(task, measure, a, b, _tau(columns, a, b)) for b, a in combinations(QUANTISATIONS, 2)]
    return pd.DataFrame(rows, columns=["task", "measure", "quantisation_a", "quantisation_b", "kendall_tau"])


def averaged(correlations: pd.DataFrame, pair: Sequence[str]) -> pd.DataFrame:
    """The mean correlation of each pair: columns of ``pair``, correlations (how many), kendall_tau.

    Pairs of which a ranking has no order (all runs score alike) are not counted.
    """
    grouped = correlations.groupby(list(pair), sort=False)["kendall_tau"]
    return grouped.agg(correlations="count", kendall_tau="mean").reset_index()


def recall_base_summary(topics: Sequence[Topic], bases: pd.DataFrame) -> pd.DataFrame:
    """How large recall-bases are, by quantisation and method: means over the topics that have one.

    Columns quantisation, method, topics, full and ideal (numbers of elements), gain (the sum of the ideal
    scores), characters (mean size of an ideal element, in the collection's unit), as_in_the_paper_% (share
    of the ideal elements that the paper's method chooses, too).
    """
    collection = topics[0].collection
    row = collection.first[collection.names.get_indexer(bases["document"])] + bases["node"].to_numpy()
    size = collection.end[row] - collection.start[row]
    keys = ["quantisation", "topic", "document", "node"]
    papers = bases[(bases["method"] == "paper") & bases["ideal"]][keys].assign(papers=True)
    table = bases.assign(size=size, ideal_score=bases["score"].where(bases["ideal"], 0.0))
    table = table.merge(papers, how="left", on=keys)
    rows = []
    for (q, method), part in table.groupby(["quantisation", "method"], sort=False, observed=True):
        count = part["topic"].nunique()
        chosen = part[part["ideal"]]
        rows.append(
            {
                **{"quantisation": q, "method": method, "topics": count},
                **{"full": len(part) / count, "ideal": len(chosen) / count},
                "gain": part["ideal_score"].sum() / count,
                "characters": chosen["size"].mean(),
                "as_in_the_paper_%": 100 * chosen["papers"].notna().mean(),
            }
        )
    return pd.DataFrame(rows)


def sweep(
    topics: Sequence[Topic],
    results: Results,
    *,
    quantisation: str,
    ideal: str,
    own_text: str,
    alphas: Sequence[float],
    cutoffs: Sequence[int],
) -> pd.DataFrame:
    """Every run under every alpha, with overlap considered: columns alpha, measure, run, value (means).

    Measures are MAep and nxCG at every cut-off.
    """
    fixed = {"quantisation": quantisation, "ideal": ideal, "own_text": own_text, "fetch_browse": "off"}
    base: dict[str, Any] = {"overlap": "on", **fixed, "alpha": 1.0}
    place = {str(run): i for i, run in enumerate(results.runs)}
    ranks = np.array(cutoffs)
    sums = np.zeros((len(alphas), len(place), 1 + len(ranks)))
    bases = {name: made for name, _, made in _bases(topics, [base])}  # they do not depend on alpha
    for found in results.lists():
        for i, alpha in enumerate(alphas if found.topic in bases else ()):
            [curve] = _trace(bases[found.topic], found, {**base, "alpha": alpha})
            sums[i, place[found.run]] += np.concatenate([[xcg.maep(curve)], xcg.nxcg(curve, ranks)])
    names = ["MAep", *(f"nxCG[{rank}]" for rank in cutoffs)]
    index = pd.MultiIndex.from_product([alphas, place, names], names=["alpha", "run", "measure"])
    table = pd.Series((sums / max(len(bases), 1)).ravel(), index=index, name="value").reset_index()
    return table[["alpha", "measure", "run", "value"]]


def sweep_table(swept: pd.DataFrame, reference: tuple[str, str, float], cutoff: int) -> pd.DataFrame:
    """How each point of a sweep ranks the runs, beside the reference (ideal, own_text, alpha).

    ``swept`` has the columns ideal, own_text and those of `sweep`. Columns ideal, own_text, alpha,
    and for MAep and nxCG at the cut-off: the mean over runs, and Kendall's tau with the reference.
    """
    keys = ["ideal", "own_text", "alpha"]
    rows = []
    known = {
        (measure, *point): part.set_index("run")["value"]
        for (measure, *point), part in swept.groupby(["measure", *keys], sort=False)
    }
    for point in dict.fromkeys(swept[keys].itertuples(index=False, name=None)):
        row: dict[str, Any] = dict(zip(keys, point, strict=True))
        for label, measure in (("MAep", "MAep"), ("nxCG", f"nxCG[{cutoff}]")):
            both = pd.DataFrame({"a": known[measure, *point], "b": known[measure, *reference]})
            row[f"mean_{label}"] = fmean(both["a"])
            row[f"τ_{label}"] = _tau(both, "a", "b")
        rows.append(row)
    return pd.DataFrame(rows)


def tau_matrix(columns: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau between all columns of a table with a row per run."""
    names = list(columns)
    return pd.DataFrame([[_tau(columns, a, b) for b in names] for a in names], index=names, columns=names)
