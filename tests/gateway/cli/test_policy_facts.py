"""What `ctxgate policy explain --item` finds out of who vouches for an item."""

import json

import pytest

from tests.support.clock import NOW
from tests.support.commands import STORY

pytestmark = pytest.mark.signatures


def explained(run, tmp_path, item):
    (tmp_path / "item.json").write_text(json.dumps(item))
    return run("policy", "explain", "--item", "item.json", "--as", STORY / "subject.json", "--now", NOW.isoformat())


def test_who_vouches_for_an_item(run, tmp_path):
    """
    A signature is verified as a gateway would: what holds is said with its key's owner, what does not is refused, and what
    nobody signed is said to be nobody's.
    """
    run("dev", "sign", STORY / "request.json", "--out", "signed.json", "--now", NOW.isoformat())
    items = json.loads((tmp_path / "signed.json").read_text())["items"]
    item = next(item for item in items if item["id"] == "sop-4.2.1")
    told = explained(run, tmp_path, item).stdout
    assert "vouched for by development (development)" in told
    assert "Outcome: released" in told
    told = explained(run, tmp_path, {**item, "content": "other"}).stdout
    assert "does not verify" in told
    assert "ATT-001" in told
    del item["attestation"]
    assert "Nobody vouches for its labels" in explained(run, tmp_path, item).stdout
