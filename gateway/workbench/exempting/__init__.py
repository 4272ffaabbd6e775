"""Governed exceptions: those in the tables of a bundle, and those that two officers agree on while it decides."""
