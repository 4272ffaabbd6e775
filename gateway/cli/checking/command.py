"""`ctxgate policy check` and `ctxgate policy test`."""

import shutil
import subprocess

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import typer

from gateway.bootstrap.policies import compile_bundle, failing_rego_tests
from gateway.cli.checking.exits import FAILS, MAY_NOT_DECIDE, NOT_HELD
from gateway.cli.checking.forms import AsOneDocument, JUnitFile, SarifFile, WatchFiles, deliver
from gateway.cli.checking.watch import states
from gateway.cli.output import console, styled
from gateway.errors import BundleInvalidError
from gateway.policy.bundle import Bundle, load_bundle
from gateway.settings import Settings
from gateway.workbench.case_tests import FILE, case_tests
from gateway.workbench.cases import OfficerCase, read_cases, rules_of, run
from gateway.workbench.checks import check as check_bundle
from gateway.workbench.mutants.unheld import known_unheld
from gateway.workbench.mutation import mutate
from gateway.workbench.proving.invariants import invariants_of
from gateway.workbench.results.findings import BundleResult, CaseResult, CheckFinding, failed, of_cases, of_problems

Folder = Annotated[Path | None, typer.Argument(help="Bundle folder. Default: the one of the settings.")]
_READ_NOTHING: Final = "unreadable"
_ADD: Final = "Add a case that fails without it."


def check(
    folder: Folder = None,
    as_json: AsOneDocument = False,
    junit: JUnitFile = None,
    sarif: SarifFile = None,
    watch: WatchFiles = False,
) -> None:
    """Say what keeps a bundle from deciding, with file, line and a hint; 7 where anything does."""
    root = folder or Settings().policies_dir

    def once() -> int:
        result, _ = checked(root)
        deliver(result, as_json=as_json, junit_file=junit, sarif_file=sarif)
        if not result.findings and not as_json:
            console.print(styled("[green]{} may decide.[/]\nRevision {}", root, result.revision), soft_wrap=True)
        return MAY_NOT_DECIDE if result.findings else 0

    _end(root, once, watch=watch)


def run_tests(
    folder: Folder = None,
    as_json: AsOneDocument = False,
    junit: JUnitFile = None,
    sarif: SarifFile = None,
    watch: WatchFiles = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out changing each line of the rules in turn.")] = False,
) -> None:
    """
    Run the cases and the Rego tests, on OPA as well where it is, and change each line of the rules in turn.

    Ends with 7 where the bundle may not decide, 8 where a case or a test fails, 9 where no case would notice a change.
    """
    root = folder or Settings().policies_dir

    def once() -> int:
        result = results_of(root, quick=quick)
        deliver(result, as_json=as_json, junit_file=junit, sarif_file=sarif)
        return _status(result)

    _end(root, once, watch=watch)


def require_decidable(root: Path) -> Bundle:
    """
    The bundle of a folder, if it may decide.

    Raises:
        typer.Exit: it may not; the reasons are printed.
    """
    result, bundle = checked(root)
    deliver(result, as_json=False, junit_file=None, sarif_file=None)
    if bundle is None or result.findings:
        raise typer.Exit(MAY_NOT_DECIDE)
    return bundle


def _end(root: Path, once: Callable[[], int], *, watch: bool) -> None:
    status = once()
    if watch:
        for index, _ in enumerate(states(root)):
            if index:
                console.rule()
                status = once()
    raise typer.Exit(status)


def _status(result: BundleResult) -> int:
    kinds = {one.kind for one in result.findings}
    if kinds - {"case-fails", "no-case"}:
        return MAY_NOT_DECIDE
    return FAILS if "case-fails" in kinds else NOT_HELD if "no-case" in kinds else 0


def checked(root: Path) -> tuple[BundleResult, Bundle | None]:
    """What keeps a bundle folder from deciding; and the bundle, where it can be read."""
    try:
        bundle = load_bundle(root)
    except BundleInvalidError as error:
        return BundleResult(str(root), _READ_NOTHING, (_unreadable(error),)), None
    result = BundleResult(str(root), bundle.revision, of_problems(check_bundle(bundle)))
    if not result.findings:
        # The compiler's own words are for what is left once all is told in ours, with its place.
        try:
            compile_bundle(bundle)
            read_cases(bundle)
            invariants_of(bundle)
        except BundleInvalidError as error:
            result = replace(result, findings=(_unreadable(error),))
    return result, bundle


