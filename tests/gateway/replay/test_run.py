"""Deciding again: one verdict for each decision, and why."""

import json
import shutil

from dataclasses import replace

import pytest

from gateway.audit.drafts import person_erased
from gateway.audit.parts import act_alone
from gateway.audit.refusals import record_refusal
from gateway.bootstrap.gateway import running
from gateway.bootstrap.replay import replaying
from gateway.errors import GatewayError, ItemTooLargeError, NotFoundError, PackRefusedError, RequestRefusedError
from gateway.model import Subject
from gateway.replay.run import replay
from gateway.replay.verdicts import DAMAGED, ERASED, MATCH, MISMATCH, REFUSED, UNAVAILABLE
from ledger.query import Filter
from ledger.store import Erasure
from tests.support.clock import NOW
from tests.support.erasing import forget
from tests.support.oracle import catch_up, check_ledger, records
from tests.support.requests import asked
from tests.support.services import OPA, need

EVERYTHING = Filter()


def replayed(gateway, engine="embedded", wanted=EVERYTHING, deciders=lambda real: real, **more):
    """What becomes of what is on record; *deciders* may stand before the real ones."""
    catch_up(gateway)
    with replaying(gateway.settings, engine) as real:
        return replay(gateway.ledger.parts.evidence, deciders(real), wanted, **more)


@pytest.fixture
async def keeping(settings):
    """A gateway that keeps contents as evidence."""
    async with running(settings.model_copy(update={"keep_content": True}), clock=lambda: NOW) as gateway:
        yield gateway


@pytest.mark.parametrize("engine", ["embedded", "opa"])
async def test_everything_of_the_story(gateway, story, engine, monkeypatch):
    """
    Both engines decide each past ruling, the request and the set again as they were decided.
    """
    if engine == "opa":
        need(OPA is not None, "opa")
        monkeypatch.setenv("PATH", str(OPA).rpartition("/")[0], prepend=":")
    await gateway.pipeline.assemble(asked(story("npa-risk", "request"), story("npa-risk", "subject")))
    result = replayed(gateway, engine)
    assert result.wrong == []
    assert dict(result.counts) == {MATCH: 46}
    assert dict(result.around) == {("request.opened", MATCH): 1, ("pack.sealed", MATCH): 1}
    assert result.contents == 0


async def test_what_was_released_is_made_again(keeping, story, name="desk-counterparty"):
    """
    Where contents are kept, redaction, fences and labels are carried out again, and come to the bytes that were committed to; a
    pack is held against the records of its items.
    """
    await keeping.pipeline.assemble(asked(story(name, "request"), story(name, "subject")))
    result = replayed(keeping)
    assert result.wrong == []
    usable = [one for one in records(keeping, kind="item.ruled") if one.released_commitment]
    assert any("redact" in " ".join(one.obligations) for one in usable)
    assert result.contents == len(usable) + 1


class Spoiled:
    """Evidence of which the sealed sides of some decisions are others."""

    def __init__(self, evidence, change):
        self.store, self._evidence, self._change = evidence.store, evidence, change

    def opened(self, names):
        opened = {name: self._change(name, side) for name, side in self._evidence.opened(names).items()}
        return {name: side for name, side in opened.items() if side is not None}


def spoiling(kind, **change):
    """Evidence in which the first decision of a kind was kept with other parts."""

    def of(gateway):
        first = next(one for one in records(gateway, kind=kind) if kind != "item.ruled" or one.released_commitment)
        evidence = gateway.ledger.parts.evidence
        return Spoiled(
            evidence, lambda name, side: side.model_copy(update=change) if name == first.decision_id else side
        )

    return of


CHANGES = [
    ("item.ruled", {"input": b"{}"}),
    ("item.ruled", {"input": None}),
    ("item.ruled", {"content": b"another"}),
    ("item.ruled", {"means": b"{"}),
    ("request.opened", {"input": b"{}"}),
    ("request.opened", {"item_salt": None}),
    ("pack.sealed", {"content": b"another"}),
    ("pack.sealed", {"input": None}),
    ("pack.sealed", {"released": None}),
]


