"""The server of `tests/support/mcp_server.py` over HTTP, and what only HTTP can get wrong."""

import contextlib
import gzip
import json
import ssl
import threading
import time

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.mcp_server import Server, written


class Web(ThreadingHTTPServer):
    """A server whose every peer is answered one way; `seen` are the requests: method, headers, body."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, way, **options):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.way = way
        self.options = options
        self.server = Server(way)
        self.seen = []
        self.calls = 0
        self.session = "first"
        """The one session that is known."""

    def handle_error(self, *_):
        """A client that goes away is none of its business."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Web

    def log_message(self, *_):
        pass

    def do_GET(self):
        self._noted(b"")
        self._answer(405, b"")

    def do_DELETE(self):
        self.do_GET()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self._noted(body)
        message = json.loads(body)
        calls = message.get("method") == "tools/call"
        if "id" not in message:
            self._answer(202, b"")
        elif self.headers.get("mcp-session-id", self.server.session) != self.server.session:
            self._answer(404, b"")
        elif calls and (way := getattr(self, f"_{self.server.way}", None)):
            way(message)
        else:
            self._honest(message)

    def _noted(self, body):
        self.server.seen.append((self.command, dict(self.headers.items()), body))

    def _answer(self, status, body, kind="application/json", **headers):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def _honest(self, message):
        replies = list(self.server.server.replies(message))
        body = b"".join(b"".join(written(one)) for one in replies)
        named = {"mcp_session_id": self.server.session} if message["method"] == "initialize" else {}
        self._answer(200, body.rstrip(b"\n"), **named)

    def _hung(self, _):
        time.sleep(600)

    def _redirect(self, _):
        self._answer(307, b"", location=self.server.options["to"])

    def _redirect_here(self, _):
        self._answer(307, b"", location="/elsewhere")

    def _status_500(self, _):
        self._answer(500, b"SECRET of the project", "text/plain")

    def _unauthorized(self, _):
        self._answer(401, b"")

    def _html(self, _):
        self._answer(200, b"<html>SECRET of the project</html>", "text/html")

    def _not_json(self, _):
        self._answer(200, b'{"jsonrpc": "SECRET of the project"')

    def _packed(self, message):
        [reply] = self.server.server.replies(message)
        self._answer(200, gzip.compress(json.dumps(reply).encode()), content_encoding="gzip")

    def _cut(self, _):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "1000")
        self.end_headers()
        self.wfile.write(b'{"jsonrpc"')
        self.close_connection = True

    def _cut_first(self, message):
        """The first call is cut, when the others are under way."""
        self.server.calls += 1
        if self.server.calls == 1:
            self._cut(message)
        else:
            time.sleep(0.2)
            self._honest(message)

    def _huge(self, _):
        self._endless(b"x" * 1_000_000, "application/json")

    def _events_huge(self, _):
        self._endless(b"data: " + b"x" * 1_000_000, "text/event-stream")

    def _events_flood(self, _):
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
        self._endless(b"event: message\ndata: " + json.dumps(note).encode() + b"\n\n", "text/event-stream")

    def _endless(self, piece, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(piece)

    def _events(self, message):
        [reply] = self.server.server.replies({**message})
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
        said = [b"event: message\ndata: " + json.dumps(one).encode() + b"\n\n" for one in (note, reply)]
        self._answer(200, b"".join(said), "text/event-stream")

    def _turning(self, message):
        """Says once that its tools are others now, and then not which."""
        news = [] if self.server.server.asked else [{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}]
        said = [*news, *self.server.server.replies(message)]
        body = b"".join(b"event: message\ndata: " + json.dumps(one).encode() + b"\n\n" for one in said)
        self._answer(200, body, "text/event-stream")

    def _events_stop(self, _):
        """As one that may be resumed, and never is."""
        self._answer(200, b"id: 1\nretry: 1\nevent: message\ndata:\n\n", "text/event-stream")


@contextmanager
def misbehaving_over_http(way: str, certificate: "tuple[str, str] | None" = None, **options: str) -> Iterator[Web]:
    """The server while it is served; with files of a certificate and its key over TLS."""
    web = Web(way, **options)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        web.socket = context.wrap_socket(web.socket, server_side=True)
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        web.shutdown()
        web.server_close()
