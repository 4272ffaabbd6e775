"""Heavy artifacts in a folder: sealed, of one person, kept for a while."""

import os
import time

import pytest

from adapters.stores.artifacts import DirectoryArtifacts
from gateway.errors import StoreError


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "artifacts"


@pytest.fixture
def artifacts(folder, tables):
    return DirectoryArtifacts(folder, tables.own, seconds=3600)


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_it_comes_back_for_its_person_alone(artifacts, folder):
    """
    An artifact comes back as it was, for its tenant and person alone, and lies sealed.
    """
    await artifacts.put("t1", "p1", "a1", "heavy \ud800 text")
    assert await artifacts.get("t1", "p1", "a1") == "heavy \ud800 text"
    for location in (("t2", "p1", "a1"), ("t1", "p2", "a1"), ("t1", "p1", "a2")):
        assert await artifacts.get(*location) is None
    [file] = files(folder)
    assert b"heavy" not in file.read_bytes()


async def test_one_that_was_moved_does_not_open(artifacts, folder):
    """
    The file of one person under the name of another is an error, never the other's artifact.
    """
    await artifacts.put("t1", "p1", "a1", "mine")
    (folder / "t1/p2").mkdir()
    (folder / "t1/p1/a1").rename(folder / "t1/p2/a1")
    with pytest.raises(StoreError):
        await artifacts.get("t1", "p2", "a1")


async def test_a_person_is_forgotten(artifacts, folder):
    """
    All of a person's artifacts go and are counted, once; those of others stay.
    """
    for person, name in (("p1", "a1"), ("p1", "a2"), ("p2", "a1")):
        await artifacts.put("t1", person, name, "x")
    assert await artifacts.forget("t1", "p1") == 2
    assert await artifacts.forget("t1", "p1") == 0
    assert [path.parent.name for path in files(folder)] == ["p2"]


async def test_old_ones_go_with_the_next(artifacts, folder):
    """
    Each new artifact deletes those of everybody that are older than they are kept.
    """
    for person in ("p1", "p2"):
        await artifacts.put("t1", person, "old", "x")
    past = time.time() - 3601
    os.utime(folder / "t1/p1/old", (past, past))
    await artifacts.put("t2", "p3", "new", "x")
    assert await artifacts.get("t1", "p1", "old") is None
    assert await artifacts.get("t1", "p2", "old") == "x"


async def test_it_is_there_as_a_whole_or_not(artifacts, folder):
    """
    What is put again takes the place of the old one, and no half-written file is left.
    """
    for value in ("one", "two"):
        await artifacts.put("t1", "p1", "a1", value)
    assert await artifacts.get("t1", "p1", "a1") == "two"
    assert [path.name for path in files(folder)] == ["a1"]


async def test_a_folder_that_cannot_be_used(tmp_path, tables):
    """
    Where nothing can be kept, read or deleted there is an error, and no artifact is taken for kept.
    """
    (tmp_path / "file").write_text("in the way")
    artifacts = DirectoryArtifacts(tmp_path / "file", tables.own, seconds=60)
    with pytest.raises(StoreError):
        await artifacts.put("t1", "p1", "a1", "x")
    with pytest.raises(StoreError):
        await artifacts.get("t1", "p1", "a1")
