"""Spans of distributed tracing (`gateway.ports.tracing`)."""
