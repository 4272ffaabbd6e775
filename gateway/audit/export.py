"""A whole ledger as a folder, for auditors who do not trust us."""

import json
import shutil

from itertools import groupby
from pathlib import Path
from typing import Final

from gateway.audit.open_ledger import OpenLedger
from gateway.policy.store import BundleStore
from gateway.settings import Settings
from ledger.canonical import encode_canonical
from ledger.export import write_log
from ledger.log import LogReader
from ledger.query import Filter
from ledger.store import Published
from ledger.tlog.tiles import WIDTH

_FORMAT: Final = "ctxgate-export/1"


def export_ledger(parts: OpenLedger, published: Published, folder: Path, settings: Settings) -> None:
    """
    Write `tile/…`, `log.vkey`, `policy.tlog`, `checkpoints`, `index.jsonl`, `bundles/`, `receipts/` and `checkpoint`.

    `receipts/` holds, for each sealed pack, the proof that its record is in the log; `index.jsonl` holds what the
    index columns of the store say of every entry, 256 entries a line, so that a row hidden from queries is found.

    Raises:
        LedgerError: the store does not hold what the checkpoint covers.

        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True)
    (folder / "log.vkey").write_text("".join(f"{verifier.key}\n" for verifier in parts.keys))
    (folder / "policy.tlog").write_text(_policy(parts, settings))
    (folder / "export.json").write_text(json.dumps({"format": _FORMAT, "origin": settings.origin}) + "\n")
    (folder / "checkpoints").write_text("\n".join(one.note for one in parts.store.checkpoints()))
    with (folder / "index.jsonl").open("w") as index:
        for _, rows in groupby(parts.store.scan(), lambda row: row.index // WIDTH):
            index.write(encode_canonical([[row.index, *row.projections.values(), row.codes] for row in rows]) + "\n")
    (folder / "bundles").mkdir()
    for path in BundleStore(settings.bundles_dir).paths():
        shutil.copy(path, folder / "bundles" / path.name)
    _proofs(parts, published, folder / "receipts")
    write_log(parts.store, folder, published)


def _policy(parts: OpenLedger, settings: Settings) -> str:
    if settings.trust_policy is not None:
        return settings.trust_policy.read_text()
    return "".join(f"log {verifier.key}\n" for verifier in parts.keys) + "quorum none\n"


def _proofs(parts: OpenLedger, published: Published, folder: Path) -> None:
    folder.mkdir()
    reader = LogReader(parts.store)
    after: int | None = 0
    while after is not None:
        page = parts.store.query(Filter(kind="pack.sealed", after=after, limit=1000))
        for index, body in zip(page.indexes, page.records, strict=True):
            if index < published.size:
                pack = json.loads(body)["pack"]["id"]
                (folder / f"{pack}.tlog-proof").write_text(str(reader.proof(index, published)))
        after = page.next
