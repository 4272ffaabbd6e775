"""What a measurement came to, for other programs."""

import json

from xml.etree import ElementTree as ET

from gateway.knowledge.quality.results import as_document, junit
from gateway.knowledge.quality.verdict import verdict
from tests.support.golden import result_of, table


def test_json_and_junit():
    """
    A leak and a figure beyond its alarm are failures of JUnit, and JSON holds both.
    """
    one = result_of(leaked=("x\x0b\uffff",), recall=0.5)
    told = verdict(one, table())
    root = ET.fromstring(junit([(one, told)]))  # noqa: S314 - our own
    failed = {case.get("name"): case[0].get("type") for case in root.iter("testcase") if len(case)}
    assert failed == {"recall": "threshold", "leaked": "threshold", "a": "leak"}
    suite = root.find("testsuite")
    assert (suite.get("failures"), int(suite.get("tests"))) == ("3", len(suite))
    document = json.loads(json.dumps(as_document(one, told, None)))
    assert document["figures"]["recall"] == 0.5
    assert document["movement"] is None
