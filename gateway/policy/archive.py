"""
Bundles as archives: `.tar.gz` with `.manifest` and `.signatures.json`, as OPA reads and verifies them.

An archive is the same bytes every time it is built from the same bundle with the same serial and expiry.  Its signature is a JWT
over the hash of each file (OPA documentation, Bundle signing); structured files are hashed in a canonical form, others as they are.

Rules held here, in this order: what unpacks to too much, or holds anything but regular files of different, ordinary names, is
refused; then what no trusted key signed; then what is not exactly the files that were signed; only then is a file read, and
refused where its tables say what cannot be meant.
"""

import gzip
import hashlib
import io
import json
import tarfile
import zlib

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from gateway.errors import BundleInvalidError
from gateway.policy.bundle import Bundle, bundle_of, files_of, read_table
from gateway.policy.supply.numbering import Numbering
from gateway.policy.vetting.check import require_vetted
from gateway.ports.policy import BundleSigner, BundleVerifier
from ledger.canonical import jcs

SIGNATURES: Final = ".signatures.json"
MAX_BYTES: Final = 20_000_000
"""An archive that unpacks to more is refused."""

_MOST_FILES: Final = 2_000
_BLOCK: Final = tarfile.BLOCKSIZE
_STRUCTURED: Final = frozenset({"data.json", "data.yaml", ".manifest"})


def build(bundle: Bundle, signer: BundleSigner | None, numbering: Numbering | None = None) -> bytes:
    """The bundle as an archive, signed where there is a signer, with a serial and an expiry where they are given."""
    files = files_of(bundle.content) | bundle.checks
    added = {"revision": bundle.revision, **(numbering or bundle.numbering).fields()}
    manifest = {**json.loads(files[".manifest"]), **added}
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
        BundleInvalidError: it is damaged, too large, or not signed by a trusted key for exactly these files; or a table or a case of
            it has a date that is none, or names what there is not.
    """
    files = dict(_members(_unzipped(archive)))
    signatures = files.pop(SIGNATURES, None)
    if verifier is not None:
        _check_signature(files, signatures, verifier)
    bundle = bundle_of(files)
    stated = read_table(".manifest", files.get(".manifest", b"{}")).get("revision")
    if stated not in {None, bundle.revision}:
        raise BundleInvalidError("the archive states another revision than its files have")
    require_vetted(bundle)
    return bundle


def file_hash(name: str, body: bytes) -> str:
    """SHA-256 of a file as OPA takes it: structured files as JSON with sorted keys, others as they are."""
    if PurePosixPath(name).name in _STRUCTURED:
        # As OPA reads YAML: through JSON, in which keys are texts and a whole number has no fraction.
        body = jcs(json.loads(json.dumps(read_table(name, body))))
    return hashlib.sha256(body).hexdigest()


def _unzipped(archive: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(archive)) as unzipped:
            raw = unzipped.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BundleInvalidError("the archive is damaged") from error
    if len(raw) > MAX_BYTES:
        raise BundleInvalidError(f"the archive unpacks to more than {MAX_BYTES} bytes")
    return raw


def _members(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """
    The files of a tar, each with a name of its own.

    Its headers are walked one by one and none of them is acted upon: links, devices, folders, sparse files and headers that
    change those after them (pax, GNU) have types of their own, and no bundle has a use for any.
    """
    at = 0
    seen: set[str] = set()
    while any(block := raw[at : at + _BLOCK]):
        entry = _header(block)
        at += _BLOCK
        name = entry.name.removeprefix("./").removeprefix("/")
        if entry.type not in {tarfile.REGTYPE, tarfile.AREGTYPE}:
            raise BundleInvalidError("the archive holds something that is not a regular file")
        if not 0 <= entry.size <= len(raw) - at:
            raise BundleInvalidError("the archive is damaged")
        if name in seen or len(seen) >= _MOST_FILES:
            raise BundleInvalidError("the archive names a file twice, or holds too many")
        seen.add(name)
        yield name, raw[at : at + entry.size]
        at += -(-entry.size // _BLOCK) * _BLOCK
    if raw[at:].strip(b"\0"):
        raise BundleInvalidError("the archive holds something after its end")


def _header(block: bytes) -> tarfile.TarInfo:
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "strict")
    except (tarfile.TarError, ValueError) as error:
        raise BundleInvalidError("the archive is damaged") from error


def _check_signature(files: Mapping[str, bytes], signatures: bytes | None, verifier: BundleVerifier) -> None:
    tokens = read_table(SIGNATURES, signatures or b"{}").get("signatures")
    if not isinstance(tokens, list) or len(tokens) != 1 or not isinstance(tokens[0], str):
        raise BundleInvalidError("the archive is not signed")
    payload = verifier.verify(tokens[0])
    try:
        signed = {str(one["name"]): str(one["hash"]) for one in payload["files"] if one["algorithm"] == "SHA-256"}
    except (KeyError, TypeError) as error:
        raise BundleInvalidError("the signature does not list the files") from error
    # Names first: no file is parsed, as the hash of a table needs, unless a trusted key named it.
    if signed.keys() != files.keys() or signed != {name: file_hash(name, body) for name, body in files.items()}:
        raise BundleInvalidError("the archive holds other files than were signed")
