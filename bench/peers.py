"""
Two published audit logs at their own job, on our payloads; run by an interpreter that has them, see `bench.ledger`.

Usage: python peers.py acttrace|ledgerchain FOLDER < payloads.jsonl; prints entries a second.
"""

import json
import sys
import time

from pathlib import Path
from typing import Any


def acttrace(folder: Path, payloads: list[dict[str, Any]]) -> float:
    """cendor-acttrace: one JSON line and one flush to disk for each entry."""
    from cendor.acttrace import AuditLog

    log = AuditLog("bench", path=str(folder / "log.jsonl"), redact=False, mirror=False)
    with log.decision(input="pack") as decision:
        began = time.perf_counter()
        for payload in payloads:
            decision.record(ruling=payload)
        return len(payloads) / (time.perf_counter() - began)


def ledgerchain(folder: Path, payloads: list[dict[str, Any]]) -> float:
    """ledgerchain: rows in SQLite, 20 entries in each transaction as our packs have."""
    import ledgerchain as peer

    from sqlalchemy import create_engine, event
    from sqlalchemy.orm import sessionmaker

    engine = create_engine(f"sqlite:///{folder}/ledger.db")

    def durable(connection: Any, _: object) -> None:  # what our store asks of SQLite
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")

    event.listen(engine, "connect", durable)

    peer.create_all(engine)
    session_of = sessionmaker(bind=engine)
    began = time.perf_counter()
    for start in range(0, len(payloads), 20):
        with session_of() as session:
            for payload in payloads[start : start + 20]:
                peer.LedgerWriter.append(
                    session,
                    event_type="item.ruled",
                    payload=payload,
                    actor={"kind": "gateway"},
                    tenant_id="bench",
                    subject_uri=f"/items/{payload['decision_id']}",
                )
            session.commit()
    return len(payloads) / (time.perf_counter() - began)


if __name__ == "__main__":
    lines = [json.loads(line) for line in sys.stdin]
    print({"acttrace": acttrace, "ledgerchain": ledgerchain}[sys.argv[1]](Path(sys.argv[2]), lines))
