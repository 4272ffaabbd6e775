"""A gateway that is served in this process, and how to ask it again and again for something new."""

import contextlib
import json

import httpx

from gateway.api.app import create_app
from gateway.bootstrap.keys import development_issuer
from tests.support.clock import NOW


class Bench:
    """A gateway over HTTP, and how to ask it."""

    def __init__(self, app, settings, request, person):
        self.app, self.settings, self.request, self.person = app, settings, request, person
        self.asked = 0
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://ctxgate", timeout=60)

    @property
    def gateway(self):
        return self.app.state.gateway

    async def ask(self):
        """A new request; its answer."""
        self.asked += 1
        claims = {**self.person, "iss": self.settings.jwt_issuer, "aud": self.settings.jwt_audience}
        bearer = development_issuer(self.settings).token({**claims, "exp": int(NOW.timestamp()) + 600})
        body = {**self.request, "query": f"number {self.asked}"}
        # New content too: what was screened before needs no detector.
        body["items"] = [self._new(item) for item in body["items"]]
        return await self.http.post(
            "/v1/packs", content=json.dumps(body), headers={"authorization": f"Bearer {bearer}"}
        )

    def _new(self, item):
        content = item["content"]
        return {**item, "content": f"{content} ({self.asked})"} if isinstance(content, str) else item

    async def ready(self):
        return (await self.http.get("/readyz")).status_code


@contextlib.asynccontextmanager
async def served(settings, story):
    request = story("npa-risk", "request")
    wanted = {"npa-record", "sop-4.2.1", "email-client", "turn-01"}
    request["items"] = [item for item in request["items"] if item["id"] in wanted]
    app = create_app(settings, clock=lambda: NOW)
    async with app.router.lifespan_context(app):
        bench = Bench(app, settings, request, story("npa-risk", "subject"))
        async with bench.http:
            assert (await bench.ask()).status_code == 200
            yield bench
