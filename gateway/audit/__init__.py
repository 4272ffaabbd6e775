"""
The gateway's side of the ledger: drafts of records, who writes them, questions, replay, proof and export.

Nothing here decides; bytes, chains and trees are `ledger`'s.
"""
