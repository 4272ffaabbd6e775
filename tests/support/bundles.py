"""The shipped policies, changed as officers and attackers would change them."""

import gzip
import io
import shutil
import tarfile

from dataclasses import replace

import yaml

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from gateway.policy.bundle import load_bundle
from gateway.policy.supply.numbering import Numbering
from gateway.settings import HOME

POLICIES = HOME / "policies"
SHIPPED = load_bundle(POLICIES)

OFFICER = "policy:propose policy:activate policy:govern"
"""Scopes of an officer who may take every step."""


def sealed_for(settings, tmp_path, mode):
    """Settings under which packs of the story's purpose wait for a checkpoint, or for witnesses."""
    policies = tmp_path / "policies"
    shutil.copytree(POLICIES, policies)
    data = policies / "context/scoping/data.yaml"
    data.write_text(data.read_text().replace(f"  {mode}: []", f"  {mode}: [risk_assessment]"))
    return settings.model_copy(update={"policies_dir": policies})


def files(change=None):
    """The shipped bundle's files, cases included, as an officer would send them."""
    found = {
        path.relative_to(POLICIES).as_posix(): path.read_text()
        for path in POLICIES.rglob("*")
        if path.is_file() and (path.suffix in {".rego", ".yaml"} or path.name in {".manifest", "schema.json"})
    }
    for name, old, new in change or ():
        assert old in found[name]
        found[name] = found[name].replace(old, new, 1)
    return found


async def activated(post, proposed, **claims):
    """The answer to an activation by a second officer, who acknowledges the cases that go with it."""
    body = {"revision": proposed["revision"], "acknowledged": proposed["acknowledge"]}
    return await post("/v1/policy/activate", body, scope=OFFICER, **{"sub": "ben", **claims})


WEB_FOR_RISK = [
    (
        "context/trust/data.yaml",
        "web_purposes: [general_research]",
        "web_purposes: [general_research, risk_assessment]",
    ),
    ("context/trust/cases.yaml", "codes: [TRU-001, TRU-002, TRU-003]\n", "codes: [TRU-001, TRU-002]\n"),
    (
        "context/trust/cases.yaml",
        "change: {item: {source_type: general_web}}\n    codes: [TRU-003]",
        "change: {item: {source_type: general_web}, request: {purpose: classification}}\n    codes: [TRU-003]",
    ),
]
"""A change with which articles from the web may be used to assess risks, its cases and tests included."""


def write_keys(folder, key, name):
    """A key as two files, private and public, as officers hold them."""
    private, public = folder / f"{name}.pem", folder / f"{name}.pub"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return private, public


def repacked(archive, change):
    """The archive with its files changed."""
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(archive))) as tar:
        files = {entry.name: tar.extractfile(entry).read() for entry in tar}
    change(files)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, body in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(body)
            tar.addfile(entry, io.BytesIO(body))
    return gzip.compress(packed.getvalue())


NUMBERED = Numbering(serial=10, expires="2099-01-01T00:00:00Z")
"""What archives of tests say of how new they are, unless they say otherwise."""


def numbered(serial, expires="2099-01-01T00:00:00Z"):
    """A serial and an expiry."""
    return Numbering(serial=serial, expires=expires)


def spoil_rule(files):
    """Change one byte of what decides."""
    files["/context/trust/trust.rego"] += b"\n# changed"


BASE = yaml.safe_load((POLICIES / "context/cases.base.yaml").read_text())
"""What the cases of the officers start from: an item that every area permits."""

TRUST = "context/trust/trust.rego"


def with_module(name, change):
    """The shipped bundle with one of its modules changed."""
    return replace(SHIPPED, modules={**SHIPPED.modules, name: change(SHIPPED.modules[name])})


BASE = yaml.safe_load((POLICIES / "context/cases.base.yaml").read_text())
"""The input that every case of the officers starts from."""

TRUST = "context/trust/trust.rego"


def edit(folder, name, old, new):
    """Change a file of a copy of the policies."""
    path = folder / "context" / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
