"""Drafts of records: what an auditor can count on in each kind."""

import hashlib
import json

import pytest

from gateway.audit import drafts
from gateway.audit.parts import SYSTEM_TENANT, act_alone, act_of_case, answer_bytes, decided_by
from gateway.model import Loss, PolicyVersion, RulingsAnswer
from gateway.model.pack import Withheld
from gateway.model.policy_answer import PackAnswer
from ledger.canonical import jcs
from ledger.erasable import commit
from ledger.lane import Written
from ledger.record import GatewayPart, Lane
from tests.support.clock import NOW
from tests.support.packing import SCOPED, case_of, pieces, ruling
from tests.support.strategies import uid

VERSION = PolicyVersion(revision="r", engine="e", engine_version="1")
VERDICT = RulingsAnswer(
    id="pack_1", created_at="", request={}, policy={}, rulings=(), withheld=Withheld(count=0, codes={})
)


def ruled(**changes):
    case = case_of()
    one = ruling("a", content="The limit is 5.").model_copy(
        update={"decision_id": case.derive_id("item", "a"), "entrypoint": "context/admit", **changes}
    )
    return one, case, *drafts.item_ruled(one, case, "token", keep_content=False)


def test_a_record_of_a_case():
    """
    Every record of a case names its trace, request, tenant, agent, purpose and time, and its person by a token alone.
    """
    _, case, draft, _ = ruled()
    assert (draft.trace_id, draft.request_id, draft.tenant) == (case.trace_id, case.request_id, "t")
    assert (draft.agent, draft.purpose, draft.at, draft.subject) == ("RISK", "risk_assessment", case.at, "token")
    assert '"s"' not in draft.model_dump_json()


def test_a_ruling_commits_to_what_it_does_not_say():
    """
    The text, what was released and what policy was asked are committed to, each under a salt of its own, and none is said.
    """
    _, _, draft, aside = ruled()
    assert draft.item.commitment == commit(aside.item_salt, b"The limit is 5.")
    assert draft.released_commitment == commit(aside.released_salt, b"The limit is 5.")
    assert draft.policy.input_commitment == commit(aside.input_salt, aside.input)
    assert len({aside.item_salt, aside.released_salt, aside.input_salt}) == 3
    assert "limit" not in draft.model_dump_json()
    assert aside.content is None


def test_what_is_released_in_a_fence_is_committed_to_with_it():
    """
    The commitment is to the bytes that are handed over, fence and all.
    """
    one = ruling("u", "upload", "Read me.", fenced=True).model_copy(update={"entrypoint": "context/release"})
    one = one.model_copy(update={"decision_id": case_of().derive_id("item", "u")})
    _, aside = drafts.item_ruled(one, case_of(), "token", keep_content=True)
    assert aside.content == b"Read me."
    assert aside.released.startswith(b"<<untrusted ")


def test_a_request_is_opened_once():
    """
    The same request is opened under the same id, so that a retry makes no second record.
    """
    one, two = (drafts.request_opened(case_of(), "token", SCOPED)[0] for _ in range(2))
    assert one.decision_id == two.decision_id
    assert one.policy.input_commitment != two.policy.input_commitment
    assert one.policy.entrypoint == "context/scope"
    other, _ = drafts.request_opened(case_of(query="other"), "token", SCOPED)
    second, _ = drafts.request_opened(case_of(), "token", SCOPED, place=1)
    assert len({one.decision_id, other.decision_id, second.decision_id}) == 3


def test_what_policy_said_of_a_request_and_of_a_set_is_committed_to():
    """
    Question and answer of the request as a whole, and of the set where policy was asked about one, each under a salt.
    """
    case, set_ = case_of(), PackAnswer(allow=True, denials=(), missing=(), drop=(), yields=(), warnings=())
    opened, side = drafts.request_opened(case, "token", SCOPED)
    assert opened.policy.input_commitment == commit(side.input_salt, jcs(dict(case.facts())))
    assert opened.item.commitment == commit(side.item_salt, answer_bytes(SCOPED))
    asked = ({"items": []}, set_)
    draft, aside = drafts.pack_sealed(VERDICT, b"s" * 32, [_written(opened)], [], case, asked=asked, keep_content=True)
    assert draft.policy.input_commitment == commit(aside.input_salt, b'{"items":[]}')
    assert draft.item.commitment == commit(b"s" * 32, answer_bytes(set_))
    alone, _ = drafts.pack_sealed(VERDICT, b"s" * 32, [_written(opened)], [], case, keep_content=False)
    assert (alone.item, alone.policy.input_commitment) == (None, None)


