"""Every bundle that was ever shown to this gateway, its bytes under their hash."""

import pytest

from gateway.bootstrap.gateway import running
from gateway.errors import BundleInvalidError, NotFoundError
from gateway.model import Subject
from gateway.policy.store import KeptBundles
from tests.support.bundles import WEB_FOR_RISK, files
from tests.support.clock import NOW


async def test_what_is_active_outlives_a_restart(settings, subject, small):
    """
    After a restart the activated bundle decides, from its stored bytes; damaged bytes are refused.
    """
    ann, ben = (Subject.model_validate({**subject, "sub": name}) for name in ("ann", "ben"))
    async with running(settings) as gateway:
        proposal = await gateway.desk.propose(files(WEB_FOR_RISK), ann, NOW)
        await gateway.desk.activate(proposal.revision, ben, NOW)
    async with running(settings) as gateway:
        assert gateway.pipeline.policy.version.revision == proposal.revision
        kept = settings.state_dir / "bundles" / f"{proposal.revision[7:]}.bundle"
        kept.write_bytes(kept.read_bytes().replace(b"risk_assessment", b"risk_assesSment", 1))
        with pytest.raises(BundleInvalidError):
            KeptBundles(settings.bundles_dir).stored(proposal.revision)
        with pytest.raises(NotFoundError):
            await gateway.desk.rollback("sha256:" + "1" * 64, ben, NOW)
