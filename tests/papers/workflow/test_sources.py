import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pooch
import pytest

from focuseval.errors import InputError
from focuseval_papers.workflow.sources import Source, provide, read_sources
from tests.folders import held, write_files
from tests.formats.test_collection import tar_of, zip_of

CONTENT = {"data/a.csv": b"topic,text\n1,a\n", "LICENSE": b"free\n"}
COMMIT = "0123456789" * 4


def source(path, content, **origin):
    origin = origin or {"repository": "who/what", "commit": COMMIT}
    return Source(path=path, bytes=len(content), sha256=sha256(content).hexdigest(), **origin)


SOURCES = [source(path, content) for path, content in CONTENT.items()]


# addresses and tables


def test_a_table_lists_files_with_their_addresses(tmp_path):
    table = tmp_path / "t.csv"
    lines = [f"{s.path},{s.bytes},{s.sha256},{s.repository},{s.commit}," for s in SOURCES]
    table.write_text("path,bytes,sha256,repository,commit,url\n" + "\n".join(lines))
    assert read_sources(str(table)) == SOURCES == read_sources([s.model_dump() for s in SOURCES])
    with_blank = source("a", b"", repository="who/what", commit=COMMIT, file="b c")
    raw = f"https://raw.githubusercontent.com/who/what/{COMMIT}/"
    assert [one.address for one in (*SOURCES, with_blank)] == [
        f"{raw}data/a.csv",
        f"{raw}LICENSE",
        f"{raw}b%20c",
    ]
    assert source("a", b"", url="https://example.org/a").address == "https://example.org/a"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], ": the file has no lines below the heading; expected a line for each source"),
        (
            ["a,x,{s},o/r,{c}"],
            ", line 2, bytes: the value is 'x'; expected the size of the file in bytes, an integer",
        ),
        (["../a,1,{s},o/r,{c}"], ", line 2, path: the value is '../a'; expected a path in"),
        (
            ["a,1,{s},,"],
            ", line 2: 'a' needs exactly one address; expected `repository` and `commit`, or `url`, or `registration`",
        ),
        (["a,1,{s},o/r,{c}"] * 2, ", line 3: 'a' is repeated; expected each value once"),
        (["a,1,abc,o/r,{c}"], ", line 2, sha256: the value is 'abc'; expected the SHA-256 checksum"),
    ],
)
def test_tables_that_cannot_be(tmp_path, lines, message):
    table = tmp_path / "t.csv"
    text = "\n".join(["path,bytes,sha256,repository,commit", *lines])
    table.write_text(text.format(s="0" * 64, c=COMMIT))
    with pytest.raises(InputError) as error:
        read_sources(str(table))
    assert str(error.value).startswith(f"{table}{message}")


# from a folder


@pytest.fixture
def folder(tmp_path):
    """Return the folder in which a user has the sources of the data set ``set``."""
    (folder := tmp_path / "data" / "set").mkdir(parents=True)
    return folder


def provided(folder):
    """Provide the sources from the user's folder and return the files; an error leaves no file."""
    out = folder.parents[1] / "out"
    try:
        provide("set", SOURCES, out, folder.parent)
    finally:
        left = held(out)
        assert left in ({}, CONTENT)
    return left


@pytest.mark.parametrize(
    ("pack", "name", "above", "mode"),
    [
        (write_files, "", "", []),
        (tar_of, "all.tar.gz", "what-main/", ["w:gz"]),
        (tar_of, "runs/a.tar.xz", "what-main/", ["w:xz"]),
        (zip_of, "all.zip", "what-main/", []),
    ],
)
def test_a_folder_has_the_sources_as_files_or_in_an_archive(folder, pack, name, above, mode):
    # a file that has the name of a source but another content
    files = {"other/a.csv": b"another", **CONTENT}
    (folder / name).parent.mkdir(exist_ok=True)
    pack(folder / name, {f"{above}{path}": content for path, content in files.items()}, *mode)
    assert provided(folder) == CONTENT


def test_a_folder_with_other_files_is_reported_and_not_used(folder):
    write_files(folder, {"LICENSE": b"fee\n"})
    with pytest.raises(InputError) as error:
        provided(folder)
    raw = f"https://raw.githubusercontent.com/who/what/{COMMIT}"
    assert str(error.value) == (
        f"{folder}/LICENSE: the file has 4 bytes instead of 5; replace it by the file of {raw}/LICENSE\n"
        f"{folder}: the folder and its archives do not contain 1 of 2 files; put these files into the folder:\n"
        f"  data/a.csv  from {raw}/data/a.csv"
    )


