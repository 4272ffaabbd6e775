"""
A whole ledger as a folder, for auditors who do not trust us.

Rules held here: everything is read from one snapshot of the store, up to one checkpoint, so that what is written belongs
together however busy the ledger is; the log's key signs the list of what was written; a folder that cannot be written whole
is not left behind.
"""

import contextlib
import hashlib
import heapq
import json
import shutil

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, takewhile
from pathlib import Path

from gateway.audit.open_ledger import OpenLedger
from gateway.errors import ExportFailedError, KeyLostError
from gateway.policy.store import BundleStore
from gateway.settings import Settings
from ledger.canonical import encode_canonical
from ledger.export import Manifest, write_log
from ledger.log import LogReader
from ledger.query import Filter
from ledger.store import Published, Store
from ledger.tlog.tiles import WIDTH


def export_ledger(parts: OpenLedger, snapshot: Store, published: Published, folder: Path, settings: Settings) -> None:
    """
    Write `tile/…`, `log.vkey`, `policy.tlog`, `checkpoints`, `index.jsonl`, `bundles/`, `receipts/`, `checkpoint`, `manifest`.

    `receipts/` holds, for each sealed pack, the proof that its record is in the log; `index.jsonl` holds what the
    index columns of the store say of every entry, 256 entries a line, so that a row hidden from queries is found.

    Args:
        parts: the ledger, for its keys.
        snapshot: its store as it was at one moment, not before the checkpoint was published.
        published: the checkpoint; what came after it is left out.
        folder: where to; must not be there.
        settings: where the bundles and the trust policy are.

    Raises:
        LedgerError: the store does not hold what the checkpoint covers.

        ExportFailedError: the folder cannot be written, or is there.
    """
    draft = folder.with_name(f".{folder.name}.part")
    try:
        if folder.exists():
            raise FileExistsError(folder.name)
        draft.mkdir(parents=True)
        _write(replace(parts, store=snapshot), published, draft, settings)
        draft.rename(folder)
    except OSError as error:
        raise ExportFailedError(f"{type(error).__name__}: {error.strerror or 'it is there already'}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(parts: OpenLedger, published: Published, folder: Path, settings: Settings) -> None:
    manifest = Manifest(settings.origin, published.size)
    (folder / "log.vkey").write_text("".join(f"{verifier.key}\n" for verifier in parts.keys))
    (folder / "policy.tlog").write_text(_policy(parts, settings))
    _checkpoints(parts.store, published, folder / "checkpoints")
    _index(parts.store, published.size, folder / "index.jsonl")
    for name in ("log.vkey", "policy.tlog", "checkpoints", "index.jsonl"):
        manifest.file(folder / name)
    manifest.folder("bundles", _bundles(settings, folder / "bundles"))
    manifest.folder("receipts", _proofs(parts.store, published, folder / "receipts"))
    write_log(parts.store, folder, published)
    manifest.file(folder / "checkpoint")
    # An auditor without keys signs none, and does not need one: nobody else had the export in between.
    with contextlib.suppress(KeyLostError):
        (folder / "manifest").write_text(manifest.signed(parts.signer))


def _policy(parts: OpenLedger, settings: Settings) -> str:
    if settings.trust_policy is not None:
        return settings.trust_policy.read_text()
    return "".join(f"log {verifier.key}\n" for verifier in parts.keys) + "quorum none\n"


def _checkpoints(store: Store, published: Published, path: Path) -> None:
    """The checkpoints that are kept, and the newest, in the order of their sizes, none of them twice."""
    newest = sorted([*store.newest(), published], key=_size)
    every = heapq.merge(store.checkpoints(), newest, key=_size)
    before = ""
    with path.open("w", encoding="utf-8") as file:
        for one in takewhile(lambda other: other.size <= published.size, every):
            if one.note != before:
                file.write(f"{'' if not before else chr(10)}{one.note}")
            before = one.note


def _size(published: Published) -> int:
    return published.size


def _index(store: Store, size: int, path: Path) -> None:
    rows = takewhile(lambda row: row.index < size, store.scan())
    with path.open("w", encoding="utf-8") as file:
        for _, some in groupby(rows, lambda row: row.index // WIDTH):
            file.write(encode_canonical([[row.index, *row.projections.values(), row.codes] for row in some]) + "\n")


def _bundles(settings: Settings, folder: Path) -> Iterator[bytes]:
    """The hash of each bundle that was written, in the order of their names."""
    folder.mkdir()
    for path in BundleStore(settings.bundles_dir).paths():
        body = path.read_bytes()
        (folder / path.name).write_bytes(body)
        yield hashlib.sha256(body).digest()


def _proofs(store: Store, published: Published, folder: Path) -> Iterator[bytes]:
    """The hash of each proof that was written, in the order of the log."""
    folder.mkdir()
    reader = LogReader(store)
    after: int | None = 0
    while after is not None:
        page = store.query(Filter(kind="pack.sealed", after=after, limit=1000))
        for index, body in zip(page.indexes, page.records, strict=True):
            if index < published.size:
                pack, proof = json.loads(body)["pack"]["id"], str(reader.proof(index, published)).encode()
                (folder / f"{pack}.tlog-proof").write_bytes(proof)
                yield hashlib.sha256(proof).digest()
        after = page.next if page.next is not None and page.next < published.size else None
