"""
What docker-compose.yml describes, as processes: two gateways behind a proxy, OPA with our bundle, PostgreSQL; the same
settings, proxy configuration and migrations.
"""

import concurrent.futures
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
import yaml

from bench.common import signed
from gateway.bootstrap.keys import development_issuer, verifiers
from gateway.settings import HOME, Settings
from ledger.receipt import verify_receipt
from tests.support.commands import VERIFY
from tests.support.services import OPA, need, opa_server
from tools.loopback import free_port, until_up

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
STORY = HOME / "examples/npa-risk"


class Gateway:
    """A gateway as a process."""

    def __init__(self, folder, environment):
        self.folder, self.port = folder, free_port()
        self.environment = {**os.environ, "PYTHONPATH": str(HOME), **environment, "CTXGATE_STATE_DIR": str(folder)}
        self.process = None

    def start(self):
        command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(self.port)]
        log = (self.folder.parent / f"{self.folder.name}.log").open("ab")
        self.process = subprocess.Popen(command, env=self.environment, cwd=self.folder.parent, stdout=log, stderr=log)
        log.close()
        return self

    def wait(self):
        try:
            until_up(self.process, f"http://127.0.0.1:{self.port}/readyz")
        except RuntimeError as error:
            error.add_note((self.folder.parent / f"{self.folder.name}.log").read_text())
            raise
        return self

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(60)


class Proxy:
    """nginx with the configuration that ships."""

    def __init__(self, folder, ports):
        self.folder, self.port = folder, free_port()
        shutil.copy(HOME / "ops/nginx.conf", folder / "nginx.conf")
        lines = [f"server 127.0.0.1:{port} max_fails=2 fail_timeout=2s;\n" for port in ports]
        (folder / "upstreams.conf").write_text("".join(lines))
        (folder / "listen.conf").write_text(f"listen 127.0.0.1:{self.port};")
        folder.chmod(0o777)
        command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off; user root;"]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{self.port}"
        until_up(self.process, self.url, any_status=True)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="module")
def composition(tmp_path_factory, postgres):
    """All of it, running; stopped in order at the end."""
    need(OPA is not None, "opa")
    need(NGINX is not None, "nginx")
    folder = tmp_path_factory.mktemp("composition")
    database = postgres.new_ledger()
    with opa_server(HOME / "policies") as opa:
        environment = {
            "CTXGATE_CONFIG": str(HOME / "ops/gateway.yaml"),
            "CTXGATE_OPA_URL": opa,
            "CTXGATE_LEDGER_URL": postgres.url(database, "gateway"),
            "CTXGATE_ARTIFACTS_DIR": str(folder / "artifacts"),
        }
        one = Gateway(folder / "one", environment).start().wait()
        (folder / "two").mkdir()
        shutil.copytree(folder / "one/keys", folder / "two/keys")
        two = Gateway(folder / "two", environment).start().wait()
        (folder / "proxy").mkdir()
        proxy = Proxy(folder / "proxy", [one.port, two.port])
        yield {"one": one, "two": two, "url": proxy.url, "folder": folder, "environment": environment}
        proxy.stop()
        for gateway in (one, two):
            if gateway.process.poll() is None:
                gateway.stop()


@pytest.fixture
def bearer(composition):
    """A token of the development key that both gateways believe."""

    def make(**changes):
        settings = Settings(state_dir=composition["folder"] / "one")
        claims = json.loads((STORY / "subject.json").read_text())
        given = {"iss": settings.jwt_issuer, "aud": settings.jwt_audience, "exp": int(time.time()) + 600}
        return {"authorization": f"Bearer {development_issuer(settings).token({**claims, **given, **changes})}"}

    return make


def request(composition, **changes):
    """The story's request, as if its items had been fetched just now, signed with the development key of both gateways."""
    document = json.loads((STORY / "request.json").read_text())
    for item in document["items"]:
        if item.get("provenance", {}).get("fetched_at"):
            item["provenance"]["fetched_at"] = datetime.now(UTC).isoformat()
    return signed({**document, **changes}, Settings(state_dir=composition["folder"] / "one"))


def ctxgate(composition, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(HOME), **composition["environment"]}
    environment["CTXGATE_STATE_DIR"] = str(composition["folder"] / "one")
    command = [sys.executable, "-c", "from gateway.cli import main; main()", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_both_gateways_serve_one_log(composition, bearer):
    """
    Packs asked for at once through the proxy are served by both gateways, each with a receipt, into one log that verifies
    and whose decisions replay on both engines.
    """

    def one(n):
        body = request(composition, query=f"try {n}")
        return httpx.post(f"{composition['url']}/v1/packs", json=body, headers=bearer(), timeout=60)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(one, range(8)))
    assert [answer.status_code for answer in answers] == [200] * 8
    packs = [answer.json() for answer in answers]
    vkeys = (composition["folder"] / "one/keys/ledger.vkeys").read_text().splitlines()
    vkeys = [line.split()[0] for line in vkeys]
    lanes = {verify_receipt(pack, verifiers(vkeys)).lane.id for pack in packs}
    assert len(lanes) == 2
    done = ctxgate(composition, *VERIFY)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 packs" in done.stdout
    assert "MISMATCH 0" in ctxgate(composition, "ledger", "replay", "--limit", "100").stdout
    assert httpx.get(f"{composition['url']}/checkpoint").status_code == 401
    shown = httpx.get(f"{composition['url']}/checkpoint", headers=bearer(scope="ledger:read"))
    assert shown.text.startswith("ctxgate.local/ledger\n")
    assert httpx.get(f"{composition['url']}/metrics").status_code == 404


