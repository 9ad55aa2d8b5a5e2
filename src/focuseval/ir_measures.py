"""Measures for ir_measures and PyTerrier's ``Experiment``, as in ``from focuseval.ir_measures import AiP``.

The import registers the provider ``focuseval``. Qrels and runs are frames, dictionaries or named tuples. Without the
columns ``start`` and ``end``, they refer to whole documents. If ir_measures has a measure of the same name, such as AP,
our measure has the prefix ``focuseval_``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import ir_measures
import pandas as pd
from ir_measures import Evaluator, MeanAgg, Metric, ParamInfo
from ir_measures.measures import registry
from ir_measures.providers import register

from focuseval.api import score
from focuseval.campaign.settings import InputSettings
from focuseval.measures import MEASURES
from focuseval.measures.declaration import MACRO, AnyMeasure, format_name

#: maps column names of ir_measures to ours; ranks are ignored, because ir_measures orders results by score
_COLUMNS = {"query_id": "topic", "doc_id": "document", "relevance": "grade"}
_COLUMNS |= {name: name for name in ("start", "end", "score", "aspects", "group", "alternative")}


class _Mean(MeanAgg):
    def add(self, value: float) -> None:
        if value == value:
            super().add(value)


class FocusevalMeasure(ir_measures.Measure):
    """A measure of focuseval for ir_measures. Its cut-off is a number or a text such as ``2000c``."""

    declared: AnyMeasure
    DEFAULT = float("nan")  #: the score of topics without a value

    def aggregator(self) -> "_Mean":
        """Return an object that computes the mean over topics with a value."""
        return _Mean()

    def full_name(self) -> str:
        """Return the measure's name in `focuseval.score`, with parameters and cut-off."""
        parameters = self.declared.parameters
        name = format_name(self.declared.name, parameters, {p.name: self[p.name] for p in parameters})
        return f"{name}@{self.params['cutoff']}" if "cutoff" in self.params else name


def _measure(declared: AnyMeasure) -> FocusevalMeasure:
    """Convert a measure for ir_measures, and register it. Pooled measures are averaged over topics."""
    parameters = {p.name: ParamInfo(default=p.default, desc=p.summary) for p in declared.parameters}
    arguments = {}
    if declared.pool is not None:
        arguments = {} if declared.average == MACRO else {"average": MACRO}
        parameters["average"] = ParamInfo(required=bool(arguments), choices=[MACRO], default=declared.average)
    if declared.cutoffs:
        parameters["cutoff"] = ParamInfo(required=declared.value is None, desc=declared.cutoffs[0].summary)
    name = f"focuseval_{declared.name}" if declared.name in registry else declared.name
    members = {"NAME": name, "__name__": name, "SHORT_DESC": declared.summary, "declared": declared}
    registry[name] = type(name, (FocusevalMeasure,), {**members, "SUPPORTED_PARAMS": parameters})(**arguments)
    return registry[name]


def _table(rows: Any) -> pd.DataFrame:
    frame = pd.DataFrame(rows)
    return frame[[name for name in _COLUMNS if name in frame]].rename(columns=_COLUMNS)


class FocusevalEvaluator(Evaluator):
    """Scores runs for ir_measures, with the values of `focuseval.score`.

    Topics without relevant content have no value and are excluded from means.
    """

    def __init__(self, measures: Iterable[FocusevalMeasure], qrels: Any, inputs: InputSettings) -> None:
        if isinstance(qrels, Mapping):
            qrels = [(topic, *graded) for topic, of in qrels.items() for graded in of.items()]
            qrels = pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"])
        self.gold, self.inputs = _table(qrels), inputs
        self.by_name = {measure.full_name(): measure for measure in measures}
        super().__init__(self.by_name.values(), ())

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        run = run if isinstance(run, Mapping) else _table(run)
        if set(self.gold["topic"]) & set(run if isinstance(run, Mapping) else run.get("topic", ())):
            inputs: Any = {**self.inputs, "gold": self.gold, "runs": {"run": run}}
            scores = score([*self.by_name], per_topic=True, average_over="assessed", **inputs)
            values = scores[scores["topic"] != "all"].pivot(index="topic", columns="measure", values="value")
        else:
            relevant = self.gold["grade"] > 0 if "grade" in self.gold else self.gold["document"].notna()
            values = pd.DataFrame(0.0, self.gold["topic"][relevant].unique(), [*self.by_name])
        for name in values:
            for topic, value in values[name].items():
                yield Metric(query_id=topic, measure=self.by_name[name], value=value)


class FocusevalProvider(ir_measures.Provider):
    """Makes focuseval's measures available in ir_measures.

    ``inputs`` are arguments of `focuseval.score` for all evaluations, such as ``documents``.
    """

    NAME = "focuseval"

    def __init__(self, **inputs: Any) -> None:
        super().__init__()
        self.inputs: Any = inputs

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        return FocusevalEvaluator(measures, qrels, self.inputs)

    def supports(self, measure: ir_measures.Measure) -> bool:
        """Return whether the measure is from focuseval. Raises AssertionError for invalid parameters."""
        measure.validate_params()
        return isinstance(measure, FocusevalMeasure)


provider = register(FocusevalProvider())
ir_measures.DefaultPipeline.providers.append(provider)
globals().update({name: _measure(declared) for name, declared in MEASURES.items()})
