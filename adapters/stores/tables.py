"""
The tables of all that is kept beside the ledger, and the keys that their values are sealed with.

Rules held here: those of `adapters.stores.value_cipher` and `adapters.stores.own_keys`; a write has reached the disk before the call returns.
"""

from dataclasses import dataclass
from typing import Final

from adapters.stores.own_keys import OwnKeys
from adapters.stores.rows import Rows
from adapters.stores.value_cipher import ValueCipher

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS held (
  tenant TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, scope TEXT NOT NULL, item_id TEXT NOT NULL,
  decision_id TEXT NOT NULL, findings TEXT NOT NULL, at TEXT NOT NULL, seen INTEGER NOT NULL, content BLOB NOT NULL,
  proposed TEXT, verdict TEXT, PRIMARY KEY (tenant, id)
) STRICT;
CREATE INDEX IF NOT EXISTS held_digest ON held (tenant, digest);
CREATE TABLE IF NOT EXISTS tokens (
  tenant TEXT NOT NULL, token TEXT NOT NULL, entity TEXT NOT NULL, purpose TEXT NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (tenant, token)
) STRICT;
CREATE TABLE IF NOT EXISTS answers (
  tenant TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL, trace_id TEXT, body BLOB,
  PRIMARY KEY (tenant, name)
) STRICT;
CREATE INDEX IF NOT EXISTS answers_at ON answers (at);
CREATE TABLE IF NOT EXISTS turns (
  tenant TEXT NOT NULL, name TEXT NOT NULL, turn INTEGER NOT NULL, at TEXT NOT NULL, state BLOB NOT NULL,
  PRIMARY KEY (tenant, name, turn)
) STRICT;
CREATE INDEX IF NOT EXISTS turns_at ON turns (at);
CREATE TABLE IF NOT EXISTS waivers (
  tenant TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, at TEXT NOT NULL, expires TEXT NOT NULL,
  used INTEGER NOT NULL, last_used TEXT, body BLOB NOT NULL, PRIMARY KEY (tenant, id)
) STRICT;
CREATE INDEX IF NOT EXISTS waivers_in_force ON waivers (tenant, state, expires);
CREATE TABLE IF NOT EXISTS used_tokens (name TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS used_tokens_until ON used_tokens (until);
CREATE TABLE IF NOT EXISTS own_keys (
  tenant TEXT NOT NULL, person TEXT NOT NULL, wrapped BLOB NOT NULL, PRIMARY KEY (tenant, person)
) STRICT;
CREATE TABLE IF NOT EXISTS erasing (
  tenant TEXT NOT NULL, token TEXT NOT NULL, person TEXT NOT NULL, key TEXT NOT NULL, outside TEXT NOT NULL,
  PRIMARY KEY (tenant, token)
) STRICT;
CREATE TABLE IF NOT EXISTS erasure_requests (
  tenant TEXT NOT NULL, id TEXT NOT NULL, person TEXT NOT NULL, at TEXT NOT NULL, expires TEXT NOT NULL,
  body BLOB NOT NULL, PRIMARY KEY (tenant, id)
) STRICT;
CREATE TABLE IF NOT EXISTS certificates (
  tenant TEXT NOT NULL, token TEXT NOT NULL, at TEXT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (tenant, token)
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables that several stores share."""

    rows: Rows
    cipher: ValueCipher
    """For what is of no person who asks."""

    own: OwnKeys
    """For what is."""

    def close(self) -> None:
        """Release the tables."""
        self.rows.close()
