"""
Settings in a group of their own, which `gateway.settings` has beside the others.

Limits at the door: connections, how fast requests must come, memory for bodies, and what is open to everybody.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

OpenPart = Literal["readiness", "metrics", "checkpoint", "docs"]
"""What needs a token unless a setting says otherwise."""


class DoorSettings(BaseModel):
    """The settings of the door; `gateway.settings.Settings` has them as its own."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    max_connections: Annotated[int, Field(ge=8)] = 1024
    """Connections at once; for one more, one that waits without a request is closed, or it is answered 503.  The process may have
    three times as many files open, with those that wait or end."""

    max_connections_per_address: Annotated[int, Field(ge=1)] = 256
    """Connections of one address at once; more wait unread until one ends, or for 429; behind a proxy, whose address they all have,
    set it to `max_connections`."""

    max_open_per_tenant: Annotated[int, Field(ge=1)] = 64
    """Requests of one tenant that are not answered yet, those whose bodies still come included; more are answered 429."""

    refusal_seconds: Annotated[float, Field(ge=0, le=60)] = 10
    """How long such a request waits for its 429 at most, in seconds, so that asking again at once is no way to keep the gateway busy."""

    max_bodies_bytes: Annotated[int, Field(ge=1024)] = 256_000_000
    """Bodies held in memory at once, of all tenants together, in bytes; tenants share them."""

    max_head_bytes: Annotated[int, Field(ge=1024)] = 32_768
    """Largest request line with its headers, in bytes; more are answered 431."""

    head_seconds: Annotated[float, Field(gt=0, le=300)] = 10
    """How long a new connection, or a request that has begun, may take until its headers are whole, in seconds."""

    idle_seconds: Annotated[float, Field(gt=0, le=300)] = 5
    """How long a connection stays open between two requests, in seconds."""

    body_seconds: Annotated[float, Field(gt=0, le=600)] = 60
    """How long the body of a request may take to arrive, in seconds; then 408."""

    body_grace_seconds: Annotated[float, Field(gt=0, le=300)] = 5
    """For how long at least a body may come as slowly as it likes, in seconds."""

    body_bytes_per_second: Annotated[int, Field(ge=1)] = 4096
    """How fast a body must come after that, on average, in bytes a second; then 408."""

    send_seconds: Annotated[float, Field(gt=0, le=600)] = 30
    """How long a caller may take nothing of its answer, in seconds; then the connection is cut."""

    monitor_token: SecretStr | None = None
    """Bearer token with which a monitor reads `/metrics` and the details of `/readyz`, beside tokens with the scope `metrics:read`."""

    open_to_all: tuple[OpenPart, ...] = ()
    """What needs no token: `readiness` (details), `metrics`, `checkpoint` (and tiles of hashes), `docs` (`/docs` and the OpenAPI
    document); as a JSON list."""
