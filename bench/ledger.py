"""
The ledger against its bars: appends, acknowledgements, checkpoints, verification and questions.

Each figure stands beside a baseline of the same run: the same store without group commit, a chain in PostgreSQL that locks
its head row, and two published audit logs on the same payloads.  All rates of ours are of records that are in the log,
under the tree, with every index that auditors use; the sequencer runs at the same time.

    python -m bench.ledger [--large] [--out FILE]
"""

import argparse
import asyncio
import hashlib
import json
import multiprocessing
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import venv

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.progress import track

from adapters.ledger.aes_sealer import AesSealer, FileKeyWrap
from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from adapters.ledger.postgres.store import PostgresStore
from adapters.shared.postgres import Pool
from bench.common import report, timed
from gateway.audit.evidence import Evidence
from gateway.audit.export import export_ledger
from gateway.audit.open_ledger import OpenLedger
from gateway.model import uuid7
from gateway.policy.entrypoints import RELEASE
from gateway.settings import HOME, Settings
from ledger.lane import LaneWriter, Submission
from ledger.pin import HeadPin
from ledger.query import PROJECTED, Filter, project
from ledger.record import Draft, FindingCount, GatewayPart, ItemPart, PolicyPart, SourcePart
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.store import Store
from ledger.tlog.merkle import leaf_hash
from ledger.verify import verify
from ledger.writer import GroupCommitWriter
from tests.support.services import Postgres

Result = TypeVar("Result")


class Gate(Protocol):
    """A barrier that processes wait at."""

    def wait(self) -> int: ...


class Done(Protocol):
    """Where a process puts its waits."""

    def put(self, one: list[float]) -> None: ...


ORIGIN = "bench.local/ledger"
PACK = 20
SUBJECTS, ITEMS, PAGE = 100, 500, 20
"""As many as fill a page from any place of the smallest ledger on, so that all sizes are asked for as much."""

SIGNER = Ed25519Signer(ORIGIN, Ed25519PrivateKey.from_private_bytes(b"the key of the benchmark's logs."))
"""The same in every process, since lanes sign what they write."""
START = datetime(2026, 3, 1, tzinfo=UTC)
PEERS = ("cendor-acttrace==1.14.0", "ledgerchain==0.1.0")


def drafts(count: int, number: int = 0) -> list[Draft]:
    """Rulings of one request as the gateway writes them, about 1.4 KB each; values spread as in a bank of many."""
    at = START + timedelta(milliseconds=number * 40)
    request = uuid7(at, secrets.token_bytes(10))
    return [
        Draft(
            kind="item.ruled",
            decision_id=uuid7(at, secrets.token_bytes(10)),
            trace_id=request,
            request_id=request,
            tenant="bench",
            subject=f"00000000-0000-4000-8000-{number % SUBJECTS:012x}",
            agent=("RISK", "CLASSIFIER", "GOVERNANCE", "DOCUMENTS")[number % 4],
            purpose="risk_assessment",
            item=ItemPart(id=f"item-{(number * PACK + n) % ITEMS}", commitment="0" * 64, bytes=1100, media_type="text/plain"),
            source=SourcePart(id=f"SOP:{number % 300}", version="3", tier=1, jurisdiction="SG", classification="INTERNAL"),
            policy=PolicyPart(
                revision="sha256:" + hashlib.sha256(b"bench").hexdigest(), engine="embedded", engine_version="0.13", entrypoint=RELEASE.name,
                input_commitment="0" * 64,
            ),
            detectors={"presidio": "2.2.366+en_core_web_sm", "injection": "1+tier2"},
            findings=(FindingCount(type="pii:PERSON", count=1),),
            outcome="released" if n else "denied",
            codes=() if n else (f"JUR-{number % 50:03d}",),
            obligations=("fence",),
            released_commitment="0" * 64,
            at=at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        )
        for n in range(count)
    ]  # fmt: skip


def replica(number: int = 1) -> GatewayPart:
    return GatewayPart(replica=f"00000000-0000-4000-8000-{number:012x}", build="bench")


def sequencer(store: Store, secret: str | None = None) -> Sequencer:
    held = Ed25519Signer.parse(secret) if secret else SIGNER
    return Sequencer(store, ORIGIN, [held], lambda: [Ed25519Verifier(held.key)])


@contextmanager
def keeping(store: Store, lags: list[float], secret: str | None = None) -> Iterator[None]:
    """A sequencer at work in the background, as in the gateway; how long each round took goes to *lags*."""
    stop = threading.Event()

    def work() -> None:
        one = sequencer(store, secret)
        while not stop.is_set():
            began = time.perf_counter()
            one.run()
            lags.append(time.perf_counter() - began)
            stop.wait(0.5)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        sequencer(store, secret).run()


