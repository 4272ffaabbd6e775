"""A conversation, turn by turn, and the layers of the prompts that it makes."""

import copy

from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.prompt.render import texts
from tests.support.clock import NOW

SPEC = "The settlement engine nets trades at 18:00 SGT. Each netting set has one currency. Fails are reported within 30 minutes."

DOCS = "POST /trades books a trade. GET /trades/{id} reads it. Every call carries a bearer token."


def knowledge(name, content, **source):
    """A document as a candidate that the shipped policies release; labels may be changed."""
    return {
        "id": name,
        "section": "knowledge",
        "content": content,
        "score": 0.9,
        "provenance": {
            "source_id": f"KB:{name}",
            "source_type": "bank_sop",
            "version": "1.0",
            "effective_date": "2025-11-01",
            "owner": "Product Control",
            "fetched_at": "2026-03-01T09:15:00Z",
            "ttl_seconds": 86400,
            "data_classification": "INTERNAL",
            "jurisdiction": "GLOBAL",
            "domain": "NPA",
            **source,
        },
    }


class Chat:
    """A conversation, turn by turn, with one record and what is attached."""

    def __init__(self, gateway, story, subject):
        self.gateway, self.subject, self.turn = gateway, Subject.model_validate(subject), 0
        self.base = story("npa-risk", "request")
        wanted = {"system-risk", "npa-record"}
        self.items = [item for item in self.base["items"] if item["id"] in wanted]
        self.model = next(item for item in self.base["items"] if item["id"] == "turn-01")
        self.said = []

    def request(self, text, *attached, **changes):
        """The request of the present turn, as a document."""
        user = {**self.model, "id": "question", "section": "user", "content": text}
        items = [*self.items, *attached, *self.said, user]
        return {**self.base, "items": items, "turn": self.turn, "query": text, **changes}

    async def ask(self, text, *attached, gateway=None, now=NOW, **changes):
        """Go on by a turn; its pack."""
        self.turn += 1
        request = PackRequest.model_validate(self.request(text, *attached, **changes))
        pack = await (gateway or self.gateway).pipeline.assemble(Asked(request, self.subject, now))
        self.said.append({**copy.deepcopy(self.model), "id": f"said-{self.turn}", "content": text})
        return pack


def layer_text(pack, name):
    """The text of a layer of blocks."""
    return "".join(texts(pack, name))


def forms(pack, name):
    """What stands in a layer, each with its form."""
    [found] = [report for report in pack.envelope.layers if report.layer == name] or [None]
    return [] if found is None else [(segment.segment, segment.form) for segment in found.segments]
