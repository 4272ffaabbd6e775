"""The composition's secrets: made at the first start, each service's own, and what they open and keep shut."""

import json
import os
import re
import shutil
import ssl
import stat
import subprocess
import sys
import time

from contextlib import contextmanager

import asyncpg
import httpx
import pytest
import yaml

from adapters.policy.opa import OpaPolicyEngine
from adapters.shared.postgres import Pool
from gateway.errors import ConfigurationError
from gateway.settings import HOME, Settings
from ledger.errors import LedgerUnavailableError
from tests.support.bundles import BASE, SHIPPED
from tests.support.postgres import own_postgres
from tests.support.services import OPA, POSTGRES, need
from tools.loopback import free_port

COMPOSE = (HOME / "docker-compose.yml").read_text()


def make(folder):
    return subprocess.run(
        [sys.executable, HOME / "ops/make_secrets.py", folder], capture_output=True, text=True, check=True
    ).stdout


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def secrets(tmp_path_factory):
    """What the first start makes."""
    folder = tmp_path_factory.mktemp("secrets")
    make(folder)
    return folder


def test_made_once_and_for_one_service_each(secrets, tmp_path):
    """
    A second start changes nothing; another installation shares nothing; what is there is its owner's alone, and is not said.
    """
    before = contents(secrets)
    assert make(secrets) == "the secrets are there\n"
    assert contents(secrets) == before
    said = make(tmp_path)
    other = contents(tmp_path)
    constant = {"opa/callers/.manifest", *(name for name in before if name.endswith("/made"))}
    assert {name for name in before if before[name] == other[name]} == constant
    assert not [text for name, text in other.items() if name not in constant and text.strip() in said]
    for path in secrets.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    token = before["gateway/settings/ctxgate_opa_token"]
    assert not [name for name, text in before.items() if token in text and not name.startswith("gateway/")]


def test_a_start_that_was_cut_off_begins_again(tmp_path):
    """
    Where one service has nothing yet, all are made anew, so that they fit each other.
    """
    make(tmp_path)
    before = contents(tmp_path)
    (tmp_path / "opa/made").unlink()
    make(tmp_path)
    after = contents(tmp_path)
    assert before.keys() == after.keys()
    assert before["gateway/ca.pem"] != after["gateway/ca.pem"]


def test_no_password_stands_in_the_composition():
    """
    Neither a password nor a default of one is in the files; every connection is verified, every image has an exact version, and
    only this machine reaches the ports.
    """
    services = yaml.safe_load(COMPOSE)["services"]
    assert not re.search(r"PASSWORD:-|PASSWORD: [^{/]|://\w+:[^@/]+@", COMPOSE)
    assert not re.search(r"PASSWORD:-|PASSWORD '[^:]", (HOME / "ops/roles.sh").read_text())
    for url in re.findall(r"postgresql://\S+", COMPOSE):
        assert "sslmode=verify-full&sslrootcert=" in url
    assert "https://opa:8181" in COMPOSE
    assert {"--authentication", "token", "--authorization", "basic"} <= set(services["opa"]["command"])
    for service in services.values():
        assert "image" not in service or re.search(r":v?\d+\.\d+(\.\d+)?\b", service["image"]), service
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
    assert "GF_SECURITY_ADMIN_PASSWORD__FILE" in services["grafana"]["environment"]
    mounted = {
        name: [volume for volume in one.get("volumes", ()) if "secrets-" in volume] for name, one in services.items()
    }
    assert all(len(volumes) <= 1 for name, volumes in mounted.items() if name != "secrets")


