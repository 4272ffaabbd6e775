"""What speaks for a log from outside it."""

from datetime import datetime, timedelta

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.checkpoints.kept import SPAN
from ledger.checkpoints.vouched import LATE, SKEW, Times, Trust, Vouched, vouched
from ledger.errors import LedgerCorruptError
from ledger.query import Page
from ledger.store import Published
from ledger.tlog.checkpoint import Checkpoint, read_checkpoint
from ledger.tlog.note import cosign, sign
from ledger.tlog.trust import TrustPolicy
from ledger.verify import verify
from tests.support.strategies import AT, ORIGIN, keys, sequencer, signer, write_request
from tests.support.witnessing import new_witness

WRITTEN = datetime.fromisoformat(AT)


@pytest.fixture
def witness(tmp_path):
    made = new_witness(tmp_path)
    yield made.signer
    made.state.close()


@pytest.fixture
def trust(witness):
    policy = TrustPolicy.parse(f"log {signer().key}\nwitness w1 {witness.key}\nquorum w1\n")
    return Trust(policy, keys(), [Ed25519Verifier(witness.key)])


def seen_at(log, witness, moment):
    """The log brought up to date and cosigned at a moment."""
    store, lane = log
    write_request(lane, ["released", "denied"])
    published = sequencer(store).run()
    text = str(read_checkpoint(published.note))
    store.publish(
        read_checkpoint(published.note), published.at, published.note + cosign(text, witness, int(moment.timestamp()))
    )


def checked(log, trust):
    return verify(log[0], origin=ORIGIN, keys=keys(), trust=trust)


def test_a_quorum_is_looked_at(log, witness, trust):
    """
    Where a policy asks for witnesses there must be a checkpoint that enough cosigned, and verification says since when.
    """
    write_request(log[1], ["released"])
    sequencer(log[0]).run()
    with pytest.raises(LedgerCorruptError, match="as many witnesses"):
        checked(log, trust)
    seen_at(log, witness, WRITTEN + timedelta(hours=1))
    done = checked(log, trust)
    assert (done.vouched.checkpoint.size, done.vouched.since) == (5, WRITTEN + timedelta(hours=1))


def test_a_key_from_outside(log, witness, trust):
    """
    The newest checkpoint must be signed by a key that came from outside, whatever the keys in the log's own folder.
    """
    seen_at(log, witness, WRITTEN)
    other = Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate())
    outside = Trust(trust.policy, [Ed25519Verifier(other.key)], trust.witnesses)
    with pytest.raises(LedgerCorruptError, match="keys from outside"):
        checked(log, outside)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (LATE + timedelta(minutes=1), "no checkpoint before"),
        (-SKEW - timedelta(minutes=1), "after it was cosigned"),
        (LATE - timedelta(minutes=1), None),
        (-SKEW + timedelta(minutes=1), None),
    ],
)
def test_times_are_bound_by_cosignatures(log, witness, trust, after, said):
    """
    A record that claims a time after its cosignature, or a day and more before, is named; what clocks and repeats explain is not.
    """
    seen_at(log, witness, WRITTEN + after)
    if said is None:
        checked(log, trust)
    else:
        with pytest.raises(LedgerCorruptError, match=f"entry [012]: .*{said}"):
            checked(log, trust)


def test_a_witness_that_was_away_accuses_nobody():
    """
    Records of a time when no witness answered are bound by the cosignatures before and after it, however far apart.
    """
    times = Times()
    for index, (days, cosigned) in enumerate([(0, True), (3, False), (9, False), (10, True)]):
        moment = WRITTEN + timedelta(days=days)
        times.take(index, moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
        times.meet(Vouched(Checkpoint(ORIGIN, index + 1, bytes(32)), moment if cosigned else None))
    assert times.newest.checkpoint.size == 4


class Stored:
    """A store of checkpoints alone."""

    def __init__(self, kept, newest):
        self._kept, self._newest = kept, newest

    def checkpoints(self):
        return iter(self._kept)

    def newest(self):
        return self._newest

    def published(self):
        return self._newest[-1] if self._newest else None

    def query(self, wanted):
        """No key was ever replaced."""
        return Page(records=(), indexes=(), next=None)


def of(size):
    return Published(size, "", sign(str(Checkpoint(ORIGIN, size, bytes(32))), [signer()]))


@pytest.mark.parametrize(
    ("kept", "newest", "span"),
    [
        ([], 5, "0 to 65535"),
        ([1], SPAN + 5, "65536 to 131071"),
        ([1, 2 * SPAN], 2 * SPAN + 1, "65536 to 131071"),
        ([SPAN + 1], SPAN + 1, "0 to 65535"),
    ],
)
def test_a_checkpoint_that_was_taken_out(kept, newest, span):
    """
    Of each span of sizes one is kept, that of the newest included; which one lacks it is named.
    """
    with pytest.raises(LedgerCorruptError, match=span):
        list(vouched(Stored(list(map(of, kept)), [of(newest)]), ORIGIN, keys(), Trust()))


def test_ten_years_are_read_one_at_a_time():
    """
    However many checkpoints there are, the next is read when it is needed, and none is held.
    """
    read = []

    def kept():
        for size in range(1, 10**9):
            read.append(size)
            yield of(size)

    stored = Stored([], [of(1)])
    stored.checkpoints = kept
    stream = vouched(stored, ORIGIN, keys(), Trust())
    assert next(stream).checkpoint.size == 1
    assert next(stream).checkpoint.size == 1
    assert len(read) <= 3
