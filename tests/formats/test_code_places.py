"""Places in source code from diffs, answers of agents and JSON lines."""

import difflib
import json
import re
from time import process_time

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.formats.code_places import Place, is_diff, places_in_answer, places_in_diff, read_places

DIFF = """\
diff --git a/old.py b/new.py
similarity index 90%
rename from old.py
rename to new.py
--- a/old.py
+++ b/new.py
@@ -1,3 +1,4 @@
 a
-b
+c
+d
 e
diff --git a/bin.png b/bin.png
index 123..456 100644
Binary files a/bin.png and b/bin.png differ
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1,2 +0,0 @@
-x
-y
diff --git a/made.py b/made.py
new file mode 100644
--- /dev/null
+++ b/made.py
@@ -0,0 +1 @@
+z
\\ No newline at end of file
"""


def descriptions(places):
    understood = [place for place in places if not place.passed_over]
    return [f"{place}{' ' if place.unreadable else ''}{place.unreadable}" for place in understood]


def test_a_diff_touches_the_lines_that_it_removes_and_those_around_what_it_inserts():
    places = descriptions(list(places_in_diff(DIFF, Place("t"))))
    assert places == ["old.py", "old.py:2-2", "bin.png", "gone.py", "gone.py:1-2", "made.py added"]
    inserted = "--- a/x.py\n+++ b/x.py\n@@ -4,2 +4,3 @@\n d\n+new\n e\n@@ -9,0 +11 @@\n+last\n"
    assert descriptions(list(places_in_diff(inserted, Place("t")))) == ["x.py", "x.py:4-5", "x.py:9-10"]
    first = "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n+new\n a\n"
    assert descriptions(list(places_in_diff(first, Place("t")))) == ["x.py", "x.py:1-1"]
    assert list(places_in_diff("", Place("t"))) == [] and is_diff(" \n") and not is_diff("a.py:3\n")
    quoted = '--- "a/\\303\\251 1.py"\n+++ "b/\\303\\251 1.py"\n@@ -1 +1 @@\n-a\n+b\n'
    assert descriptions(list(places_in_diff(quoted, Place("t")))) == ["é 1.py", "é 1.py:1-1"]
    [cut] = places_in_diff("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n", Place("t"))
    assert "the diff cannot be read" in cut.unreadable


@pytest.mark.parametrize("context", [0, 1, 3])
def test_lines_of_random_diffs_against_the_operations_they_are_made_of(context):
    rng = np.random.default_rng(context)
    for _ in range(200):
        old = [f"line {rng.integers(4)}\r\n" for _ in range(rng.integers(1, 12))]
        new = [line for line in old if rng.random() > 0.2]
        for _ in range(rng.integers(3)):
            new.insert(int(rng.integers(len(new) + 1)), "new\r\n")
        expected = set()
        for kind, low, high, _, _ in difflib.SequenceMatcher(None, old, new).get_opcodes():
            if kind in ("delete", "replace"):
                expected |= set(range(low + 1, high + 1))
            elif kind == "insert":
                expected |= {low, low + 1}
        diff = "".join(difflib.unified_diff(old, new, "a/x.py", "b/x.py", n=context))
        places = [place for place in places_in_diff(diff, Place("t")) if place.lines]
        touched = {line for place in places for line in range(place.lines[0], place.lines[1] + 1)}
        assert touched & set(range(1, len(old) + 1)) == expected & set(range(1, len(old) + 1)), (old, new)
        assert all(
            old[number - 1].strip() == numbered.strip() for place in places for number, numbered in place.says
        )


ANSWER = """\
I would look here:
```
src/a.py
line: 10
class: A
lines: 51-53

1. `b/c.py:12-40`
- d.py
pkg/mod.py::Class.method
function: helper()
variable: x
x/y.js
e.py#L3-L5
Makefile
The fix is in foo, e.g. there.
"""


