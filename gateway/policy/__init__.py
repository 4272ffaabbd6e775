"""How a bundle is read, asked and swapped.  What it decides is Rego, not here."""
