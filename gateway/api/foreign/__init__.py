"""What other systems ask and expect, in the gateway's words."""
