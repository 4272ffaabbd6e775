"""What stands in records in the place of ids that may name people."""

import json

from gateway.audit.parts import SYSTEM_TENANT
from gateway.audit.queries import LedgerQueries
from gateway.audit.why import AccountWriter
from gateway.bootstrap.replay import replaying
from gateway.model.pseudonyms import keyed_names
from gateway.replay.run import replay
from gateway.replay.verdicts import MATCH
from ledger.query import Filter
from tests.support.erasing import forget
from tests.support.oracle import check_ledger, everything_stored, records, stored_records
from tests.support.requests import asked

ITEM = "passport-of-zelda-quaxleigh-1"
SOURCE = "mail:zelda.quaxleigh"


def named(small):
    """The request with an e-mail that is called after somebody, in words that no detector knows."""
    items = [
        {**item, "id": ITEM, "provenance": {**item["provenance"], "source_id": SOURCE}}
        if item["id"] == "email-client"
        else item
        for item in small["items"]
    ]
    return {**small, "items": items}


async def test_a_name_in_an_id_is_in_no_record_and_still_found(gateway, small, subject):
    """
    The id of an e-mail stands in no record, no index column and no trace; who knows it finds its records by it, is told it by
    `why` until the requester is erased, and the decision is made again as it was.
    """
    await gateway.pipeline.assemble(asked(named(small), subject))
    await gateway.traces.settle()
    assert "zelda" not in everything_stored(gateway)
    assert not [row for row in gateway.store.scan() if "zelda" in str(row)]
    for file in gateway.settings.state_dir.glob("traces.sqlite*"):
        assert b"zelda" not in file.read_bytes()
    queries = LedgerQueries(
        gateway.store, gateway.recorder, gateway.ledger.keeper.round, keyed_names(gateway.stores.secret)
    )
    for wanted in (
        Filter(tenant="gfm", item_id=ITEM),
        Filter(source_id=SOURCE),
        Filter(item_id=ITEM, source_id=SOURCE),
    ):
        [body] = gateway.store.query(queries.by_any_name(wanted)).records
        assert json.loads(body)["item"]["id"].startswith("label:")
    assert not gateway.store.query(queries.by_any_name(Filter(tenant=SYSTEM_TENANT, item_id=ITEM))).records
    evidence = gateway.ledger.parts.evidence
    teller = AccountWriter(gateway.store, (), (), {}, queries.by_any_name, evidence)
    [request] = teller.requests_of(ITEM, "gfm")
    [told, _] = teller.tell(request, "gfm", ITEM).entries
    assert told.sentence.startswith(f"Item {ITEM} from {SOURCE} ")
    with replaying(gateway.settings, "embedded") as ask:
        assert set(replay(evidence, ask, Filter()).counts) == {MATCH}
    await forget("gfm", subject["sub"], gateway.stores, gateway.ledger, gateway.settings)
    assert "zelda" not in "".join(entry.sentence for entry in teller.tell(request, "gfm").entries)
    assert teller.requests_of(ITEM, "gfm") == [request]
    check_ledger(gateway)


async def test_documents_are_called_by_their_names(gateway, small, subject):
    """
    What policy says is named after a document stands in records as it is, and of a system of record the source does.
    """
    await gateway.pipeline.assemble(asked(small, subject))
    clear = {one.item.id: one for one in records(gateway, kind="item.ruled")}
    stored = {one.decision_id: one for one in stored_records(gateway, kind="item.ruled")}
    kept = {name: stored[one.decision_id] for name, one in clear.items()}
    assert kept["sop-4.2.1"].item.id == "sop-4.2.1"
    assert kept["npa-record"].item.id.startswith("label:")
    assert kept["npa-record"].source.id == clear["npa-record"].source.id
    assert len({one.item.id for one in stored.values()}) == len(small["items"])


async def test_cited_sources_are_called_as_their_rulings_call_them(post, client, story):
    """
    A claim that cites an e-mail puts its mailbox into no record.
    """
    from tests.support.packs import SCOPE
    from tests.support.web import gateway_of

    gateway = gateway_of(client)
    pack = (await post("/v1/packs", named(story("npa-risk", "request")), scope=SCOPE)).json()
    assert ITEM in json.dumps(pack)
    body = {"pack": pack, "claims": [{"id": "c", "text": "x", "type": "fact", "citations": [{"item_id": ITEM}]}]}
    answer = await post("/v1/citations/verify", body, scope=SCOPE)
    assert answer.status_code == 200, answer.text
    [verified] = stored_records(gateway, kind="citation.verified")
    assert verified.source.id.startswith("label:")
    assert "zelda" not in everything_stored(gateway)
