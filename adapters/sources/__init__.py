"""Where items are fetched from (`gateway.ports.sources`)."""
