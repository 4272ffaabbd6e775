"""The error tree."""

from gateway.errors import GatewayError


def test_every_error_has_a_code_of_its_own():
    """
    No two errors share a code.
    """

    def tree(kind):
        yield kind
        for child in kind.__subclasses__():
            yield from tree(child)

    codes = [kind.code for kind in tree(GatewayError)]
    assert len(codes) == len(set(codes))
