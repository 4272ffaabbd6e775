"""Folders that are a policy bundle, and those that are not."""

import pytest

from gateway.errors import (
    BundleInvalidError,
)
from gateway.policy.bundle import load_bundle


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "manifest"),
        ({".manifest": "{}"}, "no Rego"),
        ({".manifest": "{}", "a.rego": b"\xff"}, "UTF-8"),
        ({".manifest": "{}", "a.rego": "package a", "data.yaml": "[1]"}, "not a table"),
        ({".manifest": "{}", "a.rego": "package a", "data.yaml": "a: ]"}, "cannot be read"),
        ({".manifest": "{}", "a.rego": "package a", "data.json": "{"}, "cannot be read"),
    ],
)
def test_folders_that_are_no_bundle(tmp_path, files, message):
    """
    Each thing that a bundle folder can lack has its own message.
    """
    for name, body in files.items():
        path = tmp_path / name
        path.write_bytes(body) if isinstance(body, bytes) else path.write_text(body)
    with pytest.raises(BundleInvalidError, match=message):
        load_bundle(tmp_path)
