"""How the pieces of a pack stand in a prompt, and how its token budget was spent (names on the wire, v1)."""

from typing import Literal

from gateway.model.base import Model, TrustClass

Layer = Literal["L1", "L2", "L3", "L4", "L5"]
"""System; library carried over; this turn; history; the person's words.  What changes least comes first."""

Form = Literal["full", "digest", "extract", "override", "reference", "stub", "notice"]
"""
How something stands in a layer: whole; as a digest that says how to fetch it again; as a bounded extract of what cannot be
fetched again; whole beside an older one in the library; as a reference to the library; as what is said of something
quarantined; as a warning.
"""


class SegmentReport(Model):
    """Something in a layer."""

    segment: str
    """What it is called in every turn."""

    item_id: str | None
    """The item that it shows, in `sections`; null where it shows none."""

    form: Form
    """How it stands there."""

    text: str | None = None
    """What it says, where it shows no item."""


class LayerReport(Model):
    """A layer, as a model reads it."""

    layer: Layer
    """Which one."""

    digest: str
    """SHA-256 of its text."""

    tokens: int
    """That its text takes."""

    segments: tuple[SegmentReport, ...]
    """In order."""


class PrefixReport(Model):
    """Whether a provider's prompt cache can use what it has of the turn before."""

    digest: str
    """SHA-256 of the text of the system layer and the library."""

    change: Literal["first", "same", "extended", "broken"]
    """Against the turn before: the same bytes, the same with more after them, or others."""

    reasons: tuple[str, ...]
    """Why it is not the same, sorted: settings, attach, content, compaction, budget, policy, erasure."""


class Envelope(Model):
    """The layers of the prompt, and what became of its prefix."""

    session_id: str | None = None
    """The conversation that the request belongs to; null for a request of none."""

    turn: int | None
    """The turn of the session; null for a request that is none."""

    layers: tuple[LayerReport, ...]
    """In the order in which they are read."""

    prefix: PrefixReport
    """What comes first."""


class OverflowReport(Model):
    """What was done to fit the budget."""

    action: str
    """The step of the overflow order."""

    items: tuple[str, ...]
    """What it touched."""

    token_savings: int
    """Tokens that it saved."""


class BudgetReport(Model):
    """How the token budget was spent."""

    total_tokens: int
    """The request's budget."""

    allocated: int
    """Tokens of the pack and the response headroom."""

    remaining: int
    """Tokens that nobody took."""

    response_headroom: int
    """Tokens kept free for the answer."""

    overflow_actions: tuple[OverflowReport, ...]
    """What was done to fit, in order."""

    framing: int
    """Tokens of messages, references, stubs and notices around the items; part of `allocated`."""

    exact: bool
    """Whether the tokens are the model's own; otherwise they are an estimate (docs/packs.md)."""

    optimality_percent: int
    """At least this much of the best value that could have been kept was kept, where items had to compete; else 100."""


class SelectedItem(Model):
    """An item of the pack, without its content."""

    id: str
    """The candidate's id."""

    segment: str
    """What it is called in every turn."""

    data_classification: str | None
    """As its source labels it."""

    trust_class: TrustClass
    """Set by policy."""


class ToolCall(Model):
    """A tool that the gateway called for the request; how long it took stands in the trace, since it is never the same twice."""

    name: str
    """In the table `tools`."""

    source: str
    """Whose tool it is."""

    status: str
    """What came of it: `answered`, `empty`, or why nothing was taken."""

    bytes: int
    """That came."""


class ToolsShown(Model):
    """The tools that the bank has on record, and what became of them for this agent and question."""

    offered: tuple[str, ...]
    """That the agent is told of, each by an item of the pack unless the budget left it out."""

    brought: tuple[str, ...]
    """That the request's own items tell of."""

    not_needed: tuple[str, ...]
    """That the agent may see, and that the question does not need."""

    refused: dict[str, int]
    """How many are not for this agent and request, by code; one may be refused for several reasons."""


class RuntimeState(Model):
    """What an orchestrator may keep of a pack: names and labels, no content (upgrade pack, isolation strategy)."""

    session_id: str | None
    """The session."""

    turn: int | None
    """The turn of the session."""

    selected: tuple[SelectedItem, ...]
    """What is in the pack."""

    exposed_fields: dict[str, tuple[str, ...]]
    """By item: the members that are shown, where policy lists them."""

    artifacts: dict[str, str]
    """By item: handles to what is kept outside the pack."""

    policy: str
    """Revision of the bundle that decided."""

    tokens: int
    """That the prompt takes."""

    tools_called: tuple[ToolCall, ...] = ()
    """In the order in which the agent's contract requires them."""

    tools: ToolsShown | None = None
    """Null where no source with tools is on."""
