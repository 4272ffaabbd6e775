"""What a request kept of a person who was erased while it was under way."""

from dataclasses import replace

import pytest

from gateway.errors import PersonErasedError, StoreError
from tests.support.oracle import records


class Erased:
    """A ledger that knows the person no more when rulings are recorded; refusals it takes."""

    def __init__(self, ledger):
        self._ledger = ledger

    def __getattr__(self, name):
        return getattr(self._ledger, name)

    async def append(self, drafts, erasables=(), erasures=()):
        if any(draft.kind == "item.ruled" for draft in drafts):
            raise PersonErasedError("the person was erased")
        return await self._ledger.append(drafts, erasables, erasures)


class Forgetting:
    """Stores that only remember whom they were told to forget."""

    def __init__(self):
        self.told = []

    async def forget(self, tenant, person):
        self.told.append((tenant, person))
        return 0


class Down:
    """Reviews that do not answer."""

    async def known(self, tenant, digests):
        return {}

    async def quarantine(self, items):
        return None

    async def erase(self, tenant, decision_ids):
        raise StoreError("the store beside the ledger did not answer")


@pytest.mark.parametrize("down", [False, True])
async def test_it_goes_also_where_the_quarantine_does_not_answer(gateway, ask, small, down):
    """
    Sessions and artifacts are told to forget the person, and the caller hears of the erasure, whatever the quarantine does.
    """
    pipeline, sessions, artifacts = gateway.pipeline, Forgetting(), Forgetting()
    changed = replace(
        pipeline,
        ledger=Erased(pipeline.ledger),
        sessions=sessions,
        artifacts=replace(pipeline.artifacts, store=artifacts),
        reviews=Down() if down else pipeline.reviews,
    )
    with pytest.raises(PersonErasedError):
        await changed.assemble(ask(small))
    assert len(sessions.told) == len(artifacts.told) == 1
    assert not records(gateway, kind="pack.sealed")
