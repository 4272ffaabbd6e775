"""What is known in one place only: stages, entrypoints, kinds of records, sections, names of classes."""

import ast
import re

from collections import Counter
from typing import get_args

from gateway import pipeline
from gateway.policy.entrypoints import NAMES
from gateway.settings import HOME
from ledger.record import Kind

SOURCES = sorted(path for package in ("gateway", "adapters", "ledger") for path in (HOME / package).rglob("*.py"))
TREES = {path.relative_to(HOME).as_posix(): ast.parse(path.read_text()) for path in SOURCES}


def called(tree, name):
    """First arguments, where these are texts, of the calls of a function or method of that name, in the order of the file."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", None)) == name]
    named.sort(key=lambda call: (call.lineno, call.col_offset))
    return [call.args[0].value for call in named if call.args and isinstance(call.args[0], ast.Constant)]


def method(name):
    """The body of a method of the pipeline."""
    nodes = ast.walk(TREES["gateway/pipeline.py"])
    return next(node for node in nodes if isinstance(node, ast.AsyncFunctionDef) and node.name == name)


def test_the_pipeline_runs_the_stages_of_its_docstring():
    """
    The list at the top of the pipeline is the order in which the stages are called, and nothing else is timed.
    """
    told = re.findall(r"^    (\w+) +\S", pipeline.__doc__, re.MULTILINE)
    before, ruling = called(method("assemble"), "at"), called(method("_rule"), "at")
    after = [ruling[0], *called(method("_brought"), "at"), *ruling[1:]]
    assert told == [before[0], *after, *before[1:]]


def test_rulings_alone_run_the_same_stages():
    """
    What is asked for rulings alone goes the same way, up to where the pack begins.
    """
    packs = called(method("assemble"), "at")
    assert called(method("_decided"), "at") == [stage for stage in packs if stage in {"report", "compare", "seal"}]


def test_every_stage_has_a_file_and_every_file_is_run():
    """
    A stage is a file of its own, but for what undoes one.
    """
    stages = {path.stem for path in (HOME / "gateway/stages").glob("*.py")} - {"__init__"}
    told = set(re.findall(r"^    (\w+) +\S", pipeline.__doc__, re.MULTILINE))
    assert stages - told == {"forget"}
    assert told <= stages


def test_names_of_entrypoints_are_declared_once():
    """
    No name of an entrypoint stands as a text outside its declaration.
    """
    places = [
        f"{name}:{node.lineno}"
        for name, tree in {**TREES, **others("bench"), **others("tools")}.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in NAMES and name != "gateway/policy/entrypoints.py"
    ]
    assert places == []


def others(folder):
    return {path.relative_to(HOME).as_posix(): ast.parse(path.read_text()) for path in (HOME / folder).rglob("*.py")}


def test_every_kind_of_record_has_one_maker():
    """
    All kinds are drafted in one module, each at one place, and nobody else makes a draft.
    """
    made = Counter(called(TREES["gateway/audit/drafts.py"], "_draft"))
    assert made == Counter(get_args(Kind))
    makers = [
        name
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Draft"
    ]
    assert makers == ["gateway/audit/drafts.py"]


def test_no_public_class_name_twice():
    """
    A name of a class, or of a type that is used like one, means one thing in all three packages.
    """
    # The kinds of nodes of Rego are called what the language calls them.
    trees = {path: tree for path, tree in TREES.items() if path != "gateway/policy/rego/tree.py"}
    names = Counter(name for tree in trees.values() for name in public_types(tree))
    assert [name for name, count in names.items() if count > 1] == []


def public_types(tree):
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            name = getattr(target, "id", "_")
            if name[0].isupper() and not name.isupper():
                yield name


def test_the_glossary_has_the_classes_of_its_nouns():
    """
    A noun of the glossary that is the name of a class means that class: none is another word's.
    """
    page = (HOME / "docs/glossary.md").read_text()
    nouns = {match.replace(" ", "") for match in re.findall(r"^\| ([A-Z][\w ]+?) \|", page, re.MULTILINE)}
    classes = {name for tree in TREES.values() for name in public_types(tree)}
    missing = CLASSES - classes
    assert not missing
    assert {noun for noun in CLASSES if noun not in nouns} == set()


CLASSES = {"Bundle", "Candidate", "Case", "Checkpoint", "Claim", "Entrypoint", "Envelope", "Fence", "Finding", "Leaf"}
CLASSES |= {
    "Obligation",
    "Piece",
    "Receipt",
    "Record",
    "Ruling",
    "Segment",
    "Sequencer",
    "Session",
    "Source",
    "Subject",
}
CLASSES |= {"Agent", "Attribution", "Denial", "Detector", "Erasure", "Lane", "Tile", "Vault", "Witness"}
"""Nouns of the glossary that are classes; others are ideas, files or people."""


def test_content_is_digested_once():
    """
    Only a candidate asks for the digest of its content, and a chunk that will be one; turns that are read as one text, and what is
    released, have their own.
    """
    users = {
        path for path, tree in TREES.items() for node in ast.walk(tree) if getattr(node, "id", None) == "content_digest"
    }
    assert users == {
        "adapters/knowledge/writes.py",
        "gateway/model/request.py",
        "gateway/prompt/blocks.py",
        "gateway/screening/find.py",
        "gateway/stages/screen.py",
    }
