"""Heavy artifacts in a folder, each sealed, under the marks of its tenant and person."""

import contextlib
import os
import shutil
import time

from pathlib import Path

from adapters.stores.own_keys import OwnKeys
from adapters.stores.value_cipher import decrypting
from gateway.errors import StoreError


class DirectoryArtifacts:
    """A `gateway.sessions.artifacts.Artifacts`."""

    def __init__(self, folder: Path, own: OwnKeys, *, seconds: float) -> None:
        """
        Args:
            folder: made when the first artifact comes.
            own: seals artifacts under the keys of their persons.
            seconds: how long an artifact is kept; each new one deletes those of everybody that are older.
        """
        self._folder = folder
        self._own = own
        self._seconds = seconds

    async def put(self, tenant: str, person: str, name: str, value: str) -> None:
        await decrypting(lambda: self._put(tenant, person, name, value))

    async def get(self, tenant: str, person: str, name: str) -> str | None:
        return await decrypting(lambda: self._get(tenant, person, name))

    async def forget(self, tenant: str, person: str) -> int:
        return await decrypting(lambda: self._forget(tenant, person))

    def _put(self, tenant: str, person: str, name: str, value: str) -> None:
        location = self._folder / tenant / person
        try:
            self._delete_old()
            location.mkdir(parents=True, exist_ok=True, mode=0o700)
            half = location / f".{name}.{os.getpid()}"
            with half.open("wb") as file:
                file.write(self._own.seal(value, tenant, f"{person}/{name}", person))
                file.flush()
                os.fsync(file.fileno())
            half.replace(location / name)
        except OSError as error:
            raise StoreError("an artifact could not be kept") from error

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
            raise StoreError("an artifact could not be read") from error
        return self._own.open(sealed, tenant, f"{person}/{name}")

    def _forget(self, tenant: str, person: str) -> int:
        location = self._folder / tenant / person
        try:
            count = len(list(location.iterdir())) if location.exists() else 0
            if count:
                shutil.rmtree(location)
        except OSError as error:
            raise StoreError("artifacts could not be deleted") from error
        return count
