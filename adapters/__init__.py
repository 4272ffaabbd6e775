"""The outside world: one folder for each port of `gateway.ports`, one file a vendor; only `gateway.bootstrap` imports them."""
