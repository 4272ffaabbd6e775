"""The application: whatever breaks, the caller sees a code and nothing of the inside."""

from tests.support.web import gateway_of, is_problem


async def test_a_bug_is_a_problem_without_details(post, client, small, monkeypatch):
    """
    Whatever breaks, the caller sees a code and nothing of the inside.
    """

    async def crash(*args):
        raise ZeroDivisionError("S8421753F")

    monkeypatch.setattr(type(gateway_of(client).pipeline), "assemble", crash)
    response = await post("/v1/packs", small)
    is_problem(response, 500, "GW-000")
    assert "S8421753F" not in response.text
    assert "Traceback" not in response.text
