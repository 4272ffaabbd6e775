"""
The ledger: one append-only, provable record of every decision.

It stands alone: nothing here imports the gateway, an adapter or a vendor package but pydantic.
`FORMAT.md` specifies every byte, for auditors who check a ledger with their own tools.
"""
