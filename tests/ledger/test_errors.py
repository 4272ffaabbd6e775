"""The tree of errors that the module draws."""

import inspect
import re

from ledger import errors


def test_the_tree_that_is_drawn_is_the_tree_that_there_is():
    """
    Every class stands in the drawing under its base, and nothing else does.
    """
    drawn, above = {}, []
    for line in errors.__doc__.splitlines():
        if match := re.match(r"    ([│├└─ ]*)(\w+Error)\b", line):
            depth = len(match[1]) // 4
            del above[depth:]
            drawn[match[2]] = above[-1] if above else "Exception"
            above.append(match[2])
    classes = [one for _, one in inspect.getmembers(errors, inspect.isclass) if one.__module__ == errors.__name__]
    assert {one.__name__: one.__base__.__name__ for one in classes} == drawn


def test_where_it_does_not_hold_is_named():
    """
    An alarm names the first record that does not hold, and why, in its members and in its text.
    """
    error = errors.RollbackError("the log", "it is shorter")
    assert (error.where, error.why, str(error)) == ("the log", "it is shorter", "the log: it is shorter")
