"""What a measurement came to, for other programs: as JSON, and as JUnit's XML with a case for each figure and each question."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from gateway.knowledge.quality.baseline import Movement
from gateway.knowledge.quality.evaluation import GoldenResult
from gateway.knowledge.quality.verdict import QualityVerdict


def as_document(evaluation: GoldenResult, told: QualityVerdict, moved: Movement | None) -> dict[str, Any]:
    """A measurement as JSON: names and numbers, and no text of a question or a document."""
    return {
        "golden": evaluation.golden,
        "golden_digest": evaluation.golden_digest,
        "depth": evaluation.depth,
        "searchable": asdict(evaluation.searchable),
        "figures": evaluation.figures,
        "headroom": evaluation.headroom,
        "thresholds": [asdict(line) for line in told.lines],
        "movement": asdict(moved) if moved else None,
        "questions": [asdict(one) for one in evaluation.questions],
    }


def junit(measured: Iterable[tuple[GoldenResult, QualityVerdict]]) -> str:
    """A suite for each golden set: a case for each threshold, one for drift, and one for each question that leaks or misses."""
    whole = Element("testsuites", name="ctxgate kb eval")
    for evaluation, told in measured:
        suite = SubElement(whole, "testsuite", name=evaluation.golden)
        for line in told.lines:
            case = SubElement(suite, "testcase", name=line.figure, classname=evaluation.golden)
            if line.standing == "alarm":
                _fail(case, "threshold", f"{line.figure} is {line.value:.4g}, and {line.alarm:g} is the alarm")
        case = SubElement(suite, "testcase", name="drift", classname=evaluation.golden)
        if told.drifted:
            _fail(case, "drift", f"fell below the baseline: {', '.join(told.drifted)}")
        for one in evaluation.questions:
            case = SubElement(suite, "testcase", name=one.id, classname=evaluation.golden)
            if one.leaked or one.refused_by_gate:
                _fail(case, "leak", f"found and must not be: {', '.join(one.leaked) or 'what the gate refuses'}")
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(len(suite.findall(".//failure"))))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(whole, encoding="unicode")}\n'


def _fail(case: Element, kind: str, message: str) -> None:
    # Names are of one visible line, but XML 1.0 cannot hold every character that people see.
    plain = "".join(one if one.isprintable() and one < "\ufffe" else "\ufffd" for one in message)
    SubElement(case, "failure", message=plain, type=kind)
