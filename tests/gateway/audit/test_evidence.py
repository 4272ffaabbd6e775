"""What is kept aside of decisions, opened again."""

import pytest

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from gateway.audit.evidence import Evidence
from gateway.bootstrap.gateway import running
from gateway.errors import RecordError
from ledger.erasable import Erasable, commit, fresh_salt
from ledger.lane import LaneWriter, Submission
from ledger.sqlite.store import SqliteStore
from tests.support.clock import NOW
from tests.support.oracle import records
from tests.support.requests import asked
from tests.support.strategies import ORIGIN, REPLICA, ruling, signer, uid


async def test_contents_are_kept_only_where_that_is_set(settings, subject, small):
    """
    By default no content is kept; with the setting it is, sealed, and the commitments are to it.
    """
    for keep in (False, True):
        chosen = settings.model_copy(update={"keep_content": keep, "state_dir": settings.state_dir / str(keep)})
        async with running(chosen, clock=lambda: NOW) as gateway:
            await gateway.pipeline.assemble(asked(small, subject))
            rulings = records(gateway, kind="item.ruled")
            erasables = gateway.ledger.parts.evidence.erasables([one.decision_id for one in rulings])
            for one in rulings:
                aside = erasables[one.decision_id]
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


SEALER = AesSealer(FileKeyWrap(bytes(32)))
ASIDE = Erasable(input_salt=fresh_salt(), input=b'{"a":1}')


@pytest.fixture
def sealed(tmp_path):
    """A store with one decision that has something aside, and one that has nothing."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    person = store.person("gfm", "ann", SEALER.new_key())
    drafts = [ruling(uid(), name, subject=person.token) for name in "ab"]
    body = SEALER.seal(ASIDE, key=person.key, location=drafts[0].decision_id)
    LaneWriter(store, ORIGIN, REPLICA, signer()).commit([Submission(drafts, [body, b""])])
    yield store, [draft.decision_id for draft in drafts]
    store.close()


def test_what_is_aside_opens_again(sealed):
    """
    What was sealed opens as it was; what has nothing aside, or is not there, is left out.
    """
    store, names = sealed
    assert Evidence(store, SEALER).erasables([*names, uid()]) == {names[0]: ASIDE}
    assert Evidence(store, SEALER).inputs(names) == {names[0]: b'{"a":1}'}


def test_what_does_not_open_is_not_taken_for_erased(sealed):
    """
    Under another key what is there cannot be read, which is an error, and not the same as nothing.
    """
    store, names = sealed
    with pytest.raises(RecordError, match="does not decrypt"):
        Evidence(store, AesSealer(FileKeyWrap(b"x" * 32))).erasables(names)
