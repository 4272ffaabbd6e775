"""The package for callers: what it asks and reads is what the gateway describes and answers."""
