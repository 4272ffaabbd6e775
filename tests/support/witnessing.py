"""
Witnesses and what is submitted to them: a log that grows, submissions of the protocol, and panels served in this process.

A log here is a store and the lane that is written to it, as `new_lane` answers them.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import httpx

from adapters.ledger.ed25519 import Ed25519Verifier, make_signing_key
from gateway.api.witness import create_witness
from gateway.audit.witnesses import WitnessPanel
from ledger.lane import LaneWriter
from ledger.log import LogReader
from ledger.store import Published, Store
from ledger.tlog.checkpoint import encode_hash
from ledger.tlog.note import COSIGNATURE
from ledger.tlog.trust import TrustPolicy
from ledger.tlog.witness import Witness, WitnessState
from tests.support.strategies import ORIGIN, keys, sequencer, signer, write_request

NOW: Final = 1_772_000_000
"""Seconds since 1970 at which witnesses sign."""

Log = tuple[Store, LaneWriter]

THREE_WITNESSES: Final = """
# three witnesses of two departments
log {log} https://log.test
witness w1 {w1} http://w1
witness w2 {w2} http://w2
witness w3 {w3} http://w3
group audit any w1 w2
group all-of-them 2 audit w3
quorum all-of-them
"""


def grown(log: Log, requests: int = 1) -> Published:
    """The log with some requests more, and its newest checkpoint."""
    store, lane = log
    for _ in range(requests):
        write_request(lane, ["released", "denied"])
    published = sequencer(store).run()
    assert published is not None
    return published


def new_witness(folder: Path, name: str = "w1.test") -> Witness:
    """A witness of the test's log, with a key and a state of its own."""
    key = make_signing_key(name, folder / f"{name}.skey", COSIGNATURE)
    return Witness(key, {ORIGIN: keys()}, WitnessState(folder / f"{name}.sqlite"), lambda: NOW)


def body(old: int, proof: Sequence[bytes], note: str) -> str:
    """A submission: the size that was cosigned last, a proof, a checkpoint."""
    return "\n".join([f"old {old}", *map(encode_hash, proof), "", note])


def proved(log: Log, old: int, published: Published) -> str:
    """A submission as an honest log makes it."""
    return body(old, LogReader(log[0]).consistency(old, published), published.note)


def policy_of(witnesses: Mapping[str, Witness]) -> str:
    """A trust policy that asks for one of w1 and w2, and for w3."""
    return THREE_WITNESSES.format(log=signer().key, **{name: one.signer.key for name, one in witnesses.items()})


def panel(log: Log, policy: str, witnesses: Mapping[str, Witness], down: Collection[str] = ()) -> WitnessPanel:
    """A panel whose witnesses are served in this process; some of them are down."""
    apps = {f"http://{name}": httpx.ASGITransport(create_witness(one)) for name, one in witnesses.items()}
    mounts = {url: transport for url, transport in apps.items() if url.removeprefix("http://") not in down}
    client = httpx.AsyncClient(mounts=mounts, transport=httpx.MockTransport(lambda _: httpx.Response(503)))
    parsed = TrustPolicy.parse(policy)
    cosigners = [Ed25519Verifier(party.key) for party in parsed.witnesses.values()]
    return WitnessPanel(parsed, log[0], client, log=keys(), witnesses=cosigners)
