"""Who vouches for labels: signatures and receipts."""
