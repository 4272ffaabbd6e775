"""
Puts the gateway together from its settings, and takes it apart at a clean stop.

The one room that imports adapters; nothing here answers a request.
"""
