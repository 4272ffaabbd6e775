"""`ctxgate serve`: the HTTP API."""

from typing import Annotated

import typer

from gateway.cli.ledger.keep import accept
from gateway.settings import Settings


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8080,
    accept_rollback: Annotated[
        str | None, typer.Option(help="Go on from a ledger that is behind its pin, for this reason; recorded.")
    ] = None,
) -> None:
    """Serve the HTTP API until stopped."""
    if accept_rollback is not None:
        accept(Settings(), accept_rollback)
    # The other commands need not wait for these.
    import uvicorn  # noqa: PLC0415

    from gateway.api.app import create_app  # noqa: PLC0415

    settings = Settings()
    uvicorn.run(
        create_app(settings),
        host=host,
        port=port,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=settings.drain_seconds,
    )
