"""Every bundle that was ever shown to this gateway, its bytes under their hash."""

import pytest

from gateway.bootstrap.gateway import running
from gateway.errors import BundleInvalidError, NotFoundError
from gateway.model import Subject
from gateway.policy.store import BundleStore
from tests.support.bundles import SHIPPED, WEB_FOR_RISK, files
from tests.support.clock import NOW


async def test_what_is_active_outlives_a_restart(settings, subject, small):
    """
    After a restart the activated bundle decides, from its stored bytes; damaged bytes are refused.
    """
    ann, ben = (Subject.model_validate({**subject, "sub": name}) for name in ("ann", "ben"))
    async with running(settings) as gateway:
        proposal = await gateway.lifecycle.propose(files(WEB_FOR_RISK), ann, NOW)
        await gateway.lifecycle.activate(proposal.revision, ben, NOW)
    async with running(settings) as gateway:
        assert gateway.pipeline.policy.version.revision == proposal.revision
        kept = settings.state_dir / "bundles" / f"{proposal.revision[7:]}.bundle"
        kept.write_bytes(kept.read_bytes().replace(b"risk_assessment", b"risk_assesSment", 1))
        with pytest.raises(BundleInvalidError):
            BundleStore(settings.bundles_dir).stored(proposal.revision)
        with pytest.raises(NotFoundError):
            await gateway.lifecycle.rollback("sha256:" + "1" * 64, ben, NOW)


def test_what_is_kept_comes_back(tmp_path):
    """
    A kept bundle is found by its revision, decides as it did, and does so once however often it is kept.
    """
    kept = BundleStore(tmp_path / "bundles")
    for _ in range(2):
        kept.keep(SHIPPED)
    assert kept.stored(SHIPPED.revision) == SHIPPED
    assert [path.stem for path in kept.paths()] == [SHIPPED.revision[7:]]


@pytest.mark.parametrize("revision", ["sha256:" + "0" * 64, "../../etc/passwd", "", "sha256:"])
def test_what_was_never_kept(tmp_path, revision):
    """
    A revision that is not there, or that is a path out of the folder, is not found.
    """
    with pytest.raises(NotFoundError):
        BundleStore(tmp_path).stored(revision)


def test_a_bundle_under_anothers_name(tmp_path):
    """
    Bytes under another hash than their own are refused.
    """
    kept = BundleStore(tmp_path)
    kept.keep(SHIPPED)
    other = "sha256:" + "0" * 64
    (tmp_path / f"{SHIPPED.revision[7:]}.bundle").rename(tmp_path / f"{other[7:]}.bundle")
    with pytest.raises(BundleInvalidError, match="not what it was"):
        kept.stored(other)
