"""
What was handed over, made again where it was kept: obligations carried out anew, and packs held against the records of their items.

Where contents were not kept there is nothing to make again, and a decision is looked at alone.
"""

import json
import zlib

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import JsonValue, ValidationError

from gateway.audit.kept import Means, kept_pack, prompt_commitment
from gateway.errors import BundleInvalidError, GatewayError, ObligationError
from gateway.model import ReleaseAnswer
from gateway.model.content import content_bytes
from gateway.prompt.fence import fence_named, fenced
from gateway.prompt.obliged import Carrier, fences
from gateway.replay.verdicts import DAMAGED, MISMATCH, UNAVAILABLE, ReplayError
from ledger.erasable import Erasable, commit
from ledger.receipt import pack_digest

CarrierOf = Callable[[Mapping[str, Any], str], Carrier]
"""
What carries out the obligations of a ruling's record within a session, with the tables of the bundle that decided.  Raises a
`GatewayError` where the bundle or the gateway's secret is not here.
"""

RulingOf = Callable[[str], tuple[Mapping[str, Any], Erasable] | None]
"""The record of a ruling with what was kept of it, by decision id; None for what is not there."""


def released_again(record: Mapping[str, Any], side: Erasable, answer: ReleaseAnswer, carrier_of: CarrierOf) -> bool:
    """
    What was released of an item, made again from its content; whether it was kept.

    Raises:
        ReplayError: it is not seen to be the same.
    """
    if side.means is None or side.content is None:
        return False
    content, means = _content(record, side)
    try:
        made = carrier_of(record, means.session).released(content, answer.obligations, means.findings)
    except ObligationError as error:
        raise ReplayError(MISMATCH, str(error)) from error
    except BundleInvalidError as error:
        raise ReplayError(DAMAGED, str(error)) from error
    except GatewayError as error:
        raise ReplayError(UNAVAILABLE, str(error)) from error
    fence = fence_named(means.item, means.source, means.kind, tier=answer.authority_tier, trust=answer.trust_class)
    released = content_bytes(fenced(made, fence if fences(answer.obligations) else None))
    if commit(side.released_salt or b"", released) != record["released_commitment"]:
        raise ReplayError(MISMATCH, "what was released is not what the obligations make of the content")
    return True


def _content(record: Mapping[str, Any], side: Erasable) -> tuple[JsonValue, Means]:
    kept = side.content or b""
    try:
        means = Means.model_validate_json(side.means or b"")
        content: JsonValue = kept.decode() if means.content is None else means.content
    except (ValidationError, UnicodeDecodeError) as error:
        raise ReplayError(DAMAGED, "what was kept of the content cannot be read") from error
    # JSON is committed to with its members in order, and may have been shown in another.
    if content_bytes(content) != kept or commit(side.item_salt or b"", kept) != record["item"]["commitment"]:
        raise ReplayError(DAMAGED, "what was kept of the content is not what was decided on")
    return content, means


def pack_as_recorded(record: Mapping[str, Any], side: Erasable, ruling_of: RulingOf) -> bool:
    """
    A pack that was kept, held against its record and against those of its items; whether it was kept.

    Raises:
        ReplayError: it is not what its record commits to, or holds a text that the records of its items do not.
    """
    if side.content is None or side.item_salt is None:
        return False
    try:
        pack = json.loads(kept_pack(side, b"null"))
        prompt = prompt_commitment(side)
    except (zlib.error, ValueError) as error:
        raise ReplayError(DAMAGED, "what was kept of the pack cannot be read") from error
    bare = {name: value for name, value in pack.items() if name != "receipt"}
    if pack_digest(side.item_salt, bare) != record["pack"]["digest"] or prompt != record["released_commitment"]:
        raise ReplayError(DAMAGED, "what was kept of the pack is not what its record commits to")
    for item in _whole(pack):
        found = ruling_of(item["decision_id"])
        if found is None:
            raise ReplayError(DAMAGED, "what was kept of an item of the pack is gone, and no erasure is on record")
        ruled, aside = found
        if commit(aside.released_salt or b"", content_bytes(item["content"])) != ruled["released_commitment"]:
            raise ReplayError(MISMATCH, "the pack holds a text that the record of its item does not commit to")
    return True


def _whole(pack: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Items that stand in a pack as they were released: not shortened, and not joined with others."""
    # Of what was shortened, and of several in one, no record commits to the text as it stands there.
    cut = {name for one in (pack.get("budget_report") or {}).get("overflow_actions", ()) for name in one["items"]}
    items = [item for section in pack.get("sections", ()) for item in section["items"]]
    return [
        item
        for item in items
        if item["form"] == "full"
        and item["id"] not in cut
        and not any(also["relation"] == "merged" for also in item["attributions"])
    ]