async def test_evidence_that_is_not_what_was_committed_to(keeping, small, subject):
    """
    Evidence that somebody changed or took away is a finding of its own, neither another decision nor an erasure; the others match.
    """
    await keeping.pipeline.assemble(asked(small, subject))
    catch_up(keeping)
    with replaying(keeping.settings, "embedded") as deciders:
        for kind, change in CHANGES:
            result = replay(spoiling(kind, **change)(keeping), deciders, Filter())
            assert [(one.verdict, one.kind) for one in result.wrong] == [(DAMAGED, kind)], change
            assert result.total(MATCH) == len(small["items"]) + 1


async def test_one_row_that_does_not_open(gateway, small, subject):
    """
    A sealed side with a changed byte is one verdict, and the run goes on.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    rows = gateway.store._connection
    rows.execute("DROP TRIGGER IF EXISTS asides_no_update")
    ruled = records(gateway, kind="item.ruled")[0].decision_id
    rows.execute("UPDATE asides SET body = CAST(body || 'x' AS BLOB) WHERE decision_id = ?", (ruled,))
    result = replayed(gateway)
    assert [(one.decision_id, one.verdict, one.why) for one in result.wrong] == [
        (ruled, DAMAGED, "what was kept does not open")
    ]
    assert result.counts[MATCH] == len(small["items"]) - 1


async def test_erased_only_with_an_erasure_on_record(gateway, small, subject):
    """
    What is gone without an erasure is a finding; with one it is erased.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    await gateway.pipeline.assemble(asked(small, {**subject, "sub": "somebody.else"}))
    rows = gateway.store._connection
    token = records(gateway, kind="request.opened")[0].subject
    rows.execute("DELETE FROM asides WHERE token = ?", (token,))
    result = replayed(gateway)
    assert (result.counts[DAMAGED], result.counts[ERASED]) == (len(small["items"]), 0)
    assert {one.why for one in result.wrong} == {"what was kept is gone, and no erasure is on record"}
    await _erase(gateway, subject)
    assert replayed(gateway).counts[ERASED] == len(small["items"])
    assert replayed(gateway).counts[MATCH] == len(small["items"])


async def _erase(gateway, subject):
    token = records(gateway, kind="request.opened")[0].subject
    eraser = await gateway.recorder.subject_token(subject["tenant"], "dpo")
    draft, side = person_erased(act_alone(NOW, subject["tenant"], eraser), token, "asked for", "0" * 64, outside=False)
    await gateway.recorder.append([draft], [side], [Erasure(subject["tenant"], subject["sub"])])


async def test_what_is_not_on_this_machine_is_no_wrong_decision(gateway, small, subject, monkeypatch, tmp_path):
    """
    Without the engine or the bundle nothing can be said, and that is what is said.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    monkeypatch.setenv("PATH", str(tmp_path))
    for result in (
        replayed(gateway, "opa"),
        replayed(gateway, deciders=lambda real: replace(real, ask=nothing)),
    ):
        assert set(result.counts) == {UNAVAILABLE}
        assert result.mismatches == []
    assert "opa" in replayed(gateway, "opa").wrong[0].why
    for path in gateway.settings.bundles_dir.glob("*.bundle"):
        path.unlink()
    gone = replayed(gateway)
    assert (set(gone.counts), gone.wrong[0].why) == ({UNAVAILABLE}, "there is no bundle of that revision")


def nothing(policy, body):
    raise NotFoundError("there is no bundle of that revision")


async def test_a_bundle_that_was_changed_decides_nothing(gateway, small, subject):
    """
    A bundle whose bytes are not those of its hash is a finding, and is not asked.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    for path in gateway.settings.bundles_dir.glob("*.bundle"):
        path.write_bytes(path.read_bytes().replace(b"risk_assessment", b"risk_assessmenu", 1))
    assert set(replayed(gateway).counts) == {DAMAGED}


ANSWERS = [
    ("context/release", "item.ruled", {"denials": [{"code": "X-1", "message": "x"}]}),
    ("context/release", "item.ruled", {"obligations": []}),
    ("context/release", "item.ruled", {"outcome": 5}),
    ("context/scope", "request.opened", {"filters": {}}),
    ("context/scope", "request.opened", {"allow": False}),
    ("context/pack", "pack.sealed", {"warnings": []}),
    ("context/pack", "pack.sealed", {"drop": [{"id": "sop-4.2.1", "in_favour_of": "npa-record"}]}),
]


