"""Documents, their index, and the models that read them: adapters of `gateway.ports.knowledge`."""
