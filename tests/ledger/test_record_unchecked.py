"""Records that are made without a check, because their members have passed one."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.record import GatewayPart, Lane, Record, unchecked_record
from tests.support.strategies import ORIGIN, ruling

REPLICA = "00000000-0000-4000-8000-000000000001"


def placed(draft, seq=0):
    lane = Lane(id=REPLICA, epoch=1, seq=seq, prev="0" * 64)
    return draft.placed(origin=ORIGIN, lane=lane, gateway=GatewayPart(replica=REPLICA, build="0.1.0"))


@given(
    st.sampled_from(["released", "denied", "quarantined"]),
    st.lists(st.from_regex(r"[A-Z]{3}-\d{3}", fullmatch=True), max_size=3),
    st.integers(0, 2**40),
)
def test_it_is_what_pydantic_constructs(outcome, codes, seq):
    """
    A record at its place equals what `model_construct` makes of the same members, in all that pydantic keeps of it and in its bytes.
    """
    record = placed(ruling(REPLICA, outcome=outcome, codes=tuple(codes)), seq)
    constructed = Record.model_construct(**record.__dict__)
    assert constructed == record
    assert constructed.__dict__ == record.__dict__
    assert constructed.model_fields_set == record.model_fields_set == set(Record.model_fields)
    assert (constructed.__pydantic_extra__, constructed.__pydantic_private__) == (None, None)
    assert (record.__pydantic_extra__, record.__pydantic_private__) == (None, None)
    assert constructed.encode() == record.encode()


def test_it_may_be_copied_and_compared():
    """
    What is made so is a whole model: it copies, compares and dumps as one that was checked.
    """
    record = placed(ruling(REPLICA))
    assert record.model_copy() == record == Record.decode(record.encode())
    assert record.model_dump() == Record.model_construct(**record.__dict__).model_dump()


def test_nothing_is_left_out():
    """
    The members that are handed over are all that a record has.
    """
    members = placed(ruling(REPLICA)).__dict__
    assert members.keys() == Record.model_fields.keys()
    assert unchecked_record(dict(members)) == placed_again(members)


def placed_again(members):
    return Record.model_construct(**members)
