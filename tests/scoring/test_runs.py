"""Runs are read and scored one by one, in processes or not, with the same outcome as all at once."""

import gc
import json
import random
import re
import sys
import weakref
from concurrent.futures import BrokenExecutor
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pandas as pd
import pytest

from focuseval import MEASURES
from focuseval.api import read_campaign, score_campaign
from focuseval.campaign.assembly import SharedInputs
from focuseval.campaign.notices import lines
from focuseval.campaign.settings import Inputs
from focuseval.cli import main
from focuseval.errors import InputError
from focuseval.formats.parsed import NotInBlocks
from focuseval.formats.readers import distinct_names, read_blocks, read_runs
from focuseval.measures import parse_specs
from focuseval.model.results import Ranking
from focuseval.scoring import runs as module
from focuseval.scoring.runs import score_runs
from tests.folders import write_files

DOCUMENTS = {f"d{i}.md": " ".join(f"w{i}{k % 7}" for k in range(40)) for i in range(6)}
XML = "<article><sec>ab<p>cde</p>fg</sec><sec>hij<p>kl</p></sec></article>"
PATHS = ["/article[1]", "/article[1]/sec[1]", "/article[1]/sec[1]/p[1]", "/article[1]/sec[2]"]


def spans(draw):
    start = draw.randrange(80)
    return start, start + draw.randrange(1, 60)


def chunks(draw):
    """Draw gold spans and runs as JSON lines, with repeated results, other topics and other documents."""

    def lines(topics, count):
        return [
            {"topic": topic, "document": document, "start": start, "end": end}
            for topic in topics
            for document in draw.choices(list(DOCUMENTS), k=count)
            for start, end in [spans(draw)]
        ]

    gold = lines(["a", "b", "c", "e"], 3)
    files = {"gold": "".join(json.dumps(line) + "\n" for line in gold)}
    for run in range(7):
        results = lines(draw.sample(["a", "b", "c", "e", "x", "y"], 4), 6)
        results += draw.sample(results, 3)
        scored = [{**line, "score": draw.randrange(9), "run": f"r{run}"} for line in results]
        files[f"runs/{run}.jsonl"] = "".join(json.dumps(line) + "\n" for line in scored)
    return files


def passages(draw):
    """Draw FOL qrels and passages: equal tags of runs, rising scores, falling ranks, bad lines, lost passages."""
    gold = "".join(f"{t} Q0 {d} 10 {len(DOCUMENTS[d])} 5 5:10\n" for t in "abc" for d in [*DOCUMENTS][:3])
    files = {"gold": gold}
    for run in range(7):
        name = f"{'one' if run % 2 else 'two'}/{run % 4}"
        rows = []
        for topic in draw.sample("abcxy", 4):
            for rank, document in enumerate(draw.choices([*DOCUMENTS], k=5), 1):
                start, end = spans(draw)
                rank, score = (6 - rank, rank) if draw.random() < 0.1 else (rank, 9 - rank)
                length = draw.choice([end - start, 0, 10_000]) if draw.random() < 0.1 else end - start
                rows.append(f"{topic} Q0 {document} {rank} {score} r{run % 3} {start} {length}\n")
        if run % 3 == 1:
            rows.append("a Q0 d0.md first 1 r 0 1\n")
        files[f"runs/{name}-{run}"] = "".join(rows)
    return files


def elements(draw):
    """Draw graded elements of XML and runs with XPaths."""
    head = "topic\tdocument\tpath\texhaustivity\tspecificity\n"
    judged = "".join(
        f"{t}\tan/a{i}\t{path}\t2\t{draw.choice([0.5, 1])}\n"
        for t in "abc"
        for i in range(4)
        for path in draw.sample(PATHS, 2)
    )
    files = {"gold": head + judged}
    for run in range(5):
        rows = [
            f"{topic} Q0 an/a{document} {rank} {9 - rank} r{run} {draw.choice(PATHS)}\n"
            for topic in "abc"
            for rank, document in enumerate(draw.sample(range(6), 4), 1)
        ]
        files[f"runs/r{run}"] = "".join(rows)
    return files


