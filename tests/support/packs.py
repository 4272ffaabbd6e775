"""Packs as they were handed over: how to find an item in one, and how to cite it."""

SCOPE = "packs:write ledger:read"
"""Scopes of whoever asks for packs and may know of every ruling."""


def item(pack, name):
    """An item of a pack as JSON, by its id."""
    return next(one for section in pack["sections"] for one in section["items"] if one["id"] == name)


def cite(pack, name):
    """A citation in full of an item: document, version and section."""
    source = item(pack, name)["provenance"]
    return {"doc_id": source["source_id"], "version": source["version"], "section": source["doc_section"]}


def sentence(pack, name):
    """The first sentence of an item."""
    return str(item(pack, name)["content"]).split(". ")[0]


def items_of(pack):
    """The items of a pack by id."""
    return {item.id: item for section in pack.sections for item in section.items}
