"""What an officer acknowledges of cases that go: exactly these, of this candidate, against what decides now."""

import pytest

from gateway.errors import CasesRemovedError, NotFoundError
from gateway.policy.bundle import bundle_of
from gateway.policy.store import BundleStore, LifecycleState
from gateway.workbench.desk.review import kept_review, removed_now, require_acknowledged, reviewed, to_acknowledge
from gateway.workbench.desk.tried import Tried
from tests.support.bundles import SHIPPED, WEB_FOR_RISK, files

CHANGED = bundle_of({name: text.encode() for name, text in files(WEB_FOR_RISK).items()})


@pytest.fixture
def kept(tmp_path):
    return BundleStore(tmp_path)


def found(kept, state, bundle=CHANGED):
    return reviewed(bundle, Tried(cases=1, tests=1), kept.keep(bundle), kept=kept, state=state, proved=())


def test_nothing_went(kept):
    """
    A candidate with all cases of what decides needs no acknowledgement.
    """
    state = LifecycleState(active=SHIPPED.revision, cases={SHIPPED.revision: kept.keep(SHIPPED)})
    review = found(kept, state, SHIPPED)
    assert (review.removed, review.differences) == ((), ())
    assert require_acknowledged(review, review.removed, state.active, None) == ()


def test_only_exactly_what_went_is_acknowledged(kept):
    """
    The digest is of the candidate, of what decides and of each case: that of other ones acknowledges nothing.
    """
    state = LifecycleState(active=SHIPPED.revision, cases={SHIPPED.revision: kept.keep(SHIPPED)})
    review = found(kept, state)
    digest = to_acknowledge(review.removed, review.revision, state.active)
    assert require_acknowledged(review, review.removed, state.active, digest) == ("CASES-ACKNOWLEDGED",)
    others = (
        None,
        to_acknowledge(review.removed, review.revision, "sha256:other"),
        to_acknowledge(review.removed, "sha256:other", state.active),
        to_acknowledge(review.removed[1:], review.revision, state.active),
    )
    for given in others:
        with pytest.raises(CasesRemovedError):
            require_acknowledged(review, review.removed, state.active, given)


def test_cases_that_are_not_kept_are_not_passed_over(kept):
    """
    Where nothing tells which cases decided, an officer acknowledges just that; and where nothing is kept of a proposal, it is made anew.
    """
    kept.keep(SHIPPED)
    for cases in ({}, {SHIPPED.revision: "sha256:" + "0" * 64}):
        state = LifecycleState(active=SHIPPED.revision, cases=cases)
        review = found(kept, state)
        [unknown] = removed_now(review, kept, state)
        assert "not kept" in unknown.message
    with pytest.raises(NotFoundError):
        kept_review(CHANGED.revision, kept, state)
