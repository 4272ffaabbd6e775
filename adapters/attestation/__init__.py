"""Who vouches for labels (`gateway.ports.attestation`)."""
