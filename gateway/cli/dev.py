"""`ctxgate dev`: stand-ins for development."""

import json
import time

from pathlib import Path
from typing import Annotated

import typer

from gateway.bootstrap.keys import development_issuer
from gateway.cli.assemble import SubjectFile, parse_subject
from gateway.cli.output import errors
from gateway.content.parsing import parse_json
from gateway.settings import Settings

dev = typer.Typer(no_args_is_help=True, help="Stand-ins for development. Unsafe in production.")


@dev.command()
def token(
    subject: SubjectFile,
    hours: Annotated[float, typer.Option(help="How long the token is valid.")] = 8,
) -> None:
    """Print a bearer token for a claims file, signed by a key made at first run."""
    settings = Settings()
    errors.print("[bold yellow]UNSAFE[/] development token: anybody who reads this machine's key can be anybody.")
    claims = parse_json(subject.read_bytes(), depth=8)
    parse_subject(subject.read_bytes())
    now = int(time.time())
    given = {"iss": settings.jwt_issuer, "aud": settings.jwt_audience, "iat": now, "exp": now + int(hours * 3600)}
    typer.echo(development_issuer(settings).token({**dict(claims), **given}))  # type: ignore[call-overload]


@dev.command()
def jwks(out: Annotated[Path | None, typer.Option("--out", help="File to write. Default: print it.")] = None) -> None:
    """Print the development key as a JWK set."""
    text = json.dumps(development_issuer(Settings()).jwks(), indent=2)
    if out is None:
        typer.echo(text)
    else:
        out.write_text(text + "\n")
