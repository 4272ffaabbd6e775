"""`python -m ctxgate_source`, from the package as it is installed."""

import json
import stat
import subprocess
import sys

import pytest
import yaml

from ctxgate_source import read_key, sign_labels
from gateway.model.sources.entry import SourceKey
from gateway.settings import HOME
from tests.support.clock import NOW
from tests.support.vectors import item_of, sources_of, verdict


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The package as a wheel, which Python imports from as it is."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder]
    done = subprocess.run([*command, HOME / "sdk/ctxgate_source"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    [found] = folder.glob("*.whl")
    return found


def run(wheel, folder, *arguments):
    """The command, from the wheel alone."""
    return subprocess.run(
        [sys.executable, "-m", "ctxgate_source", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(wheel)},
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.mark.parametrize("algorithm", ["EdDSA", "ES256"])
def test_a_key_and_its_line(wheel, tmp_path, algorithm):
    """
    The private key lands in a file for its owner alone, and the line that is printed is one that a registry takes, which verifies
    what the key signs.
    """
    done = run(wheel, tmp_path, "key", "kb-2026: #1", "--out", "kb.jwk", "--alg", algorithm, "--from", "2026-02-01")
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE((tmp_path / "kb.jwk").stat().st_mode) == 0o600
    [line] = yaml.safe_load(done.stdout)
    public = SourceKey.model_validate(line)
    assert (public.kid, public.valid_from) == ("kb-2026: #1", "2026-02-01")
    signature = sign_labels({"owner": "x"}, "text", read_key(tmp_path / "kb.jwk"), "kb", at=NOW)
    item = item_of({"labels": {"owner": "x"}, "content": "text", "attestation": signature})
    assert verdict(item, sources=sources_of({"kb": {**line["jwk"], "kid": line["kid"]}}))["verified"] is True


def test_no_key_is_written_over(wheel, tmp_path):
    """
    A file that is there stays as it is, and the command says so.
    """
    (tmp_path / "kb.jwk").write_text("mine")
    done = run(wheel, tmp_path, "key", "k", "--out", "kb.jwk")
    assert (done.returncode, "FileExistsError" in done.stderr, done.stdout) == (1, True, "")
    assert (tmp_path / "kb.jwk").read_text() == "mine"


def test_a_request_signed(wheel, tmp_path, story):
    """
    Every item of a request file that nobody vouches for is signed, and an attestation that is there stays.
    """
    run(wheel, tmp_path, "key", "k", "--out", "k.jwk")
    request = story("quickstart", "request")
    request["items"][0]["attestation"] = "a..b"
    (tmp_path / "request.json").write_text(json.dumps(request))
    done = run(wheel, tmp_path, "sign", "request.json", "--key", "k.jwk", "--issuer", "kb")
    assert done.returncode == 0, done.stderr
    first, *others = json.loads(done.stdout)["items"]
    assert first["attestation"] == "a..b"
    key = read_key(tmp_path / "k.jwk").as_dict(private=False)
    for item in others:
        told = verdict(item_of({**item, "labels": item["provenance"]}), sources=sources_of({"kb": key}))
        assert told["verified"] is True


@pytest.mark.parametrize("text", ["{}", "[]", "nothing", '{"kty": "oct", "k": "AA", "kid": "k", "d": "x"}'])
def test_what_is_no_key(wheel, tmp_path, text):
    """
    A file without a private key signs nothing, and the command ends with 1.
    """
    (tmp_path / "k.jwk").write_text(text)
    (tmp_path / "request.json").write_text('{"items": []}')
    done = run(wheel, tmp_path, "sign", "request.json", "--key", "k.jwk", "--issuer", "kb")
    assert (done.returncode, done.stdout) == (1, "")
