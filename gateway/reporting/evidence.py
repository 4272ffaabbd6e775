"""
What reports are made from: the log, its keys, and the bundles that decided.

Rules held here: a report speaks of the log as one checkpoint has it, whose signature was checked here; what is not under it, or
whose proof does not hold, is said to be so; records are read a page at a time.
"""

import shlex

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from gateway.audit.why import ProofStatus
from gateway.errors import GatewayError
from gateway.policy.bundle import Bundle
from gateway.reporting.document import FactList, Lines, facts, visible
from ledger.errors import LedgerCorruptError, NoteInvalidError
from ledger.log import LogReader
from ledger.query import Filter
from ledger.record import parse_record
from ledger.store import Published, Store
from ledger.tlog.checkpoint import Checkpoint, Proof, open_checkpoint
from ledger.tlog.merkle import leaf_hash, verify_inclusion
from ledger.tlog.note import Verifier
from ledger.tlog.trust import TrustPolicy

_PAGE: Final = 1000


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A record with its place in the log."""

    index: int
    body: bytes
    record: Mapping[str, Any]

    @property
    def leaf(self) -> str:
        """Its leaf hash."""
        return leaf_hash(self.body).hex()


@dataclass(frozen=True)
class Material:
    """What a report is made from; made anew for each, since it speaks of the log at one moment."""

    store: Store
    keys: Sequence[Verifier]
    """The log's."""

    witnesses: Sequence[Verifier]
    trust: TrustPolicy | None
    kept: Callable[[str], Bundle]
    """A bundle that ever decided, by its revision."""

    deciding: Bundle
    """The bundle that decides now."""

    inputs: Callable[[Sequence[str]], Mapping[str, bytes]] | None = None
    """What policy was asked, by decision id; None where the keys to that are not here."""

    _told: dict[int, ProofStatus] = field(default_factory=dict)
    """How far records are proved, by their places."""

    def bundle(self, revision: str) -> Bundle | None:
        """A bundle that decided, if it is here and whole."""
        if revision == self.deciding.revision:
            return self.deciding
        try:
            return self.kept(revision)
        except GatewayError:
            return None

    def entries(self, wanted: Filter) -> Iterator[LogEntry]:
        """
        Records that match, in the order of the log, a page at a time.

        Raises:
            LedgerError: the ledger did not answer, or a record is not whole.
        """
        after: int | None = wanted.after
        while after is not None:
            page = self.store.query(wanted.model_copy(update={"after": after, "limit": _PAGE}))
            for index, body in zip(page.indexes, page.records, strict=True):
                yield LogEntry(index, body, parse_record(body))
            after = page.next

    @cached_property
    def published(self) -> Published | None:
        """The checkpoint that the report speaks of."""
        return self.store.published()

    @cached_property
    def signed(self) -> tuple[Checkpoint, set[str]] | None:
        """What that checkpoint says and who cosigned it; None where there is none, or the log did not sign it."""
        if self.published is None:
            return None
        try:
            return open_checkpoint(self.published.note, self.keys, self.witnesses)
        except NoteInvalidError:
            return None

    def proof(self, entry: LogEntry) -> Proof | None:
        """That a record is in the log as that checkpoint has it; None where it is not under it yet."""
        if self.published is None or entry.index >= self.published.size:
            return None
        return LogReader(self.store).proof(entry.index, self.published)

    def status(self, entry: LogEntry) -> ProofStatus:
        """How far a record is proved."""
        if entry.index not in self._told:
            self._told[entry.index] = self._status(entry)
        return self._told[entry.index]

    def _status(self, entry: LogEntry) -> ProofStatus:
        try:
            proof = self.proof(entry)
        except LedgerCorruptError:
            return ProofStatus(entry.index, 0, 0, holds=False)
        if proof is None:
            return ProofStatus(None, 0, 0, holds=False)
        if self.signed is None:
            return ProofStatus(entry.index, 0, 0, holds=False)
        checkpoint, seen = self.signed
        holds = verify_inclusion(leaf_hash(entry.body), entry.index, checkpoint.size, proof.hashes, checkpoint.root)
        return ProofStatus(entry.index, checkpoint.size, len(seen), holds=holds)

    def quorum(self, seen: set[str]) -> bool | None:
        """Whether enough witnesses cosigned; None where nobody said how many are enough."""
        return None if self.trust is None or not self.trust.asks_witnesses else self.trust.satisfied(seen)

    def log(self) -> tuple[FactList, Lines]:
        """The checkpoint that all of a report stands on."""
        said = self.signed
        told = facts(
            "log",
            ("origin", "Log", said[0].origin if said else None),
            ("size", "Entries under the checkpoint", said[0].size if said else None),
            ("root", "Root", said[0].root.hex() if said else None),
            ("signed", "Signed by the log", said is not None),
            ("witnesses", "Cosigned by", tuple(sorted(said[1])) if said else ()),
            ("quorum", "A quorum of witnesses", self.quorum(said[1]) if said else None),
            ("keys", "Verifier keys of the log", tuple(key.key.id for key in self.keys)),
        )
        note = self.published.note.split("\n") if self.published else []
        return told, Lines("checkpoint", "The signed checkpoint", tuple(note))


def quoted(name: str) -> str:
    """A name as one word of a command line."""
    return shlex.quote(visible(name))
