"""Trees of modules, parsed once for each text: checks, pages, explanations and mutants each ask again for the same."""

import threading

from hashlib import sha256
from typing import Final

from cachetools import LRUCache

from gateway.policy.bundle import Bundle
from gateway.policy.rego.parse import parse
from gateway.policy.rego.tree import Module

_MOST_KEPT: Final = 2_000_000
"""Characters of text whose trees are kept; a tree has about 40 bytes for each."""


def _length(module: Module) -> int:
    return len(module.text) + 1


_kept: Final[LRUCache[bytes, Module]] = LRUCache(_MOST_KEPT, getsizeof=_length)
_turn: Final = threading.Lock()


def read(file: str, text: str) -> Module:
    """
    The tree of a module; the same one for the same name and text.

    Raises:
        RegoUnreadableError: it is no Rego.

        RegoTooDeepError: it has more within each other than may be read.
    """
    key = sha256(f"{file}\0{text}".encode(errors="surrogatepass")).digest()
    with _turn:
        if (known := _kept.get(key)) is not None:
            return known
    module = parse(file, text)
    with _turn:
        if _length(module) <= _MOST_KEPT:
            _kept[key] = module
    return module


def modules(bundle: Bundle) -> dict[str, Module]:
    """
    The trees of all modules that decide, by path; tests are not among them.

    Raises:
        RegoUnreadableError, RegoTooDeepError: one of them cannot be read.
    """
    return {name: read(name, text) for name, text in bundle.modules.items()}
