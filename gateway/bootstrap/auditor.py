"""The auditor's own station: the database read by a role that may only read, no keys, and the gateway as witness of each reading."""

import asyncio

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from adapters.ledger.gateway_ledger import GatewayLedger, NoKeys
from gateway.audit.evidence import Evidence
from gateway.audit.open_ledger import OpenLedger
from gateway.bootstrap.key_files import log_keys
from gateway.bootstrap.ledger import open_store, trust_policy
from gateway.errors import ConfigurationError
from gateway.replay.verdicts import UNAVAILABLE, VERDICTS, Replay, Replayed, ReplayVerdict
from gateway.settings import Settings
from ledger.pin import HeadPin
from ledger.query import Filter
from ledger.record import parse_record
from ledger.store import Published, Store

_WORDS: Final[dict[str, ReplayVerdict]] = {verdict: verdict for verdict in VERDICTS}
_TRIES: Final = 50
_PAUSE: Final = 0.1
"""Seconds between two looks for a new checkpoint."""


@dataclass(frozen=True, slots=True)
class UntouchedLog:
    """In the place of a `LogKeeper`: the log as the gateways keep it up; nothing is sequenced, signed or pinned."""

    store: Store

    async def round(self) -> Published | None:
        """The newest checkpoint."""
        return self.store.published()

    async def sequenced(self) -> None:
        """What is durable is put into the log by the gateways."""

    async def best(self) -> Published | None:
        """The newest checkpoint, once a gateway has signed one over all that is in the log now, or after a while the newest."""
        size = self.store.head().size
        for _ in range(_TRIES):
            published = self.store.published()
            if published is not None and published.size >= size:
                return published
            await asyncio.sleep(_PAUSE)
        return self.store.published()


@dataclass(frozen=True, slots=True)
class Station:
    """What an auditor works with."""

    parts: OpenLedger
    log: UntouchedLog
    gateway: GatewayLedger

    async def replay(self, wanted: Filter, limit: int | None) -> Replay:
        """
        Past rulings made again by the gateway, which has the inputs and the keys to them: those of the auditor's own tenant.

        Raises:
            ReadingRefusedError: the gateway did not answer.

            LedgerError: the store did not.
        """
        result, after = Replay(), wanted.after
        left = limit
        while left is None or left > 0:
            size = 500 if left is None else min(500, left)
            page = self.parts.store.query(
                wanted.model_copy(update={"kind": "item.ruled", "after": after, "limit": size})
            )
            for record in map(parse_record, page.records):
                await self._replay_one(record["decision_id"], result)
            if page.next is None:
                break
            after, left = page.next, None if left is None else left - len(page.records)
        return result

    async def _replay_one(self, decision_id: str, result: Replay) -> None:
        told = await self.gateway.replayed(decision_id)
        if told is not None:
            verdict, why = told
            # What this station does not know the word for it takes for what could not be done.
            known = _WORDS.get(verdict, UNAVAILABLE)
            result.add([Replayed(decision_id, known, why)])

    async def fetch_bundles(self, folder: Path) -> None:
        """
        Write the bundles that records name into a folder, as the gateway keeps them.

        Raises:
            ReadingRefusedError: the gateway did not answer.
        """
        for one in self.parts.store.series(Filter(), "policy_revision", None):
            content = await self.gateway.bundle(one.value) if one.value else None
            if one.value and content is not None:
                (folder / f"{one.value.removeprefix('sha256:')}.bundle").write_bytes(content)


@asynccontextmanager
async def station(settings: Settings) -> AsyncIterator[Station]:
    """
    The ledger for an auditor, and the gateway that records what they read.

    Raises:
        LedgerError: the store cannot be opened.

        ConfigurationError: what the station needs is not set.
    """
    if settings.auditor_gateway is None or settings.auditor_token is None or settings.ledger_url is None:
        raise ConfigurationError(
            "an auditor's station needs CTXGATE_AUDITOR_GATEWAY, CTXGATE_AUDITOR_TOKEN and CTXGATE_LEDGER_URL"
        )
    try:
        token = settings.auditor_token.read_text().strip()
    except OSError as error:
        raise ConfigurationError(f"there is no token at {settings.auditor_token}") from error
    store, keys = open_store(settings), NoKeys()
    try:
        async with httpx.AsyncClient() as client:
            parts = OpenLedger(
                store, HeadPin(settings.pin), Evidence(store, keys), keys, log_keys(settings), trust_policy(settings)
            )
            yield Station(parts, UntouchedLog(store), GatewayLedger(settings.auditor_gateway, token, client))
    finally:
        store.close()
