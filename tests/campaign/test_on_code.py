"""Gold and runs on source code: grains, names, patches, revisions, notices."""

import ast
import difflib
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import focuseval
from focuseval.cli import main
from focuseval.errors import InputError
from tests.folders import write_files
from tests.formats.test_source_code import commit, git

SHOP = '''\
"""A shop."""

RATE = 0.2


class Basket:
    def __init__(self):
        self.items = []

    @property
    def total(self):
        net = sum(item.price for item in self.items)
        if net > 100:
            net = net * 0.9
        return net * (1 + RATE)

    @total.setter
    def total(self, value):
        pass


def show(basket):
    return str(basket.total)
'''
FILES = {
    "pkg/shop.py": SHOP,
    "pkg/util.py": "def show(x):\n    return str(x)\n\n\ndef once():\n    pass\n",
    "tests/test_shop.py": "def test_total():\n    pass\n",
    "pkg/broken.py": "def f(:\n    x\n",
}


@pytest.fixture
def code(tmp_path):
    folder = tmp_path / "code"
    more = {"pkg/old.py": "s = 'Grüße'\r\nt = 1\r\n".encode("latin-1"), "pkg/data.bin": b"\0\1"}
    write_files(folder, FILES | more)
    return folder


def diff(name, old, new):
    lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    return "".join(difflib.unified_diff(*lines, f"a/{name}", f"b/{name}"))


FIX = diff("pkg/shop.py", SHOP, SHOP.replace("net > 100", "net >= 100").replace("(1 + RATE)", "(2 + RATE)"))


def read(code, gold, run, **more):
    inputs = {"gold": gold} if not isinstance(gold, Path) else {"assessments": gold}
    campaign = focuseval.read_campaign(collection=code, runs={"r": run}, **inputs, **more)
    return campaign, campaign.notes


def gold_text(campaign, name="t"):
    """The text of each gold span of a topic."""
    [topic] = [one for one in campaign.topics if one.name == name]
    assert topic.spans is not None and topic.collection.words is not None
    texts = topic.collection.words.texts(np.arange(len(topic.collection.names)))
    rows = zip(topic.spans.document, topic.spans.start, topic.spans.end, strict=True)
    return [texts[int(d)][int(a) : int(b)] for d, a, b in rows]


PATCH = [{"topic": "t", "patch": FIX}]
RUN = [{"topic": "t", "path": "pkg/shop.py::Basket"}]


def test_one_patch_is_gold_at_each_grain(code):
    def at(grain):
        return gold_text(read(code, PATCH, RUN, grain=grain)[0])

    total = SHOP[SHOP.index("@property") : SHOP.index("    @total.setter")].rstrip()
    lines = ["if net > 100:", "return net * (1 + RATE)"]
    assert at(None) == lines == at("line")
    assert at("block") == ["if net > 100:\n            net = net * 0.9", total]
    assert at("function") == [total]
    assert at("class") == [SHOP[SHOP.index("class") : SHOP.index("\n\n\ndef show")]]
    assert at("file") == [SHOP]


def innermost(text, line, kinds):
    """First and last line of the innermost definition that holds a line, by Python's parser."""
    innermost_lines = None
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= line <= node.end_lineno and (innermost_lines is None or first > innermost_lines[0]):
                innermost_lines = first, node.end_lineno
    return innermost_lines


def test_grains_of_random_lines_against_pythons_own_parser(code):
    rng = np.random.default_rng(0)
    kinds = {"class": (ast.ClassDef,), "function": (ast.FunctionDef,)}
    lines = SHOP.split("\n")
    drawn = {}
    for topic in range(30):
        first = int(rng.integers(1, len(lines)))
        drawn[str(topic)] = first, int(rng.integers(first, len(lines)))
    gold = [
        {"topic": topic, "path": "pkg/shop.py", "start_line": first, "end_line": last}
        for topic, (first, last) in drawn.items()
    ]
    run = [{**RUN[0], "topic": "0"}]
    campaigns = {grain: read(code, gold, run, grain=grain)[0] for grain in (*kinds, "line")}
    for topic, (first, last) in drawn.items():
        touched = [line for line in range(first, last + 1) if lines[line - 1].strip()]
        for grain, nodes in kinds.items():
            units = {innermost(SHOP, line, nodes) for line in range(first, last + 1)} - {None}
            expected = {"\n".join(lines[a - 1 : b]).strip() for a, b in units}
            assert set(gold_text(campaigns[grain], topic)) == expected, (first, last, grain)
        assert gold_text(campaigns["line"], topic) == [lines[line - 1].strip() for line in touched]


