"""Hostile input: good files of every format, ways to damage them, and the limits that a reader must keep.

A reader gives a result or an InputError that names the file. It opens no file that was not named, no
connection and no program, ends in time, and keeps to a bound of memory.
"""

import gzip
import io
import os
import random
import resource
import signal
import sys
import tarfile
import time
import zipfile
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from focuseval.campaign.collection_read import collection_from_source
from focuseval.compat.prop import read_prop
from focuseval.errors import InputError
from focuseval.formats.checking import check
from focuseval.formats.detect import ASSESSMENTS as ASSESSMENTS_BY_NAME
from focuseval.formats.detect import RUNS as RUNS_BY_NAME
from focuseval.formats.inex import read_topics
from focuseval.formats.readers import read_assessments, read_runs
from focuseval.formats.xml_elements import parse_document
from focuseval.measures.navigation import read_clicks, read_table
from focuseval.measures.structural import read_pairs, read_transitions
from focuseval.measures.structural_summary import summarise
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.settings import validated
from focuseval_papers.workflow.store import load_collection
from focuseval_papers.workflow.yaml_files import read_yaml

from .compat.test_prop import PRINTED as PROP
from .formats.samples import ASSESSMENTS, CHUNKS, FOL, RUNS, TOPICS, good

ROOT = Path(__file__).parents[1]

#: seconds of CPU time that a reader may take for an input of a few kilobytes
SECONDS = 10

ARTICLE = (
    b'<?xml version="1.0"?><!DOCTYPE article SYSTEM "article.dtd" [<!ENTITY a "text">]>\n'
    b'<article xmlns:x="u:1"><bdy><sec x:n="1">One &a; &eacute;<p>two</p><![CDATA[<three>]]></sec>'
    b"<sec><!-- four --><p>five &lt; <it>six</it></p></sec></bdy></article>"
)
HTML = b"<!doctype html><html><head><title>T</title></head><body><h1>One</h1><p>Two <b>three</b><ul><li>4</ul></body>"
TABLE = b"document\tfrom\tto\tprobability\na\t/article[1]/bdy[1]\t/article[1]\t0.5\na\t/article[1]\t/article[1]/bdy[1]\t1\n"
CLICKS = (
    b"session\tdocument\tpath\n1\ta\t/article[1]\n1\ta\t/article[1]/bdy[1]\n2\ta\t/article[1]/bdy[1]/sec[2]\n"
)
TRANSITIONS = b"source\ttarget\tweight\n/article\t/article/bdy\t2\n/article/bdy\t/article\t0.5\n"
YAML = b"title: Mine\nname: mine\nconcept_space: {size: tiny}\nbaselines: {systems: 3, results: 10}\ncoverage: [0, 1, 2, 3]\n"

#: content of hostile files
PIECES = [
    *(b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b" ", b"\x1a", b"\x85", b"\xe2\x80\xa8"),
    *(b"-1", b"0", b"1e400", b"nan", b"inf", b"99999999999999999999", b"0x10", b"1_0", "٣".encode(), b"2147483648"),
    *(b"<", b">", b"</", b"/>", b"<a>", b"&", b"&lt;", b"&#0;", b"&#x110000;", b"&x;", b"]]>", b"<![CDATA[", b"<!--"),
    *(b'"', b"'", b"{", b"}", b"[", b"]", b":", b",", b"\\", b"|", b"#", b"- ", b"&a *a", b"!!python/object:os.system"),
    *(b"/article[1]", b"/article[0]", b"[99999999999]", b"/..", b"../", b"//", b"a" * 300, b"[" * 3000, b"<a>" * 3000),
    b'<!DOCTYPE r [<!ENTITY s SYSTEM "SECRET">]>',
    b'<!DOCTYPE r SYSTEM "SECRET">',
    b'<!DOCTYPE r [<!ENTITY % s SYSTEM "SECRET"> %s;]>',
    b'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="SECRET"/>',
    b'<?xml-stylesheet href="http://192.0.2.1/"?>',
    b'<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>',
    b"&c;&b;&a;",
]  # fmt: skip


def _zip(members, **changes):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            member = zipfile.ZipInfo(name)
            for key, value in changes.items():
                setattr(member, key, value)
            archive.writestr(member, content)
    return out.getvalue()


def _tar(members, kind=tarfile.REGTYPE):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.type, member.size, member.linkname = kind, len(content), "SECRET"
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


