"""A page with what was found marked in the texts."""

import html

from collections.abc import Sequence
from typing import Final

from gateway.model import Finding
from gateway.workbench.scan import Scan

_STYLE: Final = (
    "body{font:16px/1.6 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;background:#f6f6f6;"
    "padding:1rem}mark{border-radius:.2em;padding:0 .15em}mark.pii{background:#ffe08a}mark.injection{background:#ffb3a7}"
    "@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}pre{background:#222}mark{color:#111}}"
)


def highlighted(named: Sequence[tuple[str, str, Scan]]) -> str:
    """One HTML page for texts and their findings; each mark says type, score and detector when pointed at."""
    parts = [
        f"<h2>{html.escape(name)}</h2><p>Injection {scan.injection_score:.2f}"
        f"{', set aside' if scan.injection_flagged else ''}</p><pre>{_marked(text, scan.findings)}</pre>"
        for name, text, scan in named
    ]
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>ctxgate scan</title><style>{_STYLE}</style>"
    return f"<!doctype html><html lang=en><head>{head}</head><body><h1>Findings</h1>{''.join(parts)}</body></html>"


def _marked(text: str, findings: Sequence[Finding]) -> str:
    pieces, done = [], 0
    # Marks do not overlap: personal data first, then what is left of the windows.
    for finding in _apart(findings):
        pieces.append(html.escape(text[done : finding.start]))
        title = f"{finding.type} {finding.score:.2f} {finding.detector}"
        inside = html.escape(text[finding.start : finding.end])
        pieces.append(f'<mark class="{finding.kind}" title="{html.escape(title)}">{inside}</mark>')
        done = finding.end
    return "".join([*pieces, html.escape(text[done:])])


def _apart(findings: Sequence[Finding]) -> list[Finding]:
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda one: (one.kind != "pii", one.end - one.start)):
        if finding.start < finding.end and all(finding.end <= o.start or o.end <= finding.start for o in kept):
            kept.append(finding)
    return sorted(kept, key=lambda one: one.start)
