"""The routes, one file for the first word of their path; `ROUTERS` is all of them.  What is true without HTTP is not here."""

from gateway.api.routes import (
    artifacts,
    authzen,
    citations,
    description,
    detokenize,
    erasures,
    evidence,
    health,
    ledger,
    log,
    packs,
    policy,
    traces,
)

ROUTES = (
    packs,
    policy,
    authzen,
    detokenize,
    ledger,
    evidence,
    erasures,
    traces,
    log,
    artifacts,
    citations,
    health,
    description,
)
"""In the order of the OpenAPI document."""
