"""Branches of Git repositories that documents are taken from."""

from pathlib import Path
from typing import Final

from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

from adapters.knowledge.folders import MOST_FILES
from gateway.errors import DocumentTooLargeError, SyncFailedError
from gateway.ports.documents import Origin, PlacedFile

_FILE: Final = 0o100000
_FOLDER: Final = 0o040000
_KIND: Final = 0o170000
_DEEPEST: Final = 64


class Branch:
    """`gateway.ports.documents.FileTree` of the head of a branch; links, submodules and hidden files are passed over."""

    def __init__(self, root: Path, branch: str) -> None:
        """
        Raises:
            SyncFailedError: there is no such repository or branch.
        """
        try:
            self._repository = Repo(str(root))
            commit = self._repository[self._repository.refs[Ref(f"refs/heads/{branch}".encode())]]
        except Exception as error:  # whatever a broken repository makes of the library
            raise SyncFailedError("there is no such repository, or it has no such branch") from error
        if not isinstance(commit, Commit):
            raise SyncFailedError("the branch does not point to a commit")
        self._tree = commit.tree
        self._blobs: dict[str, ObjectID] = {}
        self.origin = Origin("repository", f"{root.resolve().as_posix()}#{branch}")

    def files(self) -> list[PlacedFile]:
        self._blobs = {}
        try:
            self._walk(self._tree, "", 0)
            sizes = {place: self._blob(place).raw_length() for place in self._blobs}
        except SyncFailedError:
            raise
        except Exception as error:  # whatever a broken repository makes of the library
            raise SyncFailedError("the repository cannot be read to its end") from error
        return [PlacedFile(place, sizes[place]) for place in sorted(sizes)]

    def read(self, place: str, most: int) -> bytes:
        try:
            blob = self._blob(place)
        except Exception as error:  # as above
            raise SyncFailedError(f"{place} cannot be read") from error
        if blob.raw_length() > most:
            raise DocumentTooLargeError(f"{place} is larger than {most} bytes")
        return blob.data

    def _blob(self, place: str) -> Blob:
        blob = self._repository[self._blobs[place]]
        if not isinstance(blob, Blob):
            raise SyncFailedError(f"{place} is no file")
        return blob

    def _walk(self, tree: ObjectID, above: str, depth: int) -> None:
        listed = self._repository[tree]
        if depth > _DEEPEST or not isinstance(listed, Tree):
            raise SyncFailedError("the repository has folders in folders without end")
        for entry in listed.iteritems():
            name, mode, sha = entry.path, entry.mode, entry.sha
            if name is None or mode is None or sha is None or name.startswith(b"."):
                continue
            place = above + name.decode("utf-8", "replace")
            if mode & _KIND == _FOLDER:
                self._walk(sha, f"{place}/", depth + 1)
            elif mode & _KIND == _FILE:
                self._blobs[place] = sha
                if len(self._blobs) > MOST_FILES:
                    raise SyncFailedError(f"the repository holds more than {MOST_FILES} files")
