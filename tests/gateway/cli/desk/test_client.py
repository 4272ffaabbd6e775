"""What leaves an officer's machine, and for whom: tokens over TLS alone, answers believed of gateways alone."""

import http.server
import threading

import pytest

from gateway.cli.desk.client import Desk, named
from gateway.errors import DeskError, DeskRefusedError, DeskSilentError


class Answering(http.server.BaseHTTPRequestHandler):
    """A server that answers whatever the test says."""

    status, body, seen = 200, b"{}", None

    def do_GET(self):
        type(self).seen = self.headers
        self.send_response(self.status)
        self.send_header("content-length", str(len(self.body)))
        if 300 <= self.status < 400:
            self.send_header("location", "http://elsewhere.example/")
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def answering():
    handler = type("Handler", (Answering,), {})
    server = http.server.HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield handler, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    "server",
    [
        "http://gateway.bank.example",
        "http://10.0.0.7:8080",
        "ftp://127.0.0.1",
        "https://ann:secret@gateway.bank.example",
        "https://gateway.bank.example/?a=b",
        "gateway.bank.example",
        "http://localhost.evil.example",
        "https://",
        "http://[::1",
    ],
)
def test_an_address_that_no_token_is_sent_to(server):
    """
    Without TLS a token is sent to this machine alone; an address with more in it than where the gateway is, is refused.
    """
    with pytest.raises(DeskError):
        Desk(server, None, "token")


@pytest.mark.parametrize("token", [None, "", "  ", "two tokens", "t\u00f6ken", "t" * 70_000])
def test_what_is_no_token(token):
    """
    Nothing, several lines or something else than a token is not sent.
    """
    with pytest.raises(DeskError) as told:
        Desk("https://gateway.bank.example", None, token)
    assert not token or token.strip() not in str(told.value) or not token.strip()


def test_the_token_of_a_file_goes_before_that_of_the_environment(answering, tmp_path):
    """
    A file that is named is what is sent.
    """
    handler, server = answering
    file = tmp_path / "token"
    file.write_text("from-file\n")
    assert Desk(server, file, "from-environment").get("/v1/policy") == {}
    assert handler.seen["authorization"] == "Bearer from-file"


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, b"<html>", DeskSilentError),
        (200, b"[" * 100_000, DeskSilentError),
        (302, b"{}", DeskSilentError),
        (500, b"[1]", DeskSilentError),
        (409, b'{"code": "GW-235", "detail": "cases", "remedy": "Look."}', DeskRefusedError),
    ],
)
def test_an_answer_is_a_gateways_or_none(answering, status, body, kind):
    """
    A page, a redirect and nonsense are no answers; a refusal is told with the gateway's code, and no token follows a redirect.
    """
    handler, server = answering
    handler.status, handler.body = status, body
    with pytest.raises(kind) as told:
        Desk(server, None, "secret-token").get("/v1/policy")
    assert "secret-token" not in told.value.detail
    assert kind is not DeskRefusedError or told.value.detail.startswith("GW-235 ")


def test_a_gateway_that_is_not_there():
    """
    An officer hears that it did not answer.
    """
    with pytest.raises(DeskSilentError):
        Desk("http://127.0.0.1:9", None, "token").get("/v1/policy")


def test_the_beginning_of_a_digest_names_one():
    """
    Eight characters are enough where one of the list begins so, and fewer never are.
    """
    known = [f"sha256:{'a' * 64}", f"sha256:{'a' * 10}{'b' * 54}"]
    assert named("a" * 11, known) == known[0]
    for wanted in ("a" * 10, "a" * 7, "c" * 10, ""):
        with pytest.raises(DeskError):
            named(wanted, known)
