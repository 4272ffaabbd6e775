"""The gateway's side of the ledger: what is written, asked, replayed and proved.  Nothing here decides."""
