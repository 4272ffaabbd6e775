"""`ctxgate exception`: governed exceptions, as lines of the policies' data, and on request at a gateway."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from rich.table import Table

from gateway.cli.desk.client import AsJson, AtServer, Desk, Token, TokenFile
from gateway.cli.desk.exceptions import LapsingDays, approve, ask, list_at, revoke_at, show
from gateway.cli.ledger.times import end
from gateway.cli.officer import MaybeOfficerToken, OfficerToken, officer_of
from gateway.cli.output import console, show_json, styled
from gateway.content.parsing import shaped
from gateway.errors import FieldInvalidError
from gateway.model.base import utc_text
from gateway.settings import Settings
from gateway.workbench.exempting.table import Exemption, granted, next_id
from gateway.workbench.exempting.table import grant as write_exemption
from gateway.workbench.exempting.table import revoke as remove_exemption

SCOPE = "policy:propose"

exception = typer.Typer(no_args_is_help=True, help="Governed exceptions: grant, list, revoke.")

BundleFolder = Annotated[Path | None, typer.Option("--bundle", help="Bundle folder. Default: the one of the settings.")]


def _root(folder: Path | None) -> Path:
    return folder or Settings().policies_dir


@exception.command()
def grant(
    owner: Annotated[str, typer.Option(help="Who answers for it.")],
    reason: Annotated[str, typer.Option(help="Why it is needed.")],
    code: Annotated[list[str], typer.Option(help="Refusal to waive; may be repeated.")],
    agent: Annotated[str, typer.Option()],
    purpose: Annotated[str, typer.Option()],
    source_id: Annotated[str, typer.Option()],
    expires: Annotated[
        str,
        typer.Option(parser=end, metavar="TIME", help="When it no longer holds: a day, a time in UTC, or such as 90d."),
    ],
    rollback_trigger: Annotated[str, typer.Option(help="What ends it earlier.")],
    officer: OfficerToken,
    bundle: BundleFolder = None,
) -> None:
    """Write a new exception; it decides once the bundle is activated."""
    officer_of(officer, SCOPE)
    root, today = _root(bundle), datetime.now(UTC).date()
    exemption = shaped(
        Exemption,
        {
            "id": next_id(root, today),
            "owner": owner,
            "reason": reason,
            "codes": code,
            "scope": {"agent": agent, "purpose": purpose, "source_id": source_id},
            "expires": expires,
            "rollback_trigger": rollback_trigger,
        },
    )
    write_exemption(root, exemption, today)
    console.print(f"{exemption.id} is written. Run `ctxgate policy test`, then propose the bundle.")


exception.command()(ask)
exception.command()(approve)
exception.command()(show)


@exception.command("list")
def list_(
    bundle: BundleFolder = None,
    server: AtServer = None,
    lapsing: LapsingDays = None,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """List the exceptions of a bundle and which have expired, or all at a gateway and which need a look."""
    if server is not None and bundle is None:
        list_at(Desk(server, token_file, token), lapsing, json=json)
    else:
        _list_tables(bundle, json=json)


def _list_tables(bundle: Path | None, *, json: bool) -> None:
    now = utc_text(datetime.now(UTC)).removesuffix("Z")
    if json:
        listed = [{**one.model_dump(mode="json"), "expired": _expired(one, now)} for one in granted(_root(bundle))]
        show_json({"exceptions": listed})
        return
    table = Table("id", "owner", "waives", "agent", "purpose", "source", "expires", "reason", header_style="bold")
    for one in granted(_root(bundle)):
        expires = styled("[red]{} (expired)[/]", one.expires) if _expired(one, now) else one.expires
        scope = one.scope
        table.add_row(
            one.id, one.owner, " ".join(one.codes), scope.agent, scope.purpose, scope.source_id, expires, one.reason
        )
    console.print(table)


def _expired(one: Exemption, now: str) -> bool:
    return one.expires.removesuffix("Z") <= now


@exception.command()
def revoke(
    exception_id: Annotated[str, typer.Argument(help="Such as EXC-2026-001, or at a gateway EXR-0123456789abcdef.")],
    officer: MaybeOfficerToken = None,
    bundle: BundleFolder = None,
    server: AtServer = None,
    reason: Annotated[str | None, typer.Option(help="Why; needed at a gateway.")] = None,
    token_file: TokenFile = None,
    token: Token = None,
) -> None:
    """Take an exception out of a bundle, or end one at a gateway from the next request on."""
    if exception_id.startswith("EXR-"):
        if server is None or reason is None:
            raise FieldInvalidError(
                "an exception on request is ended at its gateway", fields=[("--server", "is needed, and --reason")]
            )
        revoke_at(Desk(server, token_file, token), exception_id, reason)
        return
    if officer is None:
        raise FieldInvalidError("a line of the tables is taken out by an officer", fields=[("--as", "is missing")])
    officer_of(officer, SCOPE)
    remove_exemption(_root(bundle), exception_id)
    console.print(f"{exception_id} is revoked.")
