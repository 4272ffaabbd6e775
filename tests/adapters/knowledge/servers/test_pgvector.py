"""The index in PostgreSQL, on a real server."""

import threading

import pytest

from adapters.knowledge.servers.pgvector import PgvectorIndex
from adapters.shared.postgres import Pool
from gateway.errors import IndexUnavailableError
from gateway.ports.knowledge import Indexed
from tests.support.knowledge_contract import EMBEDDER, KnowledgeContract, drawn_chunks, permitted_ids, words
from tests.support.vector_postgres import PASSWORD, vector_server


@pytest.fixture(scope="module")
def server():
    with vector_server() as started:
        yield started


def opened(server, database, **more):
    return PgvectorIndex(
        server.url(database, "gateway_kb"), embedder=EMBEDDER, analyse=words, password=PASSWORD, **more
    )


@pytest.fixture
def another(server):
    made = []

    def make(**more):
        made.append(opened(server, server.new_index(graph="graph_above" in more), **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


class TestPgvector(KnowledgeContract):
    @pytest.fixture
    def index(self, another):
        return another()

    def test_two_gateways_see_one_index(self, server):
        """What one replica took in, another finds at once, under the same revision."""
        name = server.new_index()
        one, two = opened(server, name), opened(server, name)
        one.replace([], drawn_chunks(5, 1))
        assert two.ids().tolist() == one.ids().tolist() == [1, 2, 3, 4, 5]
        assert two.revision == one.revision
        one.close()
        two.close()

    def test_writers_at_once_lose_nothing(self, server):
        """Replacements of several threads all count, in whichever order they came."""
        index = opened(server, server.new_index())
        chunks = drawn_chunks(40, 5)
        threads = [threading.Thread(target=index.replace, args=([], chunks[n : n + 10])) for n in range(0, 40, 10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alone = opened(server, server.new_index())
        alone.replace([], chunks)
        assert index.revision == alone.revision
        for one in (index, alone):
            one.close()


class TestLeastPrivilege:
    def test_the_searching_role_sees_what_is_permitted_and_writes_nothing(self, server):
        """Without our filters the server shows the searching role rows of permitted tuples alone, and lets it change nothing."""
        name = server.new_index()
        index = opened(server, name)
        index.replace([], [Indexed(1, 1, "limita", ""), Indexed(2, 2, "limita", "")])
        index.close()

        def as_searcher(permitted, statement):
            async def act(connection):
                await connection.execute("SET LOCAL ROLE ctxgate_searcher")
                if permitted is not None:
                    await connection.execute(f"SET LOCAL ctxgate.permitted = '{permitted}'")
                return [tuple(row) for row in await connection.fetch(statement)]

            pool = Pool(server.url(name, "gateway_kb"), password=PASSWORD)
            try:
                return pool.transaction(act)
            finally:
                pool.close()

        for table, column in (("chunks", "id"), ("postings", "chunk"), ("tuples", "tuple_id")):
            asked = f"SELECT {column} FROM knowledge_{table}"
            assert as_searcher("2", asked) == [(2,)]
            assert as_searcher(None, asked) == as_searcher("", asked) == []
        for statement in (
            "DELETE FROM knowledge_chunks",
            "UPDATE knowledge_head SET chunks = 0",
            "TABLE knowledge_head",
        ):
            with pytest.raises(Exception, match="store did not answer"):
                as_searcher("1,2", statement)

    def test_the_login_may_do_nothing_by_itself(self, server):
        """Outside of a transaction that takes a role, the gateway's login reads and writes nothing."""
        name = server.new_index()
        for statement in ("TABLE knowledge_chunks", "TABLE knowledge_head", "CREATE TABLE public.mine ()"):
            with pytest.raises(Exception, match="store did not answer"):
                server.sql(name, statement, role="gateway_kb")


class TestGraph:
    def test_the_graph_finds_nothing_forbidden_and_most_of_the_rest(self, another):
        """With the graph, what is permitted alone is found, and at least nine tenths of the nearest."""
        exact, graph = another(), None
        chunks = drawn_chunks(400, 8)
        exact.replace([], chunks)
        of = {chunk.id: chunk.tuple_id for chunk in chunks}
        graph = another(graph_above=10)
        graph.replace([], chunks)
        allowed = permitted_ids([2, 5])
        mine, truth = (one.search("limita deskb", allowed, 20) for one in (graph, exact))
        assert {of[hit.id] for hit in mine} <= {2, 5}
        assert len({hit.id for hit in mine} & {hit.id for hit in truth}) >= 0.9 * len(truth)


class TestFailures:
    def test_vectors_of_another_embedder_are_not_searched(self, server):
        """Vectors of two models cannot be compared, so an index of another one does not open."""

        class Other:
            name = "another"
            dimensions = EMBEDDER.dimensions
            embed = EMBEDDER.embed

        with pytest.raises(IndexUnavailableError):
            PgvectorIndex(server.url(server.new_index(), "gateway_kb"), embedder=Other(), analyse=words)

    def test_a_database_that_is_not_laid_out(self, server):
        """Nothing is searched where there are no tables."""
        server.new_index()
        with pytest.raises(IndexUnavailableError):
            opened(server, "postgres")

    def test_a_server_that_is_not_there(self):
        """No server, no index; and the error says nothing of the address."""
        with pytest.raises(IndexUnavailableError) as caught:
            PgvectorIndex("postgresql://nobody@127.0.0.1:1/none", embedder=EMBEDDER, analyse=words)
        assert "127.0.0.1" not in str(caught.value)

    def test_a_kill_in_the_middle_leaves_all_or_nothing(self):
        """Whenever the server is killed while chunks are replaced, it holds the old or the new afterwards, and its sums agree."""
        with vector_server() as server:
            name = server.new_index()
            index = opened(server, name)
            old, new = drawn_chunks(300, 4), drawn_chunks(300, 4, seed=9, first=1001)
            index.replace([], old)
            before, outcomes = index.revision, []
            for delay in (0.02, 0.15, 0.4):
                timer = threading.Timer(delay, server.kill)
                timer.start()
                try:
                    index.replace([chunk.id for chunk in old], new)
                    outcomes.append("acknowledged")
                except IndexUnavailableError:
                    outcomes.append("refused")
                timer.join()
                index.close()
                server.start_again()
                index = opened(server, name)
                held = index.ids().tolist()
                assert held in ([chunk.id for chunk in old], [chunk.id for chunk in new])
                if outcomes[-1] == "acknowledged":
                    assert held[0] == 1001
                index.replace([chunk.id for chunk in new], old)
                assert index.revision == before
                chunks, terms = server.sql(name, "SELECT sum(chunks), sum(terms) FROM knowledge_tuples")[0]
                assert (chunks, terms) == server.sql(name, "SELECT count(*), sum(terms) FROM knowledge_chunks")[0]
            index.close()
            assert "refused" in outcomes