@contextmanager
def opa(secrets):
    """OPA with the arguments of the composition, its paths replaced by those of here."""
    need(OPA is not None, "opa")
    port, own = free_port(), secrets / "opa"
    places = {"/policies": HOME / "policies", "/authz": HOME / "ops/opa", ":8181": f"127.0.0.1:{port}"}
    command = [
        str(places.get(part, part)).replace("/run/secrets/ctxgate", str(own))
        for part in yaml.safe_load(COMPOSE)["services"]["opa"]["command"]
    ]
    process = subprocess.Popen([OPA, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(
            base_url=f"https://localhost:{port}", verify=ssl.create_default_context(cafile=secrets / "gateway/ca.pem")
        ) as client:
            for _ in range(600):
                try:
                    if client.get("/health").is_success:
                        break
                except httpx.HTTPError:
                    assert process.poll() is None
                time.sleep(0.05)
            yield client, port
    finally:
        process.kill()
        process.wait()


async def test_opa_answers_the_gateway_alone(secrets, monkeypatch):
    """
    With its token and over TLS the gateway gets decisions; without, with another one, over plain HTTP, or for anything but a
    decision nobody gets anything.
    """
    monkeypatch.setenv("SSL_CERT_FILE", str(secrets / "gateway/ca.pem"))
    monkeypatch.setenv("CTXGATE_SECRETS_DIR", str(secrets / "gateway/settings"))
    token = Settings().opa_token.get_secret_value()
    with opa(secrets) as (client, port):
        engine = OpaPolicyEngine(
            f"https://localhost:{port}", revision=SHIPPED.revision, timeout_seconds=10, token=token
        )
        await engine.start()
        [answer] = await engine.evaluate("context/admit", [BASE])
        await engine.close()
        assert answer["allow"] is True
        bearer = {"authorization": f"Bearer {token}"}
        for method, path, headers in (
            ("POST", "/v1/data/context/admit", {}),
            ("POST", "/v1/data/context/admit", {"authorization": "Bearer x"}),
            ("GET", "/v1/data/system/callers", bearer),
            ("POST", "/v1/data/system/callers", bearer),
            ("PUT", "/v1/policies/context", bearer),
            ("DELETE", "/v1/data/context", bearer),
            ("GET", "/v1/policies", bearer),
            ("POST", "/v1/query", bearer),
        ):
            assert client.request(method, path, headers=headers, content=b"{}").status_code in {400, 401, 403}, path
        async with httpx.AsyncClient() as plain:
            assert (await plain.get(f"http://localhost:{port}/health")).status_code == 400


async def test_the_database_speaks_tls_to_whom_it_knows(secrets, tmp_path):
    """
    The gateway's role connects with its password and a certificate that it can verify; without TLS, with another password, or to a
    server that another authority vouches for, nobody does.
    """
    need(POSTGRES is not None, "PostgreSQL")
    with own_postgres() as server:
        server.sql("postgres", "CREATE ROLE postgres SUPERUSER LOGIN", "CREATE DATABASE ctxgate")
        place = server.folder / "secrets"
        shutil.copytree(secrets / "postgres", place)
        shutil.copy(HOME / "ops/pg_hba.conf", server.folder)
        shutil.copy(HOME / "ops/roles.sh", server.folder)
        if os.geteuid() == 0:
            for path in (place, *place.rglob("*")):
                shutil.chown(path, "postgres")
        roles = [
            "env",
            f"PGHOST={server.folder}",
            f"PGPORT={server.port}",
            f"CTXGATE_PASSWORDS={place}",
            "sh",
            "roles.sh",
        ]
        own = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        path = {"PATH": f"{POSTGRES}:{os.environ['PATH']}"}
        subprocess.run([*own, *roles], cwd=server.folder, env=path, check=True, capture_output=True)
        server.stop()
        server.start(*settings_of_the_composition(place, server.folder))
        password = (secrets / "postgres/gateway.password").read_text()
        pgpass = tmp_path / "pgpass"
        pgpass.write_text(f"localhost:{server.port}:ctxgate:gateway:{password}\n")
        pgpass.chmod(0o600)
        make(tmp_path / "other")
        ca, other = secrets / "gateway/ca.pem", tmp_path / "other/gateway/ca.pem"
        where = f"postgresql://gateway@localhost:{server.port}/ctxgate?passfile={pgpass}"
        pool = Pool(f"{where}&sslmode=verify-full&sslrootcert={ca}")
        pool.close()
        with pytest.raises(LedgerUnavailableError):
            Pool(f"{where}&sslmode=verify-full&sslrootcert={other}")
        for wrong in (f"{where}&sslmode=disable", f"{where}&sslmode=verify-full&sslrootcert={ca}&password=x"):
            with pytest.raises((asyncpg.PostgresError, OSError)):
                await asyncpg.connect(wrong, timeout=10)


def settings_of_the_composition(place, folder):
    command = yaml.safe_load(COMPOSE)["services"]["postgres"]["command"]
    settings = [part for part in command if "=" in part]
    assert "ssl=on" in settings
    return [
        setting.replace("/run/secrets/ctxgate", str(place)).replace("/etc/ctxgate", str(folder)) for setting in settings
    ]


def test_secrets_are_settings_in_files(tmp_path, monkeypatch):
    """
    A file named as a setting holds it; the environment goes before it; a folder that is not there is no empty one.
    """
    (tmp_path / "ctxgate_opa_token").write_text("from-a-file\n")
    monkeypatch.setenv("CTXGATE_SECRETS_DIR", str(tmp_path))
    assert Settings().opa_token.get_secret_value() == "from-a-file"
    monkeypatch.setenv("CTXGATE_OPA_TOKEN", "from-outside")
    assert Settings().opa_token.get_secret_value() == "from-outside"
    monkeypatch.setenv("CTXGATE_SECRETS_DIR", str(tmp_path / "none"))
    with pytest.raises(ConfigurationError):
        Settings()


def test_the_token_is_kept_as_a_hash_where_it_is_checked(secrets):
    """
    Who reads what OPA holds cannot ask it.
    """
    held = json.loads((secrets / "opa/callers/system/callers/data.json").read_text())["gateway"]
    assert re.fullmatch(r"[0-9a-f]{64}", held)
    assert held != (secrets / "gateway/settings/ctxgate_opa_token").read_text()
