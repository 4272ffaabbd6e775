"""What the programs in this folder share: figures, tables, and texts that look like a bank's."""

import json
import os
import platform
import random
import statistics
import subprocess
import time

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx

from rich.console import Console
from rich.table import Table

from gateway.bootstrap.keys import signed_for_development
from gateway.model import Candidate, PackRequest
from gateway.model.case import Attested
from gateway.policy.item import item_facts
from gateway.settings import HOME, Settings
from tools.loopback import free_port, until_up

WORDS = [
    "the",
    "product",
    "committee",
    "reviewed",
    "exposure",
    "limit",
    "collateral",
    "agreement",
    "risk",
    "assessment",
    "threshold",
    "breach",
    "escalation",
    "counterparty",
    "settlement",
    "confirmation",
    "fixing",
    "margin",
    "valuation",
    "model",
    "approval",
    "condition",
    "procedure",
    "control",
    "evidence",
    "notice",
    "clause",
    "obligation",
    "reporting",
    "monthly",
    "quarterly",
    "desk",
    "trader",
    "client",
    "portfolio",
    "hedge",
    "option",
    "forward",
    "swap",
    "bond",
    "stress",
    "scenario",
    "capital",
    "ratio",
    "liquidity",
    "buffer",
    "outsourcing",
    "incident",
    "owner",
    "deadline",
    "record",
    "system",
    "version",
    "section",
]


def text(size: int, seed: int) -> str:
    """Plain prose of about *size* characters, different for every seed."""
    chance = random.Random(seed)
    words: list[str] = []
    while sum(map(len, words)) + len(words) < size:
        sentence = [chance.choice(WORDS) for _ in range(chance.randint(8, 18))]
        words += [sentence[0].capitalize(), *sentence[1:-1], sentence[-1] + "."]
    return " ".join(words)[:size]


def request(items: int, size: int, seed: int) -> dict[str, Any]:
    """A request of the RISK agent with a record and procedures of one size, none seen before for a new seed."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def item(place: int) -> dict[str, Any]:
        first = place == 0
        return {
            "id": f"item-{place}",
            "section": "entity" if first else "knowledge",
            "content": text(size, seed * 10_000 + place),
            "score": 0.5 + place / 1000,
            "provenance": {
                "source_id": "SoR:npa_projects" if first else f"source-{seed}-{place}",
                "source_type": "system_of_record" if first else "bank_sop",
                "version": "1",
                "effective_date": "2025-01-01",
                "owner": "bench",
                "fetched_at": now,
                "ttl_seconds": 3600 + place,
                "data_classification": "INTERNAL",
                "jurisdiction": "SG",
                "domain": "NPA",
                **({"entity_id": "NPA-1"} if first else {}),
            },
        }

    return {
        "agent_id": "RISK",
        "purpose": "risk_assessment",
        "query": f"Assess {seed}",
        "entity": {"type": "project", "id": "NPA-1"},
        "jurisdictions": ["SG"],
        "model": "gpt-4o",
        "token_budget": 128000,
        "items": [item(place) for place in range(items)],
    }


def signed(document: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """The request with every item vouched for by the development key of a gateway's settings."""
    whole = signed_for_development(PackRequest.model_validate(document), settings, datetime.now(UTC))
    return whole.model_dump(mode="json", exclude_none=True)


SUBJECT = {
    "sub": "bench",
    "tenant": "bench",
    "role": "analyst",
    "department": "RMG",
    "jurisdictions": ["SG"],
    "agents": ["RISK"],
    "scope": "packs:write",
}


def admit_inputs() -> list[dict[str, object]]:
    """A hundred items, no two with the same labels."""
    now = datetime.now(UTC)
    shared = {
        "now": "2026-03-01T09:15:00.000000Z",
        "subject": {
            k: SUBJECT.get(k)
            for k in ("tenant", "role", "department", "jurisdictions", "domains", "entitlements", "agents")
        },
        "agent": {"id": "RISK", "archetype": "worker", "domains": ["NPA"]},
        "request": {
            "purpose": "risk_assessment",
            "domain": "NPA",
            "entity": None,
            "jurisdictions": ["SG"],
            "has_query": True,
        },
    }
    items = [Candidate.model_validate(item) for item in request(100, 10, 0)["items"]]
    return [{**shared, "records": [], "item": item_facts(Attested(item, label_findings=()), now)} for item in items]


@contextmanager
def opa_server(opa: str) -> Iterator[httpx.Client]:
    """A client of an OPA server with the shipped bundle."""
    port = free_port()
    command = [
        opa,
        "run",
        "--server",
        "--bundle",
        str(HOME / "policies"),
        "--addr",
        f"127.0.0.1:{port}",
        "--log-level",
        "error",
    ]
    server = subprocess.Popen(command)
    try:
        until_up(server, f"http://127.0.0.1:{port}/health")
        with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
            yield client
    finally:
        server.terminate()
        server.wait()


def timed(act: Callable[[], object], rounds: int) -> float:
    """Median time of *act*, in milliseconds."""
    return statistics.median(_once(act) for _ in range(rounds))


def _once(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


async def timed_async(act: Callable[[], Awaitable[object]], rounds: int) -> list[float]:
    """Times of *act*, in milliseconds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        await act()
        times.append((time.perf_counter() - started) * 1000)
    return times


def report(bench: str, figures: dict[str, float], command: str) -> None:
    """A table for people, and one JSON object as the last line."""
    table = Table("figure", "value", title=bench, title_justify="left")
    for name, value in figures.items():
        table.add_row(name, f"{value:,.2f}")
    Console().print(table)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.platform()}
    rounded = {name: round(value, 3) for name, value in figures.items()}
    print(json.dumps({"bench": bench, "figures": rounded, "machine": machine, "command": command}))
