"""A tree is made once for each text."""

import pytest

from gateway.errors import RegoUnreadableError
from gateway.policy.rego.reader import modules, read
from tests.support.bundles import SHIPPED
from tests.support.effort import Effort


def test_same_text_gives_the_same_tree():
    """
    Whoever asks again for the same file gets the tree that was made; another text or name has its own.
    """
    one = read("m.rego", "package a\np := 3\n")

    assert read("m.rego", "package a\np := 3\n") is one
    assert read("m.rego", "package a\np := 4\n").rules != one.rules
    assert read("n.rego", "package a\np := 3\n").file == "n.rego"


def test_what_cannot_be_read_is_refused_each_time():
    """
    A failure is told again, and not kept as an answer.
    """
    for _ in range(2):
        with pytest.raises(RegoUnreadableError):
            read("m.rego", "package a\np :=\n")


def test_all_modules_of_a_bundle_are_read_within_their_cost():
    """
    Reading the shipped rules anew costs some passes over a text, and reading them again next to nothing.
    """
    assert modules(SHIPPED).keys() == SHIPPED.modules.keys()
    Effort().within(5, lambda: modules(SHIPPED))
