"""Policy engines and the keys of bundles (`gateway.ports.policy`)."""
