"""
A ledger to be attacked: three lanes over four hours, cosigned by two witnesses each hour; and who looks at it afterwards.

Whoever attacks has all that is on the machine: the store, the keys' folder, the pin, the log's signing key where an attack says
so.  Outside are an auditor's own trust policy, the witnesses' keys, and what somebody kept.
"""

import io
import json
import shutil
import subprocess
import sys
import time

from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier, make_signing_key
from gateway.audit.export import export_ledger
from gateway.audit.open_ledger import OpenLedger
from gateway.cli.ledger.verify import verify_now
from gateway.errors import GatewayError
from gateway.policy.store import BundleStore
from gateway.settings import Settings
from ledger.erasable import commit_person
from ledger.errors import LedgerError
from ledger.intake.reading import Taken
from ledger.lane import LaneWriter, Submission
from ledger.pin import HeadPin
from ledger.record import Draft, GatewayPart, PackPart, PolicyPart
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.store import Head, Published, Store
from ledger.tlog.checkpoint import read_checkpoint
from ledger.tlog.merkle import leaf_hash, root_hash
from ledger.tlog.note import COSIGNATURE, cosign
from tests.support.bundles import SHIPPED
from tests.support.strategies import ORIGIN, keys, ruling, signer, uid
from tools import verify_ledger

HOURS = 4
LANES = 3

Change = Callable[[Draft], Draft | None]
"""What somebody makes of a record that is written again; None where it is left out."""


def same(draft: Draft) -> Draft | None:
    return draft


def at_hour(began: datetime, hour: float) -> datetime:
    return began + timedelta(hours=hour)


def instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True)
class Place:
    """A state folder, and what is outside it."""

    state: Path
    outside: Path
    began: datetime

    @property
    def settings(self) -> Settings:
        return Settings(state_dir=self.state, origin=ORIGIN)

    @property
    def store(self) -> Path:
        return self.settings.ledger_file

    @property
    def policy(self) -> Path:
        return self.outside / "policy.tlog"

    def copied(self, folder: Path) -> "Place":
        """The same, to be spoiled."""
        shutil.copytree(self.state, folder / "state")
        shutil.copytree(self.outside, folder / "outside")
        return Place(folder / "state", folder / "outside", self.began)

    def witnesses(self) -> list[Ed25519Signer]:
        return [Ed25519Signer.from_file(self.outside / f"w{n}.skey") for n in (1, 2)]


def cosigned(published: Published, witnesses: Sequence[Ed25519Signer], at: datetime) -> Published:
    """A checkpoint as both witnesses cosigned it at a time."""
    text = str(read_checkpoint(published.note))
    lines = "".join(cosign(text, witness, int(at.timestamp())) for witness in witnesses)
    return replace(published, note=published.note + lines)


class Believing(Sequencer):
    """A sequencer of whoever has the log's key and means harm: it takes whatever waits."""

    def _next_runs(self, old: Head) -> list[Taken]:
        return [
            Taken(run, [json.loads(body) for body in run.bodies], [leaf_hash(body) for body in run.bodies])
            for run in self.store.waiting(self.store.step)
        ]


def publish(
    store: Store, witnesses: Sequence[Ed25519Signer], at: datetime, key: Ed25519Signer | None = None
) -> Published:
    """Bring the log up to date and have it cosigned."""
    held = key or signer()
    published = Believing(store, ORIGIN, [held], lambda: [Ed25519Verifier(held.key), *keys()], clock=lambda: at).run()
    assert published is not None
    seen = cosigned(published, witnesses, at)
    if witnesses:
        store.publish(read_checkpoint(seen.note), seen.at, seen.note)
    return seen


def decided(request: str, at: datetime, count: int, asker: dict[str, Any]) -> list[Draft]:
    """Rulings of a request of somebody by the shipped bundle."""
    policy = PolicyPart(revision=SHIPPED.revision, engine="regorus", engine_version="1", entrypoint="context/decision")
    outcomes = ("released", "denied")
    return [ruling(request, f"item-{n}", outcomes[n % 2], at=instant(at), policy=policy, **asker) for n in range(count)]


