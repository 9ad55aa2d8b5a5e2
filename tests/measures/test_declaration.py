"""What may be given to a measure: parameters and cut-offs in their ranges, and nothing else."""

import math

import pytest

from focuseval.api import score
from focuseval.errors import InputError
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.declaration import LARGEST_RANK

NUMBERS = [
    (measure, parameter)
    for measure in MEASURES.values()
    for parameter in measure.parameters
    if not (parameter.choices or parameter.reader)
]
ids = [f"{measure.name}-{parameter.name}" for measure, parameter in NUMBERS]

#: a cut-off behind a measure that must have one
BEHIND = {None: "", "rank": "@1", "level": "@0.5", "rank or level": "@1"}


def test_there_are_parameters_that_are_numbers() -> None:
    assert {"F-beta", "BEP-n", "T2I-tolerance", "EPRUM-theta", "nxCG-alpha"} <= set(ids)


@pytest.mark.parametrize(("measure", "parameter"), NUMBERS, ids=ids)
@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "1e999", "1e300", "-1", "much", ""])
def test_a_number_that_is_not_in_the_range_is_refused_with_it(measure, parameter, text) -> None:
    with pytest.raises(InputError) as error:
        parse_specs(
            f"{measure.name}({parameter.name}={text}){BEHIND[getattr(measure.cutoff, 'kind', None)]}",
            MEASURES,
        )
    (problem,) = error.value.problems
    assert problem.found == f"{parameter.name}={text}"
    assert problem.expected == f"expected a number from {parameter.low:g} to {parameter.high:g}"
    assert math.isfinite(parameter.low) and math.isfinite(parameter.high)


@pytest.mark.parametrize(("measure", "parameter"), NUMBERS, ids=ids)
@pytest.mark.parametrize("end", ["low", "high"])
@pytest.mark.filterwarnings("error")
def test_the_ends_of_a_range_have_scores(tmp_path, measure, parameter, end) -> None:
    for document in ("a", "b"):
        xml = "<article><sec><p>0123456789</p><p>0123456789</p></sec><sec>0123456789</sec></article>"
        (tmp_path / "xml").mkdir(exist_ok=True)
        (tmp_path / "xml" / f"{document}.xml").write_text(xml)
    (tmp_path / "qrels").write_text("1 Q0 a 15 30 9 5:15\n1 Q0 b 10 30 20 20:10\n")
    results = [("a", "/article[1]/sec[1]"), ("b", "/article[1]/sec[2]")]
    (tmp_path / "run").write_text(
        "".join(f"1 Q0 {d} {i} {9 - i} me {p}\n" for i, (d, p) in enumerate(results))
    )
    settings = f"{parameter.name}={getattr(parameter, end)!r}"
    if parameter.name == "theta":
        settings += ",navigation=distance"
    elif parameter.name == "tolerance" and "navigation" in {p.name for p in measure.parameters}:
        settings += ",navigation=tolerance-to-irrelevance"
    cutoff = BEHIND[getattr(measure.cutoff, "kind", None)]
    found = score(
        [f"{measure.name}({settings}){cutoff}"],
        assessments=tmp_path / "qrels",
        runs=tmp_path / "run",
        collection=tmp_path / "xml",
    )
    assert math.isfinite(found["value"].item())


RANKED = [m.name for m in MEASURES.values() if m.cutoff is not None and "rank" in m.cutoff.kind]


@pytest.mark.parametrize("name", RANKED)
@pytest.mark.parametrize("rank", [f"{LARGEST_RANK + 1}", "1e300", "inf", "nan"])
def test_a_rank_that_no_run_reaches_is_refused(name, rank) -> None:
    with pytest.raises(InputError, match=rf"@{rank}; expected a rank \(1, 2, \.\.\. {LARGEST_RANK}\)"):
        parse_specs(f"{name}@{rank}", MEASURES)
    assert parse_specs(f"{name}@{LARGEST_RANK}", MEASURES)[0].cutoff == LARGEST_RANK