def test_answers_of_agents_are_read_line_by_line():
    assert descriptions(list(places_in_answer(ANSWER, Place("t")))) == [
        *("src/a.py:10-10", "src/a.py::A", "src/a.py:51-53", "b/c.py:12-40", "d.py"),
        *("pkg/mod.py::Class.method", "pkg/mod.py::helper", "x/y.js", "e.py:3-5"),
    ]
    assert descriptions(list(places_in_answer("function: f\nline: 3\n", Place("t")))) == ["f"]


def test_json_lines_name_places_in_several_ways(tmp_path):
    rows = [
        {"topic": "t", "path": "./a.py", "start_line": 3, "end_line": 5, "_trajectory": ["x"]},
        {"topic": "t", "path": "a.py", "line": 7, "score": 2},
        {"topic": "t", "path": "a.py::A::f"},
        {"topic": "t", "path": "a.py", "name": "A.g", "rank": 4},
        {"topic": "t", "document": "a.py", "start": 3, "end": 9},
        {"topic": "t", "path": "a.py"},
        {"topic": "t", "name": "f"},
        {"topic": "u"},
        {"instance_id": "v", "model_patch": DIFF, "repo": "o/n", "base_commit": "abc"},
        {"topic": 5, "answer": "a.py:3"},
    ]
    file = tmp_path / "run.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    places_read = list(read_places(file, str(file), None))
    assert [str(place) for place in places_read if place.topic == "t"] == [
        *("a.py:3-5", "a.py:7-7", "a.py::A.f", "a.py::A.g", "a.py", "a.py", "f"),
    ]
    assert (
        places_read[1].score == 2
        and places_read[3].rank == 4
        and places_read[4].span == (3, 9)
        and places_read[1].where == "line 2"
    )
    assert {place.revision for place in places_read if place.topic == "v"} == {("o/n", "abc")}
    assert [str(place) for place in places_read if place.topic in ("u", "5")] == ["", "", "a.py:3-3"]
    assert [str(place) for place in read_places(rows, "gold", None)] == [str(place) for place in places_read]
    file.write_text(
        '{"topic": "t", "path": "a.py", "start_line": 5, "end_line": 3}\n{"path": "a.py"}\n{"topic": 1,\n'
    )
    with pytest.raises(InputError) as raised:
        list(read_places(file, str(file), None))
    places = [problem.where for problem in raised.value.problems]
    assert places == ["line 1", "line 2", "line 3"] and "lines 5 to 3" in str(raised.value)
    (tmp_path / "answer.txt").write_text(ANSWER)
    with pytest.raises(InputError, match="the text names no topics, but the gold has several"):
        list(read_places(tmp_path / "answer.txt", "answer.txt", None))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"path": "a.py", "startLine": 3, "endLine": 5},
            'the key "startLine" is unknown; did you mean "start_line" and',
        ),
        (
            {"path": "a.py", "end_line": 5},
            'the key "end_line" is unknown; did you mean "start_line" and "end_line"?',
        ),
        (
            {"path": "a.py", "lines": "3-5"},
            'the key "lines" is unknown; did you mean "start_line" and "end_line"?',
        ),
        ({"path": "a.py", "function": "f"}, 'the key "function" is unknown; did you mean "name"?'),
        ({"filepath": "a.py", "line": None}, "\"path\" is missing; did you mean 'path'?"),
        ({"answers": "a.py:3"}, "\"path\" is missing; did you mean 'answer'?"),
    ],
)
def test_keys_that_seem_to_name_a_part_of_a_file_get_a_suggestion(row, message):
    with pytest.raises(InputError, match=re.escape(f"gold, row 0: {message}")):
        list(read_places([{"topic": "t", **row}], "gold", None))
    places = [
        {"topic": "t", "path": "a.py:3", "lines": 7},
        {"topic": "t", "path": "a.py", "language": "Python"},
    ]
    assert [str(place) for place in read_places(places, "gold", None)] == ["a.py:3-3", "a.py"]


