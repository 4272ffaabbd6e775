"""Bundles as archives: built, signed, read and refused; and verified by OPA itself."""

import gzip
import json

import pytest

from cryptography.hazmat.primitives.asymmetric import ec, rsa

from adapters.policy.bundle_keys import BundleKey
from adapters.policy.opa import OpaPolicyEngine
from gateway.bootstrap.gateway import running
from gateway.bootstrap.policies import build_archive, configured_bundle
from gateway.errors import BundleInvalidError, ConfigurationError
from gateway.policy.archive import SIGNATURES, build, read
from tests.support.bundles import BASE, SHIPPED, repacked, spoil_rule, write_keys
from tests.support.services import OPA, need, opa_server


@pytest.fixture(params=["ec", "rsa"])
def keys(request, tmp_path):
    key = ec.generate_private_key(ec.SECP256R1()) if request.param == "ec" else rsa.generate_private_key(65537, 2048)
    return write_keys(tmp_path, key, request.param)


def test_an_archive_is_the_folder(keys):
    """
    The archive of a bundle has the revision of its folder, and is the same bytes each time.
    """
    assert build(SHIPPED, None) == build(SHIPPED, None)
    assert read(build(SHIPPED, None), None) == SHIPPED
    assert read(build_archive(SHIPPED, keys[0]), BundleKey(keys[1])) == SHIPPED


def spoil_table(files):
    files["/context/trust/data.yaml"] = files["/context/trust/data.yaml"].replace(b"general_research", b"routing")


def add_file(files):
    files["/context/more/data.json"] = b"{}"


def drop_file(files):
    del files["/context/pii/pii.rego"]


def drop_signature(files):
    del files[f"/{SIGNATURES}"]


def empty_signature(files):
    files[f"/{SIGNATURES}"] = json.dumps({"signatures": ["a.b.c"]}).encode()


def other_revision(files):
    files["/.manifest"] = files["/.manifest"].replace(b"sha256:", b"sha256:00")


@pytest.mark.parametrize(
    "change", [spoil_rule, spoil_table, add_file, drop_file, drop_signature, empty_signature, other_revision]
)
def test_an_archive_that_was_changed_is_refused(keys, change):
    """
    Any change to a signed archive is found.
    """
    signed = build_archive(SHIPPED, keys[0])
    with pytest.raises(BundleInvalidError):
        read(repacked(signed, change), BundleKey(keys[1]))


def test_another_key(keys, tmp_path):
    """
    An archive by another key of either kind is refused, and so is a key file that holds none.
    """
    _, other = write_keys(tmp_path, ec.generate_private_key(ec.SECP256R1()), "other")
    with pytest.raises(BundleInvalidError):
        read(build_archive(SHIPPED, keys[0]), BundleKey(other))
    (tmp_path / "none.pem").write_text("nothing")
    for path in (tmp_path / "none.pem", tmp_path / "missing.pem"):
        with pytest.raises(ConfigurationError):
            BundleKey(path)


@pytest.mark.parametrize(
    "body", [b"", b"not an archive", gzip.compress(b"not a tar", mtime=0), gzip.compress(bytes(21_000_000), mtime=0)]
)
def test_what_is_no_archive(body):
    """
    Damaged bytes, and an archive that unpacks to too much, are refused.
    """
    with pytest.raises(BundleInvalidError):
        read(body, None)


async def test_a_gateway_from_a_signed_archive(settings, tmp_path, keys):
    """
    The gateway starts from a signed archive, and not from an unsigned one where a key is set.
    """
    path = tmp_path / "bundle.tar.gz"
    chosen = settings.model_copy(update={"policies_archive": path, "policies_key": keys[1]})
    with pytest.raises(ConfigurationError):
        configured_bundle(chosen)
    path.write_bytes(build(SHIPPED, None))
    with pytest.raises(BundleInvalidError):
        configured_bundle(chosen)
    path.write_bytes(build_archive(SHIPPED, keys[0]))
    async with running(chosen) as gateway:
        assert gateway.pipeline.policy.version.revision == SHIPPED.revision


async def test_opa_verifies_our_signature(tmp_path, keys):
    """
    OPA loads the archive under the public key, decides with our revision, and refuses a changed one.
    """
    need(OPA is not None, "opa")
    path = tmp_path / "bundle.tar.gz"
    algorithm = "ES256" if keys[0].name.startswith("ec") else "RS256"
    options = ("--verification-key", str(keys[1]), "--signing-alg", algorithm)
    path.write_bytes(build_archive(SHIPPED, keys[0]))
    with opa_server(path, *options) as url:
        engine = OpaPolicyEngine(url, revision=SHIPPED.revision, timeout_seconds=5)
        await engine.start()
        [answer] = await engine.evaluate("context/admit", [BASE])
        await engine.close()
        assert answer["allow"] is True
    path.write_bytes(repacked(path.read_bytes(), spoil_rule))
    with pytest.raises(RuntimeError, match="ended"), opa_server(path, *options):
        pass
