"""What the code promises about its own shape: sizes, rooms, who imports whom, and where its tests are."""

import ast
import re
import subprocess
import sys

import pytest

from gateway.settings import HOME
from tests.support.sources import CLIENT, SDK, SOURCES, TESTS, name_of

LONG_FILES = {
    "gateway/errors.py": 1000,
    "gateway/model/policy_input.py": 650,
    "gateway/pipeline.py": 410,
    "gateway/audit/drafts.py": 390,
    "gateway/bootstrap/gateway.py": 345,
    "ledger/record.py": 320,
    "ledger/sequencer.py": 320,
    "ledger/store.py": 375,
    "ledger/sqlite/store.py": 350,
    "adapters/ledger/postgres/store.py": 345,
}
"""Files that may be longer than 300 lines: one class for each code of the error tree; all that policy is told; the way through all stages; one maker for each
kind of record; what a gateway is put together from; the format of a record; what moves the log on; the store's port, and its two stores."""

LONG_FUNCTIONS = {"gateway/cli/ledger/query.py:query": 50}
"""Functions that may be longer than 45 lines: one parameter for each option."""


FULL_FOLDERS = {
    "gateway/stages": 32,
    "gateway/cli": 18,
    "gateway/api/routes": 20,
    "gateway/bootstrap": 20,
    "gateway/knowledge": 18,
    "adapters/screening/presidio/recognizers": 25,
}
"""Folders that may hold more than 15 modules: one for each stage of the pipeline, for each command, for each part that is put together, for each kind of identifier."""


MIRRORED = {"gateway": 80, "adapters": 80, "ledger": 80}
"""By package, how many of a hundred modules have a test file of their own name, at the place that mirrors theirs."""


@pytest.mark.parametrize("path", [*SOURCES, *SDK, *CLIENT], ids=name_of)
def test_sizes(path):
    """
    Files stay under 300 lines and functions under 45, or are named here.
    """
    text = path.read_text()
    assert text.count("\n") <= LONG_FILES.get(name_of(path), 300)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{name_of(path)}:{node.name}"
            body = [
                part for part in node.body if not isinstance(part, ast.Expr) or not isinstance(part.value, ast.Constant)
            ]
            length = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert length <= LONG_FUNCTIONS.get(name, 45), name


def test_rooms():
    """
    A folder holds at most 15 modules, and says in its `__init__.py` what lives there.
    """
    folders = {path.parent for path in SOURCES}
    for folder in folders:
        modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= FULL_FOLDERS.get(name_of(folder), 15), name_of(folder)
        assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text())), name_of(folder)


def test_ports():
    """
    What the gateway needs from outside is said in `gateway/ports`, and nowhere else.
    """
    protocol = re.compile(r"^class \w+\(.*\bProtocol\b", re.MULTILINE)
    users = {name_of(path) for path in SOURCES if protocol.search(path.read_text())}
    assert not [name for name in users if name.startswith("gateway/") and not name.startswith("gateway/ports/")]


