"""The words that the bank's rows are made of."""

from datetime import date
from typing import Final

TODAY: Final = date(2026, 3, 1)
"""The day on which the bank stands still: what happened lies before it, what is due may lie after it."""

JURISDICTIONS: Final = ("SG", "HK", "IN", "TW", "ID", "AU")

BOOKING_ENTITIES: Final = {
    "SG": "GFM Singapore", "HK": "GFM Hong Kong", "IN": "GFM Mumbai", "TW": "GFM Taipei", "ID": "GFM Jakarta", "AU": "GFM Sydney",
}  # fmt: skip

UNDERLYINGS: Final = {
    "SG": "USD/SGD", "HK": "Hang Seng index", "IN": "USD/INR", "TW": "TAIEX index", "ID": "USD/IDR", "AU": "AUD/USD",
}  # fmt: skip

PRODUCTS: Final = {
    "fx_derivative": ("Target redemption forward", "Accumulator", "Window barrier option", "Non-deliverable forward"),
    "equity_derivative": ("Autocallable note", "Variance swap", "Dispersion basket", "Reverse convertible"),
    "rates_derivative": ("Callable range accrual", "Cross-currency swap", "Swaption collar", "Inflation swap"),
    "credit_derivative": ("First-to-default note", "Total return swap", "Index tranche", "Credit-linked deposit"),
    "fund": ("Infrastructure feeder fund", "Green bond fund", "Money market fund", "Private credit fund"),
    "digital_asset": ("Tokenised deposit", "Tokenised bond", "Custody of tokens", "Stablecoin settlement"),
}

TRACKS: Final = ("full_npa", "npa_lite", "variation", "existing")
STAGES: Final = ("IDEATION", "CLASSIFICATION", "RISK_ASSESSMENT", "SIGN_OFF", "LAUNCH", "POST_LAUNCH_REVIEW")
UNITS: Final = ("Markets", "Treasury", "Wealth", "Transaction banking", "Structured finance")
PARTIES: Final = ("Finance", "Credit", "Market risk", "Operations", "Technology", "Legal", "Compliance")
RISKS: Final = ("credit", "market", "operational", "liquidity", "legal", "reputational", "cyber")
RESULTS: Final = ("PASS", "PASS", "PASS", "REVIEW", "FAIL")
PARTS: Final = ("counterparty", "custodian", "calculation agent", "distributor", "collateral agent")
CATEGORIES: Final = (
    "internal fraud", "external fraud", "employment practices", "clients and products", "damage to assets",
    "business disruption", "execution and delivery",
)  # fmt: skip
LINES: Final = ("Private banking", "Trading and sales", "Payments", "Custody", "Retail banking")
CONTROLS: Final = (
    "Four-eyes release", "Daily reconciliation", "Address check before dispatch", "Limit monitoring", "Access recertification",
    "Change freeze", "Independent valuation", "Call-back to client", "Screening of payees", "Backup restore drill",
)  # fmt: skip
HAPPENED: Final = (
    "A statement went to the wrong recipient", "A payment was released twice", "A price feed stopped during the session",
    "A margin call was sent a day late", "A trade was booked under the wrong desk", "A vendor outage delayed confirmations",
)  # fmt: skip
INDICATORS: Final = (
    "failed trades",
    "late confirmations",
    "open access reviews",
    "system outages",
    "unmatched payments",
)
SEGMENTS: Final = ("corporate", "bank", "fund", "insurer", "public sector")
RATINGS: Final = ("AA", "A", "BBB", "BB", "B")
LEGAL_NAMES: Final = (
    (
        "Meridian",
        "Harbour Line",
        "Southern Cross",
        "Jade River",
        "Monsoon",
        "Straits",
        "Granite Bay",
        "Lotus Field",
        "Red Banyan",
    ),
    ("Foods", "Shipping", "Resources", "Energy", "Semiconductors", "Textiles", "Logistics", "Capital", "Insurance"),
)
FORMS_OF_FIRMS: Final = {
    "SG": "Pte Ltd",
    "HK": "Limited",
    "IN": "Private Limited",
    "TW": "Co Ltd",
    "ID": "PT",
    "AU": "Pty Ltd",
}
FAMILIES: Final = ("fx", "rates", "equity", "credit", "commodities")
AGREEMENTS: Final = (("ISDA", "2002"), ("CSA", "2016 VM"), ("GMRA", "2011"), ("GMSLA", "2018"))
LAWS: Final = ("English law", "New York law", "Singapore law", "Hong Kong law")
DOCUMENTS: Final = ("board resolution", "kyc_document", "financial statements", "authorised signatories", "tax form")
CHANNELS: Final = ("mobile app", "web portal", "chat", "branch tablet")
JOURNEYS: Final = ("onboarding", "card application", "mandate change", "investment profile", "loan top-up")
CONSENTS: Final = ("marketing", "data sharing", "profiling", "open banking")
REQUESTS: Final = ("address change", "fee dispute", "statement copy", "limit change", "access recovery")

SECTIONS: Final = (
    "product", "pricing", "booking", "legal", "credit", "market", "liquidity", "operational", "technology", "finance", "compliance",
    "suitability", "data",
)  # fmt: skip
ASPECTS: Final = {
    "scope": ("group", "one booking entity", "one desk", "pilot"), "owner": UNITS, "reviewer": PARTIES,
    "method": ("model", "expert view", "vendor feed", "bilateral quote"), "model_tier": ("1", "2", "3", "none"),
    "system": ("Murex", "Calypso", "in-house", "spreadsheet"), "automation": ("full", "partial", "manual"),
    "frequency": ("intraday", "daily", "weekly", "monthly"), "threshold": ("low", "medium", "high", "not set"),
    "escalation": ("desk head", "risk committee", "chief operating officer"), "evidence": ("attached", "referenced", "to follow"),
    "dependency": ("none", "vendor", "market infrastructure", "affiliate"), "fallback": ("tested", "documented", "absent"),
    "training": ("done", "planned", "not needed"), "staffing": ("in place", "hiring", "shared"),
    "limit_set": ("yes", "no", "pending"), "policy_fit": ("fits", "exception asked", "to be decided"),
    "test_state": ("passed", "running", "not started"), "reporting": ("existing", "new", "none"),
    "capital_effect": ("none", "minor", "material"), "tax_effect": ("none", "minor", "material"),
    "outsourced": ("yes", "no"), "cross_border": ("yes", "no"), "residual_risk": ("low", "medium", "high"),
    "open_points": ("0", "1", "2", "3"), "confidence": ("low", "medium", "high"),
}  # fmt: skip
"""Each section of the approval form asks for each of these: 13 times 26 fields, and one for remarks."""

CALM: Final = (
    "Nothing unusual.", "See the file of the committee.", "Agreed in the last review.", "No change since the previous version.",
    "To be looked at again next quarter.",
)  # fmt: skip
