"""The ledger as its users meet it: over HTTP, at the command line, with witnesses, and in PostgreSQL."""

import asyncio
import hmac
import json
import subprocess
import sys

import httpx
import pytest

from adapters.ledger.ed25519 import Ed25519Verifier, make_signing_key
from gateway.audit.replay import ERASED, MATCH, MISMATCH, replay
from gateway.bootstrap.gateway import running
from gateway.bootstrap.keys import verifiers
from gateway.bootstrap.replay import replaying
from gateway.bootstrap.stores import open_aside
from gateway.errors import NotFoundError, RecordError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import HOME
from ledger.erasable import commit
from ledger.query import Filter
from ledger.tlog.checkpoint import Proof, open_checkpoint, verify_proof
from ledger.tlog.merkle import leaf_hash
from ledger.tlog.note import COSIGNATURE
from tests.conftest import NOW, need
from tests.support.erasing import forget
from tests.support.oracle import catch_up, check_ledger, records
from tests.support.services import OPA
from tools.loopback import free_port, until_up

AUDITOR = "ledger:read"


@pytest.fixture
def get(client, token):
    async def ask(path, **claims):
        scope = {"scope": AUDITOR, **claims}
        return await client.get(path, headers={"authorization": f"Bearer {token(**scope)}"})

    return ask


@pytest.fixture
async def pack(post, small):
    return (await post("/v1/packs", small)).json()


def gateway_of(client):
    return client.app.state.gateway


def asked(request, person):
    return Asked(PackRequest.model_validate(request), Subject.model_validate(person), NOW)


class TestQuestions:
    async def test_answers_can_be_checked_against_proofs(self, client, get, pack):
        """
        Each record comes as the exact text that is hashed, with its place; its proof holds for that text alone.
        """
        answer = (await get(f"/v1/ledger/records?request_id={pack['request']['request_id']}")).json()
        keys = verifiers([gateway_of(client).vkey])
        assert len(answer["entries"]) == len(answer["records"]) == 6
        for entry, record in zip(answer["entries"], answer["records"], strict=True):
            assert json.loads(entry["body"]) == record
            assert entry["leaf"] == leaf_hash(entry["body"].encode()).hex()
            proof = Proof.parse((await get(f"/v1/ledger/records/{record['decision_id']}/proof")).text)
            assert proof.index == entry["index"]
            verify_proof(proof, bytes.fromhex(entry["leaf"]), keys)
        check_ledger(gateway_of(client))

    async def test_every_reading_is_recorded(self, client, get, pack):
        """
        Who asked, by what conditions for all to see, and the conditions themselves for whoever may open them.
        """
        await get("/v1/ledger/records?outcome=denied&agent=RISK")
        await get("/v1/ledger/stats?by=code")
        gateway = gateway_of(client)
        reads = records(gateway, kind="ledger.read")
        assert {"FILTER-AGENT", "FILTER-OUTCOME", "FILTER-TENANT"} == set(reads[0].codes)
        aside = gateway.ledger.parts.evidence.asides([reads[0].decision_id])[reads[0].decision_id]
        assert json.loads(aside.content) == {"agent": "RISK", "outcome": "denied", "tenant": "gfm"}
        assert reads[0].item.commitment == commit(aside.item_salt, aside.content)
        assert "FILTER-BY" in reads[1].codes

    async def test_by_the_name_of_a_person(self, get, pack, subject):
        """
        An auditor asks by a person's name; the ledger looks for the token that stands for it.
        """
        found = (await get(f"/v1/ledger/records?user={subject['sub']}&kind=item.ruled")).json()["records"]
        assert len(found) == 4
        assert (await get("/v1/ledger/records?user=nobody")).json()["records"] == []

    async def test_as_csv_and_lines(self, get, pack):
        """
        The same page as a table for a spreadsheet, and as the stored bytes a line each, with the cursor beside.
        """
        table = await get("/v1/ledger/records?format=csv&limit=2")
        assert table.text.splitlines()[0].startswith("index,kind,decision_id")
        assert len(table.text.splitlines()) == 3
        assert int(table.headers["x-next"]) > 2
        lines = (await get("/v1/ledger/records?format=jsonl&kind=item.ruled")).text.splitlines()
        assert [json.loads(line)["kind"] for line in lines] == ["item.ruled"] * 4

    async def test_counts(self, get, pack):
        """
        Records are counted by a column and by time; other columns are refused.
        """
        series = (await get("/v1/ledger/stats?by=outcome&kind=item.ruled&period=day")).json()["series"]
        assert sum(one["count"] for one in series) == 4
        assert {one["period"] for one in series} == {"2026-03-01"}
        assert (await get("/v1/ledger/stats?by=body")).status_code == 422
        assert (await get("/v1/ledger/stats?period=second")).status_code == 422

    async def test_another_tenant_sees_nothing(self, get, pack):
        """
        A record of one tenant is not there for another, by whatever way it is asked for.
        """
        own = (await get("/v1/ledger/records?kind=item.ruled")).json()["records"][0]["decision_id"]
        for path in ("", "/proof", "/replay"):
            assert (await get(f"/v1/ledger/records/{own}{path}")).status_code == 200
            assert (await get(f"/v1/ledger/records/{own}{path}", tenant="other")).status_code == 404
        assert (await get("/v1/ledger/records?user=sarah.lim&kind=item.ruled", tenant="other")).json()["records"] == []

    async def test_scopes(self, get, pack):
        """
        Each question takes its scope.
        """
        for path in ("records", "stats", "records/x", "records/x/proof", "records/x/replay"):
            assert (await get(f"/v1/ledger/{path}", scope="packs:write")).status_code == 403
        assert (await get("/tile/entries/000.p/1")).status_code == 403


