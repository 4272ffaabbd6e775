"""`ctxgate dev`."""

import json
import subprocess

from pathlib import Path

from adapters.attestation.jws_labels import JwsLabelVerifier
from gateway.bootstrap.keys import development_labels
from gateway.model import PackRequest
from gateway.settings import Settings
from tests.support.clock import NOW
from tests.support.commands import COMMAND, STORY


def test_jwks_can_be_handed_over(run, tmp_path):
    """
    The development key can be written as a JWK set, without its private part.
    """
    assert run("dev", "jwks", "--out", tmp_path / "jwks.json").returncode == 0
    [key] = json.loads((tmp_path / "jwks.json").read_text())["keys"]
    assert "d" not in key
    assert run("dev", "jwks").stdout


def test_a_claims_file_says_its_agents(run, tmp_path, subject):
    """
    A claims file without agents is refused with what to add to it, for a token as for a pack; where the gateway is set to
    believe requests it needs none.
    """
    file = tmp_path / "subject.json"
    for agents in ({}, {"agents": []}, {"agents": None}):
        file.write_text(json.dumps({**{name: subject[name] for name in subject if name != "agents"}, **agents}))
        refused = run("dev", "token", "--as", file)
        assert refused.returncode != 0
        assert "GW-106" in refused.stderr
        assert '"agents": ["RISK"]' in " ".join(refused.stderr.split())
    believed = run("dev", "token", "--as", file, CTXGATE_AGENT_BINDING="declared")
    assert believed.returncode == 0


def vouched(text, folder):
    """Whether the development key of a folder vouches for each item of a request."""
    settings = Settings(state_dir=Path(folder, ".ctxgate"))
    verifier = JwsLabelVerifier(development_labels(settings).key.as_dict(private=False))
    items = PackRequest.model_validate_json(text).items
    return {bool((verifier.verify(item, {}, NOW) or {}).get("verified")) for item in items}


def test_every_item_is_signed(run, tmp_path):
    """
    A request file comes out with every item signed, with a warning, and the file that it came from stays as it is.
    """
    before = (STORY / "request.json").read_text()
    done = run("dev", "sign", STORY / "request.json", "--out", tmp_path / "signed.json", "--now", NOW.isoformat())
    assert (done.returncode, "UNSAFE" in done.stderr) == (0, True)
    assert vouched((tmp_path / "signed.json").read_text(), tmp_path) == {True}
    assert (STORY / "request.json").read_text() == before


def test_stamped_and_then_signed(run, tmp_path):
    """
    A request whose times are moved loses the signatures over the old ones, and can be piped on to be signed anew.
    """
    signed = tmp_path / "signed.json"
    assert run("dev", "sign", STORY / "request.json", "--out", signed).returncode == 0
    stamped = run("dev", "request", signed).stdout
    times = [item["provenance"]["fetched_at"] for item in json.loads(stamped)["items"]]
    marks = [item["attestation"] for item in json.loads(stamped)["items"]]
    assert [mark is None for mark in marks] == [time is not None for time in times]
    piped = subprocess.run(
        [*COMMAND, "dev", "sign", "-"], cwd=tmp_path, input=stamped, capture_output=True, text=True, check=True
    )
    assert vouched(piped.stdout, tmp_path) == {True}