def test_the_proxy_answers_like_a_gateway(composition, bearer):
    """
    What the proxy refuses by itself, too large a body or too many connections of one address, has a code too; with the limits at
    work everybody else is served.
    """
    large = httpx.post(f"{composition['url']}/v1/packs", content=b"x" * 9_000_000, headers=bearer(), timeout=60)
    assert (large.status_code, large.json()["code"]) == (413, "GW-131")
    port, held = int(composition["url"].rpartition(":")[2]), []
    for _ in range(101):
        held.append(socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)))
        held[-1].sendall(b"POST /v1/packs HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")
    said = held[-1].recv(10_000)
    assert said.startswith(b"HTTP/1.1 429 ")
    assert b'"GW-157"' in said
    assert httpx.get(f"{composition['url']}/healthz").json() == {"status": "alive"}
    for client in held:
        client.close()


def test_one_key_through_either_gateway(composition, bearer):
    """
    The same idempotency key gives the same bytes whichever gateway answers.
    """
    headers = {**bearer(), "idempotency-key": "composition-1"}
    body, answers = request(composition, query="once"), []
    for port in (composition["one"].port, composition["two"].port):
        url = f"http://127.0.0.1:{port}/v1/packs"
        answers.append(httpx.post(url, json=body, headers=headers, timeout=60))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content


def test_a_conversation_through_both_gateways(composition, bearer):
    """
    A turn at one gateway, the next at the other: the library is carried over, and an artifact kept by one is had from the other.
    """
    first, second = (f"http://127.0.0.1:{composition[name].port}" for name in ("one", "two"))
    body = request(composition, query="conversation", session_id="both", turn=1)
    model = next(item for item in body["items"] if item["section"] == "knowledge")
    log = "\n".join(f"line {n}: settlement of trade {n * 31} done" for n in range(4000))
    heavy = {**model, "id": "log", "content": log, "score": 0.9}
    heavy["provenance"] = {**model["provenance"], "source_id": "KB:log"}
    settings = Settings(state_dir=composition["folder"] / "one")
    [heavy] = signed({**body, "items": [heavy]}, settings)["items"]
    one = httpx.post(f"{first}/v1/packs", json={**body, "items": [*body["items"], heavy]}, headers=bearer(), timeout=60)
    items = [item for section in one.json()["sections"] for item in section["items"]]
    [handle] = [item["artifact"] for item in items if item["id"] == "log"]
    got = httpx.get(f"{second}/v1/artifacts/{handle}", headers=bearer(), timeout=60)
    assert (got.status_code, got.json()["content"] == log) == (200, True)
    rest = [item for item in body["items"] if item["section"] != "knowledge"]
    two = httpx.post(f"{second}/v1/packs", json={**body, "items": rest, "turn": 2}, headers=bearer(), timeout=60).json()
    carried = {
        segment["item_id"]
        for layer in two["envelope"]["layers"]
        if layer["layer"] == "L2"
        for segment in layer["segments"]
    }
    assert model["id"] in carried
    assert two["envelope"]["prefix"]["change"] in {"same", "extended"}


def test_a_gateway_that_is_killed_loses_nothing(composition, bearer):
    """
    While packs are asked for one gateway is killed: the proxy goes on with the other, what was answered is on record,
    and the killed one starts again.
    """
    answered = []

    def one(n):
        try:
            headers = {**bearer(), "idempotency-key": f"kill-{n}"}
            answer = httpx.post(
                f"{composition['url']}/v1/packs",
                json=request(composition, query=f"kill {n}"),
                headers=headers,
                timeout=60,
            )
        except httpx.HTTPError:
            return
        if answer.status_code == 200:
            answered.append(answer.json()["id"])

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        work = [pool.submit(one, n) for n in range(9)]
        time.sleep(0.5)
        composition["two"].stop(signal.SIGKILL)
        concurrent.futures.wait(work)
    assert len(answered) >= 5
    composition["two"].start().wait()
    for pack in answered:
        assert ctxgate(composition, "ledger", "query", "--pack-id", pack, "--json").stdout.count("pack.sealed") == 1
    assert ctxgate(composition, *VERIFY).returncode == 0


def test_a_stop_in_order_answers_what_is_under_way(composition, bearer):
    """
    Told to stop, a gateway answers what it has begun, says in its lane that it ended, and starts again.
    """
    url = f"http://127.0.0.1:{composition['two'].port}/v1/packs"
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        work = pool.submit(
            httpx.post, url, json=request(composition, query=f"last {time.time()}"), headers=bearer(), timeout=60
        )
        time.sleep(0.15)
        composition["two"].stop(signal.SIGTERM)
        assert work.result().status_code == 200
    composition["two"].start().wait()
    kinds = ctxgate(composition, "ledger", "query", "--kind", "lane.closed", "--json").stdout
    assert kinds.count("lane.closed") >= 1


def test_the_files_fit_together():
    """
    What the composition mounts is there, services wait for what they need, and no image is without a version.
    """
    compose = yaml.safe_load((HOME / "docker-compose.yml").read_text())
    for name, service in compose["services"].items():
        assert "image" not in service or ":" in service["image"], name
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (HOME / source).exists(), volume
        for needed in service.get("depends_on", ()):
            assert needed in compose["services"]
    dockerfile = (HOME / "Dockerfile").read_text()
    assert "USER 10001" in dockerfile
    assert "HEALTHCHECK" in dockerfile
    for line in dockerfile.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (HOME / source).exists(), line
    Settings(**yaml.safe_load((HOME / "ops/gateway.yaml").read_text()))
    assert Path(HOME / "ops/roles.sh").stat().st_mode & 0o111
