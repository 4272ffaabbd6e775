"""Which fetched bundles are new enough, and until when they may decide."""

from datetime import UTC, datetime, timedelta

import pytest

from gateway.errors import BundleExpiredError, BundleOlderError
from gateway.policy.supply.freshness import Freshness
from gateway.policy.supply.numbering import Numbering

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
LATER = "2026-12-01T00:00:00Z"


def numbered(serial, expires=LATER):
    return Numbering(serial=serial, expires=expires)


@pytest.fixture
def freshness(tmp_path):
    return Freshness(tmp_path / "newest.json", grace=timedelta(hours=72))


def test_a_lower_serial_is_refused_for_good(freshness, tmp_path):
    """
    Once a serial is adopted, a lower one is refused, and so is another bundle under the same one; also after a restart.
    """
    assert freshness.newer("a", numbered(5), NOW)
    freshness.adopted("a", numbered(5))
    for known in (freshness, Freshness(tmp_path / "newest.json", grace=timedelta(0), unnumbered=True)):
        assert known.newer("b", numbered(6), NOW)
        assert not known.newer("a", numbered(5), NOW)
        for revision, said in (("b", numbered(4)), ("a", numbered(4)), ("b", numbered(5)), ("b", Numbering())):
            with pytest.raises(BundleOlderError):
                known.newer(revision, said, NOW)


def test_bundles_without_a_serial_are_for_a_migration_alone(tmp_path):
    """
    They are refused unless a setting says otherwise, and then until the first that has one.
    """
    with pytest.raises(BundleOlderError):
        Freshness(tmp_path / "a", grace=timedelta(0)).newer("a", Numbering(), NOW)
    migrating = Freshness(tmp_path / "b", grace=timedelta(0), unnumbered=True)
    assert migrating.newer("a", Numbering(), NOW)
    migrating.adopted("a", Numbering())
    assert migrating.newest is None
    migrating.adopted("b", numbered(1))
    with pytest.raises(BundleOlderError):
        migrating.newer("a", Numbering(), NOW)


def test_an_expired_bundle_is_not_adopted(freshness):
    """
    One whose time is over is refused, however high its serial.
    """
    with pytest.raises(BundleExpiredError):
        freshness.newer("a", numbered(9, "2026-11-23T12:00:00Z"), NOW)


def test_a_bundle_that_decides_has_a_grace(freshness):
    """
    Past its expiry it is told of, past the grace it decides nothing; another bundle, such as one of the officers, is not meant.
    """
    freshness.adopted("a", numbered(5, "2026-11-24T00:00:00Z"))
    expiry = datetime(2026, 11, 24, tzinfo=UTC)
    for moment, expired, refused in (
        (expiry - timedelta(seconds=1), False, False),
        (expiry, True, False),
        (expiry + timedelta(hours=71), True, False),
        (expiry + timedelta(hours=72), True, True),
    ):
        assert freshness.expired("a", moment) is expired
        assert not freshness.expired("officers", moment)
        freshness.require("officers", moment)
        if refused:
            with pytest.raises(BundleExpiredError):
                freshness.require("a", moment)
        else:
            freshness.require("a", moment)


def test_the_configured_archive_counts_where_nothing_newer_is_known(freshness):
    """
    What a gateway starts with is the first number it knows, and lowers none.
    """
    freshness.configured("shipped", Numbering())
    assert freshness.newest is None
    freshness.configured("shipped", numbered(3))
    freshness.adopted("fetched", numbered(8))
    freshness.configured("shipped", numbered(3))
    assert freshness.newest.revision == "fetched"
    assert freshness.again("fetched")
    assert not freshness.again("shipped")


def test_a_damaged_memory_is_not_an_empty_one(tmp_path):
    """
    A file that cannot be read is an error, or an attacker could make the gateway forget.
    """
    (tmp_path / "newest.json").write_text("{")
    with pytest.raises(ValueError, match="JSON"):
        Freshness(tmp_path / "newest.json", grace=timedelta(0))
