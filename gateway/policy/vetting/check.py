"""
What is wrong with the tables and cases of a bundle, at its place in its file.

The same for whoever checks, tests, proposes, activates or fetches a bundle, and at every start.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from pydantic import ValidationError

from gateway.errors import BundleInvalidError
from gateway.policy.bundle import Bundle, files_of
from gateway.policy.supply.tables import TableError, read_yaml
from gateway.policy.vetting.cases import case_slips
from gateway.policy.vetting.dates import is_date, looks_like_a_date
from gateway.policy.vetting.exemptions import Exemption, Scope
from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.names import all_codes, named, vocabulary
from gateway.policy.vetting.places import Path, Places
from gateway.policy.vetting.reads import Reads, reads_of
from gateway.policy.vetting.schemas import flaws_of_schemas, schema_slips
from gateway.policy.vetting.slips import Slip, date_slip, is_of_a_date
from gateway.policy.vetting.words import at, members, undefinable, unguarded, unspoken

MOST: Final = 100
"""How many slips are told of at once."""

_NEVER_WAIVED: Final = (
    "No exception waives it: only what an area with `waivable: true` refuses, and `waivable` lists, can be."
)

_FREE: Final = frozenset({"version", "id", "title", "description", "message", "reason"})
"""Names of texts that may look like a date and be none."""

_READ_BY_THE_GATEWAY: Final = frozenset({"raised_by_gateway", "injection/review", "areas/list", "areas/includes"})


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A slip, where it was made."""

    file: str
    line: int
    column: int
    entry: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.entry}: {self.message} Hint: {self.hint}"


def misplaced(bundle: Bundle) -> list[Misplaced]:
    """The first slips in the tables and the cases of a bundle; none where all may be meant."""
    known = vocabulary(bundle)
    tables = list(islice(_in_tables(bundle, _table_slips(bundle, known)), MOST))
    # What a check has said of a place already, in words of its own, its schema need not say again.
    said = {(one.file, one.line, one.column) for one in tables}
    more = _in_tables(bundle, schema_slips(bundle, known))
    tables += islice((one for one in more if (one.file, one.line, one.column) not in said), MOST)
    found = [*tables, *islice(_in_schemas(bundle), MOST), *islice(_in_cases(bundle, known), MOST)]
    return sorted(found, key=lambda one: (one.file, one.line, one.column))


def require_vetted(bundle: Bundle) -> None:
    """
    Refuse a bundle that does not say what can be meant.

    Raises:
        BundleInvalidError: names the file, the line and what was expected.
    """
    if found := misplaced(bundle):
        raise BundleInvalidError(str(found[0]))


def _in_tables(bundle: Bundle, slips: Iterable[Slip]) -> Iterator[Misplaced]:
    files: dict[str, bytes] = {}
    held: dict[str, Places] = {}
    for slip in slips:
        files = files or files_of(bundle.content)
        name, inside = _file_of(slip.path, files)
        if name not in held:
            held[name] = Places(files.get(name, b""))
        yield _placed(name, held[name], inside, slip)


def _in_schemas(bundle: Bundle) -> Iterator[Misplaced]:
    for name, slip in flaws_of_schemas(bundle):
        yield _placed(name, Places(bundle.others[name].encode()), slip.path, slip)


def _file_of(path: Path, files: dict[str, bytes]) -> tuple[str, Path]:
    """In which file an entry stands, and its path within it: tables of a folder may hold what its subfolders do not."""
    for depth in range(len(path) - 1, -1, -1):
        for ending in ("yaml", "json"):
            name = "/".join((*path[:depth], f"data.{ending}"))
            if name in files:
                return name, path[depth:]
    return "/".join((*path[:2], "data.yaml")), path[2:]


def _in_cases(bundle: Bundle, known: Mapping[str, frozenset[str]]) -> Iterator[Misplaced]:
    codes = all_codes(bundle)
    for name, body in sorted(bundle.checks.items()):
        if not name.endswith(("cases.yaml", "cases.base.yaml")):
            continue
        try:
            document = read_yaml(body)
        except TableError:
            continue  # refused where the cases are read
        places: Places | None = None
        for slip in case_slips(document, codes, known, base=name.endswith("cases.base.yaml")):
            places = places or Places(body)
            yield _placed(name, places, slip.path, slip)


def _placed(name: str, places: Places, path: Path, slip: Slip) -> Misplaced:
    line, column = places.of(path, key=slip.key)
    return Misplaced(name, line, column, "/".join(path) or "the file", slip.message, slip.hint)


