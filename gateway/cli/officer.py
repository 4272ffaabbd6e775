"""Which officer sits at the command line: by a verified token, and never by a file that anybody writes."""

import asyncio

from pathlib import Path
from typing import Annotated, Final

import typer

from gateway.bootstrap.identity import verified
from gateway.bootstrap.process import system_clock
from gateway.errors import ScopeMissingError, TokenInvalidError
from gateway.model import Subject
from gateway.settings import Settings

_LONGEST: Final = 65_536

OfficerToken = Annotated[
    Path,
    typer.Option(
        "--as", exists=True, dir_okay=False, help="File with the officer's bearer token, as for the HTTP API."
    ),
]

MaybeOfficerToken = Annotated[
    Path | None,
    typer.Option(
        "--as", exists=True, dir_okay=False, help="File with the officer's bearer token, as for the HTTP API."
    ),
]


def officer_of(file: Path, scope: str) -> Subject:
    """
    The officer whose token a file holds.

    Args:
        file: with the token and nothing else.
        scope: what the token must allow.

    Raises:
        IdentityError: there is no token of the trust layer, or none that is valid now.

        ScopeMissingError: it does not allow this.
    """
    with file.open("rb") as opened:
        text = opened.read(_LONGEST + 1).strip()
    if len(text) > _LONGEST or not text.isascii():
        raise TokenInvalidError("the file must hold a bearer token and nothing else")
    officer = asyncio.run(verified(text.decode(), Settings(), system_clock()))
    if not officer.has_scope(scope):
        raise ScopeMissingError(f"the token lacks the scope {scope}")
    return officer
