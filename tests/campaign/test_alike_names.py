"""How paths without positions, and topics with other leading zeros or case, are read and counted."""

import pytest

import focuseval
from focuseval.cli import main
from focuseval.errors import InputWarning


@pytest.mark.parametrize("whole", [True, False])
def test_paths_without_positions_are_counted_where_siblings_have_the_tag(whole, tmp_path):
    """``/article/sec/p``: a has two sections, b one with two paragraphs, c no repeated tag."""
    (tmp_path / "docs").mkdir()
    for name, inside in (
        ("a", "<sec><p>x</p></sec><sec><p>y</p></sec>"),
        ("b", "<sec><p>x</p><p>y</p></sec>"),
        ("c", "<sec><p>x</p></sec>"),
    ):
        (tmp_path / "docs" / f"{name}.xml").write_text(f"<article>{inside}</article>")
    gold = "".join(f"1\t{d}\t/article[1]/sec[1]\t2\t1.0\n" for d in "abc")
    (tmp_path / "g.tsv").write_text(f"topic\tdocument\tpath\texhaustivity\tspecificity\n{gold}")
    written = "/article[1]/sec[1]/p[1]" if whole else "/article/sec/p"
    lines = [f"1 Q0 {d} {rank} {9 - rank} r {written}\n" for rank, d in enumerate("abc", 1)]
    lines.append("1 Q0 a 4 1 r /article[1]/sec\n")
    (tmp_path / "run").write_text("".join(lines))
    with pytest.warns(InputWarning) as warned:
        focuseval.score(
            "MAep", assessments=tmp_path / "g.tsv", runs=tmp_path / "run", collection=tmp_path / "docs"
        )
    messages = [str(one.message) for one in warned if "several siblings" in str(one.message)]
    assert messages == [
        f"run r: {'1 result has an XPath that does' if whole else '3 results have XPaths that do'} not say which of "
        "several siblings is meant; the first sibling is used, as with [1]"
    ]


def test_topics_with_other_zeros_or_case_are_named(tmp_path):
    gold = [
        {"topic": topic, "document": "d", "start": 0, "end": 9} for topic in ("1", "q2", "10", "100", "x")
    ]
    run = [
        {**one, "topic": topic} for one, topic in zip(gold, ("001", "Q02", "10", "1000", "y"), strict=True)
    ]
    with pytest.warns(InputWarning) as warned:
        scores = focuseval.score("char_recall", gold=gold, runs={"r": run})
    assert scores.value[0] == 1 / 5
    messages = [str(one.message) for one in warned if "have no results" in str(one.message)]
    assert messages == [
        "run r: 4 assessed topics have no results (1, q2, 100, x); the run has 2 of them with other leading zeros or other "
        "case, such as 001 for 1"
    ]


def test_like_trec_eval_prints_its_default_measures(tmp_path, capsys):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 b 1 9 r\n1 Q0 a 2 8 r\n")
    files = ["--gold", str(tmp_path / "qrels"), "--run", str(tmp_path / "run")]
    assert main(["score", "--like", "trec_eval", *files]) == 0
    printed = capsys.readouterr()
    names = [line.split("\t")[0].strip() for line in printed.out.splitlines()]
    assert names[:7] == ["num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "bpref", "recip_rank"]
    assert names[7:] == [f"P_{rank}" for rank in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    assert "except runid, num_q, gm_map and iprec_at_recall" in printed.err
    assert main(["score", *files]) == 2
