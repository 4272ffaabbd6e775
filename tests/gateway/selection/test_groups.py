"""What a set costs grows with the set, whatever its shape."""

import json

import pytest

from adapters.packing.rensa import MinHashLikeness
from adapters.policy.opa import OpaPolicyEngine
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.model.session import Session
from gateway.selection.conflicts import contradictions, rivals
from gateway.selection.duplicates import distinct, overlap
from gateway.settings import HOME, Settings
from tests.support.bundles import SHIPPED
from tests.support.effort import Effort
from tests.support.packing import REGISTRY, pieces, ruling
from tests.support.services import OPA, need, opa_server
from tests.support.shapes import FIELDS, SHAPES, chunks, documents, mails, ranked, records

MOST = Settings.model_fields["max_items"].default


def told(shape, count):
    """What policy is told of the groups of a set."""
    some = pieces(*shape(count))
    return json.dumps([rivals(some, []), contradictions(some, FIELDS)])


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_what_policy_is_told_grows_with_the_set(shape):
    """
    Five times as many items are told in at most six times as many characters.
    """
    assert len(told(shape, 500)) <= 6 * max(len(told(shape, 100)), 1000)


def test_one_document_costs_nothing():
    """
    The chunks of one document are no group, however many there are.
    """
    assert told(chunks, 30) == told(chunks, 500) == "[[], []]"


@pytest.mark.parametrize("shape", [one for one in SHAPES if one is not records], ids=lambda shape: shape.__name__)
def test_five_hundred_items_are_compared_in_a_few_passes(shape):
    """
    Repeats, overlaps and groups of five hundred items take little more work than reading them.
    """
    some, effort = pieces(*shape(500)), Effort()

    def compared():
        kept, _, contrary = distinct(some, REGISTRY.budgets, MinHashLikeness(), Session())
        rivals(kept, contrary)
        contradictions(kept, FIELDS)

    effort.within(10, compared, shape.__name__)


def test_a_hundred_records_of_a_hundred_fields():
    """
    Of a hundred records only the compared fields are looked at, each once.
    """
    some = pieces(*records(100))
    Effort().within(1, lambda: contradictions(some, FIELDS))


def test_five_hundred_texts_that_nearly_say_the_same():
    """
    Each of many near repeats is held against a few of those before it, and the strongest of them stays.
    """
    words = " ".join(f"word{place}" for place in range(150))
    weak = [ruling(f"i{n}", content=f"{words} tail{chr(97 + n % 26)}{chr(97 + n // 26)}", tier=3) for n in range(400)]
    strong = ruling("strong", content=f"{words} tail", tier=1)
    some, found = pieces(*weak, strong), []
    Effort().within(20, lambda: found.append(distinct(some, REGISTRY.budgets, MinHashLikeness(), Session())))
    assert [piece.ruling.item.id for piece in found[0][0]] == ["strong"]
    assert len(found[0][1]) == len(weak)


def test_a_repeated_content_is_as_many_pairs_as_repeats():
    """
    Five hundred copies of one text leave the one of the highest authority, and all others name it.
    """
    some = pieces(*(ruling(f"i{n}", tier=1 if n == 300 else 3) for n in range(500)))
    kept, lost, _ = distinct(some, REGISTRY.budgets, MinHashLikeness(), Session())
    assert [piece.ruling.item.id for piece in kept] == ["i300"]
    assert {loss.in_favour_of for loss in lost} == {"i300"}


def test_chunks_that_go_on_from_each_other():
    """
    Three hundred overlapping chunks, in no order, become the one text that they are.
    """
    text = " ".join(f"w{place * 7919 % 10007}" for place in range(6000))
    cuts = [text[start : start + 200] for start in range(0, len(text), 120)][:300]
    order = sorted(range(len(cuts)), key=lambda place: place * 37 % 301)
    shape = {"source_id": "SOP", "version": "1"}
    some, found = pieces(*(ruling(f"c{n}", content=cuts[n], **shape) for n in order)), []
    Effort().within(20, lambda: found.append(distinct(some, REGISTRY.budgets, MinHashLikeness(), Session())[0]))
    [whole] = found[0]
    assert whole.content == text[: 299 * 120 + 200]


def test_a_text_that_repeats_itself_is_tried_a_few_times():
    """
    Where a beginning recurs throughout, the search gives up: a missed overlap costs room, an endless search the gateway.
    """
    left, right, found = "a" * 200_000, "a" * 100_000 + "b" + "a" * 10, []
    Effort().within(1, lambda: found.append(overlap(left, right, 40)))
    assert found[0] is None


WHOLE = {"chunks": chunks, "documents": documents, "records": records, "mails": mails}


async def ruled_on(engine, shape, count):
    """The number of items that stay or are accounted for."""
    selection = await ranked(shape(count), engine, MinHashLikeness())
    whole = sum(1 + len(piece.joined) for piece in (*selection.kept, *(loss.piece for loss in selection.lost)))
    return whole, selection


@pytest.mark.parametrize("shape", [chunks, mails], ids=lambda shape: shape.__name__)
async def test_a_request_of_one_source_is_ruled_on(shape):
    """
    Thirty items of one source, and as many as a request may have, are ruled on and packed.
    """
    engine = RegorusPolicyEngine(SHIPPED)
    for count in (30, MOST):
        whole, _ = await ruled_on(engine, shape, count)
        assert whole == count + 2
    await engine.close()


@pytest.mark.soak
@pytest.mark.parametrize("shape", WHOLE.values(), ids=WHOLE)
async def test_both_engines_rule_on_the_most_items(shape):
    """
    As many items as a request may have, of one document, of as many documents, of one entity and of one mailbox, are ruled on
    by both engines, within the limits that they have by default, and alike.
    """
    need(OPA is not None, "opa")
    defaults = Settings.model_fields
    embedded = RegorusPolicyEngine(SHIPPED)
    whole, selection = await ruled_on(embedded, shape, MOST)
    await embedded.close()
    assert whole == MOST + 2
    with opa_server(HOME / "policies") as url:
        seconds = defaults["opa_timeout_seconds"].default
        server = OpaPolicyEngine(url, revision=SHIPPED.revision, timeout_seconds=seconds)
        await server.start()
        _, other = await ruled_on(server, shape, MOST)
        await server.close()
    assert other == selection
