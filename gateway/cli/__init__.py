"""The `ctxgate` command."""

import sys

from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Final

import typer

from pydantic import ValidationError

from gateway.cli.output import errors, styled
from gateway.errors import GatewayError
from gateway.observability.logs import set_up_logs
from ledger.errors import LedgerError

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
    "report": "report",
    "kb": "kb",
    "dev": "dev",
}
"""Commands, in the order of the help, and the modules of this package that hold them."""


def application(names: Sequence[str] = tuple(COMMANDS)) -> typer.Typer:
    """The commands of these names; others are not even loaded, which takes a second."""
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        help="Governance gateway for LLM context: policy, screening and a provable record for every item.",
    )
    app.callback()(_common)
    for name in names:
        command = getattr(import_module(f"gateway.cli.{COMMANDS[name]}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _version(asked: bool) -> None:  # noqa: FBT001 - a callback of an option
    if asked:
        typer.echo(f"ctxgate {version('ctxgate')}")
        raise typer.Exit


def _common(
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    pass


def main() -> None:
    """Run a command; our own errors end it with their code, without a trace."""
    set_up_logs(sys.stderr)
    wanted = [name for name in sys.argv[1:2] if name in COMMANDS]
    try:
        application(wanted or tuple(COMMANDS))()
    except GatewayError as error:
        errors.print(styled("[bold red]{}[/] {}", error.code, error.detail), highlight=False)
        for name, message in error.fields:
            errors.print(f"  {name}: {message}", highlight=False, markup=False)
        if error.reasons:
            errors.print(f"  rules: {', '.join(error.reasons)}", highlight=False)
        errors.print(f"  {error.remedy}", highlight=False, markup=False, style="dim")
        sys.exit(error.exit_status)
    except ValidationError as error:
        errors.print(styled("[bold red]GW-900[/] the gateway cannot start as it is set"), highlight=False)
        for problem in error.errors(include_input=False, include_url=False):
            name = f"CTXGATE_{'.'.join(map(str, problem['loc'])).upper()}"
            errors.print(f"  {name}: {problem['msg']}", highlight=False, markup=False)
        sys.exit(1)
    except LedgerError as error:
        errors.print(styled("[bold red]LEDGER[/] {}", error), highlight=False)
        sys.exit(3)
