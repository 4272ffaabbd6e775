"""Keys of persons outside the database: deleting one of them erases backups too."""

import shutil

import pytest

from pydantic import SecretStr

from gateway.bootstrap.gateway import running
from gateway.bootstrap.ledger import open_ledger
from gateway.bootstrap.person_keys import person_keys
from gateway.errors import ConfigurationError, PersonKeysError, RecordError
from gateway.privacy.certificate import open_certificate
from tests.support.clock import NOW
from tests.support.erasing import forget
from tests.support.oracle import check_ledger, records
from tests.support.requests import asked
from tests.support.transit import TOKEN, transit_server


@pytest.fixture
def outside(settings):
    """Settings under which keys are in a transit engine, and the engine."""
    with transit_server() as (transit, url):
        yield (
            settings.model_copy(
                update={"person_keys": "vault", "vault_url": url, "vault_token": SecretStr(TOKEN), "erase_seconds": 0}
            ),
            transit,
        )


async def test_one_key_outside_erases_backups_too(outside, small, subject, tmp_path):
    """
    A copy of the whole state folder from before the erasure, with all keys in it, opens nothing of the person afterwards; what is
    on record of others still opens.
    """
    settings, transit = outside
    async with running(settings, clock=lambda: NOW) as gateway:
        for name in ("zelda", "ann"):
            await gateway.pipeline.assemble(asked(small, {**subject, "sub": name}))
        tokens = {name: gateway.store.known_person("gfm", name).token for name in ("zelda", "ann")}
        names = {
            one: [r.decision_id for r in records(gateway, kind="item.ruled", subject=tokens[one])] for one in tokens
        }
        assert len(transit.keys) == 2
    shutil.copytree(settings.state_dir, tmp_path / "backup")
    backup = settings.model_copy(update={"state_dir": tmp_path / "backup"})
    with open_ledger(backup, check_pin=False) as parts:
        assert parts.evidence.erasables(names["zelda"])
    async with running(settings, clock=lambda: NOW) as gateway:
        done = await forget("gfm", "zelda", gateway.stores, gateway.ledger, settings)
        assert [one.outside for one in open_certificate(done.certificate, gateway.ledger.parts.keys).keys] == [True]
        assert "KEY-OUTSIDE" in records(gateway, kind="erasure")[0].codes
        check_ledger(gateway)
    with open_ledger(backup, check_pin=False) as parts:
        assert parts.store.sealed(names["zelda"])
        with pytest.raises(RecordError):
            parts.evidence.erasables(names["zelda"])
        assert parts.evidence.erasables(names["ann"])


async def test_without_the_service_nothing_is_erased_or_recorded_in_half(outside, small, subject):
    """
    Where the service keeps a key an erasure is not complete, and goes on once it does not; while it is down who is new is refused
    with `GW-421`.
    """
    settings, transit = outside
    async with running(settings, clock=lambda: NOW) as gateway:
        await gateway.pipeline.assemble(asked(small, subject))
        token = records(gateway, kind="item.ruled")[0].subject
        keep = set(transit.deletable)
        transit.deletable.clear()
        with pytest.raises(PersonKeysError) as caught:
            await forget("gfm", subject["sub"], gateway.stores, gateway.ledger, settings)
        assert caught.value.code == "GW-421"
        transit.down = True
        with pytest.raises(PersonKeysError):
            await gateway.pipeline.assemble(asked(small, {**subject, "sub": "somebody new"}))
        assert await gateway.stores.erasures.certificate("gfm", token) is None
        transit.down, transit.deletable = False, keep
        assert len(await gateway.eraser.resume("gfm", None, NOW)) == 1
        # Those of the two officers.
        assert len(transit.keys) == 2


async def test_no_key_is_made_for_who_is_known(outside, small, subject):
    """
    A process that starts anew asks for no new key for persons that the store knows.
    """
    settings, transit = outside
    for _ in range(2):
        async with running(settings, clock=lambda: NOW) as gateway:
            await gateway.pipeline.assemble(asked(small, subject))
    assert len(transit.keys) == 1


@pytest.mark.parametrize("kind", ["vault", "pkcs11"])
def test_where_is_not_said(settings, kind):
    """
    Keys outside without saying where are a setting to correct, not a reason to take the file.
    """
    with pytest.raises(ConfigurationError):
        person_keys(settings.model_copy(update={"person_keys": kind}))
