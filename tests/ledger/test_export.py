"""A log as a folder of files: what is written, in which order, and what an update adds."""

import pytest

from ledger.export import write_log
from ledger.log import LogReader
from ledger.tlog.checkpoint import read_checkpoint
from ledger.tlog.tiles import TileName, path_of, tiles_of
from tests.support.strategies import ruling, sequencer, uid, write


def written(folder):
    """Every file of a folder, by its path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def grow(log):
    """Brings the log to a size; its newest checkpoint."""
    store, lane = log

    def to(size):
        write(lane, *(ruling(uid(), f"i{n}") for n in range(size - store.count())))
        return sequencer(store).run()

    return to


def expected(size, *, entries):
    names = [path_of(t.level, t.number, t.width) for t in tiles_of(size)]
    bundles = [path_of(None, t.number, t.width) for t in tiles_of(size) if t.level == 0]
    return {*names, *(bundles if entries else ()), "checkpoint"}


@pytest.mark.parametrize("entries", [True, False])
def test_all_that_the_checkpoint_covers(log, grow, tmp_path, entries):
    """
    The folder has every tile of the tree under its path, the bundles if they are wanted, the checkpoint, and nothing else.
    """
    published = grow(600)
    write_log(log[0], tmp_path / "out", published, entries=entries)
    files = written(tmp_path / "out")
    assert set(files) == expected(600, entries=entries)
    assert files["checkpoint"].decode() == published.note
    assert files["tile/0/001"] == LogReader(log[0]).tile(TileName(0, 1))


def test_an_update_only_adds(log, grow, tmp_path):
    """
    A folder that is kept up to date gains files, changes none but the checkpoint, and has what a new one would have.
    """
    out = tmp_path / "out"
    first = grow(300)
    write_log(log[0], out, first)
    before = written(out)
    second = grow(600)
    write_log(log[0], out, second, since=first.size)
    after = written(out)
    assert {name for name in before if after[name] != before[name]} == {"checkpoint"}
    assert set(after) == expected(300, entries=True) | expected(600, entries=True)
    write_log(log[0], tmp_path / "new", second)
    assert written(tmp_path / "new").items() <= after.items()


def test_the_checkpoint_comes_last(log, grow, tmp_path, monkeypatch):
    """
    Where writing ends half-way the folder still shows the older checkpoint, whose tiles are all there.
    """
    store, out = log[0], tmp_path / "out"
    first = grow(300)
    write_log(store, out, first)
    second = grow(600)
    (out / "tile/entries").chmod(0o700)
    (out / "tile/entries/002.p").mkdir(parents=True)
    (out / "tile/entries/002.p/88").mkdir()
    with pytest.raises(OSError, match="88"):
        write_log(store, out, second)
    assert read_checkpoint((out / "checkpoint").read_text()).size == 300
    assert expected(300, entries=True) <= set(written(out))


def test_what_is_covered_by_an_older_checkpoint(log, grow, tmp_path):
    """
    An export of an older checkpoint has the tree as it was then, although the log went on.
    """
    first = grow(300)
    grow(600)
    write_log(log[0], tmp_path / "out", first)
    files = written(tmp_path / "out")
    assert set(files) == expected(300, entries=True)
    assert files["tile/0/001.p/44"] == LogReader(log[0]).hashes(0, 1, 300)
