"""Who is asking: tokens and the keys that they are verified with (`gateway.ports.identity`)."""
