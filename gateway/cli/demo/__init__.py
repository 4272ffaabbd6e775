"""Demonstrations that need more than a request."""
