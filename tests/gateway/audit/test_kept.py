"""A pack kept aside: its bytes come back with the receipt in their place, and its prompt with them."""

import json
import zlib

from gateway.audit.kept import kept_aside, kept_pack, kept_prompt, prompt_commitment
from gateway.model import RulingsAnswer
from gateway.model.pack import Withheld
from gateway.prompt.render import render
from ledger.erasable import commit
from tests.support.requests import asked

SALT = bytes(range(32))
RULINGS = RulingsAnswer(
    id="pack_1", created_at="2026", request={}, policy={}, rulings=(), withheld=Withheld(count=0, codes={})
)


async def test_only_the_place_of_the_receipt_is_filled(gateway, small, subject):
    """
    An item whose own JSON has a member `receipt` that is null stays as it is: the receipt stands in the pack's own place.
    """
    for item in small["items"]:
        if item["id"] == "npa-record":
            item["content"] = {**item["content"], "receipt": None}
    pack = await gateway.pipeline.assemble(asked(small, subject))
    bare = pack.model_copy(update={"receipt": None})
    body = kept_pack(kept_aside(bare, SALT), b'{"format":"x"}')
    assert body.count(b'"receipt":null') == bare.model_dump_json().count('"receipt":null') - 1 > 0
    document = json.loads(body)
    assert document == {**bare.model_dump(mode="json"), "receipt": {"format": "x"}}


async def test_the_prompt_is_kept_once_and_committed_to(gateway, small, subject):
    """
    A prompt that the request asked for stands in the pack alone; else that of OpenAI's API is kept and committed to.
    """
    pack = await gateway.pipeline.assemble(asked(small, subject))
    aside = kept_aside(pack, SALT)
    assert kept_prompt(aside, {}) == render(pack, "openai")
    assert prompt_commitment(aside) == commit(aside.released_salt, zlib.decompress(aside.released))
    given = pack.model_copy(update={"messages": {"system": "x"}})
    aside = kept_aside(given, SALT)
    assert (aside.released, prompt_commitment(aside)) == (None, None)
    assert kept_prompt(aside, given.model_dump(mode="json")) == {"system": "x"}


def test_rulings_alone_have_no_prompt():
    """
    Where no pack was asked for the answer is kept, and there is no prompt.
    """
    aside = kept_aside(RULINGS, SALT)
    assert json.loads(kept_pack(aside, b"{}"))["receipt"] == {}
    assert (kept_prompt(aside, {}), prompt_commitment(aside)) == (None, None)
