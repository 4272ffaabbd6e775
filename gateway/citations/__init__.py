"""Claims of an agent against the pack it was given."""
