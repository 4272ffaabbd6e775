"""Tests of `ctxgate report`."""
