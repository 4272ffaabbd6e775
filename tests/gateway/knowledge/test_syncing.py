"""Keeping a corpus like a folder, or like a branch of a repository."""

import os
import subprocess
import sys

from datetime import timedelta

import pytest

from dulwich import porcelain

from adapters.knowledge.folders import DocumentFolder
from adapters.knowledge.repositories import Branch
from gateway.errors import SyncFailedError
from gateway.knowledge.checking import check
from gateway.knowledge.syncing import sync
from gateway.knowledge.taking_in import take_in
from gateway.settings import HOME
from tests.support.knowledge import CORPUS, OFFICER, SAID, kinds, offered, room_at, texts_of

DEFAULTS = "defaults:\n" + "".join(f"  {name}: '{value}'\n" for name, value in SAID.items())


@pytest.fixture
def documents(tmp_path):
    """A folder of three documents, each with another way to say something of itself."""
    root = tmp_path / "documents"
    (root / "desk").mkdir(parents=True)
    (root / "knowledge.yaml").write_text(DEFAULTS + "files:\n  'desk/*': {owner: Desk}\n")
    (root / "a.md").write_text("---\nversion: '1.5'\n---\n# A\n\nText of a.\n")
    (root / "desk" / "b.md").write_text("# B\n\nText of b.\n")
    (root / "c.txt").write_text("Text of c.\n")
    (root / "c.txt.yaml").write_text("jurisdiction: HK\n")
    (root / "picture.png").write_bytes(b"\x89PNG")
    return root


def labels_by_place(room):
    return {one.place: one.version.labels for one in room.store.versions("gfm")}


async def test_a_folder_comes_in_as_it_describes_itself(room, documents):
    """
    Each file comes in under its place, with what the folder, its pattern, its beginning and the file beside it say, the nearest
    first; what stands beside is no document, and what nothing reads is passed over by name.
    """
    done = await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    assert (sorted(done.accepted), done.passed_over) == (["a.md", "c.txt", "desk/b.md"], ["picture.png"])
    said = labels_by_place(room)
    assert (said["a.md"].version, said["desk/b.md"].owner, said["c.txt"].jurisdiction) == ("1.5", "Desk", "HK")
    assert "# A\n\nText of a." in texts_of(room)
    assert kinds(room)[-1] == "document.synced"


async def test_what_did_not_change_is_vouched_for_by_one_row(room, detector, documents):
    """A second sync looks into nothing and makes no version; all that is as it was is as old as the sync then."""
    await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    ids, looked = [one.id for one in room.store.findable()], len(detector.seen)
    room.clock.now += timedelta(days=30)
    done = await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    assert len(done.unchanged) == 3
    assert (len(detector.seen), [one.id for one in room.store.findable()]) == (looked, ids)
    assert {one.labels.fetched_at[:10] for one in room.store.tuples("gfm")} == {"2026-03-31"}
    assert kinds(room).count("document.accepted") == 3


async def test_what_is_gone_is_taken_back(room, documents):
    """A file that is gone is not found any more, and what was added by hand stays."""
    await take_in(room, offered(name="by hand"), OFFICER)
    await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    (documents / "a.md").unlink()
    done = await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    assert done.withdrawn == ["a.md"]
    assert sorted(one.version.document for one in room.store.versions("gfm")) == ["by hand", "c.txt", "desk/b.md"]


async def test_what_cannot_come_in_keeps_its_age(room, documents):
    """
    A file that policy refuses, or that looks like an attack, leaves the version in use, which ages from when it stood there; the
    others come in.  Once it is as it was, it is vouched for again.
    """
    await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    whole = (documents / "a.md").read_text()
    (documents / "a.md").write_text("# A\n\nOther text under an older version.\n")
    (documents / "desk" / "b.md").write_text("---\nversion: '1.1'\n---\n# B\n\nATTACK.\n")
    room.clock.now += timedelta(days=30)
    done = await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    assert [(one.place, one.code, one.reasons) for one in done.not_taken] == [("a.md", "GW-703", ("KNW-008",))]
    assert (done.set_aside, done.unchanged) == (["desk/b.md"], ["c.txt"])
    ages = {one.labels.source_id: one.labels.fetched_at[:10] for one in room.store.tuples("gfm")}
    assert ages == {"a.md": "2026-03-01", "desk/b.md": "2026-03-01", "c.txt": "2026-03-31"}
    (documents / "a.md").write_text(whole)
    done = await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    assert "a.md" in done.unchanged
    ages = {one.labels.source_id: one.labels.fetched_at[:10] for one in room.store.tuples("gfm")}
    assert ages["a.md"] == "2026-03-31"
    assert (await check(room, mend=False)).whole


