"""Embedders of a bank's own: what they are trained on, and what they must show before they are used."""
