"""
The gateway's side of the ledger: drafts of records, who writes them, questions, proof and export.

Nothing here decides; bytes, chains and trees are `ledger`'s.
"""
