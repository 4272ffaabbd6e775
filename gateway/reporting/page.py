"""
A report as one HTML page: for any browser, without a network, to be printed.

Rules held here: every value is escaped by the template engine and none is markup; the page has no script, loads nothing, and its
content security policy says so, with the hash of the one style that stands in it; it says nothing of when or where it was made.
"""

import base64
import hashlib

from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from gateway.reporting.document import FactList, Lines, Prose, Report, shown, visible

MEDIA_TYPE: Final = "text/html; charset=utf-8"


def as_page(report: Report) -> str:
    """The report as a page of its own."""
    style = _style()
    # Our own file, and no value of a report.
    return _template().render(report=report, style=Markup(style), policy=content_policy())  # noqa: S704


def content_policy() -> str:
    """What a browser may do with the page: show it, in its own style."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@cache
def _style() -> str:
    return (files("gateway.reporting") / "templates/report.css").read_text("utf-8")


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("gateway.reporting", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, visible=visible)
    environment.tests.update(
        facts=lambda block: isinstance(block, FactList),
        lines=lambda block: isinstance(block, Lines),
        prose=lambda block: isinstance(block, Prose),
        number=lambda value: isinstance(value, int) and not isinstance(value, bool),
    )
    return environment.get_template("report.html")
