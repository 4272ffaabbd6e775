"""What stands for persons, and how it goes."""
