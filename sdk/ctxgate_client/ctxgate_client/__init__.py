"""
Asks a ctxgate gateway, from Python: packs, rulings, the catalog, and checks of citations.

`Client` waits for each answer and `AsyncClient` is awaited; both have the same calls.  An answer is a typed model, a refusal is a
`ProblemError` with the gateway's stable code.
"""

from ctxgate_client.answers import (
    Catalog,
    CitationReply,
    ContextPack,
    PackItem,
    PackSection,
    RulingReport,
    RulingsAnswer,
    Withheld,
)
from ctxgate_client.clients import AsyncClient, Client
from ctxgate_client.problems import CtxgateError, ProblemError, UnansweredError
from ctxgate_client.requests import Candidate, Citation, Claim, Entity, PackRequest, Provenance, said
from ctxgate_client.sending import Retries

__all__ = [
    "AsyncClient",
    "Candidate",
    "Catalog",
    "Citation",
    "CitationReply",
    "Claim",
    "Client",
    "ContextPack",
    "CtxgateError",
    "Entity",
    "PackItem",
    "PackRequest",
    "PackSection",
    "ProblemError",
    "Provenance",
    "Retries",
    "RulingReport",
    "RulingsAnswer",
    "UnansweredError",
    "Withheld",
    "said",
]
