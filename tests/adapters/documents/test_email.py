"""What is read of messages."""

from email.message import EmailMessage

from adapters.documents.email import EmailReader
from adapters.documents.limits import ReadingLimits


def message(**headers: str) -> EmailMessage:
    made = EmailMessage()
    for name, said in headers.items():
        made[name] = said
    return made


def read(made: EmailMessage):
    return EmailReader(ReadingLimits()).read(bytes(made))


def test_a_message():
    """
    Sender, recipients, subject, date and text are read; an attachment is named, not read; the subject is the title.
    """
    made = message(
        From="Ann <a@bank.example>", To="b@bank.example", Subject="Grüße", Date="Mon, 02 Nov 2026 09:00:00 +0000"
    )
    made.set_content("Hello.\n\nSecond.")
    made.add_attachment(b"secret", maintype="text", subtype="plain", filename="terms.txt")
    found = read(made)
    assert found.title == "Grüße"
    assert found.text.split("\n\n") == [
        "From: Ann <a@bank.example>",
        "To: b@bank.example",
        "Subject: Grüße",
        "Date: Mon, 02 Nov 2026 09:00:00 +0000",
        "Hello.",
        "Second.",
        "Attachment: terms.txt",
    ]


def test_html_alone():
    """
    A message of HTML alone is read as a page, so that what it hides is not read.
    """
    made = message(From="a@bank.example", Subject="s")
    made.set_content("<p>Seen</p><p style='display:none'>not seen</p>", subtype="html")
    assert read(made).text.endswith("Seen")


def test_text_is_preferred():
    """
    Of the same text as plain and as HTML the plain one is read, once.
    """
    made = message(From="a@bank.example", Subject="s")
    made.set_content("plain")
    made.add_alternative("<p>html</p>", subtype="html")
    assert read(made).text.endswith("plain")
    assert "html" not in read(made).text