async def clients(store: Store, count: int, work: Iterator[Submission], acks: list[float]) -> None:
    writer = GroupCommitWriter(LaneWriter(store, ORIGIN, replica(), SIGNER), queue_length=1000)

    async def one() -> None:
        for submission in work:
            began = time.perf_counter()
            await writer.append(submission)
            acks.append(time.perf_counter() - began)

    await asyncio.gather(*(one() for _ in range(count)))
    await writer.close()


def appended(store: Store, count: int, packs: int) -> tuple[float, list[float], list[float]]:
    """Records a second until all are in the log, the waits for acknowledgement, and the rounds of the sequencer."""
    acks: list[float] = []
    rounds: list[float] = []
    work = [Submission(drafts(PACK, number)) for number in range(packs)]
    began = time.perf_counter()
    with keeping(store, rounds):
        asyncio.run(clients(store, count, iter(work), acks))
    return packs * PACK / (time.perf_counter() - began), acks, rounds


def unbatched(store: Store, records: int) -> float:
    """The same store with a transaction for each record."""
    lane = LaneWriter(store, ORIGIN, replica(), SIGNER)
    rounds: list[float] = []
    work = [Submission(drafts(1, number)) for number in range(records)]
    began = time.perf_counter()
    with keeping(store, rounds):
        for submission in work:
            lane.commit([submission])
    return records / (time.perf_counter() - began)


def in_sqlite(act: Callable[[SqliteStore], Result]) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "ledger.sqlite")
        try:
            return act(store)
        finally:
            store.close()


def sqlite_rates(packs: int) -> dict[str, float]:
    base = in_sqlite(lambda store: unbatched(store, packs * 2))
    figures = {"SQLite, a transaction for each record (baseline), records/s": base}
    for count in (1, 8, 32):
        rate, acks, rounds = in_sqlite(partial(appended, count=count, packs=packs))
        figures[f"SQLite, {count} clients, packs of 20, records/s"] = rate
        figures[f"SQLite, {count} clients, against the baseline"] = rate / base
        figures[f"SQLite, {count} clients, acknowledgement p50, ms"] = statistics.median(acks) * 1000
        figures[f"SQLite, {count} clients, acknowledgement p99, ms"] = statistics.quantiles(acks, n=100)[98] * 1000
        figures[f"SQLite, {count} clients, longest round of the sequencer, s"] = max(rounds)
    return figures


# ── PostgreSQL ──
CHAIN = f"""
CREATE TABLE chain (idx bigint PRIMARY KEY, prev bytea, body bytea, {", ".join(f'"{n}" text COLLATE "C"' for n in PROJECTED)});
CREATE TABLE chain_head (one int PRIMARY KEY, idx bigint, leaf bytea);
INSERT INTO chain_head VALUES (1, 0, '');
""" + "".join(
    f'CREATE INDEX ON chain (tenant, "{n}", idx);'
    for n in ("kind", "decision_id", "trace_id", "request_id", "subject", "agent", "item_id", "source_id", "outcome",
              "policy_revision", "pack_id", "at")
)  # fmt: skip


def write_lane(url: str, number: int, packs: int, gate: Gate, done: Done) -> None:
    """One writer process: packs of 20 into its own lane."""
    store = PostgresStore(url)
    lane = LaneWriter(store, ORIGIN, replica(number), SIGNER)
    acks: list[float] = []
    work = [Submission(drafts(PACK, number * packs + n)) for n in range(packs)]
    gate.wait()
    for submission in work:
        began = time.perf_counter()
        lane.commit([submission])
        acks.append(time.perf_counter() - began)
    done.put(acks)
    store.close()


def write_chain(url: str, number: int, packs: int, gate: Gate, done: Done) -> None:
    """One writer process: packs of 20 at the end of one chain, whose head row it locks."""
    pool = Pool(url)
    work = [drafts(PACK, number * packs + n) for n in range(packs)]
    columns = ("idx", "prev", "body", *PROJECTED)
    gate.wait()

    async def append(connection: Any, pack: list[Draft]) -> None:
        idx, prev = await connection.fetchrow("SELECT idx, leaf FROM chain_head FOR UPDATE")
        rows = []
        for draft in pack:
            lane = {"id": "x", "epoch": 1, "seq": idx, "prev": prev.hex()}
            fields = {**draft.model_dump(mode="json"), "lane": lane}
            body = json.dumps(fields, sort_keys=True).encode()
            rows.append((idx, prev, body, *project(fields).values()))
            prev, idx = hashlib.sha256(body).digest(), idx + 1
        await connection.copy_records_to_table("chain", columns=columns, records=rows)
        await connection.execute("UPDATE chain_head SET idx = $1, leaf = $2", idx, prev)

    acks = []
    for pack in work:
        began = time.perf_counter()
        pool.transaction(partial(append, pack=pack))
        acks.append(time.perf_counter() - began)
    done.put(acks)
    pool.close()


