"""What tokens stand for: sealed, of one tenant, and told to no other."""

import pytest

from adapters.stores.vault import VaultTable
from gateway.errors import StoreError
from gateway.ports.stores import Secret

ORIGIN = {"jurisdictions": ["IN"], "domain": "DCE", "session": "s-1", "role": "approver"}
"""The request that a token was made for."""


@pytest.fixture
def vault(tables):
    return VaultTable(tables)


async def test_what_was_kept_is_found(vault):
    """
    A token gives the value, its kind and the purpose it was made for; one that nobody made is left out.
    """
    await vault.keep("t", "review", {"<PERSON:a>": ("PERSON", "Ann Lee"), "<PHONE:b>": ("PHONE", "9123 4567")}, ORIGIN)
    found = await vault.look_up("t", ["<PHONE:b>", "<PERSON:a>", "<PERSON:none>"])
    assert found == {
        "<PERSON:a>": Secret("PERSON", "review", "Ann Lee", ORIGIN),
        "<PHONE:b>": Secret("PHONE", "review", "9123 4567", ORIGIN),
    }


@pytest.mark.parametrize("value", ["Ann Lee", '{"value": "Ann Lee", "origin": {"session": "mine"}}'])
async def test_what_was_kept_before_has_no_origin(vault, tables, rows, value):
    """
    A value of an earlier version opens, and nothing is believed of the request that it was made for, whatever the value says.
    """
    sealed = tables.cipher.seal(value, "t", "<PERSON:a>")
    rows.write("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", [("t", "<PERSON:a>", "PERSON", "review", sealed)])
    assert (await vault.look_up("t", ["<PERSON:a>"])) == {"<PERSON:a>": Secret("PERSON", "review", value)}


async def test_the_first_value_stays(vault):
    """
    A token never comes to stand for something else.
    """
    await vault.keep("t", "review", {"<PERSON:a>": ("PERSON", "Ann Lee")}, ORIGIN)
    await vault.keep("t", "other", {"<PERSON:a>": ("PERSON", "Ben Ong")}, ORIGIN)
    assert (await vault.look_up("t", ["<PERSON:a>"]))["<PERSON:a>"].value == "Ann Lee"


async def test_of_another_tenant_nothing(vault):
    """
    Another tenant's token is one that nobody made.
    """
    await vault.keep("t", "review", {"<PERSON:a>": ("PERSON", "Ann Lee")}, ORIGIN)
    assert await vault.look_up("other", ["<PERSON:a>"]) == {}


async def test_values_lie_sealed_in_their_place(vault, rows):
    """
    A value is not in the table in the clear, and does not open behind another token.
    """
    await vault.keep("t", "review", {"<PERSON:a>": ("PERSON", "Ann Lee")}, ORIGIN)
    [(sealed,)] = rows.read("SELECT value FROM tokens")
    assert b"Ann" not in bytes(sealed)
    rows.write("UPDATE tokens SET token = ?", [("<PERSON:b>",)])
    with pytest.raises(StoreError):
        await vault.look_up("t", ["<PERSON:b>"])


def test_a_secret_does_not_print_itself():
    """
    The value is in no representation that a log could hold.
    """
    assert "Ann" not in repr(Secret("PERSON", "review", "Ann Lee"))


async def test_where_the_table_does_not_answer(closed_tables):
    """
    What is not known to be durable is an error, so that no token is released.
    """
    with pytest.raises(StoreError):
        await VaultTable(closed_tables).keep("t", "review", {"<PERSON:a>": ("PERSON", "Ann Lee")}, ORIGIN)
