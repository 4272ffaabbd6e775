"""The OPA adapter: against a real server, and against servers that misbehave."""

import asyncio
import json
import shutil

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from hypothesis import Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from adapters.policy.opa import Breaker, OpaPolicyEngine, batch
from gateway.bootstrap.gateway import running
from gateway.errors import ConfigurationError, PolicyMalformedError, PolicyUnavailableError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.policy.bundle import load_bundle
from gateway.policy.entrypoints import NAMES as ENTRYPOINTS
from gateway.settings import HOME
from tests.support.clock import NOW
from tests.support.misbehaving import http, server_that
from tests.support.oracle import check_ledger, records
from tests.support.policy_facts import BASE, case_facts, damaged
from tests.support.services import OPA, need, opa_server
from tools.loopback import free_port

REVISION = load_bundle(HOME / "policies").revision


@pytest.fixture(scope="module")
def server():
    need(OPA is not None, "opa")
    with opa_server(HOME / "policies") as url:
        yield url


@asynccontextmanager
async def engine_at(url, *, seconds=5.0, breaker=None, start=True, items=100):
    engine = OpaPolicyEngine(url, revision=REVISION, timeout_seconds=seconds, breaker=breaker, items=items)
    if start:
        await engine.start()
    else:
        await engine._client._init_session()
    try:
        yield engine
    finally:
        await engine.close()


