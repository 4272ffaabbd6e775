"""Which index knowledge is found with."""

import pytest

from adapters.knowledge.servers.pgvector import PgvectorIndex
from adapters.knowledge.servers.qdrant import QdrantIndex
from gateway.bootstrap.knowledge_index import index_of, lay_out_index
from gateway.errors import ConfigurationError, IndexUnavailableError
from tests.support.knowledge_contract import EMBEDDER, ExactIndex, drawn_chunks, words
from tests.support.qdrant_server import qdrant_server
from tests.support.vector_postgres import PASSWORD, vector_server


def opened(settings, **changes):
    return index_of(settings.model_copy(update=changes), EMBEDDER, words, embedded=ExactIndex)


def used(index):
    index.replace([], drawn_chunks(3, 1))
    held = index.ids().tolist()
    index.close()
    return held


def test_the_embedded_one_needs_nothing(settings):
    """Without settings knowledge is found in the state folder."""
    assert isinstance(opened(settings), ExactIndex)


def test_postgres(settings, tmp_path):
    """With its settings PostgreSQL is laid out and used, in the role that the URL names, by the password of the file."""
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    with vector_server() as server:
        server.sql("postgres", "CREATE DATABASE kb")
        server.sql("kb", f"CREATE ROLE gateway_kb LOGIN PASSWORD '{PASSWORD}'")
        chosen = {"knowledge_index": "postgres", "knowledge_url": server.url("kb", "gateway_kb")}
        chosen["knowledge_secret_file"] = tmp_path / "password"
        made = settings.model_copy(update=chosen)
        lay_out_index(made, EMBEDDER, url=server.url("kb"), secret_file=None, login="gateway_kb")
        lay_out_index(made, EMBEDDER, url=server.url("kb"), secret_file=None, login="gateway_kb")
        index = opened(made)
        assert isinstance(index, PgvectorIndex)
        assert used(index) == [1, 2, 3]


def test_qdrant(settings, tmp_path):
    """With its settings Qdrant is laid out and used."""
    (tmp_path / "key").write_text("key\n")
    with qdrant_server() as (_, url):
        chosen = {"knowledge_index": "qdrant", "knowledge_url": url, "knowledge_secret_file": tmp_path / "key"}
        made = settings.model_copy(update=chosen)
        lay_out_index(made, EMBEDDER, url=url, secret_file=None, login="")
        index = opened(made)
        assert isinstance(index, QdrantIndex)
        assert used(index) == [1, 2, 3]


@pytest.mark.parametrize(
    "changes",
    [
        {"knowledge_index": "postgres"},
        {"knowledge_index": "qdrant"},
        {"knowledge_index": "qdrant", "knowledge_url": "http://kb.bank.example:6333"},
        {"knowledge_index": "postgres", "knowledge_url": "postgresql://me:secret@kb/x"},
        {"knowledge_index": "postgres", "knowledge_url": "postgresql://kb/x?password=secret"},
    ],
)
def test_settings_that_are_missing_or_would_tell_a_secret(settings, changes):
    """A gateway does not start without the address of its index, nor with a secret where it is seen."""
    with pytest.raises(ConfigurationError) as caught:
        opened(settings, **changes)
    assert "secret@" not in str(caught.value)


def test_a_secret_that_is_not_there(settings, tmp_path):
    """A file that cannot be read stops the start; a server that is not there, too."""
    url = {"knowledge_index": "postgres", "knowledge_url": "postgresql://me@127.0.0.1:1/x"}
    with pytest.raises(ConfigurationError):
        opened(settings, **url, knowledge_secret_file=tmp_path / "none")
    with pytest.raises(IndexUnavailableError):
        opened(settings, **url)
    with pytest.raises(IndexUnavailableError):
        chosen = settings.model_copy(update=url)
        lay_out_index(chosen, EMBEDDER, url=url["knowledge_url"], secret_file=None, login="x")
