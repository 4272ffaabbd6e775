"""Tests of `gateway.policy.supply`."""
