"""Which pieces stay: repeats, conflicts, and what fits."""
