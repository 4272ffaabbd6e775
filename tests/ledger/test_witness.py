"""Witnesses: ours, asked over the protocol, about our log and about one that was forked."""

import httpx
import pytest

from adapters.ledger.ed25519 import Ed25519Verifier, make_signing_key
from gateway.api.witness import create_witness
from gateway.audit.witnesses import WitnessPanel
from ledger.errors import NoteInvalidError
from ledger.log import LogReader
from ledger.tlog.checkpoint import Checkpoint, encode_hash, open_checkpoint, read_checkpoint
from ledger.tlog.merkle import EMPTY_ROOT
from ledger.tlog.note import COSIGNATURE, sign
from ledger.tlog.trust import TrustPolicy
from ledger.tlog.witness import Witness, WitnessState
from tests.support.strategies import ORIGIN, keys, new_lane, sequencer, signer, write_request

NOW = 1_772_000_000


@pytest.fixture
def log(tmp_path):
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield store, lane
    store.close()


def grown(log, requests=1):
    store, lane = log
    for _ in range(requests):
        write_request(lane, ["released", "denied"])
    return sequencer(store).run()


def new_witness(folder, name="w1.test"):
    key = make_signing_key(name, folder / f"{name}.skey", COSIGNATURE)
    return Witness(key, {ORIGIN: keys()}, WitnessState(folder / f"{name}.sqlite"), lambda: NOW)


@pytest.fixture
def witness(tmp_path):
    made = new_witness(tmp_path)
    yield made
    made.state.close()


def body(old, proof, note):
    return "\n".join([f"old {old}", *map(encode_hash, proof), "", note])


def proved(log, old, published):
    return body(old, LogReader(log[0]).consistency(old, published), published.note)


class TestProtocol:
    def test_it_cosigns_what_follows(self, log, witness):
        """
        From the first checkpoint on, each that is shown to begin with the last is cosigned, also the same one again.
        """
        first = grown(log)
        answer = witness.add_checkpoint(proved(log, 0, first))
        assert answer.status == 200
        cosigner = Ed25519Verifier(witness.signer.key)
        checkpoint, seen = open_checkpoint(first.note + answer.body, keys(), [cosigner])
        assert (checkpoint.size, {witness.signer.key.id}) == (3, seen)
        second = grown(log, 7)
        assert witness.add_checkpoint(proved(log, 3, second)).status == 200
        assert witness.add_checkpoint(proved(log, second.size, second)).status == 200
        assert witness.state.last(ORIGIN).size == second.size

    def test_what_it_answers_to_the_rest(self, log, witness):
        """
        Each way of being wrong has the status that the protocol gives it, and nothing is cosigned.
        """
        first, second = grown(log), grown(log, 5)
        strange = sign(str(read_checkpoint(first.note)).replace(ORIGIN, "other.test/log"), [signer()])
        forged = first.note.replace("\n3\n", "\n4\n")
        stray = make_signing_key(ORIGIN, log[0] and witness_path(witness))
        unsigned = sign(str(read_checkpoint(first.note)), [stray])
        assert witness.add_checkpoint(body(0, [], strange)).status == 404
        assert witness.add_checkpoint(body(0, [], forged)).status == 403
        assert witness.add_checkpoint(body(0, [], unsigned)).status == 403
        assert witness.add_checkpoint(body(9, [], first.note)).status == 400
        for broken in (
            "",
            "old",
            "old x\n\n" + first.note,
            "old 00\n\n" + first.note,
            body(0, [], "x"),
            "old 0\nAA\n\n",
        ):
            assert witness.add_checkpoint(broken).status == 400
        assert witness.add_checkpoint(body(0, [EMPTY_ROOT] * 64, first.note)).status == 400
        assert witness.add_checkpoint(body(0, [EMPTY_ROOT], first.note)).status == 422
        assert witness.state.last(ORIGIN).size == 0
        assert witness.add_checkpoint(proved(log, 0, first)).status == 200
        answer = witness.add_checkpoint(proved(log, 0, second))
        assert (answer.status, answer.body, answer.media_type) == (409, "3\n", "text/x.tlog.size")
        assert witness.add_checkpoint(body(3, [EMPTY_ROOT], second.note)).status == 422
        assert witness.state.last(ORIGIN).size == 3

    def test_a_forked_log_is_refused(self, log, witness, tmp_path):
        """
        A log that goes on from an older copy is refused, whatever it proves, although its key signed it.
        """
        grown(log)
        (tmp_path / "fork").mkdir()
        fork = new_lane(tmp_path / "fork/ledger.sqlite")
        assert witness.add_checkpoint(proved(log, 0, grown(log, 4))).status == 200
        seen = witness.state.last(ORIGIN)
        same_size = grown(fork, 5)
        assert same_size.size == seen.size
        assert witness.add_checkpoint(proved(fork, same_size.size, same_size)).status == 409
        longer = grown(fork, 3)
        assert witness.add_checkpoint(proved(fork, seen.size, longer)).status == 422
        assert witness.state.last(ORIGIN) == seen
        fork[0].close()

    def test_it_remembers_after_a_restart(self, log, witness, tmp_path):
        """
        What was cosigned is on disk before the answer.
        """
        witness.add_checkpoint(proved(log, 0, grown(log)))
        again = WitnessState(tmp_path / "w1.test.sqlite")
        assert again.last(ORIGIN).size == 3
        assert not again.move(Checkpoint(ORIGIN, 0, EMPTY_ROOT), read_checkpoint(grown(log).note))
        again.close()


