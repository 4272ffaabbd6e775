"""`ctxgate kb`: documents, from the command line."""
