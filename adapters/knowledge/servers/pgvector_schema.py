"""
The tables of the index in PostgreSQL, and the two roles that may touch them.

Rule held here: whoever searches sees, by row-level security, rows of the permitted tuples alone, whatever a statement says or
forgets; the role that searches may write nothing.  The gateway's login is a member of both roles, and takes one or the other for
one transaction.
"""

from typing import Final

from adapters.shared.postgres import Connection, Pool

SEARCHER: Final = "ctxgate_searcher"
INDEXER: Final = "ctxgate_indexer"
PERMITTED: Final = "ctxgate.permitted"
"""Setting of a transaction: the permitted tuples, separated by commas; what is not set permits nothing."""

_ROLES: Final = f"""
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{SEARCHER}') THEN CREATE ROLE {SEARCHER} NOLOGIN; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{INDEXER}') THEN CREATE ROLE {INDEXER} NOLOGIN; END IF;
END $$;
"""  # noqa: S608 - constants of ours

_TABLES: Final = """
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE IF NOT EXISTS knowledge_head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    embedder text NOT NULL,
    chunks bigint NOT NULL DEFAULT 0,
    marks numeric NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS knowledge_tuples (
    tuple_id bigint PRIMARY KEY,
    chunks bigint NOT NULL,
    terms bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS knowledge_chunks (
    id bigint PRIMARY KEY,
    tuple_id bigint NOT NULL,
    terms integer NOT NULL,
    embedding vector({dimensions}) NOT NULL
);
CREATE INDEX IF NOT EXISTS knowledge_chunks_tuple ON knowledge_chunks (tuple_id);
CREATE TABLE IF NOT EXISTS knowledge_postings (
    term bigint NOT NULL,
    tuple_id bigint NOT NULL,
    chunk bigint NOT NULL REFERENCES knowledge_chunks (id) ON DELETE CASCADE,
    times integer NOT NULL,
    terms integer NOT NULL,
    PRIMARY KEY (term, tuple_id, chunk) INCLUDE (times, terms)
);
CREATE INDEX IF NOT EXISTS knowledge_postings_chunk ON knowledge_postings (chunk);
"""

_SECURED: Final = ("knowledge_tuples", "knowledge_chunks", "knowledge_postings")

_SECURE: Final = f"""
ALTER TABLE {{table}} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {{table}} FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS permitted ON {{table}};
CREATE POLICY permitted ON {{table}} FOR SELECT TO {SEARCHER} USING (tuple_id IN (
    SELECT unnest(string_to_array(nullif(current_setting('{PERMITTED}', true), ''), ',')::bigint[])));
DROP POLICY IF EXISTS indexing ON {{table}};
CREATE POLICY indexing ON {{table}} TO {INDEXER} USING (true) WITH CHECK (true);
GRANT SELECT ON {{table}} TO {SEARCHER};
GRANT SELECT, INSERT, UPDATE, DELETE ON {{table}} TO {INDEXER};
"""

_GRAPH: Final = """
CREATE INDEX IF NOT EXISTS knowledge_chunks_graph ON knowledge_chunks USING hnsw (embedding vector_ip_ops);
"""
"""With the library's own figures: 16 edges, 64 candidates while it is built."""


def lay_out(pool: Pool, *, embedder: str, dimensions: int, login: str, graph: bool = False) -> None:
    """
    Make what is missing, as the owner of the database; nothing of what is there is changed but who may do what.

    Args:
        pool: of a role that may create tables and roles; extensions too, where `vector` is not there yet.
        embedder: name of the model whose vectors are kept.
        dimensions: of these.
        login: role that the gateway logs in as; it gets nothing but the two roles.
        graph: whether to make the graph that approximate searches need.

    Raises:
        LedgerUnavailableError: the server did not answer, or refused.
    """

    async def act(connection: Connection) -> None:
        await connection.execute(_ROLES)
        await connection.execute(_TABLES.format(dimensions=int(dimensions)))
        for table in _SECURED:
            await connection.execute(_SECURE.format(table=table))
        if graph:
            await connection.execute(_GRAPH)
        await connection.execute(f"GRANT SELECT, UPDATE ON knowledge_head TO {INDEXER}")
        await connection.execute("INSERT INTO knowledge_head (embedder) VALUES ($1) ON CONFLICT DO NOTHING", embedder)
        quoted = await connection.fetchval("SELECT quote_ident($1)", login)
        # Not inherited: outside of a transaction that takes a role, the login may do nothing at all.
        await connection.execute(f"GRANT {SEARCHER}, {INDEXER} TO {quoted} WITH INHERIT FALSE, SET TRUE")

    pool.transaction(act)
