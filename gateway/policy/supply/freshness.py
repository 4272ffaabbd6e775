"""
How new fetched bundles are: no older one than before, and none whose time is over.

Rules held here, as The Update Framework has them: a serial once adopted is remembered for good, and nothing with a lower one, with
another content under the same one, or without one is adopted after it; an expired bundle is not adopted; one that decides when it
expires goes on for a grace and is told of, and then decides nothing more.  What officers activate or roll back to has no expiry:
two persons stand for it, and the record of what they did.
"""

import os

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from gateway.errors import BundleExpiredError, BundleOlderError
from gateway.model.base import Model
from gateway.policy.supply.numbering import Numbering

EXPIRED: Final = "BUNDLE-EXPIRED"
"""The bundle that decides is past its expiry, within the grace or beyond it."""


class NewestAdopted(Model):
    """What is remembered of the newest bundle that was fetched and adopted."""

    revision: str
    numbering: Numbering


class Freshness:
    """Judges bundles by their serial and expiry."""

    def __init__(self, file: Path, *, grace: timedelta, unnumbered: bool = False) -> None:
        """
        Args:
            file: where the newest adopted bundle is remembered, apart from what officers may move away.
            grace: how long a bundle goes on deciding after its expiry.
            unnumbered: whether bundles without a serial are adopted, as long as none with one was.

        Raises:
            ValueError: the file is damaged; a missing one stands for nothing.
        """
        self._file = file
        self._grace = grace
        self._unnumbered = unnumbered
        self._newest = NewestAdopted.model_validate_json(file.read_bytes()) if file.is_file() else None

    @property
    def newest(self) -> NewestAdopted | None:
        """The newest bundle that was adopted."""
        return self._newest

    def newer(self, revision: str, said: Numbering, now: datetime) -> bool:
        """
        Whether a fetched bundle says more than the one before; false for the very same one.

        Raises:
            BundleOlderError: it is older, or does not say how new it is.

            BundleExpiredError: its time is over.
        """
        newest = self._newest
        if said.serial is None:
            if self._unnumbered and newest is None:
                return True
            raise BundleOlderError("the fetched bundle has no serial and no expiry")
        if said.expired(now):
            raise BundleExpiredError("the fetched bundle has expired")
        known = newest.numbering.serial if newest else None
        if newest is None or known is None or said.serial > known:
            return True
        # Of the same serial only the same bundle is: then officers may have rolled back from it, and nothing newer is there.
        if said.serial < known or newest.revision != revision:
            raise BundleOlderError(f"the fetched bundle has the serial {said.serial}, and {known} was adopted before")
        return False

    def again(self, revision: str) -> bool:
        """Whether a fetched bundle is the newest adopted one, signed anew: it decides already, or officers took it back."""
        return self._newest is not None and self._newest.revision == revision

    def adopted(self, revision: str, said: Numbering) -> None:
        """Remember a bundle that was taken in, durably."""
        if said.serial is None:
            return
        self._newest = NewestAdopted(revision=revision, numbering=said)
        _write(self._file, self._newest.model_dump_json())

    def configured(self, revision: str, said: Numbering) -> None:
        """Take note of the archive that a gateway starts with, where nothing newer is remembered."""
        known = self._newest.numbering.serial if self._newest else None
        if said.serial is not None and (known is None or said.serial > known):
            self.adopted(revision, said)

    def expired(self, revision: str, now: datetime) -> bool:
        """Whether the bundle that decides is past its expiry."""
        return self._newest is not None and self._newest.revision == revision and self._newest.numbering.expired(now)

    def require(self, revision: str, now: datetime) -> None:
        """
        Raises:
            BundleExpiredError: the bundle that decides expired longer ago than the grace.
        """
        if self.expired(revision, now) and self.expired(revision, now - self._grace):
            raise BundleExpiredError("the bundle that decides expired, and its grace is over")


def _write(file: Path, text: str) -> None:
    """Write a file whole or not at all, on the disk before this returns."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".new")
    with draft.open("w") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    draft.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
