#!/usr/bin/env python3
"""
Checks an exported ledger, with nothing but Python's standard library and none of the product's code.

    python3 verify_ledger.py FOLDER --policy POLICY --fresh 10m [--older CHECKPOINT] [--witness URL] [--pack PACK.json]
        [--certificate CERTIFICATE]

Checked: the log's signature and those of witnesses, as the trust policy asks, and how old the newest quorum of them is;
the time that every record claims, against the checkpoints around it; every entry against the signed root and against
FORMAT.md; every lane from its first record without gaps; every sealed pack against all rulings of its request; the index
columns of the store against the records; every earlier checkpoint and its signature, those of your own and of witnesses
included; the proof of each sealed pack; every bundle by its hash; the signed list of what the export holds; a
certificate of erasure against the records of the erasure and of the certificate; that no checkpoint or receipt is by a key
that the log says was replaced by then.

Exit status: 0 it verifies; 1 it does not; 2 the input cannot be read as an export, or a part of it is missing; 3 it took
longer than allowed.
Formats: c2sp.org/tlog-tiles, tlog-checkpoint, signed-note, tlog-cosignature, tlog-policy, tlog-proof, tlog-witness;
RFC 6962; RFC 8032.  Memory does not grow with the log: what has to be sorted lies in files of the scratch folder.
"""

import argparse
import base64
import calendar
import collections
import concurrent.futures.process
import contextlib
import functools
import gc
import hashlib
import heapq
import itertools
import json
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from pathlib import Path

SCHEMAS = ("ctxgate.ledger/2", "ctxgate.ledger/1")
KINDS = (
    *("request.opened", "item.ruled", "item.dropped", "pack.sealed", "bundle.activated", "bundle.rejected"),
    *("shadow.disagreed", "exception.used", "lane.opened", "lane.closed", "key.rotated", "ledger.read"),
    *("citation.verified", "quarantine.reviewed", "token.revealed", "bundle.proposed", "bundle.shadowed"),
    *("erasure", "erasure.certified", "record.refused", "exception.reviewed", "erasure.reviewed"),
    *("document.accepted", "document.set_aside", "document.refused", "document.withdrawn", "document.purged"),
    "document.synced",
)
OUTCOMES = ("released", "redacted", "quarantined", "denied", "dropped")
PARTS = ("manifest", "index", "checkpoints", "receipts", "bundles")
WIDTH = 256
SPAN = 65_536
MAX_BUNDLE = WIDTH * (2 + 65_535)
MAX_NOTE = 1_000_000
MAX_TEXT = 64_000_000
MAX_NAME = 300
MAX_NUMBER = 2**53
NONE = "0" * 64
EMPTY = hashlib.sha256().digest()
DECIDING = {
    *('"request.opened"', '"item.ruled"', '"item.dropped"', '"exception.used"', '"pack.sealed"', '"shadow.disagreed"'),
}
USABLE = {'"released"', '"redacted"'}
SKEW = 300
HELD = 64_000_000
EACH = 200_000
DURATIONS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class Broken(Exception):
    """The ledger does not verify."""


class Unusable(Exception):
    """The input is not an export."""


# ── Ed25519 (RFC 8032 section 5.1), for verification alone ──
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


def point(data):
    y = int.from_bytes(data, "little")
    x = recover_x(y & (1 << 255) - 1, y >> 255)
    y &= (1 << 255) - 1
    return None if x is None else (x, y, 1, x * y % P)


def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return (e * f % P, g * h % P, f * g % P, e * h % P)


NEUTRAL = (0, 1, 1, 0)
BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


@functools.lru_cache(64)
def rows(a):
    """Of a point: for each of 64 digits to the base 16, its multiples by 0 to 15 there; keys are few and signatures many."""
    found = []
    for _ in range(64):
        row = [NEUTRAL]
        for _ in range(15):
            row.append(add(row[-1], a))
        found.append(row)
        a = add(row[-1], a)
    return found


def times(scalar, a):
    total = NEUTRAL
    for row in rows(a):
        total = add(total, row[scalar & 15])
        scalar >>= 4
    return total


def ed25519(public, signature, message):
    if len(public) != 32 or len(signature) != 64:
        return False
    a, s = point(public), int.from_bytes(signature[32:], "little")
    if a is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    # Without the cofactor and against the bytes, as OpenSSL does: s·B - k·A is R.
    x, y, z, _ = add(times(s, BASE), times(k, (P - a[0], a[1], 1, P - a[3])))
    over = pow(z, P - 2, P)
    return (y * over % P | (x * over % P & 1) << 255).to_bytes(32, "little") == signature[:32]


# ── notes, checkpoints, proofs ──
def unbase64(text):
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Unusable("not base64") from error


def parse_key(text):
    name, _, rest = text.strip().partition("+")
    mark, _, encoded = rest.partition("+")
    raw = unbase64(encoded)
    if len(raw) != 33 or hashlib.sha256(name.encode() + b"\n" + raw).hexdigest()[:8] != mark or raw[0] not in (1, 4):
        raise Unusable("not a verifier key")
    return name, mark, raw[0], raw[1:]


def open_note(note, keys):
    """The text of a note, and the keys of those given that signed it, with the time that a witness's signature says."""
    text, blank, below = note.rpartition("\n\n")
    if not blank or len(note) > MAX_NOTE:
        raise Unusable("not a signed note")
    text += "\n"
    signed = {}
    for line in below.splitlines():
        match = re.fullmatch(r"\u2014 (\S+) (\S+)", line)
        if not match:
            raise Unusable("not a signed note")
        raw = unbase64(match[2])
        for key in keys:
            if (match[1], raw[:4].hex()) == key[:2]:
                message, signature, stamp = text.encode(), raw[4:], 0
                if key[2] == 4:
                    stamp, signature = int.from_bytes(signature[:8], "big"), signature[8:]
                    message = f"cosignature/v1\ntime {stamp}\n{text}".encode()
                if not ed25519(key[3], signature, message) or stamp >= LAST_SECOND:
                    raise Broken(f"the signature of {key[0]} does not hold on the note that begins {text[:60]!r}")
                signed[key] = max(stamp, signed.get(key, 0))
    return text, signed


def parse_checkpoint(text):
    lines = text.split("\n")
    if len(lines) < 4 or not re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1]):
        raise Unusable("not a checkpoint")
    root = unbase64(lines[2])
    if len(root) != 32:
        raise Unusable("not a checkpoint")
    return lines[0], int(lines[1]), root


def checkpoint_of(note, keys):
    """Origin, size and root of a checkpoint that one of the log's keys signed; by which keys, and when each witness cosigned it."""
    text, signed = open_note(note, keys)
    origin, size, root = parse_checkpoint(text)
    if not any(key[0] == origin and key[2] == 1 for key in signed):
        raise Broken(f"the checkpoint of {size} entries is not signed by the log's key")
    return origin, size, root, signed


