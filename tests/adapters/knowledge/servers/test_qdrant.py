"""The index in Qdrant: its engine in this process, behind the wire that the client speaks."""

import itertools

import pytest

from qdrant_client import QdrantClient

from adapters.knowledge.servers.qdrant import QdrantIndex
from adapters.knowledge.servers.qdrant_wire import lay_out
from gateway.errors import IndexUnavailableError
from gateway.ports.knowledge import Indexed
from tests.support.knowledge_contract import EMBEDDER, ExactIndex, KnowledgeContract, drawn_chunks, permitted_ids, words
from tests.support.qdrant_server import qdrant_server

USUAL = 12
numbers = itertools.count()


@pytest.fixture(scope="module")
def server():
    with qdrant_server() as started:
        yield started


@pytest.fixture(scope="module")
def kept(server):
    """Collections for one test at a time, since to make one takes a second."""
    made = [opened(server[1], f"kept{n}") for n in range(2)]
    yield made
    for one in made:
        one.close()


@pytest.fixture
def another(server, kept):
    left = list(kept)
    for one in kept:
        one.replace(one.ids().tolist(), [])
    yield left.pop
    server[0].failing = lambda _: False


def opened(url, collection):
    client = QdrantClient(url=url, check_compatibility=False)
    lay_out(client, collection, embedder=EMBEDDER.name, dimensions=EMBEDDER.dimensions, usual_terms=USUAL)
    return QdrantIndex(client, collection, embedder=EMBEDDER, analyse=words, usual_terms=USUAL)


class TestQdrant(KnowledgeContract):
    length = USUAL

    @pytest.fixture
    def index(self, another):
        return another()

    def test_every_search_is_filtered_and_weighed_by_what_is_permitted(self, server, index):
        """Each question to the server holds the permitted tuples, twice where words are weighed, and is exact."""
        index.replace([], drawn_chunks(10, 3))
        server[0].asked.clear()
        index.search("limita deskb", permitted_ids([2, 3]), 5)
        searches = [
            one for _, path, body in server[0].asked if path.endswith("/query/batch") for one in body["searches"]
        ]
        permitted = {"key": "tuple", "match": {"any": [2, 3]}}
        assert len(searches) == 4
        for one in searches:
            assert permitted in one["filter"]["must"]
            assert one["params"]["exact"] is True
        assert [permitted in one["params"]["idf"]["corpus"]["must"] for one in searches if one["using"] == "terms"] == [
            True,
            True,
        ]

    def test_no_word_reaches_the_server(self, server, index):
        """What is stored and asked is numbers; no text of a chunk or a question is sent."""
        server[0].asked.clear()
        index.replace([], [Indexed(1, 1, "confidential limita", "Secret title")])
        index.search("confidential question", permitted_ids([1]), 5)
        said = str(server[0].asked).lower()
        assert not any(word in said for word in ("confidential", "secret", "question", "limita"))


class TestAllOrNothing:
    @pytest.mark.parametrize("at", range(8))
    def test_a_replacement_that_breaks_off(self, server, another, at):
        """Whichever request of it the server does not get, the old is there and the new is not; the next one goes through."""
        index, count = another(), itertools.count()
        index.replace([], drawn_chunks(30, 3))
        before, exact = index.revision, ExactIndex(USUAL)
        exact.replace([], drawn_chunks(30, 3))
        server[0].failing = lambda asked: asked[0] in {"PUT", "POST"} and next(count) >= at
        new = drawn_chunks(250, 3, seed=5, first=100)
        with pytest.raises(IndexUnavailableError):
            index.replace(range(1, 20), new)
        server[0].failing = lambda _: False
        assert index.revision == before
        assert index.ids().tolist() == list(range(1, 31))
        everything = permitted_ids([1, 2, 3])
        assert len(index.search("limita", everything, 500)) == 30
        index.replace([1, 2], [])
        exact.replace([1, 2], [])
        assert index.ids().tolist() == list(range(3, 31))
        assert index.revision == exact.revision

    def test_a_second_writer_is_noticed(self, server):
        """Where another gateway changed the index meanwhile, a replacement is not acknowledged."""
        name = f"kb{next(numbers)}"
        one, two = opened(server[1], name), opened(server[1], name)
        upsert = one._client.upsert

        def overtaken(collection, points, **more):
            if "update_filter" in more:
                two.replace([], [Indexed(7, 1, "deskb", "")])
            return upsert(collection, points, **more)

        one._client.upsert = overtaken
        with pytest.raises(IndexUnavailableError):
            one.replace([], [Indexed(8, 1, "limita", "")])
        for each in (one, two):
            each.close()


class TestFailures:
    def test_an_older_server_is_refused(self):
        """One that would weigh words by forbidden chunks is not searched."""
        with qdrant_server("1.18.4") as (_, url), pytest.raises(IndexUnavailableError):
            opened(url, "kb")

    def test_vectors_of_another_embedder_are_not_searched(self, server):
        """Vectors of two models, or weights of two lengths, cannot be compared."""
        opened(server[1], "kb-other").close()
        client = QdrantClient(url=server[1], check_compatibility=False)
        with pytest.raises(IndexUnavailableError):
            QdrantIndex(client, "kb-other", embedder=EMBEDDER, analyse=words, usual_terms=USUAL + 1)
        with pytest.raises(IndexUnavailableError):
            QdrantIndex(client, "kb-none", embedder=EMBEDDER, analyse=words, usual_terms=USUAL)
        client.close()

    def test_a_server_that_answers_with_what_is_forbidden(self, server, another):
        """What comes back is held against the filter: one forbidden chunk, and nothing of the answer is used."""
        index = another()
        index.replace([], drawn_chunks(10, 2))
        answer = server[0].answer

        def lying(asked):
            if asked[1].endswith("/query/batch"):
                for one in asked[2]["searches"]:
                    one["filter"]["must"] = [c for c in one["filter"]["must"] if c["key"] != "tuple"]
            return answer(asked)

        server[0].answer = lying
        try:
            with pytest.raises(IndexUnavailableError):
                index.search("limita", permitted_ids([1]), 10)
        finally:
            server[0].answer = answer

    def test_a_server_that_is_not_there(self, server):
        """No server, no search; and the error says nothing of the address."""
        client = QdrantClient(url="http://127.0.0.1:1", check_compatibility=False)
        with pytest.raises(IndexUnavailableError) as caught:
            QdrantIndex(client, "kb", embedder=EMBEDDER, analyse=words)
        assert "127.0.0.1" not in str(caught.value)
        client.close()
