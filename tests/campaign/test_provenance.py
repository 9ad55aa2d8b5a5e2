"""The stamp of results: checksums, times and versions."""

import hashlib
import os

from focuseval.campaign.tables import checksum, stamp, versions


def test_checksum_of_files_and_folders(tmp_path):
    (tmp_path / "a").write_bytes(b"one")
    one = hashlib.sha256(b"one").hexdigest()
    assert checksum(tmp_path / "a") == one
    assert checksum(tmp_path) == hashlib.sha256(f"{one}  a\n".encode()).hexdigest()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"two")
    with_two = checksum(tmp_path)
    (tmp_path / "b" / "c").write_bytes(b"owt")
    assert checksum(tmp_path) != with_two


def test_the_stamp_of_a_folder_changes_with_every_file_in_it(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b/c").write_bytes(b"two")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    one = stamp(tmp_path)
    (tmp_path / ".hidden").touch()
    assert stamp(tmp_path) == one
    before = (tmp_path / "b/c").stat()
    os.utime(tmp_path / "b/c", ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert (two := stamp(tmp_path)) != one
    (tmp_path / "b/d").touch()
    assert stamp(tmp_path) != two
    assert stamp(tmp_path / "b/c") == stamp(tmp_path / "gone")


def test_versions_name_what_results_depend_on():
    assert {"python", "focuseval", "numpy", "pandas", "pyarrow"} <= set(versions())