@pytest.mark.parametrize(
    "line",
    [
        "a" + " " * 40_000 + "b",
        "a" + "`" * 40_000 + "b",
        "a/" * 20_000 + "(",
        "a.b" * 20_000 + "(",
        "a:1" * 20_000 + "x",
    ],
)
def test_an_answer_of_one_long_line_is_read_in_linear_time(line):
    """A quadratic reader needs more than 10 s for these."""
    begun = process_time()
    assert len([*places_in_answer(f"{line}\nm.py:3\nfunction: f{' ' * 40_000}", Place("q"))]) <= 3
    assert process_time() - begun < 1


def test_marks_around_places_of_an_answer_are_left_out():
    for end in ("", " ", "`", " ,\t;", "\u00a0\"'`* "):
        [place] = places_in_answer(f"1. `m.py:3{end}", Place("q"))
        assert (place.path, place.lines) == ("m.py", (3, 3))
    [one, two] = places_in_answer("/a/b\na/b/\n", Place("q"))
    assert (one.path, two.path) == ("/a/b", "a/b/")


def test_names_after_one_colon_and_lines_that_cannot_be_read():
    answer = (
        "a.py:two\na.py::C.m\n- `src/a.py:C.m()`\nb/c.py:C::m(self)\na.py: two\nx.ts -> f\n**d.py** is wrong\n"
        "./e.py, f.py\ng.py\nlines: 3-4, 7, 9 and 11\nhttp://x.org/a\nThis is prose.\nstd::vector\n"
    )
    places = list(places_in_answer(answer, Place("t")))
    assert descriptions(places) == [
        *("a.py::two", "a.py::C.m", "src/a.py::C.m", "b/c.py::C.m", "g.py:3-4", "g.py:7-7"),
    ]
    passed = [place.path for place in places if place.passed_over]
    assert passed == ["a.py", "x.ts", "d.py", "e.py", "g.py", "http", "This", "std"]


def test_names_are_in_the_file_that_was_named_last():
    answer = "### a.py:\nfunction: f\n**b.py**:\nline: 3\nc.py\nd.py (the cause)\nclass: C\n"
    assert descriptions(list(places_in_answer(answer, Place("t")))) == [
        "a.py::f",
        "b.py:3-3",
        "c.py",
        "d.py::C",
    ]


def test_outputs_of_locagent_and_agentless_are_answers():
    locagent = {
        "instance_id": "t",
        "found_files": ["a.py", "b.py"],
        "found_modules": ["a.py:C", "b.py:f"],
        "found_entities": ["a.py:C.m", "b.py:f"],
        "raw_output_loc": ["a.py\nclass: C"],
    }
    related = {"instance_id": "t", "found_files": ["a.py", "b.py"]}
    lines = {**related, "found_related_locs": {"a.py": ["class: C"]}}
    rows = {
        "locagent": locagent,
        "by file": {**related, "found_related_locs": {"a.py": ["class: C\nfunction: C.m"], "b.py": [""]}},
        "in order": {**related, "found_related_locs": [["function: C.m\nfunction: g"], [""]]},
        "samples": {**lines, "found_edit_locs": [{"a.py": ["line: 3\nclass: C"]}, {"b.py": ["function: f"]}]},
        "none": {**lines, "found_edit_locs": []},
    }

    def read(name, grain=None):
        places = read_places([rows[name]], "run", None, grain)
        assert all(place.topic == "t" for place in places)
        return [str(place) for place in read_places([rows[name]], "run", None, grain) if str(place)]

    assert read("locagent") == read("locagent", "function") == ["a.py::C.m", "b.py::f"]
    assert read("locagent", "class") == ["a.py::C", "b.py::f"]
    assert [read(name, "file") for name in rows] == [["a.py", "b.py"]] * 5
    assert read("by file") == ["a.py::C", "a.py::C.m"] and read("in order") == ["a.py::C.m", "a.py::g"]
    assert read("samples", "class") == ["a.py:3-3", "a.py::C", "b.py::f"] and read("none") == []
    with pytest.raises(InputError, match='"found_files" is an int; expected names of places'):
        list(read_places([{"topic": "t", "found_files": [3]}], "run", None))
