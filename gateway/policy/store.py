"""Every bundle that was ever shown to this gateway, its bytes under their hash, and what is remembered of which decided."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pydantic import Field

from gateway.errors import BundleInvalidError, NotFoundError
from gateway.model.base import Model
from gateway.policy.bundle import Bundle, bundle_of, files_of


class LifecycleState(Model):
    """What the desk remembers between starts."""

    active: str
    proposers: dict[str, str] = Field(default_factory=dict)
    """Who proposed which revision: tenant and subject."""

    activated: tuple[str, ...] = ()
    """Revisions that have decided, oldest first."""


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
