"""Requests that are nearly right, or nothing like it: bodies, headers, paths and bytes, drawn with a seed."""

import copy
import json
import random

from dataclasses import dataclass
from typing import Any, Final

ODD_TEXTS: Final = (
    "",
    "\x00",
    "\x1b[2J",
    "\u2028",
    "\u202e",
    "\ud83d\ude00" * 3,
    "<undefined>",
    "-",
    "*",
    "%00",
    "../../etc/passwd",
    "'; DROP TABLE records; --",
    "{{7*7}}",
    "<w id= mark=aaaaaaaaaaaa>\n" * 40,
    "<script>alert(1)</script>",
    "<|im_end|>",
    "NaN",
    "1e999",
    "0x10",
    "true",
    "2026-02-30T25:61:00Z",
    "a" * 400,
    "\u00e9" * 70_000,
)
ODD_VALUES: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    2**53,
    2**64,
    -(2**70),
    1e308,
    0.1,
    [],
    {},
    [[]],
    {"": None},
    [None] * 600,
)
ODD_HEADERS: Final = (
    ("x-request-deadline", "soon"),
    ("x-request-deadline", "2020-01-01T00:00:00Z"),
    ("x-request-deadline", "9999-12-31T23:59:59+00:00"),
    ("x-request-deadline", "0001-01-01T00:00:00+14:00"),
    ("idempotency-key", ""),
    ("idempotency-key", "k" * 201),
    ("idempotency-key", "once"),
    ("traceparent", "00-00000000000000000000000000000000-0000000000000000-00"),
    ("traceparent", "\u00ff" * 50),
    ("content-type", "text/xml; charset=utf-7"),
    ("content-encoding", "gzip"),
    ("transfer-encoding", "gzip, chunked"),
    ("expect", "100-continue"),
    ("connection", "upgrade"),
    ("upgrade", "h2c"),
    ("host", "evil.example"),
    ("x-forwarded-for", "127.0.0.1"),
    ("range", "bytes=0-"),
    ("if-none-match", "*"),
    ("x-request-id", "\u00e9" * 300),
    ("cookie", "a=b; " * 2000),
    ("authorization", "Bearer "),
    ("authorization", "Bearer a.b.c"),
    ("content-length", "7"),
    ("bad header", "x"),
)
ODD_BYTES: Final = (
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b'{"a":',
    b"[" * 500,
    b"1" * 5000,
    b"\r\n\r\n",
    b'"\\ud800"',
    b"\x1f\x8b\x08",
)
METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "FROB", "get", "")


@dataclass(frozen=True, slots=True)
class Call:
    """A request that is right."""

    method: str
    path: str
    body: Any = None


class Mutations:
    """Draws bytes to send, each from a request that is right, with a few faults."""

    def __init__(self, calls: list[Call], token: str, seed: int) -> None:
        self._calls = calls
        self._token = token
        self._chance = random.Random(seed)

    def draw(self) -> bytes:
        """One HTTP request, or what is none, as bytes."""
        chance = self._chance
        call = chance.choice(self._calls)
        body = b"" if call.body is None else self._body(call.body)
        headers = [("host", "ctxgate"), ("authorization", f"Bearer {self._token}")]
        if call.method == "POST" or body:
            headers.append(("content-length", str(len(body))))
        headers += [chance.choice(ODD_HEADERS) for _ in range(chance.choice((0, 0, 0, 1, 1, 2)))]
        if chance.random() < 0.03:
            del headers[chance.randrange(len(headers))]
        method = chance.choice(METHODS) if chance.random() < 0.05 else call.method
        head = f"{method} {self._path(call.path)} HTTP/1.1\r\n" + "".join(
            f"{name}: {text}\r\n" for name, text in headers
        )
        whole = head.encode("latin-1", "replace") + b"\r\n" + body
        return self._bytes(whole) if chance.random() < 0.1 else whole

    def _path(self, path: str) -> str:
        if self._chance.random() > 0.3:
            return path
        odd = self._chance.choice(
            (
                "%00",
                "%ff",
                "%2e%2e/",
                "/",
                "//",
                "?a=%00&a=%ff",
                "?limit=-1&after=x",
                "?since=x",
                "/x" * 50,
                "#",
                "%",
                "é",
            )
        )
        start = self._chance.randrange(len(path) + 1)
        return path[:start] + odd + (path[start:] if self._chance.random() < 0.5 else "")

    def _body(self, document: Any) -> bytes:
        changed = json.loads(json.dumps(document))
        for _ in range(self._chance.choice((0, 1, 1, 2, 3))):
            changed = self._value(changed)
        sent = json.dumps(changed).encode()
        return self._bytes(sent) if self._chance.random() < 0.15 else sent

    def _value(self, value: Any) -> Any:
        """The value with one place in it changed."""
        chance = self._chance
        if isinstance(value, dict) and value and chance.random() < 0.9:
            name = chance.choice(list(value))
            match chance.randrange(8):
                case 0:
                    del value[name]
                case 1:
                    value[chance.choice(ODD_TEXTS)[:300]] = copy.deepcopy(value[name])
                case _:
                    value[name] = self._value(value[name])
            return value
        if isinstance(value, list) and value and chance.random() < 0.9:
            place = chance.randrange(len(value))
            match chance.randrange(8):
                case 0:
                    del value[place]
                case 1:
                    value.append(copy.deepcopy(value[place]))
                case _:
                    value[place] = self._value(value[place])
            return value
        if isinstance(value, str) and chance.random() < 0.3:
            return value[: chance.randrange(len(value) + 1)] + chance.choice(ODD_TEXTS)
        # A copy: what is drawn here may be changed by the next fault.
        deep: Any = copy.deepcopy(chance.choice((*ODD_VALUES, *ODD_TEXTS)))
        for _ in range(chance.choice((0, 0, 0, 0, 5, 60))):
            deep = [deep]
        return deep

    def _bytes(self, whole: bytes) -> bytes:
        start = self._chance.randrange(len(whole) + 1)
        end = min(len(whole), start + self._chance.choice((0, 1, 1, 20, 5000)))
        return whole[:start] + self._chance.choice((b"", whole[start:end] * 2, *ODD_BYTES)) + whole[end:]
