"""A witness: cosigns what follows, and answers everything else with the status that the protocol gives it."""

import pytest

from adapters.ledger.ed25519 import Ed25519Verifier, make_signing_key
from ledger.errors import LedgerUnavailableError
from ledger.tlog.checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from ledger.tlog.merkle import EMPTY_ROOT
from ledger.tlog.note import sign
from ledger.tlog.witness import WitnessState
from tests.support.strategies import ORIGIN, keys, new_lane, signer
from tests.support.witnessing import body, grown, new_witness, proved


@pytest.fixture
def witness(tmp_path):
    made = new_witness(tmp_path)
    yield made
    made.state.close()


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

    def test_what_it_answers_to_the_rest(self, log, witness, tmp_path):
        """
        Each way of being wrong has the status that the protocol gives it, and nothing is cosigned.
        """
        first, second = grown(log), grown(log, 5)
        strange = sign(str(read_checkpoint(first.note)).replace(ORIGIN, "other.test/log"), [signer()])
        forged = first.note.replace("\n3\n", "\n4\n")
        stray = make_signing_key(ORIGIN, tmp_path / "stray.skey")
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


def test_of_two_steps_from_one_place_one_is_taken(tmp_path):
    """
    The last checkpoint moves by compare-and-swap, across processes that share the file, and for each log by itself.
    """
    one, other = (WitnessState(tmp_path / "state.sqlite") for _ in range(2))
    old = one.last(ORIGIN)
    assert old == Checkpoint(ORIGIN, 0, EMPTY_ROOT)
    assert one.move(old, Checkpoint(ORIGIN, 5, b"a" * 32))
    assert not other.move(old, Checkpoint(ORIGIN, 6, b"b" * 32))
    assert not other.move(Checkpoint(ORIGIN, 5, b"b" * 32), Checkpoint(ORIGIN, 6, b"b" * 32))
    assert other.last(ORIGIN) == Checkpoint(ORIGIN, 5, b"a" * 32)
    assert other.last("other.test/log").size == 0
    one.close()
    other.close()


def test_a_state_that_cannot_be_opened(tmp_path):
    """
    A witness that cannot remember does not begin.
    """
    (tmp_path / "state.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(LedgerUnavailableError, match="witness"):
        WitnessState(tmp_path / "state.sqlite")
