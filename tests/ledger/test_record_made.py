"""Records that are made without a check, because their members have passed one."""

from ledger.record import GatewayPart, Lane
from tests.support.strategies import ORIGIN

GATEWAY = GatewayPart(version="1", config="0" * 64, release="test")


def placed(draft, seq):
    return draft.placed(origin=ORIGIN, lane=Lane(id="replica", epoch=1, seq=seq, prev="0" * 64), gateway=GATEWAY)
