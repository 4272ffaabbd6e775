"""Documents under policy."""
