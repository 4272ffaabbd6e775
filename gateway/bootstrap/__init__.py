"""Putting the gateway together: the one package that knows the adapters."""
