"""What came of trying a candidate: what is wrong with it, with its place, and how much was run."""

from collections.abc import Mapping, Sequence
from typing import Final

from gateway.model import Model

_WHOLE: Final = "bundle"
"""In the place of a file, where a problem is of the whole."""


class TrialProblem(Model):
    """One thing that is wrong."""

    where: str
    """File, line and column, as far as they are known."""

    message: str


class Tried(Model):
    """What a trial tells."""

    problems: tuple[TrialProblem, ...] = ()
    cases: int = 0
    """How many cases held."""

    tests: int = 0
    """How many files of Rego tests held."""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Problems as errors list them."""
        return [(one.where, one.message) for one in self.problems]


def found_in_case(area: str, case: str, message: str, files: Mapping[str, bytes]) -> TrialProblem:
    """A case that does not hold, at the line that names it."""
    file = f"context/{area}/cases.yaml"
    return TrialProblem(where=_place(file, f"- case: {case}", files), message=message)


def found_in_tests(sentences: Sequence[str], files: Mapping[str, bytes]) -> list[TrialProblem]:
    """Rego tests that do not hold, told as "file: test fails", at the line of each test."""
    found = []
    for sentence in sentences:
        file, _, rest = sentence.partition(": ")
        where = _place(file, rest.partition(" ")[0], files) if file in files else _WHOLE
        found.append(TrialProblem(where=where, message=sentence))
    return found


def _place(file: str, start: str, files: Mapping[str, bytes]) -> str:
    """File and line of the first line that begins so, whether or not it is quoted; the file alone where none does."""
    wanted = start.encode()
    for number, line in enumerate(files.get(file, b"").split(b"\n"), start=1):
        if line.strip().replace(b'"', b"").startswith(wanted):
            return f"{file}:{number}"
    return file
