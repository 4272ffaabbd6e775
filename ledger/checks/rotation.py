"""
When a key of the log took over from another, by the log itself.

Rules held here: the place of the `key.rotated` record in the log is where the key that it names as the old one ends and the
new one begins: a tree that holds the record is signed by the new key, any smaller one by the old.  Whoever has stolen a key that
was replaced can therefore sign nothing that verifies, but for what was signed before.
"""

from collections.abc import Sequence
from typing import Final

from ledger.errors import KeyReplacedError, LedgerCorruptError
from ledger.query import Filter
from ledger.store import Published, Store
from ledger.tlog.keys import LogKey
from ledger.tlog.note import Signer, Verifier, VerifierKey, parse

_KIND: Final = "key.rotated"


def rotation_codes(old: VerifierKey, new: VerifierKey, *, lost: bool = False) -> tuple[str, ...]:
    """
    What the codes of a rotation's record say: both keys, whole, so that the log holds the history of its own keys.

    Args:
        old: the key that ends.
        new: the one that begins.
        lost: whether the old one was not there any more.
    """
    codes = (f"FROM-{old}", f"KEY-{new.key_hash.hex()}", "ROTATED", f"TO-{new}")
    return tuple(sorted((*codes, "KEY-LOST") if lost else codes))


def replaced_at(store: Store, key: VerifierKey) -> int | None:
    """The index of the record that says a key was replaced; None if there is none in the log."""
    return _place(store, f"FROM-{key}")


def _place(store: Store, code: str) -> int | None:
    return next(iter(store.query(Filter(kind=_KIND, code=code, limit=1)).indexes), None)


def bounded(store: Store, keys: Sequence[Verifier]) -> list[LogKey]:
    """The keys, each for the sizes that the records of rotations leave it, and none beyond what it had."""
    found = []
    for verifier in keys:
        begins, ends = (_place(store, f"{which}-{verifier.key}") for which in ("TO", "FROM"))
        known = verifier if isinstance(verifier, LogKey) else LogKey(verifier)
        found.append(known.within(0 if begins is None else begins + 1, ends))
    return found


def check_signer(published: Published, keys: Sequence[LogKey]) -> None:
    """
    A checkpoint is signed by a key whose turn it was; its signatures hold already.

    Args:
        published: the checkpoint.
        keys: the log's, each for the sizes that it may sign (`bounded`).

    Raises:
        LedgerCorruptError: it is signed by keys alone that had been replaced, or had not begun.
    """
    lines = {(line.name, line.key_hash) for line in parse(published.note)[1]}
    if not any(one.spans(published.size) for one in keys if (one.key.name, one.key.key_hash) in lines):
        where = f"the checkpoint of {published.size} entries"
        raise LedgerCorruptError(where, "it is signed by a key that had been replaced, or had not begun")


def require_turn(store: Store, signers: Sequence[Signer], size: int) -> None:
    """
    Sign nothing more with a key that was replaced.

    Raises:
        KeyReplacedError: the log says that one of them was, at a size before this one.
    """
    for signer in signers:
        index = replaced_at(store, signer.key)
        if index is not None and index < size:
            raise KeyReplacedError(
                f"the key {signer.key.id} was replaced; this process goes on signing with the old one"
            )
