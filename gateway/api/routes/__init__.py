"""The routes, one file for the first word of their path; `ROUTERS` is all of them.  What is true without HTTP is not here."""

from gateway.api.routes import (
    artifacts,
    authzen,
    catalog,
    citations,
    description,
    detokenize,
    erasures,
    evidence,
    exceptions,
    guardrails,
    health,
    ledger,
    log,
    packs,
    policy,
    readings,
    reports,
    traces,
)

ROUTES = (
    packs,
    guardrails,
    catalog,
    policy,
    exceptions,
    authzen,
    detokenize,
    ledger,
    evidence,
    readings,
    reports,
    erasures,
    traces,
    log,
    artifacts,
    citations,
    health,
    description,
)
"""In the order of the OpenAPI document."""
