"""What is kept beside the ledger and decides, held against its own records in the log."""