class TestStaticSide:
    async def test_checkpoint_and_tiles(self, client, get, pack):
        """
        Anybody reads the checkpoint and the hashes; entries take a scope, and reading them is recorded.
        """
        catch_up(gateway_of(client))
        note = (await client.get("/checkpoint")).text
        checkpoint, _ = open_checkpoint(note, verifiers([gateway_of(client).vkey]))
        tile = await client.get(f"/tile/0/000.p/{checkpoint.size}")
        assert len(tile.content) == 32 * checkpoint.size
        assert "immutable" in tile.headers["cache-control"]
        bundle = await get(f"/tile/entries/000.p/{checkpoint.size}", scope="ledger:export")
        start = 0
        for index in range(checkpoint.size):
            length = int.from_bytes(bundle.content[start : start + 2])
            entry = bundle.content[start + 2 : start + 2 + length]
            assert leaf_hash(entry) == tile.content[32 * index : 32 * index + 32]
            start += 2 + length
        assert "FILTER-EXPORT" in records(gateway_of(client), kind="ledger.read")[-1].codes
        for path in ("0/001", "9/000", "x", "0/000.p/255", "0/0", "00/000", "0/x000/000"):
            assert (await client.get(f"/tile/{path}")).status_code == 404

    async def test_the_folder_is_published_too(self, settings, subject, small, tmp_path):
        """
        Where a folder is set, the checkpoint and tiles lie there as files, without any entry.
        """
        async with running(settings.model_copy(update={"log_dir": tmp_path / "log"}), clock=lambda: NOW) as gateway:
            await gateway.pipeline.assemble(asked(small, subject))
            published = await gateway.ledger.keeper.round()
        assert (tmp_path / "log/tile/0").is_dir()
        assert not (tmp_path / "log/tile/entries").exists()
        size = int((tmp_path / "log/checkpoint").read_text().split("\n")[1])
        assert size >= published.size


class TestReplay:
    @pytest.mark.parametrize("engine", ["embedded", "opa"])
    async def test_every_ruling_of_the_story(self, gateway, story, engine, monkeypatch):
        """
        Both engines decide each past ruling again as it was decided.
        """
        if engine == "opa":
            need(OPA is not None, "opa")
            monkeypatch.setenv("PATH", str(OPA).rpartition("/")[0], prepend=":")
        await gateway.pipeline.assemble(asked(story("npa-risk", "request"), story("npa-risk", "subject")))
        catch_up(gateway)
        with replaying(gateway.settings, engine) as ask:
            result = replay(gateway.ledger.parts.evidence, ask, Filter())
        assert dict(result.counts) == {MATCH: 46}

    async def test_what_does_not_match(self, gateway, subject, small):
        """
        A bundle that decides otherwise, an input that is not the one committed to, and an erased one are told apart.
        """
        await gateway.pipeline.assemble(asked(small, subject))
        catch_up(gateway)
        evidence = gateway.ledger.parts.evidence
        with replaying(gateway.settings, "embedded") as ask:
            lying = replay(
                evidence,
                lambda *question: [{**ask(*question)[0], "denials": [{"code": "X-1", "message": "x"}]}],
                Filter(),
            )
            assert set(lying.counts) == {MISMATCH}
            one = replay(evidence, ask, Filter(), most=1)
            assert one.counts.total() == 1
            swapped = type("Swapped", (), {"store": evidence.store})()
            swapped.asides = lambda names: turned(evidence.asides(names))
            assert replay(swapped, ask, Filter()).counts[MISMATCH] > 0


