"""Items from knowledge bases of Dify."""

import httpx
import pytest

from adapters.shared.addresses import Addresses
from adapters.sources.dify import DifySource, item_of, shortened
from gateway.errors import (
    SourceMalformedError,
    SourceRefusedError,
    SourceTooLargeError,
    SourceUnavailableError,
)
from gateway.model import SourceEntry
from gateway.model.sources.connections import DifyConnection
from tests.support.clock import NOW
from tests.support.dify import BASE, KEY, OTHER_BASE, Dify, error, record

FILTERS = {
    "entity": None,
    "domain": "NPA",
    "jurisdictions": ["SG", "GLOBAL"],
    "corpora": ["sops"],
    "classifications": ["PUBLIC", "INTERNAL"],
}


@pytest.fixture
def source(tmp_path):
    (tmp_path / "key").write_text(f"{KEY}\n")

    def make(dify, /, *, url="http://127.0.0.1:5001", allowed="127.0.0.1:5001", **changes):
        fields = {"domains": ["NPA"], "sections": ["knowledge"], "dify": {"datasets": [BASE]}, "timeout_seconds": 1.0}
        entry = SourceEntry.model_validate({"id": "dify-sops", "kind": "dify", **fields, **changes})
        connection = DifyConnection.model_validate(
            {"kind": "dify", "url": url, "token_file": "key"}, context={"folder": tmp_path}
        )
        return DifySource(
            entry,
            connection,
            addresses=Addresses([allowed]),
            clock=lambda: NOW,
            most_bytes=100_000,
            transport=httpx.MockTransport(dify),
        )

    return make


class TestItems:
    async def test_a_record_becomes_an_item(self, source):
        """What Dify finds comes as items with the labels of their document's metadata, and with when they came."""
        [item] = await source(Dify({BASE: [record(1, owner="Risk", ttl_seconds=60.0)]})).fetch(FILTERS, "what limit?")
        assert (item.id, item.section, item.content, item.score) == ("dify:s1", "knowledge", "The limit is 4 m.", 0.5)
        assert (item.provenance.corpus, item.provenance.owner, item.provenance.ttl_seconds) == ("sops", "Risk", 60)
        assert item.provenance.fetched_at is not None

    async def test_filters_go_out_as_conditions(self, source):
        """Policy's filters narrow the search itself; the key goes nowhere but into its header."""
        dify = Dify({BASE: [record(1), record(2, jurisdiction="HK")]})
        assert [item.id for item in await source(dify).fetch(FILTERS, "limit")] == ["dify:s1"]
        [(_, body)] = dify.asked
        said = body["retrieval_model"]["metadata_filtering_conditions"]["conditions"]
        assert {one["name"]: one["value"] for one in said} == {
            "domain": ["NPA"],
            "jurisdiction": ["SG", "GLOBAL"],
            "corpus": ["sops"],
            "data_classification": ["PUBLIC", "INTERNAL"],
        }

    @pytest.mark.parametrize(
        "labels",
        [
            {"jurisdiction": "HK"},
            {"domain": "ORM"},
            {"data_classification": "RESTRICTED"},
            {"corpus": "others"},
            {"corpus": None},
            {"version": ""},
            {"source_type": 7},
            {"source_type": "not a word"},
            {"effective_date": "yesterday"},
            {"effective_date": 1e30},
            {"ttl_seconds": -1},
        ],
    )
    async def test_labels_are_held_against_the_filters_again(self, source, labels):
        """Where Dify minds no condition, or a record has not the labels that it needs, it is no item."""
        dify = Dify({BASE: [record(1, **labels), record(2)]}, filters=False)
        assert [item.id for item in await source(dify).fetch(FILTERS, "limit")] == ["dify:s2"]

    async def test_bases_are_the_registry_s(self, source):
        """Nothing but the knowledge bases of the registry is asked, whatever the key opens; of each so much."""
        dify = Dify({BASE: [record(1)], OTHER_BASE: [record(2)]})
        assert [item.id for item in await source(dify).fetch(FILTERS, "limit")] == ["dify:s1"]
        both = source(dify, dify={"datasets": [BASE, OTHER_BASE], "top_k": 3})
        assert [item.id for item in await both.fetch(FILTERS, "limit")] == ["dify:s1", "dify:s2"]
        assert {body["retrieval_model"]["top_k"] for _, body in dify.asked} == {8, 3}

    async def test_nothing_is_asked_without_a_question_or_a_filter(self, source):
        """Without words there is nothing to look for, and without policy's filters nothing may be."""
        dify = Dify({BASE: [record(1)]})
        assert not [*await source(dify).fetch(FILTERS, None), *await source(dify).fetch(FILTERS, "  ")]
        assert list(await source(dify).fetch({}, "limit")) == []
        assert dify.asked == []
        open_ended = {name: said for name, said in FILTERS.items() if name != "corpora"}
        assert list(await source(Dify({BASE: [record(1)]}, filters=False)).fetch(open_ended, "limit")) == []

    async def test_long_questions_are_cut_between_words(self, source):
        """Dify takes 250 characters: more are cut at a word, and what is one word at its 250th character."""
        dify = Dify({BASE: [record(1)]})
        assert len(await source(dify).fetch(FILTERS, "limit " * 4000)) == 1
        assert dify.asked[0][1]["query"] == " ".join(["limit"] * 41)
        assert shortened("x" * 400) == "x" * 250
        assert shortened("a" * 250) == "a" * 250
        assert shortened("a" * 200 + " " + "b" * 49 + " c") == "a" * 200 + " " + "b" * 49


