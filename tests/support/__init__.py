"""What tests share: fakes, the oracle, services, generators."""
