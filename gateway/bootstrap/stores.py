"""What is kept beside the ledger and can be erased: reviews, tokens, answers, sessions, artifacts."""

from adapters.shared.secrets import read_or_make_secret
from adapters.stores.artifacts import DirectoryArtifacts
from adapters.stores.rows import PostgresRows, SqliteRows
from adapters.stores.sealed_store import SCHEMA, SealedStore
from adapters.stores.sessions import SessionTable
from adapters.stores.used_tokens import UsedTokenTable
from gateway.ports.identity import UsedTokens
from gateway.ports.stores import Sessions
from gateway.privacy.erasure import Beside
from gateway.sessions.artifacts import Isolation
from gateway.settings import Settings


def id_secret(settings: Settings) -> bytes:
    """
    What ids, and names that must tell nothing, are made with.

    Raises:
        ConfigurationError: its file does not hold one.
    """
    return read_or_make_secret(settings.state_dir / "keys" / "ids.secret")


def open_aside(settings: Settings) -> SealedStore:
    """
    What is kept aside: for review, and behind tokens.

    Raises:
        AsideError, ConfigurationError: it cannot be opened, or its key is not one.
    """
    key = read_or_make_secret(settings.state_dir / "keys" / "aside.key")
    if settings.ledger_url is not None:
        return SealedStore(PostgresRows(settings.ledger_url.get_secret_value()), key)
    return SealedStore(SqliteRows(settings.state_dir / "aside.sqlite", SCHEMA), key)


def sessions_of(aside: SealedStore, settings: Settings) -> Sessions:
    """Sessions, in the tables of what is kept aside."""
    return SessionTable(aside.rows, aside.sealing, hours=settings.session_hours)


def used_tokens_of(aside: SealedStore) -> UsedTokens:
    """Bearer tokens that were used, in the tables of what is kept aside."""
    return UsedTokenTable(aside.rows)


def isolation_of(aside: SealedStore, settings: Settings) -> Isolation:
    """The store of heavy artifacts, sealed with the key of what is kept aside."""
    artifacts = DirectoryArtifacts(
        settings.artifacts_dir or settings.state_dir / "artifacts", aside.sealing, seconds=settings.artifact_seconds
    )
    return Isolation(artifacts, id_secret(settings), settings.artifact_bytes, settings.artifact_seconds)


def beside(aside: SealedStore, settings: Settings) -> Beside:
    """Everything that is kept of persons beside the ledger."""
    isolation = isolation_of(aside, settings)
    return Beside(aside, aside, sessions_of(aside, settings), isolation.artifacts, isolation.secret)