class TestFailures:
    @pytest.mark.parametrize(
        ("answer", "expected"),
        [
            (lambda _: error(401, "unauthorized"), SourceRefusedError),
            (lambda _: error(403, "forbidden"), SourceRefusedError),
            (lambda _: error(404, "not_found"), SourceRefusedError),
            (lambda _: error(400, "provider_quota_exceeded"), SourceRefusedError),
            (lambda _: httpx.Response(302, headers={"location": "http://169.254.169.254/"}), SourceRefusedError),
            (lambda _: error(500, "internal"), SourceUnavailableError),
            (lambda _: httpx.Response(200, text="<html>"), SourceMalformedError),
            (lambda _: httpx.Response(200, json=[]), SourceMalformedError),
            (lambda _: httpx.Response(200, json={"records": {}}), SourceMalformedError),
            (lambda _: httpx.Response(200, text='{"records": [], "records": []}'), SourceMalformedError),
            (lambda _: httpx.Response(200, text="[" * 50_000), (SourceMalformedError, SourceTooLargeError)),
            (lambda _: httpx.Response(200, text="x" * 200_000), SourceTooLargeError),
        ],
    )
    async def test_what_is_no_answer(self, source, answer, expected):
        """What Dify refuses, fails at or sends instead is told apart, and never quoted."""
        dify = Dify({})
        dify.instead = answer
        with pytest.raises(expected) as caught:
            await source(dify).fetch(FILTERS, "limit")
        assert "secret" not in str(caught.value)

    async def test_addresses_and_tls(self, source):
        """An address that is not listed is not asked, nor another machine without TLS, nor anything without a key."""
        for made in (
            source(Dify({BASE: []}), allowed="dify.test:443"),
            source(Dify({BASE: []}), url="http://dify.test"),
        ):
            with pytest.raises(SourceUnavailableError):
                await made.fetch(FILTERS, "limit")
        made = source(Dify({BASE: []}))
        made._connection.token_file.unlink()
        with pytest.raises(SourceUnavailableError):
            await made.fetch(FILTERS, "limit")
        await made.aclose()

    @pytest.mark.parametrize(
        "odd",
        [None, 7, {}, {"segment": None}, {"segment": {"content": "x"}}, {"segment": {"content": "x", "document": []}}],
    )
    def test_records_of_any_shape(self, odd):
        """A record that is not as described is no item, and no error."""
        assert item_of(odd, section="knowledge", now="2026-03-01T00:00:00Z") is None

    def test_what_is_left_out(self):
        """A segment that is turned off or empty is no item; questions come with their answers; scores are shares."""
        now = "2026-03-01T00:00:00Z"
        off, empty, asked = record(1), record(2, text="  "), record(3, score=7)
        off["segment"]["enabled"] = False
        asked["segment"]["answer"] = "Four."
        assert item_of(off, section="knowledge", now=now) is None
        assert item_of(empty, section="knowledge", now=now) is None
        item = item_of(asked, section="knowledge", now=now)
        assert (item.content, item.score) == ("The limit is 4 m.\nFour.", 1.0)
        dated = item_of(record(4, effective_date=1_767_225_600), section="knowledge", now=now)
        assert dated.provenance.effective_date == "2026-01-01"
