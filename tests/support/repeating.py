"""Requests that are sent again while their sources change, and whether every pack is what its records commit to."""

import json
import subprocess
import sys

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gateway.audit.evidence import Evidence
from gateway.audit.export import export_ledger
from gateway.bootstrap.gateway import Gateway
from gateway.model import Candidate, SourceEntry
from gateway.model.content import content_bytes
from gateway.settings import HOME
from ledger.erasable import commit
from ledger.query import Filter
from ledger.record import Record
from ledger.store import Store
from tests.support.oracle import catch_up, check_ledger

FETCHED: Mapping[str, Any] = {
    "id": "fetched",
    "section": "knowledge",
    "content": "The limit is 5 million.",
    "provenance": {
        "source_id": "S",
        "source_type": "bank_sop",
        "version": "1",
        "effective_date": "2025-01-01",
        "owner": "x",
        "fetched_at": "2026-03-01T09:15:00Z",
        "ttl_seconds": 60,
        "data_classification": "INTERNAL",
        "jurisdiction": "SG",
        "domain": "NPA",
    },
}


class ChangingSource:
    """A source whose items a test changes."""

    def __init__(self, *items: Mapping[str, Any]) -> None:
        self.items = list(items)
        self.entry = SourceEntry(
            id="knowledge-base",
            kind="directory",
            location="nowhere",
            domains=("NPA",),
            sections=("entity", "knowledge"),
            critical=False,
            timeout_seconds=5,
        )

    async def fetch(self, filters: Mapping[str, Any], query: str | None) -> Sequence[Candidate]:
        return [Candidate.model_validate(item) for item in self.items]


def check_pack(store: Store, evidence: Evidence, pack: Mapping[str, Any]) -> None:
    """Every text of a pack, as it was handed over, is what the record of its ruling commits to."""
    page = store.query(Filter(request_id=pack["request"]["request_id"], kind="item.ruled", limit=1000))
    ruled = {record.decision_id: record for record in map(Record.decode, page.records)}
    assert {one["decision_id"] for one in pack["rulings"]} <= ruled.keys()
    asides = evidence.erasables(sorted(ruled))
    whole = [item for section in pack["sections"] for item in section["items"] if item["form"] == "full"]
    assert whole
    for item in whole:
        if not any(also["relation"] == "merged" for also in item["attributions"]):
            record, aside = ruled[item["decision_id"]], asides[item["decision_id"]]
            assert aside.released_salt is not None
            assert record.released_commitment == commit(aside.released_salt, content_bytes(item["content"]))


def check_repeats(gateway: Gateway, folder: Path, *packs: Any) -> None:
    """The ledger holds by both verifiers, and each pack, a document or a model, is what its records commit to."""
    check_ledger(gateway)
    catch_up(gateway)
    parts = gateway.ledger.parts
    for pack in packs:
        check_pack(parts.store, parts.evidence, pack if isinstance(pack, dict) else json.loads(pack.model_dump_json()))
    published = parts.store.published()
    assert published is not None
    export_ledger(parts, parts.store, published, folder, gateway.settings)
    command = [sys.executable, "-I", str(HOME / "tools/verify_ledger.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
