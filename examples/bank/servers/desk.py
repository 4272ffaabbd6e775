"""The tools of Desk Support."""

from typing import Final

from bank.servers.simple import Kind
from bank.servers.spec import DAY, FLAG, NO_DAY, NUMBER, TEXT

_COUNTERPARTY: Final = Kind("DESK", "desk_counterparties", "counterparty_id")

TOOLS: Final = (
    _COUNTERPARTY.record(
        "get_counterparty",
        "The record of a counterparty",
        "SoR:desk_counterparties",
        **dict.fromkeys(("legal_name", "segment", "rating", "business_unit"), TEXT),
        watchlist=FLAG,
        kyc_reviewed_on=DAY,
    ),
    _COUNTERPARTY.rows(
        "get_credit_limits",
        "Credit limits of a counterparty by product family, and what is used of them",
        "SoR:credit_limits",
        "limits",
        "desk_credit_limits",
        product_family=TEXT,
        limit_usd_k=NUMBER,
        used_usd_k=NUMBER,
        approved_on=DAY,
        review_due=DAY,
    ),
    _COUNTERPARTY.rows(
        "get_agreements",
        "Master agreements with a counterparty",
        "SoR:agreements",
        "agreements",
        "desk_agreements",
        **dict.fromkeys(("kind", "edition", "governing_law"), TEXT),
        signed_on=DAY,
        expires_on=NO_DAY,
        threshold_usd_k=NUMBER,
    ),
    _COUNTERPARTY.rows(
        "get_docs",
        "Documents that a counterparty handed in",
        "SoR:desk_documents",
        "documents",
        "desk_documents",
        kind=TEXT,
        received_on=DAY,
        note=TEXT,
    ),
)
