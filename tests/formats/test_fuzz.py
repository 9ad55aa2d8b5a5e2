"""Whatever the bytes are, a reader gives a result or an InputError: no other exception, no hang."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focuseval.errors import InputError
from focuseval.formats import assessments, runs
from focuseval.formats.checking import check
from focuseval.formats.table import ASSESSMENTS as ASSESSMENTS_BY_NAME
from focuseval.formats.table import RUNS as RUNS_BY_NAME
from focuseval.formats.topics import read_topics

from .samples import ASSESSMENTS, RUNS
from .test_topics import TOPIC_2002, TOPICS_2009

GOOD = [text.encode() for text in (*ASSESSMENTS, *RUNS, TOPIC_2002, TOPICS_2009)]


@st.composite
def damaged(draw) -> bytes:
    """A good file with some stretches of it taken out, repeated or replaced."""
    data = draw(st.sampled_from(GOOD))
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(data)))
        end = min(len(data), begin + draw(st.integers(0, 40)))
        instead = draw(st.one_of(st.binary(max_size=6), st.just(data[begin:end] * 2), st.sampled_from(GOOD)))
        data = data[:begin] + instead + data[end:]
    return data


READERS = {
    "check": check,
    "topics": read_topics,
    "assessments": assessments.read_assessments,
    "runs": lambda path: runs.read_runs(path, lenient=True),
    **{
        f"assessments {name}": lambda path, name=name: assessments.read_assessments(path, format=name)
        for name in ASSESSMENTS_BY_NAME
    },
    **{f"runs {name}": lambda path, name=name: runs.read_runs(path, format=name) for name in RUNS_BY_NAME},
}


@pytest.mark.parametrize("reader", READERS)
@settings(
    max_examples=40,
    deadline=5_000,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.one_of(st.binary(max_size=200), damaged(), damaged(), damaged()))
def test_a_result_or_an_input_error(reader, data, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(data)
    try:
        READERS[reader](path)
    except InputError as error:
        assert error.problems
        assert all(
            str(path) in str(problem) and problem.found and problem.expected for problem in error.problems
        )
