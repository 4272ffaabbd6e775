"""A case, and the ids that are derived from it."""

import uuid

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from gateway.model.case import uuid7
from gateway.model.policy_answer import Denial
from tests.support.clock import NOW
from tests.support.packing import case_of, ruling


@given(st.binary(min_size=10, max_size=32), st.datetimes().map(lambda moment: moment.replace(tzinfo=NOW.tzinfo)))
def test_uuid7(keyed_name, moment):
    """
    Whatever the mark and the time, the id is a UUID of version 7 and variant RFC 9562, and holds the milliseconds.
    """
    made = uuid.UUID(uuid7(moment, keyed_name))
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert made.int >> 80 == int(moment.timestamp() * 1000) & (2**48 - 1)


def test_ids_sort_by_time():
    """
    An id of a later millisecond sorts after an earlier one, whatever else is in it.
    """
    assert uuid7(NOW, b"\xff" * 10) < uuid7(NOW + timedelta(milliseconds=1), b"\x00" * 10)


def test_ids_are_the_same_for_the_same_request_and_apart_for_others():
    """
    The same request at the same time has the same ids; another query or another name has others.
    """
    assert case_of().derive_id("item", "a") == case_of().derive_id("item", "a")
    assert len({case_of().derive_id("item", "a"), case_of().derive_id("item", "b"), case_of().request_id}) == 3
    assert case_of(query="x").request_id != case_of(query="y").request_id


def test_salts_and_ids_do_not_meet():
    """
    A salt is 32 secret bytes that no id of the case tells.
    """
    case = case_of()
    assert len(case.derive_salt("pack")) == 32
    assert case.derive_salt("pack") != case.derive_salt("other")
    assert case.derive_id("pack").replace("-", "") not in case.derive_salt("pack").hex()


def test_policy_is_not_told_who_asks():
    """
    Of the person policy learns tenant, role, department, jurisdictions, domains, entitlements and agents: no name.
    """
    facts = case_of().facts()
    assert set(facts["subject"]) == {
        "tenant",
        "role",
        "department",
        "jurisdictions",
        "domains",
        "entitlements",
        "agents",
    }
    assert facts["request"]["has_query"] is False
    assert case_of(query="the question").facts()["request"]["has_query"] is True
    assert "the question" not in str(case_of(query="the question").facts())


def test_a_request_without_a_session_is_one_of_its_own():
    """
    Two requests without a session share none, so that the tokens of one are not those of the other.
    """
    assert case_of(query="a").session != case_of(query="b").session
    assert case_of(session_id="s", query="a").session == case_of(session_id="s", query="b").session == "s"


def test_codes_and_use_of_a_ruling():
    """
    Codes are sorted and stand once; only what is released or redacted may be used.
    """
    denials = tuple(Denial(code=code, message="x") for code in ("B-2", "A-1", "B-2"))
    one = ruling("x").model_copy(update={"denials": denials})
    assert one.codes == ("A-1", "B-2")
    usable = {
        outcome: one.model_copy(update={"outcome": outcome}).usable
        for outcome in ("released", "redacted", "quarantined", "denied", "dropped")
    }
    assert usable == {"released": True, "redacted": True, "quarantined": False, "denied": False, "dropped": False}
