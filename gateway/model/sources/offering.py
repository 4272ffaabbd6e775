"""
Which tools an agent is shown of those that it may see, and what of them.

Rule held here: a model is told a tool's signature and what to mind when it calls it, and nothing else of it; every word of that is
the bundle's.
"""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from gateway.model.base import BankWord, Model, Name
from gateway.model.request import Candidate
from gateway.model.sources.tools import Safety, Tool

_Share = Annotated[float, Field(ge=0, le=1)]
_Fit = Annotated[float, Field(ge=0, le=100)]


class Fit(Model):
    """How well a tool must fit a question to be shown."""

    least: _Fit
    """In parts of what one rare word that they share counts."""

    share: _Share
    """Of how well the best one fits."""


class Labels(Model):
    """What a signature is labelled with; the prompt library's grant must cover it."""

    source_id: Name
    source_type: BankWord
    data_classification: BankWord
    jurisdiction: BankWord
    domain: Name
    ttl_seconds: Annotated[int, Field(strict=True, ge=1, le=2**31)]


class Offering(Model):
    """The table `offering`."""

    near: Fit
    """For tools of the request's domain that are asked about its entity."""

    others: Fit
    most: Annotated[int, Field(strict=True, ge=0, le=100)]
    """So many are shown, those that fit best, where the question says what it needs."""

    unsure: _Fit
    """Where no tool fits so well, all that are near are shown as well."""

    notes: dict[Safety, Annotated[str, Field(min_length=1, max_length=500)]]
    """What is said of a tool by safety tag."""

    section: BankWord
    """Where signatures stand."""

    labels: Labels


class OfferedTool(Candidate):
    """The signature of a tool that the gateway tells the agent of, as an item."""

    tool: Name
    """Id of the tool in the registry."""

    @property
    def channel(self) -> Literal["caller", "source"]:
        return "source"


def near(tool: Tool, domain: str) -> bool:
    """Whether a tool is asked about the entity of a request in a domain."""
    return domain in tool.domains and tool.asks_about_entity


def spoken(tool: Tool) -> str:
    """What a question may have in common with a tool: its name, what it is for, and how else people say that."""
    return " ".join((tool.id.replace("_", " "), tool.description, *tool.words))


def signature(tool: Tool, offering: Offering) -> dict[str, JsonValue]:
    """What a model is told of a tool."""
    return {
        "name": tool.id,
        "description": tool.description,
        "parameters": tool.parameters.model_dump(mode="json", exclude_unset=True),
        "safety": [offering.notes[tag] for tag in tool.safety if tag in offering.notes],
    }
