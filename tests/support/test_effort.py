"""The calibration that bounds on work rest on."""

import pytest

from tests.support.effort import Effort, one_pass


def test_effort_is_measured():
    """
    Six passes are more than two and fewer than eighteen, however busy the machine is.
    """
    effort = Effort()
    effort.within(18, lambda: [one_pass() for _ in range(6)])
    with pytest.raises(AssertionError, match="six passes took"):
        effort.within(2, lambda: [one_pass() for _ in range(6)], "six passes")
