"""
Where sources of record are: what whoever runs the gateway says, and no bundle.

Rule held here: a bundle says what may be asked and believed, this file says where; secrets stand in files of their own, whose names
alone are said here.
"""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationInfo, model_validator

from gateway.model.base import Model, Name

Address = Annotated[str, Field(pattern=r"^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\]):[0-9]{1,5}$")]
"""`host:port`, the host in lower case."""


def _placed(path: Path, info: ValidationInfo) -> Path:
    return Path((info.context or {}).get("folder", "")) / path


Placed = Annotated[Path, AfterValidator(_placed)]
"""A path, from the folder of the file of connections on."""


class McpConnection(Model):
    """An MCP server: a command that the gateway starts and speaks to over pipes, or a URL."""

    kind: Literal["mcp"]
    command: tuple[str, ...] = ()
    """The program and its arguments; it gets no more of the gateway's environment than `environment` says."""

    folder: Placed | None = None
    """Where it runs; the gateway's own folder where none is named."""

    environment: dict[str, str] = Field(default_factory=dict)
    environment_files: dict[str, Placed] = Field(default_factory=dict)
    """By variable, the file that holds its value, a secret."""

    url: str | None = None
    """Of streamable HTTP, HTTPS unless the host is this machine."""

    token_file: Placed | None = None
    """The bearer token to ask with."""

    @model_validator(mode="after")
    def _one_way(self) -> "McpConnection":
        if bool(self.command) == bool(self.url):
            msg = "an MCP server has a command or a url, not both"
            raise ValueError(msg)
        return self


class SqlConnection(Model):
    """A database that named queries are asked of."""

    kind: Literal["sql"]
    sqlite: Placed | None = None
    """The file, opened to be read alone."""

    postgres: str | None = None
    """A URL `postgresql://role@host:port/database` without a password, of a role that may only read."""

    password_file: Placed | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "SqlConnection":
        if bool(self.sqlite) == bool(self.postgres):
            msg = "a database is a file of SQLite or a URL of PostgreSQL, not both"
            raise ValueError(msg)
        if self.postgres and ("password=" in self.postgres or urlsplit(self.postgres).password is not None):
            msg = "a password stands in the file that `password_file` names, never in the URL"
            raise ValueError(msg)
        return self


class OpenApiConnection(Model):
    """A service over HTTP that an OpenAPI document describes."""

    kind: Literal["openapi"]
    document: Placed
    """The document, JSON or YAML, as it was accepted; never fetched."""

    url: str
    """What the paths of the document stand after, HTTPS unless the host is this machine."""

    token_file: Placed | None = None
    """The bearer token to ask with."""


class DifyConnection(Model):
    """A Dify whose knowledge bases are searched over its service API."""

    kind: Literal["dify"]
    url: str
    """What `/v1/datasets` stands after, HTTPS unless the host is this machine."""

    token_file: Placed
    """The key of the knowledge API to ask with; it opens every knowledge base of its owner, so make it one of an owner of few."""


AnyConnection = Annotated[
    McpConnection | SqlConnection | OpenApiConnection | DifyConnection, Field(discriminator="kind")
]


class Connections(Model):
    """The file that `CTXGATE_CONNECTIONS` names."""

    addresses: tuple[Address, ...] = ()
    """Where the gateway may connect to for sources: nothing else is, whatever a name resolves to or an answer redirects to."""

    sources: dict[Name, AnyConnection] = Field(default_factory=dict)
    """By id of the source in the registry; one that is not here is off, and packs say so."""
