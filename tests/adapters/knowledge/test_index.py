"""The embedded index: what is forbidden leaves no trace in what is found, and a change is whole or not there."""

import os
import signal
import subprocess
import sys
import time

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.knowledge import index as module
from adapters.knowledge.index import EmbeddedIndex
from adapters.knowledge.lexical import COUNTED
from gateway.errors import IndexUnavailableError
from gateway.settings import HOME
from tests.support.knowledge import HashedEmbedder, chunk, permitted_alone

EMBEDDER = HashedEmbedder()
WORDS = "loan client limit breach desk margin 风险 评估 客户 pembayaran bayar yang dan जोखिम बैंक fees the of".split()


def ids(*numbers):
    return np.array(sorted(numbers), np.int64)


@pytest.fixture
def index(tmp_path):
    made = EmbeddedIndex(tmp_path / "index.sqlite", EMBEDDER)
    yield made
    made.close()


texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
corpora = st.lists(st.tuples(st.integers(1, 6), texts, st.sampled_from(["", "Margin policy", "风险"])), max_size=25)


@settings(max_examples=120, deadline=None)
@given(
    corpus=corpora,
    permitted=st.sets(st.integers(0, 7)),
    question=texts,
    most=st.integers(0, 12),
    exact=st.sampled_from([0, 50_000]),
    parts=st.integers(1, 4),
    gone=st.sets(st.integers(0, 24), max_size=5),
)
def test_what_is_forbidden_changes_nothing(corpus, permitted, question, most, exact, parts, gone):
    """
    An index of everything answers about permitted chunks what an index of those alone answers: the same chunks with the same scores.

    However the chunks came in, whatever was taken out since, and whether bits or all dimensions are compared.
    """
    chunks = [chunk(n, tuple_id, text, context) for n, (tuple_id, text, context) in enumerate(corpus)]
    left = [one for one in chunks if one.id not in gone]
    asked = ids(*permitted)
    with TemporaryDirectory() as folder:
        whole = EmbeddedIndex(Path(folder) / "whole", EMBEDDER, exact=exact)
        for part in range(parts):
            whole.replace([], chunks[part::parts])
        whole.replace(gone, [])
        alone = EmbeddedIndex(Path(folder) / "alone", EMBEDDER, exact=exact)
        alone.replace([], permitted_alone(left, permitted))
        found = whole.search(question, asked, most)
        assert found == alone.search(question, asked, most)
        assert {hit.id for hit in found} <= {one.id for one in permitted_alone(left, permitted)}
        assert whole.ids().tolist() == [one.id for one in left]
        whole.close()
        alone.close()


def test_a_rare_word_that_only_others_may_read_says_nothing(index):
    """
    A word that is common in what is forbidden counts as much as if it stood nowhere else.
    """
    index.replace([], [chunk(1, 1, "loan limit"), chunk(2, 1, "client limit"), chunk(3, 1, "client client")])
    before = index.search("loan client", ids(1), 5)
    index.replace([], [chunk(n, 2, "loan loan loan margin margin margin margin") for n in range(10, 60)])
    assert index.search("loan client", ids(1), 5) == before


def test_nothing_is_found_without_permission(index):
    """
    No tuple, one that no chunk has, or an empty index: no hit.
    """
    assert index.search("loan", ids(1), 5) == []
    index.replace([], [chunk(1, 1, "loan")])
    assert index.search("loan", ids(), 5) == []
    assert index.search("loan", ids(9), 5) == []
    assert index.search("loan", ids(1), 0) == []


def test_the_title_is_found_with_the_text(index):
    """
    A chunk is found by the words of the sections that it stands under.
    """
    index.replace(
        [], [chunk(1, 1, "It is paid monthly.", "Fees > Custody"), chunk(2, 1, "It is paid yearly.", "Audit")]
    )
    first = max(index.search("custody", ids(1), 5), key=lambda hit: hit.lexical)
    assert (first.id, first.lexical > 0) == (1, True)


