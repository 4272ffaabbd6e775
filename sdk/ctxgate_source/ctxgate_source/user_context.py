"""A tool that says on whose behalf an agent acts: from claims that were verified, never from what the model says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict


class UserContext(TypedDict):
    """Who asks."""

    user_id: str
    role: str
    department: str
    jurisdictions: list[str]
    entitlements: list[str] | None
    """None: the token does not narrow what the role and the department may."""

    session_id: str | None


class UserUnknownError(LookupError):
    """Nobody is signed in, or the claims do not say who."""


def user_context_of(claims: Mapping[str, Any]) -> UserContext:
    """
    What a tool may tell of verified claims; other claims are left out.

    Raises:
        UserUnknownError: a claim is missing, or of another shape.
    """
    for name in ("sub", "role", "department"):
        if not isinstance(claims.get(name), str) or not claims[name]:
            raise UserUnknownError(f"the claims lack {name}")
    session = claims.get("session_id")
    return UserContext(
        user_id=claims["sub"],
        role=claims["role"],
        department=claims["department"],
        jurisdictions=_texts(claims, "jurisdictions") or [],
        entitlements=_texts(claims, "entitlements"),
        session_id=session if isinstance(session, str) else None,
    )


def user_context_tool(claims: Callable[[], Mapping[str, Any] | None]) -> Callable[[], UserContext]:
    """
    A tool without parameters, so that a model can ask for nobody else.

    Args:
        claims: those of the call that is being answered, verified by whoever let it in; None where nobody is signed in.
    """

    def user_context() -> UserContext:
        """Who asks: user, role, department, jurisdictions and entitlements."""
        said = claims()
        if said is None:
            raise UserUnknownError("nobody is signed in")
        return user_context_of(said)

    return user_context


def _texts(claims: Mapping[str, Any], name: str) -> list[str] | None:
    said = claims.get(name)
    if said is None:
        return None
    if not isinstance(said, Sequence) or isinstance(said, str) or not all(isinstance(one, str) for one in said):
        raise UserUnknownError(f"the claim {name} is no list of texts")
    return list(said)
