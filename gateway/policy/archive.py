"""
Bundles as archives: `.tar.gz` with `.manifest` and `.signatures.json`, as OPA reads and verifies them.

An archive is the same bytes every time it is built from the same bundle.  Its signature is a JWT over the hash of each
file (OPA documentation, Bundle signing); structured files are hashed in a canonical form, others as they are.
"""

import gzip
import hashlib
import io
import json
import tarfile

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

import yaml

from gateway.errors import BundleInvalidError
from gateway.policy.bundle import Bundle, bundle_of, files_of
from gateway.ports.policy import BundleSigner, BundleVerifier
from ledger.canonical import jcs

SIGNATURES: Final = ".signatures.json"
MAX_BYTES: Final = 20_000_000
"""An archive that unpacks to more is refused."""

_STRUCTURED: Final = frozenset({"data.json", "data.yaml", ".manifest"})


def build(bundle: Bundle, signer: BundleSigner | None) -> bytes:
    """The bundle as an archive, signed where there is a signer."""
    files = files_of(bundle.content) | bundle.checks
    manifest = {**json.loads(files[".manifest"]), "revision": bundle.revision}
    files[".manifest"] = json.dumps(manifest, sort_keys=True).encode()
    if signer is not None:
        listed = [
            {"name": name, "hash": file_hash(name, body), "algorithm": "SHA-256"}
            for name, body in sorted(files.items())
        ]
        files[SIGNATURES] = json.dumps({"signatures": [signer.sign({"files": listed})]}).encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, body in sorted(files.items()):
            entry = tarfile.TarInfo(f"/{name}")
            entry.size = len(body)
            archive.addfile(entry, io.BytesIO(body))
    return gzip.compress(packed.getvalue(), mtime=0)


def read(archive: bytes, verifier: BundleVerifier | None) -> Bundle:
    """
    The bundle in an archive.

    Raises:
        BundleInvalidError: it is damaged, too large, or not signed by a trusted key for exactly these files.
    """
    files = _unpack(archive)
    signatures = files.pop(SIGNATURES, None)
    if verifier is not None:
        _check_signature(files, signatures, verifier)
    bundle = bundle_of(files)
    stated = json.loads(files.get(".manifest", b"{}")).get("revision")
    if stated not in {None, bundle.revision}:
        raise BundleInvalidError("the archive states another revision than its files have")
    return bundle


def file_hash(name: str, body: bytes) -> str:
    """SHA-256 of a file as OPA takes it: structured files as JSON with sorted keys, others as they are."""
    if PurePosixPath(name).name in _STRUCTURED:
        # As OPA reads YAML: through JSON, in which keys are texts and a whole number has no fraction.
        body = jcs(json.loads(json.dumps(yaml.safe_load(body))))
    return hashlib.sha256(body).hexdigest()


def _unpack(archive: bytes) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    try:
        with gzip.open(io.BytesIO(archive)) as unzipped:
            raw = unzipped.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise BundleInvalidError(f"the archive unpacks to more than {MAX_BYTES} bytes")
        with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
            for entry in tar:
                file = tar.extractfile(entry)
                if file is not None:
                    files[entry.name.removeprefix("./").lstrip("/")] = file.read()
    except (OSError, EOFError, tarfile.TarError) as error:
        raise BundleInvalidError("the archive is damaged") from error
    return files


def _check_signature(files: Mapping[str, bytes], signatures: bytes | None, verifier: BundleVerifier) -> None:
    try:
        [token] = json.loads(signatures or b"{}")["signatures"]
    except (ValueError, KeyError, TypeError) as error:
        raise BundleInvalidError("the archive is not signed") from error
    payload = verifier.verify(token)
    try:
        signed = {str(one["name"]): str(one["hash"]) for one in payload["files"] if one["algorithm"] == "SHA-256"}
    except (KeyError, TypeError) as error:
        raise BundleInvalidError("the signature does not list the files") from error
    if signed != {name: file_hash(name, body) for name, body in files.items()}:
        raise BundleInvalidError("the archive holds other files than were signed")