def notes(path, digest):
    """Every note of a list, one after the other, however long the list is; what is read goes into a digest too."""
    with path.open(encoding="utf-8") as file:
        parts, length = [[]], 0
        for line in iter(lambda: file.readline(MAX_NOTE), ""):
            digest.update(line.encode())
            length += len(line)
            if length > MAX_NOTE:
                raise Unusable(f"{path.name} holds a note that is too long")
            if line != "\n":
                parts[-1].append(line)
            elif parts[-1]:
                parts.append([])
            if len(parts) == 3:
                yield "{}\n{}".format(*map("".join, parts[:2]))
                parts, length = [[]], 0
        if parts != [[]]:
            yield "\n".join("".join(part) for part in parts)


def leaf_hash(entry):
    return hashlib.sha256(b"\0" + entry).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root_hash(leaves):
    level = list(leaves)
    while len(level) > 1:
        paired = [node_hash(a, b) for a, b in zip(level[::2], level[1::2])]
        level = paired + level[-1:] if len(level) % 2 else paired
    return level[0] if level else EMPTY


def verify_inclusion(leaf, index, size, proof, root):
    node, last, found = index, size - 1, leaf
    if not 0 <= index < size:
        return False
    for sibling in proof:
        if not last:
            return False
        if node & 1 or node == last:
            found = node_hash(sibling, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        node, last = node >> 1, last >> 1
    return not last and found == root


# ── whom to believe, and when ──
LAST_SECOND = calendar.timegm((9999, 1, 1, 0, 0, 0))


class Policy:
    """A trust policy (c2sp.org/tlog-policy)."""

    def __init__(self, text):
        self.logs, self.witnesses, self.groups, self.quorum = [], {}, {}, None
        for words in filter(None, (line.split("#")[0].split() for line in text.splitlines())):
            self.take(words)
        if self.quorum is None:
            raise Unusable("a trust policy without a quorum")

    def take(self, words):
        known = {*self.witnesses, *self.groups}
        if words[0] == "log" and len(words) in (2, 3):
            self.logs.append(parse_key(words[1]))
        elif words[0] == "witness" and len(words) in (3, 4) and words[1] not in {*known, "none"}:
            self.witnesses[words[1]] = parse_key(words[2])
        elif (
            words[0] == "group" and len(words) >= 4 and words[1] not in {*known, "none"} and known.issuperset(words[3:])
        ):
            count = {"any": 1, "all": len(words) - 3}.get(words[2]) or int(words[2])
            if not 1 <= count <= len(words) - 3:
                raise Unusable("a trust policy with a group that nobody can meet, or everybody")
            self.groups[words[1]] = count, words[3:]
        elif words[0] == "quorum" and len(words) == 2 and self.quorum is None and words[1] in {*known, "none"}:
            self.quorum = words[1]
        else:
            raise Unusable("not a trust policy")

    def met(self, cosigned, name=None):
        name = name or self.quorum
        if name in self.groups:
            count, names = self.groups[name]
            return sum(self.met(cosigned, one) for one in names) >= count
        return name == "none" or self.witnesses[name] in cosigned

    def time(self, stamps):
        """Since when a quorum has vouched for a checkpoint, in seconds since 1970; None where it asks for no witness."""
        if self.quorum == "none":
            return None
        for stamp in sorted(stamps.values(), reverse=True):
            if self.met({key for key, other in stamps.items() if other >= stamp}):
                return stamp
        raise Broken("not enough witnesses cosigned the checkpoint")


def instant(seconds):
    """As records write it, so that times compare as texts."""
    moment = time.gmtime(max(0, min(seconds, LAST_SECOND)))
    return time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", moment)


def seconds_of(at):
    return calendar.timegm(time.strptime(at[:19], "%Y-%m-%dT%H:%M:%S"))


def told(seconds):
    """A length of time, for people."""
    for unit, length in (("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


def duration(text):
    match = re.fullmatch(r"([0-9]{1,6})([smhd])", text)
    if not match:
        raise argparse.ArgumentTypeError("a number and s, m, h or d, such as 10m")
    return int(match[1]) * DURATIONS[match[2]]


class Times:
    """Holds the times that records claim against when the checkpoints around them were cosigned."""

    def __init__(self, late):
        self.late, self.last, self.from_, self.widest = late, None, 0, None
        self.low = self.high = None

    def take(self, low, high):
        self.low, self.high = min(self.low or low, low), max(self.high or high, high)

    def meet(self, size, stamps):
        """All checkpoints of a size were cosigned at these times."""
        if self.low:
            first = min(stamps)
            floor = (first if self.last is None else self.last) - self.late
            if self.high[0] > instant(first + SKEW):
                raise Broken(
                    f"entry {self.high[1]} is dated {self.high[0]}, and a checkpoint over it was cosigned at {instant(first)}"
                )
            if self.low[0] < instant(floor):
                early = told(first - seconds_of(self.low[0]))
                raise Broken(
                    f"entry {self.low[1]} is dated {self.low[0]}, {early} before it was cosigned ({instant(first)}), "
                    "and no checkpoint bears that out"
                )
            gap = first - floor
            self.widest = max(self.widest or (gap, 0, 0), (gap, self.from_, size - 1))
        self.low = self.high = None
        self.last, self.from_ = max([*stamps, self.last or 0]), size


def ask_witness(url, note, size, witnesses):
    """What a witness says when it is shown a checkpoint again (c2sp.org/tlog-witness): its size, and a new cosignature."""
    body = f"old {size}\n\n{note}".encode()
    asked = urllib.request.Request(url.rstrip("/") + "/add-checkpoint", body, method="POST")  # noqa: S310
    try:
        with urllib.request.urlopen(asked, timeout=20) as answer:  # noqa: S310 - http or https, by its caller
            lines = answer.read(10_000).decode()
    except urllib.error.HTTPError as error:
        last = error.read(100).decode().strip()
        if error.code != 409 or not re.fullmatch(r"[0-9]{1,16}", last):
            raise Unusable(f"the witness at {url} refused with status {error.code}") from error
        return int(last), {}
    except (OSError, ValueError) as error:
        raise Unusable(f"the witness at {url} did not answer") from error
    _, signed = open_note(note + lines, witnesses)
    return size, signed


def witness_heads(options, policy, note, size, root):
    """Checkpoints that witnesses hand out, to be held against the log, and when they cosigned the newest."""
    keys, heads, stamps = list(policy.witnesses.values()), [], {}
    for where in options.witness:
        if re.match("https?://", where):
            last, signed = ask_witness(where, note, size, keys)
            if last == size and not signed:
                raise Broken(f"the witness at {where} saw other entries under the size of {size}: the log was forked")
        else:
            text, signed = open_note(text_of(Path(where), MAX_NOTE), keys)
            origin, last, seen = parse_checkpoint(text)
            if origin != parse_checkpoint(note)[0] or not signed:
                raise Broken(f"{where} is not a checkpoint of this log that a witness of the policy cosigned")
            heads.append((last, seen, {}))
            signed = signed if (last, seen) == (size, root) else {}
        if last > size:
            raise Broken(
                f"a witness saw {last} entries, and here are {size}: the log was cut, or went on since the export; "
                "ask the witness first, then export"
            )
        stamps.update(signed)
    return heads, stamps


# ── canonical JSON of any value (RFC 8785), for packs ──
def jcs(value):
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(f"{jcs(name)}:{jcs(member)}" for name, member in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(jcs, value)) + "]"
    return number(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def number(value):
    """A double as ECMAScript prints it, from Python's shortest digits."""
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(abs(value)).partition("e")
    before, _, after = mantissa.partition(".")
    digits, shift = before + after, len(before) + int(exponent or 0)
    stripped = digits.lstrip("0")
    shift -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    count = len(digits)
    if count <= shift <= 21:
        text = digits + "0" * (shift - count)
    elif 0 < shift <= 21:
        text = f"{digits[:shift]}.{digits[shift:]}"
    elif -6 < shift <= 0:
        text = "0." + "0" * -shift + digits
    else:
        power = shift - 1
        text = f"{digits[0]}{'.' + digits[1:] if count > 1 else ''}e{'+' if power > 0 else '-'}{abs(power)}"
    return "-" * (value < 0) + text


# ── the entries ──
ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode

# The one form of a record (FORMAT.md), token by token: reading it so is quicker than as JSON, and stricter.
TEXT = r'"[^"\\\x00-\x1f]*(?:\\(?:["\\bfnrt]|u00(?:0[0-7bef]|1[0-9a-f]))[^"\\\x00-\x1f]*)*"'
COUNT = r"(?:0|[1-9][0-9]{0,15})"
HASH = r'"[0-9a-f]{64}"'
UUID = r'"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"'
TIME = (
    r'"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])'
    r'T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z"'
)
LARGE = re.compile('":[0-9]{16}')


def maybe(pattern):
    return f"(?:{pattern}|null)"


def listed(pattern):
    return rf"\[(?:{pattern}(?:,{pattern})*)?\]"


def one_of(words):
    return f'"(?:{"|".join(map(re.escape, words))})"'


def members(**patterns):
    return r"\{" + ",".join(f'"{name}":{pattern}' for name, pattern in sorted(patterns.items())) + r"\}"


def record(schema, **later):
    """The one form of a record under a schema, which names the members that came later."""
    return re.compile(
        members(
            **later,
            agent=f"(?P<agent>{maybe(TEXT)})",
            at=f"(?P<at>{TIME})",
            codes=f"(?P<codes>{listed(TEXT)})",
            decision_id=f"(?P<decision>{UUID})",
            detectors=rf"(?P<detectors>\{{(?:{TEXT}:{TEXT}(?:,{TEXT}:{TEXT})*)?\}})",
            exceptions=listed(TEXT),
            findings=listed(members(count=COUNT, type=TEXT)),
            gateway=members(build=TEXT, replica=UUID),
            item=maybe(members(bytes=COUNT, commitment=HASH, id=f"(?P<item>{TEXT})", media_type=TEXT)),
            kind=f"(?P<kind>{one_of(KINDS)})",
            lane=members(
                epoch=f"(?P<epoch>{COUNT})", id=f"(?P<lane>{UUID})", prev=f"(?P<prev>{HASH})", seq=f"(?P<seq>{COUNT})"
            ),
            obligations=listed(TEXT),
            origin=f"(?P<origin>{TEXT})",
            outcome=f"(?P<outcome>{maybe(one_of(OUTCOMES))})",
            pack="(?P<pack>"
            + maybe(members(digest=HASH, id=TEXT, items=listed(UUID), lane_head=HASH, rulings=COUNT, rulings_root=HASH))
            + ")",
            policy=maybe(
                members(
                    engine=TEXT,
                    engine_version=TEXT,
                    entrypoint=TEXT,
                    input_commitment=maybe(HASH),
                    revision=f"(?P<revision>{TEXT})",
                )
            ),
            purpose=f"(?P<purpose>{maybe(TEXT)})",
            released_commitment=maybe(HASH),
            request_id=f"(?P<request>{UUID})",
            schema=f'"{schema}"',
            source=maybe(
                members(
                    classification=maybe(TEXT),
                    id=f"(?P<source>{maybe(TEXT)})",
                    jurisdiction=maybe(TEXT),
                    tier=maybe(COUNT),
                    version=maybe(TEXT),
                )
            ),
            subject=f"(?P<subject>{maybe(TEXT)})",
            tenant=f"(?P<tenant>{TEXT})",
            trace_id=f"(?P<trace>{TEXT})",
        )
    )


RECORDS = (
    record(SCHEMAS[0], person=maybe(HASH), repeats=f"(?P<repeats>{maybe(UUID)})"),
    record(SCHEMAS[1]),
)


@functools.lru_cache(4096)
def in_order(detectors):
    """Whether the names of detectors are ASCII and stand in their order, each once."""
    members = json.loads(detectors)
    return ENCODE(members) == detectors and all(map(str.isascii, members))


@functools.lru_cache(4096)
def distinct(codes):
    """Codes as the index has them: sorted, each once."""
    return ENCODE(sorted(set(json.loads(codes))))


def doubtful(text):
    """Whether a text or a number may be beyond its bounds, which is rare enough to be looked at more slowly then."""
    # A text that is too long fills a whole window, which then has no quotation mark in it.
    windows = range(0, len(text), MAX_NAME // 2)
    return "\\" in text or LARGE.search(text) or not all('"' in text[at : at + MAX_NAME // 2] for at in windows[:-1])


def bounded(value):
    """Whether all texts and numbers in a value are within the bounds of FORMAT.md."""
    if isinstance(value, dict):
        return all(map(bounded, value)) and all(map(bounded, value.values()))
    if isinstance(value, list):
        return all(map(bounded, value))
    if isinstance(value, str):
        return len(value) <= MAX_NAME and "\0" not in value
    return value is None or value < MAX_NUMBER


def tile_path(folder, level, number, width):
    digits = f"{number:03d}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[i : i + 3] for i in range(0, len(digits), 3)]
    where = "/".join([*("x" + part for part in parts[:-1]), parts[-1]])
    return folder / f"tile/{level}/{where}{'' if width == WIDTH else f'.p/{width}'}"


def read(path, most):
    try:
        if path.stat().st_size > most or not path.is_file():
            raise Unusable(f"{path.name} is not a file, or too large")
        return path.read_bytes()
    except OSError as error:
        raise Unusable(f"{path} cannot be read") from error


def text_of(path, most=MAX_TEXT):
    try:
        return read(path, most).decode()
    except UnicodeDecodeError as error:
        raise Unusable(f"{path.name} is not text") from error


def hash_of(path):
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while some := file.read(1 << 20):
                digest.update(some)
    except OSError as error:
        raise Unusable(f"{path} cannot be read") from error
    return digest.hexdigest()


def read_entry(entry, origin):
    """The fields of a record of a log, each as it stands in its one form; None of anything else."""
    try:
        text = entry.decode()
    except UnicodeDecodeError:
        return None
    found = len(entry) <= 60_000 and next(filter(None, (form.fullmatch(text) for form in RECORDS)), None)
    fields = found and found.groupdict("null")
    if not fields or fields["origin"] != origin or not in_order(fields["detectors"]):
        return None
    return fields if not doubtful(text) or bounded(json.loads(text)) else None


INDEXED = (
    *("lane", "epoch", "seq", "kind", "decision", "trace", "request", "tenant", "subject", "agent", "purpose", "item"),
    *("source", "outcome", "revision"),
)


def index_row(index, fields, pack):
    """What the store's index says of an entry, as it stands in `index.jsonl`."""
    values = ",".join([fields[name] for name in INDEXED])
    return f"[{index},{values},{ENCODE(pack['id']) if pack else 'null'},{fields['at']},{distinct(fields['codes'])}]"


def differs(rows, line):
    try:
        pairs = itertools.zip_longest(rows, json.loads(line))
        return next(f"does not say of entry {row[0]} what it says" for row, other in pairs if row and row != other)
    except (ValueError, StopIteration):
        return f"is not one from entry {rows[0][0]} on"


def packed(uuid):
    return bytes.fromhex(uuid.replace("-", ""))


class Context:
    """What every worker knows of the export."""

    def __init__(self, folder, origin, size, root, note, believed, witnesses, has, packs):
        self.folder, self.origin, self.size, self.root, self.note = folder, origin, size, root, note
        self.believed, self.witnesses, self.has, self.packs = believed, witnesses, has, packs
        self.named, self.partitions, self.salt = ENCODE(origin), 1 + size // EACH, os.urandom(16)

    def partition(self, key):
        """Which partition has the rows of a key; nobody who writes a log can choose it."""
        if self.partitions == 1:
            return 0
        return int.from_bytes(hashlib.blake2b(key, digest_size=8, salt=self.salt).digest(), "big") % self.partitions


CONTEXT = None


def begin(context):
    global CONTEXT
    CONTEXT = context


def begin_worker(context):
    gc.disable()
    begin(context)


class Seen:
    """What a worker saw in a bundle: all that the later checks need of its entries, and of its lanes as a whole."""

    def __init__(self, number, width):
        self.number, self.width, self.root = number, width, None
        self.leaves, self.times, self.lanes = [], [], {}
        self.ids, self.rulings, self.packs, self.follows = (collections.defaultdict(bytearray) for _ in range(4))
        self.count, self.proofs, self.proved, self.revisions, self.found = 0, [], [], {}, []
        self.turns, self.refused = [], []

    def take(self, index, leaf, fields, pack):
        self.leaves.append(leaf)
        self.times.append((fields["at"][1:-1], index))
        self.chain(index, leaf, fields)
        decision, request = packed(fields["decision"][1:-1]), packed(fields["request"][1:-1])
        at = index.to_bytes(8, "big")
        self.ids[CONTEXT.partition(decision)] += decision + at
        if fields["kind"] in DECIDING:
            before = fields.get("repeats", "null")
            before = bytes(16) if before == "null" else packed(before[1:-1])
            self.follows[CONTEXT.partition(request)] += request + at + before
        if fields["kind"] == '"record.refused"':
            self.refused.append((index, json.loads(fields.get("item") or "null") or ""))
        if fields["kind"] == '"item.ruled"':
            usable = b"\1" if fields["outcome"] in USABLE else b"\0"
            self.rulings[CONTEXT.partition(request)] += request + at + usable + decision + leaf
        if fields["kind"] == '"key.rotated"':
            self.turns.append((index, json.loads(fields["codes"])))
        if fields.get("revision", "null") != "null" and not fields["kind"].startswith(('"bundle.', '"shadow.')):
            self.revisions.setdefault(fields["revision"], index)
        if pack:
            self.count += 1
            items = b"".join(map(packed, pack["items"]))
            head = pack["rulings"].to_bytes(8, "big") + bytes.fromhex(pack["rulings_root"])
            row = request + at + head + items
            self.packs[CONTEXT.partition(request)] += len(row).to_bytes(4, "big") + row
            if "receipts" in CONTEXT.has:
                self.prove(index, leaf, pack["id"])
            if leaf in CONTEXT.packs:
                self.found.append((leaf, index))

    def chain(self, index, leaf, fields):
        place, seq, prev = (fields["lane"], int(fields["epoch"])), int(fields["seq"]), fields["prev"][1:-1]
        lane = self.lanes.setdefault(place, [index, seq, prev, seq - 1, prev])
        if (seq, prev) != (lane[3] + 1, lane[4]):
            raise Broken(f"entry {index} does not follow the record before it in its lane")
        lane[3:] = seq, leaf.hex()

    def prove(self, index, leaf, pack):
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}", pack):
            raise Broken(f"entry {index} seals a pack whose name cannot be that of a file")
        path = CONTEXT.folder / f"receipts/{pack}.tlog-proof"
        text = text_of(path, 200_000)
        stated, hashes, note = read_proof(path, text)
        size, root = CONTEXT.size, CONTEXT.root
        if note != CONTEXT.note:
            _, size, root, signed = checkpoint_of(note, CONTEXT.believed)
            self.proved.append((size, root, signed))
        if size > CONTEXT.size:
            raise Broken(
                f"the proof {path.name} is under a signed checkpoint of {size} entries, and here are {CONTEXT.size}: "
                "the log was cut, or there is another one under its name"
            )
        if stated != index or not verify_inclusion(leaf, index, size, hashes, root):
            raise Broken(f"the proof {path.name} does not hold")
        self.proofs.append(hashlib.sha256(text.encode()).digest())


def read_proof(path, text):
    head, _, note = text.partition("\n\n")
    lines = head.split("\n")
    if len(lines) < 2 or lines[0] != "c2sp.org/tlog-proof@v1" or not re.fullmatch(r"index [0-9]{1,16}", lines[1]):
        raise Unusable(f"{path.name} is not a proof")
    return int(lines[1][6:]), [unbase64(line) for line in lines[2:66]], note


def read_bundle(job):
    """What the later checks need of up to 256 entries, once each is known to be a record in its one form."""
    number, width, line = job
    seen, rows, start = Seen(number, width), [], 0
    body = read(tile_path(CONTEXT.folder, "entries", number, width), MAX_BUNDLE)
    tile = read(tile_path(CONTEXT.folder, 0, number, width), WIDTH * 32)
    for index in range(number * WIDTH, number * WIDTH + width):
        size = int.from_bytes(body[start : start + 2], "big")
        entry = body[start + 2 : start + 2 + size]
        start += 2 + size
        leaf, at = leaf_hash(entry), index % WIDTH * 32
        if leaf != tile[at : at + 32]:
            raise Broken(
                f"entry {index} is not the one whose hash is in tile 0/{number}: it was changed, moved or taken out"
            )
        fields = read_entry(entry, CONTEXT.named)
        if fields is None:
            raise Broken(f"entry {index} is not a record of this log in its one form")
        pack = json.loads(fields["pack"]) if fields["pack"] != "null" else None
        if (pack is None) == (fields["kind"] == '"pack.sealed"'):
            raise Broken(f"entry {index} is of a kind that has a pack where it has none, or the other way round")
        seen.take(index, leaf, fields, pack)
        if line:
            rows.append(index_row(index, fields, pack))
    if start != len(body) or len(tile) != width * 32:
        raise Broken(f"the bundle of entry {number * WIDTH} has more or less than its entries")
    if line and f"[{','.join(rows)}]\n" != line:
        raise Broken(f"the index of the store {differs([json.loads(row) for row in rows], line)}")
    seen.root = root_hash(seen.leaves)
    return seen


def read_note(note):
    """Size and root of an earlier checkpoint of the log, by which keys, and when each witness cosigned it."""
    origin, size, root, stamps = checkpoint_of(note, [*CONTEXT.believed, *CONTEXT.witnesses])
    if origin != CONTEXT.origin:
        raise Broken(f"the list of checkpoints holds one of another log, {origin[:100]}")
    return size, root, stamps


# ── the whole ──
class Tree:
    """A tree that grows, and gives its root at any size on the way."""

    def __init__(self):
        self.size, self.peaks = 0, []

    def append(self, root, width=1):
        """Add a leaf, or the root over as many as a power of two that divides the size."""
        size = self.size // width
        while size & 1:
            root = node_hash(self.peaks.pop(), root)
            size >>= 1
        self.peaks.append(root)
        self.size += width

    def root(self):
        root = self.peaks[-1] if self.peaks else EMPTY
        for peak in reversed(self.peaks[:-1]):
            root = node_hash(peak, root)
        return root


class UpperTiles:
    """Tiles above the leaves, against the roots of the tiles below them, as these become known."""

    def __init__(self, folder):
        self.folder, self.levels = folder, []

    def append(self, root, level=1):
        if len(self.levels) < level:
            self.levels.append((0, []))
        number, below = self.levels[level - 1]
        below.append(root)
        if len(below) == WIDTH:
            self.compare(level, number, below)
            self.levels[level - 1] = number + 1, []
            self.append(root_hash(below), level + 1)

    def compare(self, level, number, below):
        if read(tile_path(self.folder, level, number, len(below)), WIDTH * 32) != b"".join(below):
            raise Broken(f"tile {level}/{number} does not hold the roots of the tiles below it")

    def finish(self):
        for level, (number, below) in enumerate(self.levels, 1):
            if below:
                self.compare(level, number, below)


class Due:
    """Checkpoints that the tree is still to be held against, in the order of their sizes; the list is read as it is needed."""

    def __init__(self, earlier, others, size):
        self.earlier, self.size, self.heap, self.known = earlier, size, [], set()
        self.ahead, self.last, self.count = None, -1, 0
        for one in others:
            self.add(*one)
        self.pull()

    def add(self, size, root, stamps):
        """One more; the tree has not come to its size yet."""
        # Once for each set of keys that signed it: a proof is under the same checkpoint as hundreds of others.
        name = size, root, frozenset(stamps)
        if name not in self.known:
            self.known.add(name)
            heapq.heappush(self.heap, (size, len(self.known) + len(self.heap), root, stamps))

    def pull(self):
        """Look at the next of the list, which has one in each span of sizes (FORMAT.md)."""
        if self.earlier is None:
            return
        self.ahead = next(self.earlier, None)
        size = self.ahead[0] if self.ahead else self.size
        if size > self.size:
            raise Broken(
                f"a checkpoint of {size} entries was signed before, and here are {self.size}: "
                "the log was cut, or is an older copy"
            )
        if size < self.last:
            raise Broken("the list of checkpoints is not in the order of their sizes")
        if size // SPAN > self.last // SPAN + 1:
            raise Broken(f"no checkpoint between {max(self.last, 0)} and {size} entries is there: some were taken out")
        self.count += self.ahead is not None and size != self.last
        self.last = size

    def next(self):
        """The least size that is due."""
        return min(self.heap[0][0] if self.heap else self.size + 1, self.ahead[0] if self.ahead else self.size + 1)

    def pop(self, size):
        """All that are due at a size."""
        while self.heap and self.heap[0][0] <= size:
            due, _, root, stamps = heapq.heappop(self.heap)
            yield due, root, stamps
        while self.ahead and self.ahead[0] <= size:
            yield self.ahead
            self.pull()


class Spill:
    """Rows of a fixed key, too many for memory: in partitions, each small enough to be looked at alone."""

    def __init__(self, scratch, name):
        self.scratch, self.name, self.parts, self.held = scratch, name, collections.defaultdict(bytearray), 0

    def add(self, rows):
        for partition, some in rows.items():
            self.parts[partition] += some
            self.held += len(some)
        if self.held > HELD:
            for partition, some in self.parts.items():
                with (self.scratch / f"{self.name}.{partition}").open("ab") as file:
                    file.write(some)
            self.parts.clear()
            self.held = 0

    def read(self, partition):
        path = self.scratch / f"{self.name}.{partition}"
        return (path.read_bytes() if path.exists() else b"") + self.parts.pop(partition, b"")


class Turns:
    """Of each key the first and the last size of the log that it signs, as the log's own rotations say."""

    def __init__(self):
        self.spans, self.signed = {}, set()

    def take(self, index, codes):
        """The record of a rotation."""
        for code in codes:
            which, _, text = code.partition("-")
            if which not in {"FROM", "TO"}:
                continue
            key = parse_key(text)[:2]
            first, last = self.spans.get(key, (0, MAX_NUMBER))
            if which == "TO" and key in self.signed:
                raise Broken(f"a checkpoint before entry {index} is signed by a key that had not begun")
            self.spans[key] = (first, min(last, index)) if which == "FROM" else (max(first, index + 1), last)

    def check(self, size, signed):
        """A key that was replaced signs no tree that holds the record of that, and a new one none that does not."""
        signers = {key[:2] for key in signed if key[2] == 1}
        self.signed |= signers
        spans = [self.spans.get(key, (0, MAX_NUMBER)) for key in signers]
        if spans and not any(first <= size <= last for first, last in spans):
            raise Broken(
                f"the checkpoint of {size} entries is signed by a key that had been replaced, or had not begun"
            )

    def check_receipt(self, index, key, pack):
        if index >= self.spans.get(key, (0, MAX_NUMBER))[1]:
            raise Broken(f"the receipt of the pack {pack} is by a key that had been replaced")


class Ledger:
    """What has been seen of the log so far."""

    def __init__(self, scratch, due, times, policy):
        self.due, self.times, self.policy = due, times, policy
        self.tree, self.upper, self.lanes = Tree(), UpperTiles(CONTEXT.folder), {}
        self.ids, self.rulings, self.packs, self.follows = (
            Spill(scratch, name) for name in ("ids", "rulings", "packs", "follows")
        )
        self.count, self.proofs, self.receipts = 0, 0, hashlib.sha256()
        self.revisions, self.found, self.turns, self.refused = {}, {}, Turns(), []
        self.meet()

    def take(self, seen):
        for place, (index, seq, prev, last, leaf) in seen.lanes.items():
            if (seq - 1, prev) != self.lanes.get(place, (-1, NONE)):
                raise Broken(f"entry {index} does not follow the record before it in its lane")
            self.lanes[place] = last, leaf
        for name in ("ids", "rulings", "packs", "follows"):
            getattr(self, name).add(getattr(seen, name))
        self.refused += seen.refused
        self.count += seen.count
        self.proofs += len(seen.proofs)
        self.receipts.update(b"".join(seen.proofs))
        self.found.update(seen.found)
        for turn in seen.turns:
            self.turns.take(*turn)
        for revision, index in seen.revisions.items():
            self.revisions.setdefault(revision, index)
        for one in seen.proved:
            self.due.add(*one)
        self.grow(seen)

    def grow(self, seen):
        end = self.tree.size + seen.width
        if seen.width == WIDTH:
            self.upper.append(seen.root)
        if seen.width == WIDTH and self.due.next() >= end:
            self.tree.append(seen.root, WIDTH)
            self.times.take(min(seen.times), max(seen.times))
            self.meet()
            return
        for leaf, at in zip(seen.leaves, seen.times):
            self.tree.append(leaf)
            self.times.take(at, at)
            self.meet()

    def meet(self):
        """Hold the tree against the checkpoints of its size, and the times of its entries against theirs."""
        if self.due.next() > self.tree.size:
            return
        root, stamps = self.tree.root(), []
        for size, other, cosigned in self.due.pop(self.tree.size):
            if size != self.tree.size or other != root:
                raise Broken(f"a checkpoint of {size} entries was signed over other entries")
            self.turns.check(size, cosigned)
            if cosigned and self.policy.quorum != "none":
                with contextlib.suppress(Broken):
                    stamps.append(self.policy.time(cosigned))
        if stamps:
            self.times.meet(self.tree.size, stamps)

    def close(self):
        """All that can be said of ids and packs once every entry is known, a partition at a time."""
        for partition in range(CONTEXT.partitions):
            ids = self.ids.read(partition)
            ordered = sorted(ids[at : at + 24] for at in range(0, len(ids), 24))
            for one, other in zip(ordered, ordered[1:]):
                if one[:16] == other[:16]:
                    raise Broken(f"entry {int.from_bytes(other[16:], 'big')} repeats a decision")
            self.close_packs(self.rulings.read(partition), self.packs.read(partition))
            self.close_requests(self.follows.read(partition))
        self.close_lanes()

    @staticmethod
    def close_requests(rows):
        """All records of a decision name the same decision before it, which is another."""
        told = {}
        for at in range(0, len(rows), 40):
            request, index, before = rows[at : at + 16], rows[at + 16 : at + 24], rows[at + 24 : at + 40]
            if told.setdefault(request, before) != before or before == request:
                raise Broken(
                    f"entry {int.from_bytes(index, 'big')} names another decision before it than its request does"
                )

    def close_lanes(self):
        """Of a lane nothing stands in the log from where it was set aside."""
        for index, name in self.refused:
            match = re.fullmatch(rf"({UUID[1:-1]})/({COUNT})/({COUNT})-({COUNT})", name)
            if match and self.lanes.get((f'"{match[1]}"', int(match[2])), (-1, NONE))[0] >= int(match[3]):
                raise Broken(f"entry {index} says that a lane was set aside, and more of it stands in the log")

    @staticmethod
    def close_packs(rulings, packs):
        by_request = collections.defaultdict(list)
        for at in range(0, len(rulings), 73):
            by_request[rulings[at : at + 16]].append(
                (
                    *(rulings[at + 24], rulings[at + 25 : at + 41], rulings[at + 41 : at + 73]),
                    int.from_bytes(rulings[at + 16 : at + 24], "big"),
                )
            )
        at = 0
        while at < len(packs):
            row = packs[at + 4 : at + 4 + int.from_bytes(packs[at : at + 4], "big")]
            at += 4 + len(row)
            index, count, root = int.from_bytes(row[16:24], "big"), int.from_bytes(row[24:32], "big"), row[32:64]
            those = by_request.get(row[:16], [])
            if count != len(those) or root != root_hash(leaf for _, _, leaf, _ in those):
                raise Broken(f"entry {index} seals a pack over other rulings than those of its request")
            if any(at > index for _, _, _, at in those):
                raise Broken(f"entry {index} seals a pack, and its request is ruled on after it")
            released = {decision for usable, decision, _, _ in those if usable}
            if not released.issuperset(row[start : start + 16] for start in range(64, len(row), 16)):
                raise Broken(f"entry {index} seals an item that no ruling released")


# ── the parts beside the log ──
class Manifest:
    """The signed list of what an export holds, and what of it was seen to be so."""

    def __init__(self, path, keys, origin, size):
        text, signed = open_note(text_of(path, MAX_NOTE), keys)
        if not any(key[0] == origin and key[2] == 1 for key in signed):
            raise Broken("the manifest of the export is not signed by the log's key")
        lines = [line.partition(" ") for line in text.rstrip("\n").split("\n")]
        if lines[0][0] != "ctxgate-export/2":
            raise Unusable("the manifest is of a kind that is not known here")
        self.listed = {name: rest for name, _, rest in lines[1:]}
        if (self.listed.get("origin"), self.listed.get("size")) != (origin, str(size)):
            raise Broken(f"the export was made of {self.listed.get('size')} entries, and its checkpoint has {size}")

    def compare(self, name, digest, count=None):
        stated = digest if count is None else f"{count} {digest}"
        if self.listed.get(name) != stated:
            raise Broken(
                f"{name} is not what the export was signed with: it was replaced, or something was taken out or added"
            )


def bundles(folder):
    """Names of the bundles in a folder and a digest over them all, once each has the hash that is its name."""
    names, digest = set(), hashlib.sha256()
    for path in sorted((folder / "bundles").iterdir()):
        found = hash_of(path)
        if path.name != f"{found}.bundle":
            raise Broken(f"bundles/{path.name} does not have the hash that is its name")
        names.add(found)
        digest.update(bytes.fromhex(found))
    return names, digest.hexdigest()


def count_of(folder):
    with os.scandir(folder) as entries:
        return sum(1 for _ in entries)


def stray_proof(folder, size):
    """The first proof in a folder that is of no pack of the log."""
    for path in (folder / "receipts").iterdir():
        index = read_proof(path, text_of(path, 200_000))[0]
        number, width = index // WIDTH, min(WIDTH, size - index // WIDTH * WIDTH)
        if index >= size or f'"id":"{path.name.removesuffix(".tlog-proof")}"'.encode() not in entry_at(
            read(tile_path(folder, "entries", number, width), MAX_BUNDLE), index % WIDTH
        ):
            return path.name
    return "receipts"


def entry_at(body, place):
    start = 0
    for _ in range(place):
        start += 2 + int.from_bytes(body[start : start + 2], "big")
    return body[start + 2 : start + 2 + int.from_bytes(body[start : start + 2], "big")]


def turns_of(turns):
    """By name and mark of a key: the first and the last size of the log that it signs, as the log's own rotations say."""
    spans = {}
    for index, codes in turns:
        for code in codes:
            which, _, text = code.partition("-")
            if which in ("FROM", "TO"):
                first, last = spans.get(parse_key(text)[:2], (0, float("inf")))
                ends = (first, min(last, index)) if which == "FROM" else (max(first, index + 1), last)
                spans[parse_key(text)[:2]] = ends
    return spans


def check_turns(spans, notes):
    """A key that was replaced signs no tree that holds the record of that, and a new one none that does not."""
    for note in notes:
        text, _, below = note.rpartition("\n\n")
        size = parse_checkpoint(text + "\n")[1]
        rows = (re.fullmatch(r"\u2014 (\S+) (\S+)", line) for line in below.splitlines())
        signers = [(row[1], unbase64(row[2])[:4].hex()) for row in rows if row]
        known = [spans[signer] for signer in signers if signer in spans]
        if known and not any(first <= size <= last for first, last in known):
            raise Broken(
                f"the checkpoint of {size} entries is signed by a key that had been replaced, or had not begun"
            )


def check_pack(path, keys):
    """A pack as it was handed over, against the receipt in it."""
    try:
        pack = json.loads(text_of(path))
        receipt = pack.pop("receipt")
        record = receipt["record"].encode()
        sealed, salt = json.loads(record), bytes.fromhex(receipt["pack_salt"])
        signature = unbase64(receipt["signature"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unusable("not a pack with a receipt") from error
    if not any(
        f"{k[0]}+{k[1]}" == receipt["key"] and ed25519(k[3], signature, b"ctxgate-receipt/1\n" + record) for k in keys
    ):
        raise Broken("the receipt is not signed by the log's key")
    digest = hashlib.sha256(salt + jcs(pack).encode()).hexdigest()
    if not digest == sealed["pack"]["digest"] == receipt["pack_digest"].removeprefix("sha256:"):
        raise Broken("the receipt is for another pack")
    return leaf_hash(record), (sealed["pack"]["id"], tuple(receipt["key"].rsplit("+", 1)))


def entries_of(folder, size):
    """The bytes of all entries; of an export that was verified."""
    for number in range(-(-size // WIDTH)):
        width = min(WIDTH, size - number * WIDTH)
        body, start = read(tile_path(folder, "entries", number, width), MAX_BUNDLE), 0
        for _ in range(width):
            end = start + 2 + int.from_bytes(body[start : start + 2], "big")
            yield body[start + 2 : end]
            start = end


def check_certificate(path, folder, size, origin, keys):
    """A certificate of erasure: the log signed it, has its hash, and has the erasure that it is about."""
    text, signed = open_note(text_of(path, MAX_NOTE), keys)
    head, _, rest = text.partition("\n")
    named, _, body = rest.partition("\n")
    if (head, named) != ("ctxgate-erasure/1", origin):
        raise Unusable("not a certificate of erasure of this log")
    if not any(key[0] == origin and key[2] == 1 for key in signed):
        raise Broken("the certificate is not signed by the log's key")
    said, digest = json.loads(body), hashlib.sha256(text.encode()).hexdigest()
    agreed, found, steps = said.get("agreed"), set(), set()
    about = {said["token"], *([agreed["request"]] if agreed else [])}
    for entry in entries_of(folder, size):
        # All name the token or the request as their item: nothing else need be read.
        if any(ENCODE(one).encode() in entry for one in about):
            record = json.loads(entry)
            item = record["item"] or {}
            if item.get("id") in about and record["tenant"] == said["tenant"]:
                found.add((record["kind"], item["id"], record["decision_id"], item["commitment"]))
                steps.update((record["kind"], item["id"], code, record["subject"]) for code in record["codes"])
    token = said["token"]
    if not any((kind, item, mark) == ("erasure.certified", token, digest) for kind, item, _, mark in found):
        raise Broken(f"no record of the log commits to the certificate of {token}")
    if not any((kind, item, decision) == ("erasure", token, said["erasure"]) for kind, item, decision, _ in found):
        raise Broken(f"the log has no record of the erasure of {token}")
    named = {code for *about, code, _ in steps if about == ["erasure", token] and code.startswith("REQUEST-")}
    if named != ({f"REQUEST-{agreed['request']}"} if agreed else set()):
        raise Broken(f"the record of the erasure of {token} names another request of two officers")
    if agreed:
        asked, approved = agreed["asked_by"], agreed["approved_by"]
        wanted = {
            ("erasure.reviewed", agreed["request"], step, who)
            for step, who in (("ASKED", asked), ("APPROVED", approved))
        }
        if asked == approved or not steps >= wanted:
            raise Broken(f"the log does not have two persons who agreed on the erasure of {token}")


# ── the order of it all ──
class Lines:
    """The index of the store, a line for each bundle."""

    def __init__(self, path):
        self.file, self.digest = (path or None) and path.open(encoding="utf-8"), hashlib.sha256()

    def line(self):
        if self.file is None:
            return None
        line = self.file.readline(MAX_BUNDLE)
        if not line.endswith("\n"):
            raise Broken("the index of the store ends before the entries, or is no index")
        self.digest.update(line.encode())
        return line

    def close(self):
        if self.file:
            self.file.close()

    def end(self):
        if self.file and self.file.readline(1):
            raise Broken("the index of the store names entries that are not in the log")


def jobs(size, index):
    for number in range(-(-size // WIDTH)):
        yield number, min(WIDTH, size - number * WIDTH), index.line()


def in_batches(mapped, act, work, batch):
    """What an act gives for each piece of work, in order, no more under way than a batch."""
    while some := list(itertools.islice(work, batch)):
        yield from mapped(act, some)


def parts_of(folder, options):
    """Which parts an export has; those that are missing must be ones that were waived."""
    files = {"manifest": "manifest", "index": "index.jsonl", "checkpoints": "checkpoints"}
    has = {part for part in PARTS if (folder / files.get(part, part)).exists()}
    missing = sorted(options.require - has)
    if missing:
        raise Unusable(f"the export has no {', '.join(missing)}; what you can do without, name with --waive")
    return has


def trusted_keys(options, policy, folder):
    """The log's keys from outside the export, if there are any; otherwise its own."""
    if options.vkey:
        return [parse_key(key) for key in options.vkey]
    if options.policy and policy.logs:
        return policy.logs
    options.from_export = True
    return [parse_key(line) for line in text_of(folder / "log.vkey", 100_000).split()]


def check_fresh(options, since):
    now = time.time()
    if since is not None and since > now + SKEW:
        raise Broken(f"the checkpoint was cosigned in the future, at {instant(since)}; compare the clocks")
    if options.fresh is None:
        return
    if since is None:
        raise Broken("the trust policy asks for no witness, so that nobody says how old the checkpoint is")
    if now - since > options.fresh:
        raise Broken(
            f"the newest quorum is {told(now - since)} old ({instant(since)}), and {told(options.fresh)} were asked for: "
            "the log was cut or rolled back, its witnesses are down, or it was exported then"
        )


def prepared(options):
    """Whom to believe about what, once the checkpoint is known to be signed by whom the policy asks for, and lately."""
    folder = options.folder
    policy = Policy(text_of(options.policy or folder / "policy.tlog", MAX_NOTE))
    keys, witnesses = trusted_keys(options, policy, folder), list(policy.witnesses.values())
    note = text_of(folder / "checkpoint", MAX_NOTE)
    origin, size, root, stamps = checkpoint_of(note, [*keys, *witnesses])
    has, believed, manifest = parts_of(folder, options), keys, None
    if "manifest" in has:
        manifest = Manifest(folder / "manifest", keys, origin, size)
        for name in ("checkpoint", "log.vkey", "policy.tlog"):
            manifest.compare(name, hash_of(folder / name))
        # The key that signed the manifest vouches for the log's earlier keys.
        believed = [*keys, *(parse_key(line) for line in text_of(folder / "log.vkey", 100_000).split())]
    heads, again = witness_heads(options, policy, note, size, root)
    since = policy.time({key: max(stamps.get(key, 0), again.get(key, 0)) for key in {*stamps, *again}})
    check_fresh(options, since)
    packs = dict(check_pack(path, believed) for path in options.pack)
    begin(Context(folder, origin, size, root, note, believed, witnesses, has, packs))
    older = [checkpoint_of(text_of(path, MAX_NOTE), believed)[1:] for path in options.older]
    if any(seen[0] > size for seen in older):
        raise Broken(
            f"a checkpoint of more than {size} entries was signed before: the log was cut, or is an older copy"
        )
    return policy, manifest, since, [*older, *heads, (size, root, stamps)]


def verify(options, scratch, opened):
    """What was verified, as a sentence."""
    policy, manifest, since, others = prepared(options)
    folder, has, size = CONTEXT.folder, CONTEXT.has, CONTEXT.size
    workers = options.workers or min(8, os.cpu_count() or 1)
    mapped = map
    if workers > 1:
        executor = concurrent.futures.process.ProcessPoolExecutor(workers, None, begin_worker, (CONTEXT,))
        mapped = functools.partial(opened.enter_context(executor).map, chunksize=4)
    listed, earlier = hashlib.sha256(), None
    index = opened.enter_context(contextlib.closing(Lines("index" in has and folder / "index.jsonl")))
    if "checkpoints" in has:
        earlier = in_batches(mapped, read_note, notes(folder / "checkpoints", listed), workers * 32)
    times = Times(options.late)
    ledger = Ledger(scratch, Due(earlier, others, size), times, policy)
    for seen in in_batches(mapped, read_bundle, jobs(size, index), workers * 16):
        ledger.take(seen)
    index.end()
    ledger.upper.finish()
    ledger.close()
    digests = {"checkpoints": listed.hexdigest(), "index.jsonl": index.digest.hexdigest()}
    check_parts(ledger, manifest, digests)
    check_bound(options, times)
    for leaf, (pack, key) in CONTEXT.packs.items():
        if leaf not in ledger.found:
            raise Broken(f"the pack {pack} was handed over and is not in the log")
        ledger.turns.check_receipt(ledger.found[leaf], key, pack)
    for path in options.certificate:
        check_certificate(path, folder, size, CONTEXT.origin, CONTEXT.believed)
    return sentence(ledger, since, times)


def check_parts(ledger, manifest, digests):
    """What stands beside the log: that nothing was taken out, added or replaced."""
    folder, has = CONTEXT.folder, CONTEXT.has
    if "receipts" in has and count_of(folder / "receipts") != ledger.proofs:
        raise Broken(f"the proof {stray_proof(folder, CONTEXT.size)} is of no pack of this log")
    if "bundles" in has:
        names, digest = bundles(folder)
        for revision, index in ledger.revisions.items():
            if json.loads(revision).removeprefix("sha256:") not in names:
                raise Broken(f"the bundle {json.loads(revision)[:80]} decided entry {index} and is not in bundles/")
    if manifest is None:
        return
    for part, name in (("checkpoints", "checkpoints"), ("index", "index.jsonl")):
        if part in has:
            manifest.compare(name, digests[name])
    if "receipts" in has:
        manifest.compare("receipts", ledger.receipts.hexdigest(), ledger.proofs)
    if "bundles" in has:
        manifest.compare("bundles", digest, len(names))


def check_bound(options, times):
    if options.apart is not None and times.widest and times.widest[0] > options.apart:
        gap, first, last = times.widest
        raise Broken(
            f"the times of entries {first} to {last} are bound to {told(gap)} by cosignatures, and {told(options.apart)} "
            "were asked for: checkpoints were taken out, or no witness answered"
        )


def sentence(ledger, since, times):
    said = [f"OK {CONTEXT.origin}: {CONTEXT.size} entries, {len(ledger.lanes)} lanes, {ledger.count} packs"]
    said += [f"{ledger.proofs} proofs, {ledger.due.count} earlier checkpoints"]
    if ledger.refused:
        said.append(f"{len(ledger.refused)} things set aside")
    if since is not None:
        said.append(f"a quorum of witnesses {told(max(0, time.time() - since))} ago")
    if times.widest:
        said.append(f"every time bound to {told(times.widest[0])}")
    return ", ".join(said)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the export")
    parser.add_argument("--policy", type=Path, help="your own trust policy, with the log's key and those of witnesses")
    parser.add_argument("--fresh", type=duration, help="how old the newest quorum of witnesses may be, such as 10m")
    parser.add_argument("--vkey", action="append", help="the log's key, from a source you trust; default: the policy's")
    parser.add_argument("--older", type=Path, action="append", default=[], help="a checkpoint that you kept")
    parser.add_argument(
        "--witness",
        action="append",
        default=[],
        help="a witness to ask, by its URL, or the file of a head that it signed",
    )
    parser.add_argument("--pack", type=Path, action="append", default=[], help="a pack that you were given")
    parser.add_argument("--certificate", type=Path, action="append", default=[], help="a certificate of erasure")
    parser.add_argument(
        "--late", type=duration, default=86_400, help="how long before its first cosignature a record may be dated; 1d"
    )
    parser.add_argument("--apart", type=duration, help="how wide the bounds on a record's time may be at most")
    parser.add_argument("--require", action="append", choices=PARTS, help="a part that must be there; default: all")
    parser.add_argument("--waive", action="append", choices=PARTS, default=[], help="a part that may be missing")
    parser.add_argument("--seconds", type=float, default=3600, help="give up after so long")
    parser.add_argument("--workers", type=int, help="processes; default: one for each processor, 8 at most")
    parser.add_argument("--scratch", type=Path, help="folder for what does not fit into memory; default: the system's")
    options = parser.parse_args()
    options.from_export = False
    options.require = set(options.require or PARTS) - set(options.waive)
    return options


def main():
    options = arguments()
    scratch = Path(tempfile.mkdtemp(prefix="verify-ledger-", dir=options.scratch))
    # A verifier that hangs is one that passes: whatever happens, this ends.
    watchdog = threading.Timer(options.seconds, give_up, [scratch])
    watchdog.daemon = True
    watchdog.start()
    began = time.monotonic()
    try:
        with contextlib.ExitStack() as opened:
            print(f"{verify(options, scratch, opened)}, in {time.monotonic() - began:.1f} s")
        for line in left_open(options):
            print(line)
    except Broken as error:
        print(f"DOES NOT VERIFY: {error}")
        sys.exit(1)
    except Unusable as error:
        print(f"UNUSABLE: {error}")
        sys.exit(2)
    except (
        KeyError,
        ValueError,
        TypeError,
        OSError,
        RecursionError,
        concurrent.futures.process.BrokenProcessPool,
    ) as error:
        print(f"UNUSABLE: {type(error).__name__}")
        sys.exit(2)
    finally:
        watchdog.cancel()
        shutil.rmtree(scratch, ignore_errors=True)


def left_open(options):
    """What nobody asked for, and is therefore not known."""
    if options.from_export:
        yield "The key was taken from the export itself: compare it with one that you got elsewhere."
    if options.fresh is None:
        yield "How old this is was not asked (--fresh): an older state that witnesses cosigned looks the same."
    if waived := [part for part in PARTS if part not in options.require]:
        yield f"Not required: {', '.join(waived)}."


def give_up(scratch):
    print("GAVE UP: it took longer than allowed", flush=True)
    for child in multiprocessing.active_children():
        child.kill()
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(3)


if __name__ == "__main__":
    try:
        try:
            main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads this stopped before its end; what is left to be said goes nowhere, and nothing passes by it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
