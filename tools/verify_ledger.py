#!/usr/bin/env python3
"""
Checks an exported ledger, with nothing but Python's standard library and none of the product's code.

    python3 verify_ledger.py FOLDER --vkey "NAME+HASH+KEY" [--older CHECKPOINT] [--pack PACK.json]

Checked: the log's signature and those of witnesses, as the trust policy asks; every entry against the signed root;
every lane from its first record without gaps; every sealed pack against all rulings of its request; the index columns of
the store against the records; every earlier checkpoint, one of your own included; the proof of each sealed pack.

Exit status: 0 it verifies; 1 it does not; 2 the input cannot be read as an export; 3 it took longer than allowed.
Formats: c2sp.org/tlog-tiles, tlog-checkpoint, signed-note, tlog-cosignature, tlog-policy, tlog-proof; RFC 6962; RFC 8032.
"""

import argparse
import base64
import concurrent.futures.process
import functools
import gc
import hashlib
import itertools
import json
import multiprocessing
import os
import re
import sys
import threading
import time

from pathlib import Path

SCHEMAS = ("ctxgate.ledger/2", "ctxgate.ledger/1")
WIDTH = 256
MAX_BUNDLE = WIDTH * (2 + 65_535)
MAX_TEXT = 64_000_000
NONE = "0" * 64
EMPTY = hashlib.sha256().digest()
USABLE = {'"released"', '"redacted"'}


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


def times(scalar, a):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, a)
        a, scalar = add(a, a), scalar >> 1
    return total


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def ed25519(public, signature, message):
    if len(public) != 32 or len(signature) != 64:
        return False
    a, r, s = point(public), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    left, right = times(s, BASE), add(r, times(k, a))
    return not (left[0] * right[2] - right[0] * left[2]) % P and not (left[1] * right[2] - right[1] * left[2]) % P


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
    """The text of a note, and the keys of those given that signed it."""
    text, blank, below = note.rpartition("\n\n")
    if not blank or len(note) > MAX_TEXT:
        raise Unusable("not a signed note")
    text += "\n"
    signed = set()
    for line in below.splitlines():
        match = re.fullmatch(r"\u2014 (\S+) (\S+)", line)
        if not match:
            raise Unusable("not a signed note")
        raw = unbase64(match[2])
        for key in keys:
            if (match[1], raw[:4].hex()) == key[:2]:
                message, signature = text.encode(), raw[4:]
                if key[2] == 4:
                    stamp, signature = int.from_bytes(signature[:8], "big"), signature[8:]
                    message = f"cosignature/v1\ntime {stamp}\n{text}".encode()
                if not ed25519(key[3], signature, message):
                    raise Broken(f"the signature of {key[0]} on a checkpoint does not hold")
                signed.add(key)
    return text, signed


def parse_checkpoint(text):
    lines = text.split("\n")
    if len(lines) < 4 or not re.fullmatch(r"0|[1-9]\d{0,15}", lines[1]):
        raise Unusable("not a checkpoint")
    root = unbase64(lines[2])
    if len(root) != 32:
        raise Unusable("not a checkpoint")
    return lines[0], int(lines[1]), root


def checkpoint_of(note, keys):
    """Origin, size and root of a checkpoint that one of the log's keys signed, and the witnesses that did too."""
    text, signed = open_note(note, keys)
    origin, size, root = parse_checkpoint(text)
    if not any(key[0] == origin and key[2] == 1 for key in signed):
        raise Broken(f"the checkpoint of {size} entries is not signed by the log's key")
    return origin, size, root, {key for key in signed if key[2] == 4}


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


def quorum_met(policy, witnesses):
    """Whether a trust policy (c2sp.org/tlog-policy) is content with these witnesses' keys."""
    known, quorum = {}, None
    for line in policy.splitlines():
        words = line.split()
        if not words or words[0].startswith("#") or words[0] == "log":
            continue
        if words[0] == "witness" and len(words) >= 3:
            known[words[1]] = parse_key(words[2]) in witnesses
        elif words[0] == "group" and len(words) >= 4:
            count = sum(known[name] for name in words[3:])
            known[words[1]] = (
                count >= {"any": 1, "all": len(words) - 3}.get(words[2], 0)
                if not words[2].isdigit()
                else count >= int(words[2])
            )
        elif words[0] == "quorum" and len(words) == 2:
            quorum = words[1]
        else:
            raise Unusable("not a trust policy")
    if quorum is None:
        raise Unusable("a trust policy without a quorum")
    return quorum == "none" or known[quorum]