async def test_a_bundle_that_answers_otherwise(gateway, small, subject):
    """
    Whatever a bundle says otherwise of an item, a request or a set is a mismatch of that record.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    for entrypoint, kind, change in ANSWERS:

        def changed(real, entrypoint=entrypoint, change=change):
            def ask(policy, body):
                for answer in real.ask(policy, body):
                    yield {**answer, **change} if policy["entrypoint"] == entrypoint else answer

            return replace(real, ask=ask)

        wrong = replayed(gateway, deciders=changed).wrong
        assert {(one.verdict, one.kind) for one in wrong} == {(MISMATCH, kind)}, change


async def test_obligations_that_come_to_something_else(keeping, small, subject):
    """
    Where another text would be released of the same content, the decision alone is not what matches.
    """
    await keeping.pipeline.assemble(asked(small, subject))

    class Other:
        def apply(self, text, cuts, pseudonyms):
            return "another"

    def changed(real):
        return replace(real, carrier=lambda *named: replace(real.carrier(*named), anonymizer=Other()))

    wrong = replayed(keeping, deciders=changed).wrong
    assert {(one.verdict, one.why) for one in wrong} == {
        (MISMATCH, "what was released is not what the obligations make of the content")
    }
    keeping.settings.state_dir.joinpath("keys/ids.secret").unlink()
    assert {one.verdict for one in replayed(keeping).wrong} == {UNAVAILABLE}


async def test_a_pack_with_a_text_that_no_record_commits_to(keeping, small, subject, monkeypatch):
    """
    A pack that was sealed over another text than its rulings released, as a gateway without the check would have, is a mismatch.
    """
    monkeypatch.setattr("gateway.stages.seal.check_committed", lambda ruled: None)
    monkeypatch.setattr("gateway.stages.seal.check_said", lambda *given: None)
    real = keeping.pipeline.ledger.append

    async def append(drafts, erasables=()):
        if drafts[0].kind == "request.opened":
            drafts = [
                draft.model_copy(update={"released_commitment": draft.released_commitment and "0" * 64})
                for draft in drafts
            ]
        return await real(drafts, erasables)

    monkeypatch.setattr(keeping.pipeline.ledger, "append", append)
    await keeping.pipeline.assemble(asked(small, subject))
    wrong = replayed(keeping).wrong
    assert ("pack.sealed", MISMATCH) in {(one.kind, one.verdict) for one in wrong}


@pytest.mark.parametrize("mode", ["both", "cedar"])
async def test_what_cedar_said_is_said_again(settings, small, subject, mode):
    """
    Where Cedar refuses of its own, beside Rego or alone, the ruling is decided again with Cedar; also where the record is from
    before both ways had names of their own.
    """
    policies = settings.state_dir / "policies"
    shutil.copytree(settings.policies_dir, policies)
    forbid = '@id("x") @code("ENT-004") @message("no") forbid (principal, action, resource) when { resource has data_classification };'
    path = policies / "cedar/entitlement.cedar"
    path.write_text(f"{path.read_text()}\n{forbid}\n")
    chosen = settings.model_copy(update={"entitlement_engine": mode, "policies_dir": policies})
    async with running(chosen, clock=lambda: NOW) as gateway:
        await gateway.pipeline.rule(asked(small, subject))
        ruled = records(gateway, kind="item.ruled")
        assert any("ENT-004" in one.codes for one in ruled)
        assert {one.policy.engine for one in ruled} == {"regorus+cedar" if mode == "both" else "regorus+cedar-alone"}
        result = replayed(gateway, "recorded")
        assert (result.wrong, result.counts) == ([], {MATCH: len(ruled)})

        def before(real):
            return replace(real, ask=lambda policy, body: real.ask({**policy, "engine": "regorus+cedar"}, body))

        def rego(real):
            return replace(real, ask=lambda policy, body: real.ask({**policy, "engine": "regorus"}, body))

        assert replayed(gateway, deciders=before).counts == {MATCH: len(ruled)}
        assert replayed(gateway, deciders=rego).counts[MISMATCH] > 0


async def test_what_was_other_then_is_said(gateway, small, subject):
    """
    Versions of engine and detectors that differ from those on record are named, and change no verdict.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    catch_up(gateway)
    with replaying(gateway.settings, "opa", {"injection": "0"}) as deciders:
        told = replace(deciders, ask=lambda policy, body: iter([json.loads(body)]))
        notes = replay(gateway.ledger.parts.evidence, told, Filter()).notes
    assert any(note.startswith("screened by injection") and "here is 0" in note for note in notes)
    assert "decided by regorus, and again by another engine" in notes
    # A limit counts decisions of every kind, and a kind that is asked for is the only one.
    assert replayed(gateway, limit=3).total(MATCH) == 3
    assert replayed(gateway, limit=0).total(MATCH) == 0
    assert dict(replayed(gateway, wanted=Filter(kind="pack.sealed")).around) == {("pack.sealed", MATCH): 1}
    assert replayed(gateway, wanted=Filter(kind="lane.opened")).total(MATCH) == 0


