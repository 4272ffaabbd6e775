"""How a command ends that failed: our own errors with their code and no trace."""

import sys

from collections.abc import Callable

from pydantic import ValidationError

from gateway.cli.output import errors, styled
from gateway.errors import GatewayError
from gateway.observability.logs import set_up_logs
from ledger.errors import LedgerError


def ended(command: Callable[[], object]) -> None:
    """Run a command; what we raise on purpose is printed, and its status is the process's."""
    set_up_logs(sys.stderr)
    try:
        command()
    except GatewayError as error:
        _tell(error)
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


def _tell(error: GatewayError) -> None:
    errors.print(styled("[bold red]{}[/] {}", error.code, error.detail), highlight=False)
    for name, message in error.fields:
        errors.print(f"  {name}: {message}", highlight=False, markup=False)
    if error.reasons:
        errors.print(f"  rules: {', '.join(error.reasons)}", highlight=False)
    errors.print(f"  {error.remedy}", highlight=False, markup=False, style="dim")
