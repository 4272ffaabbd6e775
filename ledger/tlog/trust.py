"""
Whom to believe: a trust policy for a log and its witnesses (c2sp.org/tlog-policy).

Rules: names are defined before they are used, and used as a member once at most; no key stands twice;
there is exactly one quorum.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from ledger.errors import NoteInvalidError
from ledger.tlog.note import COSIGNATURE, ED25519, VerifierKey

_NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Party:
    """A log or a witness: its key, and where it is, if that is said."""

    key: VerifierKey
    url: str | None = None


@dataclass(slots=True)
class TrustPolicy:
    """Known logs, known witnesses, and how many of the witnesses must have cosigned."""

    logs: list[Party] = field(default_factory=list)
    witnesses: dict[str, Party] = field(default_factory=dict)
    groups: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    quorum: str | None = None

    @classmethod
    def parse(cls, text: str) -> "TrustPolicy":
        """
        Read a policy file.

        Raises:
            NoteInvalidError: names the first line that is not one.
        """
        policy, members = cls(), set[str]()
        for number, line in enumerate(text.split("\n"), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            try:
                policy._take(words, members)
            except (NoteInvalidError, ValueError, IndexError) as error:
                raise NoteInvalidError(f"line {number} of the trust policy: {error}") from error
        if policy.quorum is None:
            raise NoteInvalidError("the trust policy has no quorum")
        return policy

    def _take(self, words: list[str], members: set[str]) -> None:
        match words:
            case ["log", vkey, *url] if len(url) <= 1:
                self.logs.append(Party(self._new_key(vkey, ED25519), *url))
            case ["witness", name, vkey, *url] if len(url) <= 1:
                self._require_new(name)
                self.witnesses[name] = Party(self._new_key(vkey, COSIGNATURE), *url)
            case ["group", name, threshold, *names] if names:
                self._require_new(name)
                self.groups[name] = (self._threshold(threshold, len(names)), self._as_members(names, members))
            case ["quorum", name] if self.quorum is None:
                if name != _NONE:
                    self._require_known(name)
                self.quorum = name
            case _:
                raise NoteInvalidError("it is not a log, witness, group or the one quorum")

    def _new_key(self, vkey: str, algorithm: int) -> VerifierKey:
        key = VerifierKey.parse(vkey)
        if key.algorithm != algorithm:
            raise NoteInvalidError("its key is of the wrong kind")
        if key.public in {party.key.public for party in [*self.logs, *self.witnesses.values()]}:
            raise NoteInvalidError("its key stands twice")
        return key

    def _require_new(self, name: str) -> None:
        if name == _NONE or name in self.witnesses or name in self.groups:
            raise NoteInvalidError(f"the name {name} is taken")

    def _require_known(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise NoteInvalidError(f"{name} is not defined yet")

    def _as_members(self, names: list[str], members: set[str]) -> tuple[str, ...]:
        for name in names:
            self._require_known(name)
            if name in members:
                raise NoteInvalidError(f"{name} is a member already")
            members.add(name)
        return tuple(names)

    @staticmethod
    def _threshold(text: str, count: int) -> int:
        threshold = {"any": 1, "all": count}.get(text) or int(text)
        if not 1 <= threshold <= count:
            raise NoteInvalidError(f"no {text} of {count}")
        return threshold

    @property
    def asks_witnesses(self) -> bool:
        """Whether any witness must have cosigned."""
        return self.quorum != _NONE

    def satisfied(self, cosigned: Collection[str]) -> bool:
        """Whether cosignatures by these keys, given by their ids, are enough."""
        return self.quorum == _NONE or self._witnessed(self.quorum or _NONE, cosigned)

    def since(self, stamps: Mapping[str, int]) -> int | None:
        """
        Since when enough witnesses have vouched for a checkpoint.

        Args:
            stamps: when each witness cosigned it, by the id of its key, in seconds since 1970.

        Returns:
            Seconds since 1970; None where they are not enough, or none are asked for.
        """
        if self.quorum == _NONE:
            return None
        times = sorted(stamps.values(), reverse=True)
        return next((at for at in times if self.satisfied({key for key, one in stamps.items() if one >= at})), None)

    def _witnessed(self, name: str, cosigned: Collection[str]) -> bool:
        if name in self.witnesses:
            return self.witnesses[name].key.id in cosigned
        threshold, names = self.groups[name]
        return sum(self._witnessed(one, cosigned) for one in names) >= threshold
