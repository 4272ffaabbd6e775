"""`ctxgate policy propose | review | activate | rollback | shadow`: bundles at a gateway elsewhere, by two officers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from rich.table import Table

from gateway.cli.desk.client import AsJson, Desk, DeskAddress, Token, TokenFile, as_json, named
from gateway.cli.output import console, styled
from gateway.errors import BundleInvalidError
from gateway.policy.bundle import files_in
from gateway.settings import Settings

BundleName = Annotated[str, typer.Argument(help="BundleName of a bundle, or its first 8 characters or more.")]
Accepted = Annotated[
    str | None,
    typer.Option(help="Digest that `policy review` shows for the cases that go; its first 8 characters are enough."),
]


def _text(name: str, body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise BundleInvalidError(f"{name} is not UTF-8") from error


def propose(
    server: DeskAddress,
    folder: Annotated[Path | None, typer.Argument(help="Bundle folder. Default: the one of the settings.")] = None,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Bring a bundle to a gateway, which tries it and keeps it for a second officer."""
    files = {name: _text(name, body) for name, body in files_in(folder or Settings().policies_dir).items()}
    told = Desk(server, token_file, token).post("/v1/policy/propose", {"files": files})
    if json:
        as_json(told)
        return
    console.print(styled("[green]Proposed[/] {}", told["revision"]), highlight=False)
    _show(told)
    console.print("Another officer looks at it with `ctxgate policy review` and activates it.")


def review(
    server: DeskAddress,
    revision: Annotated[str | None, typer.Argument(help="As `policy propose` printed it. Default: what waits.")] = None,
    simulated: Annotated[
        int, typer.Option("--simulate", min=0, max=100_000, help="Past decisions to decide again, at most.")
    ] = 1000,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Show what a proposed bundle changes, which cases go, and what it would have decided otherwise."""
    desk = Desk(server, token_file, token)
    waiting = desk.get("/v1/policy/proposals")
    if revision is None:
        _show_waiting(waiting, json=json)
        return
    name = named(revision, waiting["candidates"])
    shown = desk.get(f"/v1/policy/proposals/{name}")
    past = desk.post("/v1/policy/simulate", {"revision": name, "limit": simulated}) if simulated else None
    if json:
        as_json({**shown, "simulation": past})
        return
    console.print(f"{name}\nproposed by {shown['proposed_by']} at {shown['proposed_at']}", highlight=False)
    if shown["stale"]:
        console.print(
            styled("[yellow]Another bundle decides now than the one that it was compared with:[/] propose it anew.")
        )
    _show(shown)
    if past is not None:
        _show_past(past)


def _show_waiting(waiting: Mapping[str, list[str]], *, json: bool) -> None:
    if json:
        as_json(waiting)
        return
    for name in waiting["candidates"]:
        console.print(f"candidate {name}", highlight=False)
    for name in waiting["rollbacks"]:
        console.print(f"rollback  {name}", highlight=False)
    if not any(waiting.values()):
        console.print("Nothing waits for a second officer.")


def _show(told: Mapping[str, Any]) -> None:
    console.print(f"{told['cases']} cases and {told['tests']} files of tests hold.")
    for sentence in [*(told["differences"] or ["Nothing that decides differs."]), *told["proved"]]:
        console.print(sentence, highlight=False, markup=False)
    for one in told["removed"]:
        what = styled("[yellow]{}[/] {}: {}: {}", one["kind"], one["file"], one["case"], one["message"])
        console.print(what, highlight=False)
    if told["acknowledge"]:
        console.print(
            f"To activate it, add --accept-removed-cases {told['acknowledge']}", highlight=False, soft_wrap=True
        )


def _show_past(past: Mapping[str, Any]) -> None:
    console.print(f"{past['decisions']} past decisions: {past['unchanged']} unchanged, {past['erased']} erased.")
    table = Table("flip", "decisions", "roles", "jurisdictions", "sources", "rules", header_style="bold")
    for kind, count in past["flips"].items():
        parts = (past[part].get(kind, {}) for part in ("by_role", "by_jurisdiction", "by_source", "by_code"))
        table.add_row(kind, str(count), *(_counted(part) for part in parts))
    if past["flips"]:
        console.print(table)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def activate(
    server: DeskAddress,
    revision: BundleName,
    accept_removed_cases: Accepted = None,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Let a bundle decide that another officer proposed."""
    desk = Desk(server, token_file, token)
    name = named(revision, desk.get("/v1/policy/proposals")["candidates"])
    body = {"revision": name}
    if accept_removed_cases is not None:
        shown = desk.get(f"/v1/policy/proposals/{name}")
        known = [shown["acknowledge"]] if shown["acknowledge"] else []
        body["acknowledged"] = named(accept_removed_cases, known)
    told = desk.post("/v1/policy/activate", body)
    if json:
        as_json(told)
    else:
        console.print(styled("[green]Decides from now on:[/] {}", told["active"]), highlight=False)


def rollback(
    server: DeskAddress,
    revision: Annotated[
        str | None, typer.Argument(help="A bundle that decided before. Default: a list of them.")
    ] = None,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Let an earlier bundle decide again: by two officers, or by one alone for a while, which is flagged on record."""
    desk = Desk(server, token_file, token)
    state = desk.get("/v1/policy")
    if revision is None:
        for one in state["activated"]:
            console.print(f"{one}{' decides' if one == state['active']['revision'] else ''}", highlight=False)
        raise typer.Exit(2)
    told = desk.post("/v1/policy/rollback", {"revision": named(revision, state["activated"])})
    if json:
        as_json(told)
    elif "proposed" in told:
        console.print(f"Proposed: {told['proposed']} decides once another officer asks for it too.", highlight=False)
    else:
        console.print(styled("[green]Decides again:[/] {}", told["active"]), highlight=False)
        if "flag" in told:
            console.print(styled("[yellow]{}[/] You did it alone; it is flagged on record and reported.", told["flag"]))


def shadow(
    server: DeskAddress,
    revision: Annotated[
        str | None, typer.Argument(help="Bundle that is to watch. Default: show what it has seen.")
    ] = None,
    stop: Annotated[bool, typer.Option("--stop", help="End the watching.")] = False,
    token_file: TokenFile = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Let a kept bundle decide beside the active one without counting, or show where it disagreed so far."""
    desk = Desk(server, token_file, token)
    if stop:
        desk.post("/v1/policy/shadow", {"revision": None})
    elif revision is not None:
        known = {*desk.get("/v1/policy/proposals")["candidates"], *desk.get("/v1/policy")["activated"]}
        desk.post("/v1/policy/shadow", {"revision": named(revision, sorted(known))})
    state = desk.get("/v1/policy")
    if json:
        as_json({"shadow": state["shadow"], "watching": state["watching"]})
    else:
        _show_shadow(state)


def _show_shadow(state: Mapping[str, Any]) -> None:
    if state["shadow"] is None:
        console.print("No bundle watches.")
        return
    seen = state["watching"]
    console.print(f"{state['shadow']['revision']} watches since {seen['since']}", highlight=False)
    console.print(
        f"{seen['requests']} requests, {seen['questions']} questions, {seen['disagreements']} answered otherwise."
    )
    table = Table("by", "disagreements", header_style="bold")
    for name, counts in {"rule": seen["by_code"], **seen["by_group"]}.items():
        if counts:
            table.add_row(name, _counted(counts))
    if table.row_count:
        console.print(table)
