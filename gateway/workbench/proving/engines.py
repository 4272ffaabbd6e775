"""Who decides single inputs, so that nothing is shown that the engines do not decide so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.policy.bundle import Bundle
from gateway.workbench.proving.formulas.reading import Ground


@dataclass(frozen=True)
class Engines:
    """Who decides, so that nothing is shown that they do not decide so."""

    ground: Ground
    """What a builtin gives."""

    embedded: str
    """The name and version of the embedded engine."""

    compile_: Callable[[Bundle, Sequence[str]], Any]
    """Compiles a bundle for rules; what it makes has a `query` of a rule and facts."""

    other: str | None = None
    """The name and version of another engine, where there is one."""

    compile_other: Callable[[Bundle, Sequence[str]], Any] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (self.embedded,) if self.other is None else (self.embedded, self.other)
