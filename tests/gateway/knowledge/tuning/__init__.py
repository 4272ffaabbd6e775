"""Embedders of a bank's own."""