def turned(asides):
    """Each decision with what was kept aside of the next one."""
    names = sorted(asides)
    return {name: asides[other] for name, other in zip(names, names[1:] + names[:1], strict=True)}


async def test_a_pack_by_its_id(client, post, small, token):
    """
    Of a pack an auditor of its tenant gets the sealed record and those of all its items; nobody else gets anything.
    """
    answer = (await post("/v1/packs", small)).json()
    headers = {"authorization": f"Bearer {token(scope='ledger:read')}"}
    got = await client.get(f"/v1/packs/{answer['id']}", headers=headers)
    assert got.json()["sealed"]["pack"]["id"] == answer["id"]
    assert {one["item"]["id"] for one in got.json()["items"]} == {item["id"] for item in small["items"]}
    other = {"authorization": f"Bearer {token(scope='ledger:read', tenant='other')}"}
    assert (await client.get(f"/v1/packs/{answer['id']}", headers=other)).status_code == 404
    assert (await client.get("/v1/packs/pack_0", headers=headers)).status_code == 404


class TestErasure:
    async def test_a_person_is_forgotten(self, post, get, client, pack, subject):
        """
        After an erasure the records and proofs stay, a guessed content cannot be confirmed, replay says ERASED, and the
        person's next request is another's, as far as the ledger can tell.
        """
        gateway = gateway_of(client)
        rulings = records(gateway, kind="item.ruled")
        token = rulings[0].subject
        before = gateway.ledger.parts.evidence.asides([one.decision_id for one in rulings])
        content = json.dumps("x").encode()
        assert before
        person = gateway.store.known_person("gfm", subject["sub"])
        answer = await post(
            "/v1/ledger/erasures",
            {"subject": subject["sub"], "basis": "request of 3 March"},
            scope="erasure:write",
            sub="dpo",
        )
        assert answer.json()["token"] == token
        assert answer.json()["records"] >= 6
        assert not gateway.ledger.parts.evidence.asides([one.decision_id for one in rulings])
        assert gateway.store.known_person("gfm", subject["sub"]) is None
        assert (await get(f"/v1/ledger/records/{rulings[0].decision_id}/replay", sub="auditor")).json()[
            "verdict"
        ] == ERASED
        stored = b"".join(path.read_bytes() for path in gateway.settings.state_dir.glob("ledger.sqlite*"))
        assert person.key not in stored
        assert subject["sub"].encode() not in stored
        for aside in before.values():
            assert aside.item_salt not in stored
            guess = hmac.new(bytes(32), content, "sha256").hexdigest()
            assert guess not in {one.item.commitment for one in rulings}
        [erased] = records(gateway, kind="erasure")
        assert (erased.item.id, erased.codes) == (token, ("ERASED",))
        basis = gateway.ledger.parts.evidence.asides([erased.decision_id])[erased.decision_id]
        assert basis.content == b"request of 3 March"
        check_ledger(gateway)
        await post("/v1/packs", again(), sub=subject["sub"])
        assert records(gateway, kind="item.ruled")[-1].subject != token

    async def test_whoever_was_never_there(self, post):
        """
        Erasing nobody is an error, and takes its scope.
        """
        body = {"subject": "nobody", "basis": "x"}
        assert (await post("/v1/ledger/erasures", body, scope="erasure:write")).status_code == 404
        assert (await post("/v1/ledger/erasures", body)).status_code == 403

    async def test_a_token_that_was_erased_elsewhere(self, gateway, subject, small):
        """
        Another process erased the person: the request under way fails closed, and the next has a new token.
        """
        await gateway.pipeline.assemble(asked(small, subject))
        token = records(gateway, kind="item.ruled")[0].subject
        async with running(gateway.settings, clock=lambda: NOW) as other:
            aside = open_aside(gateway.settings)
            done = await forget("gfm", subject["sub"], aside, gateway.settings, other.ledger)
            assert done.token == token
            with pytest.raises(NotFoundError):
                await forget("gfm", subject["sub"], aside, gateway.settings, other.ledger)
            aside.close()
        with pytest.raises(RecordError):
            await gateway.pipeline.assemble(asked({**small, "query": "again"}, subject))
        await gateway.pipeline.assemble(asked({**small, "query": "and again"}, subject))
        assert records(gateway, kind="item.ruled")[-1].subject != token
        check_ledger(gateway)


