"""The ledger in PostgreSQL, by asyncpg."""
