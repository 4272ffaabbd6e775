"""The promises of the pipeline, with its real engines; what only fails is a fake."""

import asyncio

from dataclasses import replace
from datetime import timedelta

import pytest

from gateway.errors import PolicyMalformedError, RecordError, RequestRefusedError
from ledger.tlog.merkle import leaf_hash
from tests.support.clock import NOW
from tests.support.fakes import AnsweringPolicy, BrokenLedger
from tests.support.oracle import check_ledger, records, stored_records


class TestPromises:
    async def test_every_candidate_has_one_ruling_on_record(self, gateway, ask, story):
        """
        Promise 2: every candidate has exactly one record, also those that passed untouched.
        """
        request = story("npa-risk", "request")
        pack = await gateway.pipeline.assemble(ask(request))
        ruled = records(gateway, kind="item.ruled")
        assert [item["id"] for item in request["items"]] == [record.item.id for record in ruled]
        [sealed] = records(gateway, kind="pack.sealed")
        assert len(request["items"]) == sealed.pack.rulings
        assert list(sealed.pack.items) == [i.decision_id for s in pack.sections for i in s.items]
        assert leaf_hash(stored_records(gateway, kind="item.ruled")[-1].encode()).hex() == sealed.pack.lane_head
        check_ledger(gateway)

    async def test_records_come_before_release(self, gateway, ask, small):
        """
        Promise 1: when the rulings, or the pack's own record, cannot be written, nothing is handed over.
        """
        for acknowledged in (0, 1):
            broken = replace(gateway.pipeline, ledger=BrokenLedger(gateway.recorder, acknowledged))
            with pytest.raises(RecordError):
                await broken.assemble(ask({**small, "query": f"try {acknowledged}"}))
        assert not records(gateway, kind="pack.sealed")
        check_ledger(gateway)

    async def test_same_request_same_bytes(self, gateway, ask, story):
        """
        Promise 5: the same request at the same time gives the same bytes, receipt included, and no second records.
        """
        request = story("npa-risk", "request")
        first = await gateway.pipeline.assemble(ask(request))
        count = len(records(gateway))
        again = await gateway.pipeline.assemble(ask(request))
        assert first.model_dump_json() == again.model_dump_json()
        assert count == len(records(gateway))

    async def test_another_time_is_another_request(self, gateway, ask, small):
        """
        Two requests that differ only in time have ids of their own.
        """
        asked = ask(small)
        first = await gateway.pipeline.assemble(asked)
        later = await gateway.pipeline.assemble(replace(asked, now=NOW + timedelta(microseconds=1)))
        assert first.id != later.id


@pytest.mark.parametrize("entrypoint", ["context/scope", "context/admit", "context/release", "context/pack"])
@pytest.mark.parametrize(
    "change",
    [
        lambda answers: answers[:-1],
        lambda answers: [{} for _ in answers],
        lambda answers: [True for _ in answers],
        lambda answers: [None for _ in answers],
        lambda answers: [{**answer, "extra": 1} for answer in answers],
        lambda answers: [{**answer, "denials": "none"} for answer in answers],
    ],
)
async def test_a_wrong_answer_of_policy_releases_nothing(gateway, ask, small, entrypoint, change):
    """
    A short, empty or shapeless answer at any entrypoint stops the request, and the refusal is on record.
    """
    broken = replace(gateway.pipeline, policy=AnsweringPolicy(gateway.pipeline.policy, entrypoint, change))
    with pytest.raises(PolicyMalformedError):
        await broken.assemble(ask(small))
    [refusal] = records(gateway, kind="request.opened", outcome="denied")
    assert refusal.codes == ("GW-202",)


async def test_many_requests_at_once(gateway, ask, small):
    """
    Requests side by side each get their own pack, and the ledger holds together.
    """
    packs = await asyncio.gather(
        *(gateway.pipeline.assemble(ask({**small, "query": f"question {n}"})) for n in range(20))
    )
    assert len({pack.id for pack in packs}) == 20
    assert check_ledger(gateway).packs == 20


async def test_rulings_without_a_pack(gateway, ask, small):
    """
    Rulings alone are the rulings of the pack, on records of their own.
    """
    pack = await gateway.pipeline.assemble(ask(small))
    verdict = await gateway.pipeline.rule(ask(small))
    assert [(r.item_id, r.outcome) for r in pack.rulings] == [(r.item_id, r.outcome) for r in verdict.rulings]
    assert verdict.receipt
    assert check_ledger(gateway).packs == 2
    with pytest.raises(RequestRefusedError):
        await gateway.pipeline.rule(ask(small, role="intern"))
