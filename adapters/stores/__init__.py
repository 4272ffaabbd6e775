"""Stores beside the ledger, sealed at rest (`gateway.ports.stores`, `gateway.ports.tracing`)."""
