"""
Canonical JSON: RFC 8785 (JCS), the bytes of a JSON value that do not depend on who wrote it down.

Numbers are written as ECMAScript writes a double (ECMA-262, Number::toString) and members are sorted by their UTF-16 code units;
for both Python's own encoder does otherwise.
"""

import math

from decimal import Decimal
from json.encoder import encode_basestring
from typing import Final

MAX_INTEGER: Final = 2**53 - 1
"""Largest integer a double holds exactly (RFC 8785 section 3.2.2.3)."""


def canonical(value: object) -> bytes:
    """
    The bytes of a JSON value.

    Raises:
        ValueError: it is not JSON, or holds NaN, an infinity, a lone surrogate or an integer beyond ±(2^53-1).
    """
    return _text(value).encode()


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_text, value))}]"
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        members = sorted(value.items(), key=lambda member: str(member[0]).encode("utf-16-be"))
        return f"{{{','.join(f'{_text(name)}:{_text(member)}' for name, member in members)}}}"
    raise ValueError(f"{type(value).__name__} is not JSON")


def _integer(value: int) -> str:
    if abs(value) > MAX_INTEGER:
        raise ValueError("an integer beyond 2^53-1 is not the same for every reader")
    return str(int(value))


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    if value == 0:
        return "0"
    # Python's digits are the shortest that read back as the value, as ECMAScript's are; only where the point stands differs.
    sign, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    point = len(digits) + int(exponent)
    return ("-" if sign else "") + _placed("".join(map(str, digits)), point)


def _placed(digits: str, point: int) -> str:
    """Digits with the decimal point after the first *point* of them, as ECMAScript writes them."""
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
