"""Fail closed: every part that can fail, made to fail for real, over HTTP; docs/operations.md has the table."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pydantic import SecretStr

from adapters.policy.interpreter import Interpreter
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.keys import development_issuer
from gateway.errors import PolicyLimitError
from gateway.settings import HOME, Settings
from tests.support.bench import served
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records
from tests.support.services import OPA, POSTGRES, Postgres, need
from tools.loopback import free_port, until_up

PAGE = HOME / "docs/operations.md"


async def refused(bench, status, code, *, recorded):
    """The request is refused so, on record or not, and nothing was released."""
    before = len(records(bench.gateway, kind="pack.sealed")) if recorded is not None else None
    answer = await bench.ask()
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert "sections" not in answer.text
    if recorded is not None:
        assert len(records(bench.gateway, kind="pack.sealed")) == before
        opened = [one for one in records(bench.gateway, kind="request.opened") if code in one.codes]
        assert bool(opened) is recorded


async def recovers(bench, tries=120):
    """After the fault the next request, or one soon after it, is served, the gateway is ready, and the ledger verifies."""
    for _ in range(tries):
        # What moves the log on may still wait for its next try when requests are served again.
        if (await bench.ask()).status_code == 200 and await bench.ready() == 200:
            break
        await asyncio.sleep(0.25)
    else:
        raise AssertionError("it did not recover")
    check_ledger(bench.gateway)


ROWS = {
    "a set is too much for the embedded engine": ("413", "GW-204", "yes"),
    "policy server killed": ("503", "GW-201", "yes"),
    "policy server stopped": ("503", "GW-201", "yes"),
    "policy server answers for another bundle": ("500", "GW-202", "yes"),
    "screening worker killed": ("200", "", "yes"),
    "screening worker stopped": ("503", "GW-302", "yes"),
    "injection guard down": ("503", "GW-301", "yes"),
    "injection guard hangs": ("503", "GW-302", "yes"),
    "injection guard answers nonsense": ("503", "GW-301", "yes"),
    "detector answers for too few items": ("503", "GW-301", "yes"),
    "keys of the trust layer down": ("503", "GW-109", "no"),
    "keys of the trust layer hang": ("503", "GW-109", "no"),
    "tokenizer slow": ("504", "GW-601", "yes"),
    "tokenizer fails": ("500", "GW-000", "yes"),
    "database killed": ("503", "GW-400", "no"),
    "database stopped": ("503 or 504", "GW-400 or GW-601", "no"),
    "disk full": ("503", "GW-400", "no"),
    "sequencer fails, policy asks for a checkpoint": ("503", "GW-400", "no"),
    "what is kept aside fails": ("503", "GW-402", "yes"),
    "clock goes back": ("200", "", "yes"),
}
"""What is made to fail, and how the gateway answers: status, code, and whether the refusal itself is on record."""


def test_the_page_has_the_table():
    """
    docs/operations.md says of each fault what the tests below show.
    """
    rows = re.findall(r"^\| ([a-z][^|]+?) \| ([^|]+?) \| ([^|]*?) \| (yes|no) \|", PAGE.read_text(), re.MULTILINE)
    assert {name: (status, code.replace("`", "").strip(), kept) for name, status, code, kept in rows} == ROWS


@contextlib.contextmanager
def opa(port, bundle=HOME / "policies"):
    command = [str(OPA), "run", "--server", "--bundle", str(bundle), "--addr", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until_up(process, f"http://127.0.0.1:{port}/health")
        yield process
    finally:
        process.kill()
        process.wait()


class TestPolicyServer:
    @pytest.fixture
    def on_opa(self, settings):
        need(OPA is not None, "opa")
        port = free_port()
        return port, settings.model_copy(
            update={"policy_engine": "opa", "opa_url": f"http://127.0.0.1:{port}", "opa_timeout_seconds": 0.5}
        )

    async def test_killed_and_back(self, on_opa, story):
        """
        Without OPA nothing is decided; when it is back, requests are.
        """
        port, settings = on_opa
        with opa(port) as process:
            async with served(settings, story) as bench:
                process.kill()
                process.wait()
                await refused(bench, 503, "GW-201", recorded=True)
                with opa(port):
                    await recovers(bench)

    async def test_stopped_and_going_on(self, on_opa, story):
        """
        An OPA that hangs is one that does not answer.
        """
        port, settings = on_opa
        with opa(port) as process:
            async with served(settings, story) as bench:
                process.send_signal(signal.SIGSTOP)
                await refused(bench, 503, "GW-201", recorded=True)
                process.send_signal(signal.SIGCONT)
                await recovers(bench)

    async def test_another_bundle(self, on_opa, story, tmp_path):
        """
        An OPA that decides by other policies than ours does not decide.
        """
        port, settings = on_opa
        shutil.copytree(HOME / "policies", tmp_path / "other")
        manifest = tmp_path / "other/.manifest"
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "revision": "sha256:" + "0" * 64}))
        with opa(port) as process:
            async with served(settings, story) as bench:
                process.kill()
                process.wait()
                with opa(port, tmp_path / "other"):
                    # The first answers may still be about the one that was killed.
                    while (await bench.ask()).json()["code"] == "GW-201":
                        await asyncio.sleep(0.2)
                    await refused(bench, 500, "GW-202", recorded=True)
                with opa(port):
                    await recovers(bench)


def workers_of(bench):
    """The processes that screen."""
    return bench.gateway.workers.pids


class TestWorkers:
    @pytest.fixture
    def with_workers(self, settings):
        return settings.model_copy(update={"detector_workers": 1, "detector_timeout_seconds": 5})

    async def test_killed(self, with_workers, story):
        """
        A worker that dies is replaced, and what it screened is begun anew: the caller does not hear of it.
        """
        async with served(with_workers, story) as bench:
            for pid in workers_of(bench):
                os.kill(pid, signal.SIGKILL)
            assert (await bench.ask()).status_code == 200
            await recovers(bench)
            assert bench.gateway.workers.replaced == 1

    async def test_stopped(self, with_workers, story):
        """
        A worker that hangs fails the request in time, and is replaced.
        """
        async with served(with_workers, story) as bench:
            for pid in workers_of(bench):
                os.kill(pid, signal.SIGSTOP)
            await refused(bench, 503, "GW-302", recorded=True)
            await recovers(bench)


class TestDatabase:
    @pytest.fixture
    def database(self, settings):
        need(POSTGRES is not None, "PostgreSQL")
        folder = Path(tempfile.mkdtemp(prefix="ctxgate-pg-"))
        server = Postgres(folder)
        server.start()
        url = SecretStr(server.url(server.new_ledger(), "gateway"))
        yield server, settings.model_copy(update={"ledger_url": url, "request_seconds": 5})
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)

    async def test_killed_and_back(self, database, story):
        """
        Without the database nothing is released; what was acknowledged before is there when it is back.
        """
        server, settings = database
        async with served(settings, story) as bench:
            server.kill()
            await refused(bench, 503, "GW-400", recorded=None)
            server.start()
            await recovers(bench)

    async def test_stopped_and_going_on(self, database, story):
        """
        A database that hangs holds a request until its deadline and no longer.
        """
        server, settings = database
        async with served(settings.model_copy(update={"request_seconds": 15.0}), story) as bench:
            pids = server.pids()
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
            try:
                answer = await asyncio.wait_for(bench.ask(), 90)
            finally:
                for pid in pids:
                    os.kill(pid, signal.SIGCONT)
            assert (answer.status_code, answer.json()["code"]) in {(503, "GW-400"), (504, "GW-601")}
            await recovers(bench)


async def test_disk_full(story, tmp_path):
    """
    On a full disk nothing is released; when space returns, requests are served again.
    """
    need(os.geteuid() == 0, "root, to mount a small file system")
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk], check=True)
    try:
        settings = Settings(state_dir=disk / "state", detector_workers=0)
        async with served(settings, story) as bench:
            with (disk / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(4096))
            for _ in range(60):
                answer = await bench.ask()
                if answer.status_code != 200:
                    break
            assert (answer.status_code, answer.json()["code"]) == (503, "GW-400")
            (disk / "filler").unlink()
            await recovers(bench)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


async def test_sequencer(settings, story, tmp_path, monkeypatch):
    """
    Where policy asks for a checkpoint, a log that cannot be signed releases nothing; where it does not, packs go on.
    """
    shutil.copytree(HOME / "policies", tmp_path / "policies")
    data = tmp_path / "policies/context/scoping/data.yaml"
    data.write_text(data.read_text().replace("  sequenced: []", "  sequenced: [risk_assessment]"))
    chosen = settings.model_copy(update={"policies_dir": tmp_path / "policies", "settle_seconds": 1.0})
    async with served(chosen, story) as bench:
        store = bench.gateway.store
        real = store.extend
        monkeypatch.setattr(store, "extend", lambda step: False)
        answer = await bench.ask()
        assert (answer.status_code, answer.json()["code"]) == (503, "GW-400")
        monkeypatch.setattr(store, "extend", real)
        await recovers(bench)


async def test_tokenizer(settings, story, monkeypatch):
    """
    A tokenizer that fails is a failure of the gateway: 500, no trace, nothing released.
    """
    async with served(settings, story) as bench:
        with monkeypatch.context() as broken:
            broken.setattr(type(bench.gateway.pipeline.tokenizer), "count", lambda *_: 1 / 0)
            assert "ZeroDivision" not in (await bench.ask()).text
            await refused(bench, 500, "GW-000", recorded=True)
        await recovers(bench)


class Neighbour:
    """An HTTP server beside the gateway that answers, hangs, talks nonsense or is down."""

    def __init__(self, answer):
        self.answer, self.mode, self.port = answer, "up", free_port()
        self.start()

    def start(self):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("content-length", 0)))
                self.do_GET()

            def do_GET(self):
                if outer.mode == "hangs":
                    time.sleep(7)
                body = b"[1" if outer.mode == "nonsense" else json.dumps(outer.answer).encode()
                with contextlib.suppress(OSError):
                    self.send_response(200)
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def fault(self, mode):
        self.mode = mode
        if mode == "down":
            self.stop()

    def mend(self):
        if self.mode == "down":
            self.start()
        self.mode = "up"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.mark.parametrize(("mode", "code"), [("down", "GW-301"), ("hangs", "GW-302"), ("nonsense", "GW-301")])
async def test_injection_guard(settings, story, tmp_path, mode, code):
    """
    Where policy asks for an external guard, what it did not screen is not released.
    """
    shutil.copytree(HOME / "policies", tmp_path / "policies")
    data = tmp_path / "policies/context/injection/data.yaml"
    data.write_text(data.read_text().replace("guards: []", "guards: [injection/guard]"))
    guard = Neighbour({"score": 0.0})
    chosen = settings.model_copy(
        update={
            "policies_dir": tmp_path / "policies",
            "injection_guard_url": f"http://127.0.0.1:{guard.port}/",
            "detector_timeout_seconds": 4.0,
        }
    )
    async with served(chosen, story) as bench:
        guard.fault(mode)
        await refused(bench, 503, code, recorded=True)
        guard.mend()
        await recovers(bench)
    guard.stop()


@pytest.mark.parametrize("mode", ["down", "hangs"])
async def test_keys_of_the_trust_layer(settings, story, mode):
    """
    Once the keys are too old to be believed and cannot be had, nobody is known and nothing is released.
    """
    keys = Neighbour(development_issuer(settings).jwks())
    chosen = settings.model_copy(update={"jwks": f"http://127.0.0.1:{keys.port}/", "jwks_stale_seconds": 0.5})
    async with served(chosen, story) as bench:
        keys.fault(mode)
        await asyncio.sleep(0.6)
        before = len(records(bench.gateway))
        await refused(bench, 503, "GW-109", recorded=None)
        assert len(records(bench.gateway)) == before
        keys.mend()
        await recovers(bench)
    keys.stop()


async def test_detector_answers_for_too_few(settings, story, monkeypatch):
    """
    A detector that leaves an item out has screened none.
    """
    async with served(settings, story) as bench:
        with monkeypatch.context() as broken:
            kind = type(bench.gateway.pipeline.detectors[0])
            real = kind.detect

            async def short(self, items, screening, tenant):
                return (await real(self, items, screening, tenant))[1:]

            broken.setattr(kind, "detect", short)
            await refused(bench, 503, "GW-301", recorded=True)
        await recovers(bench)


async def test_a_set_that_is_too_much(settings, story, monkeypatch):
    """
    A question that neither the compiled program nor the interpreter may work on for so long is refused for good, on record.
    """

    def never(*_):
        raise PolicyLimitError("too long")

    async with served(settings, story) as bench:
        with monkeypatch.context() as long:
            long.setattr(RegorusPolicyEngine, "_execute", never)
            long.setattr(Interpreter, "execute", never)
            await refused(bench, 413, "GW-204", recorded=True)
        await recovers(bench)


async def test_slow_tokenizer(settings, story, monkeypatch):
    """
    A request that cannot be counted in time is refused, on record, and nothing of it is released.
    """
    async with served(settings.model_copy(update={"request_seconds": 6.0}), story) as bench:
        with monkeypatch.context() as slow:
            kind = type(bench.gateway.pipeline.tokenizer)
            real = kind.count
            slow.setattr(kind, "count", lambda *asked: time.sleep(1.0) or real(*asked))
            await refused(bench, 504, "GW-601", recorded=True)
        await recovers(bench)


async def test_what_is_kept_aside(settings, story, monkeypatch):
    """
    Where reviews cannot be looked up nothing is released, and that is on record.
    """
    from gateway.errors import StoreError

    async with served(settings, story) as bench:
        with monkeypatch.context() as broken:

            def fail(*_):
                raise StoreError("gone")

            broken.setattr(bench.gateway.stores.tables.rows, "read", fail)
            await refused(bench, 503, "GW-402", recorded=True)
        await recovers(bench)


async def test_clock_goes_back(settings, story):
    """
    A clock that goes back changes no order and refuses no writer; by how much it went back is told by the verifier.
    """
    from datetime import timedelta

    async with served(settings, story) as bench:
        object.__setattr__(bench.gateway, "clock", lambda: NOW + timedelta(seconds=30))
        assert (await bench.ask()).status_code == 200
        object.__setattr__(bench.gateway, "clock", lambda: NOW)
        assert (await bench.ask()).status_code == 200
        assert check_ledger(bench.gateway).skew_seconds == 30
