"""Every bundle that was ever shown to this gateway, its bytes under their hash, and what is remembered of which decided."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from pydantic import Field

from gateway.errors import BundleInvalidError, FieldInvalidError, NotFoundError, SecondOfficerError
from gateway.model import Subject
from gateway.model.base import Model, utc_text
from gateway.policy.bundle import Bundle, bundle_of, files_of


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

    activated: tuple[str, ...] = ()
    """Revisions that have decided, oldest first."""

    before: str | None = None
    """The bundle from which the active one took over; None where that one was gone back to."""

    since: str | None = None
    """When the active one began to decide."""

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
                return ("BREAK-GLASS", "ROLLED-BACK")
        proposer = self.rollbacks.get(revision)
        if proposer == officer.person:
            raise SecondOfficerError("a rollback is confirmed by another officer than the one who proposed it")
        return () if proposer is None else ("ROLLED-BACK",)

    def switched(self, revision: str, now: datetime, *, back: bool) -> dict[str, object]:
        """What changes once a bundle decides; *back* where that is a rollback."""
        activated = (*(one for one in self.activated if one != revision), revision)
        if self.active not in activated:
            activated = (self.active, *activated)
        return {
            "active": revision,
            "activated": activated,
            "proposed": {one: person for one, person in self.proposed.items() if one != revision},
            "rollbacks": {},
            "before": None if back else self.active,
            "since": utc_text(now),
        }


def remembered(file: Path) -> LifecycleState | None:
    """What the desk remembered; None where it never had anything to remember."""
    return LifecycleState.model_validate_json(file.read_bytes()) if file.is_file() else None


class BundleStore:
    """A folder of bundles."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, revision: str) -> Path:
        return self._folder / f"{PurePosixPath(revision).name.removeprefix('sha256:')}.bundle"

    def keep(self, bundle: Bundle) -> None:
        """Store a bundle's bytes under their hash."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._path(bundle.revision).write_bytes(bundle.content)

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
