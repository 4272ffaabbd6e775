"""Shared fixtures: a gateway with its real engines, in a folder of its own."""

import copy
import json
import os
import shutil
import tempfile

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog

from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.api.app import create_app
from gateway.bootstrap.gateway import Gateway, running
from gateway.bootstrap.key_files import make_keys
from gateway.bootstrap.keys import development_issuer
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME, Settings
from tests.support.clock import NOW
from tests.support.services import POSTGRES, Postgres, need
from tests.support.signing import VouchingLabels
from tests.support.tokens import EVERY_AGENT

hypothesis_settings.register_profile(
    "ctxgate", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
hypothesis_settings.load_profile("ctxgate")

# A proof of the shipped bundle takes seconds of a processor: tests that are of proofs ask for one.
os.environ.setdefault("CTXGATE_POLICIES_PROOF_SECONDS", "0")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL server that safely keeps what it acknowledges."""
    need(POSTGRES is not None, "PostgreSQL")
    # A short path under a folder that another user may enter: the server runs as a user of its own.
    folder = Path(tempfile.mkdtemp(prefix="ctxgate-pg-"))
    server = Postgres(folder)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    structlog.configure(processors=[structlog.processors.JSONRenderer()])
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def _vouched_for(request: pytest.FixtureRequest) -> Iterator[None]:
    """Somebody vouches for every item of a test that is not about who does, so that it may change items as it likes."""
    with pytest.MonkeyPatch.context() as patch:
        if "signatures" not in request.keywords:
            patch.setattr("gateway.bootstrap.keys.label_verifier", VouchingLabels)
        yield


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    opened = ("readiness", "metrics", "checkpoint", "docs")
    made = Settings(state_dir=tmp_path / "state", detector_workers=0, pin_every_seconds=0, open_to_all=opened)
    make_keys(made)
    return made


@pytest.fixture
async def gateway(settings: Settings) -> AsyncIterator[Gateway]:
    async with running(settings, clock=lambda: NOW) as started:
        yield started


@pytest.fixture(scope="session")
def engine() -> RegorusPolicyEngine:
    return RegorusPolicyEngine(load_bundle(HOME / "policies"))


@pytest.fixture
def story() -> Callable[[str, str], Any]:
    """A file of a bundled story, as a document that a test may change."""

    def read(name: str, file: str) -> Any:
        return copy.deepcopy(json.loads((HOME / "examples" / name / f"{file}.json").read_text()))

    return read


@pytest.fixture
def small(story: Callable[[str, str], Any]) -> dict[str, Any]:
    """A request with four items: a record, a procedure, an e-mail and a turn."""
    request = story("npa-risk", "request")
    wanted = {"npa-record", "sop-4.2.1", "email-client", "turn-01"}
    request["items"] = [item for item in request["items"] if item["id"] in wanted]
    return request


@pytest.fixture
def subject(story: Callable[[str, str], Any]) -> dict[str, Any]:
    """The story's analyst, with a token that speaks for every agent: a test asks for whichever it needs."""
    return {**story("npa-risk", "subject"), "agents": EVERY_AGENT}


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """The HTTP API, in process, at `NOW`."""
    app = create_app(settings, clock=lambda: NOW)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://ctxgate") as http:
            http.app = app  # type: ignore[attr-defined]
            yield http


@pytest.fixture
def token(settings: Settings, subject: dict[str, Any]) -> Callable[..., str]:
    """A development token for the story's analyst, with claims changed or, if None, left out."""

    def make(**changes: Any) -> str:
        claims = {
            **subject,
            "iss": settings.jwt_issuer,
            "aud": settings.jwt_audience,
            "exp": int((NOW + timedelta(hours=1)).timestamp()),
            **changes,
        }
        kept = {name: value for name, value in claims.items() if value is not None or name == "domains"}
        return development_issuer(settings).token(kept)

    return make


@pytest.fixture
def post(client: httpx.AsyncClient, token: Callable[..., str]) -> Callable[..., Any]:
    """Post a document or bytes as the analyst."""

    async def send(path: str, body: Any, **claims: Any) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await client.post(path, content=content, headers={"authorization": f"Bearer {token(**claims)}"})

    return send
