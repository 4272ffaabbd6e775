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
from typing import Protocol

from gateway.answers import mark
from gateway.blocks import inside
from gateway.content import content_bytes
from gateway.digest import extract
from gateway.errors import NotFoundError
from gateway.model import Budgets, Case, PackRequest, Piece, Selection, Subject


class Artifacts(Protocol):
    """Keeps artifacts by marks of tenant and person."""

    async def put(self, tenant: str, person: str, name: str, value: str) -> None:
        """
        Keep a value durably.

        Raises:
            AsideError: it is not durable.
        """

    async def get(self, tenant: str, person: str, name: str) -> str | None:
        """
        A value; None if there is none.

        Raises:
            AsideError: it cannot be told.
        """

    async def forget(self, tenant: str, person: str) -> int:
        """
        Delete what is kept of a person; how many artifacts that were.

        Raises:
            AsideError: it is not known to be gone.
        """


@dataclass(frozen=True, slots=True)
class Isolation:
    """Keeps heavy artifacts outside of packs."""

    artifacts: Artifacts
    secret: bytes
    heavier_than: int
    """Bytes of content from which an item is heavy."""

    seconds: int
    """How long a handle is valid."""

    async def isolate(self, selection: Selection, case: Case, budgets: Budgets) -> Selection:
        """
        The selection with an extract and a handle in the place of every heavy item of a section that policy names.

        Raises:
            AsideError: an artifact is not kept, so nothing may be released.
        """
        sections = selection.told.may_stay_outside
        kept = [
            await self._light(piece, case, budgets) if piece.ruling.item.section in sections else piece
            for piece in selection.kept
        ]
        return selection.model_copy(update={"kept": tuple(kept)})

    async def _light(self, piece: Piece, case: Case, budgets: Budgets) -> Piece:
        item = piece.ruling.item
        protected = item.provenance.source_type in budgets.never_cut_sources
        size = len(content_bytes(piece.content))
        if protected or piece.joined or size <= self.heavier_than:
            return piece
        name = case.derive_id("artifact", item.id)
        alone = case.request.model_copy(update={"items": (item,), "turn": None, "render": None})
        person = mark(self.secret, case.subject.sub)
        await self.artifacts.put(mark(self.secret, case.subject.tenant), person, name, alone.model_dump_json())
        handle = self.handle(case.subject, name, case.now + timedelta(seconds=self.seconds))
        content = _extracted(piece, handle, size, budgets.library.verbatim_characters)
        return piece.model_copy(update={"content": content, "form": "extract", "artifact": handle})

    def handle(self, subject: Subject, name: str, expires: datetime) -> str:
        """The handle of an artifact for one person."""
        body = json.dumps([name, int(expires.timestamp())], separators=(",", ":")).encode()
        return f"{_text(body)}.{_text(self._mac(subject, body))}"

    async def open(self, handle: str, subject: Subject, now: datetime) -> PackRequest:
        """
        What was asked when the artifact was kept, with it alone.

        Raises:
            NotFoundError: the handle is not this person's, is no longer valid, or stands for nothing.

            AsideError: it cannot be told.
        """
        gone = "there is no artifact behind that handle for this caller, or no more"
        try:
            body, mac = (base64.urlsafe_b64decode(f"{part}==") for part in handle.split("."))
            name, expires = json.loads(body) if hmac.compare_digest(mac, self._mac(subject, body)) else ("", 0)
        except ValueError as error:
            raise NotFoundError(gone) from error
        if now.timestamp() >= expires:
            raise NotFoundError(gone)
        kept = await self.artifacts.get(mark(self.secret, subject.tenant), mark(self.secret, subject.sub), name)
        if kept is None:
            raise NotFoundError(gone)
        return PackRequest.model_validate_json(kept)

    def _mac(self, subject: Subject, body: bytes) -> bytes:
        person = json.dumps(["artifact", subject.tenant, subject.sub]).encode()
        return hmac.new(self.secret, person + b"\x00" + body, hashlib.sha256).digest()[:18]


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def _extracted(piece: Piece, handle: str, size: int, characters: int) -> str:
    """A bounded extract with the handle, within the fence where there is one."""
    before, text, after = inside(piece)
    whole = f"[extract of {size} bytes; the whole: artifact {handle}]"
    return f"{before}{whole}\n{extract(text, characters)}{after}"
