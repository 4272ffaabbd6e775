"""
Knowledge in PostgreSQL: vectors by pgvector, words by BM25 with the statistics of what is permitted.

Rules held here: every search takes the role that may only read, for one read-only transaction in which the server itself shows the
permitted tuples and nothing else; document frequencies, number and mean length of chunks are sums over these, so that no forbidden
chunk moves an answer; a replacement is one transaction.

Vectors are compared one by one unless `graph_above` says otherwise.  A graph is built over all chunks: which neighbours it finds
depends on forbidden ones, so that it trades the promise above for speed, on vectors alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from adapters.knowledge.servers.bags import (
    K1,
    Analyser,
    B,
    asked_terms,
    bag,
    mark,
    reading,
    revision_of,
    sum_after,
)
from adapters.knowledge.servers.pgvector_schema import INDEXER, PERMITTED, SEARCHER
from adapters.shared.postgres import Connection, Pool
from gateway.errors import IndexUnavailableError
from gateway.ports.knowledge import Embedder, Ids, Indexed, SearchHit
from ledger.errors import LedgerError

SEARCH_MILLISECONDS: Final = 10_000
"""After which the server gives a search up."""

_LARGEST: Final = 2**63 - 1
_AT_ONCE: Final = 500
"""Chunks that are written by one statement."""

_TAKE_ROLE: Final = f"SELECT set_config('role', '{SEARCHER}', true), set_config('{PERMITTED}', $1, true), \
set_config('statement_timeout', '{SEARCH_MILLISECONDS}', true), set_config('enable_indexscan', $2, true), \
set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', $3, true)"

_SEARCH: Final = f"""
WITH totals AS MATERIALIZED (
    SELECT coalesce(sum(chunks), 0)::float8 AS chunks, greatest(coalesce(sum(terms), 0), 1)::float8 AS terms
    FROM knowledge_tuples WHERE tuple_id = ANY ($1::bigint[])
), found AS MATERIALIZED (
    SELECT term, chunk, times::float8 AS times, terms::float8 AS terms FROM knowledge_postings
    WHERE term = ANY ($2::bigint[]) AND tuple_id = ANY ($1::bigint[])
), weights AS (
    SELECT term, ln(1 + (totals.chunks - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM found, totals GROUP BY term, totals.chunks
), lexical AS MATERIALIZED (
    SELECT chunk, sum(
        weight * times * ({K1} + 1) / (times + {K1} * (1 - {B} + {B} * found.terms * totals.chunks / totals.terms))
        ORDER BY term
    ) AS score
    FROM found JOIN weights USING (term), totals GROUP BY chunk
), best AS (
    (SELECT chunk AS id FROM lexical ORDER BY score DESC, chunk LIMIT $4)
    UNION
    (SELECT id FROM (
        SELECT id, embedding <#> $3::real[]::vector AS apart FROM knowledge_chunks WHERE tuple_id = ANY ($1::bigint[])
        ORDER BY {{order}} LIMIT $4
    ) AS near)
)
SELECT id, coalesce(score, 0), -(embedding <#> $3::real[]::vector)
FROM best JOIN knowledge_chunks USING (id) LEFT JOIN lexical ON chunk = id
"""  # noqa: S608 - constants of ours
_EXACT: Final = _SEARCH.format(order="apart, id")
_BY_GRAPH: Final = _SEARCH.format(order="embedding <#> $3::real[]::vector")
"""Without a second term to order by, since an index serves none."""

_CHUNKS: Final = "INSERT INTO knowledge_chunks (id, tuple_id, terms, embedding) VALUES ($1, $2, $3, $4::real[]::vector)"
_POSTINGS: Final = """
INSERT INTO knowledge_postings (term, tuple_id, chunk, times, terms)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[])
"""
_TUPLES: Final = """
INSERT INTO knowledge_tuples AS known (tuple_id, chunks, terms)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
ON CONFLICT (tuple_id) DO UPDATE SET chunks = known.chunks + excluded.chunks, terms = known.terms + excluded.terms
"""


class PgvectorIndex:
    """A `gateway.ports.knowledge.KnowledgeIndex` in a database that `lay_out` has prepared."""

    def __init__(
        self,
        url: str,
        *,
        embedder: Embedder,
        analyse: Analyser,
        password: str | None = None,
        graph_above: int | None = None,
    ) -> None:
        """
        Connect.

        Args:
            url: of the database, as `postgresql://role@host:port/database`.
            embedder: makes the vectors, those of questions and of chunks.
            analyse: makes terms, of questions and of chunks alike.
            password: of the role, where the URL holds none.
            graph_above: how many permitted chunks there must be for the graph to be searched instead of all of them; None to
                compare with each.

        Raises:
            IndexUnavailableError: the server does not answer, would lose what it acknowledges, or its vectors are of another
                embedder.
        """
        self._embedder = embedder
        self._analyse = analyse
        self._graph_above = graph_above
        try:
            self._pool = Pool(url, password=password)
        except LedgerError as error:
            raise IndexUnavailableError("the database of the index does not answer, or is not durable") from error
        try:
            self._require_embedder()
        except BaseException:
            self._pool.close()
            raise

    def _require_embedder(self) -> None:
        if self._head()["embedder"] != self._embedder.name:
            raise IndexUnavailableError("the index holds vectors of another embedder; build it anew")

    @property
    def revision(self) -> str:
        head = self._head()
        return revision_of(self._embedder.name, head["chunks"], int(head["marks"]))

    def _head(self) -> Any:  # noqa: ANN401 - a row of asyncpg, which has no type stubs
        found = self._as_indexer(lambda it: it.fetchrow("SELECT embedder, chunks, marks FROM knowledge_head"))
        if found is None:
            raise IndexUnavailableError("the database of the index is not laid out")
        return found

    def replace(self, gone: Iterable[int], added: Sequence[Indexed]) -> None:
        bags = [bag(reading(chunk), self._analyse) for chunk in added]
        vectors = [self._embedder.embed(reading(chunk)).tolist() for chunk in added]
        out = sorted({one for one in (*gone, *(chunk.id for chunk in added)) if 0 <= one <= _LARGEST})

        async def act(connection: Connection) -> None:
            # One writer at a time: the row is locked until the transaction is over.
            head = await connection.fetchrow("SELECT chunks, marks FROM knowledge_head FOR UPDATE")
            went = await connection.fetch(
                "DELETE FROM knowledge_chunks WHERE id = ANY ($1::bigint[]) RETURNING id, tuple_id, terms", out
            )
            await _insert(connection, added, bags, vectors)
            await _count(connection, added, bags, went)
            marks = sum_after(
                int(head["marks"]),
                [mark(row["id"], row["tuple_id"]) for row in went],
                [mark(chunk.id, chunk.tuple_id) for chunk in added],
            )
            chunks = head["chunks"] + len(added) - len(went)
            await connection.execute("UPDATE knowledge_head SET chunks = $1, marks = $2", chunks, marks)

        self._as_indexer(act)

    def ids(self) -> Ids:
        rows = self._as_indexer(lambda it: it.fetch("SELECT id FROM knowledge_chunks ORDER BY id"))
        return np.array([row["id"] for row in rows], dtype=np.int64)

    def search(self, question: str, permitted: Ids, most: int) -> Sequence[SearchHit]:
        allowed = [int(one) for one in permitted]
        if not allowed:
            return []
        values = allowed, asked_terms(question, self._analyse), self._embedder.embed(question).tolist(), most

        async def act(connection: Connection) -> Any:  # noqa: ANN401 - rows of asyncpg
            by_graph = self._graph_above is not None and await self._many(connection, allowed)
            # A graph is used by index scans alone, so that without these every permitted vector is looked at.
            scans, wide = "on" if by_graph else "off", str(min(max(200, most), 1000))
            await connection.execute("SET TRANSACTION READ ONLY")
            await connection.fetchrow(_TAKE_ROLE, ",".join(map(str, allowed)), scans, wide)
            return await connection.fetch(_BY_GRAPH if by_graph else _EXACT, *values)

        return [SearchHit(*row) for row in self._transaction(act)]

    async def _many(self, connection: Connection, allowed: list[int]) -> bool:
        await connection.execute(f"SET LOCAL ROLE {INDEXER}")
        asked = "SELECT coalesce(sum(chunks), 0) FROM knowledge_tuples WHERE tuple_id = ANY ($1::bigint[])"
        found = await connection.fetchval(asked, allowed)
        await connection.execute("RESET ROLE")
        return bool(found > (self._graph_above or 0))

    def _as_indexer(self, act: Any) -> Any:  # noqa: ANN401 - what the work answers
        async def inside(connection: Connection) -> Any:  # noqa: ANN401 - what the work answers
            await connection.execute(f"SET LOCAL ROLE {INDEXER}")
            return await act(connection)

        return self._transaction(inside)

    def _transaction(self, act: Any) -> Any:  # noqa: ANN401 - what the work answers
        try:
            return self._pool.transaction(act)
        except LedgerError as error:
            raise IndexUnavailableError("the database of the index did not answer, or refused") from error

    def close(self) -> None:
        self._pool.close()


async def _insert(
    connection: Connection, added: Sequence[Indexed], bags: Sequence[Counter[int]], vectors: Sequence[list[float]]
) -> None:
    for start in range(0, len(added), _AT_ONCE):
        chosen = slice(start, start + _AT_ONCE)
        pairs = list(zip(added[chosen], bags[chosen], vectors[chosen], strict=True))
        rows = [(chunk.id, chunk.tuple_id, terms.total(), vector) for chunk, terms, vector in pairs]
        await connection.executemany(_CHUNKS, rows)
        postings = [
            (term, chunk.tuple_id, chunk.id, times, terms.total())
            for chunk, terms, _ in pairs
            for term, times in terms.items()
        ]
        if postings:
            await connection.execute(_POSTINGS, *map(list, zip(*postings, strict=True)))


async def _count(connection: Connection, added: Sequence[Indexed], bags: Sequence[Counter[int]], went: Any) -> None:  # noqa: ANN401 - rows of asyncpg
    """Carry number and length of the chunks of each tuple on."""
    chunks, terms = Counter[int](), Counter[int]()
    for chunk, held in zip(added, bags, strict=True):
        chunks[chunk.tuple_id] += 1
        terms[chunk.tuple_id] += held.total()
    for row in went:
        chunks[row["tuple_id"]] -= 1
        terms[row["tuple_id"]] -= row["terms"]
    changed = sorted(chunks)
    await connection.execute(_TUPLES, changed, [chunks[one] for one in changed], [terms[one] for one in changed])
    await connection.execute("DELETE FROM knowledge_tuples WHERE chunks = 0")
