"""Signed tree heads of one log: which of them are kept for good, and who vouches for them from outside."""