async def test_a_version_may_be_the_time(room, documents):
    """Where a folder has no versions of its own, `auto` makes each change a newer one, and what did not change none."""
    table = DEFAULTS.replace("version: '1.0'", "version: auto")
    (documents / "knowledge.yaml").write_text(table)
    await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    (documents / "c.txt").write_text("Other text of c.\n")
    done = await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    assert (done.accepted, sorted(done.unchanged)) == (["c.txt"], ["a.md", "desk/b.md"])


@pytest.mark.parametrize("table", ["defaults: [1]\n", "default: {}\n", "a: &x [*x]\n", "\xff"])
async def test_a_folder_whose_words_cannot_be_read_is_not_taken_in(room, documents, table):
    """Where `knowledge.yaml` cannot be read nothing is taken in, taken back or vouched for."""
    (documents / "knowledge.yaml").write_bytes(table.encode("latin-1"))
    with pytest.raises(SyncFailedError):
        await sync(room, DocumentFolder(documents), CORPUS, OFFICER)
    assert room.store.versions("gfm", history=True) == []


async def test_the_head_of_a_branch(room, documents, tmp_path):
    """Of a repository the head of the branch is taken in, not what lies in the folder; what is gone there is taken back."""
    repository = porcelain.init(str(documents))
    repository.refs.set_symbolic_ref(b"HEAD", b"refs/heads/main")
    porcelain.add(
        repository, paths=[str(path) for path in documents.rglob("*") if ".git" not in path.parts and path.is_file()]
    )
    who = {"author": b"a <a@bank.example>", "committer": b"a <a@bank.example>"}
    porcelain.commit(repository, message=b"one", **who)
    (documents / "a.md").write_text("# A\n\nNot committed.\n")
    done = await sync(room, Branch(documents, "main"), CORPUS, OFFICER)
    assert sorted(done.accepted) == ["a.md", "c.txt", "desk/b.md"]
    assert "# A\n\nText of a." in texts_of(room)
    porcelain.remove(repository, paths=[str(documents / "c.txt")])
    porcelain.commit(repository, message=b"two", **who)
    assert (await sync(room, Branch(documents, "main"), CORPUS, OFFICER)).withdrawn == ["c.txt"]
    with pytest.raises(SyncFailedError):
        Branch(documents, "gone")


def work(folder, at, when):
    """The same work in a process of its own, killed at a step; what it acknowledged."""
    environment = {**os.environ, "PYTHONPATH": str(HOME), "KILLED_AT": str(at), "KILLED": when}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.support.knowledge", str(folder)],
        env=environment,
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in {0, -9}, ran.stderr
    return ran.stdout.splitlines()


async def killed_at(tmp_path, steps, when):
    """What is promised of work that is killed at some steps, each time from the beginning."""
    whole = {
        "# A\n\nText of a.",
        "# B\n\nText of b.",
        "Text of c.",
        "# first\n\nText of first.",
        "# second\n\nText of second.",
    }
    for at in steps:
        said = work(tmp_path, at, when)
        room = room_at(tmp_path)
        found = texts_of(room)
        assert set(found) <= whole
        assert len(found) == len(set(found))
        acknowledged = {
            f"# {line.split()[1]}\n\nText of {line.split()[1]}." for line in said if line.startswith("taken")
        }
        assert acknowledged <= set(found)
        await check(room, mend=True)
        assert (await check(room, mend=False)).whole
        room.store.close()
        for path in tmp_path.glob("*.sqlite*"):
            path.unlink()
        if "synced" in said:
            assert set(found) == whole
            return


@pytest.mark.parametrize(("when", "steps"), [("before", (3, 14)), ("after", (2, 9, 18))])
async def test_killed_at_some_steps(tmp_path, documents, when, steps):
    """
    Killed with SIGKILL before or after a step of adding and syncing: nothing is found in part, nothing that was acknowledged is
    lost, and index and store agree once mended.
    """
    await killed_at(tmp_path, steps, when)


@pytest.mark.soak
@pytest.mark.parametrize("when", ["before", "after"])
async def test_killed_at_every_step(tmp_path, documents, when):
    """The same of every step, until the work is done."""
    await killed_at(tmp_path, range(1, 100), when)


async def test_a_repeat_completes(tmp_path, documents):
    """Work that is killed again and again, each time a little later, goes on from where it was, until it is done."""
    for at in (4, 9, 7, 1000):
        said = work(tmp_path, at, "after")
    assert "synced" in said
    room = room_at(tmp_path)
    assert len(texts_of(room)) == 5
    assert all(one.version.status == "accepted" for one in room.store.versions("gfm", history=True))
    room.store.close()
