"""
Which index knowledge is found with: the embedded one, PostgreSQL or Qdrant, as the settings say.

Rule held here: a secret stands in a file of its own and goes to no machine but this one without TLS.
"""

import warnings

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from adapters.knowledge.servers.bags import Analyser
from gateway.errors import ConfigurationError, IndexUnavailableError
from gateway.ports.knowledge import Embedder, KnowledgeIndex
from gateway.settings import Settings
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

_ON_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SECONDS: Final = 10
"""That an answer of Qdrant may take."""


def index_of(
    settings: Settings, embedder: Embedder, analyse: Analyser, *, embedded: Callable[[], KnowledgeIndex]
) -> KnowledgeIndex:
    """
    The index that the settings choose, opened.

    Args:
        settings: of the gateway.
        embedder: makes the vectors.
        analyse: makes the terms, of questions and of chunks alike.
        embedded: opens the index in the state folder.

    Raises:
        ConfigurationError: a setting is missing or wrong, or a package is not installed.

        IndexUnavailableError: it cannot be opened.
    """
    if settings.knowledge_index == "embedded":
        return embedded()
    url, secret = _url(settings), _secret(settings.knowledge_secret_file)
    if settings.knowledge_index == "postgres":
        # A driver that gateways without such an index need not load.
        from adapters.knowledge.servers.pgvector import PgvectorIndex  # noqa: PLC0415

        above = settings.knowledge_graph_above
        return PgvectorIndex(url, embedder=embedder, analyse=analyse, password=secret, graph_above=above)
    client = _qdrant(url, secret)
    from adapters.knowledge.servers.qdrant import QdrantIndex  # noqa: PLC0415

    usual = settings.knowledge_usual_terms
    return QdrantIndex(client, settings.knowledge_collection, embedder=embedder, analyse=analyse, usual_terms=usual)


def lay_out_index(settings: Settings, embedder: Embedder, *, url: str, secret_file: Path | None, login: str) -> None:
    """
    Make the tables or the collection of the index that the settings choose; the embedded one needs none.

    Args:
        settings: of the gateway.
        embedder: whose vectors are kept.
        url: of the server, for somebody who may make tables, roles and collections.
        secret_file: the password or the key of that somebody.
        login: role of PostgreSQL that the gateway logs in as.

    Raises:
        ConfigurationError: a setting is missing or wrong, or a package is not installed.

        IndexUnavailableError: the server did not answer, or refused.
    """
    secret, name, size = _secret(secret_file), embedder.name, embedder.dimensions
    try:
        if settings.knowledge_index == "postgres":
            from adapters.knowledge.servers import pgvector_schema  # noqa: PLC0415 - as above
            from adapters.shared.postgres import Pool  # noqa: PLC0415

            pool, graph = Pool(url, password=secret), settings.knowledge_graph_above is not None
            try:
                pgvector_schema.lay_out(pool, embedder=name, dimensions=size, login=login, graph=graph)
            finally:
                pool.close()
        elif settings.knowledge_index == "qdrant":
            client, collection = _qdrant(url, secret), settings.knowledge_collection
            from adapters.knowledge.servers import qdrant_wire  # noqa: PLC0415

            usual = settings.knowledge_usual_terms
            qdrant_wire.lay_out(client, collection, embedder=name, dimensions=size, usual_terms=usual)
    except LedgerError as error:
        raise IndexUnavailableError("the server of the index did not answer, or refused") from error


def _url(settings: Settings) -> str:
    if settings.knowledge_url is None:
        raise ConfigurationError(f"CTXGATE_KNOWLEDGE_INDEX={settings.knowledge_index} needs CTXGATE_KNOWLEDGE_URL")
    if "password=" in settings.knowledge_url or urlsplit(settings.knowledge_url).password is not None:
        raise ConfigurationError(
            "CTXGATE_KNOWLEDGE_URL holds a password; it belongs into CTXGATE_KNOWLEDGE_SECRET_FILE"
        )
    return settings.knowledge_url


def _secret(path: Path | None) -> str | None:
    try:
        return None if path is None else path.read_text().strip()
    except OSError as error:
        raise ConfigurationError(f"CTXGATE_KNOWLEDGE_SECRET_FILE: {path} cannot be read") from error


def _qdrant(url: str, secret: str | None) -> "QdrantClient":
    try:
        from qdrant_client import QdrantClient  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigurationError("CTXGATE_KNOWLEDGE_INDEX=qdrant needs `pip install ctxgate[qdrant]`") from error
    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname not in _ON_THIS_MACHINE:
        raise ConfigurationError("CTXGATE_KNOWLEDGE_URL: a Qdrant on another machine is asked over HTTPS alone")
    with warnings.catch_warnings():
        # Of a key without TLS, which is on this machine here.
        warnings.simplefilter("ignore", UserWarning)
        return QdrantClient(url=url, api_key=secret, timeout=_SECONDS, check_compatibility=False, trust_env=False)
