"""Folders that documents are taken from."""

import pytest

from adapters.knowledge.folders import DocumentFolder
from gateway.errors import DocumentTooLargeError, SyncFailedError


def test_no_link_is_followed(tmp_path):
    """Links, to files and to folders, and hidden files are no files of a folder, and a link is not read when one is asked for."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "x.md").write_text("secret")
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.md").write_text("a")
    (root / ".hidden").write_text("hidden")
    (root / "link.md").symlink_to(tmp_path / "secret" / "x.md")
    (root / "folder").symlink_to(tmp_path / "secret")
    assert [one.place for one in DocumentFolder(root).files()] == ["a.md"]
    with pytest.raises(SyncFailedError):
        DocumentFolder(root).read("link.md", 100)
    assert DocumentFolder(root).read("a.md", 1) == b"a"
    with pytest.raises(DocumentTooLargeError):
        DocumentFolder(root).read("a.md", 0)
    with pytest.raises(SyncFailedError):
        DocumentFolder(tmp_path / "nothing")
