"""What is kept aside of decisions, opened again."""

from gateway.bootstrap.gateway import running
from ledger.erasable import commit
from tests.support.clock import NOW
from tests.support.oracle import records
from tests.support.requests import asked


async def test_contents_are_kept_only_where_that_is_set(settings, subject, small):
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
