"""Engines that decide again, each under the bundle of the record."""

import json

import pytest

from gateway.bootstrap.replay import replaying
from gateway.errors import BundleInvalidError, NotFoundError
from gateway.policy.bundle import bundle_of
from gateway.policy.store import BundleStore
from tests.support.bundles import BASE, SHIPPED, WEB_FOR_RISK, files

OTHER = bundle_of({name: text.encode() for name, text in files(WEB_FOR_RISK).items()})
FROM_THE_WEB = {
    **BASE,
    "item": {**BASE["item"], "source_type": "general_web"},
    "request": {**BASE["request"], "purpose": "risk_assessment"},
}


def part(revision, engine="regorus"):
    """What a record says of what decided."""
    return {"revision": revision, "engine": engine, "engine_version": "1", "entrypoint": "context/admit"}


@pytest.fixture
def kept(settings):
    """Both bundles, kept as they were activated."""
    folder = BundleStore(settings.bundles_dir)
    for bundle in (SHIPPED, OTHER):
        folder.keep(bundle)
    return settings


def test_each_revision_answers_for_itself(kept):
    """
    The same question is answered by each revision as that revision decides, in any order.
    """
    asked = json.dumps(FROM_THE_WEB).encode()
    with replaying(kept, "embedded") as deciders:
        codes = [
            {denial["code"] for denial in next(deciders.ask(part(bundle.revision), asked))["denials"]}
            for bundle in (SHIPPED, OTHER, SHIPPED)
        ]
    assert "TRU-003" in codes[0]
    assert "TRU-003" not in codes[1]
    assert codes[2] == codes[0]


def test_a_bundle_that_is_not_kept(kept):
    """
    Where the bundle of a record is not there, nothing else decides in its place.
    """
    with replaying(kept, "embedded") as deciders, pytest.raises(NotFoundError):
        next(deciders.ask(part("sha256:" + "0" * 64), b"{}"))


def test_a_bundle_that_was_changed(kept):
    """
    A kept bundle whose bytes are not the ones of its hash decides nothing.
    """
    path = kept.bundles_dir / f"{OTHER.revision[7:]}.bundle"
    path.write_bytes(path.read_bytes().replace(b"general_research", b"general_researhc", 1))
    with replaying(kept, "embedded") as deciders, pytest.raises(BundleInvalidError):
        next(deciders.ask(part(OTHER.revision), b"{}"))
