"""What is kept of a shadow while it watches."""
