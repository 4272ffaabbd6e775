"""`ctxgate exception`: governed exceptions as lines of the policies' data."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from rich.table import Table

from gateway.cli.officer import OfficerToken, officer_of
from gateway.cli.output import console, styled
from gateway.content.parsing import shaped
from gateway.settings import Settings
from gateway.workbench.exceptions import Exemption, granted, next_id
from gateway.workbench.exceptions import grant as write_exemption
from gateway.workbench.exceptions import revoke as remove_exemption

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
    expires: Annotated[str, typer.Option(help="First day on which it no longer holds, YYYY-MM-DD.")],
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


@exception.command("list")
def show(bundle: BundleFolder = None) -> None:
    """List all exceptions, and which have expired."""
    today = datetime.now(UTC).date().isoformat()
    table = Table("id", "owner", "waives", "agent", "purpose", "source", "expires", "reason", header_style="bold")
    for one in granted(_root(bundle)):
        expires = styled("[red]{} (expired)[/]", one.expires) if one.expires <= today else one.expires
        scope = one.scope
        table.add_row(
            one.id, one.owner, " ".join(one.codes), scope.agent, scope.purpose, scope.source_id, expires, one.reason
        )
    console.print(table)


@exception.command()
def revoke(
    exception_id: Annotated[str, typer.Argument(help="Such as EXC-2026-001.")],
    officer: OfficerToken,
    bundle: BundleFolder = None,
) -> None:
    """Take an exception out; its items are refused once the bundle is activated."""
    officer_of(officer, SCOPE)
    remove_exemption(_root(bundle), exception_id)
    console.print(f"{exception_id} is revoked.")