def _table_slips(bundle: Bundle, known: Mapping[str, frozenset[str]]) -> Iterator[Slip]:
    for path, name, key, kind in named(bundle.data):
        if kind in known and (not isinstance(name, str) or name not in known[kind]):
            # A code that there is was meant: what looks like it is another refusal, and waiving that one would be wrong.
            meant = (
                _NEVER_WAIVED if isinstance(name, str) and name in known.get("code", ()) else hint(name, known[kind])
            )
            yield Slip(path, f"{_shown(name)} is no {kind}.", meant, key=key)
    yield from undefinable(bundle.data)
    yield from unguarded(bundle.data)
    yield from unspoken(bundle.data)
    yield from _unread(bundle)
    yield from _exemptions(bundle)
    yield from _dates(bundle.data)


def _shown(name: object) -> str:
    if isinstance(name, bool) or name is None:
        return f"`{str(name).lower().replace('none', 'null')}` without quotes"
    return str(name)[:60] if isinstance(name, str | int | float) else "a list or a table"


def _dates(data: object) -> Iterator[Slip]:
    """Entries that are a date by their name or by their looks, and do not say one."""
    # The registry's have types, which are checked with it.
    waiting: list[tuple[Path, object]] = [((name,), table) for name, table in members(data) if name != "registry"]
    while waiting:
        path, value = waiting.pop()
        if is_of_a_date(path[-1]) and not isinstance(value, dict | list):
            if value is not None and not is_date(value):
                yield date_slip(path, value)
        elif isinstance(value, str) and path[-1] not in _FREE and looks_like_a_date(value) and not is_date(value):
            yield date_slip(path, value)
        waiting += [((*path, name), member) for name, member in members(value)]


def _exemptions(bundle: Bundle) -> Iterator[Slip]:
    listed: Any = at(bundle.data, "context/exceptions/granted")
    above = ("context", "exceptions", "granted")
    if listed is not None and not isinstance(listed, list):
        yield Slip(above, "the exceptions are no list.", "Write each with a dash, as the shipped ones are.")
        return
    ids: set[object] = set()
    for index, entry in enumerate(listed or ()):
        path = (*above, str(index))
        try:
            one = Exemption.model_validate(entry)
        except ValidationError as error:
            yield from (
                _of_model(path, found["loc"], found["type"], found["msg"]) for found in error.errors() if _told(found)
            )
            continue
        if one.id in ids:
            yield Slip((*path, "id"), f"the id {one.id} stands twice.", "Take the next one that is free.")
        ids.add(one.id)


def _told(found: Any) -> bool:  # noqa: ANN401 - an error of pydantic
    """Whether it is told of here: a date that is none is told of with all others."""
    return (
        found["loc"][-1:] != ("expires",)
        or found["type"] == "missing"
        or not isinstance(found["input"], str | int | float)
    )


def _of_model(path: Path, where: tuple[int | str, ...], kind: str, message: str) -> Slip:
    inside = tuple(map(str, where))
    name = inside[-1] if inside else ""
    if kind == "extra_forbidden":
        fields = Scope.model_fields if "scope" in inside[:-1] else Exemption.model_fields
        return Slip((*path, *inside), f"an exception has no `{name[:60]}`.", hint(name, fields), key=True)
    if kind == "missing":
        return Slip(
            (*path, *inside), f"an exception needs `{name}`.", "Every exception has an end, an owner and a reason."
        )
    text = message.removeprefix("Value error, ")
    return Slip((*path, *inside), f"{text[:1].lower()}{text[1:]}.", "Write it as the shipped ones are.")


def _unread(bundle: Bundle) -> Iterator[Slip]:
    """Tables that nothing reads, and tables that a rule reads and that are not there: a misspelt name makes both."""
    tables: dict[str, Any] = dict(members(bundle.data.get("context")))
    reads = reads_of(bundle)
    for area in [*tables, *(area for area in reads.keys if area not in tables)]:
        # A misspelt name is lacking where it is read, and unread where it stands: each of the two is the other's hint.
        wanted = [key for key in reads.keys.get(area, ()) if key not in reads.rules.get(area, ())]
        held = [key for key, _ in members(tables.get(area))]
        lacking = [key for key in wanted if key not in set(held)]
        unread = [key for key in held if _is_unread(reads, area, key)]
        for key in unread:
            meant_ = hint(key, lacking or wanted) if wanted else "Leave it out, or read it in a rule."
            yield Slip(("context", area, key), f"nothing reads a table `{key[:60]}`.", meant_, key=True)
        for key in lacking:
            places = reads.keys[area][key]
            count = f"{len(places)} rules read it" if len(places) > 1 else "a rule reads it"
            close = f"{hint(key, unread)} " if unread else ""
            message = f"there is no table `{key[:60]}`, and {count}, first {places[0]}."
            yield Slip(("context", area, key), message, f"{close}Where it is missing, the rule finds nothing under it.")


def _is_unread(reads: Reads, area: str, key: str) -> bool:
    of_the_gateway = key in _READ_BY_THE_GATEWAY or f"{area}/{key}" in _READ_BY_THE_GATEWAY
    return key not in reads.keys.get(area, ()) and area not in reads.whole and not of_the_gateway
