"""What a newcomer, a contributor and CI find: pages, indexes, and the commands that they run."""

import re
import shlex
import subprocess

import pytest
import yaml

from gateway.settings import HOME

GENERATED = ("policies.md", "errors.md", "settings.md", "commands.md")
DOCS = sorted(path for path in (HOME / "docs").rglob("*.md") if path.name not in GENERATED)
PAGES = [*sorted(HOME.glob("*.md")), *DOCS, HOME / "ledger/FORMAT.md"]
DECISIONS = sorted((HOME / "docs/adr").glob("[0-9]*.md"))


def name_of(path):
    return path.relative_to(HOME).as_posix()


def prose(text):
    """Lines that people read as sentences: no code, table or heading."""
    lines = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL).split("\n")
    shown = [re.sub(r"^\s*(?:-|\d+\.) ", "", line) for line in lines if not line.startswith(("|", "#", "<"))]
    return [re.sub(r"`[^`]*`", "x", line) for line in shown]


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_one_sentence_a_line(path):
    """
    No line of prose holds the end of one sentence and the start of another, so that a review shows what changed.
    """
    ends = re.compile(r"[a-z0-9)\]%][.!?](?:\*\*)? +[A-Z*\[][a-z]")
    assert not [line for line in prose(path.read_text()) if ends.search(line)]


def test_the_index_of_pages_is_whole():
    """
    Every page under docs is in docs/README.md, and so are the pages beside the README.
    """
    listed = set(re.findall(r"\]\(([^)#]+)\)", (HOME / "docs/README.md").read_text()))
    pages = {path.name for path in (HOME / "docs").glob("*.md")} - {"README.md"}
    assert pages | {f"../{path.name}" for path in HOME.glob("*.md")} <= listed


def test_the_index_of_decisions_is_whole():
    """
    The table lists every decision with its title, in order.
    """
    rows = re.findall(r"^\| \[(\d+)\]\(([^)]+)\) \| (.*?) \|", (HOME / "docs/adr/README.md").read_text(), re.MULTILINE)
    titles = [path.read_text().split("\n")[0] for path in DECISIONS]
    assert [(f"# {number}. {title}", file) for number, file, title in rows] == [
        (title, path.name) for title, path in zip(titles, DECISIONS, strict=True)
    ]


@pytest.mark.parametrize("path", DECISIONS, ids=name_of)
def test_a_decision_has_a_date(path):
    """
    Its status says since when, and no line holds two points of a list.
    """
    text = path.read_text()
    assert re.search(r"^Status: [a-z]+[^\n]*\b\d{4}-\d{2}-\d{2}\b", text, re.MULTILINE)
    assert not re.search(r"^- .*[.:] - ", text, re.MULTILINE)


def test_the_glossary_is_in_order():
    """
    Words are in alphabetical order, each once.
    """
    words = re.findall(r"^\| (?!Word|---)(.*?) \|", (HOME / "docs/glossary.md").read_text(), re.MULTILINE)
    assert words == sorted({word.lower(): word for word in words}.values(), key=str.lower)


def planned(target):
    """What make would run."""
    return subprocess.run(
        ["make", "-n", target],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere"},
    ).stdout


def test_make_test_leaves_the_system_alone():
    """
    Only `make services` installs system packages; `.ci/run` calls it, and requires every service.
    """
    assert "pytest" in planned("test")
    assert not re.search(r"apt-get|services", planned("test"))
    assert "apt-get install" in planned("services")
    steps = (HOME / ".ci/run").read_text().split("\n")
    assert steps.index("make services") < steps.index("COVERAGE=1 CTXGATE_REQUIRE_SERVICES=1 make test")


def test_lint_checks_the_format():
    """
    `make lint` fails where `ruff format` would change something.
    """
    assert "ruff format --check ." in planned("lint")


def test_the_forge_runs_what_anyone_can_run():
    """
    The workflow does its work with `.ci/run`, on the Python that the project asks for at least.
    """
    workflow = yaml.safe_load((HOME / ".github/workflows/ci.yml").read_text())
    [job] = workflow["jobs"].values()
    assert ".ci/run" in [step.get("run") for step in job["steps"]]
    assert job["container"]["image"].startswith("python:3.11")


def test_hooks_run_tools_of_the_environment():
    """
    Hooks are local and name programs that `make lint` installs, so nothing is fetched from elsewhere.
    """
    [source] = yaml.safe_load((HOME / ".pre-commit-config.yaml").read_text())["repos"]
    assert source["repo"] == "local"
    for hook in source["hooks"]:
        program = shlex.split(hook["entry"])[0]
        assert hook["language"] == "system"
        assert program in planned("lint")


def test_the_changelog_ends_where_the_fragments_begin():
    """
    The newest version is at the top, below the place where the next is put, and every fragment has a kind.
    """
    text = (HOME / "CHANGELOG.md").read_text()
    assert re.search(r"<!-- towncrier release notes start -->\n\n## \d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)\n", text)
    fragments = [path.name for path in (HOME / "changelog.d").glob("[!.]*")]
    assert not [name for name in fragments if not re.fullmatch(r"\d+\.(added|changed|fixed|security)\.md", name)]
