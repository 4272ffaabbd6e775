"""Findings as SARIF."""

import json

import pytest

from jsonschema_rs import Draft7Validator

from gateway.workbench.results.findings import KINDS, CheckFinding
from gateway.workbench.results.sarif import sarif

ESSENTIALS = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"enum": ["2.1.0"]},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "semanticVersion": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "properties": {
                                                "shortDescription": {"type": "object", "required": ["text"]},
                                                "help": {"type": "object", "required": ["text"]},
                                            },
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {"type": "object", "anyOf": [{"required": ["text"]}, {"required": ["id"]}]},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "anyOf": [
                                                    {"required": ["address"]},
                                                    {"required": ["artifactLocation"]},
                                                ],
                                                "properties": {
                                                    "artifactLocation": {
                                                        "type": "object",
                                                        "properties": {
                                                            "uri": {"type": "string", "format": "uri-reference"}
                                                        },
                                                    },
                                                    "region": {
                                                        "type": "object",
                                                        "properties": {
                                                            "startLine": {"type": "integer", "minimum": 1},
                                                            "startColumn": {"type": "integer", "minimum": 1},
                                                        },
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}
"""What the schema of SARIF 2.1.0 (OASIS) asks of the parts that are written here."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_log_is_as_the_standard_asks(kind):
    """
    Each kind of finding makes a log that readers of SARIF take, with a rule that the result points to.
    """
    log = sarif([CheckFinding(kind, "context/a/data.yaml", 3, 0, "a/b", "is wrong.", "Mend it.")], version="1.2.3")
    Draft7Validator(ESSENTIALS, validate_formats=True).validate(json.loads(json.dumps(log)))
    run = log["runs"][0]
    [result] = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == f"ctxgate/{kind}"
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert result["message"]["text"] == "a/b: is wrong. Mend it."


def test_what_only_lacks_a_case_is_a_warning():
    """
    A code host blocks on what is wrong, and shows what no case holds.
    """
    found = [CheckFinding(kind, "f", 1, 1, "e", "m") for kind in ("table", "no-case")]
    assert [one["level"] for one in sarif(found, version="1")["runs"][0]["results"]] == ["error", "warning"]
