"""Whether the request may be made at all."""

import pytest

from gateway.errors import RequestRefusedError
from tests.support.oracle import records


async def test_a_refused_request_is_on_record(gateway, ask, small):
    """
    When policy refuses the request as a whole, the record says so with the rules' codes.
    """
    with pytest.raises(RequestRefusedError) as caught:
        await gateway.pipeline.assemble(ask(small, department="DESK"))
    assert caught.value.reasons == ("SCP-004",)
    [refusal] = records(gateway, kind="request.opened", outcome="denied")
    assert refusal.codes == ("GW-150", "SCP-004")