class TestRealServer:
    async def test_a_story_is_the_same_on_both_engines(self, server, settings, story):
        """
        With OPA deciding, every candidate of the story has the outcome that it has on the embedded engine.
        """
        chosen = settings.model_copy(update={"policy_engine": "opa", "opa_url": server})
        async with running(chosen) as gateway:
            request, person = story("npa-risk", "request"), story("npa-risk", "subject")
            asked = Asked(PackRequest.model_validate(request), Subject.model_validate(person), NOW)
            pack = await gateway.pipeline.assemble(asked)
            dropped = {drop.item_id: drop.reason for drop in pack.drop_report}
            actual = {
                record.item.id: "dropped" if record.item.id in dropped else record.outcome
                for record in records(gateway, kind="item.ruled")
            }
            expected = json.loads((HOME / "examples/npa-risk/expected.json").read_text())
            assert {name: one["outcome"] for name, one in expected.items()} == actual
            [sealed] = records(gateway, kind="pack.sealed")
            assert (sealed.policy.engine, sealed.policy.revision) == ("opa", REVISION)
            assert sealed.policy.engine_version.startswith("1.")
            check_ledger(gateway)

    async def test_one_round_trip_for_all_items(self, server):
        """
        A hundred items are one request to OPA, and their common facts are sent once.
        """
        inputs = [{**BASE, "item": {**BASE["item"], "source_id": f"s{n}"}} for n in range(100)]
        packed = batch(inputs)
        assert {"now", "subject", "agent", "request"} <= set(packed["shared"])
        assert len(packed["parts"]) == 100
        async with engine_at(server) as engine:
            assert len(await engine.evaluate("context/admit", inputs)) == 100
            assert await engine.evaluate("context/admit", []) == []

    async def test_so_many_items_in_one_round_trip(self, server):
        """
        The most items of a request, with labels at their longest, are so many round trips as the setting says, and every
        answer stands in its place.
        """
        inputs = [
            {
                **BASE,
                "item": {
                    **BASE["item"],
                    **dict.fromkeys(("source_id", "owner", "version"), f"{n:0200}"),
                    "age_seconds": n,
                },
            }
            for n in range(500)
        ]
        inputs[250] = {**BASE, "item": {**BASE["item"], "domain": "ORM"}}
        asked = []
        async with engine_at(server, seconds=20, items=200) as engine:
            post = engine._post

            async def counted(path, facts):
                asked.append(len(facts["parts"]))
                return await post(path, facts)

            engine._post = counted
            for entrypoint in ("context/admit", "context/release"):
                answers = await engine.evaluate(entrypoint, inputs)
                refused = [place for place, one in enumerate(answers) if one["denials"]]
                assert (len(answers), refused) == (500, [250])
        assert asked == [200, 200, 100] * 2

    async def test_cases_agree(self, server, engine):
        """
        Every case of the officers gives the identical documents on OPA and on the embedded engine.
        """
        facts = [{}, BASE, *case_facts()]
        async with engine_at(server) as opa:
            for entrypoint in ENTRYPOINTS:
                assert await engine.evaluate(entrypoint, facts) == await opa.evaluate(entrypoint, facts)

    @pytest.mark.parametrize("count", [1000, pytest.param(5000, marks=pytest.mark.soak)])
    async def test_generated_inputs_agree(self, server, engine, count):
        """
        So do 1,000, and at full length 5,000, generated inputs with missing, null, wrong-typed and odd fields, on every entrypoint.
        """
        facts: list[dict] = []

        @hypothesis_settings(max_examples=count, phases=[Phase.generate], database=None)
        @given(damaged())
        def collect(one):
            facts.append(one)

        collect()
        assert len(facts) >= count
        async with engine_at(server, seconds=60) as opa:
            for entrypoint in ENTRYPOINTS:
                for start in range(0, len(facts), 500):
                    some = facts[start : start + 500]
                    mine, theirs = await engine.evaluate(entrypoint, some), await opa.evaluate(entrypoint, some)
                    for given_facts, one, other in zip(some, mine, theirs, strict=True):
                        assert other == one, (entrypoint, given_facts)

    async def test_another_bundle_is_refused(self, tmp_path):
        """
        OPA with a bundle of another revision is not asked to decide.
        """
        need(OPA is not None, "opa")
        shutil.copytree(HOME / "policies", tmp_path / "policies")
        manifest = tmp_path / "policies/.manifest"
        for revision, good in ((REVISION, True), ("sha256:other", False)):
            manifest.write_text(json.dumps({"roots": ["context", "registry"], "rego_version": 1, "revision": revision}))
            with opa_server(tmp_path / "policies") as url:
                if good:
                    async with engine_at(url) as engine:
                        assert len(await engine.evaluate("context/admit", [BASE])) == 1
                else:
                    with pytest.raises(PolicyMalformedError, match="another bundle"):
                        async with engine_at(url):
                            pass

    async def test_a_server_that_dies_and_comes_back(self):
        """
        While OPA is down nothing is decided; once it is back, decisions go on.
        """
        need(OPA is not None, "opa")
        with opa_server(HOME / "policies") as url:
            engine = OpaPolicyEngine(url, revision=REVISION, timeout_seconds=2, breaker=Breaker(open_seconds=0))
            await engine.start()
            assert len(await engine.evaluate("context/admit", [BASE])) == 1
        with pytest.raises(PolicyUnavailableError):
            await engine.evaluate("context/admit", [BASE])
        await engine.close()


