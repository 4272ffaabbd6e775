"""
Every error the ledger raises on purpose.

    LedgerError
    ├── RecordInvalidError          a record outside the format; nothing was written
    ├── LedgerUnavailableError      the store did not make the records durable; may be retried
    │   ├── LedgerBusyError         the queue of records is full; may be retried
    │   ├── DecisionTakenError      a decision id is in the store already; look what it says
    │   ├── KeyServiceError         what keeps the keys of persons outside the store did not answer
    │   └── SubjectErasedError      a record's erasable side is for a person who was erased meanwhile
    ├── DuplicateDecisionError      a decision id is taken by another decision
    ├── UnsafeDurabilityError       the store would lose acknowledged records; refuse to start
    ├── KeyReplacedError            the signing key was rotated out; this process must get the new one
    ├── RunRefusedError             what waits in a lane may not enter the log; its message is the code of the reason
    ├── RulingsMissingError         a pack waits in a lane, and not all its rulings are in the log yet
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

    def __init__(self, message: str, opened: str | None = None) -> None:
        """
        Args:
            message: what is wrong.
            opened: request id of the decision that the stored record opens; None if it opens none.
        """
        super().__init__(message)
        self.opened = opened


class UnsafeDurabilityError(LedgerError):
    """The store is set so that acknowledged records could be lost."""


class KeyReplacedError(LedgerError):
    """The log says that another key signs it now; nothing is signed with this one any more."""


class SubjectErasedError(LedgerUnavailableError):
    """The person was erased while the records were on their way; nothing was written."""


class KeyServiceError(LedgerUnavailableError):
    """What keeps the keys of persons outside the store did not answer, or refused."""


class DecisionTakenError(LedgerUnavailableError):
    """A decision id is in the store already; nothing was written."""


class RunRefusedError(LedgerError):
    """What waits in a lane may not enter the log; the message is one of `ledger.intake.reasons`."""


class RulingsMissingError(LedgerError):
    """A pack waits to enter the log, and some of its rulings are not there yet."""


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
