"""
Every error the ledger raises on purpose.

    LedgerError
    ├── RecordInvalidError          a record outside the format; nothing was written
    ├── LedgerUnavailableError      the store did not make the records durable; may be retried
    │   ├── LedgerBusyError         the queue of records is full; may be retried
    │   ├── DecisionTakenError      a decision id is in the store already; look what it says
    │   └── SubjectErasedError      a record's erasable side is for a person who was erased meanwhile
    ├── DuplicateDecisionError      a decision id is taken by another decision
    ├── UnsafeDurabilityError       the store would lose acknowledged records; refuse to start
    ├── NoteInvalidError            a note, checkpoint, proof, key or trust policy that is not one, or not believed
    └── LedgerCorruptError          verification failed; names the first record that does not hold
        └── RollbackError           the store is behind a head that was seen before
"""


class LedgerError(Exception):
    """Base of all the errors in this module."""


class RecordInvalidError(LedgerError):
    """The record is outside the format of `FORMAT.md`, so it was not written."""


class LedgerUnavailableError(LedgerError):
    """The store did not make the records durable, so nothing may be released."""


class LedgerBusyError(LedgerUnavailableError):
    """More records wait to be written than the queue holds."""


class DuplicateDecisionError(LedgerError):
    """A decision id is in the ledger already, for a decision that says something else."""


class UnsafeDurabilityError(LedgerError):
    """The store is set so that acknowledged records could be lost."""


class SubjectErasedError(LedgerUnavailableError):
    """The person was erased while the records were on their way; nothing was written."""


class DecisionTakenError(LedgerUnavailableError):
    """A decision id is in the store already; nothing was written."""


class NoteInvalidError(LedgerError):
    """A note, checkpoint, proof, key or trust policy is malformed, or is not signed by whom it should be."""


class LedgerCorruptError(LedgerError):
    """The ledger does not hold together; the message names the first record that does not."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        self.why = why


class RollbackError(LedgerCorruptError):
    """The store lacks a record that a pin or a receipt says it had."""
