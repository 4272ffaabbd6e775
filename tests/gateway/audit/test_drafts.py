"""Drafts of records: what an auditor can count on in each."""

import hashlib

from gateway.audit.drafts import draft_of, opened, policy_part, refused
from gateway.model import Subject
from tests.support.packing import case_of

PERSON = Subject(sub="ann", tenant="gfm", role="r", department="d", jurisdictions=())


def test_a_record_of_a_case():
    """
    Every record of a case names its trace, request, tenant, agent, purpose and time, and its person by a token alone.
    """
    case = case_of()
    draft = draft_of(case, "token", "item.ruled", case.derive_id("item", "a"), outcome="denied", codes=("JUR-001",))
    assert (draft.trace_id, draft.request_id, draft.tenant) == (case.trace_id, case.request_id, "t")
    assert (draft.agent, draft.purpose, draft.at, draft.subject) == ("RISK", "risk_assessment", case.at, "token")
    assert '"s"' not in draft.model_dump_json()


def test_a_request_is_opened_once():
    """
    The same request is opened under the same id, so that a retry makes no second record.
    """
    assert opened(case_of(), "token") == opened(case_of(), "token")
    assert opened(case_of(), "token").policy.entrypoint == "context/scope"
    assert opened(case_of(query="other"), "token").decision_id != opened(case_of(), "token").decision_id


def test_a_refusal_has_codes_in_order_and_no_name():
    """
    A refused request is on record as denied, with its codes sorted and the person's token.
    """
    draft = refused(
        PERSON,
        "token",
        decision_id="00000000-0000-7000-8000-000000000000",
        at="2026-03-01T09:15:00.000000Z",
        trace_id="t",
        codes=["SCP-004", "GW-150"],
    )
    assert (draft.kind, draft.outcome, draft.codes) == ("request.opened", "denied", ("GW-150", "SCP-004"))
    assert draft.request_id == draft.decision_id
    assert "ann" not in draft.model_dump_json()


def test_what_decided_is_named_in_full():
    """
    Bundle, engine and version, entrypoint and the commitment to what was asked: enough to decide again.
    """
    commitment = hashlib.sha256(b"x").hexdigest()
    part = policy_part(case_of(), "context/admit", commitment)
    assert part.model_dump() == {
        "revision": "r",
        "engine": "e",
        "engine_version": "1",
        "entrypoint": "context/admit",
        "input_commitment": commitment,
    }
