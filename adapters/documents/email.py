"""
E-mail as files (RFC 5322).

Rules held here: of a message its sender, recipients, subject, date and text are read; attachments are named, and not read: each is a
document of its own.
"""

import email
import email.policy

from email.message import EmailMessage
from typing import Final

from adapters.documents.html import add_html
from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft, one_line
from adapters.documents.text import add_plain, decoded
from gateway.errors import DocumentTooLargeError
from gateway.model.knowledge.document import ReadDocument

_HEADERS: Final = ("From", "To", "Cc", "Subject", "Date")
_LONGEST_HEADER: Final = 2_000
_LONGEST_NAME: Final = 200


class EmailReader:
    """A `gateway.ports.knowledge.Reader` of messages."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: of one file.
        """
        self._limits = limits

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({"message/rfc822"})

    def read(self, body: bytes) -> ReadDocument:
        message = email.message_from_bytes(body, policy=email.policy.default)
        draft = DocumentDraft(self._limits)
        for name in _HEADERS:
            if said := one_line(str(message.get(name, "")))[:_LONGEST_HEADER]:
                draft.add("paragraph", f"{name}: {said}")
        self._add_body(draft, message)
        for part in self._attachments(message):
            draft.add(
                "paragraph", f"Attachment: {one_line(part.get_filename() or part.get_content_type())[:_LONGEST_NAME]}"
            )
        return draft.done(str(message.get("Subject", "")))

    def _add_body(self, draft: DocumentDraft, message: EmailMessage) -> None:
        part = message.get_body(preferencelist=("plain", "html"))
        if part is None:
            return
        payload = part.get_payload(decode=True)
        text = decoded(payload if isinstance(payload, bytes) else b"", part.get_content_charset())
        if part.get_content_subtype() == "html":
            add_html(draft, text)
        else:
            add_plain(draft, text)

    def _attachments(self, message: EmailMessage) -> list[EmailMessage]:
        found = (
            [part for part in message.iter_attachments() if isinstance(part, EmailMessage)]
            if message.is_multipart()
            else []
        )
        if len(found) > self._limits.parts:
            raise DocumentTooLargeError("the message has more attachments than a document may have parts")
        return found
