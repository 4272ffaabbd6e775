"""Names that stand for values."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.model.pseudonyms import LENGTH, Pseudonyms, keyed_digest, keyed_name, name_of, tenant_key

KEY = tenant_key(b"secret", "gfm")


def names(key=KEY, purpose="p", session="s"):
    return Pseudonyms(key, purpose, session)


@given(st.text(min_size=1, max_size=30))
def test_the_same_value_has_the_same_name(value):
    """
    Within tenant, purpose and session a value has one name, however it is spaced or capitalised as a whole.
    """
    token = names().token("PERSON", value)
    assert token == names().token("PERSON", f"  {value}\n")
    assert len(token) == len("<PERSON:>") + LENGTH


def test_elsewhere_it_has_another():
    """
    In another tenant, purpose or session, or as another kind of value, the name is another.
    """
    made = {
        names().token("PERSON", "Kelvin"),
        names().token("EMAIL", "Kelvin").replace("EMAIL", "PERSON"),
        names(purpose="q").token("PERSON", "Kelvin"),
        names(session="t").token("PERSON", "Kelvin"),
        names(key=tenant_key(b"secret", "asia")).token("PERSON", "Kelvin"),
        names(key=tenant_key(b"other", "gfm")).token("PERSON", "Kelvin"),
    }
    assert len(made) == 6


def test_what_was_named_is_remembered_for_the_vault():
    """
    Tokens can be turned back by the vault alone, so each is remembered with its value; hashes cannot, so they are not.
    """
    some = names()
    token = some.token("PERSON", "Kelvin")
    some.hashed("PERSON", "Kelvin")
    assert some.made == {token: ("PERSON", "Kelvin")}


def test_hashes_are_of_the_tenant():
    """
    A hash is the same in every session and purpose of a tenant, and in no other tenant.
    """
    assert names().hashed("X", "v") == names(purpose="q", session="t").hashed("X", "v")
    assert names().hashed("X", "v") != names(key=tenant_key(b"secret", "asia")).hashed("X", "v")


def test_the_cipher_has_a_key_of_the_tenants():
    """
    64 bytes, of two halves that differ, the same every time.
    """
    key = names().cipher_key()
    assert len(key) == 64
    assert key[:32] != key[32:]
    assert key == names(purpose="q").cipher_key()


def test_marks_do_not_run_together():
    """
    Parts of a mark are told apart, so that no two persons or requests share one.
    """
    assert keyed_name(b"s", "a", "bc") != keyed_name(b"s", "ab", "c")
    assert keyed_name(b"s", "a") != keyed_name(b"t", "a")
    assert name_of(b"s", "ann", "k").startswith(keyed_name(b"s", "ann"))


def test_digests_are_keyed():
    """
    Without the tenant's key nobody can tell whether a content was seen.
    """
    assert keyed_digest(KEY, "d") != keyed_digest(tenant_key(b"secret", "asia"), "d")
