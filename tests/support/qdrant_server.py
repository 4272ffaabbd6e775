"""
A server that speaks as much of Qdrant's REST API as the index asks, over the engine of Qdrant itself in this process.

Conditions, document frequencies over a corpus, exact searches and conditional upserts are the engine's own (`qdrant-edge-py`);
routes and JSON are ours, after the models of `qdrant-client`, which refuse what they do not know.
"""

import json
import re
import tempfile
import threading

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import UUID

import qdrant_edge as edge

Asked = tuple[str, str, Any]
"""Method, path and body."""


class QdrantServer:
    """Collections by name; `asked` is every request, `failing` says which of the next requests break off."""

    def __init__(self, folder: Path, version: str = "1.19.0") -> None:
        self.folder = folder
        self.version = version
        self.shards: dict[str, edge.EdgeShard] = {}
        self.asked: list[Asked] = []
        self.errors: list[Exception] = []
        self.failing: Callable[[Asked], bool] = lambda _: False
        self.lock = threading.Lock()

    def answer(self, asked: Asked) -> tuple[int, Any]:
        """Status and result."""
        method, path, body = asked
        if path == "/":
            return 200, {"title": "qdrant", "version": self.version, "commit": None}
        found = re.fullmatch(r"/collections/([\w-]+)(/.*)?", path)
        assert found, path
        name, rest = found[1], found[2] or ""
        if (method, rest) == ("GET", "/exists"):
            return 200, {"exists": name in self.shards}
        if (method, rest) == ("PUT", ""):
            self.shards[name] = self._made(name, body)
            return 200, True
        if name not in self.shards:
            return 404, None
        return 200, _ROUTES[method, rest](self.shards[name], body)

    def _made(self, name: str, body: Any) -> edge.EdgeShard:
        [(dense, said)] = body["vectors"].items()
        [(sparse, more)] = body["sparse_vectors"].items()
        assert (said["distance"], more["modifier"], body["hnsw_config"]["m"]) == ("Dot", "idf", 0)
        folder = self.folder / name
        folder.mkdir()
        return edge.EdgeShard.create(
            str(folder),
            edge.EdgeConfig(
                vectors={dense: edge.EdgeVectorParams(said["size"], edge.Distance.Dot)},
                sparse_vectors={sparse: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
            ),
        )


def _condition(said: Any) -> Any:
    if "range" in said:
        return edge.FieldCondition(said["key"], range=edge.RangeFloat(**said["range"]))
    match = said["match"]
    return edge.FieldCondition(
        said["key"], match=edge.MatchAny(match["any"]) if "any" in match else edge.MatchValue(match["value"])
    )


def _filter(said: Any) -> edge.Filter:
    assert set(said) <= {"must", "should"}
    must, should = ([_condition(one) for one in said.get(kind) or ()] or None for kind in ("must", "should"))
    return edge.Filter(must=must, should=should)


def _done(shard: edge.EdgeShard, operation: edge.UpdateOperation) -> dict[str, Any]:
    shard.update(operation)
    return {"operation_id": 1, "status": "completed"}


def _upsert(shard: edge.EdgeShard, body: Any) -> Any:
    points = []
    for one in body["points"]:
        vector = {
            name: edge.SparseVector(v["indices"], v["values"]) if isinstance(v, dict) else v
            for name, v in one["vector"].items()
        }
        points.append(edge.Point(UUID(one["id"]), vector, one["payload"]))
    said = body.get("update_filter")
    condition = None if said is None else _filter(said)
    return _done(shard, edge.UpdateOperation.upsert_points(points, condition))


def _index(shard: edge.EdgeShard, body: Any) -> Any:
    assert body["field_schema"] == "integer"
    operation = edge.UpdateOperation.create_field_index(body["field_name"], edge.PayloadSchemaType.Integer)
    return _done(shard, operation)


def _set(shard: edge.EdgeShard, body: Any) -> Any:
    operation = edge.UpdateOperation.set_payload_by_filter(_filter(body["filter"]), body["payload"])
    return _done(shard, operation)


def _delete(shard: edge.EdgeShard, body: Any) -> Any:
    return _done(shard, edge.UpdateOperation.delete_points_by_filter(_filter(body["filter"])))


def _retrieve(shard: edge.EdgeShard, body: Any) -> Any:
    found = shard.retrieve([UUID(one) for one in body["ids"]], True, False)
    return [{"id": str(one.id), "payload": one.payload} for one in found]


def _scroll(shard: edge.EdgeShard, body: Any) -> Any:
    offset = body.get("offset")
    asked = edge.ScrollRequest(
        offset=None if offset is None else UUID(offset),
        limit=body["limit"],
        filter=_filter(body["filter"]),
        with_payload=body["with_payload"],
    )
    records, after = shard.scroll(asked)
    points = [{"id": str(one.id), "payload": one.payload} for one in records]
    return {"points": points, "next_page_offset": None if after is None else str(after)}


def _query(shard: edge.EdgeShard, body: Any) -> Any:
    answers = []
    for one in body["searches"]:
        params, query = one["params"], one["query"]["nearest"]
        assert params["exact"]
        idf = params.get("idf")
        scoped = None if idf is None else edge.IdfParams(corpus=_filter(idf["corpus"]))
        vector = edge.SparseVector(query["indices"], query["values"]) if isinstance(query, dict) else query
        request = edge.QueryRequest(
            limit=one["limit"],
            query=edge.Query.Nearest(vector, using=one["using"]),
            filter=_filter(one["filter"]),
            params=edge.SearchParams(exact=True, idf=scoped),
            with_payload=one["with_payload"],
        )
        points = [
            {"id": str(hit.id), "version": hit.version, "score": hit.score, "payload": hit.payload}
            for hit in shard.query(request)
        ]
        answers.append({"points": points})
    return answers


_ROUTES: dict[tuple[str, str], Callable[[edge.EdgeShard, Any], Any]] = {
    ("PUT", "/points"): _upsert,
    ("PUT", "/index"): _index,
    ("POST", "/points"): _retrieve,
    ("POST", "/points/payload"): _set,
    ("POST", "/points/delete"): _delete,
    ("POST", "/points/scroll"): _scroll,
    ("POST", "/points/query/batch"): _query,
}


@contextmanager
def qdrant_server(version: str = "1.19.0") -> Iterator[tuple[QdrantServer, str]]:
    """A server that runs, and its URL."""
    with tempfile.TemporaryDirectory(prefix="ctxgate-qdrant-") as folder:
        served = QdrantServer(Path(folder), version)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                path = self.path.partition("?")[0].rstrip("/") or "/"
                asked = self.command, path, json.loads(self.rfile.read(size)) if size else None
                with served.lock:
                    if served.failing(asked):
                        self.close_connection = True
                        self.connection.close()
                        return
                    served.asked.append(asked)
                    try:
                        status, result = served.answer(asked)
                    except Exception as error:
                        served.errors.append(error)
                        status, result = 500, None
                said = result if path == "/" else {"time": 0.0, "status": "ok", "result": result}
                body = json.dumps(said).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_PUT = do_POST = _serve  # noqa: N815 - the library's names

            def log_message(self, *_: object) -> None:
                """Nothing."""

            def log_error(self, *_: object) -> None:
                """Nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A request that broke off."""

        http = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=http.serve_forever, daemon=True).start()
        try:
            yield served, f"http://127.0.0.1:{http.server_port}"
        finally:
            http.shutdown()
            http.server_close()
            for shard in served.shards.values():
                shard.close()
