"""Rooms for acts on documents: the shipped policies, a real store and ledger, detectors that find what a text says."""

import asyncio
import os
import signal
import sys

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

from adapters.knowledge.findings import KeptFindings
from adapters.knowledge.folders import DocumentFolder
from adapters.knowledge.store import SqliteDocuments
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.knowledge.asking import OfferedDocument
from gateway.knowledge.room import KnowledgeRoom
from gateway.knowledge.syncing import sync
from gateway.knowledge.taking_in import take_in
from gateway.model import Finding, Subject
from gateway.policy.registries import Registries
from tests.support.bundles import SHIPPED
from tests.support.clock import NOW
from tests.support.fakes import LaneLedger
from tests.support.plain_reader import PlainReader, by_blocks
from tests.support.unindexed import Unindexed

OFFICER = Subject(
    sub="ada.lovelace",
    tenant="gfm",
    role="approver",
    department="LEGAL",
    jurisdictions=("SG",),
    scope="knowledge:write",
)
SAID = {
    "version": "1.0",
    "effective_date": "2026-01-01",
    "owner": "Global Markets",
    "data_classification": "INTERNAL",
    "jurisdiction": "SG",
    "domain": "NPA",
    "document_type": "procedure",
}
CORPUS = "bank_sops_and_policies"
TEXT = "# Booking\n\nBook before noon.\n\n## Late trades\n\nAsk the desk head.\n"


class Reading:
    """Takes a text that says ATTACK for an attack, and counts what it was given."""

    name = "reading"
    reads_across = False

    def __init__(self, version="1"):
        self.version = version
        self.seen = []

    def serves(self, screening):
        return True

    def cost(self, item, screening):
        return 0.0

    async def detect(self, items, screening, tenant):
        texts = ["\n".join(leaf.text for leaf in item) for item in items]
        self.seen += [(screening, text) for text in texts]
        sign = Finding(kind="injection", type="rule", score=0.99, start=0, end=6, detector=self.name)
        return [[sign] if "ATTACK" in text and screening == "injection" else [] for text in texts]


class Clock:
    """Goes a second further each time."""

    def __init__(self):
        self.now = NOW

    def __call__(self):
        self.now += timedelta(seconds=1)
        return self.now


def shipped(change=lambda registry: registry):
    """The shipped bundle with its registry, changed."""
    registries = Registries()
    registries.hold(SHIPPED)
    pinned = registries.pinned(SimpleNamespace(pinned=lambda: RegorusPolicyEngine(SHIPPED)))
    return replace(pinned, registry=change(pinned.registry), sources=())


def room_at(folder, detector=None, index=None, pinned=None):
    """A room whose store and ledger lie in a folder."""
    store = SqliteDocuments(Path(folder) / "knowledge.sqlite")
    held = pinned or shipped()
    return KnowledgeRoom(
        store=store,
        index=index or Unindexed(),
        readers=dict.fromkeys(PlainReader.media_types, PlainReader()),
        chunked=by_blocks,
        ledger=LaneLedger(Path(folder) / "ledger.sqlite"),
        pinned=lambda: held,
        detectors=lambda _: (detector or Reading(),),
        findings=KeptFindings(store, 1000),
        clock=Clock(),
        document_bytes=100_000,
    )


def offered(text=TEXT, name="booking", corpus=CORPUS, **said):
    """A document of the bank."""
    body = text if isinstance(text, bytes) else text.encode()
    return OfferedDocument(corpus, name, body, "text/markdown", {**SAID, **said})


def kinds(room):
    """Of the records that the room made, their kinds."""
    return [draft.kind for draft in room.ledger.drafts]


def texts_of(room, tenant="gfm"):
    """What may be found, as an index would be asked for it."""
    permitted = {one.id for one in room.store.tuples(tenant)}
    ids = [one.id for one in room.store.findable() if one.tuple_id in permitted]
    return [chunk.text for chunk in room.store.chunks(ids).values()]


class _Killed:
    """Passes on what it is asked, and kills the process at the call of a number."""

    def __init__(self, inner, calls, names):
        self._inner, self._calls, self._names = inner, calls, names

    def __getattr__(self, name):
        member = getattr(self._inner, name)
        if name not in self._names:
            return member

        def call(*arguments, **named):
            self._calls.append(name)
            if len(self._calls) == int(os.environ["KILLED_AT"]):
                if os.environ["KILLED"] == "before":
                    os.kill(os.getpid(), signal.SIGKILL)
                answer = member(*arguments, **named)
                os.kill(os.getpid(), signal.SIGKILL)
                return answer
            return member(*arguments, **named)

        return call


def _work(folder):
    """Take what lies in a folder in, and be killed on the way."""
    from dataclasses import replace

    calls = []
    room = room_at(folder)
    store = _Killed(room.store, calls, {"put", "publish", "withdraw", "verified", "moved"})
    room = replace(
        room, store=store, index=_Killed(room.index, calls, {"replace"}), ledger=_Killed(room.ledger, calls, {"append"})
    )

    async def run():
        for name in ("first", "second"):
            await take_in(room, offered(f"# {name}\n\nText of {name}.\n", name), OFFICER)
            print(f"taken {name}", flush=True)
        await sync(room, DocumentFolder(Path(folder) / "documents"), CORPUS, OFFICER)
        print("synced", flush=True)

    asyncio.run(run())
    print(f"calls {len(calls)}", flush=True)


if __name__ == "__main__":
    _work(sys.argv[1])
