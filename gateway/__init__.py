"""The governance gateway: what is asked, how it is decided, and what is handed over."""
