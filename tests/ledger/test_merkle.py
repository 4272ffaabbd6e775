import pytest

from hypothesis import given
from hypothesis import strategies as st

from ledger.tlog.merkle import EMPTY_ROOT, leaf_hash, node_hash, root_hash

# Inputs and roots of RFC 6962's reference implementation (certificate-transparency, merkletree tests).
LEAVES = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    b"\x50\x51\x52\x53\x54\x55\x56\x57",
    b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_of_the_reference(size):
    """
    Trees of every size have the root that the reference implementation gives them.
    """
    assert ROOTS[size - 1] == root_hash([leaf_hash(leaf) for leaf in LEAVES[:size]]).hex()


def test_empty_tree():
    """
    The root over nothing is the hash of the empty string.
    """
    assert root_hash([]) == EMPTY_ROOT


def recursive(leaves):
    """RFC 6962 section 2.1, word for word."""
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return node_hash(recursive(leaves[:k]), recursive(leaves[k:]))


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=70))
def test_is_the_recursive_definition(entries):
    """
    Pairing level by level gives the tree of the RFC's recursive definition.
    """
    leaves = [leaf_hash(entry) for entry in entries]
    assert recursive(leaves) == root_hash(leaves)
