"""`ctxgate kb`: the documents of the bank, how well they are found, and embedders of one's own."""

import typer

from gateway.cli.kb.evaluating import evaluate_golden
from gateway.cli.kb.tuning import tune

kb = typer.Typer(no_args_is_help=True, help="Documents under policy: how well they are found, and tuning that.")
kb.command("eval")(evaluate_golden)
kb.command("tune")(tune)

__all__ = ["kb"]
