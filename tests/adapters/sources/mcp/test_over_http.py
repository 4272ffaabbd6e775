"""Servers over HTTP: TLS, and what one request means for the others."""

import asyncio
import ipaddress

from datetime import UTC, datetime

import pytest

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from gateway.errors import SourceUnavailableError
from tests.support.mcp_boxes import CALL, box_of, over_http
from tests.support.mcp_over_http import misbehaving_over_http
from tests.support.mcp_server import PROJECTS


def certificate(folder, name):
    """Files of a certificate that vouches for itself, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    day = datetime(2020, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(day)
        .not_valid_after(day.replace(year=2100))
        .add_extension(x509.SubjectAlternativeName([name]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "key.pem").write_bytes(pem)
    return str(folder / "certificate.pem"), str(folder / "key.pem")


async def asked(web):
    """What the tool answers over TLS, under the name `localhost`."""
    connection, address = over_http(f"https://localhost:{web.server_port}/mcp")
    async with box_of(connection, address, f"127.0.0.1:{web.server_port}") as box:
        return (await box.call(CALL)).content


class TestTls:
    async def test_the_name_of_the_server_is_checked(self, tmp_path, monkeypatch):
        """
        A certificate that the machine trusts for the name in the URL is taken, though the connection goes to a number.
        """
        files = certificate(tmp_path, x509.DNSName("localhost"))
        monkeypatch.setenv("SSL_CERT_FILE", files[0])
        with misbehaving_over_http("honest", files) as web:
            assert await asked(web) == PROJECTS["NPA-2026-00142"]

    @pytest.mark.parametrize("name", [x509.DNSName("other.example"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    async def test_of_another_name_it_is_refused(self, name, tmp_path, monkeypatch):
        """
        Neither a certificate of another name nor one of the number alone is that of the server.
        """
        files = certificate(tmp_path, name)
        monkeypatch.setenv("SSL_CERT_FILE", files[0])
        with misbehaving_over_http("honest", files) as web, pytest.raises(SourceUnavailableError):
            await asked(web)
        assert web.seen == []

    async def test_one_that_nobody_vouches_for_is_refused(self, tmp_path):
        """
        A certificate that the machine does not trust is no certificate.
        """
        files = certificate(tmp_path, x509.DNSName("localhost"))
        with misbehaving_over_http("honest", files) as web, pytest.raises(SourceUnavailableError):
            await asked(web)
        assert web.seen == []


class TestSideBySide:
    async def test_one_request_that_breaks_ends_no_other(self):
        """
        Calls that are under way in the same session are answered, while the connection of one breaks in the middle.
        """
        with misbehaving_over_http("cut_first") as web:
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                results = await asyncio.gather(*(box.call(CALL) for _ in range(6)), return_exceptions=True)
        kinds = [type(one) for one in results]
        assert kinds.count(SourceUnavailableError) == 1
        assert [one.content for one in results if not isinstance(one, Exception)] == [PROJECTS["NPA-2026-00142"]] * 5

    async def test_the_server_opens_no_stream_to_the_gateway(self):
        """
        Nothing is asked of it that it could answer without an end: the client's request for a stream of events never leaves.
        """
        with misbehaving_over_http("honest") as web:
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                await box.call(CALL)
        assert "GET" not in {method for method, _, _ in web.seen}
