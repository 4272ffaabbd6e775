"""Policy on the labels of each item."""

import json

from tests.support.packs import items_of


async def test_a_missing_label_refuses_one_item_alone(gateway, ask, small):
    """
    One unlabelled item is refused with its code, and the rest goes on.
    """
    for label in ("data_classification", "jurisdiction", "source_type", "domain", "fetched_at", "ttl_seconds"):
        request = json.loads(json.dumps(small))
        sop = next(item for item in request["items"] if item["id"] == "sop-4.2.1")
        del sop["provenance"][label]
        pack = await gateway.pipeline.assemble(ask(request))
        assert pack.withheld.count == 1, label
        assert "npa-record" in items_of(pack)