def test_a_checksum_is_not_only_a_size_and_an_archive_may_be_cut(folder):
    write_files(folder, CONTENT | {"LICENSE": b"fees\n"})
    with pytest.raises(
        InputError, match=r"LICENSE: the file has the SHA-256 [0-9a-f]{64} instead of [0-9a-f]{64};"
    ):
        provided(folder)
    (folder / "LICENSE").unlink()
    archive = tar_of(folder / "all.tar.gz", CONTENT, "w:gz")
    archive.write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])
    with pytest.raises(InputError, match=r"all\.tar\.gz: the file cannot be read as an archive"):
        provided(folder)


def test_a_file_that_requires_registration_is_used_locally_and_never_fetched(folder):
    out = folder.parents[1] / "out"
    owned = [*SOURCES, source("gold", b"gold", registration="https://example.org/join")]
    with pytest.raises(InputError) as error:
        provide("set", owned, out)
    assert "1 of 3 files can only be obtained by registration" in str(error.value)
    assert "FOCUSEVAL_DATA=DIR" in str(error.value)
    assert "  gold  from https://example.org/join, after registration" in str(error.value)
    write_files(folder, CONTENT)
    with pytest.raises(InputError, match="do not contain 1 of 3 files(.|\\n)*after registration"):
        provide("set", owned, out, folder.parent)
    write_files(folder, {"gold": b"gold"})
    provide("set", owned, out, folder.parent)
    assert held(out) == {**CONTENT, "gold": b"gold"}


# from the net


class Server(ThreadingHTTPServer):
    """A server of files that first fails a number of times for each file."""

    files: dict[str, bytes]
    failures: int
    asked: list[str]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self):
        self.server.asked.append(self.path)
        content = self.server.files.get(self.path)
        if content is None or self.server.asked.count(self.path) <= self.server.failures:
            self.send_error(404 if content is None else 500)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path / "cache" / name)
    monkeypatch.setattr("pooch.core.time.sleep", lambda seconds: None)
    with Server(("127.0.0.1", 0), Handler) as serving:
        serving.files, serving.failures, serving.asked = {"/a": b"aa", "/b": b"bb"}, 0, []
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield serving
        serving.shutdown()
        thread.join()


def served(server, name, content):
    return source(name, content, url=f"http://127.0.0.1:{server.server_port}/{name}")


def test_each_checksum_is_fetched_once_and_kept_for_all(tmp_path, server):
    server.failures = 2
    sources = [served(server, "a", b"aa"), served(server, "b", b"bb")]
    again = source("c", b"aa", url=sources[0].address.replace("/a", "/c"))
    for checkout in ("one", "two"):
        provide("set", [*sources, again], tmp_path / checkout, None)
        assert held(tmp_path / checkout) == {"a": b"aa", "b": b"bb", "c": b"aa"}
    assert sorted(server.asked) == ["/a"] * 3 + ["/b"] * 3
    assert held(tmp_path / "cache/focuseval/set") == {"a": b"aa", "b": b"bb"}


def test_another_file_than_was_published_is_refused(tmp_path, server):
    sources = [served(server, "a", b"aa"), served(server, "b", b"b!")]
    with pytest.raises(InputError, match=r"1 of 2 files could not be fetched \(.*hash"):
        provide("set", sources, tmp_path / "out", None)
    assert held(tmp_path / "out") == {}
    assert held(tmp_path / "cache/focuseval/set") == {"a": b"aa"}


def test_without_network_one_error_names_file_source_and_target(tmp_path, server):
    reachable = [served(server, "a", b"aa")]
    provide("set", reachable, tmp_path / "out", None)
    lost = [source(f"n{i}", b"n", url=f"http://127.0.0.1:1/n{i}") for i in range(25)]
    with pytest.raises(InputError) as error:
        provide("set", reachable + lost, tmp_path / "out", None)
    first, *lines = str(error.value).split("\n")
    assert first.startswith("set, sources: 25 of 26 files could not be fetched (")
    assert "put them into DIR/set, each under its path" in first
    assert "set FOCUSEVAL_DATA=DIR or `data_folder: DIR`" in first
    assert lines[0] == "  n0  from http://127.0.0.1:1/n0"
    assert lines[20:] == ["  and 5 others"]
