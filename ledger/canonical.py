"""
Canonical JSON: RFC 8785 (JCS), and the narrower profile of ledger records.

Records hold only objects with ASCII keys, arrays, strings, booleans, null and integers within
±(2^53-1).  Within that profile the standard library's encoder with sorted keys is byte-identical to
JCS (property-tested against the `rfc8785` package), so records need no encoder of our own.
Packs may hold any JSON value, so they need all of JCS: `jcs` below.
"""

import json
import math

from json.encoder import encode_basestring
from typing import Final

from ledger.errors import RecordInvalidError

MAX_INTEGER: Final = 2**53 - 1
"""Largest integer a double holds exactly (RFC 8785 section 3.2.2.3)."""

MAX_RECORD_BYTES: Final = 60_000
"""Records are entries of a C2SP tlog-tiles log, which allows 65,535 bytes."""

encode_canonical: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
).encode
"""Text of a JSON value; RFC 8785 for values within the profile of records, and for no others."""


def encode_record(fields: dict[str, object]) -> bytes:
    """
    The exact bytes of a record: JCS within the profile.

    Raises:
        RecordInvalidError: a value is outside the profile, or the record is too large.
    """
    _check_profile(fields)
    return encode_checked(fields)


def encode_checked(fields: dict[str, object]) -> bytes:
    """
    The exact bytes of a record whose members are known to be within the profile.

    Raises:
        RecordInvalidError: a text is not Unicode, or the record is too large.
    """
    try:
        body = encode_canonical(fields).encode()
    except (UnicodeEncodeError, ValueError) as error:
        msg = "a record holds text that is not Unicode"
        raise RecordInvalidError(msg) from error
    if len(body) > MAX_RECORD_BYTES:
        msg = f"a record of {len(body)} bytes is over the limit of {MAX_RECORD_BYTES}"
        raise RecordInvalidError(msg)
    return body


def _check_profile(value: object) -> None:
    if isinstance(value, dict):
        for key, member in value.items():
            if not (isinstance(key, str) and key.isascii()):
                msg = "a record has a key that is not ASCII text"
                raise RecordInvalidError(msg)
            _check_profile(member)
    elif isinstance(value, list | tuple):
        for member in value:
            _check_profile(member)
    elif isinstance(value, int) and abs(value) > MAX_INTEGER:
        msg = "a record holds an integer that not every reader can represent"
        raise RecordInvalidError(msg)
    elif not isinstance(value, str | int | None):
        msg = f"a record holds a {type(value).__name__}, which the format does not have"
        raise RecordInvalidError(msg)


def jcs(value: object) -> bytes:
    """
    Any JSON value as RFC 8785 bytes.

    Raises:
        ValueError: the value is not JSON, or holds NaN, an infinity, a lone surrogate or an integer
            beyond ±(2^53-1).
    """
    return (encode_canonical(value) if _simple(value) else _jcs(value)).encode()


def _simple(value: object) -> bool:
    """Whether the standard library's encoder gives JCS: exact integers, ASCII keys, floats that both print alike."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return -MAX_INTEGER <= value <= MAX_INTEGER  # type: ignore[operator]
    if kind is float:
        # Elsewhere Python writes 1.0 or 1e-05 where ECMAScript writes 1 or 0.00001.
        return 1e-4 <= abs(value) < 1e16 and not value.is_integer()  # type: ignore[arg-type,attr-defined]
    if kind is dict:
        members: dict[object, object] = value  # type: ignore[assignment]
        return all(type(k) is str and k.isascii() and _simple(v) for k, v in members.items())
    if kind is list or kind is tuple:
        return all(map(_simple, value))  # type: ignore[call-overload]
    return False


def _jcs(value: object) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(f"{encode_basestring(k)}:{_jcs(v)}" for k, v in members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_jcs, value)) + "]"
    msg = f"{type(value).__name__} is not JSON"
    raise ValueError(msg)


def _integer(value: int) -> str:
    if abs(value) > MAX_INTEGER:
        msg = "integer beyond 2^53-1"
        raise ValueError(msg)
    return str(value)


def _number(value: float) -> str:
    """A double as ECMAScript prints it (ECMA-262 Number::toString), from Python's shortest digits."""
    if not math.isfinite(value):
        msg = "not a finite number"
        raise ValueError(msg)
    if value == 0:
        return "0"
    digits, point = _shortest(abs(value))
    return ("-" if value < 0 else "") + _place_point(digits, point)


def _shortest(value: float) -> tuple[str, int]:
    """The shortest digits that read back as the value, and how many stand before the point."""
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).rstrip("0") if fraction else whole
    point = len(whole) + int(exponent or 0)
    stripped = digits.lstrip("0")
    return stripped.rstrip("0"), point - (len(digits) - len(stripped))


def _place_point(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    exponent = point - 1
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
