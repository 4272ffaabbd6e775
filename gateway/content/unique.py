"""One way to a name that nothing else has."""

from collections.abc import Container


def unique(name: str, taken: Container[str], suffix: str) -> str:
    """
    The name, with the suffix behind it as often as it takes until nothing has it.

    The answer hangs on nothing but the arguments, so that the same turn asked for again has the same names.

    Args:
        name: as it should be.
        taken: names that others have; the caller adds the answer.
        suffix: at least one character.
    """
    while name in taken:
        name += suffix
    return name
