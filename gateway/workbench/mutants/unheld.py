"""
Changes that no case notices and that are known: `mutation.yaml` in the bundle folder says of each why.

Either the change decides the same, or its case is still to be written.  An entry whose change is noticed by now, or that is of
no rule any more, must be taken out, so that the file never says more than is true.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from gateway.errors import BundleInvalidError
from gateway.model.base import Model
from gateway.policy.supply.tables import TableError, read_yaml
from gateway.workbench.mutants.change import RuleChange

FILE: Final = "mutation.yaml"


class Unheld(Model):
    """One entry."""

    file: str
    rule: str
    change: str
    """In the words in which it is told."""

    reason: str


class KnownUnheld(Model):
    """All of them."""

    unheld: tuple[Unheld, ...] = ()

    def missing(self, survivors: Sequence[RuleChange]) -> list[RuleChange]:
        """Those of the changes that no entry names; an entry stands for as many changes as there are entries like it."""
        left = Counter(map(_key, self.unheld))
        found = []
        for change in survivors:
            key = (change.file, change.rule, change.condition)
            if left[key]:
                left[key] -= 1
            else:
                found.append(change)
        return found

    def settled(self, tried: Sequence[RuleChange]) -> list[str]:
        """Entries about files that were tried, of which nothing is true any more."""
        left = Counter((one.file, one.rule, one.condition) for one in tried if not one.noticed_by)
        files = {one.file for one in tried}
        found = []
        for entry in self.unheld:
            if left[_key(entry)]:
                left[_key(entry)] -= 1
            elif entry.file in files:
                found.append(f"{entry.file}: {entry.rule}: {entry.change}")
        return found


def known_unheld(root: Path) -> KnownUnheld:
    """
    What is known of a bundle folder; nothing where it has no such file.

    Raises:
        BundleInvalidError: the file cannot be read.
    """
    path = root / FILE
    if not path.is_file():
        return KnownUnheld()
    try:
        return KnownUnheld.model_validate(read_yaml(path.read_bytes()))
    except TableError as error:
        raise BundleInvalidError(f"{FILE} cannot be read: {error}") from error
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise BundleInvalidError(f"{FILE}: {where or 'the file'} is not as it should be") from error


def _key(entry: Unheld) -> tuple[str, str, str]:
    return entry.file, entry.rule, entry.change
