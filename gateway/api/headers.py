"""Headers that every answer carries: nothing here is for a browser to keep, frame or guess at."""

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"strict-transport-security", b"max-age=31536000"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
NOT_KEPT: Final = (b"cache-control", b"no-store")
_MAY_BE_SAID: Final = (ALWAYS[-1], NOT_KEPT)
"""What a route may say otherwise."""


class SecurityHeaders:
    """Puts them on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                said = {name.lower() for name, _ in headers}
                headers.extend(ALWAYS[:-1])
                headers.extend(one for one in _MAY_BE_SAID if one[0] not in said)
            await send(message)

        await self._app(scope, receive, sending)
