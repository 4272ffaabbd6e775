"""Every bundle that was ever shown to this gateway, its bytes under their hash, and what is remembered of which decided."""

import hashlib

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Final

from pydantic import Field

from gateway.errors import BundleInvalidError, FieldInvalidError, NotFoundError, SecondOfficerError
from gateway.model import Subject
from gateway.model.base import Model, RecordProof, person_of, utc_text
from gateway.policy.bundle import Bundle, bundle_of, content_of, files_of

BREAK_GLASS: Final = "BREAK-GLASS"
"""Code of a rollback that one officer made alone."""


class LifecycleState(Model):
    """
    What the desk remembers between starts, and what follows from it for the next step.

    Rules held here: a proposal is used up by the activation it led to; a rollback is proposed too, except to the bundle just
    before the active one, within a time; whatever is switched to, rollbacks that were proposed before are proposed no more.
    """

    active: str
    proposers: dict[str, str] = Field(default_factory=dict)
    """Who proposed which revision, by tenant and subject, as earlier versions kept it: not believed any more."""

    proposed: dict[str, str] = Field(default_factory=dict)
    """Which person proposed which revision."""

    rollbacks: dict[str, str] = Field(default_factory=dict)
    """Which person proposed to go back to which revision."""

    proofs: dict[str, RecordProof] = Field(default_factory=dict)
    """The records of what is proposed, by code and revision with a blank between: a proposal without one is none."""

    reviews: dict[str, str] = Field(default_factory=dict)
    """By revision the digest of what was found when it was proposed last."""

    cases: dict[str, str] = Field(default_factory=dict)
    """By revision the digest of the cases and tests with which it came to decide."""

    activated: tuple[str, ...] = ()
    """Revisions that have decided, oldest first."""

    before: str | None = None
    """The bundle from which the active one took over; None where that one was gone back to."""

    since: str | None = None
    """When the active one began to decide."""

    def without(self, person: str) -> "LifecycleState":
        """The same without a person's proposals, which nobody else could confirm knowing that it is somebody else."""
        left = {
            name: {one: who for one, who in getattr(self, name).items() if who != person}
            for name in ("proposed", "rollbacks")
        }
        # Of earlier versions, and believed by nobody: there is nothing in it that has to stay.
        return self.model_copy(update={**left, "proposers": {}})

    def unless_dropped(self, before: "LifecycleState", kept: "LifecycleState") -> "LifecycleState":
        """The same without proposals that this process knew *before* and that another has dropped from what is *kept*."""
        left = {
            name: {
                one: who
                for one, who in getattr(self, name).items()
                if one not in getattr(before, name) or one in getattr(kept, name)
            }
            for name in ("proposed", "rollbacks")
        }
        return self.model_copy(update=left)

    def proof_of(self, code: str, revision: str) -> RecordProof | None:
        """The record of a proposal."""
        return self.proofs.get(f"{code} {revision}")

    def may_activate(self, revision: str, officer: Subject) -> None:
        """
        Raises:
            NotFoundError: nobody proposed the revision.

            SecondOfficerError: the officer is the one who proposed it.
        """
        if revision not in self.proposed:
            raise NotFoundError("there is no proposal of that revision")
        if self.proposed[revision] == officer.person:
            raise SecondOfficerError("a bundle is activated by another officer than the one who proposed it")

    def way_back(self, revision: str, officer: Subject, now: datetime, alone_seconds: float) -> tuple[str, ...]:
        """
        The codes of a rollback that an officer may carry out; none where it may only be proposed.

        Raises:
            NotFoundError: the revision never decided.

            FieldInvalidError: it decides already.

            SecondOfficerError: the officer is the one who proposed to go back to it.
        """
        if revision not in self.activated:
            raise NotFoundError("no bundle of that revision was ever active")
        if revision == self.active:
            raise FieldInvalidError("that bundle decides already", fields=[("revision", "decides already")])
        if revision == self.before and self.since is not None:
            waited = now - datetime.fromisoformat(self.since)
            if timedelta(0) <= waited <= timedelta(seconds=alone_seconds):
                return (BREAK_GLASS, "ROLLED-BACK")
        proposer = self.rollbacks.get(revision)
        if proposer == officer.person:
            raise SecondOfficerError("a rollback is confirmed by another officer than the one who proposed it")
        return () if proposer is None else ("ROLLED-BACK",)

    def switched(self, revision: str, now: datetime, *, back: bool) -> dict[str, object]:
        """What changes once a bundle decides; *back* where that is a rollback."""
        # What was proposed of it is used up, and so is what was found then.
        activated = (*(one for one in self.activated if one != revision), revision)
        if self.active not in activated:
            activated = (self.active, *activated)
        return {
            "active": revision,
            "activated": activated,
            "proposed": {one: person for one, person in self.proposed.items() if one != revision},
            "reviews": {one: digest for one, digest in self.reviews.items() if one != revision},
            "rollbacks": {},
            "proofs": {
                one: proof for one, proof in self.proofs.items() if one.startswith("PROPOSED ") and revision not in one
            },
            "before": None if back else self.active,
            "since": utc_text(now),
        }


