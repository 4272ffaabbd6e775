"""Tests of the demonstrations."""
