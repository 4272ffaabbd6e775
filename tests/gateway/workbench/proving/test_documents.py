from gateway.workbench.proving.documents import Coverage, InvariantProof, digest_of

NOTHING = Coverage(entrypoints=(), areas=(), rules=0, facts=(), not_covered=(), two_values=())


def test_a_proof_that_was_changed_is_told_by_its_digest():
    """Whoever keeps a proof can tell that it is the one that was made."""
    proof = InvariantProof(
        revision="sha256:1", invariants_digest="sha256:2", shown=(), coverage=NOTHING, engines=("e",), solver="s"
    ).sealed()
    assert proof.digest == digest_of(proof)
    assert proof.digest != digest_of(proof.model_copy(update={"revision": "sha256:3"}))
