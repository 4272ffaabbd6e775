"""A witness over HTTP: a small separate service, for another department of the bank."""

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool

from ledger.tlog.witness import Witness

MAX_BODY = 1_100_000


def create_witness(witness: Witness) -> FastAPI:
    """The application."""
    app = FastAPI(title="ctxgate witness", openapi_url=None)

    @app.post("/add-checkpoint")
    async def add_checkpoint(request: Request) -> Response:
        """Cosign a checkpoint that follows the last one."""
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY:
                return Response("too long\n", 400)
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return Response("not text\n", 400)
        answer = await run_in_threadpool(witness.add_checkpoint, text)
        return Response(answer.body, answer.status, media_type=answer.media_type)

    @app.get("/checkpoint/{origin:path}")
    async def checkpoint(origin: str) -> Response:
        """The newest checkpoint of a log that was seen here, cosigned now: for auditors, who hold an export against it."""
        answer = await run_in_threadpool(witness.head, origin)
        return Response(answer.body, answer.status, media_type=answer.media_type)

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        """The process is alive."""
        return {"status": "alive"}

    return app
