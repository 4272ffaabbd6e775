"""Every bundle that was ever shown to this gateway, its bytes under their hash."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from gateway.errors import BundleInvalidError, NotFoundError
from gateway.policy.bundle import Bundle, bundle_of, files_of


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
        bundle = bundle_of(files_of(path.read_bytes()))
        if bundle.revision != revision:
            raise BundleInvalidError("the stored bundle does not have the hash that it is stored under")
        return bundle

    def paths(self) -> Iterator[Path]:
        """The files, in order of their names."""
        yield from sorted(self._folder.glob("*.bundle"))
