"""Cases as JUnit."""

from xml.etree import ElementTree as ET

from gateway.workbench.results.findings import BundleResult, CaseResult, CheckFinding
from gateway.workbench.results.junit import junit

TESTED = (
    CaseResult("classification", "public", "context/classification/cases.yaml", "", 7),
    CaseResult("classification", 'a "quoted" <case>', "context/classification/cases.yaml", "should be & is not", 9),
    CaseResult("trust", "one", "context/trust/cases.yaml"),
)


def test_suites_cases_and_failures_are_counted():
    """
    A pipeline reads one suite for each area, with how many cases it has and which of them fail, and why.
    """
    whole = ET.fromstring(junit(BundleResult("p", "r", (), TESTED)))  # noqa: S314 - our own
    suites = {suite.get("name"): suite for suite in whole}
    assert (whole.get("tests"), whole.get("failures")) == ("4", "1")
    assert [(name, suite.get("tests"), suite.get("failures")) for name, suite in suites.items()] == [
        ("checks", "1", "0"),
        ("classification", "2", "1"),
        ("trust", "1", "0"),
    ]
    failing = suites["classification"][1]
    assert failing.get("name") == 'a "quoted" <case>'
    assert failing.find("failure").get("message") == "should be & is not"
    assert failing.get("line") == "9"


def test_what_a_check_found_fails_its_suite():
    """
    A slip in a table is a failure with file, line and what to do.
    """
    finding = CheckFinding("table", "context/a/data.yaml", 3, 4, "a/b", "is wrong.", "Mend it.")
    [suite] = ET.fromstring(junit(BundleResult("p", "r", (finding,))))  # noqa: S314 - our own
    assert suite.get("failures") == "1"
    assert suite[0][0].text == "context/a/data.yaml:3:4: is wrong. Mend it."


def test_what_xml_cannot_hold():
    """
    Whatever a case is called, the document can be read.
    """
    name = "a\x00b\x1b\ud800\uffff"
    whole = ET.fromstring(junit(BundleResult("p", "r", (), (CaseResult("s", name, "f", name),))))  # noqa: S314 - our own
    assert whole[1][0].get("name").startswith("a\ufffdb")
