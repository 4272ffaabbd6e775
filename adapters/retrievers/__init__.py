"""Places that items are fetched from."""
