"""The `ctxgate` command."""

import os
import sys

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Final

import typer

COMMANDS: Final = {
    "assemble": "assemble",
    "demo": "assemble",
    "serve": "serve",
    "scan": "scan",
    "top": "top",
    "ledger": "ledger",
    "config": "config",
    "witness": "witness",
    "policy": "policy",
    "exception": "exception",
    "quarantine": "quarantine",
    "pack": "pack",
    "source": "source",
    "kb": "kb",
    "report": "report",
    "dev": "dev",
}
"""Commands, in the order of the help, and the modules of this package that hold them."""

SUMMARIES: Final = {
    "assemble": "Govern the candidates of a request and write the pack.",
    "demo": "Run a bundled bank story and show what happened to every candidate.",
    "serve": "Serve the HTTP API until stopped; on development keys (no CTXGATE_JWKS) to this machine alone.",
    "scan": "Print what is found in texts: offsets and types, never values unless asked.",
    "top": "Rates, latencies, outcomes, queue and ledger head, live.",
    "ledger": "Query, prove and verify the ledger.",
    "config": "Settings, and whether the gateway could start with them.",
    "witness": "Cosign checkpoints of logs that you watch over.",
    "policy": "Check, test, explain, compare and simulate policies.",
    "exception": "Governed exceptions: grant, list, revoke.",
    "quarantine": "Items that were quarantined as suspected injections; tokens need quarantine:review.",
    "pack": "Look at a pack: sources, layers, prompt.",
    "source": "Sources that tools are called of: what there is, what they offer.",
    "kb": "Documents under policy; tokens need knowledge:write, or knowledge:read to look.",
    "report": "Reports for a committee or an examiner: HTML, PDF, JSON.",
    "dev": "Stand-ins for development.",
}
"""What each command says of itself in the list, word for word: to ask the commands takes two seconds."""

_COMPLETING: Final = "_CTXGATE_COMPLETE"
"""Set by a shell that completes a line, for which all commands are loaded."""


def application(names: Sequence[str] = tuple(COMMANDS)) -> typer.Typer:
    """The commands of these names; others are not even loaded, which takes a second."""
    app = _whole()
    for name in names:
        command = getattr(import_module(f"gateway.cli.{COMMANDS[name]}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def listed() -> typer.Typer:
    """The commands by name and summary alone: what is printed where none of them is asked for."""
    app = _whole()
    for name, summary in SUMMARIES.items():
        app.command(name, help=summary)(_nothing)
    return app


def _nothing() -> None:
    pass


def _whole() -> typer.Typer:
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        help="Governance gateway for LLM context: policy, screening and a provable record for every item.",
    )
    app.callback()(_common)
    return app


def _version(asked: bool) -> None:  # noqa: FBT001 - a callback of an option
    if asked:
        from importlib.metadata import version  # noqa: PLC0415 - it takes as long as the rest

        typer.echo(f"ctxgate {version('ctxgate')}")
        raise typer.Exit


def _common(
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    pass


def main() -> None:
    """Run a command; our own errors end it with their code, without a trace."""
    wanted = [name for name in sys.argv[1:2] if name in COMMANDS]
    if not wanted and _COMPLETING not in os.environ:
        listed()()
    # What a command prints, and how it fails, takes longer to load than the list of commands takes in all.
    from gateway.cli.failures import ended  # noqa: PLC0415

    ended(application(wanted or tuple(COMMANDS)))