def ask(lane: LaneWriter, at: datetime, count: int, change: Change = same) -> None:
    """One request with its rulings and its sealed pack, some of them changed on the way."""
    request = uid()
    person = lane.store.person("gfm", "ann", b"key of ann")
    asker = {"subject": person.token, "person": commit_person(person.salt, "gfm", "ann")}
    drafts = [one for one in map(change, decided(request, at, count, asker)) if one is not None]
    [written] = lane.commit([Submission(drafts, [b"sealed"] * len(drafts))])
    assert not isinstance(written, Exception)
    pack = PackPart(
        id=f"pack_{request}",
        digest="0" * 64,
        items=tuple(w.record.decision_id for w in written if w.record.outcome == "released"),
        rulings=len(written),
        rulings_root=root_hash([w.leaf for w in written]).hex(),
        lane_head=written[-1].leaf.hex(),
    )
    sealed = Draft(
        **{name: getattr(drafts[0], name) for name in ("trace_id", "request_id", "tenant", "subject", "person")},
        kind="pack.sealed",
        decision_id=uid(),
        at=instant(at),
        pack=pack,
    )
    lane.commit([Submission([sealed], [b"sealed"])])


def fill(place: Place, change: Change = same, *, hours: int = HOURS, witnessed: bool = True) -> None:
    """Four hours of a ledger in three lanes; the last hour ends now."""
    place.settings.ledger_file.parent.mkdir(parents=True, exist_ok=True)
    store = SqliteStore(place.store)
    lanes = [LaneWriter(store, ORIGIN, GatewayPart(replica=uid(), build="test"), signer()) for _ in range(LANES)]
    for hour in range(1, hours + 1):
        at = at_hour(place.began, hour)
        ask(lanes[hour % LANES], at - timedelta(seconds=30), 66, change)
        published = publish(store, place.witnesses() if witnessed else (), at)
    HeadPin(place.settings.pin).write(published.note, lanes[hours % LANES].position)
    store.close()


def made(folder: Path) -> Place:
    """The ledger, its keys, and what is outside."""
    place = Place(folder / "state", folder / "outside", datetime.now(UTC) - timedelta(hours=HOURS))
    (place.state / "keys").mkdir(parents=True)
    place.outside.mkdir()
    keys = [make_signing_key(f"w{n}.test", place.outside / f"w{n}.skey", COSIGNATURE).key for n in (1, 2)]
    lines = [f"log {signer().key}", *(f"witness w{n} {key}" for n, key in enumerate(keys, 1)), "group both all w1 w2"]
    place.policy.write_text("\n".join([*lines, "quorum both", ""]))
    place.settings.verifier_keys.write_text(f"{signer().key}\n")
    BundleStore(place.settings.bundles_dir).keep(SHIPPED)
    fill(place)
    store = SqliteStore(place.store)
    newest = store.published()
    assert newest is not None
    (place.outside / "kept").write_text(newest.note)
    text = str(read_checkpoint(newest.note))
    (place.outside / "head").write_text(text + "\n" + cosign(text, place.witnesses()[0], int(time.time())))
    export(place, folder / "export")
    store.close()
    return place


def export(place: Place, folder: Path, key: Ed25519Signer | None = None) -> None:
    """What the machine hands out, with the signing key that it has."""
    settings = place.settings.model_copy(update={"trust_policy": place.policy})
    store = SqliteStore(place.store)
    try:
        published = store.published()
        assert published is not None
        from gateway.bootstrap.key_files import log_keys

        parts = OpenLedger(store, HeadPin(settings.pin), None, key or signer(), log_keys(settings), None)  # type: ignore[arg-type]
        export_ledger(parts, store, published, folder, settings)
    finally:
        store.close()


def from_storage(place: Place, *, policy: bool = True, fresh: bool = False) -> str:
    """What `ctxgate ledger verify` says; an auditor's own policy beside it, or not.  Nothing where all is well."""
    settings = place.settings.model_copy(update={"trust_policy": place.policy if policy else None})
    try:
        with redirect_stdout(io.StringIO()):
            missing = verify_now(settings, fresh=timedelta(minutes=10) if fresh else None)
    except (LedgerError, GatewayError) as error:
        return str(error)
    return f"there is not: {', '.join(missing)}" if missing else ""


def verifier(folder: Path, *more: object) -> "subprocess.CompletedProcess[str]":
    """`verify_ledger.py` in this process, which takes half a second less than one of its own."""
    said, status = io.StringIO(), 0
    arguments = ["verify_ledger.py", str(folder), "--workers", "1", *map(str, more)]
    with mock.patch.object(sys, "argv", arguments), redirect_stdout(said):
        try:
            verify_ledger.main()
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess(arguments, status, said.getvalue(), "")


def by_itself(folder: Path, *more: object) -> str:
    """What `verify_ledger.py` says of an export.  Nothing where all is well."""
    done = verifier(folder, *more)
    return done.stdout if done.returncode else ""
