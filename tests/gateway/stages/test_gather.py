"""The caller's items and those of the sources."""

from dataclasses import replace

import pytest

from gateway.errors import GatewayError, SourceMalformedError, SourceUnavailableError
from gateway.model import Candidate
from tests.support.fakes import ScriptedSource, fetching_from
from tests.support.oracle import records
from tests.support.packs import items_of


class TestGather:
    ITEM = {
        "id": "fetched",
        "section": "knowledge",
        "content": "From a source.",
        "provenance": {
            "source_id": "S",
            "source_type": "bank_sop",
            "version": "1",
            "effective_date": "2025-01-01",
            "owner": "x",
            "fetched_at": "2026-03-01T09:15:00Z",
            "ttl_seconds": 60,
            "data_classification": "INTERNAL",
            "jurisdiction": "SG",
            "domain": "NPA",
        },
    }

    async def test_fetched_items_are_governed_like_others(self, gateway, ask, small):
        """
        What a source gives goes through policy, screening and the ledger; retrieval gets policy's filters.
        """
        source = ScriptedSource([Candidate.model_validate(self.ITEM)], critical=True)
        pack = await fetching_from(gateway, source).assemble(ask(small))
        assert "fetched" in items_of(pack)
        assert source.filters["jurisdictions"] == ["GLOBAL", "SG"]
        assert "fetched" in {record.item.id for record in records(gateway, kind="item.ruled")}

    @pytest.mark.parametrize(
        ("answer", "error"),
        [(None, SourceUnavailableError), (SourceMalformedError("not items"), SourceMalformedError)],
    )
    async def test_a_critical_source_that_fails_stops_the_request(self, gateway, ask, small, answer, error):
        """
        A source that is needed and hangs or answers nonsense is an error; one that is not is left out.
        """
        with pytest.raises(error):
            await fetching_from(gateway, ScriptedSource(answer, critical=True)).assemble(ask(small))
        relaxed = fetching_from(gateway, ScriptedSource(answer, critical=False))
        assert "npa-record" in items_of(await relaxed.assemble(ask(small)))

    async def test_a_source_may_not_take_an_id(self, gateway, ask, small):
        """
        A fetched item with the id of another is an error, since a ruling must name exactly one.
        """
        item = Candidate.model_validate({**self.ITEM, "id": "npa-record"})
        with pytest.raises(GatewayError) as caught:
            await fetching_from(gateway, ScriptedSource([item], critical=True)).assemble(ask(small))
        assert caught.value.code == "GW-122"

    async def test_sources_count_towards_the_limit(self, gateway, ask, small):
        """
        Items of sources do not get around the limit on items.
        """
        items = [Candidate.model_validate({**self.ITEM, "id": str(n)}) for n in range(3)]
        limited = replace(fetching_from(gateway, ScriptedSource(items, critical=True)), max_items=6)
        with pytest.raises(GatewayError) as caught:
            await limited.assemble(ask(small))
        assert caught.value.code == "GW-133"
