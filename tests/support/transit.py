"""A stand-in for the transit engine of a Vault server, as its HTTP API answers."""

import base64
import json
import os

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

TOKEN = "s.root"
URL = "http://vault.example/v1/transit"


class Transit:
    """Keys by name; `transport` is what a client is given instead of the network."""

    def __init__(self) -> None:
        self.keys: dict[str, bytes] = {}
        self.deletable: set[str] = set()
        self.asked: list[str] = []
        self.down = False

    @property
    def transport(self) -> httpx.MockTransport:
        """Answers a client."""
        return httpx.MockTransport(self.answer)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(f"{request.method} {request.url.path.removeprefix('/v1/transit/')}")
        if self.down:
            raise httpx.ConnectError("refused", request=request)
        if request.headers.get("x-vault-token") != TOKEN:
            return httpx.Response(403, json={"errors": ["permission denied"]})
        act, _, rest = request.url.path.removeprefix("/v1/transit/").partition("/")
        name, _, more = rest.partition("/")
        body = json.loads(request.content or b"{}")
        return self._key(request.method, name, more, body) if act == "keys" else self._crypt(act, name, body)

    def _key(self, method: str, name: str, more: str, body: dict[str, object]) -> httpx.Response:
        if method == "POST" and not more:
            self.keys[name] = os.urandom(32)
            return httpx.Response(200, json={"data": {"name": name}})
        if name not in self.keys:
            return httpx.Response(404 if method == "GET" else 400, json={"errors": []})
        if method == "POST" and body.get("deletion_allowed") is True:
            self.deletable.add(name)
            return httpx.Response(204)
        if method == "DELETE":
            if name not in self.deletable:
                return httpx.Response(400, json={"errors": ["deletion is not allowed for this key"]})
            del self.keys[name]
            return httpx.Response(204)
        return httpx.Response(200, json={"data": {"name": name}})

    def _crypt(self, act: str, name: str, body: dict[str, str]) -> httpx.Response:
        if name not in self.keys:
            return httpx.Response(400, json={"errors": ["encryption key not found"]})
        cipher = AESGCM(self.keys[name])
        if act == "encrypt":
            nonce = os.urandom(12)
            sealed = nonce + cipher.encrypt(nonce, base64.b64decode(body["plaintext"]), None)
            return httpx.Response(200, json={"data": {"ciphertext": f"vault:v1:{base64.b64encode(sealed).decode()}"}})
        sealed = base64.b64decode(body["ciphertext"].removeprefix("vault:v1:"))
        try:
            plain = cipher.decrypt(sealed[:12], sealed[12:], None)
        except InvalidTag:
            return httpx.Response(400, json={"errors": ["cipher: message authentication failed"]})
        return httpx.Response(200, json={"data": {"plaintext": base64.b64encode(plain).decode()}})


@contextmanager
def transit_server() -> Iterator[tuple[Transit, str]]:
    """A stand-in behind a real port of loopback, and its URL."""
    transit = Transit()

    class Handler(BaseHTTPRequestHandler):
        def _any(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = httpx.Request(self.command, f"http://vault.example{self.path}", headers=headers, content=content)
            try:
                answer = transit.answer(request)
            except httpx.ConnectError:
                self.close_connection = True
                return
            self.send_response(answer.status_code)
            self.send_header("content-length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        do_GET = do_POST = do_DELETE = _any  # noqa: N815 - the library's names

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield transit, f"http://127.0.0.1:{server.server_port}/v1/transit"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
