"""The documents in a file."""

import pytest

from adapters.knowledge.store import SqliteDocuments
from gateway.errors import StoreError
from gateway.model.base import RecordProof
from gateway.model.knowledge.document import Chunk
from gateway.model.request import Provenance
from gateway.ports.documents import NewVersion, Origin

DAY = Origin("hand", "2026-03-01")
AT = "2026-03-01T09:15:00.000000Z"


@pytest.fixture
def store(tmp_path):
    made = SqliteDocuments(tmp_path / "knowledge.sqlite")
    yield made
    made.close()


def new(name="a", tenant="gfm", **labels):
    proof = RecordProof(record="r", salt="0" * 64)
    said = Provenance(source_id=name, version="1", **labels)
    return NewVersion(tenant, "c", name, said, {"page": 1}, "d" * 64, "text/plain", "T", DAY, None, AT, proof)


def chunk(number, text, path=("S",)):
    return Chunk(number, text, 0, len(text), 0, path, 1, 1, 2)


def test_ids_are_never_used_again(store):
    """A chunk's id is used for no other chunk, whatever is deleted meanwhile."""
    first = store.put(new(), [chunk(0, "one"), chunk(1, "two")])
    assert store.forget_staged() == [1, 2]
    again = store.put(new(), [chunk(0, "one")])
    assert again != first
    store.publish(again, AT)
    assert [one.id for one in store.findable()] == [3]


def test_what_is_staged_is_not_there(store):
    """A version that is not published is found by nothing and listed nowhere."""
    version = store.put(new(), [chunk(0, "one")])
    assert (list(store.findable()), store.tuples("gfm"), store.chunks([1])) == ([], [], {})
    assert store.versions("gfm", history=True) == []
    epoch = store.epoch
    store.publish(version, AT)
    assert store.epoch == epoch + 1
    [found] = store.chunks([1, 99]).values()
    assert (found.text, found.pages, found.path, found.version.metadata) == ("one", (1, 2), ("S",), {"page": 1})
    assert found.version.labels.fetched_at == AT


def test_a_title_of_a_section_becomes_a_label(store):
    """What no label may hold is left out of a section's title, and one that is too long is cut."""
    store.publish(store.put(new(), [chunk(0, "one", ("A", "B\u202e\n" + "x" * 300)), chunk(1, "two", ())]), AT)
    assert [one.labels.doc_section for one in store.tuples("gfm")] == ["B " + "x" * 198, None]


def test_another_process_sees_what_is_published(store, tmp_path):
    """Two that have the file open see the same, and only one of them changes it at a time."""
    other = SqliteDocuments(tmp_path / "knowledge.sqlite")
    with store.writing():
        store.publish(store.put(new(), [chunk(0, "one")]), AT)
    assert [one.text for one in other.findable()] == ["one"]
    assert other.epoch == store.epoch
    with other.writing():
        other.withdraw([1], AT)
    other.close()
    assert list(store.findable()) == []


def test_a_file_that_is_none_is_an_error(tmp_path):
    """Where there is no database the store does not open."""
    (tmp_path / "knowledge.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError):
        SqliteDocuments(tmp_path / "knowledge.sqlite")