def processes(target: Callable[..., None], url: str, packs: int, writers: int) -> tuple[float, list[float]]:
    """How long writers took together, and their waits."""
    context = multiprocessing.get_context("spawn")
    gate, done = context.Barrier(writers + 1), context.Queue()
    started = [context.Process(target=target, args=(url, n + 1, packs, gate, done)) for n in range(writers)]
    for process in started:
        process.start()
    gate.wait()
    began = time.perf_counter()
    acks = [ack for _ in started for ack in done.get()]
    took = time.perf_counter() - began
    for process in started:
        process.join()
    return took, acks


def postgres_rates(server: Postgres, packs: int, writers: int = 8) -> dict[str, float]:
    name = server.new_ledger()
    server.sql(name, CHAIN)
    took, _ = processes(write_chain, server.url(name), packs, writers)
    base = writers * packs * PACK / took
    figures = {f"PostgreSQL, {writers} writers, one chain locked FOR UPDATE (baseline), records/s": base}
    store = PostgresStore(server.url(name, "gateway"))
    rounds: list[float] = []
    with keeping(store, rounds):
        began = time.perf_counter()
        took, acks = processes(write_lane, server.url(name, "gateway"), packs, writers)
        settle(store, writers * packs * PACK)
        settled = time.perf_counter() - began
    rate = writers * packs * PACK / took
    figures |= {
        f"PostgreSQL, {writers} writers, lanes, records/s acknowledged while the log is kept up": rate,
        f"PostgreSQL, {writers} writers, lanes, against the baseline": rate / base,
        f"PostgreSQL, {writers} writers, lanes, records/s until all are in the log (starts included)": writers
        * packs
        * PACK
        / settled,
        f"PostgreSQL, {writers} writers, acknowledgement p50, ms": statistics.median(acks) * 1000,
        f"PostgreSQL, {writers} writers, acknowledgement p99, ms": statistics.quantiles(acks, n=100)[98] * 1000,
        "PostgreSQL, longest round of the sequencer, s": max(rounds),
    }
    store.close()
    return figures


def settle(store: Store, records: int) -> None:
    """Wait until that many records are in the log."""
    while store.head().size < records:
        time.sleep(0.02)


def checkpoint_lag(store: Store) -> float:
    """The longest that an acknowledged record waited for a signed checkpoint, in seconds, while one client writes."""
    lane, longest = LaneWriter(store, ORIGIN, replica(99), SIGNER), 0.0
    rounds: list[float] = []
    with keeping(store, rounds):
        for number in range(12):
            size = store.head().size + PACK
            lane.commit([Submission(drafts(PACK, number))])
            began = time.perf_counter()
            while (published := store.published()) is None or published.size < size:
                time.sleep(0.005)
            longest = max(longest, time.perf_counter() - began)
            time.sleep(secrets.randbelow(400) / 1000)
    return longest


