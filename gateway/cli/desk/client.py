"""
The gateway that an officer works at from elsewhere.

Rules held here: a token leaves this machine over TLS with a verified certificate, or to this machine itself; it stands in no
message; an answer that is no gateway's is never taken for one, and a refusal is told in the gateway's own words.
"""

import ipaddress
import json

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import httpx
import typer

from gateway.cli.output import raw
from gateway.errors import DeskError, DeskRefusedError, DeskSilentError

_LONGEST_TOKEN: Final = 65_536
_LONGEST_ANSWER: Final = 16_000_000
_SECONDS: Final = 180.0
"""A candidate is tried before the gateway answers."""

_SHORTEST: Final = 8
"""Characters of a digest that are enough to name one of a list."""

DeskAddress = Annotated[
    str,
    typer.Option(
        "--server", envvar="CTXGATE_SERVER", help="Address of the gateway, such as https://gate.bank.example."
    ),
]
AtServer = Annotated[
    str | None,
    typer.Option(
        "--server", envvar="CTXGATE_SERVER", help="Address of a gateway; without it, the tables of a bundle folder."
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        exists=True,
        dir_okay=False,
        help="File with the officer's bearer token. Default: CTXGATE_TOKEN.",
    ),
]
Token = Annotated[str | None, typer.Option(envvar="CTXGATE_TOKEN", hidden=True)]
AsJson = Annotated[bool, typer.Option("--json", help="Print the gateway's answer as JSON.")]


class Desk:
    """A gateway elsewhere."""

    def __init__(self, server: str, token_file: Path | None, token: str | None) -> None:
        """
        Raises:
            DeskError: the address is none that a token may be sent to, or there is no token.
        """
        self._server = _checked(server)
        self._headers = {"authorization": f"Bearer {_token(token_file, token)}"}

    def get(self, path: str, **query: str) -> Any:  # noqa: ANN401 - a JSON document
        """
        What the gateway answers to a question.

        Raises:
            DeskRefusedError: it refused.

            DeskSilentError: it did not answer, or not as a gateway does.
        """
        return self._ask("GET", path, params=query)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a JSON document
        """
        What the gateway answers to a step.

        Raises:
            DeskRefusedError, DeskSilentError: as `get`.
        """
        return self._ask("POST", path, json=dict(body))

    def _ask(self, method: str, path: str, **more: Any) -> Any:  # noqa: ANN401 - as httpx takes and gives it
        try:
            with (
                httpx.Client(timeout=_SECONDS) as client,
                client.stream(method, f"{self._server}{path}", headers=self._headers, **more) as answer,
            ):
                return _document(answer.status_code, _body(answer))
        except httpx.HTTPError as error:
            # By its kind alone: a message of a library may repeat what was sent.
            raise DeskSilentError(f"{self._server} did not answer ({type(error).__name__})") from None


def _checked(server: str) -> str:
    try:
        url = httpx.URL(server)
    except httpx.InvalidURL:
        raise DeskError("the address of the gateway cannot be read", fields=[("--server", "is no URL")]) from None
    if url.userinfo or url.query or url.fragment or not url.host:
        raise DeskError(
            "the address is a scheme, a host and a path alone", fields=[("--server", "holds something else")]
        )
    if url.scheme != "https" and not (url.scheme == "http" and _is_here(url.host)):
        raise DeskError("a token is sent over https alone, but to this machine", fields=[("--server", "is not https")])
    return str(url).rstrip("/")


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _token(file: Path | None, given: str | None) -> str:
    if file is not None:
        with file.open("rb") as opened:
            text = opened.read(_LONGEST_TOKEN + 1).strip()
    else:
        text = (given or "").encode().strip()
    if not text:
        raise DeskError("there is no token", fields=[("--token-file", "is missing; or set CTXGATE_TOKEN")])
    if len(text) > _LONGEST_TOKEN or not text.isascii() or len(text.split()) != 1:
        raise DeskError("the token is not one line of text", fields=[("--token-file", "holds something else")])
    return text.decode()


def _body(answer: httpx.Response) -> bytes:
    body = bytearray()
    for part in answer.iter_bytes():
        body += part
        if len(body) > _LONGEST_ANSWER:
            raise DeskSilentError("the answer is longer than a gateway's")
    return bytes(body)


def _document(status: int, body: bytes) -> Any:  # noqa: ANN401 - a JSON document
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise DeskSilentError(f"the answer ({status}) is no JSON document") from None
    if status < httpx.codes.MULTIPLE_CHOICES:
        return document
    if not isinstance(document, dict) or "code" not in document:
        raise DeskSilentError(f"the answer ({status}) is no gateway's")
    raise DeskRefusedError(
        f"{document['code']} {document.get('detail')}. {document.get('remedy')}",
        fields=[(str(one.get("field")), str(one.get("message"))) for one in document.get("errors", ())],
        reasons=[str(code) for code in document.get("reasons", ())],
    )


def named(wanted: str, known: Sequence[str]) -> str:
    """
    The one of a list that a digest, or its beginning, names.

    Raises:
        DeskError: none or several begin so.
    """
    start = wanted.removeprefix("sha256:")
    found = [one for one in known if one.removeprefix("sha256:").startswith(start)]
    if len(start) < _SHORTEST or len(found) != 1:
        raise DeskError(
            f"{'several' if len(found) > 1 else 'none'} of these begins with at least {_SHORTEST} characters as given",
            fields=[(one, "is there") for one in known],
        )
    return found[0]


def as_json(document: object) -> None:
    """Print a document for another program."""
    raw(json.dumps(document, indent=2, ensure_ascii=False))