def scores(code, gold, run, measures, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inputs = {"gold": gold} if not isinstance(gold, Path) else {"assessments": gold}
        return focuseval.score(measures, runs={"r": run}, collection=code, **inputs, **more)["value"].tolist()


def test_added_excluded_and_moved_places_of_a_patch_are_counted(code):
    addition = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"
    moved = (
        "diff --git a/pkg/util.py b/b.py\nsimilarity index 100%\nrename from pkg/util.py\nrename to b.py\n"
    )
    binary = "diff --git a/pkg/data.bin b/pkg/data.bin\nindex 1..2 100644\nBinary files a/pkg/data.bin and b/pkg/data.bin differ\n"
    header = "diff --git a/tests/test_shop.py b/tests/test_shop.py\n"
    test = header + diff("tests/test_shop.py", FILES["tests/test_shop.py"], "")
    gold = [{"topic": "t", "patch": FIX + addition + moved + test}, {"topic": "none", "patch": ""}]
    campaign, notes = read(code, gold, RUN, exclude=["tests/**"])
    assert len(gold_text(campaign)) == 2 and [topic.name for topic in campaign.topics] == ["t", "none"]
    text = " ".join(notes)
    assert "1 place is excluded by a pattern" in text and "1 place added by a diff is left out" in text
    assert len(gold_text(read(code, gold, RUN, grain="file", exclude=["**/test_*.py"])[0])) == 2
    assert gold_text(read(code, [{"topic": "t", "patch": FIX + binary}], RUN, grain="line")[0]) == [
        *("if net > 100:", "return net * (1 + RATE)"),
    ]
    latin = (
        "--- a/pkg/old.py\n+++ b/pkg/old.py\n@@ -1,2 +1,2 @@\n s = 'Gr\ufffd\ufffde'\r\n-t = 1\r\n+t = 2\r\n"
    )
    campaign, notes = read(code, [{"topic": "t", "patch": latin}], RUN)
    assert gold_text(campaign) == [
        "t = 1"
    ] and "1 file is not UTF-8 and is read as Latin-1 (pkg/old.py)" in " ".join(notes)


def test_files_frames_and_names_of_runs(code, tmp_path):
    (tmp_path / "fix.patch").write_text(FIX)
    (tmp_path / "agent.txt").write_text("pkg/shop.py\nfunction: Basket.total\n")
    (tmp_path / "other.jsonl").write_text(
        json.dumps({"topic": "fix", "path": "pkg/util.py", "score": 1}) + "\n"
    )
    paths = [tmp_path / "agent.txt", tmp_path / "other.jsonl"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = focuseval.score(
            ["char_recall"], assessments=tmp_path / "fix.patch", runs=paths, collection=code
        )
        gold = pd.DataFrame([{"topic": "fix", "patch": FIX}])
        again = focuseval.score(["char_recall"], gold=gold, runs={"agent": pd.DataFrame([{"topic": "fix", "path": "pkg/shop.py"}])}, collection=code)  # fmt: skip
    assert scores[["run", "value"]].to_numpy().tolist() == [["agent", 1], ["other", 0]] and again[
        "value"
    ].tolist() == [1]
    with pytest.raises(InputError, match="applies only to source code"):
        focuseval.score(["AP"], assessments=tmp_path / "fix.patch", runs=paths, grain="file")


def test_measures_of_all_elements_count_files_that_no_gold_and_no_run_names(code):
    measures = ["precall", "inex2003", "inex2003(variant=s)"]
    every = [{"topic": "x", "path": name} for name in (*FILES, "pkg/old.py")]
    run = [
        {"topic": "t", "path": "pkg/shop.py::Basket.__init__"},
        {"topic": "t", "path": "pkg/shop.py::Basket"},
    ]
    scores_of_topic = scores(code, PATCH, run, measures, grain="class")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = focuseval.score(
            measures, gold=[*PATCH, {"topic": "x"}], runs={"r": [*run, *every]}, collection=code, grain="class",
            per_topic=True,
        )  # fmt: skip
    assert scores_of_topic == whole[whole["topic"] == "t"]["value"].tolist() and min(scores_of_topic) > 0


def test_topics_of_several_revisions(code):
    git(code, "init", "-q")
    first = commit(code)
    (code / "pkg/shop.py").write_text("# one more line\n" + SHOP)
    second = commit(code)
    patch = diff("pkg/shop.py", "# one more line\n" + SHOP, SHOP)
    gold = [
        {"instance_id": "a", "base_commit": first, "patch": FIX, "repo": "code"},
        {"instance_id": "b", "base_commit": second, "patch": patch, "repo": "code"},
    ]
    run = [{"topic": topic, "path": "pkg/shop.py", "line": 13} for topic in "ab"]
    campaign, _ = read(code.parent, gold, run)
    assert sorted(campaign.topics[0].collection.names) == sorted(
        f"code@{of}/pkg/shop.py" for of in (first, second)
    )
    assert gold_text(campaign, "a") == ["if net > 100:", "return net * (1 + RATE)"]
    assert gold_text(campaign, "b") == ["# one more line"]
    values = scores(code.parent, gold, run, ["char_recall(average=macro)"])
    assert values[0] == pytest.approx(13 / 36 / 2)


def test_saved_scores_know_the_commit_and_the_grain(code, tmp_path, capsys):
    git(code, "init", "-q")
    commit(code)
    (tmp_path / "fix.patch").write_text(FIX)
    (tmp_path / "run.jsonl").write_text(json.dumps({"topic": "fix", "path": "pkg/shop.py"}) + "\n")
    inputs = [
        "--documents",
        f"{code}@HEAD",
        "--assessments",
        str(tmp_path / "fix.patch"),
        "--measure",
        "char_recall",
    ]
    run, saved = str(tmp_path / "run.jsonl"), str(tmp_path / "saved.parquet")
    assert main(["score", *inputs, "--run", run, "--grain", "function", "--save", saved]) == 0
    gate = ["gate", *inputs, "--run", run, "--baseline", saved, "--max-drop", "0.1"]
    assert main([*gate, "--grain", "function"]) != 1 and "grain" not in capsys.readouterr().err
    assert (
        main(gate) == 2
        and "grain is not given here, but 'function' for the baseline" in capsys.readouterr().err
    )
    (code / "pkg/shop.py").write_text("# one more line\n" + SHOP)
    commit(code)
    assert main([*gate, "--grain", "function"]) == 2


GAPS = "def f():\n    a = 1\n\n    \t\n    b = 2\n\n\nclass C:\n    x = 1\n\n    y = 2\n"


def test_blank_lines_belong_to_the_enclosing_unit(code):
    (code / "gaps.py").write_text(GAPS)
    function, whole = GAPS[: GAPS.index("\n\n\nclass")], GAPS[GAPS.index("class") : -1]
    between = {"topic": "t", "path": "gaps.py", "start_line": 6, "end_line": 7}
    gold = [{**between, "start_line": 3, "end_line": 4}, {**between, "topic": "u"}, {**between, "topic": "v", "end_line": 10}]  # fmt: skip

    def at(grain, topic):
        return gold_text(read(code, gold, RUN, grain=grain)[0], topic)

    assert at("function", "t") == at("block", "t") == [function] and at("class", "t") == []
    assert at("class", "v") == at("block", "v") == [whole] and at("line", "t") == at("function", "u") == []
    assert at("line", "v") == ["class C:", "x = 1"]
    text = " ".join(read(code, gold, RUN, grain="function")[1])
    assert (
        "2 places of gold are outside any function and therefore left out; 2 topics have no other gold (u, v)"
        in text
    )
    assert at(None, "t") == ["\n    \t\n"] and at(None, "v") == ["\n\nclass C:\n    x = 1\n\n"]
    run = [{"topic": "t", "path": "gaps.py", "start_line": 1, "end_line": 6}]
    lines = ["char_recall", "char_precision"]
    assert scores(code, gold[:1], run, lines, unit="lines") == [1, 2 / 6]
    assert scores(code, gold[:1], run, ["P(relevant=exact)@1"], grain="function") == [1]


def test_repositories_of_gold_stay_below_the_documents(code, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/key.py").write_text("TOP SECRET\n")
    git(tmp_path / "secret", "init", "-q")
    first = commit(tmp_path / "secret")
    (code / "link").symlink_to(tmp_path / "secret")
    (code / "x@y").mkdir()
    outside = [
        *({"repo": name} for name in ("../secret", str(tmp_path / "secret"), "link", "pkg/../../secret")),
        *({"repo": name, "base_commit": first} for name in ("../secret", "link")),
        {"repo": "x", "base_commit": f"y/../../secret@{first}"},
    ]
    patch = diff("key.py", "x\n", "y\n")
    for where in outside:
        for place in ({"path": "key.py", "line": 1}, {"patch": patch}):
            with pytest.raises(
                InputError, match="gold, row 1: the repository .* is not inside the documents"
            ) as raised:
                read(code, [{"topic": "t", **RUN[0]}, {"topic": "u", **where, **place}], RUN, lenient=True)
            assert "TOP" not in str(raised.value)


def test_diffs_that_are_not_read_are_refused(code, tmp_path):
    combined = "diff --cc pkg/util.py\nindex 1,2..3\n--- a/pkg/util.py\n+++ b/pkg/util.py\n@@@ -1,1 -1,1 +1,1 @@@\n--a\n++b\n"
    broken = {
        combined: "the text is the combined diff of a merge, not the diff against its first parent",
        "diff --cc pkg/data.bin\nindex 1,2..3\nBinary files differ\n": "the combined diff of a merge",
        FIX + "@@ -1 1 @@\n-a\n+b\n": "parts of the diff cannot be read|cannot be read",
        "--- a/pkg/util.py\n+++ b/pkg/util.py\n": "parts of the diff cannot be read",
        "*** a/pkg/util.py\n--- b/pkg/util.py\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n": "the text contains no diff",
        '--- "a/\\u4e2d.py"\n+++ "b/x.py"\n@@ -1 +1 @@\n-a\n+b\n': r"no file '\\\\u4e2d.py'",
        '--- "a/\\"\n+++ "b/x.py"\n@@ -1 +1 @@\n-a\n+b\n': "no file",
        "--- a/\ud800\0.py\n+++ b/\ud800.py\n@@ -1 +1 @@\n-a\n+b\n": "no file",
    }
    for text, message in broken.items():
        with pytest.raises(InputError, match=message):
            read(code, [{"topic": "t", "patch": text}], RUN)
        _, notes = read(code, PATCH, [{"topic": "t", "patch": text}])
        assert any("1 of " in note and "not in the documents" in note for note in notes), text
        (tmp_path / "t.patch").write_text(text.encode(errors="replace").decode())
        with pytest.raises(InputError):
            read(code, tmp_path / "t.patch", RUN)
    (code / 'q"\t\\é.py').write_text("a\n")
    quoted = '--- "a/q\\"\\t\\\\\\303\\251.py"\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n'
    assert gold_text(read(code, [{"topic": "t", "patch": quoted}], RUN)[0]) == ["a"]


def test_a_revision_is_read_only_as_code(code):
    git(code, "init", "-q")
    commit(code)
    with pytest.raises(InputError, match="a git revision is read only as code"):
        read(Path(f"{code}@HEAD"), PATCH, RUN, documents_as="text")
