"""`ctxgate kb`: documents under policy, how well they are found, and embedders of one's own."""

from gateway.cli.kb.commands import kb
from gateway.cli.kb.evaluating import evaluate_golden
from gateway.cli.kb.tuning import tune

kb.command("eval")(evaluate_golden)
kb.command("tune")(tune)

__all__ = ["kb"]
