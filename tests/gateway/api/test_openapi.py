"""The API against its own description: whatever is sent, the answer is one that is described, and never a crash."""

import json
import os
import re
import subprocess
import sys
import time

import httpx
import jsonschema_rs
import pytest
import schemathesis

from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from gateway.api.app import create_app
from gateway.api.catalog import SCOPES
from gateway.bootstrap.keys import development_issuer
from gateway.settings import HOME, Settings
from tools.loopback import free_port, until_up

SCHEMA = schemathesis.openapi.from_dict(create_app(Settings()).openapi())


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A gateway as a process, and a token that holds every scope."""
    folder, port = tmp_path_factory.mktemp("served"), free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": str(HOME),
        "CTXGATE_STATE_DIR": str(folder),
        "CTXGATE_DETECTOR_WORKERS": "0",
    }
    command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        until_up(process, f"{url}/readyz")
        yield url, _officer(folder), folder / "log"
    finally:
        process.terminate()
        process.wait(60)


def _officer(folder):
    chosen = Settings(state_dir=folder)
    claims = json.loads((HOME / "examples/npa-risk/subject.json").read_text())
    given = {
        "iss": chosen.jwt_issuer,
        "aud": chosen.jwt_audience,
        "exp": int(time.time()) + 3600,
        "scope": " ".join(SCOPES),
    }
    return {"Authorization": f"Bearer {development_issuer(chosen).token({**claims, **given})}"}


@SCHEMA.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
)
def test_whatever_is_sent(case, served):
    """
    Every operation answers generated input with what its description says, keeps strangers out, and does not crash.
    """
    url, headers, _ = served
    # What fits the schema may still be refused: agents and purposes are those of the registry, revisions those that exist.
    case.call_and_validate(base_url=url, headers=headers, excluded_checks=[positive_data_acceptance])


DOCUMENT = create_app(Settings()).openapi()


def test_everything_is_described():
    """
    Every field and parameter has a sentence, every body an example, every operation its problems, and every reference leads
    somewhere.
    """
    schemas = DOCUMENT["components"]["schemas"]
    lacking = [
        (name, field)
        for name, schema in schemas.items()
        for field, one in schema.get("properties", {}).items()
        if not one.get("description")
    ]
    for path, operations in DOCUMENT["paths"].items():
        for operation in operations.values():
            assert "default" in operation["responses"], path
            lacking += [(path, one["name"]) for one in operation.get("parameters", []) if not one.get("description")]
            if "requestBody" in operation:
                [content] = operation["requestBody"]["content"].values()
                assert content["example"], path
    assert lacking == []
    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(DOCUMENT)))
    assert referred <= schemas.keys()


def test_examples_fit_their_schemas():
    """
    The examples of bodies are ones.
    """
    for operations in DOCUMENT["paths"].values():
        if "requestBody" in operations.get("post", {}):
            [content] = operations["post"]["requestBody"]["content"].values()
            jsonschema_rs.validate({**content["schema"], "components": DOCUMENT["components"]}, content["example"])


def test_nothing_crashed(served):
    """
    After all of that the gateway is alive and ready, and its log has no trace of a crash.
    """
    url, _, log = served
    assert httpx.get(f"{url}/readyz").status_code == 200
    text = log.read_text()
    assert "Traceback" not in text
    assert '"crashed"' not in text


def test_every_answer_has_its_headers(served):
    """
    Answers are not for a browser to guess at, frame or keep.
    """
    url, headers, _ = served
    for path in ("/healthz", "/v1/ledger/stats", "/nowhere"):
        answer = httpx.get(url + path, headers=headers)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


async def test_the_document_describes_the_calls(client):
    """
    The OpenAPI document has the calls with their bodies and answers.
    """
    document = (await client.get("/openapi.json")).json()
    assert {"/v1/packs", "/v1/rulings", "/v1/ledger/records"} <= set(document["paths"])
    body = document["paths"]["/v1/packs"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/PackRequest"}
    assert {"agent_id", "items", "token_budget"} <= set(document["components"]["schemas"]["PackRequest"]["properties"])
