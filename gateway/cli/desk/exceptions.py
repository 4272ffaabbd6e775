"""`ctxgate exception ask | approve | show`, and `list` and `revoke` with `--server`: exceptions on request at a gateway elsewhere."""

from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

import typer

from rich.table import Table

from gateway.cli.desk.client import AsJson, Desk, DeskAddress, Token, TokenFile, as_json
from gateway.cli.output import console, styled
from gateway.errors import FieldInvalidError

ExceptionId = Annotated[str, typer.Argument(help="Such as EXR-0123456789abcdef.")]
StepReason = Annotated[str, typer.Option(help="Why; at least 10 characters, kept sealed.")]
LapsingDays = Annotated[
    str | None, typer.Option(help="Only those that lapse within so many days, such as 14d, or were never used.")
]
Code = Annotated[list[str], typer.Option(help="Refusal to waive; may be repeated.")]
ScopeMembers = Annotated[
    list[str],
    typer.Option(
        "--scope", help="What it is limited to, such as jurisdiction=HK or entity_id=NPA-2026-00142; may be repeated."
    ),
]
Expires = Annotated[str, typer.Option(help="Day, YYYY-MM-DD, or RFC 3339 time at which it ends.")]
MaxUses = Annotated[int | None, typer.Option(min=1, help="How many items it may let through.")]
EarlierEnd = Annotated[str | None, typer.Option(help="An earlier day or time at which it ends.")]


def ask(
    server: DeskAddress,
    owner: Annotated[str, typer.Option(help="Who answers for it.")],
    reason: StepReason,
    code: Code,
    scope: ScopeMembers,
    expires: Expires,
    max_uses: MaxUses = None,
    until: EarlierEnd = None,
    while_bundle: Annotated[bool, typer.Option(help="End it once another bundle decides.")] = False,
    for_person: Annotated[str | None, typer.Option("--for", help="The only person whom it is for, by `sub`.")] = None,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Ask for an exception; another officer approves it, and it is in force at once, without a new bundle."""
    desk = Desk(server, token_file, token)
    trigger = {
        "max_uses": max_uses,
        "until": _instant(until) if until else None,
        "while_bundle": desk.get("/v1/policy")["active"]["revision"] if while_bundle else None,
    }
    body = {
        "codes": code,
        "scope": _scope(scope),
        "expires": _instant(expires),
        "owner": owner,
        "reason": reason,
        "beneficiary": for_person,
        "trigger": {name: value for name, value in trigger.items() if value is not None},
    }
    told = desk.post("/v1/exceptions", body)
    if not json:
        console.print(f"Another officer approves it: ctxgate exception approve {told['id']}", highlight=False)
    _show(told, json=json)


def _scope(named: list[str]) -> dict[str, str]:
    # A member without a value would be sent as a name that is not there, and limit nothing.
    parts = [one.partition("=") for one in named]
    if wrong := [name for name, equals, value in parts if not (name and equals and value)]:
        raise FieldInvalidError("a scope is a name and a value", fields=[("--scope", f"{wrong[0][:60]}: no value")])
    if len({name for name, _, _ in parts}) != len(parts):
        raise FieldInvalidError("a scope names each of its members once", fields=[("--scope", "twice the same name")])
    return {name: value for name, _, value in parts}


def _instant(day_or_time: str) -> str:
    return day_or_time if "T" in day_or_time else f"{day_or_time}T00:00:00Z"


def approve(
    exception_id: ExceptionId,
    server: DeskAddress,
    reason: StepReason,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Approve an exception that another officer asked for: in force from the next request on."""
    desk = Desk(server, token_file, token)
    _show(desk.post(f"{_path(exception_id)}/approve", {"reason": reason}), json=json)


def show(
    exception_id: ExceptionId,
    server: DeskAddress,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Show one exception on request: its scope, who asked for it and who approved it, and how often it was used."""
    _show(Desk(server, token_file, token).get(_path(exception_id)), json=json)


def revoke_at(desk: Desk, exception_id: str, reason: str) -> None:
    """End one at a gateway."""
    _show(desk.post(f"{_path(exception_id)}/revoke", {"reason": reason}), json=False)


def list_at(desk: Desk, lapsing: str | None, *, json: bool) -> None:
    """Those of the officer's tenant at a gateway, and those of its tables."""
    told = desk.get("/v1/exceptions", **({"lapsing": lapsing} if lapsing else {}))
    if json:
        as_json(told)
        return
    table = Table("id", "state", "waives", "scope", "ends", "uses", "look", "owner", header_style="bold")
    for one in told["exceptions"]:
        row = (one["id"], one["state"], " ".join(one["codes"]), _words(one["scope"]), one["expires"], str(one["uses"]))
        table.add_row(*row, styled("[yellow]{}[/]", ", ".join(one["needs_a_look"])), one["owner"])
    for one in () if lapsing else told["of_the_bundle"]:
        scope, codes = _words(one.get("scope", {})), " ".join(one.get("codes", ()))
        table.add_row(str(one.get("id")), "table", codes, scope, str(one.get("expires")), "", "", str(one.get("owner")))
    console.print(table)


def _path(exception_id: str) -> str:
    return f"/v1/exceptions/{quote(exception_id, safe='')}"


def _words(named: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in named.items())


def _show(told: Mapping[str, Any], *, json: bool) -> None:
    if json:
        as_json(told)
        return
    console.print(styled("[bold]{}[/] {}", told["id"], told["state"]), highlight=False)
    ends = _words(told["trigger"])
    lines = {
        "waives": " ".join(told["codes"]),
        "scope": _words(told["scope"]),
        "ends": f"{told['expires']}{f', or {ends}' if ends else ''}",
        "owner": told["owner"],
        "for": told["beneficiary"] or "whoever the scope names",
        "uses": str(told.get("recorded_uses", told["uses"])),
        **{step: _act(told[step]) for step in ("asked", "approved", "revoked") if told[step]},
    }
    for name, text in lines.items():
        console.print(f"{name:10}{text}", highlight=False)


def _act(act: Mapping[str, Any]) -> str:
    return f"by {act['officer']} ({act['role']}, {act['department']}) at {act['at']}: {act['reason']}"