def test_a_change_stays(tmp_path):
    """
    What was put in is there after a new start, with the same revision and the same answers.
    """
    path = tmp_path / "index.sqlite"
    first = EmbeddedIndex(path, EMBEDDER)
    first.replace([], [chunk(n, n % 3, f"loan {WORDS[n]}") for n in range(15)])
    first.replace([3, 4], [chunk(20, 1, "margin")])
    found, revision = first.search("loan margin", ids(0, 1), 9), first.revision
    first.close()
    second = EmbeddedIndex(path, EMBEDDER)
    assert second.search("loan margin", ids(0, 1), 9) == found
    assert second.revision == revision
    second.close()


def test_every_change_has_a_revision_of_its_own(index):
    """
    Another chunk, another tuple of the same chunk, and less: each has another revision; the same content has the same.
    """
    seen = [index.revision]
    for gone, added in ([], [chunk(1, 1, "loan")]), ([], [chunk(1, 2, "loan")]), ([], [chunk(2, 2, "loan")]), ([1], []):
        index.replace(gone, added)
        seen.append(index.revision)
    assert len(set(seen)) == len(seen)
    index.replace([2], [])
    assert index.revision == seen[0]


def test_another_process_is_seen(tmp_path):
    """
    What another holder of the file puts in or takes out, the next search knows.
    """
    path = tmp_path / "index.sqlite"
    one, other = EmbeddedIndex(path, EMBEDDER), EmbeddedIndex(path, EMBEDDER)
    other.replace([], [chunk(1, 1, "loan")])
    assert [hit.id for hit in one.search("loan", ids(1), 5)] == [1]
    one.replace([], [chunk(2, 1, "loan limit")])
    other.replace([1], [])
    assert [hit.id for hit in one.search("loan", ids(1), 5)] == [2]
    assert one.revision == other.revision
    one.close()
    other.close()


def test_another_embedder_begins_anew(tmp_path):
    """
    Vectors of two models are never compared: the file is emptied, and who still holds it with the first finds nothing.
    """
    path = tmp_path / "index.sqlite"
    first = EmbeddedIndex(path, EMBEDDER)
    first.replace([], [chunk(1, 1, "loan")])
    second = EmbeddedIndex(path, HashedEmbedder("another"))
    assert second.ids().tolist() == []
    with pytest.raises(IndexUnavailableError, match="another embedder"):
        first.search("loan", ids(1), 5)
    first.close()
    second.close()


def test_a_damaged_row_is_noticed(tmp_path):
    """
    A chunk whose tuple was changed in the file is not searched.
    """
    path = tmp_path / "index.sqlite"
    first = EmbeddedIndex(path, EMBEDDER)
    first.replace([], [chunk(1, 1, "loan")])
    first._file._database.execute("UPDATE chunk SET tuple_id = 2")
    first.close()
    with pytest.raises(IndexUnavailableError, match="damaged"):
        EmbeddedIndex(path, EMBEDDER)


def test_a_file_that_is_none_is_refused(tmp_path):
    """
    What is no database is no empty index.
    """
    (tmp_path / "index.sqlite").write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(IndexUnavailableError):
        EmbeddedIndex(tmp_path / "index.sqlite", EMBEDDER)


def test_it_takes_so_many_chunks(tmp_path):
    """
    What would not fit is refused before anything of it is written.
    """
    index = EmbeddedIndex(tmp_path / "index.sqlite", EMBEDDER, most=2)
    index.replace([], [chunk(1, 1, "a"), chunk(2, 1, "b")])
    with pytest.raises(IndexUnavailableError, match="takes 2 chunks"):
        index.replace([], [chunk(3, 1, "c")])
    index.replace([1], [chunk(3, 1, "c")])
    assert index.ids().tolist() == [2, 3]
    index.close()


