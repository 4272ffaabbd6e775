"""What codes mean, from bundles and errors."""

from dataclasses import replace

from gateway.errors import EntityDataEmptyError
from gateway.policy.codes import GATEWAY_CODES
from gateway.reporting.rulebook import rulebook
from tests.support.bundles import SHIPPED
from tests.support.reports import BUNDLE


def test_every_code_of_the_shipped_bundle():
    """
    Each code that a record may have of the shipped rules has a title, a control and an owner.
    """
    book = rulebook([SHIPPED])
    assert book.known.keys() >= GATEWAY_CODES.keys()
    for rule in book.known.values():
        assert rule.title, rule.code
        assert rule.controls, rule.code
        assert rule.owner, rule.code


def test_the_first_bundle_speaks_first():
    """
    Where several bundles decided, the newest says what a code means, and older ones what it does not have.
    """
    older = replace(
        BUNDLE, modules={"a.rego": BUNDLE.modules["context/injection/injection.rego"].replace("Outside", "Beyond")}
    )
    assert rulebook([BUNDLE, older]).rule("JUR-001").title == "Outside the request"
    assert rulebook([older, BUNDLE]).rule("JUR-001").title == "Beyond the request"


def test_codes_without_a_rule():
    """
    Codes of errors have the error's sentence, those of what gave way a reason, and unknown ones stand alone.
    """
    book = rulebook([])
    assert book.rule(EntityDataEmptyError.code).title == (EntityDataEmptyError.__doc__ or "").splitlines()[0]
    assert book.rule("DROP-BUDGET_CUT").title == "Allowed, and left out of the pack: budget cut"
    assert book.rule("XYZ-001").title == ""
    assert book.controls("XYZ-001") == ("no control",)


def test_a_bundle_that_cannot_be_read_any_more():
    """
    METADATA and tables that this version refuses take nothing from what can be read beside them.
    """
    broken = "# METADATA\n# title: [\npackage a\n"
    data = {"context": {"notices": {"raised_by_gateway": {"X-1": {"title": "no more"}}}}}
    book = rulebook([replace(BUNDLE, modules={**BUNDLE.modules, "b.rego": broken}, data=data)])
    assert set(book.known) == {"INJ-003", "JUR-001"}
