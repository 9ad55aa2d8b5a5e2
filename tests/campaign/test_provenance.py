"""The provenance of results: checksums and versions."""

import hashlib

from focuseval.campaign.tables import checksum, versions


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


def test_versions_name_what_results_depend_on():
    assert {"python", "focuseval", "numpy", "pandas", "pyarrow"} <= set(versions())
