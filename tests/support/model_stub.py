"""A server that answers as an OpenAI-compatible model would, and remembers what it was sent."""

import json
import threading

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_CALL = {"id": "call_1", "type": "function", "function": {"name": "rates", "arguments": '{"pair": "EURSGD"}'}}


class ModelStub:
    """Where it listens, and the bodies that reached it."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_port}/v1"
        self.seen: list[dict[str, Any]] = []

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """A message: a call of a tool where there are tools and no result yet, else a text."""
        waits = asked.get("tools") and not any(one["role"] == "tool" for one in asked["messages"])
        if waits:
            return {"role": "assistant", "content": None, "tool_calls": [_CALL]}
        return {"role": "assistant", "content": "An answer."}


def _chunks(message: dict[str, Any], whole: dict[str, Any]) -> Iterator[bytes]:
    deltas: list[dict[str, Any]] = [{"role": "assistant"}]
    if message["content"]:
        deltas += [{"content": word} for word in message["content"].split(" ")]
    else:
        deltas += [{"tool_calls": [{"index": 0, **call} for call in message["tool_calls"]]}]
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield b"data: %s\n\n" % json.dumps({**whole, "object": "chat.completion.chunk", "choices": [choice]}).encode()
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    yield b"data: %s\n\n" % json.dumps({**whole, "object": "chat.completion.chunk", "choices": [last]}).encode()
    yield b"data: [DONE]\n\n"


@contextmanager
def model_stub() -> Iterator[ModelStub]:
    """The stub, served on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stub.seen.append(asked)
            message = stub.answer(asked)
            whole = {"id": "c", "created": 1, "model": asked["model"]}
            self.send_response(200)
            if asked.get("stream"):
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for chunk in _chunks(message, whole):
                    self.wfile.write(chunk)
                return
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            body = json.dumps({**whole, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub = ModelStub(server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
