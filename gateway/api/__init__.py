"""HTTP, and nothing that is true without HTTP."""
