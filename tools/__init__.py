"""Programs that keep the repository true to itself."""
