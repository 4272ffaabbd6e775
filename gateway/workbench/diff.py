"""What differs between two bundles, in words: rules and table rows added, removed and changed."""

from collections.abc import Iterator

from gateway.policy.annotations import annotations
from gateway.policy.bundle import Bundle


def diff(old: Bundle, new: Bundle) -> list[str]:
    """One sentence for each difference; empty where both decide by the same text and tables."""
    return [*_rules(old, new), *_tables(old.data, new.data, ())]


def _rules(old: Bundle, new: Bundle) -> Iterator[str]:
    for name in sorted(old.modules.keys() | new.modules.keys()):
        if name not in new.modules:
            yield f"{name} is removed."
        elif name not in old.modules:
            yield f"{name} is added."
        elif old.modules[name] != new.modules[name]:
            yield from _refusals(name, old.modules[name], new.modules[name])


def _refusals(name: str, old: str, new: str) -> Iterator[str]:
    before = {block.code: block.fields for block in annotations(old) if block.code}
    after = {block.code: block.fields for block in annotations(new) if block.code}
    told = False
    for code in sorted(before.keys() | after.keys()):
        if code not in after:
            yield f"{name}: the refusal {code} ({before[code]['title']}) is removed."
        elif code not in before:
            yield f"{name}: the refusal {code} ({after[code]['title']}) is added: {after[code]['description'].strip()}"
        elif before[code] != after[code]:
            yield f"{name}: the refusal {code} ({after[code]['title']}) is described differently."
        else:
            continue
        told = True
    # By what the lines say, not by where they stand: what only moved decides the same.
    lines = [line for line in _code(new) if line not in _code(old)]
    gone = [line for line in _code(old) if line not in _code(new)]
    yield from (f"{name}: added: {line}" for line in lines)
    yield from (f"{name}: removed: {line}" for line in gone)
    if not (told or lines or gone):
        yield f"{name}: only comments or the order of lines differ."


def _code(rego: str) -> list[str]:
    return [line.strip() for line in rego.split("\n") if line.strip() and not line.startswith("#")]


def _tables(old: object, new: object, path: tuple[str, ...]) -> Iterator[str]:
    where = ".".join(path)
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys(), key=str):
            if key not in new:
                yield f"table {where}: the row {key} ({old[key]}) is removed."
            elif key not in old:
                yield f"table {where}: the row {key} is added: {new[key]}."
            else:
                yield from _tables(old[key], new[key], (*path, str(key)))
    elif isinstance(old, list) and isinstance(new, list):
        yield from (f"table {where}: {one} is removed." for one in old if one not in new)
        yield from (f"table {where}: {one} is added." for one in new if one not in old)
        if sorted(map(str, old)) == sorted(map(str, new)) and old != new:
            yield f"table {where}: the order changes to {new}."
    elif old != new:
        yield f"table {where}: {old} becomes {new}."
