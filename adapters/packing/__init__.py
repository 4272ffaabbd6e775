"""Tokens and likeness (`gateway.ports.packing`)."""
