"""The ledger in PostgreSQL, its keys, and the seal on its erasable side (`gateway.ports.ledger`, `ledger.store`)."""