def _unreadable(error: BundleInvalidError) -> CheckFinding:
    """What could not be read or compiled: the message begins with the file, and may say the line and the column."""
    file, _, rest = error.detail.partition(" ")
    named = "/" in file and not file.startswith("/")
    words = rest.replace(",", " ").replace(":", " ").split()
    line, column = (_after(word, words) for word in ("line", "column"))
    return CheckFinding("bundle", file.rstrip(":") if named else ".manifest", line or 1, column, "bundle", error.detail)


def _after(word: str, words: list[str]) -> int:
    """The number that follows a word; 0 where none does."""
    numbers = [after for before, after in pairwise(words) if before == word and after.isascii() and after.isdecimal()]
    return int(numbers[0][:9]) if numbers else 0


def results_of(root: Path, *, quick: bool = False) -> BundleResult:
    """What a bundle folder's checks, cases, Rego tests and changes of its rules came to."""
    result, bundle = checked(root)
    if result.findings or bundle is None:
        return result
    cases = read_cases(bundle)
    failures = run(compile_bundle(bundle, rules_of(cases)), cases)
    ran = (*of_cases(bundle, cases, failures), *_rego_tests(bundle))
    counts = {"cases": len(cases), "cases_held": len(cases) - len(failures)}
    notes = [f"{counts['cases_held']} of {counts['cases']} cases hold on the embedded engine."]
    opa = shutil.which("opa")
    if opa is None:
        notes.append("opa is not here: the Rego tests ran on the embedded engine alone.")
    else:
        held = _hold_on_opa(opa, root, bundle)
        said = "" if held else "The Rego tests fail on OPA, or do not cover every line."
        ran = (*ran, CaseResult("opa", "Rego tests and coverage", FILE, said))
        notes += ["The Rego tests hold on OPA and cover every line."] if held else []
    result = replace(result, tested=ran, findings=failed(ran), counts=counts, notes=tuple(notes))
    return result if quick else _mutated(root, result, bundle, cases)


def _rego_tests(bundle: Bundle) -> list[CaseResult]:
    return [CaseResult("rego", one, one.partition(":")[0], f"{one}.") for one in failing_rego_tests(bundle)]


def _mutated(root: Path, result: BundleResult, bundle: Bundle, cases: list[OfficerCase]) -> BundleResult:
    mutation, known = mutate(bundle, cases, compile_bundle, tests=failing_rego_tests), known_unheld(root)
    missing, settled = known.missing(mutation.survivors), known.settled(mutation.changes)
    found = [
        CheckFinding("no-case", one.file, one.line, one.column, one.rule, f"nothing notices it {one.condition}.", _ADD)
        for one in missing
    ]
    found += [CheckFinding("no-case", "mutation.yaml", 1, 0, "settled", f"take out: {line}") for line in settled]
    held = mutation.conditions - len(mutation.survivors)
    known_ = len(mutation.survivors) - len(missing)
    more = f" {known_} more are known, with reasons, in mutation.yaml." if known_ else ""
    note = (
        f"{mutation.areas} areas, {mutation.silent} of which only warn: "
        f"{held} of {mutation.conditions} changes of a line are noticed by a case or a test.{more}"
    )
    counts = {**result.counts, "changes": mutation.conditions, "changes_noticed": held}
    return replace(result, findings=(*result.findings, *found), counts=counts, notes=(*result.notes, note))


def _hold_on_opa(opa: str, root: Path, bundle: Bundle) -> bool:
    """Whether the Rego tests hold on OPA, with the cases as they are now and not as they were written to Rego last."""
    with TemporaryDirectory() as folder:
        copy = Path(folder, "policies")
        shutil.copytree(root, copy)
        (copy / FILE).write_text(case_tests(bundle))
        command = [opa, "test", "-b", str(copy), "--coverage", "--threshold", "100", "--timeout", "60s"]
        return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0  # noqa: S603 - from the PATH