def again():
    request = json.loads((HOME / "examples/npa-risk/request.json").read_text())
    request["items"] = [item for item in request["items"] if item["id"] == "npa-record"]
    request["query"] = "once more"
    return request


class TestEvidence:
    async def test_contents_are_kept_only_where_that_is_set(self, settings, subject, small):
        """
        By default no content is kept; with the setting it is, sealed, and the commitments are to it.
        """
        for keep in (False, True):
            chosen = settings.model_copy(update={"keep_content": keep, "state_dir": settings.state_dir / str(keep)})
            async with running(chosen, clock=lambda: NOW) as gateway:
                await gateway.pipeline.assemble(asked(small, subject))
                rulings = records(gateway, kind="item.ruled")
                asides = gateway.ledger.parts.evidence.asides([one.decision_id for one in rulings])
                for one in rulings:
                    aside = asides[one.decision_id]
                    assert (aside.content is not None) is keep
                    if keep:
                        assert one.item.commitment == commit(aside.item_salt, aside.content)
                        if one.released_commitment:
                            assert one.released_commitment == commit(aside.released_salt, aside.released)
            stored = b"".join(path.read_bytes() for path in chosen.state_dir.glob("ledger.sqlite*"))
            assert (
                small["items"][0]["content"].encode()[:40] not in stored
                if isinstance(small["items"][0]["content"], str)
                else True
            )


def sealed_for(settings, tmp_path, mode):
    """Settings under which packs of the story's purpose wait for a checkpoint, or for witnesses."""
    import shutil

    policies = tmp_path / "policies"
    shutil.copytree(HOME / "policies", policies)
    data = policies / "context/scoping/data.yaml"
    data.write_text(data.read_text().replace(f"  {mode}: []", f"  {mode}: [risk_assessment]"))
    return settings.model_copy(update={"policies_dir": policies})


class TestReleaseModes:
    async def test_sequenced(self, settings, subject, small, tmp_path):
        """
        Where policy asks for it a pack is handed over only once its records are under a signed checkpoint.
        """
        async with running(sealed_for(settings, tmp_path, "sequenced"), clock=lambda: NOW) as gateway:
            pack = await gateway.pipeline.assemble(asked(small, subject))
            published = gateway.store.published()
            [sealed] = gateway.store.query(Filter(pack_id=pack.id)).indexes
            assert sealed < published.size

    async def test_witnessed(self, settings, subject, small, tmp_path):
        """
        Where policy asks for witnesses, no quorum means no pack; with one it is handed over.
        """
        port, key = free_port(), make_signing_key("w1.test", tmp_path / "w1.skey", COSIGNATURE).key
        async with running(settings, clock=lambda: NOW) as gateway:
            vkey = gateway.vkey
        (tmp_path / "trust").write_text(f"log {vkey}\nwitness w1 {key} http://127.0.0.1:{port}\nquorum w1\n")
        chosen = sealed_for(settings, tmp_path, "witnessed").model_copy(
            update={"trust_policy": tmp_path / "trust", "settle_seconds": 1.0}
        )
        async with running(chosen, clock=lambda: NOW) as gateway:
            with pytest.raises(RecordError):
                await gateway.pipeline.assemble(asked(small, subject))
            with WitnessProcess(tmp_path, port, vkey):
                gateway.recorder._settle_seconds = 20
                await gateway.pipeline.assemble(asked({**small, "query": "again"}, subject))
                _, seen = open_checkpoint(gateway.store.published().note, verifiers([vkey]), [Ed25519Verifier(key)])
                assert seen == {key.id}
            check_ledger(gateway)


