"""The package for owners of sources: what it signs is what the gateway verifies."""
