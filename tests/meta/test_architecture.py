"""What the code promises about itself."""

import ast
import re
import subprocess
import zipfile

from pathlib import Path

import pytest

from gateway import errors
from gateway.policy.annotations import annotations
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME, Settings

PACKAGES = ("gateway", "adapters", "ledger")
SOURCES = sorted(path for package in PACKAGES for path in (HOME / package).rglob("*.py"))

LONG_FILES = {"gateway/errors.py": 450}
"""Files that may be longer than 300 lines: one class for each code of the error tree."""

LONG_FUNCTIONS = {"gateway/cli/ledger/query.py:query": 50}
"""Functions that may be longer than 45 lines: one parameter for each option."""


FULL_FOLDERS = {"gateway/stages": 20, "adapters/screening/presidio/recognizers": 25}
"""Folders that may hold more than 15 modules: one for each stage of the pipeline, one for each kind of identifier."""


FULL_FOLDERS = {"gateway/stages": 20, "adapters/screening/presidio/recognizers": 25}
"""Folders that may hold more than 15 modules: one for each stage of the pipeline, one for each kind of identifier."""


def name_of(path: Path) -> str:
    return path.relative_to(HOME).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
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
        "gateway/policy/poller.py",
    } == users


def test_docs_cover_every_error_setting_rule_and_command():
    """
    Every error code, setting, rule code and command stands in the docs.
    """
    pages = {path.name: path.read_text() for path in (HOME / "docs").glob("*.md")}
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, errors.GatewayError):
            assert f"`{kind.code}`" in pages["errors.md"]
    for name in Settings.model_fields:
        assert f"CTXGATE_{name.upper()}" in pages["settings.md"]
    for rego in load_bundle(HOME / "policies").modules.values():
        for block in annotations(rego):
            if block.code:
                assert f"`{block.code}`" in pages["policies.md"]
    readme = (HOME / "README.md").read_text()
    for command in ("ctxgate assemble", "ctxgate serve", "ctxgate demo", "ctxgate ledger verify", "ctxgate dev token"):
        assert command in readme


def test_generated_pages_are_fresh():
    """
    What is generated is what would be generated now.
    """
    from tools import generate

    assert not [name_of(path) for path, text in generate.pages().items() if path.read_text() != text]


def test_links_in_the_docs_resolve():
    """
    No page points at a file that is not there.
    """
    for page in [
        HOME / "README.md",
        *(HOME / "docs").rglob("*.md"),
        HOME / "policies/README.md",
        HOME / "ledger/FORMAT.md",
    ]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page}: {target}"


def test_the_wheel_holds_what_it_should(tmp_path):
    """
    The wheel has our three packages and the shipped policies, registry and examples, and no tests.
    """
    done = subprocess.run(
        [
            HOME / ".venv/bin/python",
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            tmp_path,
            HOME,
        ],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info" not in name}
    assert set(PACKAGES) == tops
    assert "gateway/shipped/policies/context/context.rego" in names
    assert "gateway/shipped/policies/.manifest" in names
    assert "gateway/shipped/registry/agents.yaml" in names


def test_no_other_distribution_has_our_names():
    """
    The three import names belong to us alone in this environment.
    """
    from importlib.metadata import distributions

    for distribution in distributions():
        if distribution.metadata["Name"] != "ctxgate":
            tops = {file.parts[0] for file in distribution.files or ()}
            assert not tops & set(PACKAGES), distribution.metadata["Name"]
