"""`ctxgate kb`."""
