"""The tables beside the ledger with keys of the test."""

from adapters.ledger.aes_sealer import FileKeyWrap
from adapters.stores.own_keys import OwnKeys
from adapters.stores.rows import Rows
from adapters.stores.tables import Tables
from adapters.stores.value_cipher import ValueCipher


def tables_on(rows: Rows, key: bytes = b"k" * 32) -> Tables:
    """Tables whose values, and whose persons' keys, are sealed under one key."""
    cipher = ValueCipher(key)
    return Tables(rows, cipher, OwnKeys(rows, FileKeyWrap(key), cipher))
