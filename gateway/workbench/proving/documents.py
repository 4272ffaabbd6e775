"""What a proof says, as documents that are kept and read by others."""

import hashlib

from typing import Any, Literal

from pydantic import JsonValue

from gateway.model import Model
from ledger.canonical import jcs

ShownVerdict = Literal["holds", "broken", "open"]
"""It holds for every input that the schema allows; an input breaks it; or it was neither proved nor refuted."""


class Counterexample(Model):
    """One input for which the engine itself decides against what was to be shown."""

    differs: dict[str, JsonValue]
    """Its facts that are not as in the base of the bundle's cases."""

    input: dict[str, JsonValue]
    """The whole input."""

    other: dict[str, JsonValue] | None = None
    """The input that it is compared with, where two are compared."""

    engines: tuple[str, ...]
    """Which engines decided it so."""


class Coverage(Model):
    """Over what something was shown."""

    entrypoints: tuple[str, ...]
    areas: tuple[str, ...]
    rules: int
    """Rules and functions that the answers depend on."""

    facts: tuple[str, ...]
    """ObjectFacts of the input that the answers depend on; a list is of any length."""

    not_covered: tuple[str, ...]
    """Where in the rules, and why; whatever stands there may have any value, so that it can hide a proof and never make one."""

    two_values: tuple[str, ...]
    """Rules that may be given two values at once, where the engine fails and nothing is permitted."""


class Shown(Model):
    """What was found of one invariant."""

    id: str
    title: str
    says: str
    control: str
    owner: str
    asked: str
    verdict: ShownVerdict
    reason: str | None = None
    """Why it is open."""

    counterexample: Counterexample | None = None


class InvariantProof(Model):
    """What was found of the invariants of a bundle."""

    kind: Literal["proof"] = "proof"
    revision: str
    """Of the bundle."""

    invariants_digest: str
    """ "sha256:" and the hash of the file that they stand in."""

    shown: tuple[Shown, ...]
    coverage: Coverage
    engines: tuple[str, ...]
    solver: str
    digest: str = ""
    """ "sha256:" and the hash of all this in canonical JSON, without this field."""

    def sealed(self) -> "InvariantProof":
        """The same with its digest."""
        return self.model_copy(update={"digest": digest_of(self)})


class DiffRow(Model):
    """Inputs that are decided differently, by what tells them from others."""

    change: Literal["permitted", "refused"]
    """What becomes of them: they were refused and are permitted, or the other way round."""

    where: dict[str, tuple[str, ...]]
    """For each fact the values that it may have; a fact that is not named may have any that a permitted input may."""

    example: Counterexample


class DecisionChange(Model):
    """All that one question decides differently."""

    entrypoint: str
    verdict: Literal["same", "differs", "open"]
    """No input is decided differently; these are; or it was not settled."""

    rows: tuple[DiffRow, ...]
    complete: bool
    """Whether every input that is decided differently is in a row."""

    reason: str | None = None


class ExactDiff(Model):
    """All that two bundles decide differently."""

    kind: Literal["exact-diff"] = "exact-diff"
    old: str
    new: str
    changes: tuple[DecisionChange, ...]
    coverage: tuple[Coverage, Coverage]
    past_decisions: int | None = None
    """Decisions on record that come out differently under the two, where a ledger was given."""

    past_considered: int | None = None
    """Of how many that is said: those whose inputs are still kept."""

    engines: tuple[str, ...]
    solver: str
    digest: str = ""

    def sealed(self) -> "ExactDiff":
        """The same with its digest."""
        return self.model_copy(update={"digest": digest_of(self)})


def digest_of(document: Model) -> str:
    """The hash of a document in canonical JSON, without its own digest."""
    said: dict[str, Any] = document.model_dump(mode="json", exclude={"digest"})
    return f"sha256:{hashlib.sha256(jcs(said)).hexdigest()}"
