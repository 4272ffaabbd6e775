"""
Stage: for which jurisdictions is it, where the request does not say?

Rules held here: those of the entity's own record, as its system of record has it now; policy is asked first whether anything
about such an entity may be looked at, and after it, with what was found, whether this may.
"""

from collections.abc import Awaitable, Callable, Sequence

from pydantic import JsonValue

from gateway.errors import EntityUnresolvedError, FieldInvalidError
from gateway.model import Case, Registry, ScopeAnswer
from gateway.sourcing.calling import Located, ToolCaller

_MOST = 32
"""Jurisdictions of one request, as a caller may name."""


async def locate(
    case: Case,
    *,
    registry: Registry,
    caller: ToolCaller | None,
    permitted: Callable[[Case], Awaitable[ScopeAnswer]],
) -> Located:
    """
    The case with the jurisdictions of its entity's record, where the request names none.

    Args:
        case: the request.
        registry: the tools, and which member of a record lists jurisdictions.
        caller: calls them; None where tools are off.
        permitted: asks policy about a request as a whole.

    Raises:
        FieldInvalidError: there is no tool for a record, so that the request must name them.

        RequestRefusedError: policy refuses the request, whatever its jurisdictions are.

        SourceError: the source of the record did not give it.

        EntityUnresolvedError: it has no record of the entity, or one that lists no jurisdiction that the bundle knows.
    """
    if case.request.jurisdictions:
        return Located(case)
    # Before a source is asked for a person, and before anything is told of the agent's contract: what is refused for every
    # jurisdiction is refused now.
    everywhere = case.vocabulary.group_wide
    await permitted(_for(case, () if everywhere is None else (everywhere,)))
    planned = () if caller is None else await caller.planned(case, registry)
    records = [one for one in planned if one.record and one.arguments is not None]
    if caller is None or not records:
        problem = "must be named: no tool gives the record of an entity that would list them"
        raise FieldInvalidError(f"jurisdictions: {problem}", fields=[("jurisdictions", problem)])
    calls = await caller.call(records, case)
    # Of two records the one that did not come may list what is stricter, whether or not the contract goes on without it.
    for error in (call.error for call in calls if call.error is not None):
        raise error
    member = registry.domains[case.domain].record.jurisdictions
    listed = [_listed(call.item.content, member) for call in calls if call.item]
    found, known = dict.fromkeys(word for one in listed for word in one), case.vocabulary.known["jurisdiction"]
    if not found or not all(listed) or len(found) > _MOST or not found.keys() <= known:
        problem = "are not named, and no record of the entity lists any that the bundle knows"
        raise EntityUnresolvedError(f"jurisdictions: {problem}", fields=[("jurisdictions", problem)])
    return Located(_for(case, tuple(found)), tuple(calls))


def _for(case: Case, jurisdictions: Sequence[str]) -> Case:
    request = case.request.model_copy(update={"jurisdictions": tuple(jurisdictions)})
    return case.model_copy(update={"request": request})


def _listed(content: JsonValue, member: str) -> list[str]:
    """The jurisdictions that a record lists; none where one of them is no text, since it may stand for a stricter one."""
    value = content.get(member) if isinstance(content, dict) else None
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str)] if all(isinstance(one, str) for one in listed) else []
