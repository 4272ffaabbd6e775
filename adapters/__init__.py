"""One vendor per file, each behind a port of `gateway.ports`; only `gateway.bootstrap` imports them."""