def test_what_fails_leaves_no_half(index, monkeypatch):
    """
    Where a change cannot be written, everything is as before.
    """
    index.replace([], [chunk(1, 1, "loan")])
    before = index.revision
    monkeypatch.setattr("adapters.knowledge.index_file._digest", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        index.replace([1], [chunk(2, 1, "limit")])
    monkeypatch.undo()
    assert (index.ids().tolist(), index.revision) == ([1], before)


def test_deleted_chunks_are_not_left_in_the_file(tmp_path):
    """
    The vector of a chunk that was taken out stands nowhere in the files.
    """
    index = EmbeddedIndex(tmp_path / "index.sqlite", EMBEDDER)
    index.replace([], [chunk(1, 1, "loan"), chunk(2, 1, "limit")])
    index.replace([1], [])
    vector = EMBEDDER.embed("loan").tobytes()
    assert not [file for file in tmp_path.iterdir() if vector in file.read_bytes()]
    assert [file for file in tmp_path.iterdir() if EMBEDDER.embed("limit").tobytes() in file.read_bytes()]
    index.close()


def test_searches_go_on_while_it_changes(index):
    """
    Threads that search while others change find a state that was there: both chunks of a pair, or neither.
    """

    def change(n):
        index.replace([n, n + 1], [chunk(n, 1, "loan margin"), chunk(n + 1, 1, "loan margin")])
        index.replace([n, n + 1], [])

    def look():
        return all(len(index.search("loan", ids(1), 50)) % 2 == 0 for _ in range(30))

    with ThreadPoolExecutor(4) as threads:
        looks = [threads.submit(look) for _ in range(2)]
        changes = [threads.submit(change, 2 * n) for n in range(20)]
        assert all(one.result() for one in looks)
        [one.result() for one in changes]
    assert index.ids().tolist() == []


def test_a_long_question_costs_no_more(index):
    """
    Of 20,000 characters a bounded number of terms is looked up, and those count that are rarest in what is permitted.
    """
    index.replace([], [chunk(n, 1, f"w{n} common") for n in range(COUNTED + 8)])
    question = "common " + " ".join(f"w{n}" for n in range(4_000))
    found = index.search(question, ids(1), 100)
    assert sum(hit.lexical > 0 for hit in found) == COUNTED
    assert all(hit.lexical < hit.ceiling for hit in found)


WRITER = """
import sys
from pathlib import Path
from adapters.knowledge.index import EmbeddedIndex
from tests.support.knowledge import HashedEmbedder, chunk
index = EmbeddedIndex(Path(sys.argv[1]), HashedEmbedder())
n = int(sys.argv[2])
while True:
    batch = [chunk(20 * n + k, n % 5, f"loan w{n}") for k in range(20)]
    index.replace(range(20 * (n - 1), 20 * n), batch)
    print(n, flush=True)
    n += 1
"""


def test_a_killed_writer_leaves_whole_batches(tmp_path):
    """
    Killed at any moment, the file holds every change that was acknowledged and no half of one.
    """
    path, n = tmp_path / "index.sqlite", 1
    for pause in (0.05, 0.2, 0.11):
        command = [sys.executable, "-c", WRITER, str(path), str(n)]
        writer = subprocess.Popen(command, cwd=HOME, stdout=subprocess.PIPE, text=True)
        last = int(writer.stdout.readline())
        time.sleep(pause)
        os.kill(writer.pid, signal.SIGKILL)
        told = [int(line) for line in writer.communicate()[0].split()]
        last = max([last, *told])
        index = EmbeddedIndex(path, EMBEDDER)
        held = index.ids().tolist()
        batches = {one // 20 for one in held}
        assert len(held) == 20 * len(batches)
        assert batches in ({last}, {last + 1})
        assert {hit.id for hit in index.search("loan", ids(*range(5)), 500)} == set(held)
        index.close()
        n = max(batches) + 1


def test_loading_in_blocks_is_the_same(tmp_path, monkeypatch):
    """
    However many chunks are read at a time, the answers are the same.
    """
    path = tmp_path / "index.sqlite"
    first = EmbeddedIndex(path, EMBEDDER)
    first.replace([], [chunk(n, n % 4, " ".join(WORDS[n % 7 : n % 7 + 4])) for n in range(40)])
    found = first.search("loan client margin", ids(0, 2), 10)
    first.close()
    monkeypatch.setattr(module, "_BLOCK", 7)
    second = EmbeddedIndex(path, EMBEDDER)
    assert second.search("loan client margin", ids(0, 2), 10) == found
    second.close()