def test_imports():
    """
    adapters → gateway → ledger, never back; the core knows no vendor.
    """
    done = subprocess.run([HOME / ".venv/bin/lint-imports"], cwd=HOME, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize(
    ("package", "allowed"),
    [(SDK, {"ctxgate_source", "joserfc"}), (CLIENT, {"ctxgate_client", "httpx", "pydantic"})],
    ids=["sources", "clients"],
)
def test_the_packages_for_others_stand_alone(package, allowed):
    """
    What owners of sources and callers install imports what its page says and the standard library, and nothing of the gateway.
    """
    imported = {
        name.partition(".")[0]
        for path in package
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert package
    assert imported <= {*allowed, *sys.stdlib_module_names}


def test_only_bootstrap_knows_the_adapters():
    """
    One package puts the gateway together.
    """
    users = {name_of(path) for path in SOURCES if re.search(r"^(from|import) adapters", path.read_text(), re.MULTILINE)}
    assert not [name for name in users if name.startswith(("gateway", "ledger")) and "gateway/bootstrap/" not in name]


def test_python_compares_no_clearance_jurisdiction_or_role():
    """
    Regulatory values do not stand in Python outside the types of the wire.
    """
    forbidden = re.compile(r'"(RESTRICTED|CONFIDENTIAL|analyst|approver|checker|coo|SG|HK|RMG)"')
    allowed = {"gateway/model/base.py", "adapters/screening/presidio/recognizers/phone.py"}
    assert not [name_of(p) for p in SOURCES if name_of(p) not in allowed and forbidden.search(p.read_text())]


def test_nothing_is_logged_but_codes_and_counts():
    """
    Log calls take no content, and exist only at the edges.
    """
    users = {name_of(path) for path in SOURCES if re.search(r"\blog\.\w+\(", path.read_text())}
    assert {
        "gateway/api/app.py",
        "gateway/api/routes/packs.py",
        "gateway/audit/keeper.py",
        "gateway/bootstrap/keys.py",
        "gateway/bootstrap/knowledge.py",
        "gateway/observability/rechecks.py",
        "gateway/bootstrap/poller.py",
        "gateway/knowledge/quality/watching.py",
        "gateway/privacy/resuming.py",
    } == users


def modules_of(package):
    """The modules of a package, without those that only say what lives in a folder."""
    return [path for path in SOURCES if name_of(path).startswith(f"{package}/") and path.name != "__init__.py"]


def place_of(module):
    """Where the tests of a module are: `gateway/prompt/fence.py` has `tests/gateway/prompt/test_fence.py`."""
    here = module.relative_to(HOME)
    return HOME / "tests" / here.parent / f"test_{here.name}"


@pytest.mark.parametrize("package", MIRRORED)
def test_tests_mirror_the_code(package):
    """
    Whoever reads a module finds its tests at one guess: a test file of its own name for at least so many modules.
    """
    modules = modules_of(package)
    alone = [name_of(module) for module in modules if not place_of(module).is_file()]
    covered = 100 * (len(modules) - len(alone)) / len(modules)
    assert covered >= MIRRORED[package], f"{covered:.0f} of 100; without a test file: {', '.join(alone)}"


@pytest.mark.parametrize("package", MIRRORED)
def test_every_mirrored_file_mirrors_something(package):
    """
    A test file in a package's folder is named for a module, or for the command or schema that is not one; and it holds a test.
    """
    names = {name_of(place_of(module)) for module in modules_of(package)}
    stray = {name_of(path) for path in TESTS if path.is_relative_to(HOME / "tests" / package)} - names
    assert {name for name in stray if "/test_" in name} <= OF_NO_MODULE
    for path in (path for path in TESTS if name_of(path) in names):
        assert re.search(r"^ *(async )?def test_", path.read_text(), re.MULTILINE), name_of(path)


OF_NO_MODULE = {
    "tests/adapters/screening/test_labelled.py",
    "tests/gateway/knowledge/quality/test_degraded.py",
    "tests/adapters/screening/test_soak.py",
    "tests/gateway/cli/test_command.py",
    "tests/gateway/policy/test_kept_before.py",
    "tests/gateway/workbench/proving/test_seeded_faults.py",
    "tests/gateway/policy/test_ledger_before.py",
    "tests/gateway/workbench/test_workbench.py",
    "tests/ledger/test_crashes.py",
    "tests/ledger/test_foreign.py",
    "tests/ledger/test_foreign_witness.py",
}
"""
Test files of a package that are of no module of their own: of the command itself, of the officers' tools together, of all detectors
on labelled sets and over hours, and of the ledger under kills and under other people's code.
"""


def test_tests_import_no_tests():
    """
    What tests share lies in `tests/support`: no test file is imported by another, so that each can be moved, cut or deleted alone.
    """
    importing = re.compile(r"^ *(?:from|import) tests\.(?:[\w.]+\.)?test_\w+\b", re.MULTILINE)
    assert not [name_of(path) for path in TESTS if importing.search(path.read_text())]


CLOCKS = {"perf_counter", "monotonic", "process_time", "time", "elapsed"}


def test_no_test_asserts_on_seconds():
    """
    No assertion reads a clock: a bound is a count, or a ratio (tests/support/effort.py), so that a busy machine fails nothing.
    """
    reading = [
        f"{name_of(path)}:{node.lineno}"
        for path in TESTS
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Assert)
        and CLOCKS & {part.attr for part in ast.walk(node.test) if isinstance(part, ast.Attribute)}
    ]
    assert reading == []
