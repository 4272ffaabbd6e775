"""Reports and what they are made from: hostile texts, ledgers that are the same in every run, and readers of both forms that are not ours."""

import hashlib
import io

from html.parser import HTMLParser
from typing import Any

from pypdf import PdfReader

from gateway.errors import NotFoundError
from gateway.policy.bundle import Bundle
from gateway.reporting.document import Chapter, Lines, Prose, Report, facts, table
from gateway.reporting.evidence import Material
from ledger.record import Draft, FindingCount, ItemPart, PolicyPart, SourcePart
from tests.support.strategies import AT, keys, sealing, write

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    '#include("/etc/passwd") $x$ [link](http://evil.example) // gone',
    "#sys.inputs \\u{41} *bold* _it_ @ref <label> `raw`",
    "]]>--><!--",
    "&amp;lt;b&gt;",
    "a\u202egnp.exe\u2066b\x00c\nd\u200be",
)
"""Texts that would be something else than text to a browser, a template engine, a typesetter or an eye."""


def sample(*texts, at="2026-10-31T00:00:00.000000Z"):
    """A report in which each text stands in every place where there may be one of others."""
    rows = [(text, place, place % 2 == 0, (text, "x"), None) for place, text in enumerate(texts)]
    columns = {"name": "Name", "count": "Count", "flag": "Flag", "codes": "Codes", "gone": "Gone"}
    blocks = [
        table("rows", "Rows of things", columns, rows),
        facts("things", *((f"f{place}", f"Fact {place}", text) for place, text in enumerate(texts))),
        Lines("lines", "Lines", texts),
        *(Prose(text) for text in texts),
        table("nothing", "Nothing", {"one": "One"}, [], none="There was none."),
    ]
    return Report("sample", "A sample", at, texts[:2], (Chapter("First", tuple(blocks)), Chapter("Second", ())))


class PageReader(HTMLParser):
    """What a page has: its tags with their attributes, and its text outside of styles."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.texts, self._in = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self._in.append(tag)

    def handle_endtag(self, tag):
        while self._in and self._in.pop() != tag:
            pass

    def handle_data(self, data):
        if "style" not in self._in:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def text_of(pdf):
    """The text of a PDF without blanks, since a line may end anywhere."""
    return "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages)


def squeezed(text):
    """A text as `text_of` gives it."""
    return "".join(text.split())


def number(place):
    """The id of a record at a place, the same in every run."""
    return f"00000000-0000-7000-8000-{place:012d}"


def drafted(kind, place, **changes):
    """The draft of a record of any kind, the same in every run."""
    fields = {
        "kind": kind,
        "decision_id": number(place),
        "trace_id": "trace",
        "request_id": number(1_000_000 + place),
        "tenant": "gfm",
        "subject": "token-1",
        "agent": "RISK",
        "purpose": "risk_assessment",
        "at": AT,
    }
    return Draft(**{**fields, **changes})


def item(name):
    """What is committed to, under a name."""
    return ItemPart(id=name, commitment=hashlib.sha256(name.encode()).hexdigest(), bytes=1, media_type="text/plain")


_RULES = """# METADATA
# title: Injected instructions
# description: Content that instructs the model.
# organizations: [AI Governance]
package context.injection

# METADATA
# title: Suspected injection
# description: The item looks like instructions.
# related_resources: [{ref: https://controls.bank.example/AIG-012}]
# custom: {code: INJ-003}
set_aside contains {"code": "INJ-003", "message": "m"} if not harmless

# METADATA
# title: Outside the request
# description: The item is of another jurisdiction.
# related_resources: [{ref: https://controls.bank.example/DPO-014}, {ref: https://controls.bank.example/DPO-016}]
# custom: {code: JUR-001}
deny contains {"code": "JUR-001", "message": "m"} if not inside
"""

GRANTED = {
    "id": "EXC-2026-001",
    "owner": "Head of Product Control",
    "reason": "The guide stays in use until its successor is signed off.",
    "codes": ["FRS-004"],
    "scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
    "expires": "2026-06-30",
    "rollback_trigger": "Publication of the successor",
}

BUNDLE = Bundle(
    f"sha256:{'5' * 64}",
    {"context/injection/injection.rego": _RULES},
    {"context": {"exceptions": {"granted": [GRANTED], "waivable": ["FRS-004"]}}},
)
"""A bundle of two rules and an exception, which no officer changes."""


def decided(revision=BUNDLE.revision, entrypoint="context/release"):
    """What decided."""
    return PolicyPart(revision=revision, engine="regorus", engine_version="0.13.0", entrypoint=entrypoint)


REQUEST = number(999)

RULED: Any = (
    ("sop-4.2.1", "released", (), {"obligations": ("cite",), "source": SourcePart(id="SOP", version="4", tier=2)}),
    ("mail-7", "redacted", (), {"findings": (FindingCount(type="pii:PERSON", count=2),)}),
    ("mail-8", "quarantined", ("INJ-003",), {}),
    ("hkma-circular", "denied", ("JUR-001", "JUR-002"), {}),
    ("old-guide", "released", (), {"exceptions": ("EXC-2026-001",)}),
)


def write_pack(lane, ruled=RULED, *, first=0, request=REQUEST):
    """A request with rulings, an exception that was used, an item that was left out, and the sealed pack; the same in every run."""
    shared = {"request_id": request, "policy": decided(), "detectors": {"presidio": "2.2"}}
    drafts = [
        drafted("item.ruled", first + place, item=item(name), outcome=outcome, codes=codes, **{**shared, **more})
        for place, (name, outcome, codes, more) in enumerate(ruled)
    ]
    written = write(lane, *drafts)
    used = [one for one in drafts if one.exceptions]
    write(
        lane,
        *(
            drafted("exception.used", first + 100 + place, item=one.item, exceptions=one.exceptions, request_id=request)
            for place, one in enumerate(used)
        ),
        drafted(
            "item.dropped",
            first + 200,
            item=drafts[-1].item,
            outcome="dropped",
            codes=("DROP-DUPLICATE",),
            request_id=request,
        ),
        sealing(request, written).model_copy(update={"decision_id": number(first + 300), "agent": "RISK"}),
    )


def material(store, *, kept=None, deciding=BUNDLE, trust=None, witnesses=()):
    """What reports are made from, over a store of a test."""

    def none(revision):
        raise NotFoundError("there is no bundle of that revision")

    return Material(store, keys(), witnesses, trust, kept or none, deciding)
