"""Forgetting a person, as the command and the API do it."""

from typing import Any

from gateway.bootstrap.stores import Stores
from gateway.model import Subject
from gateway.privacy.erasure import Erased, erase
from ledger.store import Erasure
from tests.support.clock import NOW


async def forget(tenant: str, subject: str, stores: Stores, ledger: Any) -> Erased:
    """Erase a person at `NOW`, through a ledger that is open for writing."""
    return await erase(
        Erasure(tenant, subject),
        "asked to",
        Subject(sub="dpo", tenant=tenant, role="admin", department="RMG", jurisdictions=("SG",)),
        NOW,
        store=ledger.parts.store,
        recorder=ledger.recorder,
        stores=stores.personal,
        catch_up=ledger.keeper.round,
    )
