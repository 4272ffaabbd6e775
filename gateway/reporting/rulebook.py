"""What a code means, which control it implements, and who owns it: from the METADATA and tables of bundles, and from the errors."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from gateway import errors
from gateway.errors import BundleInvalidError
from gateway.policy.annotations import annotations
from gateway.policy.bundle import Bundle
from gateway.policy.codes import rows

_DROPPED: Final = "DROP-"
_GATEWAY: Final = "the gateway itself"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that a code stands for."""

    code: str
    title: str
    controls: tuple[str, ...] = ()
    """Names of the controls that it implements, the last part of where they are described."""

    owner: str = ""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Rules by their codes."""

    known: Mapping[str, Rule]

    def rule(self, code: str) -> Rule:
        """The rule of a code; one that nothing says anything of has the code alone."""
        if code in self.known:
            return self.known[code]
        if code.startswith(_DROPPED):
            reason = code.removeprefix(_DROPPED).lower().replace("_", " ")
            return Rule(code, f"Allowed, and left out of the pack: {reason}", owner=_GATEWAY)
        return _of_errors().get(code, Rule(code, ""))

    def controls(self, code: str) -> tuple[str, ...]:
        """The controls behind a code; where there is none, what says so."""
        return self.rule(code).controls or ("no control",)


def rulebook(bundles: Iterable[Bundle]) -> Rulebook:
    """The rules of bundles; of a code that several have, as the first says it."""
    known: dict[str, Rule] = {}
    for bundle in bundles:
        for rule in _rules(bundle):
            known.setdefault(rule.code, rule)
    return Rulebook(known)


def _rules(bundle: Bundle) -> Iterator[Rule]:
    for rego in bundle.modules.values():
        try:
            blocks = annotations(rego)
        except BundleInvalidError:
            # A bundle that was kept by an earlier version may have what cannot be read any more; its codes stand alone then.
            continue
        owner = ", ".join(map(str, blocks[0].fields.get("organizations") or ())) if blocks else ""
        for block in blocks:
            if block.code:
                controls = tuple(url.rpartition("/")[2] for url in block.controls)
                yield Rule(block.code, str(block.fields.get("title", "")), controls, owner)
    try:
        described = rows(bundle)
    except BundleInvalidError:
        return
    for one in described:
        yield Rule(one.code, one.row.title, (one.row.control.rpartition("/")[2],), one.row.owner)


@cache
def _of_errors() -> dict[str, Rule]:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.GatewayError)]
    return {kind.code: Rule(kind.code, (kind.__doc__ or "").strip().splitlines()[0], owner=_GATEWAY) for kind in kinds}
