"""
The list of areas: a bundle's table of contents, `policies/context/areas/data.yaml`.

It drives the lines of `context.rego` that ask the areas, the checklists of `explain`, mutation, the generated page and
scaffolding.  The lines are written out, and compared with the list when a bundle is loaded, since neither engine looks
areas up by name safely (docs/adr/0013-areas.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from gateway.errors import BundleInvalidError
from gateway.model.base import Model, Name
from gateway.policy.bundle import Bundle

LIST: Final = "context/areas/data.yaml"
ENTRY: Final = "context/context.rego"
"""The module of the entrypoints, which asks the areas."""

_ON_REQUEST: Final = "exception"
"""The entrypoint of bundles that know of exceptions which officers approve while they decide."""

_BEGIN: Final = (
    "# Areas: written from areas/data.yaml by `ctxgate policy areas --write`; edit that list, not these lines.\n"
)
_END: Final = "# End of what is written from areas/data.yaml.\n"


class Area(Model):
    """One line of the list."""

    name: Name
    """Folder and package under `context`."""

    entrypoint: Name
    """Which of the gateway's questions it helps to answer, such as `admit`."""

    title: str
    """The title in its METADATA."""

    refuses: bool = True
    """False where it only warns, so that it has no `permit` and no `deny`."""

    warns: bool = False
    waivable: bool = False
    """Whether an exception in force may waive its refusals."""


@dataclass(frozen=True, slots=True)
class Areas:
    """All areas of a bundle, in the order in which they are asked and shown."""

    listed: tuple[Area, ...]
    includes: dict[str, str]
    """Entrypoints that ask all areas of another one again, by name: the other one."""

    def named(self, name: str) -> Area | None:
        """The area of a name; None if the list has none."""
        return next((area for area in self.listed if area.name == name), None)

    def entrypoints(self) -> list[str]:
        """The entrypoints that areas belong to, in order."""
        return list(dict.fromkeys(area.entrypoint for area in self.listed))

    def asked_by(self, entrypoint: str) -> list[Area]:
        """The areas that an entrypoint asks, with those of the one that it includes first."""
        included = self.includes.get(entrypoint)
        first = self.asked_by(included) if included else []
        return [*first, *(area for area in self.listed if area.entrypoint == entrypoint)]

    def asking(self, area: Area) -> list[str]:
        """The entrypoints that ask an area, its own first."""
        own = area.entrypoint
        return [own, *(name for name, included in self.includes.items() if included == own)]


def areas_of(bundle: Bundle) -> Areas:
    """
    The list of a bundle.

    Raises:
        BundleInvalidError: it has none, or one that cannot be read; the message says what to write.
    """
    table = bundle.data.get("context", {}).get("areas")
    if not isinstance(table, dict) or not isinstance(table.get("list"), list):
        raise BundleInvalidError(f"the bundle has no list of its areas; write one to {LIST}")
    try:
        listed = tuple(Area.model_validate(line) for line in table["list"])
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "a line"
        raise BundleInvalidError(f"{LIST}: a line of the list cannot be read: {where}") from error
    includes = table.get("includes", {})
    if not isinstance(includes, dict) or any(other in includes for other in includes.values()):
        raise BundleInvalidError(f"{LIST}: `includes` names for an entrypoint another one that includes none itself")
    return Areas(listed, {str(one): str(other) for one, other in includes.items()})


def lines(areas: Areas) -> str:
    """What `context.rego` says to ask the areas, from its first comment to its last."""
    return f"{_BEGIN}\n{chr(10).join(_lines(areas))}\n{_END}"


def written(rego: str) -> str | None:
    """What a `context.rego` says to ask the areas; None where the comments around it are missing."""
    # The end is looked for from the first beginning only: a file may have many of those, and no end.
    start = rego.find(_BEGIN)
    end = rego.find(_END, start + len(_BEGIN)) if start >= 0 else -1
    return rego[start : end + len(_END)] if end >= 0 else None


def rewritten(rego: str, areas: Areas) -> str:
    """
    A `context.rego` that asks exactly the areas of the list.

    Raises:
        BundleInvalidError: the comments between which the lines stand are missing.
    """
    found = written(rego)
    if found is None:
        raise BundleInvalidError(f"{ENTRY} has no place for the lines that ask the areas: `{_BEGIN.strip()}`")
    return rego.replace(found, lines(areas), 1)


def deciding_rule(entrypoint: str) -> str:
    """The rule of `context.rego` whose conditions are the areas of an entrypoint."""
    return f"_{entrypoint}_permitted"


def _lines(areas: Areas) -> Iterator[str]:
    for entrypoint in areas.entrypoints():
        own = [area for area in areas.listed if area.entrypoint == entrypoint]
        refusing = [area for area in own if area.refuses]
        included = areas.includes.get(entrypoint)
        yield from _permission(entrypoint, refusing, included)
        if included:
            yield f"_{entrypoint}_denials contains refusal if some refusal in _{included}_denials\n"
        for area in refusing:
            yield from _denials(entrypoint, area)
        for area in own:
            if area.warns:
                warn = f"data.context.{area.name}.warn"
                yield f"_{entrypoint}_warnings contains warning if some warning in {warn}\n"
        for area in own:
            if area.waivable:
                yield f"_{area.name}_permitted if data.context.{area.name}.permit\n"
                yield f"_{area.name}_permitted if _waived(data.context.{area.name}.deny)\n"
                # Bundles from before exceptions were asked for on request have no such line, and stay as they are.
                if _ON_REQUEST in areas.entrypoints():
                    yield f"_waivable_refusals contains refusal.code if some refusal in data.context.{area.name}.deny\n"


def _permission(entrypoint: str, refusing: Sequence[Area], included: str | None) -> Iterator[str]:
    rule = deciding_rule(entrypoint)
    conditions = [deciding_rule(included)] if included else []
    conditions += [
        f"_{area.name}_permitted" if area.waivable else f"data.context.{area.name}.permit" for area in refusing
    ]
    yield f"default {rule} := false\n"
    yield "".join([f"{rule} if {{\n", *(f"\t{condition}\n" for condition in conditions), "}\n"])


def _denials(entrypoint: str, area: Area) -> Iterator[str]:
    waiver = "\tnot refusal.code in data.context.exceptions.waived\n" if area.waivable else ""
    yield (
        f"_{entrypoint}_denials contains refusal if {{\n\tnot {deciding_rule(entrypoint)}\n"
        f"\tsome refusal in data.context.{area.name}.deny\n{waiver}}}\n"
    )
