"""Cases and checks as JUnit's XML, which every runner of pipelines reads."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from gateway.workbench.results.findings import BundleResult, CaseResult, CheckFinding

_CHECKS: Final = "checks"


def junit(result: BundleResult) -> str:
    """A document with a suite for what was checked, and one for each area whose cases were run."""
    suites: dict[str, list[CaseResult]] = defaultdict(list)
    for one in result.tested:
        suites[one.suite].append(one)
    of_checks = [one for one in result.findings if one.kind != "case-fails"]
    whole = Element("testsuites", name="ctxgate policy", tests=str(len(result.tested) + max(1, len(of_checks))))
    whole.set("failures", str(sum(bool(one.failure) for one in result.tested) + len(of_checks)))
    _checks(whole, of_checks)
    for suite, tested in suites.items():
        _suite(whole, suite, tested)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(whole, encoding="unicode")}\n'


def _checks(whole: Element, findings: Sequence[CheckFinding]) -> None:
    suite = SubElement(whole, "testsuite", name=_CHECKS, tests=str(max(1, len(findings))), failures=str(len(findings)))
    if not findings:
        SubElement(suite, "testcase", name="the bundle may decide", classname=_CHECKS)
    for one in findings:
        case = SubElement(suite, "testcase", name=_plain(one.entry), classname=_plain(one.file))
        case.set("file", _plain(one.file))
        case.set("line", str(one.line))
        failure = SubElement(case, "failure", message=_plain(one.message), type=one.kind)
        failure.text = _plain(f"{one.file}:{one.line}:{one.column}: {one.message} {one.hint}")


def _suite(whole: Element, name: str, tested: Sequence[CaseResult]) -> None:
    failures = sum(bool(one.failure) for one in tested)
    suite = SubElement(whole, "testsuite", name=_plain(name), tests=str(len(tested)), failures=str(failures))
    for one in tested:
        case = SubElement(suite, "testcase", name=_plain(one.name), classname=_plain(name), file=_plain(one.file))
        case.set("line", str(one.line))
        if one.failure:
            SubElement(case, "failure", message=_plain(one.failure), type="case-fails")


def _plain(text: str) -> str:
    """The text without what XML 1.0 cannot hold."""
    return "".join(one if one in "\t\n" or (one.isprintable() and one < "\ufffe") else "\ufffd" for one in text)
