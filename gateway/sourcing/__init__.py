"""Which tools are called for a request, and what becomes of their answers."""