class TestMisbehaviour:
    @pytest.mark.parametrize(
        ("reply", "error"),
        [
            (http({}), PolicyMalformedError),
            (http({"result": {}}), PolicyMalformedError),
            (http({"result": None}), PolicyMalformedError),
            (http([]), PolicyMalformedError),
            (http(b"<html>", kind="text/html"), PolicyMalformedError),
            (http(b"{", kind="application/json"), PolicyMalformedError),
            (http({"code": "internal_error"}, "500 Internal Server Error"), PolicyUnavailableError),
            (http({}, "404 Not Found"), PolicyUnavailableError),
            (b"nonsense\r\n\r\n", PolicyUnavailableError),
            (None, PolicyUnavailableError),
        ],
    )
    async def test_no_decision(self, reply, error):
        """
        An undefined result, a wrong shape, a wrong status, nonsense or silence is never a decision.
        """
        async with server_that(lambda: reply) as (url, _), engine_at(url, seconds=0.3, start=False) as engine:
            with pytest.raises(error):
                await engine.evaluate("context/admit", [BASE])

    async def test_a_wrong_answer_is_not_asked_for_again(self):
        """
        Only a refused connection is tried again.
        """
        reply = http({}, "503 Service Unavailable")
        async with server_that(lambda: reply) as (url, asked), engine_at(url, start=False) as engine:
            with pytest.raises(PolicyUnavailableError):
                await engine.evaluate("context/admit", [BASE])
            assert len(asked) == 1

    async def test_a_refused_connection_is_tried_again(self):
        """
        A server that is just starting is waited for, shortly.
        """
        port = free_port()

        async def late():
            await asyncio.sleep(0.03)
            async with server_that(lambda: http({"result": [True]}), port):
                await asyncio.sleep(1)

        async with engine_at(f"http://127.0.0.1:{port}", start=False) as engine:
            with pytest.raises(PolicyUnavailableError, match="reached"):
                await engine.evaluate("context/admit", [BASE])
            starting = asyncio.create_task(late())
            assert await engine.evaluate("context/admit", [BASE]) == [True]
            await starting

    async def test_the_breaker(self):
        """
        After five failures in a row OPA is left alone; after a while one request may try again.
        """
        moment = 0.0
        breaker = Breaker(failures_to_open=5, open_seconds=2, clock=lambda: moment)
        replies = [http({}, "500 Internal Server Error")] * 5 + [http({"result": [True]})]
        waiting = iter(replies)
        async with (
            server_that(lambda: next(waiting)) as (url, asked),
            engine_at(url, breaker=breaker, start=False) as engine,
        ):
            for _ in range(5):
                with pytest.raises(PolicyUnavailableError):
                    await engine.evaluate("context/admit", [BASE])
            with pytest.raises(PolicyUnavailableError, match="asked again in a moment"):
                await engine.evaluate("context/admit", [BASE])
            assert len(asked) == 5
            moment = 3.0
            assert await engine.evaluate("context/admit", [BASE]) == [True]
            assert len(asked) == 6

    async def test_a_short_answer_stops_the_request(self, gateway, small, subject):
        """
        OPA answering for fewer items than it was asked about stops the whole request.
        """
        async with server_that(lambda: http({"result": [{}]})) as (url, _), engine_at(url, start=False) as engine:
            asked = Asked(PackRequest.model_validate(small), Subject.model_validate(subject), NOW)
            with pytest.raises(PolicyMalformedError):
                await replace(gateway.pipeline, policy=engine).assemble(asked)

    @pytest.mark.parametrize("url", ["", "opa:8181", "ftp://opa"])
    def test_urls(self, url):
        """
        A URL that is none is refused at start.
        """
        with pytest.raises(ConfigurationError):
            OpaPolicyEngine(url, revision=REVISION, timeout_seconds=1)


class TestBatch:
    def test_what_all_have_in_common_is_sent_once(self):
        """
        A fact that every input has alike is shared; one that differs, is missing or is false beside null is not.
        """
        packed = batch([{"a": 1, "b": 2, "c": None}, {"a": 1, "b": 3}, {"a": 1, "b": 2, "c": None}])
        assert packed == {"shared": {"a": 1}, "parts": [{"b": 2, "c": None}, {"b": 3}, {"b": 2, "c": None}]}

    @given(
        st.lists(
            st.dictionaries(st.sampled_from("abc"), st.none() | st.integers(0, 1), max_size=3), min_size=1, max_size=5
        )
    )
    def test_nothing_is_lost(self, inputs):
        """
        What is shared together with the rest of each is each input, as it was.
        """
        packed = batch(inputs)
        assert [{**packed["shared"], **part} for part in packed["parts"]] == inputs


def test_a_success_closes_the_breaker():
    """
    Failures that are not in a row never open it.
    """
    breaker = Breaker(failures_to_open=2, open_seconds=2, clock=lambda: 0.0)
    for _ in range(5):
        breaker.failed()
        breaker.check()
        breaker.succeeded()
    breaker.failed()
    breaker.failed()
    with pytest.raises(PolicyUnavailableError):
        breaker.check()
