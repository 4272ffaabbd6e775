"""`ctxgate dev`: stand-ins for development."""

import json
import time

from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from gateway.bootstrap.keys import development_issuer, signed_for_development
from gateway.bootstrap.process import system_clock
from gateway.cli.assemble import Moment, RequestFile, SubjectFile, moment_of, parse_subject
from gateway.cli.output import errors, raw, styled
from gateway.content.parsing import parse_json, parse_request, shaped
from gateway.errors import FieldInvalidError
from gateway.model import PackRequest, Provenance, Subject
from gateway.settings import Settings

dev = typer.Typer(no_args_is_help=True, help="Stand-ins for development. Unsafe in production.")


@dev.command()
def token(
    subject: SubjectFile,
    hours: Annotated[float, typer.Option(help="How long the token is valid.")] = 8,
) -> None:
    """Print a bearer token for a claims file, signed by a key made at first run."""
    settings = Settings()
    errors.print(
        styled("[bold yellow]UNSAFE[/] development token: anybody who reads this machine's key can be anybody.")
    )
    claims = parse_json(subject.read_bytes(), depth=8)
    # Officers and auditors speak for no agent.
    if any(map(shaped(Subject, claims).has_scope, ("packs:write", "rulings:write"))):
        parse_subject(subject.read_bytes(), settings)
    if hours * 3600 > settings.jwt_longest_seconds:
        limit = f"at most {settings.jwt_longest_seconds} s (CTXGATE_JWT_LONGEST_SECONDS)"
        raise FieldInvalidError("no token is believed for that long", fields=[("--hours", limit)])
    now = int(time.time())
    given = {"iss": settings.jwt_issuer, "aud": settings.jwt_audience, "iat": now, "exp": now + int(hours * 3600)}
    raw(development_issuer(settings).token({**dict(claims), **given}))  # type: ignore[call-overload]


@dev.command()
def jwks(out: Annotated[Path | None, typer.Option("--out", help="File to write. Default: print it.")] = None) -> None:
    """Print the development key as a JWK set."""
    text = json.dumps(development_issuer(Settings()).jwks(), indent=2)
    if out is None:
        raw(text)
    else:
        out.write_text(text + "\n")


@dev.command()
def sign(
    file: Annotated[typer.FileBinaryRead, typer.Argument(help="The request; - for standard input.")],
    out: Annotated[Path | None, typer.Option("--out", help="File to write. Default: print it.")] = None,
    now: Moment = None,
) -> None:
    """Sign the labels of every item of a request with a development key, which is believed where development tokens are."""
    settings = Settings()
    errors.print(
        styled(
            "[bold yellow]UNSAFE[/] development signatures: anybody who reads this machine's key can vouch for anything."
        )
    )
    document = signed_for_development(
        parse_request(file.read(), settings.limits), settings, moment_of(now) or system_clock()
    )
    text = document.model_dump_json(indent=2, exclude_none=True)
    if out is None:
        raw(text)
    else:
        out.write_text(text + "\n")


@dev.command()
def request(file: RequestFile) -> None:
    """Print a request as if its newest item had been fetched now, to be signed after that, for a server that decides at the time of day."""
    document = parse_request(file.read_bytes(), Settings().limits)
    raw(json.dumps(refetched(document, system_clock()).model_dump(mode="json"), ensure_ascii=False))


def refetched(document: PackRequest, now: datetime) -> PackRequest:
    """
    The request with every `fetched_at` moved by the same time, so that the newest of them is *now*, in whole seconds.

    What was older than the newest by an hour still is: an item that is stale on purpose stays stale.  Effective and
    expiry dates are facts about a document and are left alone.
    """
    times = [
        datetime.fromisoformat(item.provenance.fetched_at) for item in document.items if item.provenance.fetched_at
    ]
    if not times:
        return document
    moved_by = now.replace(microsecond=0) - max(times)
    # What was signed before said another time, so that it would be refused for a signature that does not fit.
    items = tuple(
        item.model_copy(update={"provenance": _moved(item.provenance, moved_by), "attestation": None})
        if item.provenance.fetched_at
        else item
        for item in document.items
    )
    return document.model_copy(update={"items": items})


def _moved(labels: Provenance, by: timedelta) -> Provenance:
    if labels.fetched_at is None:
        return labels
    return labels.model_copy(update={"fetched_at": (datetime.fromisoformat(labels.fetched_at) + by).isoformat()})
