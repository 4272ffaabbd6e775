"""The source as text: which files there are, and what they are called in a message."""

from pathlib import Path

from gateway.settings import HOME

PACKAGES = ("gateway", "adapters", "ledger")
SOURCES = sorted(path for package in PACKAGES for path in (HOME / package).rglob("*.py"))
SDK = sorted((HOME / "sdk/ctxgate_source/ctxgate_source").rglob("*.py"))
"""The package for owners of sources, which imports nothing of ours."""

CLIENT = sorted((HOME / "sdk/ctxgate_client/ctxgate_client").rglob("*.py"))
"""The package for callers, which imports nothing of ours either."""

TESTS = sorted((HOME / "tests").rglob("*.py"))


def name_of(path: Path) -> str:
    """The path of a file below the repository, as POSIX writes it."""
    return path.relative_to(HOME).as_posix()
