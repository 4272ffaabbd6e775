"""Other people's code, put to our log: it accepts what is good and refuses what was changed, as ours does."""

import base64
import json
import shutil
import subprocess

from pathlib import Path

import metamorphic_log
import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from scitt_cose import verify_consistency as scitt_consistency
from scitt_cose import verify_inclusion as scitt_inclusion
from tlog_scales.backend import LocalBackend
from tlog_scales.reader import TilesReader
from tlog_scales.signing import Vkey

from adapters.ledger.ed25519 import Ed25519Signer
from ledger.export import write_log
from ledger.log import LogReader
from ledger.tlog.merkle import EMPTY_ROOT, leaf_hash, verify_consistency, verify_inclusion
from ledger.tlog.note import COSIGNATURE, cosign
from tests.support.services import need
from tests.support.strategies import ORIGIN, new_lane, sequencer, signer, write_request

FOREIGN = Path(__file__).parents[1] / "foreign"


@pytest.fixture(scope="session")
def foreign(tmp_path_factory):
    """The Go program under tests/foreign, built."""
    need(shutil.which("go") is not None, "Go")
    binary = tmp_path_factory.mktemp("foreign") / "foreign"
    subprocess.run(["go", "build", "-o", binary, "."], cwd=FOREIGN, check=True)
    return binary


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A published log of 405 entries, a checkpoint that was seen at 165, and its store."""
    folder = tmp_path_factory.mktemp("log")
    store, lane = new_lane(folder / "ledger.sqlite")
    for _ in range(33):
        write_request(lane, ["released", "denied", "released", "denied"])
    older = sequencer(store).run()
    for _ in range(48):
        write_request(lane, ["released", "denied", "released", "denied"])
    published = sequencer(store).run()
    write_log(store, folder / "log", published)
    (folder / "older").write_text(older.note)
    (folder / "log/receipts").mkdir()
    for index in (0, 200, 404):
        (folder / f"log/receipts/{index}.tlog-proof").write_text(str(LogReader(store).proof(index, published)))
    yield store, folder, older, published
    store.close()


def spoiled(log, folder):
    """Copies of the published log, each with one thing changed."""
    _, source, _, _ = log
    for name in ("tile/0/001.p/149", "tile/entries/000", "checkpoint", "tile/0/000"):
        copy = folder / name.replace("/", "_")
        shutil.copytree(source / "log", copy)
        body = bytearray((copy / name).read_bytes())
        body[len(body) // 2] ^= 1
        (copy / name).write_bytes(body)
        yield copy


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


class TestGo:
    def test_their_proofs_and_verdicts(self, foreign):
        """
        On 45,000 proofs of transparency-dev/merkle, good and spoiled, our verdict is theirs.
        """
        done = run(foreign, "vectors")
        assert done.returncode == 0
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(lines) > 40_000
        verdicts = {True: 0, False: 0}
        for line in lines:
            proof = [base64.b64decode(one) for one in line["Proof"] or ()]
            root = base64.b64decode(line["Root"])
            first, size = line["First"], line["Size"]
            if line["Kind"] == "inclusion":
                ours = verify_inclusion(base64.b64decode(line["Leaf"]), first, size, proof, root)
            else:
                older = base64.b64decode(line["Older"])
                ours = verify_consistency(first, size, older, root, proof)
                if first == 0 and older != EMPTY_ROOT:
                    # Theirs believes any root of an empty tree; by our rule an empty tree has the one root it has.
                    assert not ours
                    continue
            assert ours == line["Holds"], line
            verdicts[ours] += 1
        assert min(verdicts.values()) > 4_000

    def test_x_mod_sumdb_reads_our_log(self, foreign, log):
        """
        golang.org/x/mod/sumdb opens our checkpoint and proves every entry from our tiles; theirs reads our proofs too.
        """
        _, folder, older, published = log
        done = run(foreign, "verify", folder / "log", signer().key)
        assert done.returncode == 0, done.stdout
        assert f"{published.size} entries" in done.stdout
        done = run(foreign, "verify", folder / "log", signer().key, folder / "older")
        assert done.returncode == 0, done.stdout
        assert f"the {older.size} seen" in done.stdout

    def test_it_refuses_what_was_changed(self, foreign, log, tmp_path):
        """
        Any changed tile, entry or checkpoint is refused, and so is another key.
        """
        for copy in spoiled(log, tmp_path):
            assert run(foreign, "verify", copy, signer().key).returncode == 1, copy
        other = Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate())
        assert run(foreign, "verify", log[1] / "log", other.key).returncode == 1

    def test_it_reads_our_cosignatures(self, foreign, log, tmp_path):
        """
        transparency-dev/formats verifies what our witness signs.
        """
        _, folder, _, published = log
        witness = Ed25519Signer("witness.test", Ed25519PrivateKey.generate(), COSIGNATURE)
        copy = tmp_path / "log"
        shutil.copytree(folder / "log", copy)
        text = published.note.partition("\n\n")[0] + "\n"
        (copy / "checkpoint").write_text(published.note + cosign(text, witness, 1_772_000_000))
        done = run(foreign, "verify", copy, signer().key, folder / "older", witness.key)
        assert done.returncode == 0, done.stdout
        (copy / "checkpoint").write_text(published.note + cosign(text + "x\n", witness, 1_772_000_000))
        assert run(foreign, "verify", copy, signer().key, folder / "older", witness.key).returncode == 1


class TestTlogScales:
    def test_it_reads_our_log(self, log):
        """
        tlog-scales reads tiles and entries from our folder, and builds proofs that hold, and that ours agree with.
        """
        store, folder, older, published = log
        reader = TilesReader(LocalBackend(folder / "log"))
        checkpoint = reader.get_checkpoint()
        checkpoint.verify(Vkey.from_string(str(signer().key)))
        assert reader.calculate_root_hash() == checkpoint.root_hash
        bodies = store.entries(0, published.size)
        for index in range(0, published.size, 7):
            assert reader.get_entry(index) == bodies[index]
            theirs = reader.get_inclusion_proof(index, published.size)
            theirs.check(leaf_hash(bodies[index]), checkpoint.root_hash)
            assert list(LogReader(store).proof(index, published).hashes) == theirs.node_hashes
        theirs = reader.get_consistency_proof(older.size, published.size)
        assert LogReader(store).consistency(older.size, published) == theirs.node_hashes

    def test_it_refuses_what_was_changed(self, log, tmp_path):
        """
        A changed tile, entry or checkpoint does not hold together with the others.
        """
        self.read(log[1] / "log")
        for copy in spoiled(log, tmp_path):
            with pytest.raises(Exception):  # noqa: B017 - theirs has no one kind
                self.read(copy)

    @staticmethod
    def read(folder):
        reader = TilesReader(LocalBackend(folder))
        checkpoint = reader.get_checkpoint()
        checkpoint.verify(Vkey.from_string(str(signer().key)))
        if reader.calculate_root_hash() != checkpoint.root_hash:
            raise ValueError("root")
        for index in range(checkpoint.size):
            proof = reader.get_inclusion_proof(index, checkpoint.size)
            proof.check(leaf_hash(reader.get_entry(index)), checkpoint.root_hash)


class TestMetamorphic:
    def test_checkpoints_and_proofs(self, log):
        """
        metamorphic-log verifies our checkpoints, and inclusion and consistency under them.
        """
        store, _, older, published = log
        vkeys = [str(signer().key)]
        assert metamorphic_log.checkpoint_verify(published.note, vkeys).size == published.size
        bodies = store.entries(0, published.size)
        for index in range(0, published.size, 11):
            hashes = list(LogReader(store).proof(index, published).hashes)
            leaf = leaf_hash(bodies[index])
            metamorphic_log.checkpoint_verify_inclusion(published.note, vkeys, index, leaf, hashes)
            with pytest.raises(Exception):  # noqa: B017 - theirs has no one kind
                metamorphic_log.checkpoint_verify_inclusion(published.note, vkeys, index, leaf, hashes[1:])
        proof = LogReader(store).consistency(older.size, published)
        metamorphic_log.checkpoint_verify_consistency(older.note, published.note, vkeys, proof)
        with pytest.raises(Exception):  # noqa: B017 - theirs has no one kind
            metamorphic_log.checkpoint_verify_consistency(older.note, published.note, vkeys, proof[1:])
        with pytest.raises(Exception):  # noqa: B017 - theirs has no one kind
            metamorphic_log.checkpoint_verify(published.note.replace("\n405\n", "\n404\n"), vkeys)


class TestScitt:
    def test_proofs(self, log):
        """
        scitt-cose verifies our inclusion and consistency proofs, and no others.
        """
        store, _, older, published = log
        bodies = store.entries(0, published.size)
        root, old = (LogReader(store).root(size).hex() for size in (published.size, older.size))
        for index in range(0, published.size, 11):
            hashes = [one.hex() for one in LogReader(store).proof(index, published).hashes]
            assert scitt_inclusion(bodies[index].hex(), index, published.size, hashes, root)
            assert not scitt_inclusion(bodies[index].hex(), index, published.size, hashes[::-1], root)
        proof = [one.hex() for one in LogReader(store).consistency(older.size, published)]
        assert scitt_consistency(old, root, older.size, published.size, proof)
        assert not scitt_consistency(root, old, older.size, published.size, proof)
