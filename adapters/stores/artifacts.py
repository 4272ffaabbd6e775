"""Heavy artifacts in a folder, each sealed, under the marks of its tenant and person."""

import contextlib
import os
import shutil
import time

from pathlib import Path

from adapters.stores.sealing import Sealing, unsealing
from gateway.errors import AsideError


class DirectoryArtifacts:
    """A `gateway.sessions.artifacts.Artifacts`."""

    def __init__(self, folder: Path, sealing: Sealing, *, seconds: float) -> None:
        """
        Args:
            folder: made when the first artifact comes.
            sealing: seals artifacts.
            seconds: how long an artifact is kept; each new one deletes those of everybody that are older.
        """
        self._folder = folder
        self._sealing = sealing
        self._seconds = seconds

    async def put(self, tenant: str, person: str, name: str, value: str) -> None:
        await unsealing(lambda: self._put(tenant, person, name, value))

    async def get(self, tenant: str, person: str, name: str) -> str | None:
        return await unsealing(lambda: self._get(tenant, person, name))

    async def forget(self, tenant: str, person: str) -> int:
        return await unsealing(lambda: self._forget(tenant, person))

    def _put(self, tenant: str, person: str, name: str, value: str) -> None:
        place = self._folder / tenant / person
        try:
            self._delete_old()
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            half = place / f".{name}.{os.getpid()}"
            with half.open("wb") as file:
                file.write(self._sealing.seal(value, tenant, f"{person}/{name}"))
                file.flush()
                os.fsync(file.fileno())
            half.replace(place / name)
        except OSError as error:
            raise AsideError("an artifact could not be kept") from error

    def _delete_old(self) -> None:
        oldest = time.time() - self._seconds
        for file in self._folder.glob("*/*/*"):
            # Another gateway may be faster.
            with contextlib.suppress(FileNotFoundError):
                if file.stat().st_mtime < oldest:
                    file.unlink()

    def _get(self, tenant: str, person: str, name: str) -> str | None:
        try:
            sealed = (self._folder / tenant / person / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise AsideError("an artifact could not be read") from error
        return self._sealing.open(sealed, tenant, f"{person}/{name}")

    def _forget(self, tenant: str, person: str) -> int:
        place = self._folder / tenant / person
        try:
            count = len(list(place.iterdir())) if place.exists() else 0
            shutil.rmtree(place, ignore_errors=False) if count else None
        except OSError as error:
            raise AsideError("artifacts could not be deleted") from error
        return count