def remembered(file: Path) -> LifecycleState | None:
    """What the desk remembered; None where it never had anything to remember."""
    return LifecycleState.model_validate_json(file.read_bytes()) if file.is_file() else None


def keep_state(file: Path, state: LifecycleState) -> None:
    """Have the desk remember this, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".new")
    draft.write_text(state.model_dump_json())
    draft.replace(file)


def forget_proposals(file: Path, name: str) -> int:
    """Drop what a person proposed as an officer, by `sub`; how many proposals that were."""
    state = remembered(file)
    if state is None:
        return 0
    left = state.without(person_of(name))
    if left != state:
        keep_state(file, left)
    return sum(len(getattr(state, one)) - len(getattr(left, one)) for one in ("proposed", "rollbacks"))


class BundleStore:
    """A folder of bundles."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, revision: str) -> Path:
        return self._folder / f"{PurePosixPath(revision).name.removeprefix('sha256:')}.bundle"

    def keep(self, bundle: Bundle) -> str:
        """Store a bundle's bytes under their hash, and its cases and tests under theirs; the digest of these."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._path(bundle.revision).write_bytes(bundle.content)
        return self.keep_beside("cases", content_of(bundle.checks))

    def keep_beside(self, kind: str, content: bytes) -> str:
        """Store what goes with a bundle, of a kind such as `cases`, under its hash; the digest."""
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._beside(kind, digest).write_bytes(content)
        return digest

    def beside(self, kind: str, digest: str) -> bytes:
        """
        What goes with a bundle, its hash checked.

        Raises:
            NotFoundError: there is none of that digest.

            BundleInvalidError: its bytes are not the ones that were stored.
        """
        path = self._beside(kind, digest)
        if not path.is_file():
            raise NotFoundError("what was kept with the bundle is not there any more")
        content = path.read_bytes()
        if f"sha256:{hashlib.sha256(content).hexdigest()}" != digest:
            raise BundleInvalidError("what was kept with the bundle does not have the hash that it is stored under")
        return content

    def all_beside(self, kind: str) -> Iterator[bytes]:
        """Everything of a kind that goes with bundles and has the hash that it is stored under."""
        for path in sorted(self._folder.glob(f"*.{kind}")):
            content = path.read_bytes()
            if hashlib.sha256(content).hexdigest() == path.stem:
                yield content

    def _beside(self, kind: str, digest: str) -> Path:
        return self._folder / f"{PurePosixPath(digest).name.removeprefix('sha256:')}.{kind}"

    def with_cases(self, revision: str, digest: str) -> Bundle:
        """
        A bundle from the store, with the cases and tests of a digest.

        Raises:
            NotFoundError, BundleInvalidError: as `stored` and `beside`.
        """
        return replace(self.stored(revision), checks=files_of(self.beside("cases", digest)))

    def stored(self, revision: str) -> Bundle:
        """
        A bundle from the store, its hash checked.

        Raises:
            NotFoundError: there is none of that revision.

            BundleInvalidError: its bytes are not the ones that were stored.
        """
        path = self._path(revision)
        if not path.is_file():
            raise NotFoundError("there is no bundle of that revision")
        bundle = bundle_of(files_of(path.read_bytes()), kept=True)
        if bundle.revision != revision:
            raise BundleInvalidError("the stored bundle does not have the hash that it is stored under")
        return bundle

    def paths(self) -> Iterator[Path]:
        """The files, in order of their names."""
        yield from sorted(self._folder.glob("*.bundle"))
