"""The bytes of a record: known for ever, and the only ones that are read."""

import hashlib
import json

import pytest
import rfc8785

from hypothesis import given

from ledger.errors import RecordInvalidError
from ledger.record import Record, parse_record
from ledger.tlog.merkle import leaf_hash
from tests.support.records import GATEWAY, LANE, RECORD, SECOND, drafts
from tests.support.strategies import ORIGIN


def test_bytes_never_change():
    """
    Vector 1 of ledger/FORMAT.md.  If this fails, old ledgers stop verifying.
    """
    assert (
        hashlib.sha256(RECORD.encode()).hexdigest()
        == "508a6dc452084eff37bb742b4cf09a6ad6094fdb815f4ebbb9407cdd636342e3"
    )


def test_bytes_of_the_second_schema_never_change():
    """
    Vector 2 of ledger/FORMAT.md.
    """
    assert (
        hashlib.sha256(SECOND.encode()).hexdigest()
        == "7e24b1cfac5bb17d164ff0d96222eaacc2401521bf47e8b887b4294820e35777"
    )
    assert len(SECOND.encode()) == 913


@pytest.mark.parametrize("read", [Record.decode, parse_record])
def test_each_schema_has_its_own_members(read):
    """
    A record of the first schema has no member of the second, and one of the second has them all.
    """
    for spoiled in (
        RECORD.encode().replace(b"ledger/1", b"ledger/2"),
        SECOND.encode().replace(b"ledger/2", b"ledger/1"),
        SECOND.encode().replace(b"ledger/2", b"ledger/3"),
    ):
        with pytest.raises(RecordInvalidError):
            read(spoiled)


def test_leaf_hash_is_over_the_bytes():
    """
    The leaf hash is SHA-256 over a zero byte and exactly what is stored.
    """
    body = RECORD.encode()
    assert hashlib.sha256(b"\x00" + body).digest() == leaf_hash(body)


def test_round_trip():
    """
    What is read is what was written.
    """
    for record in (RECORD, SECOND):
        assert record.encode() == Record.decode(record.encode()).encode()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda body: body.replace(b'"schema":"ctxgate.ledger/1"', b'"schema":"ctxgate.ledger/2"'),
        lambda body: body.replace(b":", b": ", 1),
        lambda body: body[:-1] + b',"note":"x"}',
        lambda body: json.dumps(dict(reversed(json.loads(body).items()))).encode(),
        lambda body: body.replace(b'"seq":0', b'"seq":0.0'),
        lambda body: body[:-1],
        lambda body: b"[]",
    ],
)
def test_other_bytes_are_refused(spoil):
    """
    Bytes that we would not have written are not a record, even if they mean the same.
    """
    for read in (Record.decode, parse_record):
        with pytest.raises(RecordInvalidError):
            read(spoil(RECORD.encode()))


@given(drafts)
def test_bytes_are_those_of_another_implementation(draft):
    """
    Whatever a record says, its bytes are what the rfc8785 package makes of it, or it is refused; both readers agree.
    """
    record = draft.placed(origin=ORIGIN, lane=LANE, gateway=GATEWAY)
    members = record.model_dump(mode="json")
    try:
        body = record.encode()
    except RecordInvalidError:
        assert not all(name.isascii() for name in draft.detectors)
        return
    assert rfc8785.dumps(members) == body
    assert parse_record(body) == members == Record.decode(body).model_dump(mode="json")


@given(drafts)
def test_a_placed_record_is_what_pydantic_constructs(draft):
    """
    A record at its place equals what `model_construct` makes of its members, in all that pydantic keeps of it.
    """
    record = draft.placed(origin=ORIGIN, lane=LANE, gateway=GATEWAY)
    constructed = Record.model_construct(**record.__dict__)
    assert constructed == record
    assert constructed.__dict__ == record.__dict__
    assert constructed.model_fields_set == record.model_fields_set == set(Record.model_fields)
    for kept in ("__pydantic_extra__", "__pydantic_private__"):
        assert getattr(constructed, kept) is getattr(record, kept) is None
    assert constructed.model_dump_json() == record.model_dump_json()
    assert record.model_copy() == record
