"""All that is kept beside the ledger and can be erased: one store for each port of `gateway.ports.stores`."""

from dataclasses import dataclass

from adapters.shared.secrets import read_or_make_secret
from adapters.stores.answers import AnswerTable
from adapters.stores.artifacts import DirectoryArtifacts
from adapters.stores.reviews import ReviewTable
from adapters.stores.rows import PostgresRows, SqliteRows
from adapters.stores.sessions import SessionTable
from adapters.stores.tables import SCHEMA, Tables
from adapters.stores.traces import SCHEMA as TRACES
from adapters.stores.traces import TraceTable
from adapters.stores.used_tokens import UsedTokenTable
from adapters.stores.value_cipher import ValueCipher
from adapters.stores.vault import VaultTable
from gateway.privacy.erasure import PersonalStores
from gateway.sessions.artifacts import ArtifactHandles
from gateway.settings import Settings


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores beside the ledger."""

    tables: Tables
    """What all but the artifacts lie in."""

    reviews: ReviewTable
    vault: VaultTable
    answers: AnswerTable
    sessions: SessionTable
    used_tokens: UsedTokenTable
    artifacts: ArtifactHandles
    secret: bytes
    """What ids, and names that must tell nothing, are made with."""

    @property
    def personal(self) -> PersonalStores:
        """Those that hold something of persons."""
        return PersonalStores(self.reviews, self.answers, self.sessions, self.artifacts.store, self.secret)

    def close(self) -> None:
        """Release the tables."""
        self.tables.close()


def open_stores(settings: Settings) -> Stores:
    """
    The stores that the settings name.

    Raises:
        StoreError, ConfigurationError: they cannot be opened, or a file does not hold its secret.
    """
    secret = read_or_make_secret(settings.state_dir / "keys" / "ids.secret")
    tables = _tables(settings)
    artifacts = DirectoryArtifacts(
        settings.artifacts_dir or settings.state_dir / "artifacts", tables.cipher, seconds=settings.artifact_seconds
    )
    return Stores(
        tables=tables,
        reviews=ReviewTable(tables),
        vault=VaultTable(tables),
        answers=AnswerTable(tables),
        sessions=SessionTable(tables, hours=settings.session_hours),
        used_tokens=UsedTokenTable(tables.rows),
        artifacts=ArtifactHandles(artifacts, secret, settings.artifact_bytes, settings.artifact_seconds),
        secret=secret,
    )


def _tables(settings: Settings) -> Tables:
    cipher = ValueCipher(read_or_make_secret(settings.state_dir / "keys" / "aside.key"))
    if settings.ledger_url is not None:
        return Tables(PostgresRows(settings.ledger_url.get_secret_value()), cipher)
    return Tables(SqliteRows(settings.state_dir / "aside.sqlite", SCHEMA), cipher)


def open_traces(settings: Settings) -> TraceTable:
    """
    The table of traces.

    Raises:
        StoreError, LedgerError: it cannot be opened.
    """
    if settings.ledger_url is not None:
        return TraceTable(PostgresRows(settings.ledger_url.get_secret_value()))
    return TraceTable(SqliteRows(settings.state_dir / "traces.sqlite", TRACES))
