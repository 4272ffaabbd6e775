"""Bundles as archives: built, signed, read and refused; and verified by OPA itself."""

import gzip
import json
import tarfile

import pytest

from cryptography.hazmat.primitives.asymmetric import ec, rsa

from adapters.policy.bundle_keys import BundleKey
from adapters.policy.opa import OpaPolicyEngine
from gateway.bootstrap.gateway import running
from gateway.bootstrap.policies import build_archive, configured_bundle
from gateway.errors import BundleInvalidError, ConfigurationError
from gateway.policy.archive import SIGNATURES, build, read
from tests.support.bundles import BASE, NUMBERED, SHIPPED, repacked, spoil_rule, write_keys
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


def test_an_archive_says_how_new_it_is(keys):
    """
    Serial and expiry come back from under the signature, and are no part of what decides: the revision is the same.
    """
    archive = build_archive(SHIPPED, keys[0], NUMBERED)
    found = read(archive, BundleKey(keys[1]))
    assert (found, found.numbering) == (SHIPPED, NUMBERED)
    assert read(build_archive(found, keys[0]), BundleKey(keys[1])).numbering == NUMBERED
    with pytest.raises(BundleInvalidError):
        read(repacked(archive, lambda files: renumber(files, b'"serial": 10', b'"serial": 99')), BundleKey(keys[1]))
    with pytest.raises(BundleInvalidError, match="serial"):
        read(repacked(archive, lambda files: renumber(files, b'"serial": 10', b'"serial": "x"')), None)


def renumber(files, old, new):
    assert old in files["/.manifest"]
    files["/.manifest"] = files["/.manifest"].replace(old, new)


def packed(*entries, end=b"\0" * 1024):
    """A tar of headers as an attacker would write them."""
    body = b""
    for entry, content in entries:
        body += entry.tobuf(tarfile.GNU_FORMAT) + content + bytes(-len(content) % 512)
    return gzip.compress(body + end)


def entry(name, kind=tarfile.REGTYPE, content=b"package a", **fields):
    made = tarfile.TarInfo(name)
    made.type, made.size = kind, len(content)
    for field, value in fields.items():
        setattr(made, field, value)
    return made, content


GOOD = (entry("/.manifest", content=b"{}"), entry("/a.rego"))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        *(
            ([entry("/b.rego", kind, b"", linkname="/a.rego")], "not a regular file")
            for kind in (
                tarfile.SYMTYPE,
                tarfile.LNKTYPE,
                tarfile.CHRTYPE,
                tarfile.BLKTYPE,
                tarfile.FIFOTYPE,
                tarfile.DIRTYPE,
                tarfile.CONTTYPE,
                b"Z",
            )
        ),
        ([entry("pax", tarfile.XHDTYPE, b"19 path=../../etc/x\n")], "not a regular file"),
        ([entry("pax", tarfile.XGLTYPE, b"13 size=9999\n")], "not a regular file"),
        ([entry("long", tarfile.GNUTYPE_LONGNAME, b"x" * 200)], "not a regular file"),
        ([entry("/a.rego")], "twice"),
        ([entry("a.rego")], "twice"),
        ([entry("./a.rego")], "twice"),
        ([entry("../b.rego")], "no name"),
        ([entry("/x/../b.rego")], "no name"),
        ([entry("//b.rego")], "no name"),
        ([entry("x//b.rego")], "no name"),
        ([entry("b\nc.rego")], "no name"),
        ([entry("b\u202ec.rego")], "no name"),
        ([entry("x\\b.rego")], "no name"),
        ([entry(f"/{n}.rego", content=b"") for n in range(2001)], "too many"),
    ],
)
def test_only_regular_files_with_ordinary_names(entries, message):
    """
    Links, devices, folders, headers that change those after them, names that lead elsewhere and names that come twice are refused
    before anything else is looked at: without a signature, that is what is said of them.
    """
    assert read(packed(*GOOD), None).modules == {"a.rego": "package a"}
    with pytest.raises(BundleInvalidError, match=message):
        read(packed(*GOOD, *entries), None)


def lies(header, at, text):
    """A header with other bytes at a place, and the checksum that goes with them."""
    changed = bytearray(header)
    changed[at : at + len(text)] = text
    changed[148:156] = b" " * 8
    changed[148:156] = b"%06o\0 " % sum(changed)
    return bytes(changed)


@pytest.mark.parametrize(
    "body",
    [
        lies(entry("/a.rego")[0].tobuf(), 124, b"77777777777\0"),
        lies(entry("/a.rego")[0].tobuf(), 124, b"\xff" * 12),
        lies(entry("/a.rego")[0].tobuf(), 124, b"-0000000010\0"),
        entry("/a.rego")[0].tobuf()[:300],
        entry("/a.rego")[0].tobuf().replace(b"a.rego", b"b.rego"),
        lies(entry("/a.rego")[0].tobuf(), 0, b"\xff\xfe"),
    ],
)
def test_headers_that_lie(body):
    """
    A length below zero, or beyond the archive, a wrong checksum, half a header and a name that is no text are refused.
    """
    with pytest.raises(BundleInvalidError):
        read(gzip.compress(body), None)


def test_nothing_after_the_end():
    """
    What stands after the end of an archive is seen by some readers and not by others, so it is refused.
    """
    with pytest.raises(BundleInvalidError, match="after its end"):
        read(packed(*GOOD, end=bytes(1024) + b"more" + bytes(508)), None)


class NeverAsked:
    """A verifier that no archive should get to."""

    def verify(self, _):
        pytest.fail("the signature was looked at")


def test_the_form_comes_before_the_signature():
    """
    An unsigned archive with a link is refused for the link, and one with a deep manifest without a crash.
    """
    with pytest.raises(BundleInvalidError, match="not a regular file"):
        read(packed(*GOOD, entry("/b.rego", tarfile.SYMTYPE, b"", linkname="x")), NeverAsked())
    with pytest.raises(BundleInvalidError, match="nested too deeply"):
        read(packed(entry("/a.rego"), entry("/.manifest", content=b"[" * 100_000)), None)
    with pytest.raises(BundleInvalidError, match="nested too deeply"):
        read(packed(*GOOD, entry(f"/{SIGNATURES}", content=b"[" * 100_000)), NeverAsked())


def test_no_file_is_parsed_before_it_is_signed_for(keys, monkeypatch):
    """
    Of an archive with more files than were signed, none is read as a table.
    """
    signed = repacked(build_archive(SHIPPED, keys[0]), add_file)
    monkeypatch.setattr("gateway.policy.archive.read_table", only_signatures)
    with pytest.raises(BundleInvalidError, match="other files"):
        read(signed, BundleKey(keys[1]))


def only_signatures(name, body):
    assert name == SIGNATURES
    return json.loads(body)


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
    path.write_bytes(build_archive(SHIPPED, keys[0], NUMBERED))
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
    path.write_bytes(build_archive(SHIPPED, keys[0], NUMBERED))
    with opa_server(path, *options) as url:
        engine = OpaPolicyEngine(url, revision=SHIPPED.revision, timeout_seconds=5)
        await engine.start()
        [answer] = await engine.evaluate("context/admit", [BASE])
        await engine.close()
        assert answer["allow"] is True
    path.write_bytes(repacked(path.read_bytes(), spoil_rule))
    with pytest.raises(RuntimeError, match="ended"), opa_server(path, *options):
        pass
