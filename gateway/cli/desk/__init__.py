"""Commands that work at a gateway elsewhere, over its HTTP API: bundles and exceptions, from an officer's own machine."""
