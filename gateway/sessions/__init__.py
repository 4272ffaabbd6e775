"""What a turn of a session leaves for the next."""
