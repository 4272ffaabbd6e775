"""`ctxgate serve`: the HTTP API."""

from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8080,
) -> None:
    """Serve the HTTP API until stopped."""
    # The other commands need not wait for these.
    import uvicorn  # noqa: PLC0415

    from gateway.api import create_app  # noqa: PLC0415

    uvicorn.run(create_app(), host=host, port=port, log_level="warning", server_header=False)
