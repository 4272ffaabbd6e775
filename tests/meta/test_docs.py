"""What the pages say is what the code does: every code, setting, rule and command, and every link."""

import re

from gateway import errors
from gateway.policy.annotations import annotations
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME, Settings
from tests.support.sources import name_of
from tools import generate


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
