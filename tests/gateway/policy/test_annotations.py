"""METADATA of Rego, as OPA reads it."""

import pytest

from gateway.errors import BundleInvalidError
from gateway.policy.annotations import annotations, emitted_codes
from tests.support.bundles import SHIPPED

REGO = """package a

# METADATA
# title: Source never allowed
# description: |
#   Two lines,
#   the second.
# related_resources:
#   - ref: https://controls.bank.example/AIG-001
# custom:
#   code: TRU-001
deny contains {"code": "TRU-001", "message": "x"} if {
	not source_allowed
}

# an ordinary comment
# METADATA
# title: No code
permit if true
"""


def test_blocks_in_order():
    """
    Each block has its fields, the line it begins at and the line it stands over; a comment before it is none of it.
    """
    first, second = annotations(REGO)
    assert (first.code, first.controls, first.line) == ("TRU-001", ["https://controls.bank.example/AIG-001"], 3)
    assert first.fields["description"] == "Two lines,\nthe second.\n"
    assert first.target.startswith("deny contains")
    assert (second.code, second.controls, second.target, second.line) == (None, [], "permit if true", 17)


@pytest.mark.parametrize("rego", ["", "package a\n", "\t# METADATA\n\t# title: x\n", "# METADATA\n"])
def test_what_is_no_block(rego):
    """
    A block begins at column 1, as OPA demands, and has lines.
    """
    assert annotations(rego) == []


def test_a_block_that_is_no_yaml():
    """
    A block that cannot be read is an error, and not one without a code.
    """
    for block in (
        "# title: [",
        "# 3",
        "# custom: 3",
        "# custom: {code: 3}",
        "# related_resources: [x]",
        "# a: &a [*a]",
    ):
        with pytest.raises(BundleInvalidError, match="METADATA in line 3"):
            annotations(f"package a\n\n# METADATA\n{block}\npermit if true\n")


def test_codes_in_rules():
    """
    Codes are found in the rules, not in the METADATA.
    """
    assert emitted_codes(REGO.replace('"TRU-001"', '"TRU-002"')) == {"TRU-002"}


def test_every_shipped_refusal_is_annotated_with_its_own_code():
    """
    In the shipped modules each code of a METADATA block stands in the rule below it too, or is of a warning.
    """
    for rego in SHIPPED.modules.values():
        for block in annotations(rego):
            if block.code and block.target.startswith("deny"):
                assert block.code in emitted_codes(rego)
                assert block.controls
