"""Receipts as attestations: what the gateway handed an agent vouches for what the agent wrote from it, and for nothing else."""

import base64

from datetime import timedelta

import pytest

from pydantic import ValidationError

from adapters.attestation.receipts import LogReceiptVerifier
from gateway.bootstrap.key_files import log_keys, next_signing_key, signing_key, take_over
from gateway.bootstrap.keys import receipt_verifier
from gateway.model import Candidate
from ledger.receipt import place_in
from tests.support.clock import NOW
from tests.support.oracle import records
from tests.support.packs import items_of
from tests.support.requests import asked
from tests.support.signing import signed


def output(receipt, agent="RISK", **changes):
    """What an agent wrote, as an item with a receipt."""
    labels = {
        "source_id": f"agent:{agent}",
        "source_type": "agent_output",
        "version": "1",
        "owner": "AI Platform Engineering",
        "fetched_at": NOW.isoformat(),
        "ttl_seconds": 10**9,
        "data_classification": "INTERNAL",
        "jurisdiction": "SG",
        "domain": "NPA",
    }
    item = {
        "id": "prior",
        "section": "prior_result",
        "content": {"agent": agent, "summary": "A tenor of twelve months."},
        "media_type": "application/json",
        "receipt": receipt,
    }
    return {**item, "provenance": {**labels, **changes}}


def candidate(receipt):
    return Candidate.model_validate(output(receipt))


@pytest.fixture
def ask(subject):
    return lambda request: asked(request, subject)


@pytest.fixture
async def receipt(gateway, ask, small):
    """The receipt of a pack for RISK."""
    return (await gateway.pipeline.assemble(ask(small))).receipt


def test_nothing_to_verify(settings):
    """
    An item without a receipt has none that could vouch for it.
    """
    assert LogReceiptVerifier(()).verify(Candidate(id="a", section="knowledge", content="x"), "gfm", NOW) is None


class TestVerified:
    async def test_by_the_logs_keys(self, settings, receipt, subject):
        """
        A receipt verifies without the ledger, and says for which agent the pack was and when.
        """
        tenant = subject["tenant"]
        told = receipt_verifier(settings).verify(candidate(receipt), tenant, NOW + timedelta(seconds=90))
        assert told == {
            "method": "receipt",
            "issuer": "RISK",
            "key": receipt["key"],
            "signed_at": "2026-03-01T09:15:00.000000Z",
            "age_seconds": 90,
            "verified": True,
        }

    async def test_by_a_key_that_was_replaced(self, gateway, settings, receipt, subject):
        """
        Once the log's key was replaced, a receipt under the old one counts for what stood in the log before, and for nothing
        else: not for a record that came later, and not where there is no log to look in.
        """
        index = gateway.store.index_of(records(gateway, kind="pack.sealed")[0].decision_id)
        place, old = place_in(gateway.store), signing_key(settings).key
        for end, holds in ((index + 1, True), (index, False)):
            next_key = next_signing_key(settings).key
            take_over(settings, old, next_key, end)
            told = receipt_verifier(settings, place).verify(candidate(receipt), subject["tenant"], NOW)
            assert told["verified"] is holds
            alone = receipt_verifier(settings).verify(candidate(receipt), subject["tenant"], NOW)
            assert alone["verified"] is False

    async def test_not_for_others(self, settings, receipt, subject):
        """
        Another tenant's pack vouches for nothing, and neither does a receipt that another log signed.
        """
        verifier = receipt_verifier(settings)
        assert verifier.verify(candidate(receipt), "another", NOW)["verified"] is False
        told = LogReceiptVerifier(()).verify(candidate(receipt), subject["tenant"], NOW)
        assert (told["verified"], told["issuer"], told["signed_at"]) == (False, "", None)

    async def test_not_of_rulings_alone(self, gateway, settings, ask, small, subject):
        """
        Rulings are sealed too, but hand nothing over that an agent could write from.
        """
        answer = await gateway.pipeline.rule(ask(small))
        told = receipt_verifier(settings).verify(candidate(answer.receipt), subject["tenant"], NOW)
        assert told["verified"] is False

    async def test_no_bit_can_be_another(self, settings, receipt, subject):
        """
        Not one character of the record or of its signature can be another, and no other place in the log be named.
        """
        verifier = receipt_verifier(settings)
        record, mark = receipt["record"], bytearray(base64.b64decode(receipt["signature"]))
        mark[5] ^= 1
        lane = {**receipt["lane"], "seq": receipt["lane"]["seq"] + 1}
        for change in (
            *(
                {"record": record[:at] + chr(ord(record[at]) ^ 1) + record[at + 1 :]}
                for at in range(0, len(record), 37)
            ),
            {"record": record.replace("RISK", "GOVERNANCE")},
            {"record": "{}"},
            {"signature": base64.b64encode(mark).decode()},
            {"signature": "not base64"},
            {"key": "another"},
            {"origin": "another"},
            {"lane": lane},
        ):
            told = verifier.verify(candidate({**receipt, **change}), subject["tenant"], NOW)
            assert told["verified"] is False, change
        assert log_keys(settings)


