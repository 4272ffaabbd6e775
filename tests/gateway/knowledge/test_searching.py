"""When gate and search differ."""

import pytest

from gateway.errors import ReachMismatchError
from gateway.knowledge.searching import require_reached


def test_what_was_found_may_not_be_refused():
    """
    A refusal of what a search found ends the request; one of what was brought does not.
    """
    require_reached({"brought"}, {"kb:1"})
    with pytest.raises(ReachMismatchError, match="refused 1 items"):
        require_reached({"brought", "kb:1"}, {"kb:1", "kb:2"})
