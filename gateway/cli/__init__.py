"""The `ctxgate` command."""

import sys

import typer

from pydantic import ValidationError

from gateway.cli import ledger_keep, ledger_why  # noqa: F401 - they add their commands
from gateway.cli.assemble import assemble, demo
from gateway.cli.config import config
from gateway.cli.dev import dev
from gateway.cli.exception import exception
from gateway.cli.ledger import ledger
from gateway.cli.output import errors
from gateway.cli.pack import pack
from gateway.cli.policy import policy
from gateway.cli.quarantine import quarantine
from gateway.cli.scan import scan
from gateway.cli.serve import serve
from gateway.cli.top import top
from gateway.cli.witness import witness
from gateway.errors import GatewayError
from gateway.logs import set_up_logs
from ledger.errors import LedgerError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Governance gateway for LLM context: policy, screening and a provable record for every item.",
)
app.command()(assemble)
app.command()(demo)
app.command()(serve)
app.command()(scan)
app.command()(top)
app.add_typer(ledger, name="ledger")
app.add_typer(config, name="config")
app.add_typer(witness, name="witness")
app.add_typer(policy, name="policy")
app.add_typer(exception, name="exception")
app.add_typer(quarantine, name="quarantine")
app.add_typer(pack, name="pack")
app.add_typer(dev, name="dev")


def main() -> None:
    """Run a command; our own errors end it with their code, without a trace."""
    set_up_logs(sys.stderr)
    try:
        app()
    except GatewayError as error:
        errors.print(f"[bold red]{error.code}[/] {error.detail}", highlight=False)
        for name, message in error.fields:
            errors.print(f"  {name}: {message}", highlight=False, markup=False)
        if error.reasons:
            errors.print(f"  rules: {', '.join(error.reasons)}", highlight=False)
        sys.exit(1)
    except ValidationError as error:
        errors.print("[bold red]GW-900[/] the gateway cannot start as it is set", highlight=False)
        for problem in error.errors(include_input=False, include_url=False):
            name = f"CTXGATE_{'.'.join(map(str, problem['loc'])).upper()}"
            errors.print(f"  {name}: {problem['msg']}", highlight=False, markup=False)
        sys.exit(1)
    except LedgerError as error:
        errors.print(f"[bold red]LEDGER[/] {error}", highlight=False)
        sys.exit(3)
