"""
Known vulnerabilities in what is pinned, asked of the databases that can be reached; `make audit` runs this.

Says which database answered, and plainly when none did: a report that nobody could make is no clean one.
"""

import argparse
import json
import os
import subprocess
import sys

from pathlib import Path
from typing import Any, Final

SERVICES: Final = ("pypi", "osv")
"""Databases, in the order in which they are asked."""

NOT_AUDITED: Final = 3
"""Status where no database answered and one was required."""


def asked(tool: Path, requirements: Path, service: str) -> dict[str, Any] | str:
    """What a database says of pinned requirements; why it says nothing, as text."""
    command = [str(tool), "--disable-pip", "--require-hashes", "-s", service, "-f", "json", "-r", str(requirements)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return (done.stderr.strip().splitlines() or ["no answer"])[-1][:300]
    looked_at = report.get("dependencies") if isinstance(report, dict) else None
    if not looked_at:
        return "an empty answer"
    # As a mirror does that has packages but no data about them.
    return report if any("skip_reason" not in one for one in looked_at) else "it knows none of the packages"


def told(report: dict[str, Any]) -> list[str]:
    """One line for each vulnerability, and for each package that the database could not be asked about."""
    lines = []
    for one in report["dependencies"]:
        if "skip_reason" in one:
            lines.append(f"{one['name']}: not looked at: {one['skip_reason']}")
        for found in one.get("vulns", ()):
            fixed = ", ".join(found.get("fix_versions") or ["no version"])
            lines.append(f"{one['name']} {one['version']}: {found['id']}, fixed in {fixed}")
    return lines


def main(tool: Path, files: list[Path], out: Path, *, required: bool) -> int:
    """Ask about each file, and keep what was said; 0 where nothing is known, 1 where something is."""
    reports: dict[str, dict[str, Any]] = {}
    status = 0
    for file in files:
        for service in SERVICES:
            said = asked(tool, file, service)
            if isinstance(said, str):
                print(f"{file}: {service} did not answer: {said}", file=sys.stderr)
                continue
            lines = told(said)
            print(f"{file}: {len(said['dependencies'])} packages by {service}", *lines, sep="\n  ")
            reports[str(file)] = {"service": service, **said}
            status = max(status, 1 if lines else 0)
            break
        else:
            print(f"NOT AUDITED: {file}: no database of vulnerabilities could be reached from here")
            status = max(status, NOT_AUDITED if required else 0)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"audited": len(reports) == len(files), "reports": reports}, indent=1) + "\n")
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", type=Path, help="pip-audit")
    parser.add_argument("files", type=Path, nargs="+", help="pinned requirements")
    parser.add_argument("--out", type=Path, default=Path("artifacts/vulnerabilities.json"))
    given = parser.parse_args()
    sys.exit(main(given.tool, given.files, given.out, required=os.environ.get("CTXGATE_REQUIRE_AUDIT") == "1"))