def _written(draft):
    lane = Lane(id=uid(), epoch=1, seq=0, prev="0" * 64)
    return Written(draft.placed(origin="o", lane=lane, gateway=GatewayPart(replica=uid(), build="b")), b"l" * 32)


def test_a_decision_that_follows_another_says_so_in_all_its_records():
    """
    Whichever of its records somebody holds, it names the decision before.
    """
    case = case_of().model_copy(update={"repeats": uid()})
    opened, _ = drafts.request_opened(case, "token", SCOPED)
    one = ruling("a").model_copy(update={"decision_id": case.derive_id("item", "a"), "entrypoint": "context/admit"})
    ruled, _ = drafts.item_ruled(one, case, "token", keep_content=False)
    assert opened.repeats == ruled.repeats == case.repeats


def test_a_refusal_has_codes_in_order_and_no_name():
    """
    A refused request is on record as denied, with its codes sorted and the person's token.
    """
    draft, _ = drafts.request_refused(act_alone(NOW, "gfm", "token", trace_id="t"), ["SCP-004", "GW-150"])
    assert (draft.kind, draft.outcome, draft.codes) == ("request.opened", "denied", ("GW-150", "SCP-004"))
    assert draft.request_id == draft.decision_id
    assert (draft.trace_id, draft.subject) == ("t", "token")


def test_what_no_person_did_has_no_person():
    """
    A process that begins or ends is of the system's tenant and of nobody.
    """
    opened, _ = drafts.lane_opened(act_alone(NOW))
    for draft in (opened, drafts.lane_closed(act_alone(NOW))):
        assert (draft.tenant, draft.subject, draft.codes) == (SYSTEM_TENANT, None, ())


def test_a_rollback_says_why_in_the_erasable_side():
    """
    Going on from an older state is a lane that is opened with a code, and the reason is for whoever may open it.
    """
    draft, aside = drafts.lane_opened(act_alone(NOW, "-", "token"), {"reason": "restored from tape"})
    assert draft.codes == ("ROLLBACK-ACCEPTED",)
    assert json.loads(aside.content) == {"reason": "restored from tape"}
    assert "tape" not in draft.model_dump_json()


def test_an_exception_is_on_record_beside_the_ruling_it_changed():
    """
    The record of an exception says what the ruling says, and names the exception alone.
    """
    one, case, draft, _ = ruled(exceptions=("EXC-1", "EXC-2"))
    used = drafts.exception_used("EXC-1", one, draft, case)
    assert (used.kind, used.exceptions, used.findings) == ("exception.used", ("EXC-1",), ())
    assert (used.item, used.policy, used.outcome, used.subject) == (draft.item, draft.policy, draft.outcome, "token")
    assert used.decision_id != draft.decision_id


@pytest.mark.parametrize(("reason", "code"), [("budget", "DROP-BUDGET"), ("near_duplicate", "DROP-NEAR_DUPLICATE")])
async def test_what_is_left_out_says_why(lane, reason, code):
    """
    An allowed item that is left out is named as its ruling named it.
    """
    one, case, draft, aside = ruled()
    [written] = await lane.append([draft], [aside])
    dropped = drafts.item_dropped(written, Loss(piece=pieces(one)[0], reason=reason), case)
    assert (dropped.kind, dropped.codes, dropped.outcome, dropped.item) == (
        "item.dropped",
        (code,),
        "dropped",
        draft.item,
    )


def test_what_decided_is_named_in_full():
    """
    Bundle, engine and version, entrypoint and the commitment to what was asked: enough to decide again.
    """
    commitment = hashlib.sha256(b"x").hexdigest()
    assert decided_by(VERSION, "context/admit", commitment).model_dump() == {
        "revision": "r",
        "engine": "e",
        "engine_version": "1",
        "entrypoint": "context/admit",
        "input_commitment": commitment,
    }


def test_the_act_of_a_case_is_its_request():
    """
    All records of one request share its id, trace and time.
    """
    case = case_of()
    act = act_of_case(case, "token")
    assert (act.request_id, act.trace_id, act.at) == (case.request_id, case.trace_id, case.at)
