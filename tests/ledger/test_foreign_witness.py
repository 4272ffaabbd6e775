"""Somebody else's witness, `litewitness` of filippo.io/torchwood, asked about our log and about one that was forked."""

import base64
import re
import shutil
import sqlite3
import subprocess
import tempfile

from contextlib import closing
from pathlib import Path

import httpx
import pytest

from adapters.ledger.ed25519 import Ed25519Verifier
from gateway.audit.witnesses import WitnessPanel
from gateway.settings import HOME
from ledger.export import write_log
from ledger.tlog.checkpoint import open_checkpoint, read_checkpoint
from ledger.tlog.merkle import EMPTY_ROOT
from ledger.tlog.note import sign
from ledger.tlog.trust import TrustPolicy
from tests.support.services import need
from tests.support.strategies import ORIGIN, keys, new_lane, signer
from tests.support.witnessing import body, grown, new_witness, proved
from tools.loopback import free_port, until_up

FOREIGN = Path(__file__).parents[1] / "foreign"
AGENT = shutil.which("ssh-agent")


@pytest.fixture(scope="module")
def binary(tmp_path_factory):
    """The witness, built from the Go module that tests/foreign locks."""
    need(shutil.which("go") is not None, "Go")
    need(AGENT is not None, "ssh-agent")
    had = subprocess.run(["go", "mod", "download"], cwd=FOREIGN, capture_output=True, check=False).returncode == 0
    need(had, "a Go proxy that serves the module")
    path = tmp_path_factory.mktemp("litewitness") / "litewitness"
    subprocess.run(["go", "build", "-o", path, "filippo.io/torchwood/cmd/litewitness"], cwd=FOREIGN, check=True)
    return path


class LiteWitness:
    """The witness as a process; its key is held by an ssh-agent, as its manual asks."""

    def __init__(self, binary, folder):
        self.folder, port = folder, free_port()
        self.url = f"http://127.0.0.1:{port}"
        key, agent = folder / "key", folder / "agent"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        self.agent = subprocess.Popen([AGENT, "-D", "-a", agent], stdout=subprocess.DEVNULL)
        add = ["ssh-add", "-q", key]
        for _ in range(100):
            if subprocess.run(add, env={"SSH_AUTH_SOCK": str(agent)}, check=False, capture_output=True).returncode == 0:
                break
        listed = subprocess.run(["ssh-keygen", "-l", "-f", key], capture_output=True, text=True, check=True).stdout
        options = ("-ssh-agent", agent, "-key", listed.split()[1], "-listen", f"127.0.0.1:{port}", "-db", folder / "db")
        log = folder / "log"
        with log.open("wb") as out:
            self.process = subprocess.Popen([binary, "-name", "foreign.test/w1", *options], stdout=out, stderr=out)
        until_up(self.process, self.url)
        self.vkey = re.search(r"vkey=(\S+)", log.read_text())[1]
        self.watch()

    def watch(self):
        """Have it watch over our log; its own command for that needs a module that not every proxy serves."""
        with closing(sqlite3.connect(self.folder / "db")) as database, database:
            empty = base64.b64encode(EMPTY_ROOT).decode()
            database.execute("INSERT INTO log (origin, tree_size, tree_hash) VALUES (?, 0, ?)", (ORIGIN, empty))
            database.execute("INSERT INTO key (origin, key) VALUES (?, ?)", (ORIGIN, str(signer().key)))

    def submit(self, text):
        return httpx.post(f"{self.url}/add-checkpoint", content=text.encode(), timeout=20)

    def stop(self):
        for process in (self.process, self.agent):
            process.terminate()
            process.wait(20)


@pytest.fixture
def theirs(binary):
    # A short path: the address of the agent's socket has room for 107 bytes.
    with tempfile.TemporaryDirectory() as name:
        witness = LiteWitness(binary, Path(name))
        yield witness
        witness.stop()


@pytest.fixture
async def panel(theirs):
    """Makes panels whose one witness is theirs."""
    policy = TrustPolicy.parse(f"log {signer().key}\nwitness w1 {theirs.vkey} {theirs.url}\nquorum w1\n")
    async with httpx.AsyncClient() as client:
        cosigner = Ed25519Verifier(policy.witnesses["w1"].key)
        yield lambda log: WitnessPanel(policy, log[0], client, log=keys(), witnesses=[cosigner])