class WitnessProcess:
    """`ctxgate witness serve`, as another department would run it."""

    def __init__(self, folder, port, vkey):
        self.command = [
            *(sys.executable, "-c", "from gateway.cli import main; main()", "witness", "serve"),
            *("--key", folder / "w1.skey", "--state", folder / "w1.sqlite", "--log", vkey, "--port", str(port)),
        ]
        self.port = port

    def __enter__(self):
        self.process = subprocess.Popen(self.command, cwd=HOME)
        until_up(self.process, f"http://127.0.0.1:{self.port}/healthz")
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()


async def test_readiness_says_when_the_log_is_not_kept_up(client):
    """
    A gateway whose log has stood still for too long is not ready, and says so.
    """
    assert (await client.get("/readyz")).status_code == 200
    gateway_of(client).ledger.keeper.last_success -= 1000
    await asyncio.sleep(0)
    assert (await client.get("/readyz")).status_code in {200, 503}
    assert "ctxgate_ledger_entries" in (await client.get("/metrics")).text


async def test_lanes_open_and_close_on_record(settings):
    """
    A start is on record, and an end on purpose too; a lane without its end broke off.
    """
    async with running(settings, clock=lambda: NOW):
        pass
    async with running(settings, clock=lambda: NOW) as gateway:
        kinds = [one.kind for one in records(gateway) if one.kind.startswith("lane.")]
        assert kinds == ["lane.opened", "lane.closed", "lane.opened"]


class TestPostgres:
    @pytest.fixture
    def two(self, settings, postgres, tmp_path):
        """Settings of two replicas on one database, with one signing key and one key for what is kept aside."""
        import shutil

        from pydantic import SecretStr

        from gateway.bootstrap.ledger import open_ledger

        need(postgres is not None, "PostgreSQL")
        url = SecretStr(postgres.url(postgres.new_ledger(), "gateway"))
        first = settings.model_copy(update={"detector_workers": 1, "ledger_url": url, "state_dir": tmp_path / "one"})
        with open_ledger(first):
            pass
        second = first.model_copy(update={"state_dir": tmp_path / "two"})
        shutil.copytree(tmp_path / "one/keys", tmp_path / "two/keys")
        return first, second

    async def test_two_replicas_write_one_log(self, two, subject, story):
        """
        Both serve packs at once, either sequences, and one log holds both, verified from storage.
        """
        request = story("npa-risk", "request")
        async with running(two[0], clock=lambda: NOW) as one, running(two[1], clock=lambda: NOW) as other:
            tries = [
                gateway.pipeline.assemble(asked({**request, "query": f"try {n}"}, {**subject, "sub": f"user {n % 3}"}))
                for n, gateway in enumerate([one, other] * 3)
            ]
            packs = await asyncio.gather(*tries)
            assert len({pack.id for pack in packs}) == 6
            verified = check_ledger(one)
            assert verified.packs == 6
            assert verified.lanes == 2
            with replaying(two[0], "embedded") as ask:
                counts = replay(one.ledger.parts.evidence, ask, Filter()).counts
            assert dict(counts) == {MATCH: 46 * 6}
            tokens = {record.subject for record in records(one, kind="pack.sealed")}
            assert len(tokens) == 3

    async def test_the_gateway_role_cannot_erase(self, two, token, subject, small):
        """
        Over HTTP the gateway's own role may not erase, and says which way does.
        """
        from gateway.api.app import create_app

        app = create_app(two[0], clock=lambda: NOW)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://ctxgate") as http:
                from gateway.bootstrap.keys import development_issuer

                claims = {**subject, "iss": two[0].jwt_issuer, "aud": two[0].jwt_audience, "scope": "erasure:write"}
                bearer = development_issuer(two[0]).token({**claims, "exp": int(NOW.timestamp()) + 60})
                answer = await http.post(
                    "/v1/ledger/erasures",
                    content=json.dumps({"subject": "x", "basis": "x"}),
                    headers={"authorization": f"Bearer {bearer}"},
                )
        assert "ctxgate ledger erase" in answer.text
