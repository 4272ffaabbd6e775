"""The tool that says who asks."""

import inspect

import pytest

from ctxgate_source import UserUnknownError, user_context_of, user_context_tool

CLAIMS = {
    "sub": "sarah.lim",
    "tenant": "gfm",
    "role": "analyst",
    "department": "RMG",
    "jurisdictions": ["SG"],
    "entitlements": ["npa:read"],
    "session_id": "s-81f",
    "agents": ["RISK"],
}


def test_who_asks():
    """
    The tool takes nothing and tells what the blueprint lists, and of the claims no more.
    """
    tool = user_context_tool(lambda: CLAIMS)
    assert not inspect.signature(tool).parameters
    assert tool() == {
        "user_id": "sarah.lim",
        "role": "analyst",
        "department": "RMG",
        "jurisdictions": ["SG"],
        "entitlements": ["npa:read"],
        "session_id": "s-81f",
    }


def test_what_a_token_need_not_say():
    """
    Without entitlements and a session none are made up.
    """
    bare = {name: CLAIMS[name] for name in ("sub", "role", "department")}
    told = user_context_of(bare)
    assert (told["jurisdictions"], told["entitlements"], told["session_id"]) == ([], None, None)


def test_it_is_of_the_call():
    """
    Each call is answered from the claims of that call.
    """
    said = [CLAIMS, {**CLAIMS, "sub": "other"}]
    tool = user_context_tool(lambda: said.pop(0))
    assert [tool()["user_id"], tool()["user_id"]] == ["sarah.lim", "other"]


@pytest.mark.parametrize(
    "claims",
    [
        None,
        {},
        {**CLAIMS, "sub": ""},
        {**CLAIMS, "role": None},
        {**CLAIMS, "department": ["RMG"]},
        {**CLAIMS, "jurisdictions": "SG"},
        {**CLAIMS, "entitlements": [1]},
    ],
)
def test_nobody(claims):
    """
    Where nobody is signed in, or claims are of another shape, the tool fails.
    """
    with pytest.raises(UserUnknownError):
        user_context_tool(lambda: claims)()
