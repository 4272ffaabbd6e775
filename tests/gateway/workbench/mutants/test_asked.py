"""Of a changed bundle only what may be answered otherwise is asked."""

import json

from gateway.workbench.cases import OfficerCase
from gateway.workbench.mutants.asked import Before, Changed
from tests.support.bundles import SHIPPED


class Engine:
    """Answers with its name, and counts what it is asked."""

    def __init__(self, name):
        self.name = name
        self.asked = []

    def query(self, rule, facts):
        self.asked.append((rule, json.loads(facts)))
        return self.name


FACTS = {"now": "2026-03-01"}
CASE = OfficerCase("trust", "one", FACTS, True, (), {}, {}, entrypoints=("admit",))


def test_what_no_change_can_touch_is_asked_once_of_the_bundle_as_it_was():
    """
    A rule that may answer otherwise is asked of the changed bundle each time, every other one once, of the bundle before.
    """
    old, new, compiled = Engine("before"), Engine("changed"), []

    def compile_(_, rules):
        compiled.append(rules)
        return old

    before = Before(SHIPPED, [CASE], compile_)
    for _ in range(2):
        changed = Changed(new, {"context/admit"}, before)
        assert changed.query("context/admit", FACTS) == "changed"
        assert changed.query("context/trust/permit", FACTS) == "before"
    assert new.asked == [("context/admit", FACTS)] * 2
    assert old.asked == [("context/trust/permit", FACTS)]
    assert compiled == [["context/admit", "context/trust/deny", "context/trust/permit"]]
