"""Documents of folders and archives, and files that are refused."""

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile

import pytest

from focuseval import files
from focuseval.campaign.collection_read import collection_from_source
from focuseval.errors import InputError
from focuseval.formats import documents
from focuseval.formats.documents import list_documents, read_documents
from focuseval_papers.workflow.element_tables import build_collection
from tests.folders import write_files

FILES = {
    "b/x.xml": b"<b/>",
    "./a/1995/a1004.XML": b"<a/>",
    "a.nxml": b"<c/>",
    "a/readme.txt": b"no",
    "a/._a1004.xml": b"no",
    "volume.dtd": b"no",
}
NAMES = ["a", "a/1995/a1004", "b/x"]


def tar_of(path, files, mode="w"):
    with tarfile.open(path, mode) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def zip_of(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def folder_of(path, files):
    write_files(path, files)
    return path


KINDS = {
    "folder": lambda path, files: folder_of(path / "c", files),
    "tar": lambda path, files: tar_of(path / "c.tar", files),
    "tar.gz": lambda path, files: tar_of(path / "c.tar.gz", files, "w:gz"),
    "zip": lambda path, files: zip_of(path / "c.zip", files),
    "a name that says nothing": lambda path, files: tar_of(path / "download", files, "w:gz"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_documents_are_the_xml_files_by_path_without_suffix(kind, tmp_path):
    source = KINDS[kind](tmp_path, FILES)
    listing = list_documents(source)
    assert listing.names == NAMES
    assert listing.sizes == [4, 4, 4]
    assert listing.ignored == {".txt": 1}
    documents = list(read_documents(source))
    assert {d.name: d.xml for d in documents} == {"b/x": b"<b/>", "a/1995/a1004": b"<a/>", "a": b"<c/>"}
    assert listing.in_order == ([d.name for d in documents] == NAMES)
    assert [d.source for d in read_documents(source, {"b/x", "gone"})] == [f"{source}:b/x.xml"]
    assert list(read_documents(source, [])) == []


def test_order_of_names_is_not_that_of_files(tmp_path):
    files = {"a.xml": b"<a/>", "a/b.xml": b"<a/>", "a-b.xml": b"<a/>", "B.xml": b"<a/>"}
    for kind in ("folder", "zip"):
        (tmp_path / kind).mkdir()
        source = KINDS[kind](tmp_path / kind, files)
        assert [d.name for d in read_documents(source)] == ["B", "a", "a-b", "a/b"]


def problems_of(source):
    """Return the problems of a source; listing and reading it report the same."""
    with pytest.raises(InputError) as listed:
        list_documents(source)
    with pytest.raises(InputError) as read:
        list(read_documents(source))
    assert read.value.problems == listed.value.problems
    assert all(problem.expected for problem in read.value.problems)
    return [(problem.source, problem.found) for problem in listed.value.problems]


OUTSIDE = ["/etc/a.xml", "../a.xml", "a/../../b.xml", "C:/a.xml", "..\\a.xml", "/etc/passwd"]


@pytest.mark.parametrize("kind", ["tar", "tar.gz", "zip"])
def test_members_that_point_outside_are_refused_all_at_once(kind, tmp_path):
    source = KINDS[kind](tmp_path, {"fine.xml": b"<a/>", **dict.fromkeys(OUTSIDE, b"<a/>")})
    problems = problems_of(source)
    assert {place for place, _ in problems} == {f"{source}:{name}" for name in OUTSIDE}
    assert {text for _, text in problems} == {"the path leads outside the archive or folder"}


@pytest.mark.parametrize("mode", ["w", "w:gz"])
@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_in_tar_archives_are_refused(kind, mode, tmp_path):
    source = tmp_path / "c.tar"
    with tarfile.open(source, mode) as archive:
        archive.addfile(tarfile.TarInfo("fine.xml"))
        member = tarfile.TarInfo("bad.xml")
        member.type, member.linkname = kind, "/etc/passwd"
        archive.addfile(member)
    word = (
        "the file is a link"
        if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE)
        else "the file is a device, pipe or sparse file"
    )
    assert problems_of(source) == [(f"{source}:bad.xml", word)]


@pytest.mark.parametrize("size", [1, 10, 1000])
def test_parts_hold_each_document_once(size, tmp_path):
    source = folder_of(
        tmp_path, {f"{number:02}.xml": b"<a>" + b"b" * number + b"</a>" for number in range(20)}
    )
    whole = [*documents.read_documents(source)]
    parts = list(documents.read_in_parts(source, [one.name for one in whole], size))
    assert [one for part in parts for one in part] == whole
    assert max(sum(len(one.xml) for one in part) for part in parts) < size + max(
        len(one.xml) for one in whole
    )
    assert len(parts) == {1: 20, 1000: 1}.get(size, len(parts))


@pytest.mark.parametrize(("stored", "read"), [(b"d\xc3\xb6k", "dök"), (b"d\x94k", "dök")])
def test_names_that_a_zip_archive_does_not_mark_as_utf8(tmp_path, stored, read):
    source = zip_of(tmp_path / "c.zip", {"d--k.xml": b"<a/>", "b.xml": b"<b/>"})
    source.write_bytes(source.read_bytes().replace(b"d--k", (stored + b"-")[:4]))
    [name] = {document.name for document in read_documents(source)} - {"b"}
    assert name.rstrip("-") == read
    assert {document.xml for document in read_documents(source)} == {b"<b/>", b"<a/>"}


def test_links_and_encrypted_members_in_zip_archives_are_refused(tmp_path):
    source = tmp_path / "c.zip"
    with zipfile.ZipFile(source, "w") as archive:
        member = zipfile.ZipInfo("bad.xml")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, "/etc/passwd")
        archive.writestr("secret.xml", "<a/>")
    data = bytearray(source.read_bytes())
    at = data.rindex(b"PK\x01\x02")  # the central directory's entry of the last member
    data[at + 8] |= 1
    source.write_bytes(data)
    assert problems_of(source) == [
        (f"{source}:bad.xml", "the file is a link"),
        (f"{source}:secret.xml", "the file is encrypted"),
    ]


def test_links_and_pipes_in_folders_are_refused(tmp_path):
    source = folder_of(tmp_path / "c", {"fine.xml": b"<a/>", "a/b.xml": b"<a/>"})
    (source / "link.xml").symlink_to("/etc/passwd")
    (source / "loop").symlink_to(source)
    os.mkfifo(source / "pipe.xml")
    assert problems_of(source) == [
        (f"{source}:link.xml", "the file is a link to a file outside the folder"),
        (f"{source}:loop", "the file is a link"),
        (f"{source}:pipe.xml", "the file is a device, pipe or socket"),
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("files_in_it", "where", "finding"),
    [
        ({"a.nxml": b"<a/>", "a.xml": b"<a/>"}, ":a.xml", "the document has the same name as a.nxml"),
        ({"a.csv": b"", "b.png": b""}, "", "there are no documents among 2 files"),
        (
            {"a.xml": b"<a/>", "b.xml": bytes(101), "c.txt": bytes(101)},
            ":b.xml",
            "the document has 101 bytes, more than 100",
        ),
    ],
    ids=["two documents of one name", "no document", "too large"],
)
def test_files_that_are_no_document_are_refused_in_every_kind(
    kind, files_in_it, where, finding, tmp_path, monkeypatch
):
    monkeypatch.setattr(files, "LARGEST_DOCUMENT", 100)
    source = KINDS[kind](tmp_path, files_in_it)
    assert problems_of(source) == [(f"{source}{where}", finding)]


def test_a_source_that_is_no_collection_is_refused(tmp_path):
    (tmp_path / "x.xml").write_bytes(b"<a/>")
    assert problems_of(tmp_path / "x.xml") == [
        (str(tmp_path / "x.xml"), "the file is not a collection of documents")
    ]
    assert problems_of(tmp_path / "gone") == [
        (str(tmp_path / "gone"), "the documents cannot be read (No such file or directory)")
    ]
    (tmp_path / "text.gz").write_bytes(gzip.compress(b"hello" * 1000))
    assert "damaged" in problems_of(tmp_path / "text.gz")[0][1]


def test_cut_archives_are_refused_wherever_they_are_cut(tmp_path):
    files = {f"d{i}.xml": os.urandom(700).hex().encode() for i in range(4)}
    for kind in ("tar", "tar.gz", "zip"):
        (tmp_path / kind).mkdir()
        whole = KINDS[kind](tmp_path / kind, files).read_bytes()
        # A tar archive ends with two blocks of zeros; everything after the first is ignored.
        end = 512 * (4 * 4) if kind == "tar" else len(whole)
        for size in {*range(300, end, 97), *range(512, end, 512), end - 1, end}:
            cut = tmp_path / "cut"
            cut.write_bytes(whole[:size])
            if size == len(whole):
                assert len(list(read_documents(cut))) == 4
            else:
                with pytest.raises(InputError):
                    list(read_documents(cut))


def test_a_damaged_header_does_not_end_an_archive_silently(tmp_path):
    source = tar_of(tmp_path / "c.tar", {"a.xml": b"<a/>", "b.xml": b"<b/>", "c.xml": b"<c/>"})
    data = bytearray(source.read_bytes())
    data[1024 + 3] ^= 0xFF  # the second header
    source.write_bytes(data)
    problems = problems_of(source)
    assert "the archive is damaged or incomplete" in problems[0][1]


@pytest.mark.parametrize("headers", [1, 2])
def test_a_name_that_a_zip_archive_wrongly_marks_as_utf8_is_reported(headers, tmp_path):
    source = zip_of(tmp_path / "c.zip", {"dök.xml": b"<a/>"})
    source.write_bytes(source.read_bytes().replace(b"d\xc3\xb6k", b"d\xf1ok", headers))
    with pytest.raises(InputError, match="the archive is damaged or incomplete"):
        list(read_documents(source))


def test_damaged_content_of_a_zip_archive_is_reported_with_its_member(tmp_path):
    source = zip_of(tmp_path / "c.zip", {"a.xml": b"<a/>", "b.xml": os.urandom(1000)})
    data = bytearray(source.read_bytes())
    data[data.index(b"b.xml") + 200] ^= 0xFF
    source.write_bytes(data)
    assert list_documents(source).names == ["a", "b"]
    with pytest.raises(InputError) as raised:
        list(read_documents(source))
    assert raised.value.problems[0].where == "at member b.xml"


@pytest.mark.parametrize("kind", ["tar.gz", "zip"])
def test_bombs_are_refused(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "ALWAYS_ALLOWED", 1 << 20)
    source = KINDS[kind](tmp_path, {f"{i}.xml": bytes(1 << 18) for i in range(20)})
    assert problems_of(source)[0][1].endswith(" bytes when unpacked")
    monkeypatch.setattr(files, "ALWAYS_ALLOWED", 1 << 24)
    assert len(list_documents(source).names) == 20
    monkeypatch.setattr(files, "ALWAYS_ALLOWED", 1 << 20)  # the limit also holds for ignored files
    source = tar_of(tmp_path / "c.tgz", {"a.xml": b"<a/>", "big.bin": bytes(1 << 22)}, "w:gz")
    assert problems_of(source)[0][1].endswith(" bytes when unpacked")


def test_a_long_header_is_refused(tmp_path):
    source = tmp_path / "c.tar"
    with tarfile.open(source, "w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("a.xml")
        member.pax_headers = {"comment": "x" * (2 << 20)}
        archive.addfile(member)
    assert "the archive is damaged or incomplete" in problems_of(source)[0][1]


TREES = {  # two documents of six elements, or of six tags and references
    "xml": {"a.xml": b"<a>" + b"<b/>" * 5 + b"</a>", "b.xml": b"<a>" + b"<b/>" * 5 + b"</a>"},
    "markdown": {"a.md": b"# A\n\nB\n\nC\n\nD", "b.md": b"a\n\n" * 5},
    "html": {"a.html": b"<p>x" * 5 + b"&lt;", "b.html": b"<b>x" * 5 + b"&lt;"},
}


@pytest.mark.parametrize("documents", TREES)
@pytest.mark.parametrize("kind", ["folder", "tar.gz", "zip"])
def test_elements_of_documents_and_archives_are_bounded(kind, documents, tmp_path, monkeypatch):
    source = KINDS[kind](tmp_path, TREES[documents])

    def refused(in_tables=False):
        """Return the message about too many elements, or None."""
        try:
            if in_tables:
                build_collection(source, tmp_path / "tables")
            else:
                collection_from_source(source)
        except InputError as error:
            [problem] = error.problems[:1]
            assert "set FOCUSEVAL_LIMITS=4" in problem.expected
            return f"{problem.source}: {problem.found}"
        return ""

    assert refused() == ""
    monkeypatch.setattr("focuseval.formats.xml_elements.LARGEST_TREE", 5)
    assert "a." in refused() and "more than 5 " in refused()
    monkeypatch.setenv("FOCUSEVAL_LIMITS", "1.2")
    assert refused() == ""
    monkeypatch.setattr(files, "BYTES_OF_ELEMENT", files.ALWAYS_ALLOWED // 9)
    what = "tags and references" if documents == "html" else "elements"
    message = "" if kind == "folder" else f"{source}: the file has more than 10 {what}"
    assert refused() == refused(in_tables=True) == message
    monkeypatch.setenv("FOCUSEVAL_LIMITS", "2")
    assert refused() == refused(in_tables=True) == ""
    monkeypatch.setenv("FOCUSEVAL_LIMITS", "many")
    with pytest.raises(InputError, match="FOCUSEVAL_LIMITS: the value is 'many'; expected a number"):
        collection_from_source(source)


def test_long_names_and_names_in_utf8(tmp_path):
    name = "/".join(["größe" * 5] * 8)
    for kind in ("folder", "tar.gz", "zip"):
        (tmp_path / kind).mkdir()
        assert list_documents(KINDS[kind](tmp_path / kind, {f"{name}.xml": b"<a/>"})).names == [name]


def test_names_that_no_table_can_hold_are_refused(tmp_path):
    source = tar_of(tmp_path / "c.tar", {"a\tb.xml": b"<a/>", "a\nb.xml": b"<a/>", "ok.xml": b"<a/>"})
    places = [place for place, _ in problems_of(source)]
    assert places == [f"{source}:a\\tb.xml", f"{source}:a\\nb.xml"]
    header = tarfile.TarInfo("\udcff.xml").tobuf(tarfile.USTAR_FORMAT, "utf-8", "surrogateescape")
    source.write_bytes(header + bytes(1024))
    assert problems_of(source)[0][0].isprintable()


def test_a_zip_that_lies_about_sizes_is_refused(tmp_path):
    source = zip_of(tmp_path / "c.zip", {"a.xml": b"<a>" + b" " * 5000 + b"</a>"})
    data = bytearray(source.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    source.write_bytes(data)
    with pytest.raises(InputError):
        list(read_documents(source))


def test_links_to_files_in_the_folder_are_followed_and_others_are_refused_by_name(tmp_path):
    """DVC and git-annex link files from a hidden folder, whose files are no documents themselves."""
    files = {"a.xml": b"<a>x</a>", ".git/annex/object.xml": b"<a>y</a>", "sub/c.xml": b"<a>z</a>"}
    source, outside = folder_of(tmp_path / "given", files), tmp_path / "outside.xml"
    (source / "b.xml").symlink_to(".git/annex/object.xml")
    assert list_documents(source).names == ["a", "b", "sub/c"]
    assert [document.name for document in read_documents(source)] == ["a", "b", "sub/c"]
    outside.write_text("<a>secret</a>")
    (source / "d.xml").symlink_to(outside)
    (source / "e.xml").symlink_to("nowhere.xml")
    (source / "folder").symlink_to("sub")
    assert problems_of(source) == [
        (f"{source}:d.xml", "the file is a link to a file outside the folder"),
        (f"{source}:e.xml", "the file is a link"),
        (f"{source}:folder", "the file is a link"),
    ]
