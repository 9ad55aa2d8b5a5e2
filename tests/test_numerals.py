"""Numbers in texts: every reader refuses digits other than ASCII, and names the place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import focuseval
from focuseval import cli
from focuseval.comparing.gate import limit_of
from focuseval.errors import InputError
from focuseval.formats.readers import read_assessments
from focuseval.measures import MEASURES, parse_specs
from focuseval.numerals import real, whole

#: numbers that Python's own functions read but no file format allows
ODD = (
    "1_0",
    "٣",
    "１",
    " 1",
    "1 ",
    "1\n",
    "0_0",
    "1_0.5",
    "0.0_2",
    "٠.٥",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "1e1_0",
)

#: blanks around a parameter are no part of its value
SPELLED = tuple(text for text in ODD if text == text.strip())

_TEXTS = st.text("0123456789_+-.eE ١２𝟑x\t", max_size=8)


@given(_TEXTS)
def test_a_number_is_read_as_python_reads_it_or_refused(text):
    plain = text.isascii() and not set(text) & set("_ \t")
    for read, python in ((whole, int), (real, float)):
        try:
            expected = python(text)
        except ValueError:
            expected = None
        if expected is not None and plain:
            assert read(text) == expected
        else:
            with pytest.raises(ValueError):
                read(text)


@pytest.mark.parametrize("text", SPELLED)
@pytest.mark.parametrize(
    "name",
    ["RBP(p={})", "iP@{}", "P@{}", "char_recall@{}c", "span_F1@{}", "bin_AP(length={})", "nxCG(alpha={})@10"],
)
def test_names_of_measures_hold_plain_numbers(name, text):
    with pytest.raises(InputError) as refused:
        parse_specs(name.format(text), MEASURES)
    assert text in refused.value.problems[0].found and "unknown" not in refused.value.problems[0].found


@pytest.mark.parametrize("text", SPELLED)
def test_options_hold_plain_numbers(text, capsys):
    """Options that are an integer, a number or several numbers, and one with its own reader."""
    for option in ("--size", "--coverage"):
        values = [text] * (4 if option == "--coverage" else 1)
        with pytest.raises(SystemExit) as ended:
            cli.main(["score", "--gold", "g", "--run", "r", "--measure", "AiP", option, *values])
        assert ended.value.code == 2
        assert f"argument {option}" in capsys.readouterr().err
    for option in ("--resamples", "--seed", "--alpha"):
        with pytest.raises(SystemExit) as ended:
            cli.main(["compare", "--gold", "g", "--run", "r", "--measure", "AiP", option, text])
        assert ended.value.code == 2
        assert f"argument {option}" in capsys.readouterr().err
    with pytest.raises(InputError, match="max_drop"):
        limit_of(text, ["AiP"])


@pytest.mark.parametrize("text", [text for text in ODD if text.split() == [text]])
def test_the_limit_of_the_environment_is_a_plain_number(text, monkeypatch):
    monkeypatch.setenv("FOCUSEVAL_LIMITS", text)
    with pytest.raises(InputError, match="FOCUSEVAL_LIMITS"):
        focuseval.files.limit(1)


POINTS = [
    *(
        "text()[0].0",
        "text()[-1].0",
        "text()[1].-2",
        "text()[1_0].0",
        "text()[٣].0",
        "text()[1].1_0",
        "text()[1].1e1",
    ),
    *(
        "text()[1]].0",
        "text()[].0",
        "text()[1]0",
        "text()1.0",
        "text().",
        "text()[1].0.0",
        "text()[1].1234567890",
    ),
]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("which", ["start", "end", "path"])
def test_points_of_a_text_hold_plain_numbers(which, point, tmp_path):
    """A bad start, end or best entry point is a problem of its line; Python would count it from the end."""
    good = dict.fromkeys(("start", "end", "path"), "/article[1]/p[1]/text()[1].1")
    of = good | {which: f"/article[1]/p[1]/{point}"}
    (tmp_path / "g.xml").write_text(
        '<assessments pool="1" topic="q"><file collection="x" name="a">\n'
        f'<best-entry-point path="{of["path"]}"/>\n<passage start="{of["start"]}" end="{of["end"]}" size="1"/>\n'
        "</file></assessments>",
        encoding="utf-8",
    )
    with pytest.raises(InputError) as refused:
        read_assessments(tmp_path / "g.xml")
    [problem] = refused.value.problems
    assert problem.where == ("line 2" if which == "path" else "line 3")
    assert point in problem.found and "text()[1].25" in problem.expected


def test_points_of_a_text_are_found(tmp_path):
    """``aaaa<b>xx</b>bbbb``: the second piece of p starts at 6; other points are the element's start."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.xml").write_text("<article><p>aaaa<b>xx</b>bbbb</p><p>cccc</p></article>")

    def value(start, end, size, points):
        (tmp_path / "g.xml").write_text(
            '<assessments pool="1" topic="q"><file collection="x" name="a">'
            f'<passage start="/article[1]/{start}" end="/article[1]/{end}" size="{size}"/></file></assessments>'
        )
        run = {"r": [{"topic": "q", "document": "a", "start": points[0], "end": points[1]}]}
        scores = focuseval.score(
            "char_recall", assessments=tmp_path / "g.xml", runs=run, collection=tmp_path / "docs"
        )
        return float(scores.value[0])

    assert value("p[1]/text()[2].0", "p[1]/text()[2].2", 2, (6, 8)) == 1
    assert value("p[1]/text().1", "p[1]/text().3", 2, (1, 2)) == 0.5
    assert value("p[2]", "p[2]/text()[1].4", 4, (10, 14)) == 1


@pytest.mark.parametrize("path", ["/article[٣]", "/article[1_0]", "/article[-1]", "/article[１]"])
def test_paths_hold_plain_numbers(path, tmp_path):
    (tmp_path / "g.tsv").write_text(
        f"topic\tdocument\tpath\texhaustivity\tspecificity\nq\ta\t{path}\t2\t1.0\n", encoding="utf-8"
    )
    with pytest.raises(InputError, match="line 2: the path is"):
        read_assessments(tmp_path / "g.tsv")


@pytest.mark.parametrize("number", ["٥", "1_0", "１０", ""])
def test_identifiers_hold_plain_numbers(number):
    """Identifiers hold plain numbers even if the pattern accepts other digits or none."""
    pattern = r"(?P<document>[^-]+)-(?P<start>\w*)-(?P<end>\w*)"
    with pytest.raises(InputError, match="the identifier .* is unknown"):
        focuseval.score(
            "char_recall", gold={"q": {"a-0-10": 1}}, runs={"r": {"q": {f"a-{number}-20": 1.0}}}, ids=pattern
        )


@pytest.mark.parametrize("number", ['"1_0"', '"٣"', "1e999", '"10"'])
def test_numbers_of_json_lines_are_numbers(number, tmp_path):
    (tmp_path / "g.jsonl").write_text(
        f'{{"topic": "q", "document": "a", "start": 0, "end": {number}}}\n', encoding="utf-8"
    )
    with pytest.raises(InputError, match="line 1"):
        read_assessments(tmp_path / "g.jsonl")
