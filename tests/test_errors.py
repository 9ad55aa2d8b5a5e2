"""What users are told of many runs."""

from focuseval.errors import SHOWN, counted_of_runs, of_runs

MANY = [f"r{i}" for i in range(SHOWN + 15)]


def test_what_is_told_of_many_runs_is_one_line():
    assert of_runs({"a": "falls", "b": "falls"}) == ["run a: falls", "run b: falls"]
    [line] = of_runs(dict.fromkeys(MANY, "falls"))
    assert line == f"25 runs: falls ({', '.join(MANY[:20])} and 5 more)"
    told = of_runs(dict.fromkeys(MANY, "falls") | {"other": "rises", "r3": "rises", "last": "stays"})
    assert told[1:] == ["2 runs: rises (r3, other)", "run last: stays"]


def test_numbers_of_many_runs_are_added_up():
    assert counted_of_runs({"a": 3, "b": 4}, "are bad") == ["run a: 3 are bad", "run b: 4 are bad"]
    [line] = counted_of_runs({run: i for i, run in enumerate(MANY)}, "are bad")
    assert line.startswith("25 runs: 300 are bad (r0 0, r1 1, ") and line.endswith("r19 19 and 5 more)")
    assert counted_of_runs({}, "are bad") == of_runs({}) == []