async def test_it_cosigns_our_log(theirs, panel, log, tmp_path):
    """
    It cosigns each of our checkpoints as the log grows, a panel that starts anew learns where it is, and a standalone
    verification of the export under a policy that asks for it holds; without its line it does not, nor once it saw more.
    """
    asked = panel(log)
    for requests in (1, 7, 100):
        published = await asked.cosigned(grown(log, requests))
        assert asked.satisfied(published.note)
    published = await panel(log).cosigned(grown(log, 3))
    assert panel(log).satisfied(published.note)
    write_log(log[0], tmp_path / "export", published)
    (tmp_path / "policy").write_text(f"log {signer().key}\nwitness w1 {theirs.vkey}\nquorum w1\n")
    verifier = ["python3", HOME / "tools/verify_ledger.py", tmp_path / "export", "--policy", tmp_path / "policy"]
    # A bare log, whose records are dated in another year than the witness signs in.
    parts = [f"--waive={part}" for part in ("manifest", "index", "checkpoints", "receipts", "bundles")]
    verify = [*verifier, "--vkey", str(signer().key), "--fresh", "10m", "--late", "3650d", *parts]
    asked_again = [*verify, "--witness", theirs.url]
    for command in (verify, asked_again):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "a quorum of witnesses" in done.stdout, done.stdout
    newer = await panel(log).cosigned(grown(log, 1))
    done = subprocess.run(asked_again, capture_output=True, text=True, check=False)
    assert f"a witness saw {newer.size} entries, and here are {published.size}" in done.stdout, done.stdout
    (tmp_path / "export/checkpoint").write_text(sign(str(read_checkpoint(published.note)), [signer()]))
    assert subprocess.run(verify, capture_output=True, check=False).returncode == 1


async def test_it_refuses_a_fork(theirs, panel, log, tmp_path):
    """
    A log that goes on from an older copy gets no cosignature, and so does not meet the quorum.
    """
    grown(log)
    (tmp_path / "fork").mkdir()
    fork = new_lane(tmp_path / "fork/ledger.sqlite")
    await panel(log).cosigned(grown(log, 4))
    for requests in (5, 3):
        asked = panel(fork)
        published = await asked.cosigned(grown(fork, requests))
        assert asked.failures == 1
        assert not asked.satisfied(published.note)
    fork[0].close()


def test_ours_answers_as_theirs(theirs, log, tmp_path):
    """
    To the same submissions, good and bad, our witness gives the status that theirs gives, and cosigns where it does.
    """
    ours = new_witness(tmp_path)
    first, second = grown(log), grown(log, 5)
    stray = sign(str(read_checkpoint(first.note)).replace(ORIGIN, "other.test/log"), [signer()])
    submissions = [
        body(0, [], stray),
        body(0, [], first.note.replace("\n3\n", "\n4\n")),
        body(9, [], first.note),
        body(0, [EMPTY_ROOT] * 64, first.note),
        "old",
        "old x\n\n" + first.note,
        "old 0\nAA\n\n" + first.note,
        proved(log, 0, first),
        proved(log, 3, first),
        proved(log, 0, second),
        body(3, [EMPTY_ROOT], second.note),
        proved(log, 3, second),
        proved(log, 3, second),
    ]
    statuses = []
    for text in submissions:
        answer, own = theirs.submit(text), ours.add_checkpoint(text)
        assert own.status == answer.status_code, text
        statuses.append(own.status)
        if own.status == httpx.codes.OK:
            note = text.partition("\n\n")[2]
            for lines, key in ((answer.text, theirs.vkey), (own.body, ours.signer.key)):
                verifier = Ed25519Verifier(key)
                assert open_checkpoint(note + lines, keys(), [verifier])[1] == {verifier.key.id}
        if own.status == httpx.codes.CONFLICT:
            assert own.body == answer.text
    assert statuses == [404, 403, 400, 400, 400, 400, 400, 200, 200, 409, 422, 200, 409]
    ours.state.close()