def documents(draw):
    """Draw TREC qrels and runs of whole documents, many of which are unjudged."""
    files = {"gold": "".join(f"{t} 0 d{i} {draw.randrange(3)}\n" for t in "abc" for i in range(0, 40, 4))}
    for run in range(5):
        rows = [
            f"{topic} Q0 d{document} {rank} {99 - rank} r{run}\n"
            for topic in draw.sample("abcx", 3)
            for rank, document in enumerate(draw.sample(range(60), 20), 1)
        ]
        files[f"runs/r{run}"] = "".join(rows)
    return files


#: a drawn campaign, its collection, and the options of scoring
CASES = [
    (chunks, {}, "--rank-by score"),
    (chunks, DOCUMENTS, "--rank-by score --per-topic --topics run"),
    (chunks, DOCUMENTS, "--size 4 --rank-by order"),
    (passages, {}, "--lenient --per-topic"),
    (passages, DOCUMENTS, "--lenient --equal-scores-tie"),
    (elements, {f"an/a{i}.xml": XML for i in range(6)}, "--scale inex2005 --per-topic"),
    (documents, {}, "--per-topic"),
    (documents, {}, "--topics run --format json"),
]


@pytest.fixture
def forked(tmp_path, monkeypatch):
    """Return the list of the numbers of runs that each call gives to processes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "_LEAST", 1)
    monkeypatch.setattr(module, "forks", lambda: True)  # even if other tests left threads
    counts = []
    in_forks = module.in_forks

    def counting(work, tasks, processes):
        counts.append(len(tasks))
        return in_forks(work, tasks, processes)

    monkeypatch.setattr(module, "in_forks", counting)
    return counts


def outcome(command, processes, monkeypatch, capsys):
    monkeypatch.setattr(module, "processors", lambda: processes)
    for left in ("saved", "all"):
        Path(left).unlink(missing_ok=True)
    status = main(command.split())
    kept = [Path(name).read_bytes() if Path(name).exists() else None for name in ("saved", "all")]
    return status, *capsys.readouterr(), *kept


def folders_of(runs):
    """Return the folders that hold files of runs: folders in a folder are given by themselves."""
    return sorted({path.parent for path in runs.rglob("*") if path.is_file()})


needs_forks = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


@needs_forks
@pytest.mark.parametrize(
    "case", CASES[1::2], ids=lambda case: f"{case[0].__name__}{case[2].replace(' --', '-')}"
)
def test_processes_change_nothing(case, forked, monkeypatch, capsys):
    draw, collection, more = case
    write_files(Path(), draw(random.Random(2006)))
    write_files(Path(), {f"documents/{name}": text for name, text in collection.items()})
    inputs = "--assessments gold " + ("--collection documents " if collection else "")
    runs = " ".join(f"--run {folder}" for folder in folders_of(Path("runs")))
    score = f"score {inputs} {runs} {more} {_of(_measure_options()[::3])} --format tsv --save saved --problems all"
    one = outcome(score, 1, monkeypatch, capsys)
    assert one[0] == 1 and one[3] and one[4] and not forked  # some measures are refused
    assert len({line.split("\t")[2] for line in str(one[1]).splitlines()[1:]}) > 5
    assert outcome(score, 3, monkeypatch, capsys) == one
    files = " ".join(str(path) for path in sorted(Path("runs").rglob("*")) if path.is_file())
    reading = " ".join(re.findall("--(?:lenient|equal-scores-tie|scale \\S+|rank-by \\S+|size \\S+)", more))
    scored_ones = list(dict.fromkeys(line.split("\t")[2] for line in str(one[1]).splitlines()[1:]))
    scored_ones = [name for name in scored_ones if "Num" not in name]  # counts have no t-test
    compare = f"compare {files} {inputs} {reading} {_of(scored_ones[-3:])} --test t-test"
    one = outcome(compare, 1, monkeypatch, capsys)
    assert one[0] == 0 and outcome(compare, 2, monkeypatch, capsys) == one
    assert len(forked) == 2


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].__name__}{case[2].replace(' --', '-')}")
def test_blocks_change_nothing(case, tmp_path, monkeypatch, capsys):
    draw, collection, more = case
    monkeypatch.chdir(tmp_path)
    write_files(Path(), draw(random.Random(2007)))
    write_files(Path(), {f"documents/{name}": text for name, text in collection.items()})
    inputs = "--assessments gold " + ("--collection documents " if collection else "")
    runs = " ".join(f"--run {folder}" for folder in folders_of(Path("runs")))
    command = f"score {inputs} {runs} {more} {_of(_measure_options()[1::8])} --format tsv --problems all"
    whole = outcome(command, 1, monkeypatch, capsys)
    blocks = []
    put = SharedInputs.campaign_of
    monkeypatch.setattr(
        SharedInputs, "campaign_of", lambda self, runs, *more: blocks.extend(runs) or put(self, runs, *more)
    )
    monkeypatch.setattr(module, "_BLOCK", 1)
    monkeypatch.setattr("focuseval.formats.lines._PIECE", 300)
    assert outcome(command, 1, monkeypatch, capsys) == whole
    assert len(blocks) > len(list(Path("runs").rglob("*")))


def test_refused_results_of_topics_without_judgements_count_in_every_block(tmp_path, monkeypatch):
    (tmp_path / "gold").write_text("7 Q0 d 5 10 0 0:5\n")
    (tmp_path / "run").write_text("".join(f"{topic} Q0 x{topic} 1 9 r\n" for topic in range(8)))
    monkeypatch.setattr("focuseval.formats.lines._PIECE", 30)
    for rows in (1 << 18, 1):
        monkeypatch.setattr(module, "_BLOCK", rows)
        with pytest.raises(InputError, match="the size of the element or document is unknown for 8 results"):
            score_runs("char_recall", tmp_path / "run", Inputs(assessments=tmp_path / "gold"))


@pytest.mark.parametrize("line", ["1 Q0 e 2 8 r", "77 Q0 d 1 9 other", "77 Q0 d 1 9 r 0 5"])
def test_runs_that_are_not_in_blocks_are_read_as_a_whole(line, tmp_path, monkeypatch):
    """In these runs a topic occurs again, or the name or the form changes."""
    monkeypatch.setattr("focuseval.formats.lines._PIECE", 30)
    topics = [f"{topic} Q0 d 1 9 r\n" for topic in range(20)]
    (tmp_path / "run").write_text("".join(topics) + f"{line}\n" * 9)
    with pytest.raises(NotInBlocks):
        whole = None
        for run, _ in read_blocks(tmp_path / "run", Ranking(), lenient=True, rows=1):
            whole = run if whole is None else whole.with_block(run)


@pytest.mark.parametrize("case", CASES[::2], ids=lambda case: case[0].__name__)
def test_one_by_one_is_all_together(case, tmp_path):
    draw, collection, more = case
    write_files(tmp_path, draw(random.Random(7)))
    write_files(tmp_path, {f"documents/{name}": text for name, text in collection.items()})
    inputs = {"assessments": tmp_path / "gold", "collection": tmp_path / "documents" if collection else None}
    inputs |= {"lenient": True, "scale": "inex2005" if "scale" in more else None}
    measures = _measure_options()[2::4]
    runs = folders_of(tmp_path / "runs")
    apart = score_runs(measures, runs, Inputs(**inputs))
    campaign = read_campaign(runs=runs, **inputs)
    together = score_campaign(campaign, measures, lenient=True)
    pd.testing.assert_frame_equal(apart.per_topic, together.per_topic)
    assert apart.refused == together.refused and apart.in_files == campaign.in_files
    assert lines(apart.notices) == lines([*campaign.notices, *together.notices])


def _of(measures):
    return " ".join(f"--measure {name}" for name in measures)


def _measure_options():
    """Return options for measures with and without cut-offs, except those of texts, which are scored together."""
    cuts = {"rank": "@3", "characters": "@200c", "level": "@0.1", "share": "@0.5"}
    names = [
        f"{name}{cut}"
        for name, measure in MEASURES.items()
        for cut in ["", *(cuts.get(cutoff.kind.name, "") for cutoff in measure.cutoffs)]
        if cut or measure.value is not None
    ]
    return [name for name in dict.fromkeys(names) if "texts" not in parse_specs(name, MEASURES)[0].needs]


@needs_forks
@pytest.mark.parametrize(
    ("files", "more"),
    [
        pytest.param({"runs/s": "1 Q0 d 1 9 s /a[1]\n"}, "--measure RR", id="paths are all that is known"),
        pytest.param({"runs/s": "2 Q0 d 1 9 s\n"}, "--measure RR", id="no topic of a run is assessed"),
        pytest.param({"runs/s": "1 Q0 d\n"}, "--measure RR", id="a bad line"),
        pytest.param({"runs/s": "1 Q0 d\n"}, "--measure RR --lenient", id="no good line"),
        pytest.param({"gold": "1 0 d\n"}, "--measure RR", id="bad assessments"),
        pytest.param({}, "--measure AiP --measure RR", id="a measure that is refused"),
        pytest.param({}, "--measure nDGC", id="no measure"),
        pytest.param({}, "--measure RR --run nowhere", id="no file"),
        pytest.param({}, "--measure RR --unit words", id="no text for the unit"),
        pytest.param(
            {"runs/s": "1 Q0 d\n", "documents/d.xml": "<a>"},
            "--measure RR --collection documents",
            id="bad documents and a bad line",
        ),
    ],
)
def test_refusals_are_reported_of_all_runs(files, more, forked, monkeypatch, capsys):
    runs = {f"runs/{name}": f"1 Q0 d 1 9 {name}\n" for name in "abr"}
    write_files(Path(), {"gold": "1 0 d 1\n", **runs, **files})
    command = f"score --assessments gold --run runs {more}"
    one = outcome(command, 1, monkeypatch, capsys)
    assert outcome(command, 2, monkeypatch, capsys) == one
    assert one[0] == {"--measure AiP --measure RR": 1}.get(
        more, 0 if "/a[1]" in files.get("runs/s", "") else 2
    )


@needs_forks
def test_misplaced_texts_are_reported_first(forked, monkeypatch, capsys):
    line = {"topic": "q", "document": "d0.md", "start": 0, "end": 3}
    runs = {f"runs/{name}.jsonl": json.dumps({**line, "score": 1, "text": "no"}) for name in "abc"}
    write_files(Path(), {**runs, "gold.jsonl": json.dumps(line), "documents/d0.md": DOCUMENTS["d0.md"]})
    command = "score --assessments gold.jsonl --run runs --collection documents --measure AiP"
    whole = outcome(command, 1, monkeypatch, capsys)
    assert outcome(command, 2, monkeypatch, capsys) == whole
    assert "not at its offsets" in str(whole[2])


ENTRY = '<best-entry-point path="/article[1]"/>'
ELEMENT = '<element path="/article[1]" exhaustivity="2" size="10" rsize="5"/>'


@needs_forks
@pytest.mark.parametrize("more", ["", "--lenient"])
def test_documents_that_have_entry_points_alone_may_be_many(more, forked, monkeypatch, capsys):
    def judged(*inside):
        files = "".join(f'<file collection="c" name="q{i}">{of}</file>' for i, of in enumerate(inside))
        return f'<assessments pool="1" topic="1">{files}</assessments>'

    runs = {f"runs/{run}": f"1 Q0 q{run} 1 9 r\n1 Q0 x 2 8 r\n" for run in range(4)}
    for gold in (judged(*[ENTRY] * 30), judged(ELEMENT, *[ENTRY] * 30)):
        write_files(Path(), {"gold.xml": gold, **runs})
        command = f"score --assessments gold.xml --run runs --measure MAP {more}"
        assert outcome(command, 2, monkeypatch, capsys) == outcome(command, 1, monkeypatch, capsys)


@needs_forks
def test_texts_of_standard_input_are_compared(forked, monkeypatch, capsys):
    line = {"topic": "q", "document": "d0.md", "start": 0, "end": 3}
    runs = {f"runs/{name}.jsonl": json.dumps({**line, "score": 1}) for name in "abc"}
    write_files(Path(), {**runs, "documents/d0.md": DOCUMENTS["d0.md"]})
    command = "score --assessments - --run runs --collection documents --measure AiP"
    outcomes = []
    for processes in (1, 2):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(json.dumps({**line, "text": "no"}).encode())))
        outcomes.append(outcome(command, processes, monkeypatch, capsys))
    assert outcomes[0] == outcomes[1] and "not at its offsets" in str(outcomes[0][2])


@needs_forks
@pytest.mark.parametrize("reason", [OSError("no semaphores"), BrokenExecutor("a process was killed")])
def test_where_processes_fail_one_does_all(reason, forked, monkeypatch, capsys):
    def failing(*_):
        raise reason
        yield

    write_files(Path(), {"gold": "1 0 d 1\n", **{f"runs/{name}": f"1 Q0 d 1 9 {name}\n" for name in "abr"}})
    command = "score --assessments gold --run runs --measure RR"
    whole = outcome(command, 1, monkeypatch, capsys)
    monkeypatch.setattr(module, "in_forks", failing)
    assert outcome(command, 2, monkeypatch, capsys) == whole and whole[0] == 0


def test_small_files_and_streams_need_no_processes(tmp_path, monkeypatch):
    for name in ("forks", "is_ours"):
        monkeypatch.setattr(module, name, lambda: True)
    monkeypatch.setattr(module, "processors", lambda: 2)
    write_files(tmp_path, {name: "1 Q0 d 1 9 r\n" for name in "abc"})
    files = [tmp_path / name for name in "abc"]
    assert module._workers(files) == 1
    monkeypatch.setattr(module, "_LEAST", 1)
    assert module._workers(files) == 2
    monkeypatch.setattr(module, "processors", lambda: 9)
    assert (module._workers(files), module._workers([*files, Path("-")])) == (3, 1)
    monkeypatch.setattr(module, "is_ours", lambda: False)
    assert module._workers(files) == 1


def test_runs_of_one_name_are_called_as_if_they_were_read_together(tmp_path):
    tags = {"one/x": "t", "two/x": "t", "x": "u", "y": "t", "z": "z", "z.gz": "w"}
    write_files(tmp_path, {name: f"1 Q0 d 1 9 {tag}\n" for name, tag in tags.items() if name != "z.gz"})
    runs, _ = read_runs(folders_of(tmp_path))
    assert {run.name: run.own_name for run in runs} == {
        "one/x": "t",
        "two/x": "t",
        "y": "t",
        "u": "",
        "z": "",
    }
    own = [run.own_name or run.name for run in runs]
    called = distinct_names(own, [run.source for run in runs])
    assert called == [(run.name, run.own_name) for run in runs]


def test_runs_differ_whatever_they_are_called():
    names, sources = ["T", "T", "a", "c", "runs/c"], [f"runs/{name}" for name in "abcde"]
    called = distinct_names(names, sources)
    assert called == list(zip(["a", "b", "runs/c", "runs/d", "runs/e"], names, strict=True))


def test_other_runs_do_not_change_a_run(tmp_path):
    """Without a collection, two runs may have different trees of a document that is not judged."""
    head = "topic\tdocument\tpath\texhaustivity\tspecificity\n"
    write_files(tmp_path, {"gold": f"{head}1\td\t/article[1]/p[1]\t2\t1\n"})
    trees = {"a": "/article[1]/p[1]", "b": "/book[1]/p[1]"}
    for run, path in trees.items():
        lines = f"1 Q0 x 1 9 {run} {path}\n1 Q0 d 2 8 {run} /article[1]/p[1]\n"
        write_files(tmp_path, {f"runs/{run}": lines})
    inputs = Inputs(assessments=tmp_path / "gold", scale="inex2005")
    both = score_runs("nxCG(overlap=off)@2", tmp_path / "runs", inputs).means().set_index("run")["value"]
    alone = [
        score_runs("nxCG(overlap=off)@2", tmp_path / "runs" / run, inputs).means()["value"][0] for run in "ab"
    ]
    assert both.tolist() == alone and alone[0] > 0


def test_a_run_is_freed_before_the_next_one(tmp_path, monkeypatch):
    files = {f"{run}.run": f"1 Q0 d{run} 1 2.0 r{run}\n1 Q0 a 2 1.0 r{run}\n" for run in range(3)}
    write_files(tmp_path, {"gold": "1 0 a 1\n", **files})
    scorers = []

    class CountedScorer(module.Scorer):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            assert sum(ref() is not None for ref in scorers) < 2
            scorers.append(weakref.ref(self))

    monkeypatch.setattr(module, "Scorer", CountedScorer)
    gc.disable()
    try:
        score_runs("MAP", [tmp_path / name for name in files], Inputs(assessments=[tmp_path / "gold"]))
    finally:
        gc.enable()
    assert [ref() for ref in scorers] == [None] * 3
