"""The words of the gateway as types: requests, answers of policy, cases, packs and the registry."""

from gateway.model.base import Model, utc_text
from gateway.model.case import Case, Fence, Ruling, uuid7
from gateway.model.content import Finding
from gateway.model.contract import Agent
from gateway.model.envelope import BudgetReport, OverflowReport
from gateway.model.pack import (
    Attribution,
    ContextPack,
    Drop,
    PackItem,
    PackProvenance,
    PackSection,
    PackWarning,
    RulingReport,
    RulingsAnswer,
    Withheld,
)
from gateway.model.piece import Loss, Piece, Selection
from gateway.model.policy_answer import (
    AdmitAnswer,
    Denial,
    DetokenizeAnswer,
    Obligation,
    PackAnswer,
    PolicyVersion,
    ReleaseAnswer,
    ScopeAnswer,
)
from gateway.model.registry import Budgets, ModelProfile, Registry
from gateway.model.request import Candidate, Entity, PackRequest, Provenance, Subject
from gateway.model.sources.entry import SourceEntry

__all__ = [
    "AdmitAnswer",
    "Agent",
    "Attribution",
    "BudgetReport",
    "Budgets",
    "Candidate",
    "Case",
    "ContextPack",
    "Denial",
    "DetokenizeAnswer",
    "Drop",
    "Entity",
    "Fence",
    "Finding",
    "Loss",
    "Model",
    "ModelProfile",
    "Obligation",
    "OverflowReport",
    "PackAnswer",
    "PackItem",
    "PackProvenance",
    "PackRequest",
    "PackSection",
    "PackWarning",
    "Piece",
    "PolicyVersion",
    "Provenance",
    "Registry",
    "ReleaseAnswer",
    "Ruling",
    "RulingReport",
    "RulingsAnswer",
    "ScopeAnswer",
    "Selection",
    "SourceEntry",
    "Subject",
    "Withheld",
    "utc_text",
    "uuid7",
]