# ── reading ──
def grow(store: Store, to: int) -> None:
    """Fill a ledger with generated records, in large transactions."""
    lane, one = LaneWriter(store, ORIGIN, replica(), SIGNER), sequencer(store)
    number = store.head().size // PACK
    for start in track(range(store.head().size, to, 2000), description=f"growing to {to:,}", transient=True):
        lane.commit([Submission(drafts(PACK, number + n)) for n in range(min(2000, to - start) // PACK)])
        number += min(2000, to - start) // PACK
        while one.step():
            pass
    one.sign_head()


def questions(store: Store) -> dict[str, float]:
    """p95 of each kind of indexed question, in ms: a page from a place on, both picked at random."""
    size, some = store.head().size, secrets.randbelow

    def hour(n: int) -> str:
        return (START + timedelta(milliseconds=40 * n)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    kinds: dict[str, Callable[[], dict[str, Any]]] = {
        "subject": lambda: {"subject": f"00000000-0000-4000-8000-{some(SUBJECTS):012x}"},
        "item": lambda: {"item_id": f"item-{some(ITEMS)}"},
        "source": lambda: {"source_id": f"SOP:{some(300)}"},
        "code": lambda: {"code": f"JUR-{some(50):03d}"},
        "agent and outcome": lambda: {"agent": "RISK", "outcome": "denied"},
        "ten seconds": lambda: {"since": hour(n := some(size // PACK)), "until": hour(n + 250), "after": 0},
    }
    figures = {}
    for name, make in kinds.items():
        took = []
        for _ in range(60):
            wanted = Filter(**{"tenant": "bench", "after": some(size * 9 // 10), "limit": PAGE, **make()})
            began = time.perf_counter()
            store.query(wanted)
            took.append((time.perf_counter() - began) * 1000)
        figures[name] = statistics.quantiles(took[10:], n=20)[18]
    return figures


def flatness(store: Store, sizes: list[int], name: str) -> dict[str, float]:
    figures: dict[str, float] = {}
    first: dict[str, float] = {}
    for size in sizes:
        grow(store, size)
        for kind, p95 in questions(store).items():
            figures[f"{name}, question by {kind}, {size:,} records, p95 ms"] = p95
            first.setdefault(kind, p95)
            if size == sizes[-1]:
                figures[f"{name}, question by {kind}, {size:,} against {sizes[0]:,}"] = p95 / first[kind]
    return figures


def floor(store: Store) -> float:
    """What no verifier of this format can go below: parse each record and hash it."""
    bodies = store.entries(0, 5000)
    return len(bodies) / (timed(lambda: [(json.loads(body), leaf_hash(body)) for body in bodies], 5) / 1000)


def verification(store: SqliteStore, folder: Path) -> dict[str, float]:
    """How fast the ledger is verified from storage, and from an export by the standalone verifier."""
    size = store.head().size
    began = time.perf_counter()
    verify(store, origin=ORIGIN, keys=[Ed25519Verifier(SIGNER.key)])
    own = size / (time.perf_counter() - began)
    parts = OpenLedger(
        store,
        HeadPin(folder / "pin"),
        Evidence(store, AesSealer(FileKeyWrap(bytes(32)))),
        SIGNER,
        (Ed25519Verifier(SIGNER.key),),
        None,
    )
    began = time.perf_counter()
    published = store.published()
    assert published
    export_ledger(parts, store, published, folder / "export", Settings(state_dir=folder, origin=ORIGIN))
    exported = size / (time.perf_counter() - began)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(HOME / "tools/verify_ledger.py"), str(folder / "export")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    alone = size / (time.perf_counter() - began)
    return {
        "one processor reading JSON and hashing alone (baseline), records/s": floor(store),
        f"verified from storage ({size:,} records), records/s": own,
        "exported, records/s": exported,
        "verified by tools/verify_ledger.py, records/s": alone,
    }


def peers(records: int) -> dict[str, float]:
    """Published audit logs at their own job on the same payloads, in an environment of their own."""
    cache = Path.home() / ".cache/ctxgate/peers"
    python = cache / "bin/python"
    if not python.exists():
        venv.create(cache, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PEERS], check=True)
    payloads = "\n".join(d.model_dump_json() for n in range(records // PACK) for d in drafts(PACK, n))
    figures = {}
    for name in ("acttrace", "ledgerchain"):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [python, str(HOME / "bench/peers.py"), name, folder],
                input=payloads,
                capture_output=True,
                text=True,
                check=True,
            )
        figures[f"peer {name}, records/s"] = float(done.stdout)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="questions up to 10^7 records in SQLite")
    parser.add_argument("--packs", type=int, default=400)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    options = parser.parse_args()
    figures = sqlite_rates(options.packs) | peers(4000)
    with tempfile.TemporaryDirectory(prefix="ctxgate-bench-") as folder:
        Path(folder).chmod(0o755)  # the server runs as a user of its own
        (Path(folder) / "pg").mkdir()
        server = Postgres(Path(folder) / "pg")
        server.start()
        try:
            figures |= postgres_rates(server, options.packs // 4)
            store: Store = PostgresStore(server.url(server.new_ledger(), "gateway"))
            figures["PostgreSQL, longest wait for a checkpoint, s"] = checkpoint_lag(store)
            figures |= flatness(store, options.sizes, "PostgreSQL")
            store.close()
        finally:
            server.stop()
        sizes = [*options.sizes, 10_000_000] if options.large else options.sizes
        embedded = SqliteStore(Path(folder) / "ledger.sqlite")
        figures["SQLite, longest wait for a checkpoint, s"] = checkpoint_lag(embedded)
        figures |= flatness(embedded, sizes[:2], "SQLite") if len(sizes) > 1 else {}
        figures |= verification(embedded, Path(folder))
        figures |= flatness(embedded, sizes, "SQLite")
        embedded.close()
    report("ledger", figures, "python -m bench.ledger")


if __name__ == "__main__":
    main()
