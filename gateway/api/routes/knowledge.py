"""Documents over HTTP: take one in, take it back, and what is kept."""

import asyncio
import base64
import binascii

from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field

from gateway.api.dependencies import Caller, RunningGateway, only_described, read_document, require
from gateway.api.openapi import body_of
from gateway.concurrency.apart import apart
from gateway.content.parsing import shaped
from gateway.errors import DocumentUnknownError, FieldInvalidError
from gateway.knowledge.asking import OfferedDocument
from gateway.knowledge.checking import check
from gateway.knowledge.taking_back import withdraw
from gateway.knowledge.taking_in import take_in
from gateway.knowledge.telling import told
from gateway.model.base import Model, Name

READ: Final = "knowledge:read"
WRITE: Final = "knowledge:write"

router = APIRouter(prefix="/v1/knowledge", dependencies=[Depends(only_described)])

_Said = Annotated[dict[Name, str | int | float | bool | None], Field(max_length=64)]

CorpusQuery = Annotated[str, Query(min_length=1, max_length=200, description="A corpus of the registry.")]
OfCorpus = Annotated[str | None, Query(min_length=1, max_length=200, description="Of this corpus alone.")]
DocumentQuery = Annotated[str, Query(min_length=1, max_length=200, description="Name of a document in its corpus.")]


class DocumentBody(Model):
    """A file that is to become a version of a document."""

    corpus: Name
    """A corpus of the registry."""

    document: Name
    """What it is called there."""

    media_type: Annotated[str, Field(pattern=r"^[a-z]+/[a-z0-9.+-]+$", max_length=100)]
    """Of the file."""

    content: str
    """The file in Base64 (RFC 4648, section 4)."""

    said: _Said
    """Labels and metadata by name, such as `version`, `jurisdiction` or `notice_no`."""


BODIES = (DocumentBody,)
_EXAMPLE = {
    "corpus": "bank_sops_and_policies",
    "document": "booking-guide",
    "media_type": "text/markdown",
    "content": "IyBCb29raW5nCgpCb29rIGJlZm9yZSBub29uLgo=",
    "said": {
        "version": "1.0",
        "effective_date": "2026-01-01",
        "owner": "Global Markets",
        "data_classification": "INTERNAL",
        "jurisdiction": "GLOBAL",
        "domain": "NPA",
        "document_type": "procedure",
    },
}


def _decoded(content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FieldInvalidError("the content is no Base64", fields=[("content", "is no Base64")]) from error


@router.post("/documents", openapi_extra=body_of(DocumentBody, _EXAMPLE))
async def add(request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Take a document in, as far as policy lets it; what looks like instructions is set aside."""
    require(subject, WRITE)
    body = shaped(DocumentBody, await read_document(request, gateway))
    content = await apart(lambda: _decoded(body.content))
    offered = OfferedDocument(body.corpus, body.document, content, body.media_type, body.said)
    return asdict(await take_in(gateway.knowledge.room, offered, subject))


@router.get("/documents")
async def listed(gateway: RunningGateway, subject: Caller, corpus: OfCorpus = None) -> dict[str, Any]:
    """Documents of the caller's tenant that may be found or were set aside; never their text."""
    require(subject, READ, WRITE)
    kept = await asyncio.to_thread(gateway.knowledge.store.versions, subject.tenant, corpus)
    return {"documents": [told(one) for one in kept]}


@router.get("/history")
async def history(
    gateway: RunningGateway, subject: Caller, corpus: CorpusQuery, document: DocumentQuery
) -> dict[str, Any]:
    """All versions of a document, those that were replaced or taken back too."""
    require(subject, READ, WRITE)
    kept = await asyncio.to_thread(gateway.knowledge.store.versions, subject.tenant, corpus, document, history=True)
    if not kept:
        raise DocumentUnknownError("there is no such document")
    return {"versions": [told(one) for one in kept]}


PurgeQuery = Annotated[bool, Query(description="Delete the text of all its versions too, for good.")]


@router.delete("/documents")
async def remove(
    gateway: RunningGateway, subject: Caller, corpus: CorpusQuery, document: DocumentQuery, *, purge: PurgeQuery = False
) -> dict[str, Any]:
    """Take a document back: no request finds it from now on."""
    require(subject, WRITE)
    return {"versions": await withdraw(gateway.knowledge.room, corpus, document, subject, purge=purge)}


@router.get("/check")
async def compared(gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Whether the index holds exactly what may be found; how much that is would tell of other tenants."""
    require(subject, WRITE)
    return {"whole": (await check(gateway.knowledge.room, mend=False)).whole}