_MEMBERS = {"a.xml": ARTICLE, "b/c.xml": b"<article><p>x</p></article>", "read.me": b"no document"}
_OUTSIDE = {"../a.xml": ARTICLE, "/tmp/a.xml": ARTICLE, "b/../../c.xml": ARTICLE, "C:\\a.xml": ARTICLE}
ARCHIVES = [
    _zip(_MEMBERS),
    _tar(_MEMBERS),
    gzip.compress(_tar(_MEMBERS), mtime=0),
    _zip(_OUTSIDE),
    _tar(_OUTSIDE),
    _zip(_MEMBERS, external_attr=0o120777 << 16),
    *(_tar({"a.xml": b""}, kind) for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE)),
    _zip({"a.xml": b"<a>" + b" " * 10**7 + b"</a>"}),
]  # fmt: skip


def _artefact():
    out = io.BytesIO()
    rows = pd.DataFrame({"topic": ["1"] * 3, "document": 0, "start": [0, 3, 6], "end": [2, 5, 9]})
    with TemporaryDirectory() as folder:
        schema.write(rows, schema.PASSAGES, Path(folder, "p.parquet"))
        out.write(Path(folder, "p.parquet").read_bytes())
    return out.getvalue()


def _collection():
    with TemporaryDirectory() as folder:
        Path(folder, "a.xml").write_bytes(ARTICLE)
        build_collection(folder, Path(folder, "elements"))
        return load_collection(Path(folder, "elements"))


def _texts(suffix):
    def read(path):
        folder = path.with_name("texts")
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        path.rename(folder / f"a{suffix}")
        return collection_from_source(folder)

    return read


def _configuration(path):
    validated(CampaignSettings, read_yaml(path), str(path))


def readers():
    """Return every reader with good files of its formats."""
    collection = _collection()
    summary = summarise(collection, "p*")
    encoded, runs = ([text.encode() for text in good] for good in (ASSESSMENTS, RUNS))
    topics = [text.encode() for text in (*TOPICS, f"<?style x?><!-- y -->{TOPICS[0]}")]

    def built(path):
        with TemporaryDirectory(dir=path.parent) as out:
            build_collection(path, out)
            return load_collection(out)

    return {
        "document": (lambda path: parse_document(path.read_bytes(), str(path)), [ARTICLE]),
        "collection": (built, ARCHIVES),
        "markdown": (_texts(".md"), [good("guide.md").encode()]),
        "plain text": (_texts(".txt"), [good("guide.md").encode()]),
        "html": (_texts(".html"), [HTML]),
        "assessments": (lambda path: read_assessments(path), encoded),
        "runs": (lambda path: read_runs(path), runs),
        "runs, lenient": (lambda path: read_runs(path, lenient=True), runs),
        "topics": (lambda path: read_topics(path), topics),
        "check": (lambda path: check(path), [*encoded, *runs, *topics, ARTICLE, *ARCHIVES]),
        "tasks (.prop)": (read_prop, [PROP.encode()]),
        "navigation pairs": (
            lambda path: _uncached(read_table, path, collection) and read_pairs(str(path), collection),
            [TABLE],
        ),
        "navigation table": (lambda path: _uncached(read_table, path, collection), [TABLE]),
        "click log": (lambda path: _uncached(read_clicks, path, collection), [CLICKS]),
        "transitions": (lambda path: read_transitions(str(path), summary), [TRANSITIONS]),
        "artefact": (lambda path: schema.read(path, schema.PASSAGES), [_artefact()]),
        "configuration": (_configuration, [YAML]),
        **{
            f"assessments as {name}": (_as_format(read_assessments, name), encoded)
            for name in ASSESSMENTS_BY_NAME
        },
        **{f"runs as {name}": (_as_format(read_runs, name), runs) for name in RUNS_BY_NAME},
    }


def _as_format(reader, name):
    """Return a reader that takes every file as one format, though most of its files have another."""
    return lambda path: reader(path, format=name)


def _uncached(reader, path, collection):
    return reader(str(path), collection)