@pytest.mark.signatures
class TestEndToEnd:
    """With the real verifier: the pack comes from a gateway where the story's items are signed with the development key."""

    @pytest.fixture
    async def handed(self, gateway, settings, ask, small):
        """What one agent was given: the request that is signed, and the pack's receipt."""
        request = signed(small, settings)
        return request, (await gateway.pipeline.assemble(ask(request))).receipt

    async def ruled(self, gateway, ask, request, item):
        before = len(records(gateway, kind="item.ruled"))
        await gateway.pipeline.rule(ask({**request, "items": [*request["items"], item]}))
        [one] = [one for one in records(gateway, kind="item.ruled")[before:] if one.item.id == item["id"]]
        return one.outcome, one.codes, one.source.tier

    async def test_an_agents_output(self, gateway, ask, handed):
        """
        With the receipt the output counts as the agent's, unfenced; without it as any caller's text, fenced.
        """
        request, receipt = handed
        for given, tier, fenced in ((receipt, 1, False), (None, 5, True)):
            before = len(records(gateway, kind="item.ruled"))
            pack = await gateway.pipeline.assemble(ask({**request, "items": [*request["items"], output(given)]}))
            [one] = [one for one in records(gateway, kind="item.ruled")[before:] if one.item.id == "prior"]
            assert (one.outcome, one.source.tier, "fence" in one.obligations) == ("released", tier, fenced), one.codes
            found = items_of(pack)["prior"]
            assert found.provenance.attested_by == ("RISK" if given else None)

    async def test_what_a_receipt_does_not_vouch_for(self, gateway, ask, handed):
        """
        Not for another agent's output, not for a record, not for a text in a section that instructs, and not when it was changed.
        """
        request, receipt = handed
        forged = {**receipt, "record": receipt["record"].replace("RISK", "AUTOFILL")}
        for item, code in (
            (output(receipt, agent="AUTOFILL"), "ATT-004"),
            (output(receipt, source_type="system_of_record"), "ATT-004"),
            ({**output(receipt), "section": "few_shot"}, "ATT-005"),
            (output(forged, agent="AUTOFILL"), "ATT-001"),
        ):
            outcome, codes, _ = await self.ruled(gateway, ask, request, item)
            assert (outcome, code in codes) == ("denied", True), codes

    async def test_the_agents_own_turn(self, gateway, ask, handed):
        """
        The assistant's turn with the receipt of the pack that it answered from is the agent's own, and data all the same: the
        receipt does not bind what was said.
        """
        request, receipt = handed
        turn = {**output(receipt, source_id="session:s-81f"), "section": "conversation"}
        assert await self.ruled(gateway, ask, request, turn) == ("released", (), 5)

    async def test_one_word_alone(self, handed):
        """
        An item with a signature and a receipt is no item: which of them was meant cannot be told.
        """
        with pytest.raises(ValidationError, match="not both"):
            Candidate.model_validate({**output(handed[1]), "attestation": "a..b"})
