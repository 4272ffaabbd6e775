"""`ctxgate witness`: a small witness that a bank runs in another department."""

import time

from pathlib import Path
from typing import Annotated

import typer

from gateway.bootstrap.keys import make_witness_key, read_signer, verifiers
from gateway.errors import FieldInvalidError
from ledger.tlog.note import COSIGNATURE, Verifier
from ledger.tlog.witness import Witness, WitnessState

witness = typer.Typer(no_args_is_help=True, help="Cosign checkpoints of logs that you watch over.")

KeyFile = Annotated[Path, typer.Option("--key", help="The witness's signing key.")]


@witness.command()
def keygen(name: Annotated[str, typer.Argument(help="Name of the witness.")], key: KeyFile) -> None:
    """Make a signing key, and print the verifier key for trust policies."""
    typer.echo(str(make_witness_key(name, key).key))


@witness.command()
def serve(
    key: KeyFile,
    state: Annotated[
        Path, typer.Option(help="File where the newest checkpoints are kept; never restore it from a backup.")
    ],
    log: Annotated[list[str], typer.Option(help="Verifier key of a log to watch over; may be given again.")],
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8181,
) -> None:
    """Serve the C2SP tlog-witness protocol until stopped."""
    # The other commands need not wait for these.
    import uvicorn  # noqa: PLC0415

    from gateway.api.witness import create_witness  # noqa: PLC0415

    signer = read_signer(key)
    if signer.key.algorithm != COSIGNATURE:
        raise FieldInvalidError(
            "the key must be one that `ctxgate witness keygen` made", fields=[("--key", "is a log's key")]
        )
    logs: dict[str, list[Verifier]] = {}
    for verifier in verifiers(log):
        logs.setdefault(verifier.key.name, []).append(verifier)
    kept = WitnessState(state)
    app = create_witness(Witness(signer, logs, kept, lambda: int(time.time())))
    try:
        uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
    finally:
        kept.close()
