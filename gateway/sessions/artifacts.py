"""
Heavy artifacts: kept outside the pack, behind a handle that is signed, bound to one person, and valid for a short time.

Rules held here: what is fetched later is decided on, screened and recorded like any other item, at that time and under the
policies of that time; a handle tells nothing but a random-looking name and a time, and opens for nobody else.
"""

import base64
import hashlib
import hmac
import json

from dataclasses import dataclass
from datetime import datetime, timedelta

from gateway.concurrency.apart import apart
from gateway.errors import NotFoundError
from gateway.model import Case, PackRequest, Subject
from gateway.model.pseudonyms import keyed_name
from gateway.model.request import KeptRequest
from gateway.ports.stores import Artifacts


@dataclass(frozen=True, slots=True)
class ArtifactHandles:
    """Keeps heavy artifacts outside of packs, and gives handles to them."""

    store: Artifacts
    secret: bytes
    heavier_than: int
    """Bytes of content from which an item is heavy."""

    seconds: int
    """How long a handle is valid."""

    async def keep(self, alone: KeptRequest, case: Case, name: str) -> str:
        """
        Keep a request with one item alone; the handle that its person may fetch it by.

        Raises:
            StoreError: it is not kept, so nothing may be released.
        """
        person = keyed_name(self.secret, case.subject.sub)
        written = await apart(alone.model_dump_json)
        await self.store.put(keyed_name(self.secret, case.subject.tenant), person, name, written)
        return self.handle(case.subject, name, case.now + timedelta(seconds=self.seconds))

    def handle(self, subject: Subject, name: str, expires: datetime) -> str:
        """The handle of an artifact for one person."""
        body = json.dumps([name, int(expires.timestamp())], separators=(",", ":")).encode()
        return f"{_text(body)}.{_text(self._mac(subject, body))}"

    async def open(self, handle: str, subject: Subject, now: datetime) -> PackRequest:
        """
        What was asked when the artifact was kept, with it alone.

        Raises:
            NotFoundError: the handle is not this person's, is no longer valid, or stands for nothing.

            StoreError: it cannot be told.
        """
        gone = "no artifact is stored under that handle for this caller, or its handle has expired"
        try:
            body, mac = (base64.urlsafe_b64decode(f"{part}==") for part in handle.split("."))
            name, expires = json.loads(body) if hmac.compare_digest(mac, self._mac(subject, body)) else ("", 0)
        except ValueError as error:
            raise NotFoundError(gone) from error
        if now.timestamp() >= expires:
            raise NotFoundError(gone)
        kept = await self.store.get(keyed_name(self.secret, subject.tenant), keyed_name(self.secret, subject.sub), name)
        if kept is None:
            raise NotFoundError(gone)
        return await apart(lambda: KeptRequest.model_validate_json(kept), size=len(kept))

    def _mac(self, subject: Subject, body: bytes) -> bytes:
        person = json.dumps(["artifact", subject.tenant, subject.sub]).encode()
        return hmac.new(self.secret, person + b"\x00" + body, hashlib.sha256).digest()[:18]


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")
