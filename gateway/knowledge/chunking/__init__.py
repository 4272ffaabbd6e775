"""Documents cut into chunks: by what they say of their structure, within a number of tokens, without losing a word."""

from gateway.knowledge.chunking.cutting import chunk

__all__ = ["chunk"]
