"""The commands that show what holds, or changes, for every input."""
