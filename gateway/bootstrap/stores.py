"""All that is kept beside the ledger and can be erased: one store for each port of `gateway.ports.stores`."""

from collections.abc import Callable
from dataclasses import dataclass

from adapters.shared.secrets import read_secret
from adapters.stores.answers import AnswerTable
from adapters.stores.artifacts import DirectoryArtifacts
from adapters.stores.erasure_requests import ErasureRequestTable
from adapters.stores.erasures import ErasureTable
from adapters.stores.own_keys import OwnKeys
from adapters.stores.reviews import ReviewTable
from adapters.stores.rows import PostgresRows, Rows, SqliteRows
from adapters.stores.sessions import SessionTable
from adapters.stores.tables import SCHEMA, Tables
from adapters.stores.traces import SCHEMA as TRACES
from adapters.stores.traces import TraceTable
from adapters.stores.used_tokens import UsedTokenTable
from adapters.stores.value_cipher import ValueCipher
from adapters.stores.vault import VaultTable
from adapters.stores.waivers import WaiverTable
from gateway.bootstrap.key_files import secret_file
from gateway.bootstrap.person_keys import person_keys
from gateway.model.pseudonyms import keyed_names
from gateway.privacy.erasure import PersonalStores
from gateway.sessions.artifacts import ArtifactHandles
from gateway.settings import Settings


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores beside the ledger."""

    tables: Tables
    """What all but the artifacts lie in."""

    reviews: ReviewTable
    waivers: WaiverTable
    vault: VaultTable
    answers: AnswerTable
    sessions: SessionTable
    used_tokens: UsedTokenTable
    artifacts: ArtifactHandles
    traces: TraceTable
    erasures: ErasureTable
    requests: ErasureRequestTable
    """Erasures that wait for a second officer."""

    secret: bytes
    """What ids, and names that must tell nothing, are made with."""

    own_traces: bool = True
    """Whether the traces are closed with the rest."""

    @property
    def personal(self) -> PersonalStores:
        """Those that hold something of persons."""
        return PersonalStores(
            self.reviews,
            self.waivers,
            self.answers,
            self.sessions,
            self.artifacts.store,
            self.traces,
            self.tables.own,
            self.erasures,
            self.requests,
            self.secret,
        )

    def close(self) -> None:
        """Release the tables."""
        self.tables.close()
        if self.own_traces:
            self.traces.close()


def open_stores(settings: Settings, traces: TraceTable | None = None) -> Stores:
    """
    The stores that the settings name, with the traces that are open already, or those of the settings.

    Raises:
        StoreError, ConfigurationError: they cannot be opened, or a file does not hold its secret.
    """
    secret = read_secret(secret_file(settings, "ids.secret"))
    tables = _tables(settings)
    artifacts = DirectoryArtifacts(
        settings.artifacts_dir or settings.state_dir / "artifacts", tables.own, seconds=settings.artifact_seconds
    )
    return Stores(
        tables=tables,
        reviews=ReviewTable(tables),
        waivers=WaiverTable(tables),
        vault=VaultTable(tables),
        answers=AnswerTable(tables),
        sessions=SessionTable(tables, hours=settings.session_hours),
        used_tokens=UsedTokenTable(tables.rows),
        artifacts=ArtifactHandles(artifacts, secret, settings.artifact_bytes, settings.artifact_seconds),
        traces=open_traces(settings) if traces is None else traces,
        erasures=ErasureTable(tables.rows),
        requests=ErasureRequestTable(tables),
        secret=secret,
        own_traces=traces is None,
    )


def names_of(settings: Settings) -> Callable[[str, str], str] | None:
    """What records have in the place of labels; None for whoever has no secret to make it with, and is given none."""
    path = secret_file(settings, "ids.secret")
    return keyed_names(read_secret(path)) if path.exists() else None


def _tables(settings: Settings) -> Tables:
    cipher = ValueCipher(read_secret(secret_file(settings, "aside.key")))
    rows = _rows(settings)
    return Tables(rows, cipher, OwnKeys(rows, person_keys(settings), cipher))


def _rows(settings: Settings) -> Rows:
    if settings.ledger_url is not None:
        return PostgresRows(settings.ledger_url.get_secret_value())
    return SqliteRows(settings.state_dir / "aside.sqlite", SCHEMA)


def open_traces(settings: Settings) -> TraceTable:
    """
    The table of traces.

    Raises:
        StoreError, LedgerError: it cannot be opened.
    """
    if settings.ledger_url is not None:
        return TraceTable(PostgresRows(settings.ledger_url.get_secret_value()))
    return TraceTable(SqliteRows(settings.state_dir / "traces.sqlite", TRACES))
