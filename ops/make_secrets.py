"""
Secrets of the composition, made at its first start: one certificate authority, certificates, passwords, tokens.

Rules held here: nothing that is there is made anew; each service gets a folder of its own, which nobody else may read; the
authority's key is thrown away as soon as it has signed, so that nobody can sign another certificate with it.
"""

import datetime as dt
import hashlib
import ipaddress
import json
import os
import secrets
import sys

from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

DAYS = 825
OWNERS = {"gateway": 10001, "migrate": 10001, "postgres": 999, "opa": 1000, "grafana": 472, "prometheus": 65534}
"""The user that each service of the composition runs as."""


def main(root: Path) -> None:
    """Make what is not there in the folder of each service."""
    if all((root / name / "made").exists() for name in OWNERS):
        print("the secrets are there")
        return
    passwords = {role: secrets.token_urlsafe(32) for role in ("postgres", "gateway", "eraser")}
    token, monitor, authority = secrets.token_urlsafe(32), secrets.token_urlsafe(32), Authority()
    made = {
        "gateway": {
            "ca.pem": authority.pem,
            "pgpass": f"postgres:5432:ctxgate:gateway:{passwords['gateway']}\n",
            "settings/ctxgate_opa_token": token,
            "settings/ctxgate_monitor_token": monitor,
        },
        "migrate": {"ca.pem": authority.pem, "pgpass": f"postgres:5432:ctxgate:postgres:{passwords['postgres']}\n"},
        "postgres": {
            **authority.certificate("postgres"),
            **{f"{role}.password": one for role, one in passwords.items()},
        },
        "opa": {
            **authority.certificate("opa"),
            "callers/.manifest": json.dumps({"roots": ["system/callers"]}),
            "callers/system/callers/data.json": json.dumps({"gateway": hashlib.sha256(token.encode()).hexdigest()}),
        },
        "grafana": {"admin.password": secrets.token_urlsafe(24)},
        "prometheus": {"monitor.token": monitor},
    }
    for name, files in made.items():
        # Last, so that a start that was cut off begins again.
        write(root / name, {**files, "made": ""}, OWNERS[name])
    print("secrets were made; Grafana's password: docker compose exec grafana cat /run/secrets/ctxgate/admin.password")


def write(folder: Path, files: dict[str, str], owner: int) -> None:
    """Files that their owner alone may read."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if os.geteuid() == 0:
            os.chown(path, owner, owner)


class Authority:
    """Signs the certificates of one composition, while this process lives."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "ctxgate composition")])
        constraints = x509.BasicConstraints(ca=True, path_length=0)
        self._certificate = self._signed(self._name, self._key.public_key(), constraints, None)

    @property
    def pem(self) -> str:
        """Its own certificate."""
        return self._certificate.public_bytes(Encoding.PEM).decode()

    def certificate(self, host: str) -> dict[str, str]:
        """A key and a certificate for a host, by its name in the composition and on its own loopback."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = [x509.DNSName(host), x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        signed = self._signed(name, key.public_key(), x509.BasicConstraints(ca=False, path_length=None), names)
        return {
            "server.crt": signed.public_bytes(Encoding.PEM).decode(),
            "server.key": key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
        }

    def _signed(
        self,
        name: x509.Name,
        key: ec.EllipticCurvePublicKey,
        constraints: x509.BasicConstraints,
        names: list[x509.GeneralName] | None,
    ) -> x509.Certificate:
        now = dt.datetime.now(dt.UTC)
        built = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(minutes=5))
            .not_valid_after(now + dt.timedelta(days=DAYS))
            .add_extension(constraints, critical=True)
            .add_extension(_usage(signs_certificates=bool(constraints.ca)), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        if names is not None:
            built = built.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return built.sign(self._key, hashes.SHA256())


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
