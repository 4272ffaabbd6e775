"""Injected instructions: rules, an encoder, and a guard over HTTP, behind one port."""
