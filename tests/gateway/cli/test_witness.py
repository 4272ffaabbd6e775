"""`ctxgate witness`."""


def test_a_witness_makes_its_key(run, tmp_path):
    """
    The witness's key is made once, and its verifier key is printed for trust policies.
    """
    done = run("witness", "keygen", "audit.bank.example", "--key", "witness.skey")
    assert done.stdout.startswith("audit.bank.example+")
    assert run("witness", "keygen", "audit.bank.example", "--key", "witness.skey").returncode == 1
    assert (tmp_path / "witness.skey").stat().st_mode & 0o777 == 0o600
