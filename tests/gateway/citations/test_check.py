"""Claims against a sealed pack: what is flagged and why, and what is on record."""

import json

from datetime import timedelta

import httpx
import pytest

from gateway.api.app import create_app
from gateway.errors import RecordError
from tests.support.clock import NOW
from tests.support.fakes import AnsweringPolicy
from tests.support.oracle import everything_stored, records
from tests.support.packs import SCOPE, cite, item, sentence


class TestFlags:
    async def test_a_grounded_claim(self, sealed, verify):
        """
        A claim that a current source with authority says, cited in full, is grounded.
        """
        claim = {
            "text": sentence(sealed, "sop-4.2.1"),
            "type": "classification_criteria",
            "citations": [cite(sealed, "sop-4.2.1")],
        }
        reply = (await verify(claim)).json()
        [report] = reply["claims"]
        assert (report["grounded"], report["flags"], reply["score"]) == (True, [], 1.0)
        assert report["citations"] == [{"item_id": "sop-4.2.1", "support": 1.0}]

    @pytest.mark.parametrize(
        ("change", "flag"),
        [
            ({"citations": []}, "UNGROUNDED"),
            ({"citations": [{"doc_id": "SOP_of_nowhere", "version": "1", "section": "2"}]}, "PHANTOM_CITATION"),
            ({"text": "The moon is made of green cheese."}, "MISATTRIBUTION"),
        ],
    )
    async def test_flags(self, sealed, verify, change, flag):
        """
        Each thing that can be wrong with a claim has its own flag.
        """
        claim = {
            "text": sentence(sealed, "sop-4.2.1"),
            "type": "classification_criteria",
            "citations": [cite(sealed, "sop-4.2.1")],
            **change,
        }
        [report] = (await verify(claim)).json()["claims"]
        assert report["flags"] == [flag]
        assert report["messages"]

    async def test_another_version_is_stale(self, sealed, verify):
        """
        A citation of another version than the pack holds is of a stale source.
        """
        cited = {**cite(sealed, "sop-4.2.1"), "version": "3.1"}
        claim = {"text": sentence(sealed, "sop-4.2.1"), "type": "classification_criteria", "citations": [cited]}
        [report] = (await verify(claim)).json()["claims"]
        assert report["flags"] == ["STALE_SOURCE"]

    async def test_later_the_source_is_stale(self, sealed, settings, token):
        """
        What was current when the pack was sealed is stale once its time to live is over.
        """
        record = item(sealed, "npa-record")
        later = NOW + timedelta(seconds=record["provenance"]["ttl_seconds"] + 1)
        claim = {
            "id": "c",
            "text": " ".join(f"{name} {value}" for name, value in record["content"].items() if isinstance(value, str)),
            "citations": [{"item_id": "npa-record"}],
        }
        app = create_app(settings, clock=lambda: later)
        claims = {"exp": int((later + timedelta(hours=1)).timestamp()), "scope": SCOPE}
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://ctxgate")
        async with app.router.lifespan_context(app), http:
            headers = {"authorization": f"Bearer {token(**claims)}"}
            body = json.dumps({"pack": sealed, "claims": [claim]})
            answer = await http.post("/v1/citations/verify", content=body, headers=headers)
        [report] = answer.json()["claims"]
        assert "STALE_SOURCE" in report["flags"]

    async def test_authority(self, sealed, verify):
        """
        A credit limit is not grounded in a procedure, and no decision in an e-mail.
        """
        text = sentence(sealed, "sop-4.2.1")
        limit = {"text": text, "type": "credit_limits", "citations": [{"item_id": "sop-4.2.1"}]}
        mail = item(sealed, "email-client")["content"].split("\n")[2]
        word = {"text": mail, "type": "governance_rules", "citations": [{"item_id": "email-client"}]}
        reports = (await verify(limit, word)).json()["claims"]
        assert ["AUTHORITY_MISMATCH" in report["flags"] for report in reports] == [True, True]

    async def test_a_remark_needs_no_source(self, verify):
        """
        What is not one of the kinds that must be cited may stand alone; a kind nobody knows may not.
        """
        reports = (await verify({"text": "Good morning."}, {"text": "Good morning.", "type": "poetry"})).json()[
            "claims"
        ]
        assert [report["flags"] for report in reports] == [[], ["UNGROUNDED"]]


async def test_each_claim_is_on_record_without_its_words(client, sealed, verify):
    """
    Every claim has a record with its verdict and flags; its words are nowhere in the ledger.
    """
    text = "Meteors of peculiar brilliance fell on Tuesday."
    reply = (await verify({"text": text, "citations": [{"item_id": "nothing"}]})).json()
    gateway = client.app.state.gateway
    [record] = records(gateway, kind="citation.verified")
    assert record.decision_id == reply["claims"][0]["decision_id"]
    assert (record.outcome, record.codes, record.agent) == ("denied", ("PHANTOM_CITATION",), "RISK")
    assert "meteors" not in everything_stored(gateway).lower()


async def test_without_policy_or_ledger_nothing_is_answered(client, sealed, verify, monkeypatch):
    """
    Where policy answers short or the ledger does not take the records, no verdict is given.
    """
    gateway = client.app.state.gateway
    claim = {"text": sentence(sealed, "sop-4.2.1"), "citations": [{"item_id": "sop-4.2.1"}]}
    with monkeypatch.context() as broken:
        short = AnsweringPolicy(gateway.pipeline.policy.pinned(), "context/citation", lambda answers: list(answers)[1:])
        broken.setattr(type(gateway.pipeline.policy), "pinned", lambda _: short)
        answer = await verify(claim)
        assert (answer.status_code, answer.json()["code"]) == (500, "GW-202")
    with monkeypatch.context() as broken:

        async def full(*_):
            raise RecordError("the disk is full")

        broken.setattr(type(gateway.recorder), "append", full)
        answer = await verify(claim)
        assert (answer.status_code, answer.json()["code"]) == (503, "GW-400")
    assert records(gateway, kind="citation.verified") == []
    assert (await verify(claim)).status_code == 200
