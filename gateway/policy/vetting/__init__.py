"""Whether the tables and cases of a bundle say what can be meant: dates that exist, names of things that there are."""
