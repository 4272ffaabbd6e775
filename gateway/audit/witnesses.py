"""Having witnesses cosign checkpoints (c2sp.org/tlog-witness), and judging whether enough have."""

import asyncio

from collections.abc import Sequence
from typing import Final

import httpx

from ledger.errors import LedgerError, NoteInvalidError
from ledger.log import LogReader
from ledger.store import Published, Store
from ledger.tlog.checkpoint import encode_hash, open_checkpoint, read_checkpoint
from ledger.tlog.note import Verifier, open_note
from ledger.tlog.trust import Party, TrustPolicy

TIMEOUT_SECONDS: Final = 5.0
_MAX_ANSWER: Final = 10_000


class WitnessPanel:
    """The witnesses of a trust policy."""

    def __init__(
        self,
        policy: TrustPolicy,
        store: Store,
        client: httpx.AsyncClient,
        *,
        log: Sequence[Verifier],
        witnesses: Sequence[Verifier],
    ) -> None:
        """
        Args:
            policy: who they are, and how many are enough.
            store: the ledger, for consistency proofs.
            client: to ask them with.
            log: the log's keys.
            witnesses: one for each witness of the policy.
        """
        self._policy = policy
        self._store = store
        self._client = client
        self._log = log
        self._verifiers = {verifier.key.id: verifier for verifier in witnesses}
        self._seen: dict[str, int] = {}
        self.failures = 0

    def satisfied(self, note: str) -> bool:
        """Whether enough witnesses have cosigned a checkpoint."""
        try:
            _, seen = open_checkpoint(note, self._log, list(self._verifiers.values()))
        except NoteInvalidError:
            return False
        return self._policy.satisfied(seen)

    async def cosigned(self, published: Published) -> Published:
        """The checkpoint with the cosignatures that could be had now, kept in the store."""
        have = {key.id for key in open_note(published.note, list(self._verifiers.values())).signed}
        missing = [party for party in self._policy.witnesses.values() if party.url and party.key.id not in have]
        # All at once, since each may take the whole of its time; whoever has cosigned is not asked again.
        lines = await asyncio.gather(*(self._ask(party, published) for party in missing))
        if not any(lines):
            return published
        known = Published(published.size, published.at, published.note + "".join(lines))
        await asyncio.to_thread(self._store.publish, read_checkpoint(known.note), known.at, known.note)
        return known

    async def _ask(self, party: Party, published: Published) -> str:
        """The witness's signature lines; empty if it did not cosign."""
        try:
            answer = await self._submit(party, published, self._seen.get(party.key.id, 0))
            if answer.status_code == httpx.codes.CONFLICT:
                self._seen[party.key.id] = int(answer.text.strip())
                answer = await self._submit(party, published, self._seen[party.key.id])
            if answer.status_code != httpx.codes.OK or len(answer.text) > _MAX_ANSWER:
                raise NoteInvalidError("the witness refused")
            verifier = self._verifiers[party.key.id]
            if verifier.key not in open_note(published.note + answer.text, [verifier]).signed:
                raise NoteInvalidError("the witness answered with another's signature")
        except (httpx.HTTPError, LedgerError, ValueError):
            self.failures += 1
            return ""
        self._seen[party.key.id] = published.size
        return answer.text

    async def _submit(self, party: Party, published: Published, old: int) -> httpx.Response:
        proof = await asyncio.to_thread(LogReader(self._store).consistency, old, published)
        lines = [f"old {old}", *map(encode_hash, proof), "", published.note]
        return await self._client.post(
            f"{(party.url or '').rstrip('/')}/add-checkpoint",
            content="\n".join(lines).encode(),
            timeout=TIMEOUT_SECONDS,
        )