def witness_path(witness):
    from pathlib import Path
    from tempfile import mkdtemp

    return Path(mkdtemp()) / "stray.skey"


POLICY = """
# three witnesses of two departments
log {log} https://log.test
witness w1 {w1} http://w1
witness w2 {w2} http://w2
witness w3 {w3} http://w3
group audit any w1 w2
group all-of-them 2 audit w3
quorum all-of-them
"""


@pytest.fixture
def witnesses(tmp_path):
    made = {name: new_witness(tmp_path, f"{name}.test") for name in ("w1", "w2", "w3")}
    yield made
    for one in made.values():
        one.state.close()


@pytest.fixture
def policy(witnesses):
    names = {name: one.signer.key for name, one in witnesses.items()}
    return POLICY.format(log=signer().key, **names)


def panel(log, policy, witnesses, down=()):
    """A panel whose witnesses are served in this process; some of them are down."""
    apps = {f"http://{name}": httpx.ASGITransport(create_witness(one)) for name, one in witnesses.items()}
    mounts = {url: transport for url, transport in apps.items() if url.removeprefix("http://") not in down}
    client = httpx.AsyncClient(mounts=mounts, transport=httpx.MockTransport(lambda _: httpx.Response(503)))
    parsed = TrustPolicy.parse(policy)
    cosigners = [Ed25519Verifier(party.key) for party in parsed.witnesses.values()]
    return WitnessPanel(parsed, log[0], client, log=keys(), witnesses=cosigners)


class TestPanel:
    async def test_cosignatures_are_collected_and_kept(self, log, policy, witnesses):
        """
        All witnesses cosign, the checkpoint with their lines is kept in the store, and the quorum is met.
        """
        asked = panel(log, policy, witnesses)
        for _ in range(3):
            published = await asked.cosigned(grown(log))
            assert asked.satisfied(published.note)
        assert log[0].published().note == published.note
        assert asked.failures == 0

    async def test_a_panel_that_starts_anew_learns_where_the_witnesses_are(self, log, policy, witnesses):
        """
        A log that has forgotten what was cosigned last is told by the witness, and goes on from there.
        """
        await panel(log, policy, witnesses).cosigned(grown(log))
        published = await panel(log, policy, witnesses).cosigned(grown(log, 3))
        assert panel(log, policy, witnesses).satisfied(published.note)

    @pytest.mark.parametrize(("down", "enough"), [(("w1",), True), (("w1", "w2"), False), (("w3",), False)])
    async def test_m_of_n(self, log, policy, witnesses, down, enough):
        """
        The policy decides which witnesses are enough when some are down.
        """
        asked = panel(log, policy, witnesses, down)
        published = await asked.cosigned(grown(log))
        assert asked.satisfied(published.note) is enough
        assert asked.failures == len(down)

    async def test_a_forged_cosignature_is_dropped(self, log, policy, witnesses):
        """
        A witness that answers with another's signature, or nonsense, counts as one that did not answer.
        """
        asked = panel(log, policy, witnesses)
        stray = make_signing_key("w1.test", witness_path(None), COSIGNATURE)
        object.__setattr__(witnesses["w1"], "signer", stray)
        published = await asked.cosigned(grown(log))
        assert asked.failures == 1
        assert "w1.test" not in published.note


class TestTrustPolicy:
    def test_it_reads_the_format(self, policy):
        """
        Logs, witnesses with URLs, nested groups and the quorum are read; comments and blank lines passed over.
        """
        parsed = TrustPolicy.parse(policy)
        assert [party.url for party in parsed.logs] == ["https://log.test"]
        assert set(parsed.witnesses) == {"w1", "w2", "w3"}
        assert parsed.groups["audit"] == (1, ("w1", "w2"))
        assert TrustPolicy.parse("quorum none\n").satisfied(set())

    @pytest.mark.parametrize(
        "change",
        [
            ("quorum all-of-them", ""),
            ("quorum all-of-them", "quorum all-of-them\nquorum audit"),
            ("quorum all-of-them", "quorum nobody"),
            ("any w1 w2", "any w1 w9"),
            ("any w1 w2", "3 w1 w2"),
            ("any w1 w2", "0 w1 w2"),
            ("2 audit w3", "2 audit w1"),
            ("witness w2", "witness w1"),
            ("witness w2", "witness none"),
            ("group audit", "troupe audit"),
            ("log ", "log x"),
        ],
    )
    def test_it_refuses_what_is_not_the_format(self, policy, change):
        """
        Each mistake names its line.
        """
        with pytest.raises(NoteInvalidError):
            TrustPolicy.parse(policy.replace(*change))

    def test_kinds_of_keys(self, policy, witnesses):
        """
        A log's key is no witness's, and no key stands twice.
        """
        for line in (f"log {witnesses['w1'].signer.key}", f"witness w9 {signer().key}", f"log {signer().key}"):
            with pytest.raises(NoteInvalidError):
                TrustPolicy.parse(f"{policy}{line}\n")


async def test_bodies_that_are_not_submissions(witnesses):
    """
    The service refuses what is too long or not text.
    """
    transport = httpx.ASGITransport(create_witness(witnesses["w1"]))
    async with httpx.AsyncClient(transport=transport, base_url="http://w1") as client:
        assert (await client.post("/add-checkpoint", content=b"\xff")).status_code == 400
        assert (await client.post("/add-checkpoint", content=b"x" * 1_200_000)).status_code == 400
        assert (await client.get("/healthz")).json() == {"status": "alive"}
