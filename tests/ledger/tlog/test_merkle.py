"""Trees, their proofs, and what the reference implementation says of them."""

import hashlib

import pytest

from hypothesis import given
from hypothesis import strategies as st

from ledger.tlog.merkle import (
    EMPTY_ROOT,
    ZERO_HASH,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_hash,
    split,
    verify_consistency,
    verify_inclusion,
)

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


def test_the_empty_tree():
    """
    The root over nothing is the hash of nothing; two empty trees are consistent, with no proof, if both have that root.
    """
    assert root_hash([]) == EMPTY_ROOT == hashlib.sha256(b"").digest()
    assert verify_consistency(0, 0, EMPTY_ROOT, EMPTY_ROOT, [])
    assert not verify_consistency(0, 0, bytes(32), bytes(32), [])
    assert not verify_consistency(0, 0, EMPTY_ROOT, EMPTY_ROOT, [bytes(32)])
    assert not verify_inclusion(bytes(32), 0, 0, [], EMPTY_ROOT)


def leaves_of(size):
    return [leaf_hash(bytes([n])) for n in range(size)]


def subtree(leaves):
    """What proofs are made of, from the leaves alone."""
    return lambda start, end: root_hash(leaves[start:end])


def test_the_root_of_a_leaf_is_not_the_hash_of_a_node():
    """
    A leaf that spells two hashes does not hash as the node over them.
    """
    left, right = leaves_of(2)
    assert leaf_hash(left + right) != node_hash(left, right)


@pytest.mark.parametrize(("size", "part"), [(2, 1), (3, 2), (4, 2), (5, 4), (8, 4), (9, 8), (256, 128), (257, 256)])
def test_split(size, part):
    """
    A tree splits at the largest power of two below its size.
    """
    assert split(size) == part


@given(st.data())
def test_an_inclusion_proof_holds_for_its_leaf_alone(data):
    """
    The proof of every leaf holds; for another leaf, place, size or root, or with a hash more, fewer or other, it does not.
    """
    size = data.draw(st.integers(1, 40))
    index = data.draw(st.integers(0, size - 1))
    leaves = leaves_of(size)
    root, proof = root_hash(leaves), inclusion_proof(index, size, subtree(leaves))
    assert verify_inclusion(leaves[index], index, size, proof, root)
    assert not verify_inclusion(leaf_hash(b"another"), index, size, proof, root)
    assert not verify_inclusion(leaves[index], index, size, [*proof, ZERO_HASH], root)
    assert not verify_inclusion(leaves[index], index, size, proof, ZERO_HASH)
    for position in set(range(-1, size + 2)) - {index}:
        assert not verify_inclusion(leaves[index], position, size, proof, root)
    for position in range(len(proof)):
        assert not verify_inclusion(leaves[index], index, size, proof[:position] + proof[position + 1 :], root)
        changed = [ZERO_HASH if n == position else one for n, one in enumerate(proof)]
        assert not verify_inclusion(leaves[index], index, size, changed, root)


@given(st.data())
def test_a_consistency_proof_holds_for_its_trees_alone(data):
    """
    Every tree is shown to begin with every older one; with a leaf of the older one changed, or another proof, it is not.
    """
    size = data.draw(st.integers(1, 40))
    old = data.draw(st.integers(0, size))
    leaves = leaves_of(size)
    older, root = root_hash(leaves[:old]), root_hash(leaves)
    proof = consistency_proof(old, size, subtree(leaves))
    assert verify_consistency(old, size, older, root, proof)
    assert not verify_consistency(old, size, older, root, [*proof, ZERO_HASH])
    assert not verify_consistency(old, size, ZERO_HASH, root, proof)
    # Of an empty tree nothing is shown of the newer one: from nothing every tree follows.
    assert old == 0 or not verify_consistency(old, size, older, ZERO_HASH, proof)
    if 0 < old < size:
        forked = root_hash([leaf_hash(b"another"), *leaves[1:old]])
        assert not verify_consistency(old, size, forked, root, proof)
        assert not verify_consistency(old, size, older, root, proof[:-1])
    assert not verify_consistency(size + 1, size, root, root, [])


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_there_is_no_proof_of_a_leaf_that_is_not_there(index, size):
    """
    A proof that cannot be is an error, not an empty proof.
    """
    with pytest.raises(ValueError, match=f"no leaf {index} in a tree of {size}"):
        inclusion_proof(index, size, subtree(leaves_of(size)))


@pytest.mark.parametrize("old", [-1, 4])
def test_there_is_no_proof_of_a_tree_that_shrank(old):
    """
    A tree does not begin with one that is larger.
    """
    with pytest.raises(ValueError, match=f"no part of {old}"):
        consistency_proof(old, 3, subtree(leaves_of(3)))
