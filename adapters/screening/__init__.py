"""Detectors, what changes content, and the processes they run in (`gateway.ports.screening`)."""