async def refused(gateway, request, subject):
    """The error that a request ends with, on record."""
    with pytest.raises(GatewayError) as caught:
        await gateway.pipeline.assemble(asked(request, subject))
    if not caught.value.recorded:
        await record_refusal(caught.value, Subject.model_validate(subject), NOW, None, ledger=gateway.recorder)
    return caught.value


async def test_what_policy_refused(gateway, small, subject):
    """
    A request that policy refuses is asked about again, and so is a set; nothing of either stands in the record but codes and
    commitments, and the ledger verifies.
    """
    error = await refused(gateway, {**small, "purpose": "routing"}, subject)
    assert isinstance(error, RequestRefusedError)
    without_record = [one for one in small["items"] if one["id"] != "npa-record"]
    starved = await refused(gateway, {**small, "items": without_record, "query": "of the rest"}, subject)
    assert isinstance(starved, PackRefusedError)
    result = replayed(gateway)
    assert result.wrong == []
    assert result.around[REFUSED, MATCH] == 2
    denied = [one for one in records(gateway, kind="request.opened") if one.outcome == "denied"]
    assert [one.policy.entrypoint for one in denied] == ["context/scope", "context/pack"]
    check_ledger(gateway)


async def test_what_is_kept_is_what_was_asked(gateway, small, subject):
    """
    Other facts than those that the record commits to are damaged, other reasons than policy's are another decision, and after an
    erasure there is nothing to ask.
    """
    await refused(gateway, {**small, "purpose": "routing"}, subject)

    def changed(_, side):
        return side.model_copy(update={"input": b"{}"}) if side.input else side

    real = gateway.ledger.parts.evidence
    object.__setattr__(gateway.ledger.parts, "evidence", Spoiled(real, changed))
    assert replayed(gateway).around[REFUSED, DAMAGED] == 1
    object.__setattr__(gateway.ledger.parts, "evidence", real)
    error = RequestRefusedError("policy refuses this request", reasons=["JUR-999"])
    error.asked = (await refused(gateway, {**small, "purpose": "routing"}, subject)).asked
    await record_refusal(error, Subject.model_validate(subject), NOW, None, ledger=gateway.recorder)
    assert [(one.kind, one.verdict) for one in replayed(gateway).wrong] == [(REFUSED, MISMATCH)]
    await forget("gfm", subject["sub"], gateway.stores, gateway.ledger, gateway.settings)
    assert {verdict for kind, verdict in replayed(gateway).around if kind == REFUSED} == {ERASED}


async def test_what_the_gateway_refused_itself(gateway, subject):
    """
    Of a refusal that policy was not asked about it is said that there is nothing to make again, and why; it is no failure.
    """
    error = ItemTooLargeError("an item is too large")
    await record_refusal(error, Subject.model_validate(subject), NOW, None, ledger=gateway.recorder)
    result = replayed(gateway)
    assert dict(result.around) == {(REFUSED, UNAVAILABLE): 1}
    assert (result.wrong, result.unavailable) == ([], [])
    assert list(result.notes) == [f"refused with {error.code}, and nothing is kept that policy was asked"]
