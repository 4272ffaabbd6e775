"""What fits."""

import pytest

from gateway.errors import BudgetOverflowError
from tests.support.packs import items_of


async def test_small_budgets_are_kept(gateway, ask, story):
    """
    However small the budget, either it is kept with the response headroom free, or there is an error.
    """
    request = story("npa-risk", "request")
    for total in (900, 1100, 1500, 2000, 2400, 3200, 4000):
        try:
            pack = await gateway.pipeline.assemble(ask({**request, "token_budget": total, "allow_truncation": True}))
        except BudgetOverflowError as error:
            assert error.fields[0][0] == "token_budget"
            continue
        report = pack.budget_report
        used = sum(section.token_actual for section in pack.sections)
        assert used + report.framing + report.response_headroom == report.allocated <= total
        assert report.remaining == total - report.allocated
        assert {"system-risk", "npa-record", "mas-637", "task"} <= set(items_of(pack))
        cut = any(drop.reason == "budget" for drop in pack.drop_report) or report.overflow_actions
        assert bool(cut) == ("BUDGET-CUT" in {warning.code for warning in pack.warnings})


async def test_the_order_of_overflow(gateway, ask, story):
    """
    Turns over their share are shortened before anything is dropped, though the whole would fit; short ones stay whole.
    """
    request = story("npa-risk", "request")
    roomy = await gateway.pipeline.assemble(ask(request))
    long = "This turn goes on at length about the history of the product. " * 60
    for item in request["items"]:
        if item["id"] in {"turn-08", "turn-09"}:
            item["content"] = long
    pack = await gateway.pipeline.assemble(ask({**request, "token_budget": 12_000}))
    assert [action.action for action in pack.budget_report.overflow_actions] == ["compress_conversation"]
    shortened = items_of(pack)["turn-09"].content
    assert shortened.endswith(">>")
    assert "[…]" in shortened
    assert items_of(roomy)["turn-11"].content == items_of(pack)["turn-11"].content


async def test_truncation_is_only_for_those_who_allow_it(gateway, ask, story):
    """
    When the order is through and it still does not fit, the error says what would have to go; where the request allows
    truncation exactly that goes.
    """
    request = {**story("npa-risk", "request"), "token_budget": 2700}
    with pytest.raises(BudgetOverflowError) as refused:
        await gateway.pipeline.assemble(ask(request))
    named = {name.removeprefix("items[").removesuffix("]") for name, _ in refused.value.fields}
    pack = await gateway.pipeline.assemble(ask({**request, "allow_truncation": True}))
    gone = {drop.item_id for drop in pack.drop_report if drop.reason == "budget"}
    assert named
    assert named <= gone
    assert 50 < pack.budget_report.optimality_percent <= 100


async def test_what_cannot_be_cut_and_does_not_fit_is_an_error(gateway, ask, small):
    """
    The system of record is never cut to fit.
    """
    with pytest.raises(BudgetOverflowError):
        await gateway.pipeline.assemble(ask({**small, "token_budget": 60}))