def witness_keys(policy):
    rows = (line.split() for line in policy.splitlines())
    return [parse_key(row[2]) for row in rows if len(row) >= 3 and row[0] == "witness"]


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


def maybe(pattern):
    return f"(?:{pattern}|null)"


def listed(pattern):
    return rf"\[(?:{pattern}(?:,{pattern})*)?\]"


def members(**patterns):
    return r"\{" + ",".join(f'"{name}":{pattern}' for name, pattern in sorted(patterns.items())) + r"\}"


def record(schema, **later):
    """The one form of a record under a schema, which names the members that came later."""
    return re.compile(
        members(
            **later,
            agent=f"(?P<agent>{maybe(TEXT)})",
            at=f"(?P<at>{TEXT})",
            codes=f"(?P<codes>{listed(TEXT)})",
            decision_id=f"(?P<decision>{TEXT})",
            detectors=rf"(?P<detectors>\{{(?:{TEXT}:{TEXT}(?:,{TEXT}:{TEXT})*)?\}})",
            exceptions=listed(TEXT),
            findings=listed(members(count=COUNT, type=TEXT)),
            gateway=members(build=TEXT, replica=TEXT),
            item=maybe(members(bytes=COUNT, commitment=TEXT, id=f"(?P<item>{TEXT})", media_type=TEXT)),
            kind=f"(?P<kind>{TEXT})",
            lane=members(
                epoch=f"(?P<epoch>{COUNT})", id=f"(?P<lane>{TEXT})", prev=f"(?P<prev>{TEXT})", seq=f"(?P<seq>{COUNT})"
            ),
            obligations=listed(TEXT),
            origin=f"(?P<origin>{TEXT})",
            outcome=f"(?P<outcome>{maybe(TEXT)})",
            pack="(?P<pack>"
            + maybe(members(digest=TEXT, id=TEXT, items=listed(TEXT), lane_head=TEXT, rulings=COUNT, rulings_root=TEXT))
            + ")",
            policy=maybe(
                members(
                    engine=TEXT,
                    engine_version=TEXT,
                    entrypoint=TEXT,
                    input_commitment=maybe(TEXT),
                    revision=f"(?P<revision>{TEXT})",
                )
            ),
            purpose=f"(?P<purpose>{maybe(TEXT)})",
            released_commitment=maybe(TEXT),
            request_id=f"(?P<request>{TEXT})",
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
    record(SCHEMAS[0], person=maybe(TEXT), repeats=maybe(TEXT)),
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


def read_entry(entry, origin):
    """The fields of a record of a log, each as it stands in its one form; None of anything else."""
    try:
        text = entry.decode()
        found = next(filter(None, (form.fullmatch(text) for form in RECORDS)), None)
    except UnicodeDecodeError:
        return None
    fields = found and found.groupdict("null")
    if not fields or fields["origin"] != origin or not in_order(fields["detectors"]):
        return None
    return fields if int(fields["seq"]) < 2**53 and int(fields["epoch"]) < 2**53 else None


INDEXED = (
    *("lane", "epoch", "seq", "kind", "decision", "trace", "request", "tenant", "subject", "agent", "purpose", "item"),
    *("source", "outcome", "revision"),
)


def index_row(index, fields, pack):
    """What the store's index says of an entry, as it stands in `index.jsonl`."""
    values = ",".join([fields[name] for name in INDEXED])
    return f"[{index},{values},{ENCODE(pack['id']) if pack else 'null'},{fields['at']},{distinct(fields['codes'])}]"


def read_bundle(job):
    """What the later checks need of up to 256 entries, once each is known to be a record in its one form."""
    folder, number, width, origin, line = job
    body = read(tile_path(folder, "entries", number, width), MAX_BUNDLE)
    found, rows, start, named = [], [], 0, ENCODE(origin)
    for index in range(number * WIDTH, number * WIDTH + width):
        size = int.from_bytes(body[start : start + 2], "big")
        entry = body[start + 2 : start + 2 + size]
        start += 2 + size
        fields = read_entry(entry, named)
        if fields is None:
            raise Broken(f"entry {index} is not a record of this log in its one form")
        kind, request, decision = fields["kind"], fields["request"], fields["decision"][1:-1]
        pack = json.loads(fields["pack"]) if fields["pack"] != "null" else None
        ruling = (request, fields["outcome"] in USABLE) if kind == '"item.ruled"' else None
        place = (fields["lane"], int(fields["epoch"]))
        sealed = (request, pack) if kind == '"pack.sealed"' else None
        found.append((leaf_hash(entry), place, int(fields["seq"]), fields["prev"][1:-1], decision, ruling, sealed))
        if line:
            rows.append(index_row(index, fields, pack))
    if start != len(body):
        raise Broken(f"the bundle of entry {number * WIDTH} has more or less than its entries")
    leaves = [one[0] for one in found]
    if read(tile_path(folder, 0, number, width), WIDTH * 32) != b"".join(leaves):
        raise Broken(f"tile 0/{number} does not hold the hashes of its entries")
    if line and f"[{','.join(rows)}]\n" != line:
        raise Broken(f"the index of the store {differs([json.loads(row) for row in rows], line)}")
    return found, root_hash(leaves)


def differs(rows, line):
    try:
        pairs = itertools.zip_longest(rows, json.loads(line))
        return next(f"does not say of entry {row[0]} what it says" for row, other in pairs if row and row != other)
    except (ValueError, StopIteration):
        return f"is not one from entry {rows[0][0]} on"


def index_line(index):
    line = index.readline(MAX_BUNDLE)
    if not line.endswith("\n"):
        raise Broken("the index of the store ends before the entries, or is no index")
    return line


def jobs(folder, size, origin, index):
    for number in range(-(-size // WIDTH)):
        width = min(WIDTH, size - number * WIDTH)
        yield folder, number, width, origin, index and index_line(index)


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


class Ledger:
    """What has been seen of the log so far."""

    def __init__(self, due):
        self.tree, self.lanes, self.decisions = Tree(), {}, set()
        self.rulings, self.packs, self.roots, self.due = {}, [], [], due
        self.meet()

    def take(self, bundle):
        found, root = bundle
        index = self.tree.size
        for entry in found:
            self.take_entry(index, *entry)
            index += 1
        self.roots.append(root)
        if len(found) == WIDTH and not (self.due and self.due[-1][0] < index):
            self.tree.append(root, WIDTH)
            self.meet()
        else:
            for entry in found:
                self.tree.append(entry[0])
                self.meet()

    def take_entry(self, index, leaf, lane, seq, prev, decision, ruling, pack):
        last, before = self.lanes.get(lane, (-1, NONE))
        if seq != last + 1 or prev != before:
            raise Broken(f"entry {index} does not follow the record before it in its lane")
        if decision in self.decisions:
            raise Broken(f"entry {index} repeats a decision")
        self.decisions.add(decision)
        self.lanes[lane] = (seq, leaf.hex())
        if ruling:
            self.rulings.setdefault(ruling[0], []).append((decision, ruling[1], leaf))
        if pack:
            self.packs.append((index, leaf, *pack))

    def meet(self):
        """Hold the tree against the checkpoints of its size."""
        while self.due and self.due[-1][0] == self.tree.size:
            if self.due.pop()[1] != self.tree.root():
                raise Broken(f"a checkpoint of {self.tree.size} entries was signed over other entries")

    def close_packs(self):
        for index, _, request, pack in self.packs:
            rulings = self.rulings.get(request, [])
            if pack["rulings"] != len(rulings) or pack["rulings_root"] != root_hash(r[2] for r in rulings).hex():
                raise Broken(f"entry {index} seals a pack over other rulings than those of its request")
            if not {r[0] for r in rulings if r[1]}.issuperset(pack["items"]):
                raise Broken(f"entry {index} seals an item that no ruling released")


def upper_tiles(folder, size, roots):
    """Tiles above the leaves, against the roots of the tiles below them."""
    level, count = 1, size // WIDTH
    while count:
        above = []
        for number in range(-(-count // WIDTH)):
            below = roots[number * WIDTH : min(count, (number + 1) * WIDTH)]
            if read(tile_path(folder, level, number, len(below)), WIDTH * 32) != b"".join(below):
                raise Broken(f"tile {level}/{number} does not hold the roots of the tiles below it")
            above.append(root_hash(below))
        roots, level, count = above, level + 1, count // WIDTH


def proofs(folder, ledger, keys, size, root):
    count = 0
    known = {pack["id"]: (index, leaf) for index, leaf, _, pack in ledger.packs}
    for path in sorted((folder / "receipts").glob("*.tlog-proof")):
        head, _, note = text_of(path, 100_000).partition("\n\n")
        lines = head.split("\n")
        if len(lines) < 2 or lines[0] != "c2sp.org/tlog-proof@v1" or not re.fullmatch(r"index \d{1,16}", lines[1]):
            raise Unusable(f"{path.name} is not a proof")
        index, leaf = known.pop(path.name.removesuffix(".tlog-proof"), (None, None))
        _, proved, at, _ = checkpoint_of(note, keys) if note != ledger.note else (None, size, root, None)
        if int(lines[1][6:]) != index or not verify_inclusion(
            leaf, index, proved, [unbase64(x) for x in lines[2:]], at
        ):
            raise Broken(f"the proof {path.name} does not hold")
        count += 1
    return count


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
    return sealed, leaf_hash(record)


def verify(options):
    folder = options.folder
    keys = [parse_key(line) for line in options.vkey or text_of(folder / "log.vkey", 100_000).split()]
    policy = text_of(options.policy or folder / "policy.tlog", 1_000_000)
    everyone = keys + witness_keys(policy)
    note = text_of(folder / "checkpoint", 1_000_000)
    origin, size, root, witnesses = checkpoint_of(note, everyone)
    if not quorum_met(policy, witnesses):
        raise Broken("not enough witnesses cosigned the checkpoint")
    older = [text_of(path, 1_000_000) for path in options.older]
    listed = text_of(folder / "checkpoints").split("\n\n") if (folder / "checkpoints").exists() else []
    due = {(parsed[1], parsed[2]) for parsed in (checkpoint_of(one, keys) for one in older)}
    # Notes in the list are a text and its signatures; the newest of each size is the one that matters.
    for text, below in zip(listed[::2], listed[1::2]):
        parsed = parse_checkpoint(text.lstrip("\n") + "\n")
        if below and parsed[0] == origin:
            due.add((parsed[1], parsed[2]))
    if any(seen > size for seen, _ in due):
        raise Broken("a checkpoint of more entries was signed before: the log was cut, or is an older copy")
    ledger = Ledger(sorted(due | {(size, root)}, reverse=True))
    ledger.note = note
    index = (folder / "index.jsonl").open(encoding="utf-8") if (folder / "index.jsonl").exists() else None
    workers = options.workers or min(8, os.cpu_count() or 1)
    with concurrent.futures.ProcessPoolExecutor(workers, initializer=gc.disable) as pool:
        work = jobs(folder, size, origin, index)
        while batch := list(itertools.islice(work, workers * 16)):
            for bundle in pool.map(read_bundle, batch, chunksize=4):
                ledger.take(bundle)
    if index and index.readline(1):
        raise Broken("the index of the store names entries that are not in the log")
    if ledger.due:
        raise Broken("the entries do not lead to the signed root")
    ledger.close_packs()
    upper_tiles(folder, size, ledger.roots)
    proved = proofs(folder, ledger, keys, size, root)
    for path in options.pack:
        sealed, leaf = check_pack(path, keys)
        if not any(leaf == known for _, known, _, _ in ledger.packs):
            raise Broken(f"the pack {sealed['pack']['id']} was handed over and is not in the log")
    seen = f", cosigned by {len(witnesses)} witnesses" if witnesses else ""
    return (
        f"OK {origin}: {size} entries, {len(ledger.lanes)} lanes, {len(ledger.packs)} packs, {proved} proofs, "
        f"{len(due)} earlier checkpoints{seen}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the export")
    parser.add_argument("--vkey", action="append", help="the log's key, from a source you trust; default: log.vkey")
    parser.add_argument("--policy", type=Path, help="your own trust policy; default: policy.tlog of the export")
    parser.add_argument("--older", type=Path, action="append", default=[], help="a checkpoint that you kept")
    parser.add_argument("--pack", type=Path, action="append", default=[], help="a pack that you were given")
    parser.add_argument("--seconds", type=float, default=3600, help="give up after so long")
    parser.add_argument("--workers", type=int, help="processes; default: one for each processor, 8 at most")
    options = parser.parse_args()
    # A verifier that hangs is one that passes: whatever happens, this ends.
    watchdog = threading.Timer(options.seconds, give_up)
    watchdog.daemon = True
    watchdog.start()
    began = time.monotonic()
    try:
        print(f"{verify(options)}, in {time.monotonic() - began:.1f} s")
        if not options.vkey:
            print("The key was taken from the export itself: compare it with one that you got elsewhere.")
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


def give_up():
    print("GAVE UP: it took longer than allowed", flush=True)
    for child in multiprocessing.active_children():
        child.kill()
    os._exit(3)


if __name__ == "__main__":
    main()
