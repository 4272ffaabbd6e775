"""A bundle, its content and its revision."""

import pytest

from gateway.errors import BundleInvalidError
from gateway.policy.bundle import bundle_of, files_of
from tests.support.bundles import SHIPPED


def test_content_and_revision_belong_together():
    """
    A bundle's content holds all that decides, and nothing else.
    """
    again = bundle_of(files_of(SHIPPED.content))
    assert again == SHIPPED
    assert not [name for name in files_of(SHIPPED.content) if "test" in name or "cases" in name]


@pytest.mark.parametrize("content", [b"x", b"5:ab", b"3:abc", b"999999999999:"])
def test_damaged_content(content):
    """
    Bytes that are no bundle are refused.
    """
    with pytest.raises(BundleInvalidError):
        files_of(content)
