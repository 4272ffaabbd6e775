"""Headers that every answer carries: nothing here is for a browser to keep, frame or guess at."""

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"strict-transport-security", b"max-age=31536000"),
)
_UNLESS_SAID: Final = (b"cache-control", b"no-store")
_DOCS: Final = ("/docs", "/redoc", "/openapi.json")
"""The pages of the API's own description, which load scripts."""


class SecurityHeaders:
    """Puts them on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _DOCS:
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                headers.extend(_ALWAYS)
                if not any(name.lower() == _UNLESS_SAID[0] for name, _ in headers):
                    headers.append(_UNLESS_SAID)
            await send(message)

        await self._app(scope, receive, sending)
