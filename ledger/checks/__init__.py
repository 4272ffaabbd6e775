"""What verification holds against the log beyond its own hashes: several records together, whose turn it was to sign, and what is beside it."""
