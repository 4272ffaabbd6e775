"""The API's description: the OpenAPI document, and a page for people that loads nothing from elsewhere."""

from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from gateway.api.dependencies import RunningGateway, opened
from gateway.errors import NotFoundError

router = APIRouter(include_in_schema=False)

_SELF_ONLY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)
_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>ctxgate</title>
<link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="description"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></body></html>
"""
_START: Final = (
    'SwaggerUIBundle({url: "openapi.json", dom_id: "#description", deepLinking: true, validatorUrl: null});\n'
)
_SHIPPED: Final = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript"}
"""Files of Swagger UI as `fastapi-offline` brings them."""


@router.get("/openapi.json", dependencies=[Depends(opened("docs"))])
async def openapi(request: Request) -> JSONResponse:
    """The OpenAPI document, for whoever has a token."""
    return JSONResponse(request.app.openapi())


@router.get("/docs")
@router.get("/docs/{name}")
async def docs(gateway: RunningGateway, name: str = "") -> Response:
    """The page, where a setting opens it: a browser that looks at it brings no token."""
    if "docs" not in gateway.settings.open_to_all:
        raise NotFoundError("no route has this path and method")
    headers = {"content-security-policy": _SELF_ONLY}
    if name in _SHIPPED:
        body = (files("fastapi_offline") / "static" / name).read_bytes()
        return Response(body, media_type=_SHIPPED[name], headers=headers)
    if name == "start.js":
        return Response(_START, media_type="text/javascript", headers=headers)
    if name:
        raise NotFoundError("the page has no such part")
    return Response(_PAGE, media_type="text/html", headers=headers)
