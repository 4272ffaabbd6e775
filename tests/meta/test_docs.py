"""What the pages say is what the code does: every code, setting, rule and command, and every link."""

import re

from gateway import errors
from gateway.cli import COMMANDS
from gateway.policy.annotations import annotations
from gateway.policy.bundle import load_bundle
from gateway.policy.codes import GATEWAY_CODES
from gateway.settings import HOME, Settings
from tests.support.sources import name_of
from tools import generate


def test_errors_within_an_adapter_are_not_on_the_page():
    """
    What the page says does not depend on which adapters are loaded.
    """

    class Within(errors.SourceUnavailableError):
        """One that nobody else hears of."""

    assert f"| {Within.__name__} |" not in "".join(generate.pages().values())


def test_every_error_says_what_to_do():
    """
    Each kind of error has a remedy of its own, one sentence that begins with what to do, and it stands on the page.
    """
    page = (HOME / "docs/errors.md").read_text()
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.GatewayError)]
    for kind in kinds:
        assert "remedy" in vars(kind), kind.__name__
        assert re.fullmatch(r"[A-Z].*\.", kind.remedy), kind.__name__
        assert kind.remedy in page


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
    bundle = load_bundle(HOME / "policies")
    codes = [block.code for rego in bundle.modules.values() for block in annotations(rego) if block.code]
    for code in (*codes, *GATEWAY_CODES):
        assert f"`{code}`" in pages["policies.md"]
    readme = (HOME / "README.md").read_text()
    for command in (
        "make run",
        "make test",
        "ctxgate serve",
        "ctxgate dev token",
        "ctxgate pack show",
        "ctxgate ledger verify",
    ):
        assert command in readme
    for command in COMMANDS:
        assert f"`ctxgate {command}" in pages["commands.md"]


def test_generated_pages_are_fresh():
    """
    What is generated is what would be generated now.
    """
    assert not [name_of(path) for path, text in generate.pages().items() if path.read_text() != text]


def test_links_in_the_docs_resolve():
    """
    No page points at a file that is not there.
    """
    for page in [
        *HOME.glob("*.md"),
        *(HOME / "docs").rglob("*.md"),
        HOME / "policies/README.md",
        HOME / "ledger/FORMAT.md",
    ]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page}: {target}"
