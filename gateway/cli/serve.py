"""`ctxgate serve`: the HTTP API."""

import math
import sys

from functools import partial
from ipaddress import ip_address
from typing import Annotated, Final

import typer

from gateway.cli.ledger.keep import accept
from gateway.errors import ConfigurationError
from gateway.settings import Settings

SWITCH_SECONDS: Final = 0.0005
"""After how long a thread that works gives the interpreter to the event loop.  Python's own 5 ms are waited for after every
read and write of a small request while a large one is at work, dozens of times (`bench/bystanders.py`)."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address; a name is not asked for, since another answer may be given later."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8080,
    accept_rollback: Annotated[
        str | None, typer.Option(help="Go on from a ledger that is behind its pin, for this reason; recorded.")
    ] = None,
    unsafe_development_keys: Annotated[
        bool,
        typer.Option("--unsafe-development-keys", help="Serve others on development keys: anybody may be anybody."),
    ] = False,
) -> None:
    """Serve the HTTP API until stopped; on development keys (no CTXGATE_JWKS) to this machine alone."""
    if Settings().jwks is None and not unsafe_development_keys and not is_loopback(host):
        raise ConfigurationError(
            f"{host} is not of this machine alone, and without CTXGATE_JWKS every token of a development key is believed: "
            "set it, or say --unsafe-development-keys"
        )
    if accept_rollback is not None:
        accept(Settings(), accept_rollback)
    # The other commands need not wait for these.
    import uvicorn  # noqa: PLC0415

    from gateway.api.app import create_app  # noqa: PLC0415
    from gateway.api.connection import GuardedConnection  # noqa: PLC0415

    sys.setswitchinterval(SWITCH_SECONDS)
    settings = Settings()
    app = create_app(settings, alone=True)
    uvicorn.run(
        app,
        host=host,
        port=port,
        # What is no request is counted (`ctxgate_connections_ended_total`); a line for each would let anybody fill the log.
        log_level="error",
        http=partial(GuardedConnection, app.state.doors),  # type: ignore[arg-type]  # called like the class that it makes
        ws="none",
        # Nobody is believed to come from another address than it does.
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=math.ceil(settings.idle_seconds),
        timeout_graceful_shutdown=settings.drain_seconds,
    )
