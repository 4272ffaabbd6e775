"""OPA servers of our own, one for each bundle that decides past rulings again; the `opa` binary must be on the PATH."""

import contextlib
import shutil
import subprocess
import tempfile
import time

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import httpx

from gateway.errors import ConfigurationError, PolicyUnavailableError
from gateway.policy.bundle import Bundle, files_of

_START_SECONDS: Final = 20.0


class OpaProcesses:
    """Answers for the bundle of a revision, from a server that is started when it is first asked."""

    def __init__(self, stored: Callable[[str], Bundle]) -> None:
        self._stored = stored
        self._clients: dict[str, httpx.Client] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()

    def ask(self, revision: str, entrypoint: str, inputs: Sequence[bytes]) -> Sequence[object]:
        """
        What the bundle answers.

        Raises:
            GatewayError: it is not kept, or OPA does not answer.
        """
        if revision not in self._clients:
            self._clients[revision] = self._start(self._stored(revision))
        return [self._one(self._clients[revision], entrypoint, one) for one in inputs]

    @staticmethod
    def _one(client: httpx.Client, entrypoint: str, body: bytes) -> object:
        try:
            answer = client.post(f"/v1/data/{entrypoint}?strict-builtin-errors=true", content=b'{"input":%s}' % body)
            answer.raise_for_status()
            return answer.json().get("result")
        except (httpx.HTTPError, ValueError) as error:
            raise PolicyUnavailableError("OPA did not answer") from error

    def _start(self, bundle: Bundle) -> httpx.Client:
        binary = shutil.which("opa")
        if binary is None:
            raise ConfigurationError("there is no `opa` on the PATH")
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="ctxgate-opa-")))
        for name, body in files_of(bundle.content).items():
            path = folder / "bundle" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
        socket = folder / "opa.sock"
        command = [binary, "run", "--server", "--bundle", str(folder / "bundle"), "--addr", f"unix://{socket}"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - ours
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        client = httpx.Client(transport=httpx.HTTPTransport(uds=str(socket)), base_url="http://opa")
        self._stack.callback(client.close)
        _wait_until_ready(client, socket)
        return client


def _wait_until_ready(client: httpx.Client, socket: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        # The file is there a moment before anybody listens behind it.
        with contextlib.suppress(httpx.ConnectError):
            if socket.exists() and client.get("/health?bundles").is_success:
                return
        time.sleep(0.05)
    raise PolicyUnavailableError("OPA did not start")
