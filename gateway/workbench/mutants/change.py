"""What one change of a rule came to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One change of a rule, and who noticed it."""

    file: str
    line: int
    column: int
    area: str
    """The folder of the file."""

    rule: str
    condition: str
    """What was changed, such as ``without `known` ``."""

    noticed_by: str
    """The area and name of the first case, or the file and name of the Rego test; empty where nothing noticed."""

    @property
    def where(self) -> str:
        """File, line and column, as editors take it."""
        return f"{self.file}:{self.line}:{self.column}"
