"""The threat model and the frameworks name tests: each of them is there, and each attack names one."""

import ast
import re

from functools import cache

from gateway.settings import HOME

PAGE = (HOME / "docs/threat-model.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.partition("## Attacks by store and channel")[2].splitlines()
    if line.startswith("| ") and not line.startswith("| Store")
]


@cache
def defined_in(file):
    tree = ast.parse((HOME / file).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def named(text):
    return re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)


def test_every_attack_names_what_holds_it_and_a_test_that_exists():
    """
    Each row is of one kind of STRIDE, says what holds the attack, and names one test that is in the file that it names.
    """
    assert len(ROWS) >= 40
    for place, kind, attack, holds, tests in ROWS:
        assert place and attack and holds
        assert kind in set("STRIDE"), attack
        [(file, test)] = named(tests)
        assert test in defined_in(file), tests
    assert {row[1] for row in ROWS} == set("STRIDE")


def test_every_test_that_a_page_names_exists():
    """
    Wherever a page names a test or a file of tests, it is there.
    """
    for page in [*HOME.glob("*.md"), *(HOME / "docs").glob("*.md")]:
        for file, test in named(page.read_text()):
            assert (HOME / file).is_file(), f"{page.name}: {file}"
            assert not test or test in defined_in(file), f"{page.name}: {file}::{test}"


def test_every_attack_is_another_one():
    """
    No attack stands twice.
    """
    assert len({(row[0], row[2]) for row in ROWS}) == len(ROWS)