def spoilt(rng, data, other, secret):
    """Return a good file with some stretches cut out, repeated, replaced, or taken from other files."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 5))):
        at = rng.randint(0, len(data))
        end = min(len(data), at + rng.choice((0, 0, 1, 2, 8, 40, 400)))
        begin = rng.randint(0, len(other))
        instead = rng.choice(
            (
                rng.choice(PIECES),
                rng.choice(PIECES),
                data[at:end] * rng.choice((0, 2, 50)),
                other[begin : begin + rng.choice((1, 20, 200))],
                rng.randbytes(rng.choice((1, 2, 4))),
                bytes([data[at] ^ 1 << rng.randint(0, 7)]) if at < len(data) else b"",
            )
        )
        data = data[:at] + instead + data[max(at, end) :]
    return data.replace(b"SECRET", secret)[: 1 << 20]


def long_files(good):
    """Yield a megabyte of every hostile piece, alone and inside a good file; readers must take linear time."""
    for piece in PIECES:
        many = piece * ((1 << 20) // len(piece))
        yield many
        yield good[: len(good) // 2] + many + good[len(good) // 2 :]


class Violation(AssertionError):
    """An action that no reader may take."""


_watched = []
_broken = []


def _watch(event, arguments):
    """Note connections, programs, and files outside the folder of the input and Python's own."""
    if not _watched:
        return
    if event.startswith(
        ("socket.", "urllib.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork")
    ):
        _broken.append(event)
    elif event == "open" and isinstance(arguments[0], str | bytes):
        path = os.path.abspath(os.fsdecode(arguments[0]))
        own = (
            str(_watched[0]),
            sys.prefix,
            sys.base_prefix,
            str(ROOT),
            "/usr/share/zoneinfo",
            "/proc/",
            "/sys/",
        )
        if not path.startswith(own) and "__pycache__" not in path:
            _broken.append(f"open {path}")


@contextmanager
def within_bounds(folder, seconds, gigabytes=2):
    """Raise Violation for a forbidden action or too much time, and MemoryError beyond a bound of memory."""
    if not getattr(sys, "_watching_readers", False):
        sys.addaudithook(_watch)
        sys._watching_readers = True

    def out_of_time(*_):
        raise Violation(f"more than {seconds} s of CPU time, or ten times as long without")

    before = resource.getrlimit(resource.RLIMIT_AS)
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    clocks = {signal.ITIMER_PROF: signal.SIGPROF, signal.ITIMER_REAL: signal.SIGALRM}
    old = {clock: signal.signal(clock, out_of_time) for clock in clocks.values()}
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)
    resource.setrlimit(resource.RLIMIT_AS, (held + int(gigabytes * 2**30), before[1]))
    _watched.append(folder)
    _broken.clear()
    try:
        yield
    finally:
        _watched.clear()
        resource.setrlimit(resource.RLIMIT_AS, before)
        for timer, clock in clocks.items():
            signal.setitimer(timer, 0)
            signal.signal(clock, old[clock])
    if _broken:
        raise Violation("; ".join(_broken))


def try_one(reader, data, folder, seconds=SECONDS):
    """Let a reader read the data and tell whether it accepted them; any exception but InputError is a fault."""
    path = folder / "input"
    path.write_bytes(data)
    try:
        with within_bounds(folder, seconds):
            reader(path)
    except InputError as error:
        if not error.problems or not all(p.found and p.expected for p in error.problems):
            raise Violation(f"an empty message: {error}") from error
        if not all(str(folder) in str(problem) for problem in error.problems):
            raise Violation(f"the file is not named: {error}") from error
        str(error).encode("utf-8", "surrogateescape")
        return False
    return True


def secret_pipe(folder):
    """Create a named pipe without a writer: a reader that opens it waits until its time is over."""
    pipe = folder / "secret"
    os.mkfifo(pipe)
    return pipe


def inputs(good, seed, secret):
    """Yield every good file, then damaged files without end."""
    rng = random.Random(seed)
    yield from good
    material = [*good, ARTICLE, CHUNKS.encode(), FOL.encode(), TABLE]
    while True:
        yield spoilt(rng, rng.choice(good), rng.choice(material), str(secret).encode())


def fuzz(name, seconds, most, seed, folder):
    """Return the numbers of inputs tried and accepted in some seconds of CPU time, and each kind of failure once."""
    reader, good = readers()[name]
    end = time.process_time() + seconds
    tried = accepted = 0
    failures = {}
    place = folder / "named"
    place.mkdir()
    secret = secret_pipe(folder)
    for data in inputs(good, seed, secret):
        if tried >= most or time.process_time() > end:
            break
        tried += 1
        try:
            accepted += try_one(reader, data, place)
        except Exception as error:
            failures.setdefault(f"{type(error).__name__}: {str(error)[:200]}", data)
    return tried, accepted, list(failures.items())
