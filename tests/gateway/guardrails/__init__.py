"""What other gateways ask, and what they are answered."""
